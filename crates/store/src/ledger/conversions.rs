//! Amounts in another currency than their account's: the booked amounts, and their rates.
//!
//! Which rate is the best is decided by `purser_core::rates`. The rate is kept beside the entry, so
//! that every figure can show where its rate came from, and so that a rate which arrives later can
//! be compared with it. Without any rate an amount is booked as 0 and the account's balance is
//! incomplete from that day on; it is never booked one to one.

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ledger::trade::converted_value;
use purser_core::money::{Currency, Money};
use purser_core::rates::{Book, Rate, convert};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::Executor;
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Val, statements};
use crate::families::FamilyId;
use crate::rates;

statements! {
    /// How an entry's amount was converted.
    CONVERSION_PUT = "INSERT INTO entry_conversions (family_id, entry_id, account_id, date,
            from_currency, to_currency, rate, given, origin)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (family_id, entry_id) DO UPDATE SET date = excluded.date,
            from_currency = excluded.from_currency, to_currency = excluded.to_currency,
            rate = excluded.rate, given = excluded.given, origin = excluded.origin";
    /// Removes the conversion of an entry.
    CONVERSION_DELETE = "DELETE FROM entry_conversions WHERE family_id = $1 AND entry_id = $2";
    /// The rate that came with an entry.
    CONVERSION_GIVEN = "SELECT rate FROM entry_conversions
        WHERE family_id = $1 AND entry_id = $2 AND given";
}

pub(crate) static CONVERSIONS: Bulk = Bulk {
    table: "entry_conversions",
    columns: &[
        ("family_id", ColumnType::Int),
        ("entry_id", ColumnType::Uuid),
        ("account_id", ColumnType::Uuid),
        ("date", ColumnType::Int),
        ("from_currency", ColumnType::Text),
        ("to_currency", ColumnType::Text),
        ("rate", ColumnType::Text),
        ("given", ColumnType::Bool),
        ("origin", ColumnType::Text),
    ],
};

/// Decimals of a rate as it is shown.
pub(crate) const RATE_DECIMALS: u32 = 18;
/// Days of a pair that are looked up one by one; beyond them all of its rates are read at once.
const SINGLE_DAYS_MAX: usize = 16;

/// How an amount is booked in its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Booking {
    /// The amount in the account's currency; `None` if it is in this currency already.
    pub(crate) booked: Option<i64>,
    /// The amount in its own currency.
    original: Money,
    to: Currency,
    rate: Option<Rate>,
    given: bool,
}

impl Booking {
    /// An amount that no rate can be applied to counts as nothing.
    pub(super) fn unknown(original: Money, to: Currency) -> Self {
        Self { booked: Some(0), original, to, rate: None, given: false }
    }

    /// A transaction that the bank has not booked counts as nothing, and needs no rate.
    pub(super) fn pending(original: Money) -> Self {
        Self { booked: Some(0), original, to: original.currency, rate: None, given: false }
    }

    /// What a part of a split is booked as: its share, whatever the rate.
    pub(super) fn kept(original: Money, to: Currency, booked: i64) -> Self {
        let booked = (original.currency != to).then_some(booked);
        Self { booked, original, to, rate: None, given: false }
    }

    /// The amount that the balance includes.
    pub(crate) fn amount(&self) -> i64 {
        self.booked.unwrap_or(self.original.amount)
    }

    /// Whether the amount could be converted, or needs no conversion.
    pub(super) fn is_known(&self) -> bool {
        !self.is_converted() || self.rate.is_some()
    }

    /// Whether a conversion is kept with the entry.
    pub(super) fn is_converted(&self) -> bool {
        self.booked.is_some() && self.original.currency != self.to
    }

    /// What shares at a price in the amount's currency are worth in the account's, if that is
    /// another: 0 while no rate is known.
    pub(super) fn value(&self, quantity: Decimal, price: Decimal) -> Result<i64> {
        match &self.rate {
            Some(rate) => converted_value(quantity, price, rate, self.to.scale())
                .ok_or_else(|| Error::invalid("The converted amount is out of range")),
            None => Ok(0),
        }
    }

    /// The rate and where it came from, as they are stored.
    fn texts(&self) -> Result<(Option<String>, String)> {
        let rate = self.rate.as_ref().and_then(|rate| rate.decimal(RATE_DECIMALS));
        let origin = serde_json::to_string(&self.rate).map_err(Error::internal)?;
        Ok((rate.map(|rate| rate.to_string()), origin))
    }

