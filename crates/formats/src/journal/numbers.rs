//! Numbers in journals.

use std::fmt::Write as _;

use purser_core::money::Currency;
use purser_core::money::decimal::amount_text;
use purser_core::money::exact::{Fraction, of_decimal, round_sum, to_decimal, units};
use rust_decimal::Decimal;

use super::Amount;

/// Decimals that a decimal has at most.
const DECIMALS_MAX: u32 = 28;

/// Writes money with its currency.
pub(super) fn money(line: &mut String, amount: impl Into<i128>, currency: Currency) {
    line.push_str(&amount_text(amount, currency));
    line.push(' ');
    line.push_str(currency.code());
}

/// Writes the day.
pub(super) fn date(line: &mut String, date: jiff::civil::Date) {
    // Writing to a string can't fail.
    let _ = write!(line, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day());
}

/// Writes a number of shares.
pub(super) fn shares(line: &mut String, quantity: Decimal) {
    let _ = write!(line, "{}", quantity.normalize());
}

/// The cost of one of so many shares, with as many digits as it has, or as a decimal holds.
pub(super) fn each(cost: &Fraction, quantity: Decimal, currency: Currency) -> Decimal {
    let each = cost / (of_decimal(quantity) * units(currency.scale()));
    let few = to_decimal(&each, 12).filter(|few| of_decimal(*few) == each);
    let fits = || (0..=DECIMALS_MAX).rev().find_map(|decimals| to_decimal(&each, decimals));
    few.or_else(fits).unwrap_or(Decimal::MAX)
}

/// What balances the amounts of a currency if each lot counts as its rounded cost.
pub(super) fn rounded_rest(amounts: &[&Amount<'_>], of: Currency) -> i128 {
    let part = |amount: &&Amount<'_>| match **amount {
        Amount::Money(amount, currency) if currency == of => i128::from(amount),
        Amount::Converted { booked, into, .. } if into == of => i128::from(booked),
        Amount::Lot { rounded, currency, .. } if currency == of => rounded,
        _ => 0,
    };
    -amounts.iter().map(part).sum::<i128>()
}

/// What balances the amounts of a currency if each lot counts as so many times the cost of one: the
/// whole units, and the fraction that is left.
pub(super) fn exact_rest(amounts: &[&Amount<'_>], of: Currency) -> (i128, Fraction) {
    let scale = units(of.scale());
    let mut rest = Fraction::from_integer(rounded_rest(amounts, of).into());
    for amount in amounts {
        let Amount::Lot { quantity, ref cost, rounded, currency, .. } = **amount else { continue };
        if currency == of {
            let weight = of_decimal(quantity) * of_decimal(each(cost, quantity, of)) * &scale;
            rest += Fraction::from_integer(rounded.into()) - weight;
        }
    }
    let units = round_sum(&rest).unwrap_or_default();
    (units, rest - Fraction::from_integer(units.into()))
}
