//! Whether a statement is whole: opening balance and booked entries come to the closing balance.
//!
//! The check is exact, to the last digit. Where something that it needs isn't there, it names what
//! is missing and proves nothing. Totals that a bank states (the number of entries, the sum of
//! credits) are compared as well; a statement without balances has no other proof.

use super::amount::Amount;
use super::model::{BalanceKind, BankStatement, ProblemAbout, StatedBalance, StatedTotal, TotalOf};
use super::tally::{CountedSum, CurrencySums, Tally};

/// What the balances of a statement show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// Opening and booked entries come to closing.
    Proven {
        /// The balance before the first entry.
        opening: Amount,
        /// The balance after the last entry.
        closing: Amount,
    },
    /// They come to something else: an entry is wrong, missing or there twice.
    Differs {
        /// The balance before the first entry.
        opening: Amount,
        /// What the booked entries come to.
        sum: Amount,
        /// The balance after the last entry.
        closing: Amount,
        /// What the entries would have to come to besides.
        difference: Amount,
        /// The balances agree if all reversals have the other sign: the bank may mark them so.
        if_reversals_are_opposite: bool,
    },
    /// It can't be shown.
    Incomplete {
        /// Everything that a proof would need.
        missing: Vec<Missing>,
        /// What the entries that were read don't explain, if both balances are there.
        difference: Option<Amount>,
    },
}

/// What a proof by balances would need.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// The statement has none.
    #[error("the statement has no opening balance")]
    OpeningBalance,
    /// The statement has none.
    #[error("the statement has no closing balance")]
    ClosingBalance,
    /// Two balances of one kind with different amounts.
    #[error("the statement has several different {0} balances")]
    OneBalance(&'static str),
    /// A balance is there, but not to be read.
    #[error("a balance can't be read")]
    ReadableBalance,
    /// Opening and closing balance have different currencies.
    #[error("the balances have different currencies")]
    OneCurrency,
    /// Entries that aren't in the sum because they couldn't be read.
    #[error("{0} entries can't be read")]
    ReadableEntries(u64),
    /// Booked entries in another currency than the balances.
    #[error("{0} entries have another currency than the balances")]
    EntriesInTheCurrency(u64),
    /// The sum has more digits than can be represented.
    #[error("the amounts are too large to be added")]
    Sum,
}

/// A total that doesn't agree with the entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalDifference {
    /// What the bank states.
    pub stated: StatedTotal,
    /// What was read: the number and the sum in the sense of the stated total.
    pub counted: CountedSum,
}

/// All that a statement shows about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementCheck {
    /// What its balances show.
    pub proof: Proof,
    /// Totals that agree with the entries.
    pub totals_agree: u64,
    /// Totals that contradict the entries.
    pub differences: Vec<TotalDifference>,
    /// A total couldn't be read or compared, so it proves nothing.
    pub totals_unread: u64,
}

impl StatementCheck {
    /// Whether the balances prove the entries and no total contradicts them.
    pub fn is_proven(&self) -> bool {
        matches!(self.proof, Proof::Proven { .. })
            && self.differences.is_empty()
            && self.totals_unread == 0
    }

    /// Whether something contradicts the entries that were read.
    pub fn is_contradicted(&self) -> bool {
        matches!(self.proof, Proof::Differs { .. }) || !self.differences.is_empty()
    }
}

/// Checks a statement against what its entries come to.
pub fn check(statement: &BankStatement, tally: &Tally) -> StatementCheck {
    let mut check = StatementCheck {
        proof: prove(statement, tally),
        totals_agree: 0,
        differences: Vec::new(),
        totals_unread: problems(statement, ProblemAbout::Total),
    };
    for stated in &statement.totals {
        let counted = counted(statement, tally, stated);
        let count_agrees = stated.count.is_none_or(|count| count == counted.count);
        let sum_agrees = stated.sum.is_none_or(|sum| counted.sum == Some(sum));
        if count_agrees && sum_agrees && tally.uncounted == 0 {
            check.totals_agree += 1;
        } else {
            check.differences.push(TotalDifference { stated: stated.clone(), counted });
        }
    }
    check
}

fn problems(statement: &BankStatement, about: ProblemAbout) -> u64 {
    statement.problems.iter().filter(|problem| problem.about == about).count() as u64
}

