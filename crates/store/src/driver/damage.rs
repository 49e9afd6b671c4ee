//! What a process remembers of a damaged page: from then on it writes nothing, because what it
//! would write is derived from what it reads. What can be read is still read.

use std::sync::atomic::{AtomicBool, Ordering};

use purser_core::error::{Error, Result};

use super::error::{Kind, database_error};

/// Whether a damaged page was met.
#[derive(Debug, Default)]
pub(crate) struct Damage(AtomicBool);

impl Damage {
    /// Looks for damage in the result of a transaction. The first one is logged.
    pub(super) fn note(&self, result: &Result<()>) {
        let Err(error) = result else { return };
        let Some(found) = database_error(error).filter(|error| error.kind == Kind::Damaged) else {
            return;
        };
        if !self.0.swap(true, Ordering::Relaxed) {
            tracing::error!(
                cause = ?found.message,
                "the database is damaged, and nothing is written any more: stop the server and \
                 run `purser check`"
            );
        }
    }

    /// Refuses to write after damage was met.
    pub(crate) fn refuse(&self) -> Result<()> {
        match Kind::Damaged.sentence().filter(|_| self.0.load(Ordering::Relaxed)) {
            None => Ok(()),
            Some(message) => Err(Error::Unavailable {
                message: message.to_owned(),
                cause: "a damaged page was met before".into(),
            }),
        }
    }
}
