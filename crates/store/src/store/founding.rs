//! New families.

use purser_core::error::Result;

use super::Store;
use super::boxed::{BoxedWork, unboxed, with_every_family, without_a_run};
use crate::driver::{Lane, Tx};
use crate::families::FamilyId;
use crate::installation;
use crate::shares::Holder;

impl Store {
    /// Makes a family: the closure gets the number that it is to have. Two who make families don't
    /// wait for each other on PostgreSQL: the machine that gets one of them may hang.
    pub async fn found<T, F>(&self, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>, FamilyId) -> Result<T> + Send + 'static,
    {
        let boxed: BoxedWork = Box::new(move |tx| Ok(Box::new(begin(tx, &mut work)?)));
        let work = with_every_family(boxed);
        unboxed(self.write_boxed(Holder::FOUNDERS, Lane::Common, work).await?)
    }

    /// As [`Store::found`], for threads that may block.
    pub fn found_blocking<T>(
        &self,
        mut work: impl FnMut(&mut Tx<'_>, FamilyId) -> Result<T>,
    ) -> Result<T> {
        let mut value = None;
        self.0.write(Holder::FOUNDERS, &mut |tx| {
            value = Some(tx.with_every_family(|tx| begin(tx, &mut work))?);
            Ok(())
        })?;
        value.ok_or_else(without_a_run)
    }
}

/// Takes a number and makes the family.
fn begin<T>(
    tx: &mut Tx<'_>,
    work: &mut impl FnMut(&mut Tx<'_>, FamilyId) -> Result<T>,
) -> Result<T> {
    tx.limit_time_of_founding()?;
    let number = installation::next_family_number(tx)?;
    work(tx, FamilyId::from_number(number))
}
