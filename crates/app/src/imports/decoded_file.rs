//! Content on the disk, open and as text in UTF-8.
//!
//! What is plainly something else than CSV is refused. A file in another encoding gets a second one
//! with its text in UTF-8, written once and read from then on; the export of a program gets one
//! with the register of what it holds, and statements of a bank one with the table of entries.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write};

use purser_core::error::{Error, Result};
use purser_core::ids::FileId;
use purser_core::import::file_statement::FileStatement;
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::register::Program;
use purser_core::import::settings::Settings;
use purser_core::import::source_file::{FileFormat, SourceFile};
use purser_core::import::template;
use purser_core::secret::Secret;
use purser_formats::csv::{Dialect, HEADER_BYTES, sniff};
use purser_formats::decode::{self, ContentKind, DecodeError, Encoding, HEAD_BYTES, UTF_8};
use purser_formats::pdf::first_of_several;
use purser_formats::programs::{self, RewriteError};
use purser_formats::sheets::{self, SheetTable};
use purser_formats::statements::{encoding, file_format, recognise};
use purser_store::files::{FileStore, Upload, io_failed};
use purser_store::{FamilyId, Store};

use super::expected_content::require_csv;
use super::statement_tables;
use super::stored::Stored;

/// Bytes that are read from a file at a time.
const BUFFER_BYTES: usize = 256 * 1024;

/// The encoding of the tables that are made of documents.
const TABLE_ENCODING: Encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };

/// A file that is open, and its text in UTF-8.
#[derive(Debug)]
pub struct DecodedFile {
    pub(super) text: File,
    pub(super) encoding: Encoding,
    /// What the rows are.
    pub(super) kind: Kind,
    /// What the uploaded file is.
    pub(super) source: SourceFile,
    /// Why nothing of it is read yet: which sheet has the table is a question.
    pub(super) problem: Option<LayoutProblem>,
    /// The sheets of a spreadsheet, while it isn't known which one is read.
    pub(super) open_sheets: Vec<SheetTable>,
    pub(super) records: Records,
    /// The bank statements in it, if it is read for the first time.
    pub(super) statements: Option<Vec<FileStatement>>,
    /// The pages of a document as they were read, if it is read for the first time.
    pub(super) pages: Option<Stored>,
}

/// Content that is read for the first time: its file, its name and what opens it.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'e> {
    /// The id of the uploaded file.
    pub id: FileId,
    /// The name of the file, if it has one.
    pub name: Option<&'e str>,
    /// What opens a document that is protected.
    pub password: &'e Secret,
    /// Words that were recognised in the pictures of a document without text.
    pub words: Option<&'e [u8]>,
}

/// How every ZIP archive with a part begins.
const ARCHIVE_START: &[u8] = b"PK\x03\x04";

/// Where the text is.
#[derive(Debug)]
pub(super) enum Records {
    /// The file itself is in UTF-8.
    Evidence,
    /// A file that was written now.
    Written(Stored),
    /// A file that was written when the import was read before.
    Known(FileId),
}

impl DecodedFile {
    /// A file of which nothing is known yet but what its rows are.
    fn unread(text: File, encoding: Encoding, kind: Kind, format: FileFormat) -> Self {
        Self {
            text,
            encoding,
            kind,
            source: SourceFile::of(format),
            problem: None,
            open_sheets: Vec::new(),
            records: Records::Evidence,
            statements: Some(Vec::new()),
            pages: None,
        }
    }

