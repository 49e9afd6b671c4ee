//! Edits of an import after its upload: another configuration, corrections of single rows, another
//! file.
//!
//! The import is read in one snapshot, its content is read again whole with the new settings, and
//! all that was found is replaced in one commit, with its plan. The commit compares the snapshot
//! with what is there by then: if another change was faster, a publish included, everything begins
//! anew. So two changes at once are never mixed.

use purser_core::error::{Error, Result};
use purser_core::ids::{FileId, ImportId};
use purser_store::audit::{self, Actor};
use purser_store::files::{self, FileStore};
use purser_store::imports::{self, Import, NewImport};
use purser_store::shares::Holder;
use purser_store::{Access, FamilyId, FamilyTx, Store};
use serde_json::json;

pub use super::basis::require_configurable;
use super::basis::{Basis, Facts};
use super::draft::Draft;
use super::edit::{ImportEdit, NewContent};
use super::pdf_scans;
use super::relations::Relations;
use super::stored::Stored;
use crate::App;
use crate::blocking::blocking;

/// How often a change begins anew because another one was faster.
const TRIES: u32 = 5;

/// The import as it is from now on.
#[derive(Debug, Clone)]
pub struct Revised {
    /// The import after the edit.
    pub import: Import,
    /// What belongs to it after the edit.
    pub relations: Relations,
    /// What else a person should know.
    pub notes: Vec<String>,
}

/// Applies an edit. It is completed even if the caller no longer waits for it.
pub async fn apply_edit(
    app: &App,
    access: Access,
    id: ImportId,
    mut edit: ImportEdit,
) -> Result<Revised> {
    if let ImportEdit::Content(content) = &mut edit {
        let import = app.store.read(access.clone(), move |tx| imports::get(tx, id)).await?;
        require_configurable(&import)?;
        let holder = (access.family(), Holder::from(&access));
        let uploaded = (import.import_type, content.stored.id);
        content.words = pdf_scans::recognise(app, holder, uploaded, &content.password).await?;
    }
    // Reading keeps a core busy: some at a time, so that other requests get their turn.
    let reading = app.readings.take(Holder::from(&access), 1).await?;
    let (store, files) = (app.store.clone(), app.files.clone());
    blocking(move || {
        let revised = revise(&store, &files, &access, id, &edit);
        drop(reading);
        revised
    })
    .await
}

fn revise(
    store: &Store,
    files: &FileStore,
    access: &Access,
    id: ImportId,
    edit: &ImportEdit,
) -> Result<Revised> {
    for _ in 0..TRIES {
        let basis = store.read_blocking(access.clone(), |tx| Basis::load(tx, files, id, edit))?;
        let revision = Revision::new(store, files, access, basis, edit)?;
        let stored = store.write_blocking(access.clone(), |tx| revision.store(tx, edit));
        if matches!(stored, Ok(None)) || stored.as_ref().is_err_and(Error::is_refusal) {
            revision.written(edit).for_each(Stored::discard);
        }
        if let Some(revised) = stored? {
            revision.delete_replaced(files, access.family());
            return Ok(revised);
        }
    }
    Err(Error::Conflict {
        code: "import_changed",
        message: "Somebody else is changing the import; try again".into(),
    })
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
        access: &Access,
        basis: Basis,
        edit: &ImportEdit,
    ) -> Result<Self> {
        let mut notes = Vec::new();
        let mut spec = basis.spec()?;
        let mut file = basis.import.file;
        let mut draft = match edit {
            ImportEdit::Configuration(change) => {
                change.apply(&mut spec)?;
                let draft = basis.read((store, files), spec, &mut notes)?;
                change.require_chosen(&draft)?;
                draft
            }
            ImportEdit::Row(change) => {
                let (rows, layout) = (basis.import.rows_in_file(), basis.readable_layout());
                change.apply(rows, layout, &mut spec.edits)?;
                basis.read((store, files), spec, &mut notes)?
            }
            ImportEdit::Content(content) => {
                file = Some(content.stored.id);
                basis.replace(store, files, access, spec, content, &mut notes)?
            }
        };
        draft.plan(store, access)?;
        Ok(Self { basis, draft, file, notes })
    }

    /// The one commit; nothing if the import is not what it was any more.
    fn store(&self, tx: &mut FamilyTx<'_>, edit: &ImportEdit) -> Result<Option<Revised>> {
        let id = self.basis.import.id;
        let import = imports::get(tx, id)?;
        require_configurable(&import)?;
        if Facts::of(tx, &import)? != self.basis.facts {
            return Ok(None);
        }
        if let Some(account) = self.draft.spec.account {
            imports::require_account(tx, account)?;
        }
        self.written(edit).for_each(Stored::keep);
        if let ImportEdit::Content(NewContent { stored, name, .. }) = edit {
            files::file_insert(tx, stored.id, name.as_deref(), &stored.content)?;
        }
        for written in self.draft.written() {
            files::file_insert(tx, written.id, None, &written.content)?;
        }
        let new = self.draft.new_import(&imports::existing(tx)?, self.file)?;
        if !imports::replace(tx, id, import.status, &new)? {
            return Err(Error::internal("the import changed inside the transaction"));
        }
        for replaced in self.replaced() {
            files::file_remove(tx, replaced)?;
        }
        self.store_edits(tx, id)?;
        let import = imports::get(tx, id)?;
        if let Some(built) = &self.draft.built {
            built.store(tx, &import)?;
        }
        audit::record(tx, &event(tx.actor(), id, edit, &new))?;
        let import = imports::get(tx, id)?;
        let relations = Relations::load(tx, &import)?;
        Ok(Some(Revised { import, relations, notes: self.notes.clone() }))
    }

    fn store_edits(&self, tx: &mut FamilyTx<'_>, id: ImportId) -> Result<()> {
        let (before, after) = (&self.basis.facts.edits, &self.draft.spec.edits);
        if before.keys().any(|row| !after.contains_key(row)) {
            imports::row_edits_clear(tx, id)?;
        }
        for (row, edit) in after {
            imports::row_edit_put(tx, id, *row, edit)?;
        }
        Ok(())
    }

    /// What it keeps on the disk.
    fn written<'a>(&'a self, edit: &'a ImportEdit) -> impl Iterator<Item = &'a Stored> {
        let content = match edit {
            ImportEdit::Content(content) => Some(&content.stored),
            _ => None,
        };
        content.into_iter().chain(self.draft.written())
    }

    /// Files that the import named before and doesn't any more.
    fn replaced(&self) -> impl Iterator<Item = FileId> {
        let before = self.basis.import.file.filter(|_| self.file != self.basis.import.file);
        let content = self.draft.content.as_ref();
        let now = content.and_then(|content| content.records_file);
        let records = self.basis.records_file.filter(|records| Some(*records) != now);
        let is_new = content.is_some_and(|content| content.statements.is_some());
        let pages = self.basis.pages_file.filter(|_| is_new);
        before.into_iter().chain(records).chain(pages)
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

fn event(actor: Actor, id: ImportId, edit: &ImportEdit, new: &NewImport) -> audit::Event<'static> {
    let rows = new.reading.valid_rows + new.reading.invalid_rows;
    let (action, details) = match edit {
        ImportEdit::Configuration(_) => ("import.configure", json!({ "rows": rows })),
        ImportEdit::Row(change) => ("import.row", json!({ "row": change.row })),
        ImportEdit::Content(_) => ("import.file", json!({ "rows": rows })),
    };
    audit::Event { actor, action, subject_kind: "import", subject_id: Some(id.0), details }
}
