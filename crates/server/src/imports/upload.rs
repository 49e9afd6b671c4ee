//! Storing an upload: the first of the two commits.
//!
//! The file is on the disk, synced, before the row that names it is committed. The wish to publish
//! is stored in the same commit as the upload, so a crash before the second commit is made good at
//! the next start.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::layout::Layout;
use purser_core::import::mapping::{Existing, Found, MappingKind, Resolution, resolve};
use purser_store::audit::{self, Actor};
use purser_store::files::{self, FileStore};
use purser_store::imports::{self, Import, Mapping, NewImport, Offsets, Reading};
use purser_store::{FamilyId, Store, Tx};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::preview::{NamePreview, Preview};
use super::reading::{self, FileReading, Ground};
use super::rejection::{Facts, Rejection};
use super::request::Request;
use super::retries::UploadHash;
use super::stored::Stored;

/// An upload that is read and ready to be stored.
pub(crate) struct Upload {
    request: Request,
    stored: Option<Stored>,
    name: Option<String>,
    as_of: Date,
    reading: Option<FileReading>,
}

/// What is known of equal uploads, see [`super::retries`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Retry {
    /// No equal upload is under way.
    pub(crate) alone: bool,
    /// The import of one that was answered with a 500.
    pub(crate) failed: Option<ImportId>,
}

/// What an upload came to.
#[derive(Debug, Clone)]
pub(crate) struct Uploaded {
    /// The import as it stands after the first commit.
    pub(crate) import: Import,
    /// Its mappings.
    pub(crate) mappings: Vec<Mapping>,
    /// True when it is one that an equal upload had left behind.
    pub(crate) taken_up_again: bool,
}

impl Upload {
    /// Reads the stored file. Blocks.
    pub(crate) fn read(
        request: Request,
        content: Option<(Stored, Option<String>)>,
        ground: &Ground,
        store: &Store,
        files: &FileStore,
    ) -> Result<Self> {
        let (stored, name) = content.unzip();
        let read = |stored| reading::read(store, files, stored, &request, ground);
        let reading = stored.as_ref().map(read).transpose()?;
        Ok(Self { request, stored, name: name.flatten(), as_of: ground.as_of, reading })
    }

    /// What makes two uploads of a family equal: everything that was asked for, and the content.
    pub(crate) fn fingerprint(&self) -> [u8; 32] {
        self.request.fingerprint(self.stored.as_ref().map(|stored| stored.content.sha256))
    }

    /// The same, different for every family.
    pub(crate) fn hash(&self, family: FamilyId) -> UploadHash {
        let mut hash = Sha256::new();
        hash.update(format!("{family:?}"));
        hash.update(self.fingerprint());
        hash.finalize().into()
    }

    /// What storing and publishing it would do.
    pub(crate) fn preview(&self, tx: &mut Tx<'_>, family: FamilyId) -> Result<Preview> {
        let existing = imports::existing(tx, family)?;
        let new = self.new_import(&existing)?;
        let layout = self.reading.as_ref().map(|reading| &reading.layout);
        let findings = self.reading.as_ref().map(|reading| reading.findings.clone());
        let findings = findings.unwrap_or_default();
        let facts = Facts {
            condition: new.condition(),
            skip_invalid: new.skip_invalid,
            problems: layout.map(|layout| layout.problems.clone()).unwrap_or_default(),
            findings: findings.clone(),
            mappings: &new.reading.mappings,
        };
        let obstacle = facts.rejection();
        Ok(Preview {
            configuration: layout
                .map_or_else(|| self.request.settings.configuration(), Layout::configuration),
            source: layout.map(Layout::source).unwrap_or_default(),
            valid_rows_count: new.reading.valid_rows,
            invalid_rows_count: new.reading.invalid_rows,
            invalid_rows: findings,
            mappings: new.reading.mappings.iter().map(NamePreview::from).collect(),
            obstacle,
        })
    }

