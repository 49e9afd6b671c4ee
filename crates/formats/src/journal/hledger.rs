//! Journals as hledger reads them.

use jiff::civil::Date;
use purser_core::money::Currency;

use super::numbers::{date, money, rounded_rest, shares};
use super::{Amount, EndBalance, Fact, Posting, Transaction};

pub(super) fn begin(line: &mut String, title: &str) {
    line.push_str("; ");
    text(line, title);
    line.push_str("\n\ndecimal-mark .\n");
}

/// The directive has as many decimals as are shown.
pub(super) fn currency(line: &mut String, currency: Currency) {
    line.push_str("commodity 1000.");
    line.extend(std::iter::repeat_n('0', currency.precision() as usize));
    line.push(' ');
    line.push_str(currency.code());
    line.push('\n');
}

pub(super) fn commodity(line: &mut String, symbol: &str, facts: &[Fact<'_>]) {
    line.push_str("commodity ");
    quoted(line, symbol);
    line.push('\n');
    put_facts(line, facts);
}

pub(super) fn account(line: &mut String, account: &str, facts: &[Fact<'_>]) {
    line.push_str("account ");
    line.push_str(account);
    line.push('\n');
    put_facts(line, facts);
}

pub(super) fn price(line: &mut String, on: Date, of: &str, price: &str, currency: &str) {
    line.push_str("P ");
    date(line, on);
    line.push(' ');
    quoted(line, of);
    line.push(' ');
    line.push_str(price);
    line.push(' ');
    line.push_str(currency);
    line.push('\n');
}

pub(super) fn transaction(line: &mut String, transaction: &Transaction<'_>) {
    date(line, transaction.date);
    line.push_str(" * ");
    let first = transaction.payee.unwrap_or(transaction.text);
    if first.trim_start().starts_with('(') {
        // Otherwise it would be a code.
        line.push_str("() ");
    }
    if let Some(payee) = transaction.payee {
        text(line, payee);
        line.push_str(" | ");
    }
    text(line, transaction.text);
    line.push('\n');
    if !transaction.tags.is_empty() {
        line.push_str("    ; ");
        for (at, tag) in transaction.tags.iter().enumerate() {
            line.push_str(if at > 0 { ", " } else { "" });
            line.push_str(tag);
            line.push(':');
        }
        line.push('\n');
    }
    put_facts(line, &transaction.facts);
    let amounts: Vec<&Amount<'_>> = transaction.postings.iter().map(|it| &it.amount).collect();
    for posting in &transaction.postings {
        put_posting(line, posting, &amounts);
    }
    line.push('\n');
}

fn put_posting(line: &mut String, posting: &Posting<'_>, amounts: &[&Amount<'_>]) {
    let rest = match posting.amount {
        Amount::Rest(currency) => rounded_rest(amounts, currency),
        _ => 0,
    };
    if matches!(posting.amount, Amount::Rest(_)) && rest == 0 {
        return;
    }
    line.push_str("    ");
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
        Amount::Lot { quantity, commodity, opened, is_known, rounded, currency, .. } => {
            shares(line, quantity);
            line.push(' ');
            quoted(line, commodity);
            line.push_str(" @@ ");
            money(line, rounded.abs(), currency);
            line.push_str("  ; lot: ");
            date(line, opened);
            line.push_str(if is_known { "" } else { ", cost: unknown" });
        }
    }
    line.push('\n');
    put_facts(line, &posting.facts);
}

/// A transaction of nothing with an assertion: hledger checks those of a day in their order.
pub(super) fn assert(line: &mut String, on: Date, account: &str, stated: EndBalance<'_>) {
    date(line, on);
    line.push_str(" * Balance\n    ");
    line.push_str(account);
    line.push_str("  ");
    match stated {
        EndBalance::Money(amount, currency) => {
            money(line, 0, currency);
            line.push_str(" = ");
            money(line, amount, currency);
        }
        EndBalance::Shares(quantity, commodity) => {
            line.push_str("0 ");
            quoted(line, commodity);
            line.push_str(" = ");
            shares(line, quantity);
            line.push(' ');
            quoted(line, commodity);
        }
    }
    line.push_str("\n\n");
}

fn put_facts(line: &mut String, facts: &[Fact<'_>]) {
    for (key, value) in facts {
        line.push_str("    ; ");
        line.push_str(key);
        line.push_str(": ");
        comment(line, value);
        line.push('\n');
    }
}

/// A symbol with anything but letters stands in quotation marks.
fn quoted(line: &mut String, symbol: &str) {
    if symbol.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        line.push_str(symbol);
    } else {
        line.push('"');
        line.push_str(symbol);
        line.push('"');
    }
}

/// A description: on one line, without a comment, and without the mark between payee and note.
fn text(line: &mut String, text: &str) {
    line.extend(text.trim().chars().map(|c| match c {
        ';' => ',',
        '|' => '/',
        c if c.is_control() => ' ',
        c => c,
    }));
}

/// A comment: on one line, and without dates that would move a posting to another day.
fn comment(line: &mut String, text: &str) {
    let begin = line.len();
    let mut last = ' ';
    for c in text.trim().chars() {
        let is_bracketed = last == '[' && (c.is_ascii_digit() || "=/.-".contains(c));
        if is_bracketed {
            line.pop();
            line.push('(');
        }
        let is_date = c == ':' && ["date", "date2"].iter().any(|tag| line[begin..].ends_with(tag));
        if is_date {
            line.push(' ');
        }
        line.push(if c.is_control() { ' ' } else { c });
        last = c;
    }
}
