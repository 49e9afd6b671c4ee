//! PDF documents are read in a process of their own.
//!
//! A document can ask for any amount of memory and time before that is noticed. So the same program
//! is started once more with a hidden command: it sets limits for itself, has no environment, reads
//! the document from its standard input and writes the table to its standard output, and what the
//! document states about itself to its standard error. Whatever becomes of it, the server goes on.
//! As many run at a time as files are read: one of each family, two in all.

use std::io::{self, BufRead, Read, Seek as _, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use purser_core::error::{Error, Problem, Result};
use purser_core::import::file_statement::FileStatement;
use purser_core::secret::Secret;
use purser_formats::pdf::limits::DOCUMENT_BYTES_MAX;
use purser_formats::pdf::{
    PdfError, PdfFacts, write_picture, write_pictures, write_recognised, write_recognised_picture,
    write_table,
};
use purser_store::files::io_failed;

use super::pdf_scans;

/// The hidden command that reads one document.
pub const READ_PDF_COMMAND: &str = "read-pdf";
/// The argument in front of the line of the table of which a picture is wanted.
pub const LINE_ARGUMENT: &str = "--line";
/// The argument for the pictures of a document without text.
pub const PICTURES_ARGUMENT: &str = "--pictures";
/// The argument for words that were recognised in pictures, in the place of a document.
pub const RECOGNISED_ARGUMENT: &str = "--recognised";
/// The exit code for a document that can't be read; the reason is on standard error.
const READ_PDF_REFUSED: u8 = 3;
/// The exit code for a document that the password doesn't open.
const READ_PDF_PASSWORD: u8 = 4;
/// The exit code for a document that has no text; the reason is on standard error.
const READ_PDF_SCAN: u8 = 5;
/// Where the process finds the password of the document; other users can't read it there.
const PASSWORD_VARIABLE: &str = "PURSER_DOCUMENT_PASSWORD";
/// Bytes of a password at most.
const PASSWORD_BYTES_MAX: usize = 1_000;
/// Bytes of a table at most.
const TABLE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Bytes of what a document states about itself and its accounts, or of a reason, at most.
const FACTS_BYTES_MAX: u64 = 256 * 1024;

/// Reads a document in a process of its own, writes its table, and returns what it states about
/// itself. Blocks.
pub(super) fn read(
    document: &std::fs::File,
    password: &Secret,
    target: &mut dyn Write,
) -> Result<Vec<FileStatement>> {
    let facts = match run(document, password, &[], target)? {
        Outcome::Done(facts) => facts,
        Outcome::Scan(_) => pdf_scans::read(document, password, None, target)?,
    };
    // Without what it states about itself it is read all the same.
    Ok(serde_json::from_str(&facts).unwrap_or_default())
}

/// Draws the page of a document that a line of its table was made of, as SVG with that row marked.
/// Blocks.
pub(super) fn draw(document: &std::fs::File, line: u64, target: &mut dyn Write) -> Result<()> {
    let (number, password) = (line.to_string(), Secret::new(""));
    match run(document, &password, &[LINE_ARGUMENT, &number], target)? {
        Outcome::Done(_) => Ok(()),
        Outcome::Scan(_) => pdf_scans::read(document, &password, Some(line), target).map(drop),
    }
}

/// How the process ended.
pub(super) enum Outcome {
    /// It wrote what was wanted, and this beside it.
    Done(String),
    /// The document has no text, for this reason.
    Scan(String),
}

/// Runs the process, and returns what it writes beside its result.
fn run(
    document: &std::fs::File,
    password: &Secret,
    arguments: &[&str],
    target: &mut dyn Write,
) -> Result<Outcome> {
    finish(start(document, password, arguments)?, target)
}

/// Starts the process with a document.
pub(super) fn start(
    document: &std::fs::File,
    password: &Secret,
    arguments: &[&str],
) -> Result<Child> {
    let password = password.reveal();
    if password.len() > PASSWORD_BYTES_MAX || password.contains('\0') {
        return Err(locked(&PdfError::WrongPassword.to_string()));
    }
    let mut document = document.try_clone().map_err(io_failed)?;
    document.seek(SeekFrom::Start(0)).map_err(io_failed)?;
    let mut command = command(arguments)?;
    let command = command.env(PASSWORD_VARIABLE, password).stdin(Stdio::from(document));
    command.spawn().map_err(io_failed)
}

/// The process, before it has anything to read.
pub(super) fn command(arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(own_program()?);
    command
        .arg(READ_PDF_COMMAND)
        .args(arguments)
        .env_clear()
        // The allocator would ask for more than the process may have, in KiB.
        .env("MIMALLOC_ARENA_RESERVE", "65536")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

/// The program that runs, even if another version was put into its place meanwhile.
pub(super) fn own_program() -> Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    match running.exists() {
        true => Ok(running),
        false => std::env::current_exe().map_err(io_failed),
    }
}

/// Takes what the process writes, and ends it if nobody can take more.
pub(super) fn finish(mut child: Child, target: &mut dyn Write) -> Result<Outcome> {
    // Both are read at once: neither may fill up while the other one is waited for.
    let stderr = child.stderr.take();
    let reason = std::thread::spawn(move || {
        let mut reason = String::new();
        if let Some(stderr) = stderr {
            // A reason that isn't text is none.
            let _ = stderr.take(FACTS_BYTES_MAX).read_to_string(&mut reason);
        }
        reason
    });
    let copied = match child.stdout.take() {
        Some(table) => io::copy(&mut table.take(TABLE_BYTES_MAX + 1), target),
        None => Ok(0),
    };
    let is_whole = copied.as_ref().is_ok_and(|bytes| *bytes <= TABLE_BYTES_MAX);
    if !is_whole {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
    }
    let reason = reason.join().unwrap_or_default();
    let status = child.wait().map_err(io_failed)?;
    copied.map_err(super::decoded_file::written)?;
    match status.code() {
        Some(0) if is_whole => Ok(Outcome::Done(reason)),
        Some(code) if code == i32::from(READ_PDF_SCAN) => {
            Ok(Outcome::Scan(reason.trim().to_owned()))
        }
        Some(code) if code == i32::from(READ_PDF_REFUSED) => Err(refused(reason.trim())),
        Some(code) if code == i32::from(READ_PDF_PASSWORD) => Err(locked(reason.trim())),
        // It was ended for its memory or its time.
        _ => Err(refused(&PdfError::TooComplex.to_string())),
    }
}

pub(super) fn refused(reason: &str) -> Error {
    Error::invalid_code("invalid_file_type", reason)
}

fn locked(reason: &str) -> Error {
    Problem::about("password", reason).into()
}

/// The exit code of the process for a document that it doesn't read.
pub fn exit_code(error: &PdfError) -> u8 {
    match error {
        PdfError::Encrypted | PdfError::WrongPassword => READ_PDF_PASSWORD,
        PdfError::NoText => READ_PDF_SCAN,
        _ => READ_PDF_REFUSED,
    }
}

/// What is wanted of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Its table.
    Table,
    /// A picture of the page of this line of the table.
    Picture(u64),
    /// The pictures that it has in the place of text.
    Pictures,
}

