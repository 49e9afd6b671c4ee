//! Templates: the choices for a file are kept when it is published, and taken over for the next
//! file with the same header. The rules for that are in `purser_core::import::template`.
//!
//! What decides which way money went, or between readings that a file leaves open, is taken over
//! only from an earlier file of the same accounts (`template_accounts`).
//!
//! Files of statements have a template for each of their accounts (`statement_templates`).
//!
//! A template never breaks a good file: where formats that were taken over make rows invalid that
//! are good with detected ones, the detected ones count, and the answer reports it.

use purser_core::error::{Error, Result};
use purser_core::import::file_statement::{self, FileAccount};
use purser_core::import::import_type::ImportType;
use purser_core::import::layout::Layout;
use purser_core::import::mapping::{Choice, MappingChoice, MappingKind};
use purser_core::import::settings::{BalanceCheck, Formats, Settings};
use purser_core::import::source_file::{FileFormat, SourceFile, is_same_sheet};
use purser_core::import::template::{
    AccountSettings, HEADER_SETTINGS, MergedSettings, TemplateFormats, TemplateUse, key_text,
    name_of,
};
use purser_core::import::transaction::balance::RunningBalance;
use purser_core::limits::{TEMPLATE_CHOICES_MAX, TEMPLATE_NAME_CHARS_MAX};
use purser_formats::sheets::SheetTable;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Mapping, NewTemplate, Template};
use purser_store::{FamilyTx, Store, files};
use sha2::{Digest as _, Sha256};

use super::decoded_file::DecodedFile;
use super::draft::{Draft, ImportSpec};
use super::reading::{FileReading, InterpretationContext};
use super::statement_templates;
use super::template_accounts::{accounts_of, for_accounts, known_accounts};

/// The number of templates of a type from which the position of the header is tried, if the
/// detected header is unknown.
const TRIED_MAX: u64 = 50;

/// A template that fits a file, and what it adds.
struct Match {
    template: Template,
    merged: MergedSettings,
}

/// Reads content with what a template adds to what is asked for. Blocks.
pub fn read(
    (store, files): (&Store, &FileStore),
    decoded: &mut DecodedFile,
    spec: ImportSpec,
    context: &InterpretationContext,
) -> Result<Draft> {
    if let Some(table) = known_sheet(store, decoded, &spec, context)? {
        decoded.read_sheet(store, files, context.access.family(), &table)?;
    }
    let decoded = &*decoded;
    let found = find(store, decoded, &spec, context)?;
    let Some(mut template) = found else {
        return Draft::read(decoded, spec, context);
    };
    if !keeps_answer(spec.import_type, &decoded.source) {
        // Earlier versions kept it.
        template.settings.balance_check = None;
        for one in &mut template.found.accounts {
            one.settings = one.without_answer();
        }
    }
    for_accounts(template, &spec, context, |template| {
        match matching(decoded, &spec.settings, template)? {
            Some(found) => read_as(decoded, &spec, context, &found),
            None => Draft::read(decoded, spec.clone(), context),
        }
    })
}

