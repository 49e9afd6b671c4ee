//! The publish of a session: its chunks become one file, and that an import. If anything stands in
//! the way, nothing is stored, and the reasons name chunk and line.

use std::io::{Read, Write};
use std::sync::Arc;

use purser_core::error::{Error, Result};
use purser_core::ids::{ChunkId, ImportId, ImportSessionId};
use purser_core::import::import_type::ImportType;
use purser_core::import::session::{self, CONFLICT};
use purser_core::import::settings::Settings;
use purser_core::import::status::ImportStatus;
use purser_core::secret::Secret;
use purser_store::files::{FileStore, io_failed};
use purser_store::imports::sessions::{self, Chunk, SessionImport};
use purser_store::shares::Holder;
use purser_store::{Access, FamilyId, FamilyTx, Store};
use sha2::{Digest as _, Sha256};

use super::super::decoded_file::{write_file, written};
use super::super::publish::{self, PublishOrigin, Queued};
use super::super::reading::InterpretationContext;
use super::super::rejection::Rejection;
use super::super::request::Request;
use super::super::stated_directions::StatedDirections;
use super::super::stored::Stored;
use super::super::upload::{Retry, Upload};
use super::chunk::MARK;
use super::remove_files;
use crate::App;
use crate::blocking::blocking;
use crate::limits::UPLOAD_BUFFER_BYTES;

/// The name of the file that the chunks become.
const FILE_NAME: &str = "import-session.ndjson";

/// All chunks of a session that isn't published.
pub struct Parts {
    session: ImportSessionId,
    chunks: Vec<Chunk>,
}

/// What the chunks of a session were found to be.
pub enum PartsReading {
    /// A file that can be published.
    Publishable(Arc<SessionUpload>),
    /// A file that can't be published as it is.
    Refused(Rejection),
    /// Another request has published them meanwhile.
    Published,
}

/// The file that the chunks became, read and ready to be stored.
pub struct SessionUpload {
    chunks: Vec<ChunkId>,
    upload: Upload,
}

/// The chunks of a session; nothing if it has become an import.
///
/// # Errors
/// `missing_chunks` if not all are there.
pub fn parts(tx: &mut FamilyTx<'_>, id: ImportSessionId) -> Result<Option<Parts>> {
    let session = sessions::get(tx, id)?;
    if session.import.is_some() {
        return Ok(None);
    }
    let chunks = sessions::chunks(tx, id)?;
    let there: Vec<u64> = chunks.iter().map(|chunk| chunk.sequence).collect();
    match session::missing(session.expected_chunks, &there) {
        None => Ok(Some(Parts { session: id, chunks })),
        Some(missing) => {
            let expected = session.expected_chunks;
            let message = format!("Of {expected} chunks these are missing: {missing}");
            Err(Error::invalid_code("missing_chunks", message))
        }
    }
}

impl Parts {
    /// What they have together.
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.content.bytes).sum()
    }

    /// Makes one file of them and reads it, when it is the family's turn.
    pub async fn read(self, app: &App, access: Access) -> Result<PartsReading> {
        let session = self.session;
        match self.read_once(app, access.clone()).await {
            Ok(reading) => Ok(reading),
            // Whoever publishes a session removes the files of its chunks.
            Err(error) => {
                let session = app.store.read(access, move |tx| sessions::get(tx, session)).await?;
                session.import.map(|_| PartsReading::Published).ok_or(error)
            }
        }
    }

    async fn read_once(self, app: &App, access: Access) -> Result<PartsReading> {
        let read = |tx: &mut FamilyTx<'_>| InterpretationContext::of_upload(tx, None);
        let context = app.store.read(access.clone(), read).await?;
        let (store, files) = (app.store.clone(), app.files.clone());
        let reading = app.readings.take(Holder::from(&access), 1).await?;
        blocking(move || {
            let _reading = reading;
            self.read_blocking(&store, &files, &context, access)
        })
        .await
    }

    fn read_blocking(
        self,
        store: &Store,
        files: &FileStore,
        context: &InterpretationContext,
        access: Access,
    ) -> Result<PartsReading> {
        let stored = join(store, files, access.family(), &self.chunks)?;
        let content = Some((stored, Some(FILE_NAME.to_owned())));
        let mut upload = Upload::read(request(), content, context, store, files)?;
        upload.came_in_chunks(self.chunks.iter().map(|chunk| chunk.lines).collect());
        if let Some(rejection) = store.read_blocking(access, |tx| upload.rejection(tx))? {
            return Ok(PartsReading::Refused(rejection));
        }
        let chunks = self.chunks.into_iter().map(|chunk| chunk.id).collect();
        Ok(PartsReading::Publishable(Arc::new(SessionUpload { chunks, upload })))
    }
}

