//! New families.

use purser_core::error::Result;

use super::Store;
use super::boxed::{BoxedWork, unboxed, with_every_family, without_a_run};
use crate::driver::{Lane, Tx};
use crate::families::FamilyId;
use crate::installation;
use crate::shares::Holder;

impl Store {
    /// Makes a family: the closure gets the number that it is to have. The number is taken in a
    /// transaction of its own before, so that two who make families don't wait for each other: the
    /// machine that gets one of them may hang. A failure uses the number up.
    pub async fn found<T, F>(&self, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>, FamilyId) -> Result<T> + Send + 'static,
    {
        let number = self.write_urgent(installation::next_family_number).await?;
        let id = FamilyId::from_number(number);
        let boxed: BoxedWork = Box::new(move |tx| {
            tx.limit_time_of_founding()?;
            Ok(Box::new(work(tx, id)?))
        });
        let work = with_every_family(boxed);
        unboxed(self.write_boxed(Holder::FOUNDERS, Lane::Common, work).await?)
    }

    /// As [`Store::found`], for threads that may block.
    pub fn found_blocking<T>(
        &self,
        mut work: impl FnMut(&mut Tx<'_>, FamilyId) -> Result<T>,
    ) -> Result<T> {
        let number = self.write_directory_blocking(installation::next_family_number)?;
        let mut value = None;
        self.0.write(Holder::FOUNDERS, &mut |tx| {
            tx.limit_time_of_founding()?;
            let id = FamilyId::from_number(number);
            value = Some(tx.with_every_family(|tx| work(tx, id))?);
            Ok(())
        })?;
        value.ok_or_else(without_a_run)
    }
}
