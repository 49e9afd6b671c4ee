//! PDF documents are read in a process of their own.
//!
//! A document can ask for any amount of memory and time before that is noticed. So the same program
//! is started once more with a hidden command: it sets limits for itself, has no environment, reads
//! the document from its standard input and writes the table to its standard output, and what the
//! document states about itself to its standard error. Whatever becomes of it, the server goes on.
//! As many run at a time as files are read: one of each family, two in all.

use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use purser_core::error::{Error, Problem, Result};
use purser_core::import::file_statement::FileStatement;
use purser_core::secret::Secret;
use purser_formats::pdf::limits::DOCUMENT_BYTES_MAX;
use purser_formats::pdf::{
    PdfError, PdfFacts, PdfProof, scans, write_picture, write_recognised, write_scan, write_table,
};
use purser_store::files::io_failed;
use serde::{Deserialize, Serialize};

/// The hidden command that reads one document.
pub const READ_PDF_COMMAND: &str = "read-pdf";
/// The argument in front of the line of the table of which a picture is wanted.
const LINE_ARGUMENT: &str = "--line";
/// The argument for a list of the pictures of a document without text.
pub(super) const SCANS_ARGUMENT: &str = "--scans";
/// The argument in front of the number of the object that is a picture.
pub(super) const SCAN_ARGUMENT: &str = "--scan";
/// The argument for words that were recognised in pictures, in the place of a document.
const WORDS_ARGUMENT: &str = "--words";
/// The exit code for a document that can't be read; the reason is on standard error.
const READ_PDF_REFUSED: u8 = 3;
/// The exit code for a document that the password doesn't open.
const READ_PDF_PASSWORD: u8 = 4;
/// Where the process finds the password of the document; other users can't read it there.
const PASSWORD_VARIABLE: &str = "PURSER_DOCUMENT_PASSWORD";
/// Bytes of a password at most.
const PASSWORD_BYTES_MAX: usize = 1_000;
/// Bytes of a table, or of a picture of a page, at most.
const TABLE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Bytes of the pages of a document at most.
const PAGES_BYTES_MAX: u64 = 128 * 1024 * 1024;
/// Bytes of what a document states about itself and its accounts, or of a reason, at most.
const FACTS_BYTES_MAX: u64 = 256 * 1024;

/// What a document states about itself, as the process hands it on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentFacts {
    /// Its balances leave rows unproven. What can't be read doesn't show that they don't.
    is_unproven: bool,
    /// The balances at its ends that no line states, as sentences without a full stop.
    pub(super) unstated_ends: Vec<String>,
    /// Its statements, one for each account.
    pub(super) statements: Vec<FileStatement>,
}

impl Default for DocumentFacts {
    fn default() -> Self {
        Self { is_unproven: true, unstated_ends: Vec::new(), statements: Vec::new() }
    }
}

impl DocumentFacts {
    /// What the process has found. Rows that its balances contradict are found once more where the
    /// table is read, so that they can be corrected.
    pub fn of(facts: PdfFacts) -> Self {
        let PdfFacts { proof, unstated_ends, statements, .. } = facts;
        Self { is_unproven: proof == PdfProof::Nothing, unstated_ends, statements }
    }

    /// What its balances lack, as a sentence without a full stop.
    pub(super) fn unproven(&self) -> Vec<String> {
        let sentence = "Its balances don't prove all of its amounts";
        self.is_unproven.then(|| sentence.to_owned()).into_iter().collect()
    }
}

/// What the process reads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Input<'i> {
    /// A document, and what opens it.
    Document(&'i std::fs::File, &'i Secret),
    /// Words that were recognised in its pictures.
    Words(&'i [u8]),
}

/// Reads a document in a process of its own, writes its table and its pages, and returns what it
/// states about itself. Blocks.
pub(super) fn read(
    input: Input<'_>,
    table: &mut dyn Write,
    pages: &mut dyn Write,
) -> Result<DocumentFacts> {
    let facts = match input {
        Input::Document(document, password) => {
            let mut child = start(document, password, &[])?;
            finish(&mut child, &mut |output| divide(output, table, pages))?
        }
        Input::Words(words) => std::thread::scope(|scope| {
            let mut command = command(&[WORDS_ARGUMENT])?;
            let mut child = command.stdin(Stdio::piped()).spawn().map_err(io_failed)?;
            let stdin = child.stdin.take();
            // They are written while the result is read: neither may wait for the other one.
            scope.spawn(move || {
                // A process that ends before has its reason, which its status shows.
                stdin.map(|mut stdin| stdin.write_all(words))
            });
            finish(&mut child, &mut |output| divide(output, table, pages))
        })?,
    };
    // Without what it states about itself it is read all the same, and nothing proves it.
    Ok(serde_json::from_str(&facts).unwrap_or_default())
}

/// Draws the page of a document that a line of its table was made of, as SVG with that row marked.
/// Blocks.
pub(super) fn draw(document: &std::fs::File, line: u64, target: &mut dyn Write) -> Result<()> {
    let line = line.to_string();
    let mut child = start(document, &Secret::new(""), &[LINE_ARGUMENT, &line])?;
    finish(&mut child, &mut |output| copy(output, TABLE_BYTES_MAX, target)).map(drop)
}