impl SessionUpload {
    /// It was surely not stored: its file goes with it.
    pub fn discard(&self) {
        self.upload.discard();
    }
}

/// Publishes a session: one commit stores the file as an import, queues its publish, and lets the
/// chunks go. What is an import already is published if it isn't; else nothing happens. A refusal
/// comes with the import.
pub fn publish(
    tx: &mut FamilyTx<'_>,
    id: ImportSessionId,
    read: Option<&SessionUpload>,
) -> Result<std::result::Result<(), (Rejection, ImportId)>> {
    let session = sessions::get(tx, id)?;
    if let Some(import) = session.import {
        return publish_again(tx, &import);
    }
    let there: Vec<ChunkId> = sessions::chunks(tx, id)?.iter().map(|chunk| chunk.id).collect();
    let Some(read) = read.filter(|read| read.chunks == there) else {
        return Err(changed("The chunks were changed at the same moment: publish again"));
    };
    let import = read.upload.store(tx, Retry::default())?.import.id;
    let files = sessions::published(tx, id, import)?;
    remove_files(tx, files)?;
    match publish::queue(tx, import, PublishOrigin::Caller)? {
        Queued::Yes(_) => Ok(Ok(())),
        Queued::No(_) => Err(changed("Other data were changed at the same moment: publish again")),
    }
}

fn publish_again(
    tx: &mut FamilyTx<'_>,
    import: &SessionImport,
) -> Result<std::result::Result<(), (Rejection, ImportId)>> {
    if matches!(import.status, ImportStatus::Importing | ImportStatus::Complete) {
        return Ok(Ok(()));
    }
    Ok(match publish::queue(tx, import.id, PublishOrigin::Caller)? {
        Queued::Yes(_) => Ok(()),
        Queued::No(rejection) => Err((rejection, import.id)),
    })
}

fn changed(message: &str) -> Error {
    Error::Conflict { code: CONFLICT, message: message.to_owned() }
}

/// What a session asks for with its file.
fn request() -> Request {
    Request {
        import_type: ImportType::Native,
        account: None,
        publish: false,
        skip_invalid: false,
        settings: Settings::default(),
        use_template: false,
        directions: StatedDirections::new(),
        password: Secret::new(""),
    }
}

/// Writes the chunks one after the other to a file that no row names yet.
fn join(store: &Store, files: &FileStore, family: FamilyId, chunks: &[Chunk]) -> Result<Stored> {
    write_file(store, files, family, |target| {
        chunks.iter().try_for_each(|chunk| copy(files, family, chunk, target))
    })
}

/// Copies a chunk that is as it came, without the mark at its start and with a line end at its end.
fn copy(files: &FileStore, family: FamilyId, chunk: &Chunk, target: &mut impl Write) -> Result<()> {
    let file =
        chunk.file.ok_or_else(|| Error::internal("a chunk of an open session has no file"))?;
    let mut file = files.read(family, file)?;
    let mut sha256 = Sha256::new();
    let mut buffer = Vec::with_capacity(UPLOAD_BUFFER_BYTES);
    next(&mut file, MARK.len(), &mut buffer)?;
    sha256.update(&buffer);
    if buffer == MARK {
        buffer.clear();
    }
    let mut last = None;
    loop {
        target.write_all(&buffer).map_err(written)?;
        last = buffer.last().copied().or(last);
        buffer.clear();
        if next(&mut file, UPLOAD_BUFFER_BYTES, &mut buffer)? == 0 {
            break;
        }
        sha256.update(&buffer);
    }
    if sha256.finalize()[..] != chunk.content.sha256 {
        let sequence = chunk.sequence;
        let message = format!(
            "Chunk {sequence} was changed on the server after it was stored: delete it and send it \
             again"
        );
        return Err(Error::Conflict { code: "file_altered", message });
    }
    if last.is_some_and(|last| last != b'\n') {
        target.write_all(b"\n").map_err(written)?;
    }
    Ok(())
}

/// Reads the next bytes, which are fewer only at the end.
fn next(source: &mut impl Read, bytes: usize, buffer: &mut Vec<u8>) -> Result<usize> {
    source.take(bytes as u64).read_to_end(buffer).map_err(io_failed)
}
