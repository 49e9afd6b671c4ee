//! Columns that were only recognised by a name that means other things elsewhere.
//!
//! `Valuta` is a currency in Dutch and a value date in German. `Account number` is the family's
//! own account in some files and the other party's in others. The cells decide; where they can't,
//! the column is not used, and a person is asked for what it would have contained.

use crate::import::layout::Layout;
use crate::import::transaction::header_names::{PLAIN, Role, TRANSACTION, known};
use crate::money::former::Former;
use crate::text::number::named_currency;

/// Whether the name of a column of currencies means other things elsewhere.
pub(super) fn is_doubtful(layout: &Layout, column: usize) -> bool {
    known(&layout.header(column)).is_some_and(|(_, rank)| rank > TRANSACTION)
}

/// A column that may hold currencies.
#[derive(Debug)]
pub(super) struct CurrencyCandidate {
    pub(super) column: usize,
    codes: u64,
    others: u64,
}

impl CurrencyCandidate {
    /// The currency column, if its name alone leaves a doubt.
    pub(super) fn of(layout: &Layout) -> Option<Self> {
        let column = layout.columns.currency?;
        is_doubtful(layout, column).then_some(Self { column, codes: 0, others: 0 })
    }

    pub(super) fn observe(&mut self, cell: &str) {
        match named_currency(cell).is_some() || Former::parse(cell).is_some() {
            _ if cell.is_empty() => {}
            true => self.codes += 1,
            false => self.others += 1,
        }
    }

    pub(super) fn finish(self, layout: &mut Layout) {
        if self.others > self.codes {
            layout.columns.currency = None;
            layout.found.retain(|name| name != "currency_col_label");
        }
    }
}

/// A column that may hold the numbers of the family's own accounts.
#[derive(Debug)]
pub(super) struct AccountCandidate {
    pub(super) column: usize,
    first: String,
    is_doubtful: bool,
}

impl AccountCandidate {
    /// The account column, if its name alone leaves a doubt.
    pub(super) fn of(layout: &Layout) -> Option<Self> {
        let column = layout.columns.account?;
        let (role, rank) = known(&layout.header(column))?;
        let is_number = role == Role::Account && rank >= PLAIN;
        is_number.then(|| Self { column, first: String::new(), is_doubtful: false })
    }

    pub(super) fn observe(&mut self, cell: &str) {
        if self.first.is_empty() {
            self.first.push_str(cell);
        }
        // The other party has no number in card payments, and is another one in the next row.
        self.is_doubtful |= cell.is_empty() || cell != self.first;
    }

    pub(super) fn finish(self, layout: &mut Layout) {
        if self.is_doubtful {
            layout.columns.account = None;
            layout.found.retain(|name| name != "account_col_label");
        }
    }
}
