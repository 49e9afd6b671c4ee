//! Files of statements, which are read one after the other: one, or those of an archive.

use std::io::{self, BufReader, Cursor, Read, Seek};
use std::ops::ControlFlow;

use super::recognise::{StatementFormat, file_format, recognise};
use super::table::TableError;
use super::{Event, StatementError, encoding, read};
use crate::archive::{Archive, ArchiveError};
use crate::decode::{self, HEAD_BYTES};
use purser_core::import::source_file::FileFormat;

/// Files in an archive.
const FILES_MAX: usize = 1_000;
/// Bytes of all files once they are inflated.
const FILES_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Bytes of a file that isn't in UTF-8: it is decoded in memory.
const DECODED_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Files of statements that together are the content of one import.
pub trait StatementFiles {
    /// How many there are.
    fn count(&self) -> usize;
    /// The name of one in its archive.
    fn name(&self, file: usize) -> Option<&str>;
    /// Reads one from its start to its end, or until `each` needs no more.
    fn read(
        &mut self,
        file: usize,
        each: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), TableError>;
}

/// A file that is no archive: its format, and what opens it from its start, in UTF-8.
pub struct OneFile<F>(pub StatementFormat, pub F);

impl<R: Read, F: FnMut() -> io::Result<R>> StatementFiles for OneFile<F> {
    fn count(&self) -> usize {
        1
    }

    fn name(&self, _: usize) -> Option<&str> {
        None
    }

    fn read(
        &mut self,
        _: usize,
        each: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), TableError> {
        Ok(read(self.0, (self.1)()?, each)?)
    }
}

/// The files of an archive, all of one format.
pub struct ArchivedFiles<R> {
    archive: Archive<R>,
    names: Vec<String>,
    statement_format: StatementFormat,
    format: FileFormat,
}

impl<R: Read + Seek> ArchivedFiles<R> {
    /// Looks at every file of an archive. None if the first one is no file of statements: then the
    /// archive is something else.
    ///
    /// # Errors
    /// If the archive has other files beside statements, or was made to do harm.
    pub fn open(source: R) -> Result<Option<Self>, TableError> {
        let mut archive = Archive::open(source).map_err(unreadable)?;
        if let Some(why) = archive.unsafe_names() {
            return Err(TableError::Archive(why.to_owned()));
        }
        let names: Vec<String> = archive.files().map(|part| part.name.clone()).collect();
        let sizes: u64 = archive.files().map(|part| part.size).sum();
        let mut found: Option<(StatementFormat, FileFormat)> = None;
        for name in &names {
            let mut head = Vec::new();
            let part = archive.read(name, FILES_BYTES_MAX).map_err(unreadable)?;
            part.take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(damaged)?;
            match (recognise(&head), found) {
                (None, None) => return Ok(None),
                (None, Some(_)) => {
                    let why = format!("{name:?} in the archive is no file of statements");
                    return Err(TableError::Archive(why));
                }
                (Some(format), None) => found = Some((format, file_format(format, &head))),
                (Some(format), Some((_, known))) if file_format(format, &head) != known => {
                    let why = format!(
                        "The archive has files of {} and of {}: import those of each format by \
                         themselves, because both may have the same entries",
                        known.as_str(),
                        file_format(format, &head).as_str()
                    );
                    return Err(TableError::Archive(why));
                }
                _ => {}
            }
        }
        let Some((statement_format, format)) = found else { return Ok(None) };
        if names.len() > FILES_MAX || sizes > FILES_BYTES_MAX {
            let why =
                format!("The archive has more than {FILES_MAX} files or {FILES_BYTES_MAX} bytes");
            return Err(TableError::Archive(why));
        }
        if let Some([one, other]) = archive.equal_files() {
            let why = format!("{one:?} and {other:?} in the archive are equal");
            return Err(TableError::Archive(why));
        }
        Ok(Some(Self { archive, names, statement_format, format }))
    }

    /// The format of all files.
    pub fn format(&self) -> FileFormat {
        self.format
    }
}

impl<R: Read + Seek> StatementFiles for ArchivedFiles<R> {
    fn count(&self) -> usize {
        self.names.len()
    }

    fn name(&self, file: usize) -> Option<&str> {
        self.names.get(file).map(String::as_str)
    }

    fn read(
        &mut self,
        file: usize,
        each: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<(), TableError> {
        let Some(name) = self.names.get(file).cloned() else { return Ok(()) };
        let in_archive = |error| match error {
            StatementError::Io(error) => damaged(error),
            error => TableError::InArchive { name: name.clone(), error },
        };
        let undecoded = |error: decode::DecodeError| match error {
            decode::DecodeError::Io(error) => damaged(error),
            error => TableError::Archive(format!("{name:?} in the archive: {error}")),
        };
        let mut head = Vec::new();
        let part = self.archive.read(&name, FILES_BYTES_MAX).map_err(unreadable)?;
        part.take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(damaged)?;
        let mut part = self.archive.read(&name, FILES_BYTES_MAX).map_err(unreadable)?;
        let chosen = encoding::choose(&head, decode::detect(&mut part)).map_err(undecoded)?;
        drop(part);
        let limit = if chosen.encoding.is_utf8() { FILES_BYTES_MAX } else { DECODED_BYTES_MAX };
        let part = self.archive.read(&name, limit).map_err(unreadable)?;
        if chosen.encoding.is_utf8() {
            return read(self.statement_format, BufReader::new(part), each).map_err(in_archive);
        }
        let mut text = Vec::new();
        decode::transcode(&mut BufReader::new(part), &mut text, &chosen.encoding)
            .map_err(undecoded)?;
        read(self.statement_format, Cursor::new(text), each).map_err(in_archive)
    }
}

fn unreadable(error: ArchiveError) -> TableError {
    match error {
        ArchiveError::Io(error) => damaged(error),
        error => TableError::Archive(error.to_string()),
    }
}

/// Bytes that don't inflate, or to more than there may be, are the archive's fault.
fn damaged(error: io::Error) -> TableError {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match error.kind() {
        InvalidData | InvalidInput | UnexpectedEof => {
            TableError::Archive(format!("The archive can't be read: {error}"))
        }
        _ => TableError::Io(error),
    }
}
