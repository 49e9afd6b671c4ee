//! The columns of a register.

use serde::{Deserialize, Serialize};

use crate::import::columns::label_key;
use crate::import::layout::AmountSource;
use crate::import::transaction::columns::Columns;

/// Columns that only a register has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterColumns {
    /// The line of the program's file.
    pub line: usize,
    /// What the record is, if it is no movement of money: [`OPENING`].
    pub role: usize,
    /// The account on the other side of a transfer.
    pub transfer: usize,
    /// The parts of a split transaction as JSON, see [`super::PartCell`].
    pub parts: usize,
    /// Why the reader of the program couldn't understand the record.
    pub problem: usize,
    /// Columns of trades, if the file has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trades: Option<TradeColumns>,
}

/// Columns that only a register with trades has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TradeColumns {
    /// What happened, as a word; blank in records that are no trades.
    pub word: usize,
    /// The ticker of the security.
    pub ticker: usize,
    /// The ISIN of the security.
    pub isin: usize,
    /// The name of the security.
    pub security: usize,
    /// The number of shares.
    pub quantity: usize,
    /// The price of one share.
    pub price: usize,
    /// The commission, which is part of the amount.
    pub fee: usize,
    /// The ratio of a share split.
    pub ratio: usize,
}

impl TradeColumns {
    fn all(self) -> [usize; 8] {
        let Self { word, ticker, isin, security, quantity, price, fee, ratio } = self;
        [word, ticker, isin, security, quantity, price, fee, ratio]
    }
}

impl RegisterColumns {
    /// Whether a column is one of them.
    pub(in crate::import) fn uses(&self, column: usize) -> bool {
        let Self { line, role, transfer, parts, problem, trades } = *self;
        [line, role, transfer, parts, problem].contains(&column)
            || trades.is_some_and(|trades| trades.all().contains(&column))
    }
}

/// The role of a record with what an account held before everything else in the file.
pub const OPENING: &str = "opening";
/// The role of a record that corrects the balance of its account; it is a transaction.
pub const CORRECTION: &str = "correction";
/// The role of a record with the price of a security.
pub const PRICE: &str = "price";
/// The role of a record with what a category may cost in a month.
pub const BUDGET: &str = "budget";
/// The role of a record with a category, of a list of the file.
pub const CATEGORY_OF_LIST: &str = "category";
/// The role of a record with a tag, of a list of the file.
pub const TAG_OF_LIST: &str = "tag";
/// The role of a record with an account of the file; what it is stands in the column of the
/// category, in the words of the program.
pub const ACCOUNT_OF_LIST: &str = "account";
/// The role of a record with a security, of a list of the file.
pub const SECURITY_OF_LIST: &str = "security";
/// The role of a record of any other list: memorized transactions and their like.
pub const OTHER_OF_LIST: &str = "list";

/// How a program writes amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amounts {
    /// One column; money in is positive.
    Signed,
    /// A column for money out and one for money in.
    OutAndIn,
    /// A column without signs, and one with words for the direction.
    Directed,
}

impl Amounts {
    /// The headers of the columns with amounts.
    pub fn headers(self) -> &'static [&'static str] {
        match self {
            Self::Signed => &[AMOUNT],
            Self::OutAndIn => &[OUTFLOW, INFLOW],
            Self::Directed => &[AMOUNT, DIRECTION],
        }
    }
}

const LINE: &str = "Line";
const ROLE: &str = "Role";
const ACCOUNT: &str = "Account";
const DATE: &str = "Date";
const PAYEE: &str = "Payee";
const CATEGORY: &str = "Category";
const TAGS: &str = "Tags";
const NOTES: &str = "Notes";
const TRANSFER: &str = "Transfer";
const CURRENCY: &str = "Currency";
const PARTS: &str = "Parts";
const PROBLEM: &str = "Problem";
const AMOUNT: &str = "Amount";
const DIRECTION: &str = "Direction";
const OUTFLOW: &str = "Outflow";
const INFLOW: &str = "Inflow";
const TYPE: &str = "Type";
const TICKER: &str = "Ticker";
const ISIN: &str = "ISIN";
const SECURITY: &str = "Security";
const QUANTITY: &str = "Quantity";
const UNIT_PRICE: &str = "Price";
const FEE: &str = "Fee";
const SPLIT: &str = "Split";

/// The headers in front of the amounts, in the order in which a reader writes the cells.
const HEADERS: [&str; 12] =
    [LINE, ROLE, ACCOUNT, DATE, PAYEE, CATEGORY, TAGS, NOTES, CURRENCY, TRANSFER, PARTS, PROBLEM];

