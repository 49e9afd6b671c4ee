//! Content on the disk, open and as text in UTF-8.
//!
//! What is plainly something else than CSV is refused. A file in another encoding gets a second one
//! with its text in UTF-8, written once and read from then on; the export of a program gets one
//! with the register of what it holds, and statements of a bank one with the table of entries.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write};

use purser_core::error::{Error, Result};
use purser_core::ids::FileId;
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::register::Program;
use purser_core::import::settings::Settings;
use purser_core::import::template;
use purser_core::secret::Secret;
use purser_formats::csv::{Dialect, HEADER_BYTES, sniff};
use purser_formats::decode::{self, ContentKind, DecodeError, Encoding, HEAD_BYTES, UTF_8};
use purser_formats::programs::{self, RewriteError};
use purser_formats::statements::table::{TableError, write_table};
use purser_formats::statements::{StatementError, StatementFormat, encoding, recognise};
use purser_store::files::{FileStore, Upload, io_failed};
use purser_store::{FamilyId, Store};

use super::pdf_process;
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
    records: Records,
}

/// How every ZIP archive with a part begins.
const ARCHIVE_START: &[u8] = b"PK\x03\x04";

/// Where the text is.
#[derive(Debug)]
enum Records {
    /// The file itself is in UTF-8.
    Evidence,
    /// A file that was written now.
    Written(Stored),
    /// A file that was written when the import was read before.
    Known(FileId),
}

impl DecodedFile {
    /// Opens content that was not read before, with the name of its file if it has one, and the
    /// password of a document. Blocks.
    pub fn new(
        store: &Store,
        files: &FileStore,
        family: FamilyId,
        (evidence, name, password): (FileId, Option<&str>, &Secret),
        import_type: ImportType,
    ) -> Result<Self> {
        let file = files.read(family, evidence)?;
        let kind = Kind::of(import_type);
        require_csv(&file, name, import_type)?;
        if kind == Kind::Pdf {
            let mut decoded =
                Self { text: file, encoding: TABLE_ENCODING, kind, records: Records::Evidence };
            let document = &decoded.text;
            let read = |target: &mut BufWriter<_>| pdf_process::read(document, password, target);
            let table = write_file(store, files, family, read)?;
            decoded.take(files, family, table)?;
            return Ok(decoded);
        }
        let encoding = encoding_of(&file)?;
        let mut decoded = Self { text: file, encoding, kind, records: Records::Evidence };
        if is_archive(&decoded.text)? {
            let records = unpack(store, files, &decoded.text, kind, family)?;
            decoded.take(files, family, records)?;
            return Ok(decoded);
        }
        if !decoded.encoding.is_utf8() {
            let records = transcode(store, files, &decoded.text, &decoded.encoding, family)?;
            decoded.take(files, family, records)?;
        }
        if let Some(format) = statement_format(&decoded.text)? {
            require_transactions(format, import_type)?;
            let records = tabulate(store, files, &decoded.text, format, family)?;
            decoded.take(files, family, records)?;
        } else if let Some(program) = kind.program() {
            let records = rewrite(store, files, &decoded.text, program, family)?;
            decoded.take(files, family, records)?;
        }
        Ok(decoded)
    }

    /// Reads from what was written now; what it was made of is deleted if no row can name it.
    fn take(&mut self, files: &FileStore, family: FamilyId, records: Stored) -> Result<()> {
        self.text = files.read(family, records.id)?;
        self.records = Records::Written(records);
        Ok(())
    }

    /// Opens the content of an import again. Blocks.
    pub fn reopen(
        files: &FileStore,
        family: FamilyId,
        evidence: FileId,
        records: Option<FileId>,
        import_type: ImportType,
    ) -> Result<Self> {
        let kind = Kind::of(import_type);
        let file = files.read(family, evidence)?;
        let encoding = match kind {
            Kind::Pdf => TABLE_ENCODING,
            _ => encoding_of(&file)?,
        };
        Ok(match records {
            None => Self { text: file, encoding, kind, records: Records::Evidence },
            Some(id) => {
                let text = files.read(family, id)?;
                Self { text, encoding, kind, records: Records::Known(id) }
            }
        })
    }

    /// The file with the text, if it is not the evidence.
    pub fn records_file(&self) -> Option<FileId> {
        match &self.records {
            Records::Evidence => None,
            Records::Written(stored) => Some(stored.id),
            Records::Known(id) => Some(*id),
        }
    }

    /// The file that was written now, which no row names yet.
    pub fn into_written(self) -> Option<Stored> {
        match self.records {
            Records::Written(stored) => Some(stored),
            _ => None,
        }
    }

    /// What the file is recognised by, as these settings find it: its header, else its shape.
    pub fn recognised_by(&self, settings: &Settings) -> Result<Option<String>> {
        if self.kind == Kind::Pdf {
            // The tables of all documents have one header, so that it shows nothing about the bank.
            return Ok(None);
        }
        let mut head = Vec::new();
        let mut start = rewound(&self.text, 0).map_err(io_failed)?;
        start.by_ref().take(HEADER_BYTES).read_to_end(&mut head).map_err(io_failed)?;
        let dialect = sniff(&head, self.kind, settings).ok();
        Ok(dialect
            .map(|Dialect { headers, shape, .. }| template::key_text(&headers, shape.as_deref())))
    }
}

