//! The stored state of an import: what was requested, what reading the content with it found, and
//! the plan that follows. It is made in the same way at upload and after every change by a person.
//!
//! A choice for a name stays as long as the rows have the name and the choice fits. A chosen
//! account can decide the currency of its rows, so a choice that turns out not to fit is removed
//! and the content is read once more.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, FileId};
use purser_core::import::file_statement::FileStatement;
use purser_core::import::import_type::ImportType;
use purser_core::import::layout::Layout;
use purser_core::import::mapping::{
    ACCOUNT_DELETED, CHOSEN_ACCOUNT_DELETED, Choice, DistinctName, ExistingRecords, MappingChoice,
    MappingKind, Resolution, resolve, resolve_left,
};
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::import::template::TemplateUse;
use purser_store::imports::{self, Mapping, NewImport, Offsets, Reading};
use purser_store::{Access, FamilyTx, Store};

use super::built_plan::{BuiltPlan, Subject};
use super::decoded_file::DecodedFile;
use super::names;
use super::planning;
use super::reading::{self, FileReading, InterpretationContext, Source};
use super::stored::Stored;

/// What is requested of an import: its settings, and what people chose for it.
#[derive(Debug, Clone)]
pub struct ImportSpec {
    /// What the file holds.
    pub import_type: ImportType,
    /// The account that every row goes to.
    pub account: Option<AccountId>,
    /// Publish the valid rows and leave out the others.
    pub skip_invalid: bool,
    /// What was sent or taken over.
    pub settings: Settings,
    /// What a person chose for names.
    pub choices: Vec<MappingChoice>,
    /// The keys of names of accounts that were deleted, for which nobody has chosen another yet.
    pub left_names: Vec<String>,
    /// The account that all rows were to go into was deleted, and nobody has chosen another yet, or
    /// has chosen for each name.
    pub all_left: bool,
    /// The edits of single rows.
    pub edits: RowEdits,
    /// What was taken over.
    pub template: Option<TemplateUse>,
}

/// An import that is read and can be stored.
pub struct Draft {
    /// What it is to be; choices that don't fit are gone.
    pub spec: ImportSpec,
    /// What reading found; nothing without content.
    pub content: Option<Content>,
    /// Choices that don't fit, and why.
    pub refused: Vec<(MappingChoice, String)>,
    /// What is to become of the rows, once that was found out.
    pub built: Option<BuiltPlan>,
    as_of: Date,
}

/// What content was found to hold.
pub struct Content {
    /// The result of reading the file.
    pub reading: FileReading,
    /// The source of its rows.
    pub source: Source,
    /// The text in UTF-8, if the file is in another encoding.
    pub records_file: Option<FileId>,
    /// The file with the pages of a document, if it was read for the first time.
    pub pages_file: Option<FileId>,
    /// The files that were written now.
    pub written: Vec<Stored>,
    /// The bank statements in it, if it was read for the first time.
    pub statements: Option<Vec<FileStatement>>,
}

impl Draft {
    /// An import without content.
    pub fn empty(spec: ImportSpec, context: &InterpretationContext) -> Self {
        Self { spec, content: None, refused: Vec::new(), built: None, as_of: context.as_of }
    }