    /// Opens content that was not read before, with the settings that were sent. Blocks.
    pub fn new(
        store: &Store,
        files: &FileStore,
        family: FamilyId,
        evidence: Evidence<'_>,
        (import_type, settings): (ImportType, &Settings),
    ) -> Result<Self> {
        let Evidence { id, name, .. } = evidence;
        let file = files.read(family, id)?;
        let kind = Kind::of(import_type);
        let format = sheets::format_of(rewound(&file, 0).map_err(io_failed)?).map_err(io_failed)?;
        if let Some(format) = format.filter(|_| kind.reads_sheets()) {
            let mut decoded = Self::unread(file, TABLE_ENCODING, kind, format);
            decoded.look_for_table(store, files, family, settings)?;
            return Ok(decoded);
        }
        require_csv(&file, name, import_type)?;
        if kind == Kind::Pdf {
            let mut decoded = Self::unread(file, TABLE_ENCODING, kind, FileFormat::Pdf);
            decoded.take_document(store, files, family, evidence)?;
            return Ok(decoded);
        }
        let format = match kind {
            Kind::Qif => FileFormat::Qif,
            Kind::Native => FileFormat::Ndjson,
            _ => FileFormat::Csv,
        };
        let encoding = encoding_of(&file)?;
        let mut decoded = Self::unread(file, encoding, kind, format);
        if is_archive(&decoded.text)? {
            if import_type == ImportType::Transaction {
                decoded.take_archived_statements(store, files, family)?;
            } else {
                let records = unpack(store, files, &decoded.text, kind, family)?;
                decoded.take(files, family, records)?;
            }
            return Ok(decoded);
        }
        if !decoded.encoding.is_utf8() {
            let records = transcode(store, files, &decoded.text, &decoded.encoding, family)?;
            decoded.take(files, family, records)?;
        }
        let head = head_of(&decoded.text)?;
        if let Some(format) = recognise(&head) {
            statement_tables::require_type(format, import_type)?;
            let (text, formats) = (&decoded.text, (format, file_format(format, &head)));
            let mut found = None;
            let records = write_file(store, files, family, |target| {
                found = Some(statement_tables::write(formats, import_type, text, target)?);
                Ok(())
            })?;
            if let Some((source, statements)) = found {
                (decoded.source, decoded.statements) = (source, Some(statements));
            }
            decoded.take(files, family, records)?;
        } else if let Some(program) = kind.program() {
            let records = rewrite(store, files, &decoded.text, program, family)?;
            decoded.take(files, family, records)?;
        }
        Ok(decoded)
    }

    /// Reads from what was written now; what it was made of is deleted if no row can name it.
    pub(super) fn take(
        &mut self,
        files: &FileStore,
        family: FamilyId,
        records: Stored,
    ) -> Result<()> {
        self.text = files.read(family, records.id)?;
        self.records = Records::Written(records);
        Ok(())
    }

    /// Opens the content of an import again, of which `source` was found before. Blocks.
    pub fn reopen(
        files: &FileStore,
        family: FamilyId,
        evidence: FileId,
        (records, source): (Option<FileId>, SourceFile),
        import_type: ImportType,
    ) -> Result<Self> {
        let kind = Kind::of(import_type);
        let file = files.read(family, evidence)?;
        let encoding = match kind {
            Kind::Pdf => TABLE_ENCODING,
            _ => encoding_of(&file)?,
        };
        let unread = Self::unread(file, encoding, kind, FileFormat::Csv);
        let mut decoded = Self { source, statements: None, ..unread };
        if let Some(id) = records {
            decoded.text = files.read(family, id)?;
            decoded.records = Records::Known(id);
        }
        Ok(decoded)
    }

    /// The file with the text, if it is not the evidence.
    pub fn records_file(&self) -> Option<FileId> {
        match &self.records {
            Records::Evidence => None,
            Records::Written(stored) => Some(stored.id),
            Records::Known(id) => Some(*id),
        }
    }

    /// The file with the pages, if it was written now.
    pub fn pages_file(&self) -> Option<FileId> {
        self.pages.as_ref().map(|stored| stored.id)
    }

    /// The files that were written now, which no row names yet.
    pub fn into_written(self) -> Vec<Stored> {
        let records = match self.records {
            Records::Written(stored) => Some(stored),
            _ => None,
        };
        records.into_iter().chain(self.pages).collect()
    }

    /// The settings that its text is divided by: that of a sheet is always written alike.
    pub(super) fn settings(&self, settings: &Settings) -> Settings {
        match self.source.format.is_some_and(FileFormat::has_sheets) {
            true => sheets::of_sheet(settings),
            false => settings.clone(),
        }
    }

    /// Whether it is a file of statements, which is recognised by its accounts.
    pub(super) fn has_statements(&self) -> bool {
        self.source.format.is_some_and(FileFormat::has_statements)
    }

    /// What the file is recognised by, as these settings find it: its header, else its shape.
    pub fn recognised_by(&self, settings: &Settings) -> Result<Option<String>> {
        if self.problem.is_some() {
            return Ok(None);
        }
        if self.has_statements() {
            // Their tables have one header, which shows nothing about the bank.
            return Ok(None);
        }
        let mut head = Vec::new();
        let mut start = rewound(&self.text, 0).map_err(io_failed)?;
        start.by_ref().take(HEADER_BYTES).read_to_end(&mut head).map_err(io_failed)?;
        if self.kind == Kind::Pdf {
            // The tables of all documents have one header, so that it shows nothing about the bank.
            return Ok(first_of_several(&head).map(|account| template::key_text(&[account], None)));
        }
        let dialect = sniff(&head, self.kind, &self.settings(settings)).ok();
        Ok(dialect
            .map(|Dialect { headers, shape, .. }| template::key_text(&headers, shape.as_deref())))
    }
}

