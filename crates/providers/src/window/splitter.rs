//! Asking again in halves for what an answer left out.
//!
//! The requests are made elsewhere: [`Splitter::next_window`] names the next window,
//! [`Splitter::add`] takes the answer, and in the end there are all rows and whether they are
//! whole.
//!
//! Some providers report a wrong number of rows, one that is of another window, or one that counts
//! rows which are never given, such as pending ones. So a window is only split further
//! if its answer may have been cut off, that is if it is as long as the longest of all answers; or
//! if its numbers add up to no more than that of the whole, as numbers do that mean the window, and
//! the halves brought rows that the whole didn't have, or are too long to be certainly whole:
//! longer than half of the longest answer. Where none of it holds, or the shortest windows are left
//! and none of their answers may have been cut off, the number is wrong, and all rows are there.
//! Where the requests are used up before, rows may be missing; and so they may where ten or more
//! that are counted were never given, and no more than those came.

use super::{Collected, Window};
use crate::snapshot::{Completeness, TransactionSnapshot, TransactionsSnapshot, UnreadableRow};

/// So many times what came is missing where a bank is not ready yet.
const LACKS_MOST: u64 = 10;
/// How often a window is halved: 256 parts of a first window.
const DEPTH_MAX: u32 = 8;
/// Requests for one account in one run.
const REQUESTS_MAX: usize = 64;

/// An answer with fewer rows was never cut off for its length.
const CUT_OFF_ROWS_MIN: usize = 10;

/// An answer about one of the windows.
#[derive(Debug, Default)]
pub struct Part {
    /// The rows of the answer, wherever their days are.
    pub rows: Vec<TransactionSnapshot>,
    /// Rows that can't be read.
    pub unreadable: Vec<UnreadableRow>,
    /// How many further rows the answer has that weren't asked for.
    pub unwanted: usize,
    /// How many rows there are, as the provider reports it.
    pub total: Option<u64>,
    /// Whether the provider reports more in another way, such as a cursor.
    pub has_more: bool,
}

/// A window that was asked for, or is going to be.
#[derive(Debug)]
struct Node {
    window: Window,
    depth: u32,
    parent: Option<usize>,
    answer: Option<Outcome>,
}

/// What remains to be known of an answer.
#[derive(Debug, Clone, Copy, Default)]
struct Outcome {
    total: Option<u64>,
    is_partial: bool,
    has_more: bool,
    /// Whether most of its rows are of other days than were asked for.
    is_elsewhere: bool,
    received: usize,
    added: usize,
    children: Option<(usize, usize)>,
}

/// The windows to ask for, and what came of them.
#[derive(Debug)]
pub struct Splitter {
    whole: Window,
    nodes: Vec<Node>,
    waiting: Vec<usize>,
    collected: Collected,
    unreadable: Vec<UnreadableRow>,
    completeness: Completeness,
    /// The rows of the longest answer.
    longest: usize,
    has_wrong_number: bool,
    /// How many rows are counted, and not given, in windows that are certainly not cut off.
    never_given: u64,
}

impl Splitter {
    /// Begins with the whole window.
    pub fn new(whole: Window) -> Self {
        let node = Node { window: whole, depth: 0, parent: None, answer: None };
        Self {
            whole,
            nodes: vec![node],
            waiting: vec![0],
            collected: Collected::default(),
            unreadable: Vec::new(),
            completeness: Completeness::Whole,
            longest: 0,
            has_wrong_number: false,
            never_given: 0,
        }
    }

    /// The window to ask for next; `None` when all is there that can be had.
    pub fn next_window(&self) -> Option<Window> {
        self.waiting.last().map(|at| self.nodes[*at].window)
    }

    /// Takes the answer about the window that [`Splitter::next_window`] named.
    pub fn add(&mut self, part: Part) {
        let Some(at) = self.waiting.pop() else { return };
        let received = part.rows.len() + part.unreadable.len() + part.unwanted;
        let is_partial = part.has_more
            || part.total.is_some_and(|total| total > u64::try_from(received).unwrap_or(u64::MAX));
        for row in part.unreadable {
            // The same row may be in several answers; its position differs.
            let is_known = self
                .unreadable
                .iter()
                .any(|known| (&known.id, known.problem) == (&row.id, row.problem));
            if at == 0 || !is_known {
                self.unreadable.push(row);
            }
        }
        let window = self.nodes[at].window;
        let elsewhere = part.rows.iter().filter(|row| !window.contains(row.date)).count();
        let whole = self.whole;
        let inside = part.rows.into_iter().filter(|row| whole.contains(row.date)).collect();
        let added = self.collected.add(inside);
        self.longest = self.longest.max(received);
        let outcome = Outcome {
            total: part.total,
            is_partial,
            has_more: part.has_more,
            is_elsewhere: elsewhere * 2 > received,
            received,
            added,
            children: None,
        };
        self.nodes[at].answer = Some(outcome);
        match self.nodes[at].parent {
            None if is_partial => self.split(at),
            None => {}
            Some(parent) => self.judge_halves(parent),
        }
    }