    /// Reads content and makes the plan. Blocks.
    pub fn read(
        decoded: &DecodedFile,
        mut spec: ImportSpec,
        context: &InterpretationContext,
    ) -> Result<Self> {
        let mut refused = Vec::new();
        spec.settings.preferred.is_strategy_taken =
            spec.template.as_ref().is_some_and(TemplateUse::gives_strategy);
        let (reading, context) = loop {
            let chosen = context.with_choices(&spec.choices);
            let mut reading = reading::read(decoded, &spec.settings, &spec.edits, &chosen)?;
            let unfit = unfitting(&spec.choices, &reading.names, &context.existing);
            let reads_otherwise = unfit.iter().any(|(one, _)| one.kind == MappingKind::Account);
            let gone: HashSet<_> = unfit.iter().map(|(one, _)| (one.kind, &one.key)).collect();
            spec.choices.retain(|one| !gone.contains(&(one.kind, &one.key)));
            refused.extend(unfit);
            if !reads_otherwise {
                reading.layout.template = spec.template.clone();
                break (reading, chosen);
            }
        };
        let source = Source::of_reading(decoded, &reading, &spec.edits, &context)?;
        let records_file = decoded.records_file();
        let statements = decoded.statements.clone();
        let (pages_file, written) = (decoded.pages_file(), Vec::new());
        let content =
            Some(Content { reading, source, records_file, pages_file, written, statements });
        Ok(Self { spec, content, refused, built: None, as_of: context.as_of })
    }

    /// The content, with the text that was written for it: nobody reads it otherwise any more.
    pub fn with_written(mut self, decoded: DecodedFile) -> Self {
        if let Some(content) = &mut self.content {
            content.written = decoded.into_written();
        }
        self
    }

    /// Finds out what is to become of the rows, if they can be read. Blocks.
    pub fn plan(&mut self, store: &Store, access: &Access) -> Result<()> {
        let plan = |tx: &mut FamilyTx<'_>| self.make_plan(tx);
        self.built = store.read_blocking(access.clone(), plan)?;
        Ok(())
    }

    fn make_plan(&self, tx: &mut FamilyTx<'_>) -> Result<Option<BuiltPlan>> {
        let Some(content) = &self.content else { return Ok(None) };
        let new = self.new_import(&imports::existing(tx)?, None)?;
        let reading = &new.reading;
        let rows = reading.valid_rows + reading.invalid_rows;
        if !reading.readable || rows == 0 {
            return Ok(None);
        }
        let subject = Subject {
            account: new.account,
            mappings: &reading.mappings,
            source: &content.source,
            not_taken: content.reading.not_taken.as_deref(),
            rows_in_file: rows + reading.left_out,
        };
        planning::make(tx, &subject).map(Some)
    }

    /// What is in effect.
    pub fn layout(&self) -> Option<&Layout> {
        self.content.as_ref().map(|content| &content.reading.layout)
    }

    /// The files that were written for it.
    pub fn written(&self) -> impl Iterator<Item = &Stored> {
        self.content.iter().flat_map(|content| &content.written)
    }

    /// As it is stored. `file` is the evidence.
    pub fn new_import(
        &self,
        existing: &ExistingRecords,
        file: Option<FileId>,
    ) -> Result<NewImport> {
        let spec = &self.spec;
        Ok(NewImport {
            import_type: spec.import_type,
            account: spec.account,
            file,
            settings: serde_json::to_string(&spec.settings).map_err(Error::internal)?,
            reading: self.reading(existing)?,
            publish_wanted: false,
            skip_invalid: spec.skip_invalid,
            fingerprint: None,
            template: spec.template.as_ref().map(|template| template.id),
            undecided_rows: match &self.built {
                Some(built) => built.plan.counts()?.needs_choice,
                None => 0,
            },
        })
    }