fn prove(statement: &BankStatement, tally: &Tally) -> Proof {
    let mut missing = Vec::new();
    if problems(statement, ProblemAbout::Balance) > 0 {
        missing.push(Missing::ReadableBalance);
    }
    let opening = only(statement, &BalanceKind::Opening, "opening", &mut missing);
    let closing = only(statement, &BalanceKind::Closing, "closing", &mut missing);
    if opening.is_none() && missing.is_empty() {
        missing.push(Missing::OpeningBalance);
    }
    if closing.is_none() && statement.balances_of(&BalanceKind::Closing).next().is_none() {
        missing.push(Missing::ClosingBalance);
    }
    if tally.unreadable > 0 {
        missing.push(Missing::ReadableEntries(tally.unreadable));
    }
    let currency = |balance: Option<&StatedBalance>| balance?.currency.clone();
    let currencies = (currency(opening), currency(closing));
    if let (Some(one), Some(two)) = &currencies
        && one != two
    {
        missing.push(Missing::OneCurrency);
    }
    let currency = currencies.0.or(currencies.1);
    let currency = currency.as_deref().or(statement.currency.as_deref());
    let (others, sums) = booked(tally, currency);
    if others > 0 {
        missing.push(Missing::EntriesInTheCurrency(others));
    }
    let sum = sums.iter().try_fold(Amount::default(), |sum, sums| {
        sum.checked_add(sums.credits.plus(sums.debits).sum?)
    });
    let ends = opening.zip(closing).map(|(opening, closing)| (opening.amount, closing.amount));
    let difference = ends.zip(sum).and_then(|((opening, closing), sum)| {
        closing.checked_sub(opening).and_then(|expected| expected.checked_sub(sum))
    });
    if ends.is_some() && difference.is_none() {
        missing.push(Missing::Sum);
    }
    match (ends, sum, difference) {
        (Some((opening, closing)), Some(sum), Some(difference)) if missing.is_empty() => {
            if difference.is_zero() {
                return Proof::Proven { opening, closing };
            }
            let if_reversals_are_opposite = explains(&sums, difference);
            Proof::Differs { opening, sum, closing, difference, if_reversals_are_opposite }
        }
        (_, _, difference) => Proof::Incomplete { missing, difference },
    }
}

/// The balance of a kind, unless there are several with different amounts.
fn only<'s>(
    statement: &'s BankStatement,
    kind: &BalanceKind,
    name: &'static str,
    missing: &mut Vec<Missing>,
) -> Option<&'s StatedBalance> {
    let mut balances = statement.balances_of(kind);
    let first = balances.next()?;
    if balances.any(|other| other.amount != first.amount || other.currency != first.currency) {
        missing.push(Missing::OneBalance(name));
        return None;
    }
    Some(first)
}

/// How many booked entries have another currency, and the sums of those that have it. An entry
/// without a currency has that of its account.
fn booked<'t>(tally: &'t Tally, currency: Option<&str>) -> (u64, Vec<&'t CurrencySums>) {
    let has_it = |sums: &&CurrencySums| {
        sums.currency.is_none() || currency.is_none() || sums.currency.as_deref() == currency
    };
    let count = |sums: &CurrencySums| sums.credits.count + sums.debits.count;
    let with_entries = || tally.sums.iter().filter(|sums| count(sums) > 0);
    let sums: Vec<&CurrencySums> = with_entries().filter(has_it).collect();
    let others: u64 = with_entries().filter(|sums| !has_it(sums)).map(count).sum();
    let several = currency.is_none() && sums.len() > 1;
    let more = if several { sums.iter().skip(1).map(|sums| count(sums)).sum() } else { 0 };
    (others + more + tally.uncounted, sums)
}

/// Whether the difference vanishes if every reversal has the other sign.
fn explains(sums: &[&CurrencySums], difference: Amount) -> bool {
    let of_reversals = sums.iter().map(|sums| sums.reversals).reduce(CountedSum::plus);
    let Some(CountedSum { count: 1.., sum: Some(sum) }) = of_reversals else { return false };
    !sum.is_zero() && sum.checked_add(sum) == Some(difference.negated())
}

/// The number and the sum in the sense of a total. The standards count all entries of a statement,
/// also those that aren't booked.
fn counted(statement: &BankStatement, tally: &Tally, stated: &StatedTotal) -> CountedSum {
    let currency = stated.currency.as_deref().or(statement.currency());
    let sums = tally.sums.iter().filter(|sums| {
        sums.currency.is_none() || currency.is_none() || sums.currency.as_deref() == currency
    });
    let all =
        sums.fold((CountedSum::default(), CountedSum::default()), |(credits, debits), sums| {
            (
                credits.plus(sums.credits).plus(sums.unbooked_credits),
                debits.plus(sums.debits).plus(sums.unbooked_debits),
            )
        });
    let (credits, debits) = all;
    let unsigned = |one: CountedSum| CountedSum { sum: one.sum.map(Amount::abs), ..one };
    let mut counted = match stated.of {
        TotalOf::All => credits.plus(unsigned(debits)),
        TotalOf::Credits => credits,
        TotalOf::Debits => unsigned(debits),
        TotalOf::Net => credits.plus(debits),
    };
    if stated.of == TotalOf::All || stated.of == TotalOf::Net {
        // They are entries, though nothing is known about their direction.
        counted.count += tally.unreadable;
    }
    counted
}