fn encoding_of(file: &File) -> Result<Encoding> {
    let head = head_of(file)?;
    if head.starts_with(ARCHIVE_START) || content_is_workbook(&head) {
        return Ok(TABLE_ENCODING);
    }
    let mut start = rewound(file, 0).map_err(io_failed)?;
    let chosen = encoding::choose(&head, decode::detect(&mut start)).map_err(unreadable)?;
    Ok(chosen.encoding)
}

fn content_is_workbook(head: &[u8]) -> bool {
    decode::content_kind(head, None) == ContentKind::Spreadsheet
}

pub(super) fn head_of(file: &File) -> Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let mut start = rewound(file, 0).map_err(io_failed)?;
    start.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(io_failed)?;
    Ok(head)
}

fn is_archive(file: &File) -> Result<bool> {
    Ok(head_of(file)?.starts_with(ARCHIVE_START))
}

/// Writes the register of what an archive holds.
fn unpack(
    store: &Store,
    files: &FileStore,
    file: &File,
    kind: Kind,
    family: FamilyId,
) -> Result<Stored> {
    write_file(store, files, family, |target| {
        let source = rewound(file, 0).map_err(io_failed)?;
        let unpacked = match kind.program() {
            Some(program) => programs::rewrite_archive(program, source, target),
            None => programs::unpack_native(source, target),
        };
        unpacked.map_err(rewrite_failed)
    })
}

fn transcode(
    store: &Store,
    files: &FileStore,
    file: &File,
    encoding: &Encoding,
    family: FamilyId,
) -> Result<Stored> {
    write_file(store, files, family, |target| {
        let mut source = rewound(file, 0).map_err(io_failed)?;
        decode::transcode(&mut source, target, encoding).map(|_| ()).map_err(unreadable)
    })
}

/// Writes the register of what the export of a program holds.
fn rewrite(
    store: &Store,
    files: &FileStore,
    file: &File,
    program: Program,
    family: FamilyId,
) -> Result<Stored> {
    write_file(store, files, family, |target| {
        let source = rewound(file, 0).map_err(io_failed)?;
        programs::rewrite(program, source, target).map_err(rewrite_failed)
    })
}

fn rewrite_failed(error: RewriteError) -> Error {
    match error {
        RewriteError::Io(error) => written(error),
        error => not_readable(&error),
    }
}

pub(super) fn not_readable(error: &dyn std::fmt::Display) -> Error {
    Error::invalid_code("invalid_file_type", format!("The content can't be read: {error}"))
}

/// Writes a file with text that no row names yet.
pub(super) fn write_file(
    store: &Store,
    files: &FileStore,
    family: FamilyId,
    write: impl FnOnce(&mut BufWriter<UploadWriter>) -> Result<()>,
) -> Result<Stored> {
    let mut target = BufWriter::with_capacity(BUFFER_BYTES, UploadWriter(files.begin()?));
    write(&mut target)?;
    let UploadWriter(upload) = target.into_inner().map_err(|error| written(error.into_error()))?;
    let id = FileId(store.new_id()?);
    Stored::finish(upload, files, family, id)
}

/// An upload as a writer.
pub(super) struct UploadWriter(Upload);

impl Write for UploadWriter {
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.0.write(part).map_err(std::io::Error::other)?;
        Ok(part.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The error with which [`UploadWriter`] refused, or the error of the file that is read.
pub(super) fn written(error: std::io::Error) -> Error {
    error.downcast::<Error>().unwrap_or_else(io_failed)
}

fn unreadable(error: DecodeError) -> Error {
    match error {
        DecodeError::Io(error) => written(error),
        DecodeError::Unmappable { .. } => {
            Error::invalid_code("invalid_file_type", format!("The text can't be decoded: {error}"))
        }
    }
}

/// The file from an offset on, through a buffer.
pub(super) fn rewound(file: &File, offset: u64) -> std::io::Result<BufReader<&File>> {
    let mut handle = file;
    handle.seek(SeekFrom::Start(offset))?;
    Ok(BufReader::with_capacity(BUFFER_BYTES, handle))
}
