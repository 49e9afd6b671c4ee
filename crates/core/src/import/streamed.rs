//! The rows of streamed kinds: each of them becomes one entry of an account, and what matters of it
//! for plans is the same for every kind.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::dispatch::Row;
use super::native;
use super::register;
use super::trade;
use super::transaction;
use crate::money::Currency;

/// A row of a streamed kind, by the entry that it becomes.
#[derive(Debug, Clone, Copy)]
pub enum EntryRow<'a, 'r> {
    /// A transaction of an account.
    Transaction(&'a transaction::Row<'r>),
    /// A trade of a security.
    Trade(&'a trade::TradeRow<'r>),
}

/// What plans look at in a row: the money that it moves, when and where.
#[derive(Debug, Clone, Copy)]
pub struct RowMoney<'r> {
    /// The cell of the account column.
    pub account: Option<&'r str>,
    /// The day of the entry.
    pub date: Date,
    /// The amount in the scale of its currency; positive is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// What one unit of the currency is worth in the account's, if the file states it.
    pub rate: Option<Decimal>,
    /// The id that the bank or the broker gave it.
    pub external_id: Option<&'r str>,
    /// Whether something of it has to be converted into the account's currency.
    pub has_value: bool,
}

impl<'r> Row<'r> {
    /// The record of a line in the server's own format.
    pub fn native(&self) -> Option<&'r native::Record> {
        match self {
            Self::Native(row) => row.record(),
            _ => None,
        }
    }

    /// The type of such a record, which is also known of records that aren't read.
    pub fn native_type(&self) -> Option<native::RecordType> {
        match self {
            Self::Native(row) => row.record_type(),
            _ => None,
        }
    }

    /// The row as a trade, if it is one of a register, of which the other rows are transactions.
    pub fn trade_of_register(&self) -> Option<&trade::TradeRow<'r>> {
        match self.of_register() {
            Some(register::Row::Trade(row)) => Some(row),
            _ => None,
        }
    }

    /// The row as a record of the family, if it is no entry of an account.
    pub fn side_record(&self) -> Option<&register::SideRecord<'r>> {
        if let Self::Trade(trade::Row::Record(record)) = self {
            return Some(record);
        }
        match self.of_register() {
            Some(register::Row::Record(record)) => Some(record),
            _ => None,
        }
    }

    fn of_register(&self) -> Option<&register::Row<'r>> {
        match self {
            Self::Mint(row) | Self::Ynab(row) | Self::Actual(row) | Self::Qif(row) => Some(row),
            _ => None,
        }
    }

    /// The entry that the row becomes; nothing for kinds that are planned as a whole.
    pub fn entry(&self) -> Option<EntryRow<'_, 'r>> {
        match self {
            Self::Trade(trade::Row::Money(row)) => Some(EntryRow::Transaction(row)),
            Self::Trade(trade::Row::Trade(row)) => Some(EntryRow::Trade(row)),
            _ => match self.of_register() {
                Some(register::Row::Trade(row)) => Some(EntryRow::Trade(row)),
                _ => self.transaction().map(EntryRow::Transaction),
            },
        }
    }
}

impl<'r> EntryRow<'_, 'r> {
    /// What plans look at.
    pub fn money(&self) -> RowMoney<'r> {
        match self {
            Self::Transaction(row) => RowMoney {
                account: row.account,
                date: row.date,
                amount: row.amount,
                currency: row.currency,
                rate: row.rate,
                external_id: row.external_id,
                has_value: row.amount != 0,
            },
            Self::Trade(row) => RowMoney {
                account: row.account,
                date: row.date,
                amount: row.effect.cash,
                currency: row.currency,
                rate: row.rate,
                external_id: row.external_id,
                has_value: row.effect.cash != 0 || row.effect.value != 0,
            },
        }
    }
}
