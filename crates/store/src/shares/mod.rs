//! Shares of what there is only so much of: connections, bytes of memory, turns to write.
//!
//! Whoever finds nothing free waits. What becomes free goes to the families in turn, within a
//! family to its keys in turn, and within a key to the request that came first. A family never has
//! more than its part, so there is always something for another one: however much one family asks
//! for, another waits for one turn and not for all of them.
//!
//! What a family may do only once at a time is a share of 1 where a family may have 1. What
//! somebody may keep for long, such as a connection to a machine that hangs, can be kept back for
//! families that have nothing of it yet.

mod line;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use purser_core::error::{Error, Result};
use tokio::sync::oneshot;

use crate::access::Access;
use crate::audit::Actor;
use crate::families::FamilyId;
use line::{State, Waiter};

/// A number of units that many share.
#[derive(Debug)]
pub struct Shares {
    total: u64,
    of_family_max: u64,
    /// What must stay free after a family that has something already has got more.
    kept_back: u64,
    state: Mutex<State>,
}

/// The family, and who acts for it, for whom a share is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    family: Option<FamilyId>,
    actor: Option<Actor>,
}

/// Units that somebody has, until they are dropped.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    family: Option<FamilyId>,
    units: u64,
}

impl Holder {
    /// Requests that belong to no family, such as a search for a key; together they get as much as
    /// a family, also of what is kept back.
    pub const NOBODY: Self = Self { family: None, actor: None };
    /// Whoever makes a family that isn't there yet; together they get as much as a family. No
    /// family has the number 0.
    pub(crate) const FOUNDERS: Self = Self { family: Some(FamilyId::NONE), actor: None };
    /// What looks at the rows of all families; together that gets as much as a family.
    pub(crate) const EVERY_FAMILY: Self = Self { family: Some(FamilyId::EVERY), actor: None };
}

impl From<&Access> for Holder {
    fn from(access: &Access) -> Self {
        Self { family: Some(access.family()), actor: Some(access.actor()) }
    }
}

impl From<FamilyId> for Holder {
    fn from(family: FamilyId) -> Self {
        Self { family: Some(family), actor: None }
    }
}

impl Shares {
    /// So many units in all, of which a family has at most `of_family_max` at a time.
    pub fn new(total: u64, of_family_max: u64) -> Arc<Self> {
        Self::keeping_back(total, of_family_max, 0)
    }

    /// As [`Shares::new`]; a family that has something already gets more only if so many units are
    /// left after that for those that have nothing.
    pub(crate) fn keeping_back(total: u64, of_family_max: u64, kept_back: u64) -> Arc<Self> {
        let of_family_max = of_family_max.min(total);
        let state = Mutex::new(State::new(total));
        Arc::new(Self { total, of_family_max, kept_back, state })
    }

    /// Waits for a share. More than a family may have counts as all that it may have.
    pub async fn take(self: &Arc<Self>, holder: Holder, units: u64) -> Result<Share> {
        let (ticket, share) = oneshot::channel();
        let units = units.min(self.of_family_max);
        {
            let mut state = self.state();
            state.enqueue(holder.family, holder.actor, Waiter { units, ticket });
            state.hand_out(self);
        }
        share.await.map_err(Error::internal)
    }

    /// A share of nothing, which [`Share::resize`] may make larger.
    pub fn nothing(self: &Arc<Self>, holder: Holder) -> Share {
        Share { shares: self.clone(), family: holder.family, units: 0 }
    }

    /// The number of units that are taken.
    pub fn taken(&self) -> u64 {
        self.total - self.state().free
    }

    /// The number of requests of a family that wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self, family: FamilyId) -> usize {
        self.state().lines.get(&Some(family)).map_or(0, line::Line::waiting)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Gives back what is too much, or takes more if that is free and the family may have it;
    /// returns whether the share has the size now. It doesn't wait: who waits with a share in the
    /// hand may wait for somebody who does the same.
    pub fn resize(&mut self, units: u64) -> bool {
        let mut state = self.shares.state();
        let is_possible = match units.checked_sub(self.units) {
            Some(more) => state.grow(self.family, more, &self.shares),
            None => {
                state.give_back(self.family, self.units - units);
                state.hand_out(&self.shares);
                true
            }
        };
        if is_possible {
            self.units = units;
        }
        is_possible
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.units > 0 {
            let mut state = self.shares.state();
            state.give_back(self.family, self.units);
            state.hand_out(&self.shares);
        }
    }
}
