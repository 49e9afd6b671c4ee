//! Storing an upload: the first of the two commits.
//!
//! The file is on the disk, synced, before the row that names it is committed. The wish to publish
//! is in the same commit, so a crash before the second one is made good at the next start.

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::ImportId;
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Layout;
use purser_core::import::mapping::ExistingRecords;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::transaction::balance::directions::asked_rows;
use purser_store::audit::{self};
use purser_store::files::{self, FileStore};
use purser_store::imports::{self, Import, NewImport};
use purser_store::shares::Holder;
use purser_store::{Access, FamilyId, FamilyTx, Store};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::decoded_file::{DecodedFile, Evidence};
use super::draft::{Draft, ImportSpec};
use super::native;
use super::objections;
use super::own_balances;
use super::pdf_scans;
use super::preview::{AMOUNT_SIGN, NamePreview, Preview, PreviewSource, open_questions};
use super::reading::InterpretationContext;
use super::rejection::{Facts, Rejection, UNDECIDED_ROWS};
use super::relations::Relations;
use super::request::Request;
use super::retries::UploadHash;
use super::stored::Stored;
use super::{size, stated_directions, take_up_job, template};
use crate::App;
use crate::blocking::blocking;

/// An upload that is read and ready to be stored.
pub struct Upload {
    request: Request,
    stored: Option<Stored>,
    name: Option<String>,
    draft: Draft,
}

/// What is known of equal uploads, see [`super::retries`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Retry {
    /// No equal upload is under way.
    pub alone: bool,
    /// The import of one that was answered with a 500.
    pub failed: Option<ImportId>,
}

/// What an upload came to.
#[derive(Debug, Clone)]
pub struct Uploaded {
    /// The import as it stands after the first commit.
    pub import: Import,
    /// What belongs to it.
    pub relations: Relations,
    /// True when it is one that an equal upload had left behind.
    pub taken_up_again: bool,
}

impl Upload {
    /// Reads an upload of somebody with this access, when it is its turn: reading keeps a core
    /// busy, so only some are read at a time.
    pub async fn receive(
        app: &App,
        access: Access,
        request: Request,
        content: Option<(Stored, Option<String>)>,
    ) -> Result<Self> {
        request.require_account(access.accounts())?;
        if request.import_type == ImportType::Native && content.is_none() {
            let sentence = "The request has no file and no raw_file_content";
            let problem = Problem::about("raw_file_content", sentence);
            return Err(Error::invalid_code("missing_content", problem));
        }
        let content = match content {
            Some((stored, name)) => {
                let (files, family, is_file) = (app.files.clone(), access.family(), name.is_some());
                let (import_type, csv_bytes_max) = (request.import_type, app.imports.max_csv_bytes);
                let stored = blocking(move || {
                    size::require(&files, (family, &stored), import_type, is_file, csv_bytes_max)?;
                    Ok(stored)
                });
                Some((stored.await?, name))
            }
            None => None,
        };
        let account = request.account;
        let holder = (access.family(), Holder::from(&access));
        let context =
            app.store.read(access, move |tx| InterpretationContext::of_upload(tx, account)).await?;
        let words = match &content {
            Some((stored, _)) => {
                let uploaded = (request.import_type, stored.id);
                pdf_scans::recognise(app, holder, uploaded, &request.password).await?
            }
            None => None,
        };
        let (store, files) = (app.store.clone(), app.files.clone());
        let reading = app.readings.take(holder.1, 1).await?;
        blocking(move || {
            let _reading = reading;
            Self::read_with(request, content, words.as_deref(), &context, (&store, &files))
        })
        .await
    }

    /// Reads the stored file and finds out what is to become of its rows. Blocks.
    pub fn read(
        request: Request,
        content: Option<(Stored, Option<String>)>,
        context: &InterpretationContext,
        store: &Store,
        files: &FileStore,
    ) -> Result<Self> {
        Self::read_with(request, content, None, context, (store, files))
    }

    /// The same with words that were recognised in the pictures of a document.
    fn read_with(
        request: Request,
        content: Option<(Stored, Option<String>)>,
        words: Option<&[u8]>,
        context: &InterpretationContext,
        (store, files): (&Store, &FileStore),
    ) -> Result<Self> {
        let (stored, name) = content.unzip();
        let spec = ImportSpec {
            import_type: request.import_type,
            account: request.account,
            skip_invalid: request.skip_invalid,
            settings: request.settings.clone(),
            choices: Vec::new(),
            left_names: Vec::new(),
            all_left: false,
            edits: RowEdits::new(),
            template: None,
        };
        let mut draft = match &stored {
            None => Draft::empty(spec, context),
            Some(stored) => {
                let (family, import_type) = (context.access.family(), request.import_type);
                let name = name.as_ref().and_then(Option::as_deref);
                let password = &request.password;
                let evidence = Evidence { id: stored.id, name, password, words };
                let requested = (import_type, &spec.settings);
                let mut decoded = DecodedFile::new(store, files, family, evidence, requested)?;
                let draft = if request.use_template {
                    template::read((store, files), &mut decoded, spec, context)?
                } else {
                    Draft::read(&decoded, spec, context)?
                };
                let draft = match stated_directions::edits(&draft, &request.directions)? {
                    None => draft,
                    Some(edits) => {
                        let spec = ImportSpec { edits, ..draft.spec };
                        Draft::read(&decoded, spec, context)?
                    }
                };
                draft.with_written(decoded)
            }
        };
        draft.plan(store, &context.access)?;
        Ok(Self { request, stored, name: name.flatten(), draft })
    }

