//! What statements contradict or lack, as sentences that a person is asked about.

use purser_core::import::source_file::FileFormat;

use super::model::{BalanceKind, BankStatement, ProblemAbout, StatedTotal, TotalOf};
use super::ofx::LATER;
use super::proof::{Missing, Proof, StatementCheck};
use super::tally::{CurrencySums, Tally};
use super::text::quoted;

/// What one statement contradicts or lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unproven {
    /// Which statement it is, with a capital.
    title: String,
    /// By how much the balances differ, and whether nothing else contradicts the entries.
    differs: Option<String>,
    /// Totals contradict the entries.
    has_other_totals: bool,
    /// Why amounts may mean something else.
    doubts: Vec<String>,
    /// What a proof by balances would need.
    missing: Vec<Missing>,
    /// Why balances can't be read.
    reasons: Vec<String>,
    /// Totals of all entries agree.
    has_totals: bool,
}

impl Unproven {
    /// None if everything that a proof needs is there, or if there is nothing to prove.
    pub(super) fn of(
        statement: &BankStatement,
        tally: &Tally,
        check: &StatementCheck,
    ) -> Option<Self> {
        let about = |what: ProblemAbout| {
            let its = statement.problems.iter().filter(move |its| its.about == what);
            its.map(|its| its.reason.clone())
        };
        let doubts: Vec<String> = about(ProblemAbout::Amounts).collect();
        if (check.is_proven() && doubts.is_empty())
            || (tally.booked + tally.unreadable == 0 && is_silent(statement))
        {
            return None;
        }
        let number = statement.number.as_deref().or(statement.id.as_deref()).unwrap_or("?");
        let later = BalanceKind::Other(LATER.to_owned());
        let later = statement
            .balances_of(&later)
            .filter_map(|its| its.on)
            .map(|on| format!("{LATER} of {on} is too late"));
        Some(Self {
            title: format!("Statement {number} (line {})", statement.location.line),
            differs: differs(&check.proof),
            // Entries that can't be read are missing in the totals, and are named one by one.
            has_other_totals: !check.differences.is_empty() && tally.unreadable == 0,
            missing: match &check.proof {
                Proof::Incomplete { missing, .. } => missing.clone(),
                _ => Vec::new(),
            },
            doubts,
            reasons: about(ProblemAbout::Balance).chain(later).collect(),
            has_totals: check.totals_agree > 0
                && check.differences.is_empty()
                && check.totals_unread == 0
                && are_of_all(&statement.totals, tally),
        })
    }

    /// What contradicts the entries.
    pub(super) fn contradictions(&self, with_balances: bool) -> Vec<String> {
        let title = &self.title;
        let differs = self.differs.iter().filter(|_| with_balances);
        let mut found: Vec<String> = differs.map(|its| format!("{title}: {its}")).collect();
        if self.has_other_totals {
            found.push(format!("{title}: its totals are not those of its entries"));
        }
        found.extend(self.doubts.iter().map(|doubt| format!("{title}: {doubt}")));
        found
    }

    /// What is missing. OFX has no opening balance: the ledger, or the statement before, stands for
    /// it. Reports of a day and notifications have no balances, and are proven by their totals.
    pub(super) fn lacks(&self, format: FileFormat) -> Option<String> {
        use FileFormat::{Camt052, Camt054, Mt942, Ofx};
        let by_totals = self.has_totals && matches!(format, Camt052 | Camt054 | Mt942);
        let is_asked = |missing: &&Missing| match missing {
            Missing::OpeningBalance => format != Ofx && !by_totals,
            Missing::ClosingBalance => !by_totals,
            // They are rows that can't be read either.
            Missing::ReadableEntries(_) => false,
            _ => true,
        };
        let missing: Vec<String> =
            self.missing.iter().filter(is_asked).map(Missing::to_string).collect();
        if missing.is_empty() {
            return None;
        }
        let reasons = self.reasons.iter().map(|reason| format!(" ({})", quoted(reason)));
        Some(format!("{}: {}{}", self.title, missing.join(", "), reasons.collect::<String>()))
    }
}

/// Whether a statement without entries has no balance either: then there may be nothing in it.
fn is_silent(statement: &BankStatement) -> bool {
    statement.balances.is_empty() && statement.problems.is_empty()
}

/// Whether no entry could be missing in the sums, and no reversal have another direction. Banks
/// leave out the total of a direction without entries.
fn are_of_all(totals: &[StatedTotal], tally: &Tally) -> bool {
    let has = |of: TotalOf| totals.iter().any(|total| total.of == of && total.sum.is_some());
    let has_reversals = tally.sums.iter().any(|sums| sums.reversals.count > 0);
    let none = |count: fn(&CurrencySums) -> u64| tally.sums.iter().map(count).sum::<u64>() == 0;
    let no_credits = none(|sums| sums.credits.count + sums.unbooked_credits.count);
    let no_debits = none(|sums| sums.debits.count + sums.unbooked_debits.count);
    let by_direction = match (has(TotalOf::Credits), has(TotalOf::Debits)) {
        _ if has(TotalOf::Net) => true,
        (true, true) => true,
        (true, false) => no_debits,
        (false, true) => no_credits,
        (false, false) => false,
    };
    by_direction || (has(TotalOf::All) && !has_reversals)
}

fn differs(proof: &Proof) -> Option<String> {
    let Proof::Differs { opening, sum, closing, difference, if_reversals_are_opposite } = proof
    else {
        return None;
    };
    let more = match if_reversals_are_opposite {
        true => "; it would agree if its reversals had the other sign",
        false => "",
    };
    Some(format!(
        "{opening} and entries of {sum} don't come to {closing}, but differ by {difference}{more}"
    ))
}
