//! `purser files`: where uploaded files are.

use purser_app::files::{FilesPlace, Moved, move_to};
use purser_core::error::Result;
use purser_core::text::size::size;
use serde_json::json;

use super::{Globals, existing, output};

/// The arguments of `purser files`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Move all uploaded files into the bucket of the settings, or out of it; no server may run
    ///
    /// Files are copied and compared, and the database notes the new place when all are there. What
    /// is in the old place stays. A move that was broken off is begun again.
    Move {
        /// Where the files are to be
        #[arg(long, value_enum)]
        to: To,
    },
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum To {
    /// In the bucket that the settings name
    Bucket,
    /// In the data directory
    Folder,
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    let Command::Move { to } = args.command;
    let to = match to {
        To::Bucket => FilesPlace::Bucket,
        To::Folder => FilesPlace::Folder,
    };
    let Moved { files, bytes, missing, altered } = move_to(&existing(globals)?, to)?;
    if globals.json {
        return output::json(&json!({
            "files": files, "bytes": bytes, "missing_files": missing, "altered_files": altered,
        }));
    }
    output::line(format!("Moved: {files} files, {}", size(bytes)))?;
    for id in missing {
        output::line(format!("Warning: the uploaded file {id} is missing"))?;
    }
    for id in altered {
        output::line(format!("Warning: the uploaded file {id} was changed since it was uploaded"))?;
    }
    if to == FilesPlace::Folder {
        output::line("From now on the server is started without PURSER_S3_BUCKET")?;
    }
    Ok(())
}
