//! What a process remembers of a damaged page: from then on it writes nothing, because what it
//! would write is derived from what it reads. What can be read is still read.
//!
//! A damaged page of a copy is no damage of the database, which may have it, too, or may not.

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

/// The private half of an error of a copy.
#[derive(Debug, thiserror::Error)]
#[error("the copy of the database is damaged: {0}")]
struct DamagedCopy(String);

/// The error of a read of a copy: its damage is none of the database.
pub(super) fn of_copy(error: Error) -> Error {
    match database_error(&error).filter(|error| error.kind == Kind::Damaged) {
        None => error,
        Some(found) => Error::Unavailable {
            message: "The copy of the database that was read is damaged. Try again.".to_owned(),
            cause: Box::new(DamagedCopy(found.message.clone())),
        },
    }
}

/// Whether a read failed because of a damaged copy.
pub(crate) fn is_of_damaged_copy(error: &Error) -> bool {
    matches!(error, Error::Unavailable { cause, .. } if cause.is::<DamagedCopy>())
}
