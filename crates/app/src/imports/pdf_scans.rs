//! Scans: documents that have only pictures of their pages.
//!
//! The words in them are recognised by tesseract, if it is installed. One process hands out the
//! pictures, another one runs tesseract on each of them with limits of its own, and a third one
//! reads the words as a statement: no picture is looked at in the server itself. What comes of it is
//! refused unless balances prove it.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use purser_core::error::{Error, Result};
use purser_core::secret::Secret;
use purser_formats::pdf::limits::{PICTURE_BYTES_MAX, WORDS_BYTES_MAX};
use purser_formats::pdf::{Frame, PdfError};
use purser_store::files::io_failed;

use super::pdf_process::{self, LINE_ARGUMENT, Outcome, PICTURES_ARGUMENT, RECOGNISED_ARGUMENT};

/// The hidden command that runs the program for one picture, within limits.
pub const RECOGNISE_COMMAND: &str = "recognise-picture";
/// The program that recognises words.
const PROGRAM: &str = "tesseract";
/// Variables that it needs; it gets no others.
const VARIABLES: [&str; 3] = ["PATH", "HOME", "TESSDATA_PREFIX"];

/// Reads a scan, and returns what the document states about itself, or draws the page of a line of
/// its table. Blocks.
pub(super) fn read(
    document: &File,
    password: &Secret,
    line: Option<u64>,
    target: &mut dyn Write,
) -> Result<String> {
    let Some(program) = program() else {
        return Err(pdf_process::refused(&PdfError::NoText.to_string()));
    };
    let frames = words(&program, document, password)?;
    let number = line.map(|line| line.to_string());
    let line = number.iter().flat_map(|number| [LINE_ARGUMENT, number]);
    let arguments: Vec<&str> = [RECOGNISED_ARGUMENT].into_iter().chain(line).collect();
    let mut child = pdf_process::command(&arguments)?;
    let mut child = child.stdin(Stdio::piped()).spawn().map_err(io_failed)?;
    let writing = feed(&mut child, frames);
    let outcome = pdf_process::finish(child, target);
    // Whether it took all of it shows in how it ended.
    drop(writing.join());
    match outcome? {
        Outcome::Done(facts) => Ok(facts),
        Outcome::Scan(reason) => Err(pdf_process::refused(&reason)),
    }
}

/// The program, if it is installed.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(PROGRAM)).find(|found| found.is_file())
}

/// The words of all pictures, as frames.
fn words(program: &Path, document: &File, password: &Secret) -> Result<Vec<u8>> {
    let mut child = pdf_process::start(document, password, &[PICTURES_ARGUMENT])?;
    let pictures = child.stdout.take();
    let found = pictures.map_or(Ok(Vec::new()), |pictures| recognise_all(program, pictures));
    if found.is_err() {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
    }
    let outcome = pdf_process::finish(child, &mut std::io::sink());
    match (found, outcome?) {
        (Ok(words), Outcome::Done(_)) => Ok(words),
        (Err(error), _) => Err(error),
        (_, Outcome::Scan(reason)) => Err(pdf_process::refused(&reason)),
    }
}

fn recognise_all(program: &Path, pictures: impl Read) -> Result<Vec<u8>> {
    let mut pictures = BufReader::new(pictures);
    let mut words = Vec::new();
    while let Some(mut frame) =
        Frame::read(&mut pictures, PICTURE_BYTES_MAX).map_err(|_| too_complex())?
    {
        let picture = std::mem::take(&mut frame.content);
        frame.content = recognise(program, picture)?;
        frame.write(&mut words).map_err(io_failed)?;
    }
    Ok(words)
}

/// The table of words in one picture.
fn recognise(program: &Path, picture: Vec<u8>) -> Result<Vec<u8>> {
    let kept = |name: &&str| std::env::var_os(name).map(|value| ((*name).to_owned(), value));
    let mut child = Command::new(pdf_process::own_program()?)
        .arg(RECOGNISE_COMMAND)
        .arg(program)
        .env_clear()
        .envs(VARIABLES.iter().filter_map(kept))
        // It would take all processors.
        .env("OMP_THREAD_LIMIT", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(io_failed)?;
    let writing = feed(&mut child, picture);
    let mut words = Vec::new();
    let read = match child.stdout.take() {
        Some(table) => table.take(WORDS_BYTES_MAX + 1).read_to_end(&mut words),
        None => Ok(0),
    };
    let is_whole = read.is_ok() && words.len() as u64 <= WORDS_BYTES_MAX;
    if !is_whole {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
    }
    let status = child.wait().map_err(io_failed)?;
    drop(writing.join());
    if status.success() && is_whole { Ok(words) } else { Err(too_complex()) }
}

/// Writes to the process while what it writes is read.
fn feed(child: &mut Child, content: Vec<u8>) -> std::thread::JoinHandle<()> {
    let stdin = child.stdin.take();
    std::thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A process that ends before has its reason, which its status shows.
            let _ = stdin.write_all(&content);
        }
    })
}

fn too_complex() -> Error {
    pdf_process::refused(&PdfError::TooComplex.to_string())
}
