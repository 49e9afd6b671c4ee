//! What goes on with other families if one can't be reached: it waits only briefly for each.

use std::time::Duration;

use purser_core::error::{Error, Result};

use super::Store;
use super::boxed::{BoxedFamilyWork, BoxedWork, once, unboxed, without_a_run};
use crate::access::{Access, FamilyTx};
use crate::driver::Lane;
use crate::shares::Holder;

/// How long [`Store::write_briefly`] waits for the turn of the family.
const BRIEFLY: Duration = Duration::from_secs(1);

impl Store {
    /// As [`Store::write`], for what goes on with other families if one can't be reached. An error
    /// if other writes of the family last, or if its rows, or the machine with them, don't answer
    /// soon.
    pub async fn write_briefly<T, F>(&self, access: impl Into<Access>, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        let mut boxed: BoxedFamilyWork = Box::new(move |tx| Ok(Box::new(work(tx)?)));
        let access = access.into();
        let holder = Holder::from(&access);
        let turn = tokio::time::timeout(BRIEFLY, self.0.writes.take(holder, 1)).await;
        let turn = turn.map_err(|late| Error::Unavailable {
            message: "Other writes of the family last".to_owned(),
            cause: late.into(),
        })??;
        let work: BoxedWork = Box::new(move |tx| tx.with_lock_briefly(access.clone(), &mut *boxed));
        unboxed(self.write_boxed(holder, Lane::Common, Some(turn), work).await?)
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