/// The headers of trades, in the order in which a reader writes the cells.
const TRADE_HEADERS: [&str; 8] = [TYPE, TICKER, ISIN, SECURITY, QUANTITY, UNIT_PRICE, FEE, SPLIT];

/// What a register has beside the columns that all of them have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterShape {
    /// How the program writes amounts.
    pub amounts: Amounts,
    /// Whether the file names accounts.
    pub names_accounts: bool,
    /// Whether the file has trades.
    pub has_trades: bool,
}

impl RegisterShape {
    /// That of a file of several accounts without trades.
    pub fn of(amounts: Amounts) -> Self {
        Self { amounts, names_accounts: true, has_trades: false }
    }

    /// The header of the register.
    pub fn headers(self) -> impl Iterator<Item = &'static str> {
        let is_there = move |header: &&str| self.names_accounts || *header != ACCOUNT;
        let of_trades = if self.has_trades { TRADE_HEADERS.as_slice() } else { &[] };
        let of_amounts = self.amounts.headers();
        HEADERS.into_iter().filter(is_there).chain(of_trades.iter().chain(of_amounts).copied())
    }
}

/// The columns of a register by its header; nothing if that is the header of something else.
pub(super) fn resolve(header: &[String]) -> Option<(Columns, AmountSource)> {
    let at = |name: &str| {
        let key = label_key(name);
        header.iter().position(|header| label_key(header) == key)
    };
    let amount = match (at(OUTFLOW), at(INFLOW), at(AMOUNT), at(DIRECTION)) {
        (Some(debit), Some(credit), ..) => AmountSource::DebitCredit { debit, credit },
        (_, _, Some(amount), Some(direction)) => {
            AmountSource::Directed { amount, direction, inflow_value: None }
        }
        (_, _, Some(column), None) => AmountSource::Signed { column },
        _ => return None,
    };
    let trades = at(TYPE).and_then(|word| {
        Some(TradeColumns {
            word,
            ticker: at(TICKER)?,
            isin: at(ISIN)?,
            security: at(SECURITY)?,
            quantity: at(QUANTITY)?,
            price: at(UNIT_PRICE)?,
            fee: at(FEE)?,
            ratio: at(SPLIT)?,
        })
    });
    let (debit, credit, direction) = match amount {
        AmountSource::DebitCredit { debit, credit } => (Some(debit), Some(credit), None),
        AmountSource::Directed { direction, .. } => (None, None, Some(direction)),
        AmountSource::Signed { .. } | AmountSource::ByBalance { .. } => (None, None, None),
    };
    let columns = Columns {
        account: at(ACCOUNT),
        date: Some(at(DATE)?),
        names: vec![at(PAYEE)?],
        category: Some(at(CATEGORY)?),
        tags: Some(at(TAGS)?),
        notes: Some(at(NOTES)?),
        currency: Some(at(CURRENCY)?),
        amount: at(AMOUNT),
        debit,
        credit,
        direction,
        register: Some(RegisterColumns {
            line: at(LINE)?,
            role: at(ROLE)?,
            transfer: at(TRANSFER)?,
            parts: at(PARTS)?,
            problem: at(PROBLEM)?,
            trades,
        }),
        ..Columns::default()
    };
    Some((columns, amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_is_found_by_its_own_header() {
        for amounts in [Amounts::Signed, Amounts::OutAndIn, Amounts::Directed] {
            let header: Vec<String> =
                RegisterShape { has_trades: true, ..RegisterShape::of(amounts) }
                    .headers()
                    .map(str::to_owned)
                    .collect();
            let (columns, source) = resolve(&header).unwrap();
            let found = match source {
                AmountSource::Signed { .. } | AmountSource::ByBalance { .. } => Amounts::Signed,
                AmountSource::DebitCredit { .. } => Amounts::OutAndIn,
                AmountSource::Directed { .. } => Amounts::Directed,
            };
            assert_eq!(found, amounts);
            assert_eq!((columns.account, columns.date), (Some(2), Some(3)));
            assert!((0..header.len()).all(|column| columns.uses(column)), "{amounts:?}");
        }
        assert!(resolve(&["Date".to_owned(), "Amount".to_owned()]).is_none());
        let nameless =
            RegisterShape { names_accounts: false, ..RegisterShape::of(Amounts::Signed) };
        let nameless: Vec<String> = nameless.headers().map(str::to_owned).collect();
        let columns = resolve(&nameless).unwrap().0;
        assert_eq!((columns.account, columns.register.unwrap().trades), (None, None));
    }
}
