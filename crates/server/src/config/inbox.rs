//! Settings of the inbox.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// The folder of which the server imports every file.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Inbox")]
pub(crate) struct Inbox {
    /// Folder of which every file is imported, those in a folder with the name of an account into
    /// that account; none without it
    #[arg(long, env = "PURSER_INBOX", value_name = "FOLDER")]
    inbox: Option<PathBuf>,
    /// Family that the files are for, by its name or id, if there are several
    #[arg(long, env = "PURSER_INBOX_FAMILY", value_name = "FAMILY")]
    inbox_family: Option<String>,
    /// Seconds for which nothing may have changed a file before it is taken
    #[arg(
        long,
        env = "PURSER_INBOX_QUIET",
        value_name = "SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=3_600)
    )]
    inbox_quiet: u64,
}

impl From<Inbox> for purser_app::settings::Inbox {
    fn from(inbox: Inbox) -> Self {
        // An empty variable is how some tools write one that isn't set.
        let folder = inbox.inbox.filter(|folder| !folder.as_os_str().is_empty());
        let family = inbox.inbox_family.filter(|name| !name.trim().is_empty());
        Self { folder, family, quiet: Duration::from_secs(inbox.inbox_quiet) }
    }
}
