//! What an operator may change of the use cases. The edges read it from wherever they are
//! configured.

use std::path::PathBuf;
use std::time::Duration;

use jiff::SignedDuration;

use crate::feeds::address::{FeedTemplate, FeedUrl};
use crate::network::Network;

/// What imports may do.
#[derive(Debug, Clone)]
pub struct Imports {
    /// Largest CSV file, in bytes.
    pub max_csv_bytes: u64,
    /// SQLite: rows of one commit of a publish or undo; `None` leaves it to the program.
    pub publish_part_rows: Option<u64>,
}

/// Where rates and prices come from.
#[derive(Debug, Clone, Default)]
pub struct Feeds {
    /// Address of exchange rates.
    pub rates_url: Option<FeedUrl>,
    /// Address of the prices of a security.
    pub prices_url: Option<FeedTemplate>,
    /// Inner networks that the names in these addresses may lead to.
    pub networks: Vec<Network>,
}

/// The folder of which the server imports every file.
#[derive(Debug, Clone)]
pub struct Inbox {
    /// The folder; `None`: there is none.
    pub folder: Option<PathBuf>,
    /// The family that the files are for, by its name or id; `None`: the only one.
    pub family: Option<String>,
    /// How long nothing may have changed a file before it is taken.
    pub quiet: Duration,
}

/// Where the server's own backups go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupPlace {
    /// A folder of the operator.
    Folder(PathBuf),
    /// The bucket that uploaded files are in.
    Bucket,
}

/// The backups that the server makes by itself.
#[derive(Debug, Clone)]
pub struct Backups {
    /// Where they go to; `None`: it makes none.
    pub place: Option<BackupPlace>,
    /// How old the newest one is when the next one is made.
    pub every: SignedDuration,
    /// How many are kept there.
    pub keep: usize,
}
