//! `purser export`: everything that a family has, written to a file from one snapshot, whether or
//! not the server runs.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use purser_app::Access;
use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::{Store, exports};
use purser_core::error::{Error, Result};
use purser_core::export::ExportFormat;
use serde_json::json;

use super::family::FamilyChoice;
use super::{Globals, open_existing, output};

/// The file name that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One object on each line
    Ndjson,
    /// The same with CSV tables beside it, in one archive
    CsvZip,
    /// A journal that hledger reads
    Hledger,
    /// A journal that Beancount reads
    Beancount,
}

impl From<Format> for ExportFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Ndjson => Self::Ndjson,
            Format::CsvZip => Self::CsvZip,
            Format::Hledger => Self::Hledger,
            Format::Beancount => Self::Beancount,
        }
    }
}

/// The arguments of `purser export`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write; `-` is standard output
    file: PathBuf,
    /// What is written: what `purser import` reads, which is NDJSON or an archive (ZIP) with that
    /// and with tables for spreadsheets; or a journal for another program
    #[arg(id = "export_format", long = "format", value_enum, default_value_t = Format::Ndjson)]
    format: Format,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    family: FamilyChoice,
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    let Data { store, files, .. } = open_existing(globals)?;
    let family = store.read_directory_blocking(|tx| args.family.find(tx))?;
    let access = family.access(Actor::CommandLine);
    if args.file.as_os_str() == STANDARD_OUTPUT {
        let mut output = BufWriter::new(io::stdout().lock());
        let format = args.format.into();
        return exports::stream_family((&store, &files), &access, format, &mut output).map(drop);
    }
    if args.file.exists() && !args.force {
        let message = format!("{} is there already: --force replaces it", args.file.display());
        return Err(Error::Conflict { code: "file_exists", message });
    }
    let records = write_file(&store, &access, args.format, &args.file)?;
    if globals.json {
        return output::json(&json!({ "file": args.file, "records": records }));
    }
    output::line(format!("{records} records in {}", args.file.display()))
}

/// Writes a file that gets its name when it is whole.
fn write_file(store: &Store, access: &Access, format: Format, path: &Path) -> Result<u64> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = (|| {
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&partial).map_err(|error| failed(&partial, &error))?;
        let mut file = BufWriter::new(file);
        let records = exports::write_family(store, access, format.into(), &mut file)?;
        file.into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&partial, path))
            .map_err(|error| failed(path, &error))?;
        Ok(records)
    })();
    if written.is_err() {
        // If it can't be removed either, its name shows what it is.
        let _ = fs::remove_file(&partial);
    }
    written
}

fn failed(path: &Path, error: &io::Error) -> Error {
    Error::invalid(format!("{}: {error}", path.display()))
}
