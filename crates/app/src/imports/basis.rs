//! What a change of an import goes out from, and how its content is read again.

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, FileId, ImportId};
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Layout;
use purser_core::import::mapping::{ACCOUNT_DELETED, CHOSEN_ACCOUNT_DELETED, MappingChoice};
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::import::status::ImportStatus;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Mapping};
use purser_store::{Access, FamilyTx, Store};

use super::change::without;
use super::decoded_file::{DecodedFile, Evidence};
use super::draft::{Draft, ImportSpec};
use super::edit::{ImportEdit, NewContent};
use super::names;
use super::reading::{InterpretationContext, Source};
use super::{size, template};

/// What rows that are numbered otherwise by now mean for corrections.
const DROPPED: &str = "The corrections of single rows were dropped: other lines of the file are \
                       rows now";

/// What another meaning of signs means for corrections of amounts.
const ANSWERS_DROPPED: &str = "The corrections of amounts of single rows were dropped: their \
                               signs would mean something else now";

/// What a change goes out from, and what must still hold when it is committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    status: ImportStatus,
    account: Option<AccountId>,
    file: Option<FileId>,
    settings: String,
    layout: Option<String>,
    skip_invalid: bool,
    choices: Vec<MappingChoice>,
    left_names: Vec<String>,
    all_left: bool,
    /// The edits of its rows.
    pub(super) edits: RowEdits,
}

impl Facts {
    /// As they are now.
    pub(super) fn of(tx: &mut FamilyTx<'_>, import: &Import) -> Result<Self> {
        let mappings = imports::mappings(tx, import.id)?;
        let chosen = |mapping: &Mapping| {
            let choice = mapping.choice.clone()?;
            Some(MappingChoice { kind: mapping.kind, key: mapping.value_key.clone(), choice })
        };
        let is_left_by = |mapping: &&Mapping, why| names::left_because(mapping) == Some(why);
        let left = mappings.iter().filter(|mapping| is_left_by(mapping, ACCOUNT_DELETED));
        Ok(Self {
            status: import.status,
            account: import.account,
            file: import.file,
            settings: import.settings.clone(),
            layout: import.layout.clone(),
            skip_invalid: import.skip_invalid,
            choices: mappings.iter().filter_map(chosen).collect(),
            left_names: left.map(|mapping| mapping.value_key.clone()).collect(),
            all_left: mappings.iter().any(|mapping| is_left_by(&mapping, CHOSEN_ACCOUNT_DELETED)),
            edits: imports::row_edits(tx, import.id)?,
        })
    }
}

/// An import as it is before the change, and what it is read against.
pub(super) struct Basis {
    /// The import, as it was read.
    pub(super) import: Import,
    /// What was in effect.
    layout: Option<Layout>,
    /// Its rows, if there are any.
    source: Option<Source>,
    /// What must still hold at the end.
    pub(super) facts: Facts,
    /// Its text in UTF-8, if the file is in another encoding.
    pub(super) records_file: Option<FileId>,
    /// The pages of a document.
    pub(super) pages_file: Option<FileId>,
    /// With the account that every row goes to from now on.
    context: InterpretationContext,
    account: Option<AccountId>,
}

impl Basis {
    /// Reads everything in one snapshot.
    pub(super) fn load(
        tx: &mut FamilyTx<'_>,
        files: &FileStore,
        id: ImportId,
        edit: &ImportEdit,
    ) -> Result<Self> {
        let import = imports::get(tx, id)?;
        require_configurable(&import)?;
        let facts = Facts::of(tx, &import)?;
        let layout = import.layout.as_deref().map(serde_json::from_str::<Layout>);
        let layout = layout.transpose().map_err(Error::internal)?;
        let readable = layout.as_ref().is_some_and(Layout::is_readable);
        let source = if readable { Some(Source::open(tx, files, &import)?) } else { None };
        let account = match edit {
            ImportEdit::Configuration(change) => change.account(import.account, &tx.accounts())?,
            _ => import.account,
        };
        let has_account = Kind::of(import.import_type).spec().has_account;
        let account = account.filter(|_| has_account);
        let offsets = imports::offsets(tx, id)?;
        let records_file = offsets.and_then(|offsets| offsets.records_file);
        let context = InterpretationContext::of_upload(tx, account)?;
        let pages_file = imports::pages_file(tx, id)?;
        Ok(Self { import, layout, source, facts, records_file, pages_file, context, account })
    }

    /// The layout that the rows are read with, if they can be read.
    pub(super) fn readable_layout(&self) -> Option<&Layout> {
        self.layout.as_ref().filter(|layout| layout.is_readable())
    }

    /// What the import is now, to be changed; but the account is the one of the change.
    pub(super) fn spec(&self) -> Result<ImportSpec> {
        let mut template = self.layout.as_ref().and_then(|layout| layout.template.clone());
        let mut settings: Settings =
            serde_json::from_str(&self.facts.settings).map_err(Error::internal)?;
        if self.import.account.is_some() && self.account != self.import.account {
            // It was about the account before.
            settings.balance_check = None;
        }
        if let Some(template) = &mut template {
            if self.account == self.import.account {
                settings.preferred = template.preferred.clone();
            } else {
                settings = template.moved(&settings, self.account);
            }
        }
        Ok(ImportSpec {
            import_type: self.import.import_type,
            account: self.account,
            skip_invalid: self.facts.skip_invalid,
            settings,
            choices: self.facts.choices.clone(),
            left_names: self.facts.left_names.clone(),
            all_left: self.facts.all_left,
            edits: self.facts.edits.clone(),
            template,
        })
    }