    /// The answer about that window is larger than any may be, so its halves are asked for instead.
    /// False if there are none, or if enough was asked for.
    pub fn add_too_large(&mut self) -> bool {
        let Some(at) = self.waiting.last().copied() else { return false };
        if !self.can_split(at) {
            return false;
        }
        self.waiting.pop();
        let outcome = Outcome::default();
        self.nodes[at].answer = Some(outcome);
        self.split(at);
        if let Some(parent) = self.nodes[at].parent {
            self.judge_halves(parent);
        }
        true
    }

    fn can_split(&self, at: usize) -> bool {
        let Node { window, depth, .. } = self.nodes[at];
        window.days() > 1 && depth < DEPTH_MAX && self.nodes.len() + 2 <= REQUESTS_MAX
    }

    /// Once both halves of a window are there: splits those further that are partial.
    fn judge_halves(&mut self, parent: usize) {
        let Some(whole) = self.nodes[parent].answer else { return };
        let Some((early, late)) = whole.children else { return };
        let halves = [early, late].map(|at| (at, self.nodes[at].answer));
        let [(_, Some(early)), (_, Some(late))] = halves else { return };
        let adds_up = match (whole.total, early.total, late.total) {
            (Some(whole), Some(early), Some(late)) => early.saturating_add(late) <= whole,
            _ => false,
        };
        let brings_rows = early.added + late.added > 0;
        let keeps_to_windows = !early.is_elsewhere && !late.is_elsewhere;
        let long = self.longest();
        for (at, half) in halves {
            let Some(half) = half.filter(|half| half.is_partial) else { continue };
            let may_be_cut_off = keeps_to_windows && half.received >= long;
            let is_certain = !brings_rows && half.received * 2 <= long;
            if (adds_up && !is_certain) || may_be_cut_off || (half.has_more && brings_rows) {
                self.split(at);
            } else if half.has_more || !keeps_to_windows {
                self.completeness = Completeness::Partial;
            } else {
                self.has_wrong_number = true;
                let lacks = |one: Outcome| one.total?.checked_sub(one.received as u64);
                let lacking = lacks(half).filter(|_| adds_up).unwrap_or(0);
                self.never_given = self.never_given.saturating_add(lacking);
            }
        }
    }

    fn split(&mut self, at: usize) {
        let Node { window, depth, .. } = self.nodes[at];
        let can_split = self.can_split(at);
        let Some((early, late)) = window.halves().filter(|_| can_split) else {
            self.judge_unsplit(at);
            return;
        };
        let first = self.nodes.len();
        for window in [early, late] {
            let node = Node { window, depth: depth + 1, parent: Some(at), answer: None };
            self.nodes.push(node);
        }
        // The later half is asked for first.
        self.waiting.extend([first, first + 1]);
        if let Some(outcome) = &mut self.nodes[at].answer {
            outcome.children = Some((first, first + 1));
        }
    }

    /// A partial answer that can't be asked for in halves: rows are missing if it may have been cut
    /// off, and perhaps if it could be halved, but enough was asked for. Else the number counts
    /// something that is never given, as pending rows that weren't asked for.
    fn judge_unsplit(&mut self, at: usize) {
        let long = self.longest();
        let is_short = |one: Outcome| !one.has_more && !one.is_elsewhere && one.received < long;
        let Node { window, depth, .. } = self.nodes[at];
        // The shortest windows could not be halved if there were requests left.
        let is_spent = window.days() > 1 && depth < DEPTH_MAX;
        match self.nodes[at].answer {
            Some(one) if one.is_partial && is_short(one) && !is_spent => {
                self.has_wrong_number = true
            }
            _ => self.completeness = Completeness::Partial,
        }
    }

    /// Whether a provider gives next to nothing of what it counts. Its bank may not be ready
    /// yet: that is no wrong number, unless it is a small one, as of a few pending rows in an
    /// account that is hardly used.
    fn lacks_most(&self) -> bool {
        let came = self.collected.len() + self.unreadable.len();
        let received = self.nodes[0].answer.map_or(0, |one| one.received);
        let most = LACKS_MOST * came.max(received) as u64;
        self.never_given >= CUT_OFF_ROWS_MIN as u64 && self.never_given >= most
    }

    /// The rows of the longest answer, or as many as no answer was ever cut off at.
    fn longest(&self) -> usize {
        self.longest.max(CUT_OFF_ROWS_MIN)
    }

    /// How many windows were asked for.
    pub fn requests(&self) -> usize {
        self.nodes.len() - self.waiting.len()
    }

    /// All rows of the window, each day where it belongs.
    pub fn finish(self) -> TransactionsSnapshot {
        let lacks_most = self.lacks_most();
        TransactionsSnapshot {
            rows: self.collected.into_rows(),
            unreadable: self.unreadable,
            completeness: match self.completeness {
                Completeness::Whole if lacks_most => Completeness::Partial,
                Completeness::Whole if self.has_wrong_number => Completeness::NumberDiffers,
                other => other,
            },
        }
    }
}

#[cfg(test)]
#[path = "splitter_tests.rs"]
mod tests;