/// Reads content with what a template adds.
fn read_as(
    decoded: &DecodedFile,
    spec: &ImportSpec,
    context: &InterpretationContext,
    Match { template, merged }: &Match,
) -> Result<Draft> {
    let with = |merged: &MergedSettings, not_fitting: Vec<String>| {
        let mut spec = spec.clone();
        take_over(&mut spec, template, merged, not_fitting);
        Draft::read(decoded, spec, context)
    };
    let strict = with(merged, Vec::new());
    if let Ok(draft) = &strict
        && let labels = merged.labels_taken()
        && !labels.is_empty()
        && reading_of(draft).is_some_and(|it| it.layout.shape.is_some())
    {
        // Files of two banks may have the same shape: what a balance proves counts before labels
        // that were chosen for another file.
        let except: Vec<&str> = labels.iter().map(String::as_str).collect();
        let own = MergedSettings::new(&spec.settings, &template.settings, &except);
        let own = with(&own, labels.clone())?;
        if proves_otherwise(reading_of(&own), reading_of(draft)) {
            return Ok(own);
        }
    }
    let bad = match &strict {
        Ok(draft) => {
            // Rows of which no balance shows the direction show nothing of formats.
            let open = |it: &FileReading| {
                it.layout.balance.as_ref().map_or(0, RunningBalance::open_directions)
            };
            let misfits = |it: &FileReading| it.invalid_rows > open(it);
            reading_of(draft).is_none_or(|it| !it.layout.is_readable() || misfits(it))
        }
        Err(Error::Invalid { .. }) => {
            // Labels of another division of the same header.
            let not_fitting = merged.taken.clone();
            return with(&MergedSettings::sent(&spec.settings), not_fitting);
        }
        Err(_) => false,
    };
    if !bad || !merged.takes_formats() {
        return strict;
    }
    let strict = strict?;
    let (loose, not_fitting) = merged.with_loose_formats();
    let loose = with(&loose, not_fitting)?;
    Ok(if is_better(reading_of(&loose), reading_of(&strict)) { loose } else { strict })
}

fn reading_of(draft: &Draft) -> Option<&FileReading> {
    draft.content.as_ref().map(|content| &content.reading)
}

/// Whether a balance proves other columns of the amount than those that were taken over.
fn proves_otherwise(found: Option<&FileReading>, taken: Option<&FileReading>) -> bool {
    let (Some(found), Some(taken)) = (found, taken) else { return false };
    found.layout.is_readable()
        && found.layout.balance.is_some()
        && taken.layout.balance.is_none()
        && found.layout.amount != taken.layout.amount
}

/// Whether formats that are found read the file where those that were taken over don't.
fn is_better(found: Option<&FileReading>, taken: Option<&FileReading>) -> bool {
    let (Some(found), Some(taken)) = (found, taken) else { return false };
    let fits = found.layout.is_readable() && found.valid_rows > 0;
    fits && (found.invalid_rows == 0 || taken.valid_rows == 0)
}

fn take_over(
    spec: &mut ImportSpec,
    template: &Template,
    merged: &MergedSettings,
    not_fitting: Vec<String>,
) {
    let mut settings = merged.settings.clone();
    let TemplateFormats { formats, accounts } = template.found.clone();
    settings.preferred.complete(formats, &accounts);
    spec.template = Some(TemplateUse {
        id: template.id,
        name: template.name.clone(),
        settings_taken: merged.taken.clone(),
        not_fitting,
        account_id: template.account.filter(|_| spec.account.is_none()),
        preferred: settings.preferred.clone(),
        accounts,
    });
    spec.settings = settings;
    for chosen in &template.choices {
        let known = |one: &MappingChoice| one.kind == chosen.kind && one.key == chosen.key;
        if !spec.choices.iter().any(known) {
            spec.choices.push(chosen.clone());
        }
    }
}

/// The template with the header of the file.
fn find(
    store: &Store,
    decoded: &DecodedFile,
    spec: &ImportSpec,
    context: &InterpretationContext,
) -> Result<Option<Template>> {
    let ImportSpec { import_type, account, settings: sent, .. } = spec;
    let (import_type, account) = (*import_type, *account);
    if decoded.has_statements() {
        return statement_templates::find(store, decoded, (import_type, account), context);
    }
    let access = &context.access;
    let visible = access.accounts();
    let may_see = |template: &Template| visible.covers(template.account);
    let key = decoded.recognised_by(sent)?.map(|text| hash(&text));
    let known = match &key {
        None => None,
        Some(key) => store
            .read_blocking(access.clone(), |tx| imports::template_by_header(tx, import_type, key))?
            .filter(may_see),
    };
    if let Some(template) = known {
        return Ok(Some(template));
    }
    // Perhaps the header is where it can't be found without a template.
    let tried = store.read_blocking(access.clone(), |tx| {
        imports::templates_of_type(tx, import_type, TRIED_MAX)
    })?;
    let fixes_header = |one: &Template| {
        HEADER_SETTINGS.iter().any(|name| one.settings.fields().contains_key(name))
    };
    for template in tried.into_iter().filter(|one| fixes_header(one) && may_see(one)) {
        if matching(decoded, sent, template.clone())?.is_some() {
            return Ok(Some(template));
        }
    }
    Ok(None)
}

