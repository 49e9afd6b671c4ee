//! What goes on with other families if one can't be reached: it waits only briefly for each.

use std::time::Duration;

use purser_core::error::{Error, Result};

use super::Store;
use super::boxed::{BoxedFamilyWork, BoxedWork, once, unboxed, with_access_briefly, without_a_run};
use super::writing::Ready;
use crate::access::{Access, FamilyTx};
use crate::driver::{Lane, block_on, block_on_within};
use crate::shares::Holder;

/// How long [`Store::write_briefly`] waits for the turn of the family and a connection.
const BRIEFLY: Duration = Duration::from_secs(1);

/// Why a write didn't begin: others of the family, or all connections, take too long.
#[derive(Debug, thiserror::Error)]
#[error("its turn didn't come soon")]
struct NoTurn;

/// Whether an error of [`Store::write_briefly`] means only that the family, or this process, is
/// busy. Nothing was begun.
pub fn is_busy(error: &Error) -> bool {
    matches!(error, Error::Unavailable { cause, .. } if cause.is::<NoTurn>())
}

fn no_turn() -> Error {
    Error::Unavailable {
        message: "Other writes of the family last".to_owned(),
        cause: NoTurn.into(),
    }
}

/// Waits for a turn or a connection.
async fn soon<T>(turn: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::time::timeout(BRIEFLY, turn).await.map_err(|_| no_turn())?
}

impl Store {
    /// As [`Store::write`], for what goes on with other families if one can't be reached. An error
    /// if other writes of the family last ([`is_busy`]), or if its rows, or the machine with them,
    /// don't answer soon.
    pub async fn write_briefly<T, F>(&self, access: impl Into<Access>, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        let mut boxed: BoxedFamilyWork = Box::new(move |tx| Ok(Box::new(work(tx)?)));
        let access = access.into();
        let ready = soon(self.turn_to_write(Holder::from(&access))).await?;
        let work: BoxedWork = Box::new(move |tx| tx.with_lock_briefly(access.clone(), &mut *boxed));
        unboxed(self.write_ready(ready, Lane::Common, work).await?)
    }

    /// As [`Store::write_briefly`], for threads that may block.
    pub fn write_briefly_blocking<T>(
        &self,
        access: impl Into<Access>,
        mut work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>,
    ) -> Result<T> {
        let access = access.into();
        let turn = self.turn_to_write(Holder::from(&access));
        let _ready = block_on_within(BRIEFLY, turn).ok_or_else(no_turn)??;
        let permit = block_on(self.0.database.write_permit(Lane::Common))?;
        let mut value = None;
        self.0.write_permitted(permit, &mut |tx| {
            value = Some(tx.with_lock_briefly(access.clone(), &mut work)?);
            Ok(())
        })?;
        value.ok_or_else(without_a_run)
    }

    /// As [`Store::write_briefly`], for what no other write of the family depends on: it waits
    /// neither for their end nor for the family's lock.
    pub(crate) async fn write_beside<T, F>(&self, access: Access, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        let boxed: BoxedFamilyWork = Box::new(move |tx| Ok(Box::new(work(tx)?)));
        let connection = self.0.connection_to_write(Holder::from(&access), Lane::Common);
        let ready = Ready::without_turn(soon(connection).await?);
        let work = with_access_briefly(access, boxed);
        unboxed(self.write_ready(ready, Lane::Common, work).await?)
    }

    /// As [`Store::read_blocking`], for what goes on with other families if one can't be reached:
    /// an error if its rows, or the machine with them, don't answer soon.
    pub fn read_briefly_blocking<T>(
        &self,
        access: &Access,
        work: impl FnOnce(&mut FamilyTx<'_>) -> Result<T>,
    ) -> Result<T> {
        let (mut work, mut value) = (Some(work), None);
        self.0.read(Holder::from(access), &mut |tx| {
            value = Some(tx.with_access_briefly(access.clone(), once(&mut work)?)?);
            Ok(())
        })?;
        value.ok_or_else(without_a_run)
    }
}
