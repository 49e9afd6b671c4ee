//! What a reader has in hand of the statement that it is in, and how it hands on what it found.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry as Slot};
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use jiff::civil::Date;

use super::Event;
use super::error::{Halt, Refusal, StatementError};
use super::limits::{
    REFERENCES_COMPARED_MAX, STATEMENT_FACTS_MAX, STATEMENT_PROBLEMS_MAX, STATEMENTS_MAX,
};
use super::model::{
    BankStatement, Doubt, Entry, EntryStatus, Location, PositionFacts, ProblemAbout, SecurityFacts,
    StatedBalance, StatedTotal, StatementProblem, UnreadableEntry,
};
use super::tally::Tally;

/// Hands on what a reader finds, in the order of the file.
pub(super) struct Reporter<'v> {
    each: &'v mut dyn FnMut(Event) -> ControlFlow<()>,
    /// The statement that the reader is in.
    current: Option<Current>,
    statements: u64,
}

#[derive(Default)]
struct Current {
    statement: BankStatement,
    tally: Tally,
    /// The last day of its booked entries.
    last_day: Option<Date>,
    /// Whether the caller knows of it.
    is_announced: bool,
    /// The lines of the identifiers that entries had.
    references: HashMap<u64, u64>,
    /// Entries of types that are usually money out.
    usually_out: UsuallyOut,
}

/// Entries of types that are usually money out, and which way they go.
#[derive(Default)]
struct UsuallyOut {
    /// How many are money in.
    plus: u64,
    /// How many are money out.
    minus: u64,
    /// The type of the first that is money in.
    first: String,
}

impl<'v> Reporter<'v> {
    pub(super) fn new(each: &'v mut dyn FnMut(Event) -> ControlFlow<()>) -> Self {
        Self { each, current: None, statements: 0 }
    }

    /// Begins a statement. One that is open must have ended before.
    pub(super) fn begin(&mut self, location: Location) -> Result<(), Halt> {
        self.statements += 1;
        if self.statements > STATEMENTS_MAX {
            let refusal = Refusal::TooManyStatements;
            return Err(StatementError::Refused { location, refusal }.into());
        }
        let statement = BankStatement { location, ..BankStatement::default() };
        self.current = Some(Current { statement, ..Current::default() });
        Ok(())
    }

    /// The statement that is open.
    pub(super) fn statement(&mut self) -> Option<&mut BankStatement> {
        self.current.as_mut().map(|current| &mut current.statement)
    }

    /// The last day that the open statement is about, as far as it is known that more isn't in it.
    pub(super) fn last_day(&self) -> Option<Date> {
        let current = self.current.as_ref()?;
        current.statement.to.map(|to| current.last_day.map_or(to, |last| last.max(to)))
    }

    /// Notes the type of an entry that is usually money out, and whether this one is money in.
    pub(super) fn note_usually_out(&mut self, kind: &str, is_in: bool) {
        let Some(Current { usually_out: its, .. }) = &mut self.current else { return };
        if !is_in {
            its.minus += 1;
            return;
        }
        if its.plus == 0 {
            kind.clone_into(&mut its.first);
        }
        its.plus += 1;
    }

    /// Why the amounts of the open statement seem to have no signs, or others than they should: no
    /// entry is money out, or more of those that usually are aren't.
    pub(super) fn unusual_signs(&self) -> Option<String> {
        let Current { usually_out: its, tally, .. } = self.current.as_ref()?;
        let UsuallyOut { plus, minus, first } = its;
        let sums = tally.sums.iter();
        let out: u64 = sums.map(|sums| sums.debits.count + sums.unbooked_debits.count).sum();
        if *plus > 0 && out == 0 {
            return Some(format!(
                "no amount has a minus, also those of the type {first}, which is usually money out"
            ));
        }
        (*plus > 1 && plus > minus).then(|| {
            format!(
                "{plus} of {} amounts have no minus though they are of types such as {first}, \
                 which is usually money out",
                plus + minus
            )
        })
    }

