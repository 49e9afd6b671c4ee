//! The hidden commands that read one PDF document in a process of its own, and that run the
//! recognition of words in one picture.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use purser_app::imports::pdf_process::{DocumentFacts, PdfOutput, exit_code, read_document};
use purser_core::error::{Error, Result};
use rustix::process::{Resource, Rlimit, nice, setrlimit};

/// Reads one document from its standard input, and writes its table to its standard output.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The line of the table that is marked on a picture of its page
    #[arg(long)]
    line: Option<u64>,
    /// Whether a list of the pictures of a document without text is wanted
    #[arg(long)]
    scans: bool,
    /// The number of the object that is a picture
    #[arg(long)]
    scan: Option<u32>,
    /// Whether words that were recognised are read, instead of a document
    #[arg(long)]
    words: bool,
}

/// The program that recognises words in one picture.
#[derive(Debug, clap::Args)]
pub(crate) struct Recognition {
    /// Where the program is.
    program: PathBuf,
}

/// What a process may have.
struct Limits {
    bytes: u64,
    seconds: u64,
    files: u64,
}

/// Those for a document.
const OF_DOCUMENT: Limits = Limits { bytes: 384 * 1024 * 1024, seconds: 20, files: 16 };
/// For the recognition of words in one picture.
const OF_PICTURE: Limits = Limits { bytes: 640 * 1024 * 1024, seconds: 60, files: 32 };
/// How much lower than that of the server the priority of a recognition is.
const NICENESS: i32 = 10;

impl Limits {
    /// Sets them for this process, and for what it becomes.
    fn set(&self) -> Result<()> {
        for (resource, limit) in [
            (Resource::As, self.bytes),
            (Resource::Cpu, self.seconds),
            (Resource::Nofile, self.files),
            // It writes no files, starts no processes, and leaves no picture of its memory behind.
            (Resource::Fsize, 0),
            (Resource::Nproc, 0),
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
}

/// Becomes the program, within limits. The picture comes from standard input.
pub(super) fn recognise(args: &Recognition) -> Result<()> {
    OF_PICTURE.set()?;
    nice(NICENESS).map_err(Error::internal)?;
    let mut program = Command::new(&args.program);
    // The page is one block of lines; a word and its place are on each line of the answer. Files of
    // settings would be looked for in the folder of its data, and in the current one.
    let settings = ["-l", "eng", "--psm", "6", "-c", "tessedit_create_tsv=1"];
    let error = program.args(["stdin", "stdout"]).args(settings).current_dir("/").exec();
    Err(Error::internal(error))
}

pub(super) fn run(args: &Args) -> Result<()> {
    OF_DOCUMENT.set()?;
    let wanted = match (args.line, args.scan) {
        (Some(line), _) => PdfOutput::Line(line),
        (None, Some(object)) => PdfOutput::Scan(object),
        _ if args.scans => PdfOutput::Scans,
        _ if args.words => PdfOutput::TableOfWords,
        _ => PdfOutput::Table,
    };
    let (output, facts) = match read_document(io::stdin().lock(), wanted) {
        Ok(read) => read,
        Err(error) => {
            // Without a reader of it the code is enough.
            let _ = writeln!(io::stderr(), "{error}");
            std::process::exit(i32::from(exit_code(&error)));
        }
    };
    io::stdout().write_all(&output).map_err(Error::internal)?;
    let Some(facts) = facts else { return Ok(()) };
    let facts = serde_json::to_string(&DocumentFacts::of(facts)).map_err(Error::internal)?;
    writeln!(io::stderr(), "{facts}").map_err(Error::internal)
}