/// The same with words that were recognised in pictures of a document.
///
/// # Errors
/// Why they are no statement that can be trusted.
pub fn read_words(
    source: impl BufRead,
    line: Option<u64>,
    target: impl Write,
) -> std::result::Result<Option<PdfFacts>, PdfError> {
    match line {
        Some(line) => write_recognised_picture(source, line, target).map(|()| None),
        None => write_recognised(source, target).map(Some),
    }
}

/// What the process does: reads a document and writes its table, and returns what the document
/// states about itself; or, for a line of the table, a picture of its page; or all pictures of pages
/// that it has in the place of text.
///
/// # Errors
/// Why the document can't be read.
pub fn read_document(
    source: impl Read,
    wanted: Wanted,
    target: impl Write,
) -> std::result::Result<Option<PdfFacts>, PdfError> {
    let mut document = Vec::new();
    let damaged = |_| PdfError::Damaged("the file can't be read");
    source.take(DOCUMENT_BYTES_MAX as u64 + 1).read_to_end(&mut document).map_err(damaged)?;
    let password = std::env::var(PASSWORD_VARIABLE).unwrap_or_default();
    match wanted {
        Wanted::Picture(line) => write_picture(&document, &password, line, target).map(|()| None),
        Wanted::Pictures => write_pictures(&document, &password, target).map(|()| None),
        Wanted::Table => write_table(&document, &password, target).map(Some),
    }
}
