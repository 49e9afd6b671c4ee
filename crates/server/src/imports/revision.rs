//! What a person says to an import after its upload: another configuration, corrections of single
//! rows, another file.
//!
//! The import is read in one snapshot, its content is read again whole with what is to hold now,
//! and all that was found is replaced in one commit, with its plan. The commit compares what it
//! goes out from with what is there by then: if somebody else was faster, a publish included,
//! everything begins anew. So two changes at once are never mixed.

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, FileId, ImportId};
use purser_core::import::layout::Layout;
use purser_core::import::mapping::Chosen;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::status::ImportStatus;
use purser_store::audit::{self, Actor};
use purser_store::files::{self, FileStore};
use purser_store::imports::{self, Import, Mapping, NewImport};
use purser_store::{FamilyId, Store, Tx};
use serde_json::json;

use super::change::Change;
use super::draft::{Asked, Draft};
use super::reading::{Ground, Opened, Source};
use super::row_change::RowChange;
use super::stored::Stored;
use super::template;
use crate::blocking::blocking;
use crate::state::AppState;

/// How often a change begins anew because another one was faster.
const TRIES: u32 = 5;

/// What rows that are numbered otherwise by now mean for corrections.
const DROPPED: &str = "The corrections of single rows were dropped: other lines of the file are \
                       rows now";

/// Who says it.
#[derive(Debug, Clone)]
pub(crate) struct Who {
    /// Whose import it is.
    pub(crate) family: FamilyId,
    /// The only accounts that may be seen, if not all.
    pub(crate) accounts: Option<Vec<AccountId>>,
    /// For the audit trail.
    pub(crate) actor: Actor,
}

/// What is said.
pub(crate) enum Saying {
    /// Other settings, another account, choices for names.
    Configuration(Change),
    /// What is to become of one row.
    Row(RowChange),
    /// Other content.
    Content(NewContent),
}

/// Content that takes the place of what there was.
pub(crate) struct NewContent {
    /// Where it is.
    pub(crate) stored: Stored,
    /// The name of the file.
    pub(crate) name: Option<String>,
    /// Take over what was chosen for an earlier file with the same header.
    pub(crate) use_template: bool,
}

/// The import as it is from now on.
#[derive(Debug, Clone)]
pub(crate) struct Revised {
    /// The import.
    pub(crate) import: Import,
    /// Its mappings.
    pub(crate) mappings: Vec<Mapping>,
    /// What else a person should know.
    pub(crate) notes: Vec<String>,
}

/// Carries out what a person says. It goes to its end even if nobody waits for it any more.
pub(crate) async fn say(app: &AppState, who: Who, id: ImportId, saying: Saying) -> Result<Revised> {
    // Reading keeps a core busy: some at a time, so that other requests get their turn.
    let permit = app.readings.clone().acquire_owned().await.map_err(Error::internal)?;
    let (store, files) = (app.store.clone(), app.files.clone());
    blocking(move || {
        let revised = revise(&store, &files, &who, id, &saying);
        drop(permit);
        revised
    })
    .await
}

fn revise(
    store: &Store,
    files: &FileStore,
    who: &Who,
    id: ImportId,
    saying: &Saying,
) -> Result<Revised> {
    for _ in 0..TRIES {
        let basis = store.read_blocking(|tx| Basis::load(tx, files, who, id, saying))?;
        let revision = Revision::new(store, files, who, basis, saying)?;
        let stored = store.write_blocking(who.family, |tx| revision.store(tx, who, saying));
        if matches!(stored, Ok(None) | Err(Error::Invalid { .. } | Error::NotFound { .. })) {
            revision.written(saying).for_each(Stored::discard);
        }
        if let Some(revised) = stored? {
            revision.delete_replaced(files, who.family);
            return Ok(revised);
        }
    }
    Err(Error::Conflict {
        code: "import_changed",
        message: "Somebody else is changing the import; try again".into(),
    })
}

/// What a change goes out from, and what must still hold when it is committed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Facts {
    status: ImportStatus,
    account: Option<AccountId>,
    file: Option<FileId>,
    settings: String,
    layout: Option<String>,
    skip_invalid: bool,
    choices: Vec<Chosen>,
    edits: RowEdits,
}

impl Facts {
    fn of(tx: &mut Tx<'_>, family: FamilyId, import: &Import) -> Result<Self> {
        let mappings = imports::mappings(tx, family, import.id)?;
        let chosen = |mapping: &Mapping| {
            let choice = mapping.choice.clone()?;
            Some(Chosen { kind: mapping.kind, key: mapping.value_key.clone(), choice })
        };
        Ok(Self {
            status: import.status,
            account: import.account,
            file: import.file,
            settings: import.settings.clone(),
            layout: import.layout.clone(),
            skip_invalid: import.skip_invalid,
            choices: mappings.iter().filter_map(chosen).collect(),
            edits: imports::row_edits(tx, family, import.id)?,
        })
    }
}

