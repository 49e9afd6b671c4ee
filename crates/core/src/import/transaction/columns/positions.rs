//! Which column holds what, by their positions.

use serde::{Deserialize, Serialize};

use crate::import::layout_problem::LayoutProblem;
use crate::import::rate::RateColumns;
use crate::import::register::RegisterColumns;

/// Positions of columns in the header.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Columns {
    /// The day of the transaction.
    pub date: Option<usize>,
    /// The amount, signed or with a direction.
    pub amount: Option<usize>,
    /// Money out, if it has a column of its own.
    pub debit: Option<usize>,
    /// Money in, if it has a column of its own.
    pub credit: Option<usize>,
    /// Whether money came in or went out.
    pub direction: Option<usize>,
    /// For the name: the first that isn't blank is taken.
    pub names: Vec<usize>,
    /// For the name of a row that has neither a name nor notes: texts that have no other role.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_texts: Vec<usize>,
    /// Columns that go on with the text of another one, which is the first of each pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continued: Vec<(usize, usize)>,
    /// The category of the transaction.
    pub category: Option<usize>,
    /// The tags, several in one cell.
    pub tags: Option<usize>,
    /// The notes of the transaction.
    pub notes: Option<usize>,
    /// The account of the row.
    pub account: Option<usize>,
    /// The currency of the amount.
    pub currency: Option<usize>,
    /// The balance after the row, if a label names it; the layout has the one that was found, too.
    #[serde(default)]
    pub balance: Option<usize>,
    /// A fee that comes off beside the amount, as the balances prove or a label states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee: Option<usize>,
    /// Further fees and taxes that come off, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_fees: Vec<usize>,
    /// Fees and taxes of both signs, and whether a minus is the more frequent one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fee_signs: Vec<(usize, bool)>,
    /// The bank's own id.
    pub external_id: Option<usize>,
    /// Whether the transaction is booked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<usize>,
    /// Further columns that are called a status, of which words that are known count, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_statuses: Vec<usize>,
    /// How many columns there are without those at the end of which the header has no name, and
    /// only some rows a text; nothing if there are none of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<usize>,
    /// The rate of an amount in another currency than the account's.
    #[serde(default, skip_serializing_if = "RateColumns::is_empty")]
    pub rates: RateColumns,
    /// What the file has beyond that if it is a register.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<RegisterColumns>,
    /// Problems of roles that two columns claim with equal right, for the layout.
    #[serde(skip)]
    pub(in crate::import) doubts: Vec<LayoutProblem>,
}

impl Columns {
    /// Whether a column is used for anything; that of the balance that was found is not known here.
    pub fn uses(&self, column: usize) -> bool {
        let single = [
            self.date,
            self.amount,
            self.debit,
            self.credit,
            self.direction,
            self.category,
            self.tags,
            self.notes,
            self.account,
            self.currency,
            self.balance,
            self.fee,
            self.external_id,
            self.status,
            self.rates.direct,
            self.rates.inverse,
        ];
        let of_register = self.register.is_some_and(|register| register.uses(column));
        single.contains(&Some(column))
            || self.names.contains(&column)
            || self.other_statuses.contains(&column)
            || self.further_fees.contains(&column)
            || self.goes_on(column)
            || of_register
    }

    /// The columns of fees and taxes that come off beside the amount.
    pub fn fees(&self) -> impl Iterator<Item = usize> {
        self.fee.into_iter().chain(self.further_fees.iter().copied())
    }

    /// Takes columns as fees that come off beside the amount.
    pub(in crate::import) fn set_fees(&mut self, columns: impl IntoIterator<Item = usize>) {
        let mut columns = columns.into_iter();
        self.fee = columns.next();
        self.further_fees = columns.collect();
    }

    /// Whether a column goes on with the text of another one that is used.
    fn goes_on(&self, column: usize) -> bool {
        let is_used = |first: usize| self.names.contains(&first) || self.notes == Some(first);
        self.continued.iter().any(|(first, next)| *next == column && is_used(*first))
    }
}
