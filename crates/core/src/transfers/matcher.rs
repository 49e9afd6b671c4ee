//! The sliding window: entries come in by day, pairs come out.
//!
//! The result of an entry is known in steps, each [`DAYS_MAX`] days after the one before: its
//! candidates, once all entries around it are there; its best pairs, once the candidates of its
//! candidates are known (they are its rivals); the pairs themselves, once both sides know their
//! best. So the window holds seventeen days, however many entries come.

use std::collections::HashMap;

use super::evidence::{self, Assessment, Evidence, Hints, NamedAccount, Side};
use super::window::{Window, WindowEntry, WindowPosition};
use super::{Context, DAYS_MAX, Entry, MatchedPair, PROPOSALS_MAX};
use crate::error::{Error, Result};
use crate::ids::AccountId;

/// The steps that an entry goes through after it came in.
const STEPS: i64 = 4;

/// Finds pairs among entries that come in the order of their days.
pub struct Matcher<'c> {
    context: &'c Context,
    accounts: HashMap<AccountId, NamedAccount>,
    window: Window,
    /// The day of the last entry.
    day: Option<i64>,
}

impl<'c> Matcher<'c> {
    /// Nothing came in yet.
    pub fn new(context: &'c Context) -> Self {
        Self {
            context,
            accounts: evidence::accounts(context),
            window: Window::default(),
            day: None,
        }
    }

    /// Takes an entry, not older than the one before, and hands out pairs that are settled now.
    pub fn push(&mut self, entry: Entry, found: &mut impl FnMut(MatchedPair)) -> Result<()> {
        if !self.context.accounts.contains_key(&entry.account) {
            return Ok(());
        }
        match self.day {
            Some(day) if entry.day < day => {
                return Err(Error::internal("the entries are not in the order of their days"));
            }
            Some(day) if entry.day > day => self.advance(day, entry.day, found),
            _ => {}
        }
        self.day = Some(entry.day);
        self.window.add(entry);
        Ok(())
    }

    /// Hands out the rest.
    pub fn finish(mut self, found: &mut impl FnMut(MatchedPair)) {
        if let Some(day) = self.day {
            self.advance(day, day.saturating_add(STEPS * DAYS_MAX + 1), found);
        }
    }

    /// The days before `to` are complete; until now those before `from` were.
    fn advance(&mut self, from: i64, to: i64, found: &mut impl FnMut(MatchedPair)) {
        // Beyond the last step nothing is left to do, however long the gap.
        let to_at_most = from.saturating_add(STEPS * DAYS_MAX + 1);
        for complete in from..to.min(to_at_most) {
            let step = |number: i64| complete.saturating_sub(number * DAYS_MAX);
            self.find_candidates(step(1));
            self.rank(step(2));
            self.settle(step(3), found);
            self.window.forget_before(step(4).saturating_add(1));
        }
    }

    fn find_candidates(&mut self, day: i64) {
        for place in self.window.places(day..=day) {
            let Some(WindowEntry { entry, .. }) = self.window.get(place) else { continue };
            let mut candidates = self.window.opposites(entry).unwrap_or_default();
            candidates.retain(|other| {
                self.window.get(*other).is_some_and(|other| !self.is_rejected(entry, &other.entry))
            });
            if candidates.is_empty() {
                continue;
            }
            let (crowd, hints) = (self.window.crowd(entry), Hints::of(self.context, entry));
            if let Some(held) = self.window.get_mut(place) {
                held.candidates = candidates;
                held.crowd = crowd;
                held.hints = hints;
            }
        }
    }

    fn rank(&mut self, day: i64) {
        for place in self.window.places(day..=day) {
            let Some(held) = self.window.get(place) else { continue };
            let mut ranked = Vec::with_capacity(held.candidates.len());
            for candidate in &held.candidates {
                let Some(other) = self.window.get(*candidate) else { continue };
                // One that has too many equals itself has none of them.
                if !other.candidates.contains(&place) {
                    continue;
                }
                let evidence = self.evidence(held, other);
                let Assessment { score, decision } = evidence.assess();
                if decision.is_some() {
                    let order = (u8::MAX - score, evidence.days_apart, other.entry.id);
                    ranked.push((order, *candidate));
                }
            }
            ranked.sort_unstable();
            ranked.truncate(PROPOSALS_MAX);
            let best: Vec<WindowPosition> =
                ranked.into_iter().map(|(_, candidate)| candidate).collect();
            if let Some(held) = self.window.get_mut(place) {
                held.best = best;
            }
        }
    }

    /// Hands out the pairs of which the money went out on a day.
    fn settle(&self, day: i64, found: &mut impl FnMut(MatchedPair)) {
        for place in self.window.places(day..=day) {
            let Some(held) = self.window.get(place).filter(|held| held.entry.amount > 0) else {
                continue;
            };
            for candidate in &held.best {
                let Some(other) = self.window.get(*candidate) else { continue };
                let evidence = self.evidence(held, other);
                let Assessment { score, decision } = evidence.assess();
                let Some(decision) = decision.filter(|_| other.best.contains(&place)) else {
                    continue;
                };
                found(MatchedPair {
                    outflow: held.entry.id,
                    inflow: other.entry.id,
                    days: (held.entry.day, other.entry.day),
                    decision,
                    score,
                    reasons: evidence.reasons(),
                });
            }
        }
    }

    fn is_rejected(&self, one: &Entry, other: &Entry) -> bool {
        let (outflow, inflow) = if one.amount > 0 { (one, other) } else { (other, one) };
        self.context.rejected.contains(&(outflow.id, inflow.id))
    }

    fn evidence<'e>(&'e self, one: &'e WindowEntry, other: &'e WindowEntry) -> Evidence<'e> {
        let (outflow, inflow) = if one.entry.amount > 0 { (one, other) } else { (other, one) };
        let side = |held: &'e WindowEntry| Side {
            day: held.entry.day,
            account: self.accounts.get(&held.entry.account),
            hints: &held.hints,
            candidates: held.candidates.len(),
            crowd: held.crowd,
        };
        Evidence::of(side(outflow), side(inflow))
    }
}
