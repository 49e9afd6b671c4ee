//! Something that is done for many families, one after the other.

use std::time::{Duration, Instant};

use purser_core::error::Result;

use super::Store;
use crate::access::{Access, FamilyTx};
use crate::families;

/// How much of a sweep may go to families that can't be reached.
const FAILURES_TIME: Duration = Duration::from_secs(5);

impl Store {
    /// Writes something for each of these families, in a transaction and with a short limit for
    /// each ([`Store::write_briefly`]). One that can't be reached keeps none of the others waiting;
    /// when five seconds went to such ones, the rest of the families is left, too. Returns what was
    /// left, which is logged with `what` it was about; a family that is gone isn't. It begins with
    /// any of the families, so that the same ones aren't left each time.
    pub(crate) async fn sweep<T, F>(
        &self,
        what: &'static str,
        mut families: Vec<(Access, T)>,
        work: F,
    ) -> Vec<(Access, T)>
    where
        T: Clone + Send + 'static,
        F: Fn(&mut FamilyTx<'_>, &T) -> Result<()> + Clone + Send + 'static,
    {
        if !families.is_empty() {
            let moment = self.now().as_microsecond().unsigned_abs();
            let first = moment % families.len() as u64;
            families.rotate_left(usize::try_from(first).unwrap_or(0));
        }
        let (mut left, mut failing_for) = (Vec::new(), Duration::ZERO);
        for (access, about) in families {
            if failing_for >= FAILURES_TIME {
                left.push((access, about));
                continue;
            }
            let begun = Instant::now();
            let (one, work) = (about.clone(), work.clone());
            let done = self.write_briefly(access.clone(), move |tx| work(tx, &one)).await;
            match done {
                Ok(()) => {}
                Err(error) if families::is_gone(&error) => {}
                Err(error) => {
                    failing_for += begun.elapsed();
                    let family = access.family().number();
                    tracing::warn!(family, what, cause = ?error, "a family is left out for now");
                    left.push((access, about));
                }
            }
        }
        left
    }
}
