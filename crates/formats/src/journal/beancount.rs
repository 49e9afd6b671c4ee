//! Journals as Beancount reads them.

use jiff::civil::Date;
use purser_core::money::Currency;
use purser_core::money::decimal::amount_text;
use purser_core::money::exact::{Fraction, to_decimal, units};
use rust_decimal::Decimal;

use super::numbers::{date, each, exact_rest, money, shares};
use super::{Amount, EndBalance, Fact, Posting, ROUNDING, Transaction};

/// Beancount overlooks half a unit of the last digit. What comes that close is booked.
const OVERLOOKED: (i64, i64) = (4, 10);
/// Digits with which a rest that isn't overlooked is booked.
const REST_DECIMALS: u32 = 20;

/// Money of a currency without decimals would have to balance to the last of all digits.
pub(super) fn begin(line: &mut String, title: &str, currency: Currency) {
    line.push_str("option \"title\" ");
    quoted(line, title);
    line.push_str("\noption \"operating_currency\" ");
    quoted(line, currency.code());
    line.push_str("\noption \"inferred_tolerance_default\" \"*:0.00005\"\n");
}

pub(super) fn commodity(line: &mut String, first: Date, symbol: &str, facts: &[Fact<'_>]) {
    date(line, first);
    line.push_str(" commodity ");
    line.push_str(symbol);
    line.push('\n');
    put_facts(line, "  ", facts);
}

pub(super) fn open(line: &mut String, first: Date, account: &str, facts: &[Fact<'_>]) {
    date(line, first);
    line.push_str(" open ");
    line.push_str(account);
    line.push('\n');
    put_facts(line, "  ", facts);
}

pub(super) fn price(line: &mut String, on: Date, of: &str, price: &str, currency: &str) {
    date(line, on);
    line.push_str(" price ");
    line.push_str(of);
    line.push(' ');
    line.push_str(price);
    line.push(' ');
    line.push_str(currency);
    line.push('\n');
}

pub(super) fn transaction(line: &mut String, transaction: &Transaction<'_>) {
    date(line, transaction.date);
    line.push_str(" * ");
    if let Some(payee) = transaction.payee {
        quoted(line, payee);
        line.push(' ');
    }
    quoted(line, transaction.text);
    for tag in &transaction.tags {
        line.push_str(" #");
        line.push_str(tag);
    }
    line.push('\n');
    put_facts(line, "  ", &transaction.facts);
    let amounts: Vec<&Amount<'_>> = transaction.postings.iter().map(|it| &it.amount).collect();
    let mut left: Vec<(Currency, Fraction)> = Vec::new();
    for posting in &transaction.postings {
        if let Amount::Lot { currency, .. } | Amount::Rest(currency) = posting.amount
            && !left.iter().any(|(known, _)| *known == currency)
        {
            left.push((currency, exact_rest(&amounts, currency).1));
        }
        put_posting(line, posting, &amounts);
    }
    for (currency, rest) in left {
        put_rest(line, &rest, currency);
    }
    line.push('\n');
}

fn put_posting(line: &mut String, posting: &Posting<'_>, amounts: &[&Amount<'_>]) {
    let rest = match posting.amount {
        Amount::Rest(currency) => exact_rest(amounts, currency).0,
        _ => 0,
    };
    if matches!(posting.amount, Amount::Rest(_)) && rest == 0 {
        return;
    }
    line.push_str("  ");
    line.push_str(posting.account);
    line.push_str("  ");
    match posting.amount {
        Amount::Money(amount, currency) => money(line, amount, currency),
        Amount::Rest(currency) => money(line, rest, currency),
        Amount::Converted { amount, currency, booked, into } => {
            money(line, amount, currency);
            line.push_str(" @@ ");
            money(line, i128::from(booked).abs(), into);
        }
        Amount::Lot { quantity, commodity, opened, ref cost, is_known, currency, .. } => {
            shares(line, quantity);
            line.push(' ');
            line.push_str(commodity);
            line.push_str(" {");
            let each = each(cost, quantity, currency);
            shares(line, each);
            line.push(' ');
            line.push_str(currency.code());
            line.push_str(", ");
            date(line, opened);
            // Otherwise a free lot would also be one of unknown cost.
            line.push_str(match (is_known, each.is_zero()) {
                (true, false) => "}",
                (true, true) => ", \"free\"}",
                (false, _) => ", \"unknown cost\"}",
            });
        }
    }
    line.push('\n');
    put_facts(line, "    ", &posting.facts);
}

/// Books a rest that Beancount might not overlook.
fn put_rest(line: &mut String, rest: &Fraction, currency: Currency) {
    let (part, of) = OVERLOOKED;
    let most = Fraction::new(part.into(), of.into());
    if *rest <= most && *rest >= -most {
        return;
    }
    let rest = to_decimal(&(rest / units(currency.scale())), REST_DECIMALS);
    let Some(rest) = rest.filter(|rest| !rest.is_zero()) else { return };
    line.push_str("  ");
    line.push_str(ROUNDING);
    line.push_str("  ");
    shares(line, rest);
    line.push(' ');
    line.push_str(currency.code());
    line.push('\n');
}

/// Balances are those at the beginning of a day.
pub(super) fn assert(line: &mut String, on: Date, account: &str, stated: EndBalance<'_>) {
    // After the last day of all there is nothing that could be stated.
    let Ok(next) = on.tomorrow() else { return };
    date(line, next);
    line.push_str(" balance ");
    line.push_str(account);
    line.push_str("  ");
    match stated {
        EndBalance::Money(amount, currency) => {
            line.push_str(&amount_text(amount, currency));
            line.push_str(" ~ 0 ");
            line.push_str(currency.code());
        }
        EndBalance::Shares(quantity, commodity) => put_quantity(line, quantity, commodity),
    }
    line.push('\n');
}

fn put_quantity(line: &mut String, quantity: Decimal, commodity: &str) {
    shares(line, quantity);
    line.push_str(" ~ 0 ");
    line.push_str(commodity);
}

fn put_facts(line: &mut String, indent: &str, facts: &[Fact<'_>]) {
    for (key, value) in facts {
        line.push_str(indent);
        line.push_str(key);
        line.push_str(": ");
        quoted(line, value);
        line.push('\n');
    }
}

/// A string with its escapes.
fn quoted(line: &mut String, text: &str) {
    line.push('"');
    for c in text.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            c if c.is_control() => line.push(' '),
            c => line.push(c),
        }
    }
    line.push('"');
}
