//! Something that is done for many families, one after the other.

use std::time::{Duration, Instant};

use purser_core::error::{Error, Result};

use super::{Store, is_busy};
use crate::access::{Access, FamilyTx};
use crate::families;

/// How much of a sweep may go to families that can't be reached.
const FAILURES_TIME: Duration = Duration::from_secs(5);
/// How much of it may go to families that are only busy.
const BUSY_TIME: Duration = Duration::from_secs(30);

/// Whether a sweep takes each family's turn and lock, or does what nothing else depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Each is a [`Store::write_briefly`].
    Take,
    /// Each is a [`Store::write_beside`].
    Skip,
}

/// What became of the families of a sweep.
#[derive(Debug)]
pub(crate) struct Swept<T> {
    /// The number of families for which it was done.
    pub(crate) done: usize,
    /// Those that are busy or can't be reached just now.
    pub(crate) left: Vec<(Access, T)>,
}

impl Store {
    /// Writes something for each of these families, in a transaction and with a short limit for
    /// each. One that can't be reached keeps none of the others waiting; when five seconds went to
    /// such ones, the rest of the families is left, too. One that is only busy is tried once more
    /// at the end. What fails for another reason is not left, because it would fail again; a family
    /// that is gone is neither. Failures are logged with `what` it was about. It begins with any of
    /// the families, so that the same ones aren't left each time.
    pub(crate) async fn sweep<T, F>(
        &self,
        what: &'static str,
        mut families: Vec<(Access, T)>,
        turn: Turn,
        work: F,
    ) -> Swept<T>
    where
        T: Clone + Send + 'static,
        F: Fn(&mut FamilyTx<'_>, &T) -> Result<()> + Clone + Send + 'static,
    {
        if !families.is_empty() {
            let moment = self.now().as_microsecond().unsigned_abs();
            let first = moment % families.len() as u64;
            families.rotate_left(usize::try_from(first).unwrap_or(0));
        }
        let mut swept = Swept { done: 0, left: Vec::new() };
        let (mut failing_for, mut busy_for) = (Duration::ZERO, Duration::ZERO);
        for is_last in [false, true] {
            let mut busy = Vec::new();
            for (access, about) in families {
                if failing_for >= FAILURES_TIME || busy_for >= BUSY_TIME {
                    swept.left.push((access, about));
                    continue;
                }
                let begun = Instant::now();
                let (one, work) = (about.clone(), work.clone());
                let write = move |tx: &mut FamilyTx<'_>| work(tx, &one);
                let done = match turn {
                    Turn::Take => self.write_briefly(access.clone(), write).await,
                    Turn::Skip => self.write_beside(access.clone(), write).await,
                };
                match done {
                    Ok(()) => swept.done += 1,
                    Err(error) if families::is_gone(&error) => {}
                    Err(error) if is_busy(&error) && !is_last => {
                        busy_for += begun.elapsed();
                        busy.push((access, about));
                    }
                    Err(error) => {
                        failing_for += begun.elapsed();
                        let family = access.family().number();
                        tracing::warn!(family, what, cause = ?error, "a family is left out");
                        if matches!(error, Error::Unavailable { .. }) {
                            swept.left.push((access, about));
                        }
                    }
                }
            }
            families = busy;
        }
        swept
    }
}
