//! Reads of a family's data, each within a limit.

use purser_core::error::Result;

use super::Store;
use super::boxed::{BoxedFamilyWork, BoxedWork, once, unboxed, with_access, with_every_family};
use crate::access::{Access, FamilyTx};
use crate::driver::{ReadLimit, Tx};
use crate::shares::Holder;
#[cfg(test)]
use crate::{driver::block_on, families::FamilyId, shares::Share};

impl Store {
    /// As [`Store::read`], for reports and other reads of which one of a family runs at a time:
    /// their statements may take half a minute.
    pub async fn read_at_length<T, F>(&self, access: impl Into<Access>, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        self.read_within(ReadLimit::at_length(), access.into(), work).await
    }

    pub(super) async fn read_within<T, F>(
        &self,
        limit: ReadLimit,
        access: Access,
        work: F,
    ) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        let mut work = Some(work);
        let holder = Holder::from(&access);
        let boxed: BoxedFamilyWork = Box::new(move |tx| Ok(Box::new(once(&mut work)?(tx)?)));
        let _audience = limit.audience();
        unboxed(self.read_boxed(holder, Some(limit), with_access(access, boxed)).await?)
    }

    /// Reads rows of all families in one snapshot, for what a server looks for without being asked.
    /// A machine that hangs holds it up, so it uses no connection that requests need: together such
    /// reads count as one family. Their statements may take half a minute.
    pub async fn read_every_family<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let mut work = Some(work);
        let boxed: BoxedWork = Box::new(move |tx| Ok(Box::new(once(&mut work)?(tx)?)));
        let (limit, work) = (ReadLimit::at_length(), with_every_family(boxed));
        let _audience = limit.audience();
        unboxed(self.read_boxed(Holder::EVERY_FAMILY, Some(limit), work).await?)
    }

    /// Asks a directory for a family, and then the rows of that family. These are two transactions,
    /// and the second one is the family's own: a machine that hangs keeps nobody else waiting.
    pub(crate) async fn read_by_directory<L, T>(
        &self,
        directory: impl FnOnce(&mut Tx<'_>) -> Result<Option<(Access, L)>> + Send + 'static,
        rows: impl FnOnce(&mut FamilyTx<'_>, L) -> Result<Option<T>> + Send + 'static,
    ) -> Result<Option<T>>
    where
        L: Send + 'static,
        T: Send + 'static,
    {
        let Some((access, lead)) = self.read_directory(directory).await? else { return Ok(None) };
        self.read(access, move |tx| rows(tx, lead)).await
    }

    /// All connections that a family may have.
    #[cfg(test)]
    pub(crate) fn take_connections(&self, family: FamilyId) -> Share {
        block_on(self.0.connections.take(family.into(), u64::MAX)).unwrap()
    }

    /// How many requests of a family wait for a connection.
    #[cfg(test)]
    pub(crate) fn waiting(&self, family: FamilyId) -> usize {
        self.0.connections.waiting(family)
    }
}
