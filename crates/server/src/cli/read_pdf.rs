//! The hidden command that reads one PDF document in a process of its own.

use std::io::{self, Write as _};

use purser_app::imports::pdf_process::{exit_code, read_document};
use purser_core::error::{Error, Result};
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
}

pub(super) fn run(args: &Args) -> Result<()> {
    for (resource, limit) in [
        (Resource::As, MEMORY_BYTES_MAX),
        (Resource::Cpu, SECONDS_MAX),
        // It writes no files, and leaves no picture of its memory behind.
        (Resource::Fsize, 0),
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
    let mut table = Vec::new();
    let facts = match read_document(io::stdin().lock(), args.line, &mut table) {
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
