//! Reads that may take minutes, such as a backup of everything.

use std::sync::Arc;

use purser_core::error::{Error, Result};

use super::{Inner, Store};
use crate::driver::{Permit, block_on, is_of_damaged_copy};
use crate::shares::{Holder, Share, Shares};
use crate::system::{ManualClock, System};
use tokio::sync::Notify;

impl Store {
    /// The store to read from for long: a copy of a large SQLite database as it is now, else, and
    /// if none can be made, this one. Blocks.
    pub fn for_long_reads(&self) -> Self {
        self.copy_for_long_reads(u64::MAX).unwrap_or_else(|| self.clone())
    }

    /// A copy of a large SQLite database as it is now, in which the time stands still. The log of
    /// the database would grow until a long read of itself ends. `None` on PostgreSQL, if the
    /// database is small or has more than `bytes_max`, and if no copy can be made: then the reason
    /// is logged. The copy goes when it is dropped. Blocks.
    pub fn copy_for_long_reads(&self, bytes_max: u64) -> Option<Self> {
        self.copied(bytes_max).unwrap_or_else(|error| {
            tracing::warn!(
                cause = ?error,
                "no copy of the database can be made: while it is read, its log grows"
            );
            None
        })
    }

    /// The error of a read of a copy. If the copy was damaged, the same is read once more, of the
    /// database itself: only that shows whether the database is damaged, too. Blocks.
    pub fn confirm(&self, error: Error, read: impl FnOnce(&Self) -> Result<()>) -> Error {
        if !is_of_damaged_copy(&error) {
            return error;
        }
        tracing::warn!(cause = ?error, "a copy of the database is damaged");
        read(self).err().unwrap_or(error)
    }

    /// Removes what another process left that died while it copied a SQLite database. Blocks.
    pub fn remove_left_copy(&self) -> Result<()> {
        self.0.database.remove_left_copy()
    }

    fn copied(&self, bytes_max: u64) -> Result<Option<Self>> {
        if !self.is_sqlite() {
            return Ok(None);
        }
        let is_worth_it = {
            let (_connection, permit) = self.reader()?;
            self.0.database.is_worth_a_copy(permit, bytes_max)?
        };
        if !is_worth_it {
            return Ok(None);
        }
        // Nobody waits for another copy with a connection in the hand.
        let name = self.0.database.name_copy()?;
        let (_connection, permit) = self.reader()?;
        let now = self.now();
        let database = self.0.database.copy(permit, &name)?;
        Ok(Some(Self(Arc::new(Inner {
            database,
            system: System::new(Arc::new(ManualClock::new(now))),
            connections: Shares::new(1, 1),
            writes: Shares::new(u64::MAX, 1),
            asides: Shares::new(u64::MAX, 1),
            job_queued: Notify::new(),
        }))))
    }

    /// The right to a connection for reading.
    fn reader(&self) -> Result<(Share, Permit)> {
        let connection = block_on(self.0.connections.take(Holder::NOBODY, 1))?;
        Ok((connection, block_on(self.0.database.read_permit())?))
    }
}