    fn row<'a>(
        &self,
        family: FamilyId,
        entry: Uuid,
        account: Uuid,
        date: Date,
        rate: Option<&'a str>,
        origin: &'a str,
    ) -> [Val<'a>; 9] {
        [
            family.into(),
            Val::Uuid(entry),
            Val::Uuid(account),
            date.into(),
            Val::Text(self.original.currency.code()),
            Val::Text(self.to.code()),
            rate.into(),
            Val::Bool(self.given),
            Val::Text(origin),
        ]
    }
}

/// Rates that one plan has looked up.
#[derive(Default)]
pub struct Rates {
    pairs: HashMap<(Currency, Currency), Pair>,
}

#[derive(Default)]
struct Pair {
    days: HashMap<Date, Option<Rate>>,
    all: Option<Book>,
}

impl Rates {
    /// The best rate of a day, as `rates::find` finds it.
    pub fn find(
        &mut self,
        tx: &mut FamilyTx<'_>,
        from: Currency,
        to: Currency,
        date: Date,
    ) -> Result<Option<Rate>> {
        let pair = self.pairs.entry((from, to)).or_default();
        if let Some(book) = &pair.all {
            return Ok(book.find(from, to, date));
        }
        if let Some(rate) = pair.days.get(&date) {
            return Ok(rate.clone());
        }
        if pair.days.len() < SINGLE_DAYS_MAX {
            let rate = rates::find(tx, from, to, date)?;
            pair.days.insert(date, rate.clone());
            return Ok(rate);
        }
        let book = rates::book(tx, &[from, to], Date::MIN, Date::MAX)?;
        let rate = book.find(from, to, date);
        pair.all = Some(book);
        Ok(rate)
    }
}

impl Executor {
    /// What an amount of a day is booked as in an account's currency. `given` is the rate that the
    /// source or a person stated with it.
    pub(super) fn booking(
        &mut self,
        tx: &mut FamilyTx<'_>,
        original: Money,
        to: Currency,
        date: Date,
        given: Option<Decimal>,
    ) -> Result<Booking> {
        let from = original.currency;
        if from == to {
            return Ok(Booking { booked: None, original, to, rate: None, given: false });
        }
        let stated = given.map(|rate| Rate::given(from, to, date, rate));
        let rate = match stated {
            Some(rate) => Some(rate.ok_or_else(|| Error::invalid("A rate must be positive"))?),
            None => self.rates.find(tx, from, to, date)?,
        };
        let booked = match &rate {
            Some(rate) => convert(original.amount, from, to, rate)
                .ok_or_else(|| Error::invalid("The converted amount is out of range"))?,
            None => 0,
        };
        Ok(Booking { booked: Some(booked), original, to, rate, given: given.is_some() })
    }

    /// Stores the conversion of an entry, or removes it if none is needed.
    pub(super) fn keep_conversion(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: Uuid,
        account: Uuid,
        date: Date,
        booking: &Booking,
    ) -> Result<()> {
        if !booking.is_converted() {
            return tx.execute(&CONVERSION_DELETE, &self.key(entry)).map(drop);
        }
        let (rate, origin) = booking.texts()?;
        let row = booking.row(self.family, entry, account, date, rate.as_deref(), &origin);
        tx.execute(&CONVERSION_PUT, &row).map(drop)
    }

    /// Like [`Self::keep_conversion`], for an entry that this plan adds: the rows are written in
    /// batches.
    pub(super) fn add_conversion(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: Uuid,
        account: Uuid,
        date: Date,
        booking: &Booking,
    ) -> Result<()> {
        if self.conversions.is_batch_due() {
            // It may not arrive before its entry.
            self.entries.flush(tx)?;
        }
        let (rate, origin) = booking.texts()?;
        let row = booking.row(self.family, entry, account, date, rate.as_deref(), &origin);
        self.conversions.push(tx, &row)
    }

    /// The rate that was given with an entry. It is kept when other fields of the entry change.
    pub(super) fn given_rate(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: Uuid,
    ) -> Result<Option<Decimal>> {
        let rate = tx.query_opt(&CONVERSION_GIVEN, &self.key(entry), |row| row.opt_string(0))?;
        rate.flatten().map(|text| rates::decimal(&text)).transpose()
    }
}
