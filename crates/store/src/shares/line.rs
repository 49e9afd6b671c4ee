//! The lines in which families wait for their shares.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use tokio::sync::oneshot;

use super::{Share, Shares};
use crate::audit::Actor;
use crate::families::FamilyId;

/// What is free, and who has or waits for the rest.
#[derive(Debug)]
pub(super) struct State {
    pub(super) free: u64,
    /// A family that has nothing and waits for nothing has no line.
    pub(super) lines: HashMap<Option<FamilyId>, Line>,
    /// The families that wait, in the order of their turns.
    turns: VecDeque<Option<FamilyId>>,
}

/// What a family has, and its requests that wait.
#[derive(Debug, Default)]
pub(super) struct Line {
    units: u64,
    /// By key or person, in the order of their turns; none is empty.
    waiting: VecDeque<(Option<Actor>, VecDeque<Waiter>)>,
}

/// A request that waits, unless the other end of its ticket is gone.
#[derive(Debug)]
pub(super) struct Waiter {
    pub(super) units: u64,
    pub(super) ticket: oneshot::Sender<Share>,
}

impl State {
    pub(super) fn new(total: u64) -> Self {
        Self { free: total, lines: HashMap::new(), turns: VecDeque::new() }
    }

    pub(super) fn enqueue(
        &mut self,
        family: Option<FamilyId>,
        actor: Option<Actor>,
        waiter: Waiter,
    ) {
        let line = self.lines.entry(family).or_default();
        if line.waiting.is_empty() {
            self.turns.push_back(family);
        }
        match line.waiting.iter_mut().find(|(known, _)| *known == actor) {
            Some((_, waiters)) => waiters.push_back(waiter),
            None => line.waiting.push_back((actor, VecDeque::from([waiter]))),
        }
    }

    /// Gives what is free to the families in turn. One that may not have more is passed over
    /// and keeps its turn. If less is free than the next one needs, all wait for it: requests that
    /// need little would else always come first.
    pub(super) fn hand_out(&mut self, shares: &Arc<Shares>) {
        let mut at = 0;
        while let Some(family) = self.turns.get(at).copied() {
            let line = self.lines.entry(family).or_default();
            line.forget_gone();
            let Some(units) = line.next_units() else {
                self.turns.remove(at);
                self.forget_if_idle(family);
                continue;
            };
            if !line.may_have(family, units, self.free, shares) {
                at += 1;
                continue;
            }
            if units > self.free {
                break;
            }
            let Some(waiter) = line.pop() else { break };
            self.turns.remove(at);
            if !line.waiting.is_empty() {
                self.turns.push_back(family);
            }
            let share = Share { shares: shares.clone(), family, units };
            match waiter.ticket.send(share) {
                Ok(()) => {
                    line.units += units;
                    self.free -= units;
                }
                // It stopped waiting just now. Dropping the share would take the lock again.
                Err(mut share) => {
                    share.units = 0;
                    self.forget_if_idle(family);
                }
            }
        }
    }

    /// Takes more for a family that has something already, if it may have it.
    pub(super) fn grow(&mut self, family: Option<FamilyId>, more: u64, shares: &Shares) -> bool {
        let line = self.lines.entry(family).or_default();
        let is_possible = more <= self.free && line.may_have(family, more, self.free, shares);
        if is_possible {
            line.units += more;
            self.free -= more;
        }
        self.forget_if_idle(family);
        is_possible
    }

    pub(super) fn give_back(&mut self, family: Option<FamilyId>, units: u64) {
        self.free += units;
        if let Some(line) = self.lines.get_mut(&family) {
            line.units -= units;
        }
        self.forget_if_idle(family);
    }

    fn forget_if_idle(&mut self, family: Option<FamilyId>) {
        let is_idle = |line: &Line| line.units == 0 && line.waiting.is_empty();
        if self.lines.get(&family).is_some_and(is_idle) {
            self.lines.remove(&family);
        }
    }
}

impl Line {
    /// Whether the family may get more, as soon as that is free: at most its part, and the first
    /// of it before others get more than one. What belongs to no family waits for none of their
    /// machines, so it needs what is kept back only for a moment.
    fn may_have(&self, family: Option<FamilyId>, more: u64, free: u64, shares: &Shares) -> bool {
        let is_kept_back = family.is_some() && self.units > 0 && free < more + shares.kept_back;
        !is_kept_back && self.units + more <= shares.of_family_max
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.waiting.iter().map(|(_, waiters)| waiters.len()).sum()
    }

    /// Forgets requests that stopped waiting, up to the first that waits.
    fn forget_gone(&mut self) {
        while let Some((_, waiters)) = self.waiting.front_mut() {
            while waiters.front().is_some_and(|waiter| waiter.ticket.is_closed()) {
                waiters.pop_front();
            }
            if !waiters.is_empty() {
                return;
            }
            self.waiting.pop_front();
        }
    }

    fn next_units(&self) -> Option<u64> {
        Some(self.waiting.front()?.1.front()?.units)
    }

    /// The next request; the one after it is another key's.
    fn pop(&mut self) -> Option<Waiter> {
        let (actor, mut waiters) = self.waiting.pop_front()?;
        let waiter = waiters.pop_front();
        if !waiters.is_empty() {
            self.waiting.push_back((actor, waiters));
        }
        waiter
    }
}