    /// Stores the upload, or takes up again the one that an equal upload left behind when its
    /// publish could not be queued.
    pub(crate) fn store(
        &self,
        tx: &mut Tx<'_>,
        family: FamilyId,
        actor: Actor,
        retry: Retry,
    ) -> Result<Uploaded> {
        if self.request.publish
            && let Some(id) = self.left_behind(tx, family, retry)?
        {
            return uploaded(tx, family, id, true);
        }
        if let Some(account) = self.request.account {
            imports::require_account(tx, family, account)?;
        }
        let existing = imports::existing(tx, family)?;
        self.files().for_each(Stored::keep);
        if let Some(stored) = &self.stored {
            files::file_insert(tx, family, stored.id, self.name.as_deref(), &stored.content)?;
        }
        let records = self.reading.as_ref().and_then(|reading| reading.records.as_ref());
        if let Some(records) = records {
            files::file_insert(tx, family, records.id, None, &records.content)?;
        }
        let new = self.new_import(&existing)?;
        let id = imports::insert(tx, family, &new)?;
        let details = json!({ "rows": new.reading.valid_rows + new.reading.invalid_rows });
        audit::record(
            tx,
            family,
            &audit::Event {
                actor,
                action: "import.upload",
                subject_kind: "import",
                subject_id: Some(id.0),
                details,
            },
        )?;
        uploaded(tx, family, id, false)
    }

    /// The import of an equal upload that was answered with a 500.
    fn left_behind(
        &self,
        tx: &mut Tx<'_>,
        family: FamilyId,
        retry: Retry,
    ) -> Result<Option<ImportId>> {
        if let Some(id) = retry.failed {
            return Ok(Some(id));
        }
        imports::take_up_again(tx, family, &self.fingerprint(), retry.alone)
    }

    /// The upload was surely not stored: its files go with it. After an error that leaves that
    /// open, they stay: the sweep removes what no row names.
    pub(crate) fn discard(&self) {
        self.files().for_each(Stored::discard);
    }

    /// What it keeps on the disk.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Stored> {
        let records = self.reading.as_ref().and_then(|reading| reading.records.as_ref());
        self.stored.iter().chain(records)
    }

    fn new_import(&self, existing: &Existing) -> Result<NewImport> {
        let mut new = NewImport {
            import_type: self.request.import_type,
            account: self.request.account,
            file: self.stored.as_ref().map(|stored| stored.id),
            settings: serde_json::to_string(&self.request.settings).map_err(Error::internal)?,
            reading: self.reading(existing)?,
            publish_wanted: false,
            skip_invalid: self.request.skip_invalid,
            fingerprint: Some(self.fingerprint()),
        };
        new.publish_wanted =
            self.request.publish && new.condition().obstacle(new.skip_invalid).is_none();
        Ok(new)
    }

    fn reading(&self, existing: &Existing) -> Result<Reading> {
        let Some(reading) = &self.reading else {
            return Ok(Reading {
                layout: None,
                readable: false,
                as_of: self.as_of,
                valid_rows: 0,
                invalid_rows: 0,
                findings: "[]".into(),
                mappings: Vec::new(),
                offsets: None,
            });
        };
        Ok(Reading {
            layout: Some(serde_json::to_string(&reading.layout).map_err(Error::internal)?),
            readable: reading.layout.is_readable(),
            as_of: self.as_of,
            valid_rows: reading.valid_rows,
            invalid_rows: reading.invalid_rows,
            findings: serde_json::to_string(&reading.findings).map_err(Error::internal)?,
            mappings: reading.names.iter().map(|found| mapping(found, existing)).collect(),
            offsets: Some(Offsets {
                records_file: reading.records.as_ref().map(|stored| stored.id),
                bytes: reading.offsets.clone(),
            }),
        })
    }
}

fn uploaded(
    tx: &mut Tx<'_>,
    family: FamilyId,
    id: ImportId,
    taken_up_again: bool,
) -> Result<Uploaded> {
    let import = imports::get(tx, family, id)?;
    let mappings = imports::mappings(tx, family, id)?;
    Ok(Uploaded { import, mappings, taken_up_again })
}

fn mapping(found: &Found, existing: &Existing) -> Mapping {
    let resolution = resolve(found, existing);
    let currency = match (found.kind, found.currencies.as_slice()) {
        (MappingKind::Account, [only]) => Some(only.code().to_owned()),
        _ => None,
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
        currency,
        problem: match resolution {
            Resolution::Choose(why) => Some(why),
            _ => None,
        },
        rows: found.rows,
    }
}

impl Uploaded {
    /// What stands in the way of publishing.
    pub(crate) fn rejection(&self) -> Result<Option<Rejection>> {
        Ok(Facts::of(&self.import, &self.mappings)?.rejection())
    }
}