/// Takes a table and the pages apart: the first line is the length of the table.
fn divide(output: &mut dyn Read, table: &mut dyn Write, pages: &mut dyn Write) -> io::Result<bool> {
    let mut output = BufReader::new(output);
    let mut length = String::new();
    output.by_ref().take(32).read_line(&mut length)?;
    // A process that was ended, or refuses the document, has none.
    let Ok(length) = length.trim_end().parse::<u64>() else { return Ok(true) };
    if length > TABLE_BYTES_MAX {
        return Ok(false);
    }
    io::copy(&mut output.by_ref().take(length), table)?;
    copy(&mut output, PAGES_BYTES_MAX, pages)
}

/// Copies what isn't too long; whether it is whole.
fn copy(output: &mut dyn Read, bytes_max: u64, target: &mut dyn Write) -> io::Result<bool> {
    let mut output = output.take(bytes_max);
    io::copy(&mut output, target)?;
    Ok(output.into_inner().read(&mut [0])? == 0)
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
fn command(arguments: &[&str]) -> Result<Command> {
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

/// Takes what the process writes, ends it if nobody can take more, and returns what it writes
/// beside its result. `take` returns false for what is too long.
pub(super) fn finish(
    child: &mut Child,
    take: &mut dyn FnMut(&mut dyn Read) -> io::Result<bool>,
) -> Result<String> {
    // Both are read at once: neither may fill up while the other one is waited for.
    let stderr = child.stderr.take();
    let reason = std::thread::spawn(move || {
        let mut text = String::new();
        if let Some(stderr) = stderr {
            // An unreadable reason is none.
            let _ = stderr.take(FACTS_BYTES_MAX).read_to_string(&mut text);
        }
        text
    });
    let taken = match child.stdout.take() {
        Some(mut output) => take(&mut output),
        None => Ok(true),
    };
    let is_whole = matches!(taken, Ok(true));
    if !is_whole {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
    }
    let reason = reason.join().unwrap_or_default();
    let status = child.wait().map_err(io_failed)?;
    taken.map_err(super::decoded_file::written)?;
    match status.code() {
        Some(0) if is_whole => Ok(reason),
        Some(code) if code == i32::from(READ_PDF_REFUSED) => Err(refused(reason.trim())),
        Some(code) if code == i32::from(READ_PDF_PASSWORD) => Err(locked(reason.trim())),
        // It was ended for its memory or its time.
        _ => Err(too_complex()),
    }
}

pub(super) fn refused(reason: &str) -> Error {
    Error::invalid_code("invalid_file_type", reason)
}

pub(super) fn too_complex() -> Error {
    refused(&PdfError::TooComplex.to_string())
}

fn locked(reason: &str) -> Error {
    Error::invalid_code("invalid_file_type", Problem::about("password", reason))
}

/// The exit code of the process for an error.
pub fn exit_code(error: &PdfError) -> u8 {
    match error {
        PdfError::Encrypted | PdfError::WrongPassword => READ_PDF_PASSWORD,
        _ => READ_PDF_REFUSED,
    }
}

/// What is wanted of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PdfOutput {
    /// The table of a document, and its pages.
    Table,
    /// The same of words that were recognised in its pictures.
    TableOfWords,
    /// A picture of the page of this line of the table.
    Line(u64),
    /// A list of the pictures that it has in the place of text.
    Scans,
    /// The picture with this number among its objects.
    Scan(u32),
}

/// What the process does: reads standard input, and returns what belongs on its standard output,
/// and what the document states about itself.
///
/// # Errors
/// Why the document can't be read.
pub fn read_document(
    source: impl Read,
    wanted: PdfOutput,
) -> std::result::Result<(Vec<u8>, Option<PdfFacts>), PdfError> {
    if wanted == PdfOutput::TableOfWords {
        let (mut table, mut pages) = (Vec::new(), Vec::new());
        let facts = write_recognised(BufReader::new(source), &mut table, &mut pages)?;
        return Ok((joined(table, &pages), Some(facts)));
    }
    let mut document = Vec::new();
    let damaged = |_| PdfError::Damaged("the file can't be read");
    source.take(DOCUMENT_BYTES_MAX as u64 + 1).read_to_end(&mut document).map_err(damaged)?;
    let password = std::env::var(PASSWORD_VARIABLE).unwrap_or_default();
    let mut output = Vec::new();
    match wanted {
        PdfOutput::Line(line) => write_picture(&document, &password, line, &mut output)?,
        PdfOutput::Scan(object) => write_scan(&document, &password, object, &mut output)?,
        PdfOutput::Scans => {
            let found = match scans(&document, &password) {
                // The reading names what it is instead.
                Err(PdfError::NotAPdf) => Vec::new(),
                found => found?,
            };
            output = serde_json::to_vec(&found)
                .map_err(|_| PdfError::Damaged("its pictures can't be listed"))?;
        }
        PdfOutput::Table | PdfOutput::TableOfWords => {
            let mut pages = Vec::new();
            let facts = write_table(&document, &password, &mut output, &mut pages)?;
            return Ok((joined(output, &pages), Some(facts)));
        }
    }
    Ok((output, None))
}

/// A table and pages as one output.
fn joined(table: Vec<u8>, pages: &[u8]) -> Vec<u8> {
    let mut output = format!("{}\n", table.len()).into_bytes();
    output.extend(table);
    output.extend_from_slice(pages);
    output
}
