//! What the entries of a statement come to, counted while they pass.

use super::amount::Amount;
use super::limits::CURRENCIES_MAX;
use super::model::{Entry, EntryStatus};

/// A number of entries and their sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedSum {
    /// How many entries there are.
    pub count: u64,
    /// What they come to; none if that can't be represented.
    pub sum: Option<Amount>,
}

impl Default for CountedSum {
    fn default() -> Self {
        Self { count: 0, sum: Some(Amount::default()) }
    }
}

impl CountedSum {
    fn add(&mut self, amount: Amount) {
        self.count += 1;
        self.sum = self.sum.and_then(|sum| sum.checked_add(amount));
    }

    /// Both of them together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let sum = self.sum.zip(other.sum).and_then(|(one, two)| one.checked_add(two));
        Self { count: self.count + other.count, sum }
    }
}

/// The sums of entries in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CurrencySums {
    /// The code as entries have it; none for entries without one.
    pub currency: Option<String>,
    /// Booked entries that paid in.
    pub credits: CountedSum,
    /// Booked entries that paid out.
    pub debits: CountedSum,
    /// Those of the booked entries that take back others.
    pub reversals: CountedSum,
    /// Entries that aren't booked and that pay in.
    pub unbooked_credits: CountedSum,
    /// Entries that aren't booked and that pay out.
    pub unbooked_debits: CountedSum,
}

/// Counts and sums of the entries of one statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Booked entries that were read.
    pub booked: u64,
    /// Entries that the bank expects.
    pub pending: u64,
    /// Entries for information only.
    pub information: u64,
    /// Entries that couldn't be read.
    pub unreadable: u64,
    /// Entries that a person should look at.
    pub doubtful: u64,
    /// Entries in more currencies than sums are kept of.
    pub uncounted: u64,
    /// The sums, each currency apart.
    pub sums: Vec<CurrencySums>,
}

impl Tally {
    /// Counts an entry; one without a currency has that of its statement.
    pub fn add(&mut self, entry: &Entry, currency: Option<&str>) {
        match entry.status {
            EntryStatus::Booked => self.booked += 1,
            EntryStatus::Pending => self.pending += 1,
            EntryStatus::Information => self.information += 1,
        }
        self.doubtful += u64::from(!entry.doubts.is_empty());
        let currency = entry.currency.as_deref().or(currency);
        let at = self.sums.iter().position(|sums| sums.currency.as_deref() == currency);
        let at = match at {
            Some(at) => at,
            None if self.sums.len() == CURRENCIES_MAX => {
                self.uncounted += 1;
                return;
            }
            None => {
                let currency = currency.map(str::to_owned);
                self.sums.push(CurrencySums { currency, ..CurrencySums::default() });
                self.sums.len() - 1
            }
        };
        let sums = &mut self.sums[at];
        let (credits, debits) = match entry.status {
            EntryStatus::Booked => (&mut sums.credits, &mut sums.debits),
            _ => (&mut sums.unbooked_credits, &mut sums.unbooked_debits),
        };
        let side = if entry.amount.is_negative() { debits } else { credits };
        side.add(entry.amount);
        if entry.is_reversal && entry.status == EntryStatus::Booked {
            sums.reversals.add(entry.amount);
        }
    }
}
