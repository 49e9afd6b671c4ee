//! The hidden commands that read one PDF document in a process of its own, and that run the
//! recognition of words in one picture.

use std::io::{self, Write};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use purser_app::imports::pdf_process::{Wanted, exit_code, read_document, read_words};
use purser_core::error::{Error, Result};
use purser_formats::pdf::{PdfError, PdfFacts};
use rustix::process::{Resource, Rlimit, setrlimit};

/// Bytes of memory that the process may have.
const MEMORY_BYTES_MAX: u64 = 384 * 1024 * 1024;
/// Seconds of computing that it may take.
const SECONDS_MAX: u64 = 20;

/// Whether a picture is wanted, instead of the table.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The line of the table that is marked on a picture of its page
    #[arg(long)]
    line: Option<u64>,
    /// Whether the pictures of a document without text are wanted
    #[arg(long)]
    pictures: bool,
    /// Whether words that were recognised are read, instead of a document
    #[arg(long)]
    recognised: bool,
}

/// The program that recognises words in one picture.
#[derive(Debug, clap::Args)]
pub(crate) struct Recognition {
    /// Where it is
    program: PathBuf,
}

/// Bytes of memory that the recognition of a picture may take.
const RECOGNITION_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Seconds of computing that it may take.
const RECOGNITION_SECONDS_MAX: u64 = 60;
/// Bytes of a file that it may write: the picture, which it takes from its standard input.
const RECOGNITION_FILE_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// Becomes the program, within limits.
pub(super) fn recognise(args: &Recognition) -> Result<()> {
    limit(RECOGNITION_BYTES_MAX, RECOGNITION_SECONDS_MAX, RECOGNITION_FILE_BYTES_MAX)?;
    let mut program = Command::new(&args.program);
    // The page is one block of lines; a word and its place on each line of the answer.
    let error = program.args(["stdin", "stdout", "--psm", "6", "tsv"]).exec();
    Err(Error::internal(error))
}

/// Sets the limits of this process.
fn limit(memory: u64, seconds: u64, file: u64) -> Result<()> {
    for (resource, limit) in [
        (Resource::As, memory),
        (Resource::Cpu, seconds),
        (Resource::Fsize, file),
        // It leaves no picture of its memory behind.
        (Resource::Core, 0),
    ] {
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        match setrlimit(resource, limit) {
            Ok(()) => {}
            // Some systems have no limit for memory.
            Err(_) if resource == Resource::As && !cfg!(target_os = "linux") => {}
            Err(error) => return Err(Error::internal(error)),
        }
    }
    Ok(())
}

pub(super) fn run(args: &Args) -> Result<()> {
    // It writes no files.
    limit(MEMORY_BYTES_MAX, SECONDS_MAX, 0)?;
    let mut table = Vec::new();
    let facts = match read(args, &mut table) {
        Ok(facts) => facts,
        Err(error) => {
            // Without a reader of it the code is enough.
            let _ = writeln!(io::stderr(), "{error}");
            std::process::exit(i32::from(exit_code(&error)));
        }
    };
    io::stdout().write_all(&table).map_err(Error::internal)?;
    let Some(facts) = facts else { return Ok(()) };
    let facts = serde_json::to_string(&facts.statements).map_err(Error::internal)?;
    writeln!(io::stderr(), "{facts}").map_err(Error::internal)
}

fn read(args: &Args, table: &mut Vec<u8>) -> std::result::Result<Option<PdfFacts>, PdfError> {
    let source = io::stdin().lock();
    let wanted = match args.line {
        _ if args.recognised => return read_words(source, args.line, table),
        _ if args.pictures => Wanted::Pictures,
        Some(line) => Wanted::Picture(line),
        None => Wanted::Table,
    };
    read_document(source, wanted, table)
}