/// The only sheet that has the header and the name of the sheet of an earlier file.
fn known_sheet(
    store: &Store,
    decoded: &DecodedFile,
    spec: &ImportSpec,
    context: &InterpretationContext,
) -> Result<Option<SheetTable>> {
    let access = &context.access;
    let mut known = Vec::new();
    if spec.settings.sheet.is_some() {
        return Ok(None);
    }
    for table in decoded.open_sheets.iter().filter(|table| table.sheet.has_table) {
        let Some(key) = table.key.as_deref().map(hash) else { continue };
        let template = store.read_blocking(access.clone(), |tx| {
            imports::template_by_header(tx, spec.import_type, &key)
        })?;
        let template = template.filter(|template| access.accounts().covers(template.account));
        let sheet = template.and_then(|template| template.settings.sheet);
        if sheet.is_some_and(|sheet| is_same_sheet(&sheet, &table.sheet.name)) {
            known.push(table.clone());
        }
    }
    Ok(known.pop().filter(|_| known.is_empty()))
}

fn matching(
    decoded: &DecodedFile,
    sent: &Settings,
    mut template: Template,
) -> Result<Option<Match>> {
    // The sheet of another file may not be in this one.
    let is_there =
        |sheet: &String| decoded.source.sheet.as_ref().is_some_and(|its| is_same_sheet(its, sheet));
    template.settings.sheet = template.settings.sheet.filter(is_there);
    if decoded.has_statements() {
        // Its accounts are known; it has no header that could be elsewhere.
        let merged = MergedSettings::new(sent, &template.settings, &HEADER_SETTINGS);
        return Ok(Some(Match { template, merged }));
    }
    for merged in MergedSettings::variants(sent, &template.settings) {
        let text = decoded.recognised_by(&merged.settings)?;
        if text.is_some_and(|text| hash(&text) == template.header_key) {
            return Ok(Some(Match { template, merged }));
        }
    }
    Ok(None)
}

/// Whether an answer about balances can be one about a column of all files of the kind: what
/// statements and documents prove is decided for each.
fn keeps_answer(import_type: ImportType, file: &SourceFile) -> bool {
    import_type == ImportType::Transaction
        && !file.format.is_some_and(|format| format.has_statements() || format == FileFormat::Pdf)
}

