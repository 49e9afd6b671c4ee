//! Backups: one compressed file with the database and the uploaded files, made while the server
//! runs, and restored into either database. `docs/backup.md` explains it for those who run one.
//!
//! The form of the file is `purser_formats::backup`, what is read and written is
//! `purser_store::backup`; here the two are put together.

mod archive_sink;
mod archive_source;
mod errors;
mod new_file;
pub mod schedule;

use std::fs::File;
use std::io::{BufReader, Read, Write as _};
use std::path::Path;

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_formats::backup::{FileName, Writer, compressed};
use purser_store::backup::{self, Source};
use purser_store::check::{self, Outcome};
use purser_store::files::{self, Content, FileStore, StoredFile};
use purser_store::{Store, StoreOptions, Target};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::data::Location;
use crate::pipe::{Pieces, Pipe, piped};
use crate::scratch::Scratch;
use archive_sink::ArchiveSink;
use archive_source::ArchiveSource;
use errors::archive_error;
use new_file::NewFile;

pub use purser_store::backup::Restored;

/// How often a backup begins anew because files were removed while it was made.
const TRIES: u32 = 3;
/// Bytes that are read from a backup at a time.
const BUFFER_BYTES: usize = 256 * 1024;

/// What a backup contains.
#[derive(Debug, Clone, Serialize)]
pub struct Created {
    /// When the database was read.
    pub created_at: Timestamp,
    /// The number of tables and of the rows in all of them.
    pub tables: usize,
    /// The number of rows in all tables.
    pub rows: u64,
    /// The number of uploaded files.
    pub files: u64,
    /// The size of the backup.
    pub bytes: u64,
    /// Files that have a row but were not there.
    pub missing_files: Vec<FileName>,
    /// Files that were not what their row states; they are in the backup as they were.
    pub altered_files: Vec<FileName>,
}

/// Writes a backup to a file that isn't there yet. Blocks.
pub fn create(store: &Store, files: &FileStore, path: &Path) -> Result<Created> {
    let created = create_alone(store, files, path, false)?;
    created.ok_or_else(|| Error::internal("a backup was left to another process"))
}

/// As [`create`]; `None` if another process makes a backup at the moment and `alone` is wanted.
fn create_alone(
    store: &Store,
    files: &FileStore,
    path: &Path,
    alone: bool,
) -> Result<Option<Created>> {
    let file = NewFile::begin(path)?;
    for _ in 0..TRIES {
        match write(store, files, &file, alone)? {
            Attempt::Written(mut created) => {
                created.bytes = file.commit()?;
                return Ok(Some(created));
            }
            Attempt::LeftToOthers => return Ok(None),
            Attempt::FilesRemoved => file.empty()?,
        }
    }
    Err(Error::Conflict {
        code: "backup_disturbed",
        message: "Imports were deleted again and again while the backup was made: try again."
            .to_owned(),
    })
}

enum Attempt {
    Written(Created),
    LeftToOthers,
    /// A file that a row of the snapshot names was removed, and its row meanwhile, too.
    FilesRemoved,
}

/// Writes the archive to a file, compressed on a thread beside the one that reads the database.
fn write(store: &Store, files: &FileStore, out: &NewFile, alone: bool) -> Result<Attempt> {
    let read = |pipe: &mut Pipe| write_plain(store, files, pipe, alone);
    let (attempt, ()) = piped(read, |pieces| compress(pieces, out))?;
    Ok(attempt)
}

/// Compresses an archive into a file.
fn compress(mut pieces: Pieces, out: &NewFile) -> Result<()> {
    let mut archive = compressed(out.writer());
    while let Some(piece) = pieces.next_piece() {
        archive.write_all(piece).map_err(files::io_failed)?;
    }
    let out = archive.finish().map_err(files::io_failed)?;
    out.into_inner().map_err(|error| files::io_failed(error.into_error()))?;
    Ok(())
}

fn write_plain(store: &Store, files: &FileStore, out: &mut Pipe, alone: bool) -> Result<Attempt> {
    let mut sink = ArchiveSink::new(out);
    let Some(stored) = backup::dump(store, alone, &mut sink)? else {
        return Ok(Attempt::LeftToOthers);
    };
    let (mut archive, snapshot) = sink.into_writer()?;
    for file in &stored {
        if !copy(store, files, file, &mut archive)? {
            return Ok(Attempt::FilesRemoved);
        }
    }
    let (_, ending) = archive.finish().map_err(archive_error)?;
    Ok(Attempt::Written(Created {
        created_at: snapshot.created_at,
        tables: snapshot.tables.len(),
        rows: ending.rows.iter().sum(),
        files: ending.files,
        bytes: 0,
        missing_files: ending.missing,
        altered_files: ending.altered,
    }))
}

/// Copies an uploaded file; false if it was removed in order since the snapshot.
fn copy<W: std::io::Write>(
    store: &Store,
    files: &FileStore,
    file: &StoredFile,
    archive: &mut Writer<W>,
) -> Result<bool> {
    let name = FileName { family: file.family.number(), id: file.id.0 };
    let Some(content) = files.read_if_there(file.family, file.id)? else {
        archive.note_missing(name);
        return files::has_row(store, file);
    };
    let bytes = content.metadata().map_err(files::io_failed)?.len();
    let mut content = Hashed { content, sha256: Sha256::new() };
    archive.file(name, bytes, &mut content).map_err(archive_error)?;
    let found = Content { bytes, sha256: content.sha256.finalize().into() };
    if found != file.content {
        archive.note_altered(name);
    }
    Ok(true)
}

/// A file with the checksum of what was read of it.
struct Hashed {
    content: File,
    sha256: Sha256,
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.content.read(buffer)?;
        self.sha256.update(&buffer[..length]);
        Ok(length)
    }
}

/// Restores a backup to where the data is. Data that is there is replaced only if that is wanted.
/// Blocks.
pub fn restore(location: &Location, path: &Path, replace: bool) -> Result<Restored> {
    purser_store::lock::create_private(&location.data_dir)?;
    match location.target() {
        Target::Sqlite(database) => {
            let mut source = open(path)?;
            backup::replace_sqlite(&database, &location.place()?, replace, &mut source)
        }
        target => {
            let allow_superuser = location.allow_superuser;
            let options = StoreOptions { allow_superuser, ..StoreOptions::new(target) };
            backup::restore_postgres(options, &location.place()?, replace, &mut || {
                open(path).map(|source| Box::new(source) as Box<dyn Source>)
            })
        }
    }
}

/// Restores a backup into a folder that is removed afterwards, and runs every check there, each
/// outcome of which is reported to `each`. Blocks.
pub fn verify(path: &Path, each: impl FnMut(&Outcome)) -> Result<(Restored, Vec<Outcome>)> {
    let mut source = open(path)?;
    let scratch = Scratch::new()?;
    let database = scratch.path().join("purser.db");
    let restored = backup::restore_sqlite(&database, &scratch.path().into(), &mut source)?;
    let store = Store::open(StoreOptions::new(Target::Sqlite(database)))?;
    let files = FileStore::open(scratch.path(), &store)?;
    let outcomes = check::run(&store, &files, each);
    Ok((restored, outcomes))
}

/// Begins to read a backup.
fn open(path: &Path) -> Result<ArchiveSource<BufReader<File>>> {
    let file = File::open(path).map_err(|error| Error::Conflict {
        code: "backup_unreadable",
        message: format!("The backup {} can't be opened: {error}.", path.display()),
    })?;
    ArchiveSource::open(BufReader::with_capacity(BUFFER_BYTES, file))
}