    /// Whether it is to be published at once if nothing stands in the way.
    pub fn wants_publish(&self) -> bool {
        self.request.publish
    }

    /// It is not to be published at once after all.
    pub(crate) fn forget_publish(&mut self) {
        self.request.publish = false;
    }

    /// Whether it is read as an earlier file of its kind was.
    pub(crate) fn has_template(&self) -> bool {
        self.draft.layout().is_some_and(|layout| layout.template.is_some())
    }

    /// What makes two uploads of a family equal: everything that was asked for, and the content.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.request.fingerprint(self.stored.as_ref().map(|stored| stored.content.sha256))
    }

    /// The same, different for every family.
    pub fn hash(&self, family: FamilyId) -> UploadHash {
        let mut hash = Sha256::new();
        hash.update(format!("{family:?}"));
        hash.update(self.fingerprint());
        hash.finalize().into()
    }

    /// What storing and publishing it would do.
    pub fn preview(&self, tx: &mut FamilyTx<'_>) -> Result<Preview> {
        let existing = imports::existing(tx)?;
        let new = self.new_import(&existing)?;
        let content = self.draft.content.as_ref();
        let layout = self.draft.layout();
        let facts = self.facts(tx, &new)?;
        let obstacle = facts.rejection();
        let objections = facts.objections.clone();
        let findings = facts.findings;
        let preview_source = PreviewSource {
            source: content.map(|content| &content.source),
            built: self.draft.built.as_ref(),
            account: new.account,
            mappings: &new.reading.mappings,
        };
        let (rows, examples) = preview_source.rows(tx)?;
        let asked = match content {
            Some(content) => content.source.questions()?,
            None => Vec::new(),
        };
        let invalid_rows = if new.skip_invalid { 0 } else { new.reading.invalid_rows };
        let questions = open_questions(&asked, &new.reading.mappings, (invalid_rows, &objections));
        let own_balances = preview_source.own_balances(tx)?;
        let same_file = match &self.stored {
            Some(stored) => imports::same_file(tx, &stored.content.sha256, None)?,
            None => Vec::new(),
        };
        let mut source = layout.map(Layout::source).unwrap_or_default();
        own_balances::show(&mut source, &own_balances);
        Ok(Preview {
            configuration: layout
                .map_or_else(|| self.request.settings.configuration(), Layout::configuration),
            source,
            own_balances,
            same_file,
            questions,
            asked_rows: layout.into_iter().flat_map(asked_rows).map(|(row, _)| row).collect(),
            amount_sign: AMOUNT_SIGN,
            totals: layout.map(|layout| layout.totals.clone()).unwrap_or_default(),
            balance: layout.and_then(|layout| layout.balance.clone()),
            stated: layout.and_then(|layout| layout.stated.clone()),
            file: layout.map(|layout| layout.file.clone()).unwrap_or_default(),
            kind: layout.map(|layout| layout.kind).unwrap_or_default(),
            condition: new.condition(),
            valid_rows_count: new.reading.valid_rows,
            invalid_rows_count: new.reading.invalid_rows,
            invalid_rows: findings,
            mappings: new.reading.mappings.iter().map(NamePreview::from).collect(),
            plan: self.draft.built.as_ref().map(|built| built.plan.counts()).transpose()?,
            rows,
            examples,
            obstacle,
        })
    }

    /// What stands in the way of publishing it, if anything.
    pub fn rejection(&self, tx: &mut FamilyTx<'_>) -> Result<Option<Rejection>> {
        let new = self.new_import(&imports::existing(tx)?)?;
        let Some(mut rejection) = self.facts(tx, &new)?.rejection() else { return Ok(None) };
        let (content, built) = (self.draft.content.as_ref(), self.draft.built.as_ref());
        if rejection.code == UNDECIDED_ROWS
            && let (Some(content), Some(built)) = (content, built)
            && content.source.kind() == Kind::Native
        {
            // Nothing of a session is stored, so that no row of it could be asked.
            let why = native::open_choice(&content.source, built.plan.blocks())?;
            rejection.errors.push(Problem::sentence(why));
        }
        Ok(Some(rejection))
    }

    fn facts<'n>(&self, tx: &mut FamilyTx<'_>, new: &'n NewImport) -> Result<Facts<'n>> {
        let content = self.draft.content.as_ref();
        let layout = self.draft.layout();
        Ok(Facts {
            objections: self.objections(tx, new)?,
            condition: new.condition(),
            skip_invalid: new.skip_invalid,
            problems: layout.map(|layout| layout.problems.clone()).unwrap_or_default(),
            findings: content.map(|content| content.reading.findings.clone()).unwrap_or_default(),
            file: layout.map(|layout| layout.file.clone()).unwrap_or_default(),
            mappings: &new.reading.mappings,
        })
    }

    /// What the statements of the file show against the accounts of its rows.
    fn objections(&self, tx: &mut FamilyTx<'_>, new: &NewImport) -> Result<Vec<String>> {
        let Some(content) = self.draft.content.as_ref().filter(|_| new.reading.readable) else {
            return Ok(Vec::new());
        };
        let subject = objections::Subject {
            layout: &content.reading.layout,
            settings: &self.draft.spec.settings,
            statements: content.statements.as_deref().unwrap_or_default(),
            account: new.account,
            mappings: &new.reading.mappings,
            flows: self.draft.built.as_ref().and_then(|built| built.plan.flows()),
            left_out: if new.skip_invalid { new.reading.invalid_rows } else { 0 },
            by_job: false,
        };
        objections::of_plan(tx, &subject)
    }

    /// The file came in chunks of so many lines: places are named in them from now on.
    pub(crate) fn came_in_chunks(&mut self, lines: Vec<u64>) {
        if let Some(content) = &mut self.draft.content {
            content.reading.layout.file.chunk_lines = lines;
        }
    }

    /// Stores the upload, or takes up again the one that an equal upload left behind when its
    /// publish could not be queued.
    pub fn store(&self, tx: &mut FamilyTx<'_>, retry: Retry) -> Result<Uploaded> {
        let actor = tx.actor();
        if self.request.publish
            && let Some(id) = self.left_behind(tx, retry)?
        {
            take_up_job::expect_publish(tx, id)?;
            return uploaded(tx, id, true);
        }
        if let Some(account) = self.request.account {
            imports::require_account(tx, account)?;
        }
        let existing = imports::existing(tx)?;
        self.files().for_each(Stored::keep);
        if let Some(stored) = &self.stored {
            files::file_insert(tx, stored.id, self.name.as_deref(), &stored.content)?;
        }
        for written in self.draft.written() {
            files::file_insert(tx, written.id, None, &written.content)?;
        }
        let new = self.new_import(&existing)?;
        let id = imports::insert(tx, &new)?;
        if new.publish_wanted {
            take_up_job::expect_publish(tx, id)?;
        }
        for (row, edit) in &self.draft.spec.edits {
            imports::row_edit_put(tx, id, *row, edit)?;
        }
        if let Some(built) = &self.draft.built {
            let import = imports::get(tx, id)?;
            built.store(tx, &import)?;
        }
        let details = json!({ "rows": new.reading.valid_rows + new.reading.invalid_rows });
        audit::record(
            tx,
            &audit::Event {
                actor,
                action: "import.upload",
                subject_kind: "import",
                subject_id: Some(id.0),
                details,
            },
        )?;
        uploaded(tx, id, false)
    }

    /// The import of an equal upload that was answered with a 500.
    fn left_behind(&self, tx: &mut FamilyTx<'_>, retry: Retry) -> Result<Option<ImportId>> {
        if let Some(id) = retry.failed {
            return Ok(Some(id));
        }
        imports::take_up_again(tx, &self.fingerprint(), retry.alone)
    }

    /// The upload was surely not stored: its files go with it. After an error that leaves that
    /// open, they stay: the sweep removes what no row names.
    pub fn discard(&self) {
        self.files().for_each(Stored::discard);
    }

    /// What it keeps on the disk.
    pub fn files(&self) -> impl Iterator<Item = &Stored> {
        self.stored.iter().chain(self.draft.written())
    }

    fn new_import(&self, existing: &ExistingRecords) -> Result<NewImport> {
        let mut new = self.draft.new_import(existing, self.stored.as_ref().map(|file| file.id))?;
        new.fingerprint = Some(self.fingerprint());
        new.publish_wanted =
            self.request.publish && new.condition().obstacle(new.skip_invalid).is_none();
        Ok(new)
    }
}

fn uploaded(tx: &mut FamilyTx<'_>, id: ImportId, taken_up_again: bool) -> Result<Uploaded> {
    let import = imports::get(tx, id)?;
    let relations = Relations::load(tx, &import)?;
    Ok(Uploaded { import, relations, taken_up_again })
}

impl Uploaded {
    /// What stands in the way of publishing.
    pub fn rejection(&self) -> Result<Option<Rejection>> {
        let Relations { mappings, objections, .. } = &self.relations;
        Ok(Facts::of(&self.import, mappings, objections.clone())?.rejection())
    }
}