    fn open(
        &self,
        store: &Store,
        files: &FileStore,
        settings: &Settings,
    ) -> Result<Option<DecodedFile>> {
        let Some(evidence) = self.import.file else { return Ok(None) };
        let (import_type, family) = (self.import.import_type, self.context.access.family());
        let source = self.layout.as_ref().map(|layout| layout.file.clone()).unwrap_or_default();
        let known = (self.records_file, source);
        let decoded = DecodedFile::reopen(files, family, evidence, known, import_type)?;
        let before: Settings =
            serde_json::from_str(&self.facts.settings).map_err(Error::internal)?;
        decoded.with_sheet_of(store, files, family, (evidence, &before, settings)).map(Some)
    }

    /// Reads the content again. Corrections stay if the rows that they are for are still the same.
    pub(super) fn read(
        &self,
        (store, files): (&Store, &FileStore),
        mut spec: ImportSpec,
        notes: &mut Vec<String>,
    ) -> Result<Draft> {
        let Some(decoded) = self.open(store, files, &spec.settings)? else {
            return Ok(Draft::empty(spec, &self.context));
        };
        let mut draft = Draft::read(&decoded, spec.clone(), &self.context)?;
        if !spec.edits.is_empty() && !self.has_same_rows(&spec.edits, &draft)? {
            notes.push(DROPPED.to_owned());
            spec.edits.clear();
            draft = Draft::read(&decoded, spec.clone(), &self.context)?;
        }
        if let Some(edits) = self.without_answers(&spec.edits, &draft) {
            notes.push(ANSWERS_DROPPED.to_owned());
            spec.edits = edits;
            draft = Draft::read(&decoded, spec, &self.context)?;
        }
        // Another sheet has a table of its own.
        Ok(draft.with_written(decoded))
    }

    /// The edits without the corrections of amounts if balances show directions now and didn't
    /// before, or the other way round: what a sign means isn't the same then. Nothing if all can
    /// stay.
    fn without_answers(&self, edits: &RowEdits, draft: &Draft) -> Option<RowEdits> {
        let before = self.layout.as_ref().and_then(Layout::unsigned_column);
        let after = draft.layout().and_then(Layout::unsigned_column);
        if before == after {
            return None;
        }
        let mut kept = edits.clone();
        for edit in kept.values_mut() {
            edit.cells.retain(|column, _| Some(*column) != before && Some(*column) != after);
        }
        kept.retain(|_, edit| !edit.is_empty());
        (kept != *edits).then_some(kept)
    }

    /// Whether the rows that have edits are at the same places, divided into the same cells.
    fn has_same_rows(&self, edits: &RowEdits, draft: &Draft) -> Result<bool> {
        let (Some(before), Some(source)) = (&self.layout, &self.source) else { return Ok(false) };
        let Some(after) = draft.layout() else { return Ok(false) };
        let division = |layout: &Layout| {
            let table = (layout.separator, layout.start, layout.headers.clone());
            (layout.encoding.clone(), layout.file.sheet.clone(), table)
        };
        if !after.is_readable() || division(before) != division(after) {
            return Ok(false);
        }
        let found = draft.content.as_ref().map(|content| content.reading.edited.as_slice());
        let found = found.unwrap_or_default();
        for row in edits.keys() {
            let mut place = None;
            source.visit_page(*row, 1, |visited| {
                place = Some(visited.offset);
                Ok(())
            })?;
            let same = place.is_some_and(|place| found.binary_search(&(*row, place)).is_ok());
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads other content. What was taken over for the content before is taken back.
    pub(super) fn replace(
        &self,
        store: &Store,
        files: &FileStore,
        access: &Access,
        mut spec: ImportSpec,
        content: &NewContent,
        notes: &mut Vec<String>,
    ) -> Result<Draft> {
        size::require(
            files,
            (access.family(), &content.stored),
            self.import.import_type,
            content.name.is_some(),
            content.csv_bytes_max,
        )?;
        if !spec.edits.is_empty() {
            notes.push(DROPPED.to_owned());
            spec.edits.clear();
        }
        if let Some(template) = spec.template.take() {
            spec.settings = without(&spec.settings, &template.settings_taken)?;
        }
        if self.import.file.is_some() {
            // It was about the balances of the file before, not of this one.
            spec.settings.balance_check = None;
        }
        let family = access.family();
        let NewContent { stored, name, password, words, .. } = content;
        let (name, words) = (name.as_deref(), words.as_deref());
        let evidence = Evidence { id: stored.id, name, password, words };
        let requested = (self.import.import_type, &spec.settings);
        let mut decoded = DecodedFile::new(store, files, family, evidence, requested)?;
        let draft = if content.use_template {
            template::read((store, files), &mut decoded, spec, &self.context)?
        } else {
            Draft::read(&decoded, spec, &self.context)?
        };
        Ok(draft.with_written(decoded))
    }
}

/// Only what is not published can be configured.
pub fn require_configurable(import: &Import) -> Result<()> {
    match import.status {
        ImportStatus::Pending | ImportStatus::Failed => Ok(()),
        status => Err(Error::invalid_code(
            "not_configurable",
            format!("The import is {} and can't be changed", status.as_str()),
        )),
    }
}