    pub(super) fn balance(&mut self, balance: StatedBalance) {
        let Some(statement) = self.statement() else { return };
        if statement.balances.len() < STATEMENT_FACTS_MAX {
            statement.balances.push(balance);
        } else {
            let reason = format!("More than {STATEMENT_FACTS_MAX} balances are stated");
            self.problem(ProblemAbout::Balance, balance.location, reason);
        }
    }

    pub(super) fn total(&mut self, total: StatedTotal) {
        let Some(statement) = self.statement() else { return };
        if statement.totals.len() < STATEMENT_FACTS_MAX {
            statement.totals.push(total);
        } else {
            let reason = format!("More than {STATEMENT_FACTS_MAX} totals are stated");
            self.problem(ProblemAbout::Total, total.location, reason);
        }
    }

    /// Notes a problem. Those of balances come first when there are too many: they decide about the
    /// proof.
    pub(super) fn problem(
        &mut self,
        about: ProblemAbout,
        location: Location,
        reason: impl Into<String>,
    ) {
        let Some(statement) = self.statement() else { return };
        let problem = StatementProblem { about, location, reason: reason.into() };
        if statement.problems.len() < STATEMENT_PROBLEMS_MAX {
            statement.problems.push(problem);
            return;
        }
        statement.more_problems += 1;
        let is_covered = statement.problems.iter().any(|its| its.about == about);
        if !is_covered && let Some(last) = statement.problems.last_mut() {
            *last = problem;
        }
    }

    /// Hands on an entry of the open statement.
    pub(super) fn entry(&mut self, mut entry: Entry) -> Result<(), Halt> {
        self.announce()?;
        let Some(current) = &mut self.current else { return Ok(()) };
        if let Some(reference) = &entry.texts.bank_reference
            && current.references.len() < REFERENCES_COMPARED_MAX
        {
            let mut hasher = DefaultHasher::new();
            (reference, entry.status as u8).hash(&mut hasher);
            match current.references.entry(hasher.finish()) {
                Slot::Vacant(slot) => {
                    slot.insert(entry.location.line);
                }
                Slot::Occupied(slot) => {
                    entry.doubts.push(Doubt::ReferenceRepeated { line: *slot.get() });
                }
            }
        }
        current.tally.add(&entry, current.statement.currency());
        if entry.status == EntryStatus::Booked {
            current.last_day = current.last_day.max(entry.booked_on);
        }
        self.send(Event::Entry(Box::new(entry)))
    }

    /// Hands on an entry that couldn't be read.
    pub(super) fn unreadable(&mut self, entry: UnreadableEntry) -> Result<(), Halt> {
        self.announce()?;
        if let Some(current) = &mut self.current {
            current.tally.unreadable += 1;
        }
        self.send(Event::Unreadable(entry))
    }

    pub(super) fn security(&mut self, security: SecurityFacts) -> Result<(), Halt> {
        self.send(Event::Security(Box::new(security)))
    }

    pub(super) fn position(&mut self, position: PositionFacts) -> Result<(), Halt> {
        self.announce()?;
        self.send(Event::Position(Box::new(position)))
    }

    /// Ends the open statement, if there is one.
    pub(super) fn end(&mut self) -> Result<(), Halt> {
        self.announce()?;
        match self.current.take() {
            Some(current) => {
                self.send(Event::End(Box::new(current.statement), Box::new(current.tally)))
            }
            None => Ok(()),
        }
    }

    /// Ends the file: it must have had a statement.
    pub(super) fn finish(mut self, location: Location) -> Result<(), Halt> {
        self.end()?;
        if self.statements == 0 {
            let refusal = Refusal::NoStatement;
            return Err(StatementError::Refused { location, refusal }.into());
        }
        Ok(())
    }

    /// Before the first entry the caller learns of which account it is.
    fn announce(&mut self) -> Result<(), Halt> {
        match &mut self.current {
            Some(current) if !current.is_announced => {
                current.is_announced = true;
                let statement = Box::new(current.statement.clone());
                self.send(Event::Begin(statement))
            }
            _ => Ok(()),
        }
    }

    fn send(&mut self, event: Event) -> Result<(), Halt> {
        match (self.each)(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Stopped),
        }
    }
}