fn encoding_of(file: &File) -> Result<Encoding> {
    let head = head_of(file)?;
    if head.starts_with(ARCHIVE_START) {
        return Ok(TABLE_ENCODING);
    }
    let mut start = rewound(file, 0).map_err(io_failed)?;
    let chosen = encoding::choose(&head, decode::detect(&mut start)).map_err(unreadable)?;
    Ok(chosen.encoding)
}

fn head_of(file: &File) -> Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let mut start = rewound(file, 0).map_err(io_failed)?;
    start.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(io_failed)?;
    Ok(head)
}

/// Content that is plainly something else than CSV is refused, and the right type named.
fn require_csv(file: &File, name: Option<&str>, import_type: ImportType) -> Result<()> {
    let content = decode::content_kind(&head_of(file)?, name);
    let (reads, what) = match content {
        ContentKind::Pdf if import_type == ImportType::Pdf => return Ok(()),
        _ if import_type == ImportType::Pdf => ("PDF documents", "something else".to_owned()),
        content => (
            if import_type == ImportType::Native { "NDJSON" } else { "CSV" },
            match content {
                ContentKind::Text => match table_of_records(file, import_type)? {
                    None => return Ok(()),
                    Some(found) => of_type("a table of other records", found),
                },
                ContentKind::Qif if import_type == ImportType::Qif => return Ok(()),
                ContentKind::Ndjson if import_type == ImportType::Native => return Ok(()),
                ContentKind::Zip if reads_archives(import_type) => return Ok(()),
                ContentKind::Pdf => of_type("a PDF document", ImportType::Pdf),
                ContentKind::Ndjson => of_type("NDJSON", ImportType::Native),
                ContentKind::Qif => of_type("a QIF file", ImportType::Qif),
                ContentKind::Xlsx => "a spreadsheet: save it as CSV first".to_owned(),
                ContentKind::Zip => archive_of(file)?,
                ContentKind::Binary => "not text".to_owned(),
            },
        ),
    };
    Err(Error::invalid_code(
        "invalid_file_type",
        format!("{} reads {reads}, but the content is {what}", import_type.as_str()),
    ))
}

/// The type that a table is for that has neither days nor amounts, so that it can't be one of a
/// bank.
fn table_of_records(file: &File, import_type: ImportType) -> Result<Option<ImportType>> {
    const TYPES: [ImportType; 3] = [ImportType::Category, ImportType::Merchant, ImportType::Rule];
    if import_type != ImportType::Transaction {
        return Ok(None);
    }
    let content = rewound(file, 0).map_err(io_failed)?;
    let found = programs::import_type_of(content, None).map_err(io_failed)?;
    Ok(found.filter(|found| TYPES.contains(found)))
}

/// Whether files of a type may come in an archive.
fn reads_archives(import_type: ImportType) -> bool {
    matches!(
        import_type,
        ImportType::Ynab | ImportType::Actual | ImportType::Mint | ImportType::Native
    )
}

/// What an archive is that isn't read as the type that was sent.
fn archive_of(file: &File) -> Result<String> {
    let content = rewound(file, 0).map_err(io_failed)?;
    Ok(match programs::import_type_of(content, None).map_err(io_failed)? {
        Some(found) => of_type("the archive of another program", found),
        None => "an archive: unpack it first".to_owned(),
    })
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

/// Content that another type is for.
fn of_type(what: &str, import_type: ImportType) -> String {
    format!("{what}: send it as {}", import_type.as_str())
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

/// Writes the table of what a file of statements holds.
fn tabulate(
    store: &Store,
    files: &FileStore,
    file: &File,
    format: StatementFormat,
    family: FamilyId,
) -> Result<Stored> {
    write_file(store, files, family, |target| {
        let open = || rewound(file, 0);
        let facts = write_table(format, open, target).map_err(|error| match error {
            TableError::Io(error) | TableError::Statement(StatementError::Io(error)) => {
                written(error)
            }
            error => not_readable(&error),
        })?;
        match facts.obstacle() {
            Some(obstacle) => Err(Error::invalid_code("invalid_file_type", obstacle)),
            None => Ok(()),
        }
    })
}

fn not_readable(error: &dyn std::fmt::Display) -> Error {
    Error::invalid_code("invalid_file_type", format!("The content can't be read: {error}"))
}

/// Writes a file with text that no row names yet.
fn write_file(
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

/// The format of statements that a text has, if it has one.
fn statement_format(text: &File) -> Result<Option<StatementFormat>> {
    Ok(recognise(&head_of(text)?))
}

/// Statements have transactions and nothing else that can be imported.
fn require_transactions(format: StatementFormat, import_type: ImportType) -> Result<()> {
    if import_type == ImportType::Transaction {
        return Ok(());
    }
    let what =
        of_type(&format!("a file of statements in {}", format.name()), ImportType::Transaction);
    let name = import_type.as_str();
    Err(Error::invalid_code("invalid_file_type", format!("{name} can't read {what}")))
}

/// An upload as a writer.
struct UploadWriter(Upload);

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