pub(super) fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// Keeps what was chosen for an import that is being completed.
pub fn remember(tx: &mut FamilyTx<'_>, import: &Import) -> Result<()> {
    if import.import_type == ImportType::Native {
        // Nothing is chosen for such a file.
        return Ok(());
    }
    let Some(layout) = &import.layout else { return Ok(()) };
    let layout: Layout = serde_json::from_str(layout).map_err(Error::internal)?;
    let is_found = |name: &str| layout.found.iter().any(|found| found == name);
    let file = match import.file {
        Some(id) => files::file_get(tx, id)?.and_then(|file| file.name),
        None => None,
    };
    let names = match layout.shape {
        Some(_) => vec![format!("{} columns without a header", layout.headers.len())],
        None => layout.headers.clone(),
    };
    let name = name_of(file.as_deref(), &names);
    let mappings = imports::mappings(tx, import.id)?;
    let settings = settings_to_keep(import, &layout)?;
    let formats = Formats {
        date_format: layout.date_format.clone().filter(|_| is_found("date_format")),
        number_format: layout.number_format.filter(|_| is_found("number_format")),
        signage: layout.signage_in_effect(),
        has_signs: Some(layout.signage_in_effect().is_some() && !layout.has_no_signs),
        unmarked_is_out: layout.unmarked_is_out,
        reversals: layout.reversals,
        stated_is_debt: layout.stated_is_debt,
        ..Formats::default()
    };
    // Without signs it was about all amounts of that file, and would turn all of the next one.
    let mut of_header = settings.clone();
    of_header.signage = settings.signage.filter(|_| formats.is_signage_of_signs());
    let accounts = accounts_of(import, &mappings);
    let its_own = AccountSettings::new(accounts, &settings, formats.clone());
    let keys = keys_of(tx, import, &layout)?;
    let is_one = keys.len() == 1;
    for Key { hash: header_key, account } in keys {
        let earlier = imports::template_by_header(tx, import.import_type, &header_key)?;
        let mut found =
            TemplateFormats { formats: formats.clone(), accounts: known_accounts(earlier) };
        found.put(its_own.clone());
        let is_its = |mapping: &&Mapping| is_of(account.as_deref(), mapping);
        if account.is_some() {
            // What is known of this account of the file is known of no other.
            let its: Vec<Mapping> = mappings.iter().filter(is_its).cloned().collect();
            found.put(AccountSettings { accounts: accounts_of(import, &its), ..its_own.clone() });
        }
        let choices = mappings.iter().filter(is_its).filter_map(kept);
        let new = NewTemplate {
            import_type: import.import_type,
            header_key,
            name: match account.as_deref().and_then(file_statement::last_four) {
                Some(number) if !is_one => format!("…{number} {name}"),
                _ => name.clone(),
            }
            .chars()
            .take(TEMPLATE_NAME_CHARS_MAX)
            .collect(),
            settings: of_header.clone(),
            found,
            choices: choices.take(TEMPLATE_CHOICES_MAX).collect(),
            account: import.account,
        };
        imports::template_put(tx, &new)?;
    }
    Ok(())
}

/// The settings without answers that are about the file alone: that a column is no balance is kept,
/// and nothing about balances that lines state.
fn settings_to_keep(import: &Import, layout: &Layout) -> Result<Settings> {
    let mut settings: Settings = serde_json::from_str(&import.settings).map_err(Error::internal)?;
    let has_lines = layout.stated.is_some() || layout.has_open_sense;
    let is_about_column = keeps_answer(import.import_type, &layout.file) && !has_lines;
    let is_kept = |check: &BalanceCheck| is_about_column && *check == BalanceCheck::Ignore;
    settings.balance_check = settings.balance_check.filter(is_kept);
    Ok(settings)
}

/// Whether a mapping isn't that of another account of a file of statements.
fn is_of(account: Option<&str>, mapping: &Mapping) -> bool {
    mapping.kind != MappingKind::Account || account.is_none_or(|account| account == mapping.value)
}

/// What the next file is recognised by.
struct Key {
    hash: [u8; 32],
    /// The account that a file of statements has to have.
    account: Option<String>,
}

/// Those of an import: of its header, or of each account of its statements.
fn keys_of(tx: &mut FamilyTx<'_>, import: &Import, layout: &Layout) -> Result<Vec<Key>> {
    let Some(format) = layout.file.format.filter(|format| format.has_statements()) else {
        let hash = hash(&key_text(&layout.headers, layout.shape.as_deref()));
        return Ok(vec![Key { hash, account: None }]);
    };
    let found = imports::found_statements(tx, import.id)?;
    let accounts = file_statement::accounts_of(format.as_str(), &found).into_iter();
    let key = |account: FileAccount| {
        let hash = statement_templates::key_of(&account);
        Key { hash, account: Some(account.account) }
    };
    Ok(accounts.map(key).collect())
}

/// What a person chose for a name. What was to be created exists by now.
fn kept(mapping: &Mapping) -> Option<MappingChoice> {
    let choice = match (mapping.choice.clone()?, mapping.target) {
        (Choice::Create { .. }, Some(id)) => Choice::Existing(id),
        (choice, _) => choice,
    };
    Some(MappingChoice { kind: mapping.kind, key: mapping.value_key.clone(), choice })
}
