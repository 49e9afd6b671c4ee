//! How far the execution of a plan is, from one commit to the next.

use purser_core::ids::{EntryId, IdBlock};
use purser_core::sync::{Counts, SyncPlan};

/// How far the execution for an account is: several commits may carry it out.
#[derive(Debug, Clone, Default)]
pub struct Position {
    /// The changes of the plan that are executed.
    pub(super) changes: usize,
    pub(super) is_done: bool,
    /// The ids of all entries that the run may add to the account, so that they are one range.
    pub(super) ids: Option<IdBlock>,
    pub(super) ids_used: u64,
    /// The first and the last entry that was added.
    pub(super) range: Option<(EntryId, EntryId)>,
    pub(super) images: usize,
    /// What earlier plans for the same answer have done.
    pub(super) earlier: Counts,
    /// What the plan has done so far.
    pub(super) done: Counts,
}

impl Position {
    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The beginning of another plan for the same answer. What was executed is known to it.
    #[must_use]
    pub fn of_new_plan(self) -> Self {
        let earlier = self.done.after(self.earlier);
        Self { changes: 0, is_done: false, earlier, done: Counts::default(), ..self }
    }

    /// What the run has done in the account by now.
    pub(super) fn counts(&self, plan: &SyncPlan) -> Counts {
        let counts = if self.is_done { plan.counts } else { self.done };
        counts.after(self.earlier)
    }
}