/// An import as it is before the change, and what it is read against.
pub(super) struct Basis {
    /// The import.
    pub(super) import: Import,
    /// What was in effect.
    pub(super) layout: Option<Layout>,
    /// Its rows, if there are any.
    pub(super) source: Option<Source>,
    facts: Facts,
    records_file: Option<FileId>,
    ground: Ground,
}

impl Basis {
    fn load(
        tx: &mut Tx<'_>,
        files: &FileStore,
        who: &Who,
        id: ImportId,
        saying: &Saying,
    ) -> Result<Self> {
        let import = visible(tx, who, id)?;
        require_configurable(&import)?;
        let facts = Facts::of(tx, who.family, &import)?;
        let layout = import.layout.as_deref().map(serde_json::from_str::<Layout>);
        let layout = layout.transpose().map_err(Error::internal)?;
        let readable = layout.as_ref().is_some_and(Layout::is_readable);
        let source =
            if readable { Some(Source::open(tx, files, who.family, &import)?) } else { None };
        let account = match saying {
            Saying::Configuration(change) => change.account(import.account, who)?,
            _ => import.account,
        };
        let offsets = imports::offsets(tx, who.family, id)?;
        let records_file = offsets.and_then(|offsets| offsets.records_file);
        let ground = Ground::of_upload(tx, who.family, account)?;
        Ok(Self { import, layout, source, facts, records_file, ground })
    }

    /// What the import is now, to be changed.
    fn asked(&self) -> Result<Asked> {
        let template = self.layout.as_ref().and_then(|layout| layout.template.clone());
        let mut settings: purser_core::import::settings::Settings =
            serde_json::from_str(&self.facts.settings).map_err(Error::internal)?;
        if let Some(template) = &template {
            settings.preferred = template.preferred.clone();
        }
        Ok(Asked {
            import_type: self.import.import_type,
            account: self.import.account,
            skip_invalid: self.facts.skip_invalid,
            settings,
            choices: self.facts.choices.clone(),
            edits: self.facts.edits.clone(),
            template,
        })
    }

    fn open(&self, files: &FileStore) -> Result<Option<Opened>> {
        let Some(evidence) = self.import.file else { return Ok(None) };
        Opened::again(files, self.ground.family, evidence, self.records_file).map(Some)
    }
}

/// The import, if it may be seen.
fn visible(tx: &mut Tx<'_>, who: &Who, id: ImportId) -> Result<Import> {
    let import = imports::get(tx, who.family, id)?;
    let is_open =
        |accounts: &Vec<AccountId>| import.account.is_some_and(|id| accounts.contains(&id));
    if who.accounts.as_ref().is_none_or(is_open) {
        Ok(import)
    } else {
        Err(Error::NotFound { what: "Import" })
    }
}

/// Only what is not published can be configured.
pub(crate) fn require_configurable(import: &Import) -> Result<()> {
    match import.status {
        ImportStatus::Pending | ImportStatus::Failed => Ok(()),
        status => Err(Error::invalid_code(
            "not_configurable",
            format!("The import is {} and can't be changed", status.as_str()),
        )),
    }
}

/// A change that is read and can be committed.
struct Revision {
    basis: Basis,
    draft: Draft,
    file: Option<FileId>,
    notes: Vec<String>,
}

impl Revision {
    fn new(
        store: &Store,
        files: &FileStore,
        who: &Who,
        basis: Basis,
        saying: &Saying,
    ) -> Result<Self> {
        let mut notes = Vec::new();
        let mut asked = basis.asked()?;
        asked.account = basis.ground_account(saying, who)?;
        let mut file = basis.import.file;
        let mut draft = match saying {
            Saying::Configuration(change) => {
                change.apply(&mut asked)?;
                let draft = basis.read(files, asked, &mut notes)?;
                change.require_chosen(&draft)?;
                draft
            }
            Saying::Row(change) => {
                change.apply(&basis, &mut asked.edits)?;
                basis.read(files, asked, &mut notes)?
            }
            Saying::Content(content) => {
                file = Some(content.stored.id);
                basis.replace(store, files, who, asked, content, &mut notes)?
            }
        };
        draft.plan(store, who.family)?;
        Ok(Self { basis, draft, file, notes })
    }

