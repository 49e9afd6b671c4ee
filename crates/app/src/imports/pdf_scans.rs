//! Scans: documents that have only pictures of their pages.
//!
//! The words in them are recognised by tesseract, if it is installed. One process makes grey pixels
//! of a picture and hands them to a second one, which becomes tesseract, both with limits of their
//! own; the words are then read as a statement in a third one ([`super::pdf_process`]). So no
//! picture is looked at in the server itself, tesseract gets no file that somebody sent, and
//! nothing of it is written to a disk. What comes of it is refused unless balances prove it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use purser_core::error::{Error, Result};
use purser_core::ids::FileId;
use purser_core::import::import_type::ImportType;
use purser_core::secret::Secret;
use purser_formats::pdf::limits::WORDS_BYTES_MAX;
use purser_formats::pdf::{Frame, PdfError, Scan};
use purser_store::FamilyId;
use purser_store::files::io_failed;
use purser_store::shares::Holder;

use super::pdf_process::{self, SCAN_ARGUMENT, SCANS_ARGUMENT};
use crate::App;
use crate::blocking::blocking;
use crate::limits::RECOGNITION_TIME;

/// The hidden command that becomes the program for one picture, within limits.
pub const RECOGNISE_COMMAND: &str = "recognise-words";
/// The program that recognises words.
const PROGRAM: &str = "tesseract";
/// The variable with the folder of its data; it gets no others of the server.
const DATA_VARIABLE: &str = "TESSDATA_PREFIX";
/// How its table of words begins.
const HEADER: &[u8] = b"level\t";
/// Bytes of the list of pictures at most.
const LIST_BYTES_MAX: u64 = 64 * 1024;

/// The words in the pictures of an uploaded document, if it is a scan and the program is installed.
/// Each family has one turn at a time, and all of them together two: uploads that are no scans
/// don't wait for it.
pub(super) async fn recognise(
    app: &App,
    (family, holder): (FamilyId, Holder),
    (import_type, file): (ImportType, FileId),
    password: &Secret,
) -> Result<Option<Vec<u8>>> {
    if import_type != ImportType::Pdf {
        return Ok(None);
    }
    let Some(program) = program() else { return Ok(None) };
    let (files, password) = (app.files.clone(), password.clone());
    let reading = app.readings.take(holder, 1).await?;
    let survey = blocking(move || {
        let _reading = reading;
        let document = files.read(family, file)?;
        Ok((survey(&document, &password)?, document, password))
    });
    let (scans, document, password) = survey.await?;
    if scans.is_empty() {
        return Ok(None);
    }
    let turn = app.recognitions.take(holder, 1).await?;
    blocking(move || {
        let _turn = turn;
        words(&program, &document, &password, &scans).map(Some)
    })
    .await
}

/// The program, if it is installed.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(PROGRAM)).find(|found| found.is_file())
}

/// The pictures of a document without text; none if it has text.
fn survey(document: &File, password: &Secret) -> Result<Vec<Scan>> {
    let mut child = pdf_process::start(document, password, &[SCANS_ARGUMENT])?;
    let mut list = Vec::new();
    pdf_process::finish(&mut child, &mut |output| {
        output.take(LIST_BYTES_MAX).read_to_end(&mut list).map(|_| true)
    })?;
    serde_json::from_slice(&list).map_err(Error::internal)
}

/// The words of all pictures, as frames.
fn words(program: &Path, document: &File, password: &Secret, scans: &[Scan]) -> Result<Vec<u8>> {
    let deadline = Instant::now() + RECOGNITION_TIME;
    let mut words = Vec::new();
    for scan in scans {
        if Instant::now() > deadline {
            return Err(not_recognised());
        }
        let Scan { page, object, width, height } = *scan;
        let content = words_of(program, (document, password), object, deadline)?;
        let frame = Frame { page, width, height, content };
        frame.write(&mut words).map_err(io_failed)?;
    }
    Ok(words)
}

/// The table of words in one picture.
fn words_of(
    program: &Path,
    (document, password): (&File, &Secret),
    object: u32,
    deadline: Instant,
) -> Result<Vec<u8>> {
    let object = object.to_string();
    let mut pixels = pdf_process::start(document, password, &[SCAN_ARGUMENT, &object])?;
    let mut words = Vec::new();
    let is_recognised = match pixels.stdout.take() {
        Some(output) => recognised(program, output.into(), &mut words, deadline),
        None => Ok(false),
    };
    // Why there was no picture comes first.
    pdf_process::finish(&mut pixels, &mut |_| Ok(true))?;
    // Another version of it, or one that finds none of its data, may write anything.
    if is_recognised? && words.starts_with(HEADER) {
        return Ok(words);
    }
    let start = String::from_utf8_lossy(&words).chars().take(100).collect::<String>();
    tracing::warn!(program = %program.display(), %start, "words can't be recognised");
    Err(not_recognised())
}

fn not_recognised() -> Error {
    pdf_process::refused(&PdfError::NotRecognised.to_string())
}

/// Runs the program; whether it came to an end. At the end of its time it is ended.
fn recognised(
    program: &Path,
    pixels: Stdio,
    words: &mut Vec<u8>,
    deadline: Instant,
) -> Result<bool> {
    let mut child = recogniser(program, pixels)?;
    let output = child.stdout.take();
    let (ended, end) = mpsc::channel::<()>();
    let read = thread::scope(|scope| {
        let child = &mut child;
        scope.spawn(move || {
            let left = deadline.saturating_duration_since(Instant::now());
            if end.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                // It may have ended by itself meanwhile.
                let _ = child.kill();
            }
        });
        let read = output.map_or(Ok(false), |output| read_words(output, words));
        drop(ended);
        read
    });
    if !matches!(read, Ok(true)) {
        let _ = child.kill();
    }
    let status = child.wait().map_err(io_failed)?;
    Ok(status.success() && read.map_err(io_failed)?)
}

fn read_words(output: impl Read, words: &mut Vec<u8>) -> io::Result<bool> {
    output.take(WORDS_BYTES_MAX + 1).read_to_end(words)?;
    Ok(words.len() as u64 <= WORDS_BYTES_MAX)
}

fn recogniser(program: &Path, pixels: Stdio) -> Result<Child> {
    let mut command = Command::new(pdf_process::own_program()?);
    command
        .arg(RECOGNISE_COMMAND)
        .arg(program)
        .env_clear()
        // It would take all processors.
        .env("OMP_THREAD_LIMIT", "1")
        .stdin(pixels)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(folder) = std::env::var_os(DATA_VARIABLE) {
        command.env(DATA_VARIABLE, folder);
    }
    command.spawn().map_err(io_failed)
}