    fn reading(&self, existing: &ExistingRecords) -> Result<Reading> {
        let Some(Content { reading, records_file, pages_file, statements, .. }) = &self.content
        else {
            return Ok(Reading {
                layout: None,
                readable: false,
                as_of: self.as_of,
                valid_rows: 0,
                invalid_rows: 0,
                left_out: 0,
                findings: "[]".into(),
                mappings: Vec::new(),
                offsets: None,
                statements: None,
                pages: None,
            });
        };
        let choices = self.spec.choices.iter().map(|one| ((one.kind, one.key.as_str()), one));
        let choices: HashMap<_, _> = choices.collect();
        let (left, all_left) = (&self.spec.left_names, self.spec.all_left);
        let mappings = reading.names.iter().map(|found| {
            let chosen = choices.get(&(found.kind, found.key.as_str())).copied();
            let is_left = found.kind == MappingKind::Account && left.contains(&found.key);
            let left_because = match found.kind {
                // Nobody has looked at what the rows name.
                MappingKind::Account if all_left => Some(CHOSEN_ACCOUNT_DELETED),
                _ => is_left.then_some(ACCOUNT_DELETED),
            };
            mapping(found, chosen, left_because, existing)
        });
        let mut mappings: Vec<Mapping> = mappings.collect();
        let names_accounts = mappings.iter().any(|one| one.kind == MappingKind::Account);
        if all_left && self.spec.account.is_none() && !names_accounts {
            // The names may be back with the next change.
            let nameless = DistinctName::nameless(MappingKind::Account, reading.valid_rows);
            mappings.push(mapping(&nameless, None, Some(CHOSEN_ACCOUNT_DELETED), existing));
        }
        // What the rows need together may be more than a family can have.
        let refused = names::resolve(&mappings, existing).changed.into_iter();
        let refused: HashMap<_, _> =
            refused.map(|one| ((one.kind, one.value_key), one.problem)).collect();
        for mapping in &mut mappings {
            if let Some(Some(why)) = refused.get(&(mapping.kind, mapping.value_key.clone())) {
                mapping.problem = Some(why.clone());
            }
        }
        Ok(Reading {
            layout: Some(serde_json::to_string(&reading.layout).map_err(Error::internal)?),
            readable: reading.layout.is_readable(),
            as_of: self.as_of,
            valid_rows: reading.valid_rows,
            invalid_rows: reading.invalid_rows,
            left_out: reading.left_out,
            findings: serde_json::to_string(&reading.findings).map_err(Error::internal)?,
            mappings,
            offsets: Some(Offsets { records_file: *records_file, bytes: reading.offsets.clone() }),
            statements: statements
                .as_ref()
                .map(serde_json::to_string)
                .transpose()
                .map_err(Error::internal)?,
            pages: *pages_file,
        })
    }
}

/// Choices for names that the rows have, but that don't fit them.
fn unfitting(
    choices: &[MappingChoice],
    names: &[DistinctName],
    existing: &ExistingRecords,
) -> Vec<(MappingChoice, String)> {
    let names = names.iter().map(|found| ((found.kind, found.key.as_str()), found));
    let names: HashMap<_, _> = names.collect();
    let unfit = |chosen: &MappingChoice| {
        let found = names.get(&(chosen.kind, chosen.key.as_str()))?;
        let why = chosen.choice.fits(found, existing).err()?;
        Some((chosen.clone(), why))
    };
    choices.iter().filter_map(unfit).collect()
}

/// A name and what it stands for: what a person chose, if that still fits, else what is called so.
/// One that is left by its account stays a question until then.
fn mapping(
    found: &DistinctName,
    chosen: Option<&MappingChoice>,
    left_because: Option<&str>,
    existing: &ExistingRecords,
) -> Mapping {
    let choice = chosen.map(|one| &one.choice).filter(|one| one.fits(found, existing).is_ok());
    let resolution = match choice {
        None => match left_because {
            Some(why) => resolve_left(found, existing, why),
            None => resolve(found, existing),
        },
        Some(Choice::Existing(id)) => Resolution::Existing(*id),
        Some(Choice::Create { .. } | Choice::PerCurrency { .. }) => Resolution::Create,
        Some(Choice::AccountType(account_type)) => Resolution::AccountType(*account_type),
    };
    Mapping {
        kind: found.kind,
        value: found.value.clone(),
        value_key: found.key.clone(),
        target: match resolution {
            Resolution::Existing(id) => Some(id),
            _ => None,
        },
        creates: resolution == Resolution::Create,
        currencies: found.currencies.clone(),
        problem: match resolution {
            Resolution::Choose(why) => Some(why),
            _ => None,
        },
        rows: found.rows,
        choice: choice.cloned(),
    }
}
