//! What cells state of the change of a balance: money in is positive.

use super::{Number, Sample};
use crate::import::layout::AmountSource;
use crate::import::settings::Settings;
use crate::import::transaction::direction_words::{Direction, direction};
use crate::import::transaction::interpret::is_placeholder;
use crate::import::transaction::reversals::Reversals;
use crate::text::label::name_key;
use crate::text::number::{NumberFormat, Written, parse_amount, written_sign};

pub(super) fn number(cell: &str, format: NumberFormat) -> Number {
    if is_placeholder(cell) {
        return Number::Blank;
    }
    if !cell.bytes().any(|byte| byte.is_ascii_digit()) {
        return Number::Unreadable;
    }
    // Eight decimals leave less room for large amounts than four.
    let read = parse_amount(cell, format, 4).map(|amount| (amount, 10_000));
    let read = read.or_else(|_| parse_amount(cell, format, 8).map(|amount| (amount, 1)));
    let Ok((amount, unit)) = read else { return Number::Unreadable };
    let value = i128::from(amount.signed()) * unit;
    Number::Value { value, is_marked: amount.marker.is_some() }
}

impl Sample {
    /// No rows yet, and what a person has decided about the signs of amounts with a direction.
    pub(in crate::import::transaction) fn of(settings: &Settings) -> Self {
        let earlier = settings.preferred.reversals;
        Self { decided: settings.amount_strategy, earlier, ..Self::default() }
    }

    /// The signs of amounts that have a direction, if these are different ones.
    pub(in crate::import::transaction) fn reversals(
        &self,
        source: &AmountSource,
    ) -> Option<Reversals> {
        // With a value for money in that nobody knows as a word, signs count for nothing.
        let is_by_value = matches!(source, AmountSource::Directed { inflow_value: Some(_), .. });
        let mut found = Reversals::default();
        self.rows.iter().for_each(|row| found.observe(source, row.as_cells()));
        let found = self.decided.map_or(found, |by| found.decided(by, self.earlier));
        (found.are_there() && !is_by_value).then_some(found)
    }
}

/// The change with a fee that comes off beside it.
pub(super) fn take_off(change: &mut Number, fee: Number) {
    match (change, fee) {
        (Number::Value { value, .. }, Number::Value { value: fee, .. }) => *value -= fee.abs(),
        (change, Number::Unreadable) => *change = Number::Unreadable,
        _ => {}
    }
}

/// An amount of a column in which money in is marked: any other is money out.
pub(super) fn of_marked(number: Number, cell: &str) -> Number {
    let way = if written_sign(cell) == Written::Plus { Direction::In } else { Direction::Out };
    going(number, way, None)
}

pub(super) fn of_two(debit: Number, credit: Number, reversals: Option<Reversals>) -> Number {
    let out = |number| going(number, Direction::Out, reversals);
    let income = |number| going(number, Direction::In, reversals);
    let is_zero = |number| matches!(number, Number::Value { value: 0, .. });
    match (debit, credit) {
        (Number::Blank, credit) => income(credit),
        (debit, Number::Blank) => out(debit),
        (debit, credit) if is_zero(debit) => income(credit),
        (debit, credit) if is_zero(credit) => out(debit),
        _ => Number::Unreadable,
    }
}

pub(super) fn directed(
    amount: Number,
    word: &str,
    inflow_keys: Option<&[String]>,
    reversals: Option<Reversals>,
) -> Number {
    if !matches!(amount, Number::Value { .. }) {
        return amount;
    }
    let way = match inflow_keys {
        _ if word.is_empty() => None,
        Some(keys) if keys.contains(&name_key(word)) => Some(Direction::In),
        Some(_) => Some(Direction::Out),
        None => direction(word),
    };
    way.map_or(Number::Unreadable, |way| going(amount, way, reversals))
}

/// An amount that goes a way, or the other one if its sign turns it round.
fn going(number: Number, way: Direction, reversals: Option<Reversals>) -> Number {
    let Number::Value { value, .. } = number else { return number };
    let value = match reversals.map_or(way, |found| found.way(way, value < 0)) {
        Direction::In => value.abs(),
        Direction::Out => -value.abs(),
    };
    Number::Value { value, is_marked: true }
}