    /// The one commit; nothing if the import is not what it was any more.
    fn store(&self, tx: &mut Tx<'_>, who: &Who, saying: &Saying) -> Result<Option<Revised>> {
        let (family, id) = (who.family, self.basis.import.id);
        let import = visible(tx, who, id)?;
        require_configurable(&import)?;
        if Facts::of(tx, family, &import)? != self.basis.facts {
            return Ok(None);
        }
        if let Some(account) = self.draft.asked.account {
            imports::require_account(tx, family, account)?;
        }
        self.written(saying).for_each(Stored::keep);
        if let Saying::Content(NewContent { stored, name, .. }) = saying {
            files::file_insert(tx, family, stored.id, name.as_deref(), &stored.content)?;
        }
        if let Some(records) = self.draft.written() {
            files::file_insert(tx, family, records.id, None, &records.content)?;
        }
        let new = self.draft.new_import(&imports::existing(tx, family)?, self.file)?;
        if !imports::replace(tx, family, id, import.status, &new)? {
            return Err(Error::internal("the import changed inside the transaction"));
        }
        for replaced in self.replaced() {
            files::file_remove(tx, family, replaced)?;
        }
        self.store_edits(tx, family, id)?;
        let import = imports::get(tx, family, id)?;
        if let Some(made) = &self.draft.made {
            made.store(tx, family, &import)?;
        }
        audit::record(tx, family, &event(who.actor, id, saying, &new))?;
        let import = imports::get(tx, family, id)?;
        let mappings = imports::mappings(tx, family, id)?;
        Ok(Some(Revised { import, mappings, notes: self.notes.clone() }))
    }

    fn store_edits(&self, tx: &mut Tx<'_>, family: FamilyId, id: ImportId) -> Result<()> {
        let (before, after) = (&self.basis.facts.edits, &self.draft.asked.edits);
        if before.keys().any(|row| !after.contains_key(row)) {
            imports::row_edits_clear(tx, family, id)?;
        }
        for (row, edit) in after {
            imports::row_edit_put(tx, family, id, *row, edit)?;
        }
        Ok(())
    }

    /// What it keeps on the disk.
    fn written<'a>(&'a self, saying: &'a Saying) -> impl Iterator<Item = &'a Stored> {
        let content = match saying {
            Saying::Content(content) => Some(&content.stored),
            _ => None,
        };
        content.into_iter().chain(self.draft.written())
    }

    /// Files that the import named before and doesn't any more.
    fn replaced(&self) -> impl Iterator<Item = FileId> {
        let before = self.basis.import.file.filter(|_| self.file != self.basis.import.file);
        let records = before.and(self.basis.records_file);
        before.into_iter().chain(records)
    }

    /// Their content, once no row names them.
    fn delete_replaced(&self, files: &FileStore, family: FamilyId) {
        for file in self.replaced() {
            if let Err(error) = files.delete(family, file) {
                tracing::warn!(cause = ?error, "a replaced file stays until the next sweep");
            }
        }
    }
}

impl Basis {
    fn ground_account(&self, saying: &Saying, who: &Who) -> Result<Option<AccountId>> {
        match saying {
            Saying::Configuration(change) => change.account(self.import.account, who),
            _ => Ok(self.import.account),
        }
    }

    /// Reads the content again. Corrections stay if the rows that they are for are still the same.
    fn read(&self, files: &FileStore, mut asked: Asked, notes: &mut Vec<String>) -> Result<Draft> {
        let Some(opened) = self.open(files)? else {
            return Ok(Draft::empty(asked, &self.ground));
        };
        let draft = Draft::read(&opened, asked.clone(), &self.ground)?;
        if asked.edits.is_empty() || self.has_same_rows(&asked.edits, &draft)? {
            return Ok(draft);
        }
        notes.push(DROPPED.to_owned());
        asked.edits.clear();
        Draft::read(&opened, asked, &self.ground)
    }

    /// Whether the rows that somebody said something to are at the same places, divided in the same
    /// way.
    fn has_same_rows(&self, edits: &RowEdits, draft: &Draft) -> Result<bool> {
        let (Some(before), Some(source)) = (&self.layout, &self.source) else { return Ok(false) };
        let Some(after) = draft.layout() else { return Ok(false) };
        let division = |layout: &Layout| {
            (layout.encoding.clone(), layout.separator, layout.start, layout.headers.clone())
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
    fn replace(
        &self,
        store: &Store,
        files: &FileStore,
        who: &Who,
        mut asked: Asked,
        content: &NewContent,
        notes: &mut Vec<String>,
    ) -> Result<Draft> {
        if !asked.edits.is_empty() {
            notes.push(DROPPED.to_owned());
            asked.edits.clear();
        }
        if let Some(template) = asked.template.take() {
            asked.settings = super::change::without(&asked.settings, &template.settings_taken)?;
        }
        let family = who.family;
        let opened = Opened::new(store, files, family, content.stored.id, self.import.import_type)?;
        let draft = if content.use_template {
            template::read(store, &opened, asked, &self.ground, who.accounts.as_deref())?
        } else {
            Draft::read(&opened, asked, &self.ground)?
        };
        Ok(draft.with_written(opened))
    }
}

fn event(actor: Actor, id: ImportId, saying: &Saying, new: &NewImport) -> audit::Event<'static> {
    let rows = new.reading.valid_rows + new.reading.invalid_rows;
    let (action, details) = match saying {
        Saying::Configuration(_) => ("import.configure", json!({ "rows": rows })),
        Saying::Row(change) => ("import.row", json!({ "row": change.row })),
        Saying::Content(_) => ("import.file", json!({ "rows": rows })),
    };
    audit::Event { actor, action, subject_kind: "import", subject_id: Some(id.0), details }
}
