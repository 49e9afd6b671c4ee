//! SWIFT's MT940 (statements) and MT942 (reports of a day), in the dialects of banks.
//!
//! A message has no end that every bank writes, so a file that was cut off isn't refused: it lacks
//! a closing balance, and its last statement proves nothing.

mod entry;
mod fields;
mod information;

use std::io::Read;

use super::amount::{Amount, DecimalMark};
use super::error::Halt;
use super::model::{
    AccountIdentifiers, BalanceKind, Entry, ProblemAbout, StatedBalance, StatedTotal, TotalOf,
    UnreadableEntry,
};
use super::reporter::Reporter;
use super::text::{currency, filled, iban, quoted, reference};
use fields::{Field, Fields, Item};

/// Reads a file to its end.
pub(super) fn read(source: impl Read, reporter: Reporter<'_>) -> Result<(), Halt> {
    let mut fields = Fields::new(source);
    let mut reader = Reader { reporter, entry: None, is_closed: false };
    while let Some(item) = fields.next()? {
        match item {
            Item::Field(field) => reader.field(&field)?,
            Item::EndOfMessage => reader.end()?,
        }
    }
    reader.end()?;
    reader.reporter.finish(fields.location())
}

struct Reader<'v> {
    reporter: Reporter<'v>,
    /// The last entry; field 86 may add to it.
    entry: Option<Result<Entry, UnreadableEntry>>,
    /// The closing balance of the statement was read.
    is_closed: bool,
}

impl Reader<'_> {
    fn field(&mut self, field: &Field) -> Result<(), Halt> {
        if field.tag == "86" {
            if let Some(Ok(entry)) = &mut self.entry {
                information::add(&mut entry.texts, &field.text);
            }
            return Ok(());
        }
        self.hand_on()?;
        let begins = match field.tag {
            "20" => true,
            "25" | "25P" => self.is_closed || self.reporter.statement().is_none(),
            _ => self.reporter.statement().is_none(),
        };
        if begins {
            self.end()?;
            self.reporter.begin(field.location())?;
        }
        match field.tag {
            "20" => self.set(|statement| statement.id = reference(&field.text)),
            "25" | "25P" => {
                let (account, code) = account(&field.text);
                self.set(|statement| {
                    statement.account = account;
                    statement.currency = code;
                });
            }
            "28" | "28C" => self.set(|statement| statement.number = number(&field.text)),
            "34F" => {
                let code = field.text.get(..3).and_then(currency);
                self.set(|statement| statement.currency = statement.currency.take().or(code));
            }
            "60F" | "60M" => self.balance(field, BalanceKind::Opening),
            "61" => self.entry = Some(entry::entry(field)),
            "62F" | "62M" => {
                self.balance(field, BalanceKind::Closing);
                self.is_closed = true;
            }
            "64" => self.balance(field, BalanceKind::ClosingAvailable),
            "65" => self.balance(field, BalanceKind::Other("65".to_owned())),
            "90C" => self.total(field, TotalOf::Credits),
            "90D" => self.total(field, TotalOf::Debits),
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, change: impl FnOnce(&mut super::model::BankStatement)) {
        if let Some(statement) = self.reporter.statement() {
            change(statement);
        }
    }

    fn hand_on(&mut self) -> Result<(), Halt> {
        match self.entry.take() {
            Some(Ok(entry)) => self.reporter.entry(entry),
            Some(Err(unreadable)) => self.reporter.unreadable(unreadable),
            None => Ok(()),
        }
    }

    fn end(&mut self) -> Result<(), Halt> {
        self.hand_on()?;
        self.is_closed = false;
        self.reporter.end()
    }

    fn balance(&mut self, field: &Field, kind: BalanceKind) {
        match balance(field, kind.clone()) {
            Ok(balance) => {
                let code = balance.currency.clone();
                self.set(|statement| {
                    statement.currency = statement.currency.take().or(code);
                    let end = match kind {
                        BalanceKind::Opening => &mut statement.from,
                        BalanceKind::Closing => &mut statement.to,
                        _ => return,
                    };
                    *end = balance.on;
                });
                self.reporter.balance(balance);
            }
            Err(reason) => {
                let about = match kind {
                    BalanceKind::Opening | BalanceKind::Closing => ProblemAbout::Balance,
                    _ => ProblemAbout::Statement,
                };
                self.reporter.problem(about, field.location(), reason);
            }
        }
    }

    fn total(&mut self, field: &Field, of: TotalOf) {
        match total(field, of) {
            Ok(total) => self.reporter.total(total),
            Err(reason) => self.reporter.problem(ProblemAbout::Total, field.location(), reason),
        }
    }
}

/// `C240131EUR1234,50`: the direction, the day, the currency, the amount.
fn balance(field: &Field, kind: BalanceKind) -> Result<StatedBalance, String> {
    let text = field.text.trim();
    let unreadable = || format!("{} is no balance", quoted(text));
    let is_out = match text.chars().next() {
        Some('C') => false,
        Some('D') => true,
        _ => return Err(unreadable()),
    };
    let rest = &text[1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (day, rest) = rest.split_at(digits);
    let code = rest.get(..3).and_then(currency).ok_or_else(unreadable)?;
    // A new account has no day yet.
    let has_day = !day.is_empty() && day.bytes().any(|byte| byte != b'0');
    let on = if has_day { Some(entry::day(day).ok_or_else(unreadable)?) } else { None };
    let amount = rest[3..].trim();
    let is_plain = amount.starts_with(|c: char| c.is_ascii_digit() || c == ',');
    let amount = Some(amount).filter(|_| is_plain).ok_or_else(unreadable)?;
    let amount = Amount::parse(amount, DecimalMark::CommaOrPoint, None)
        .map_err(|error| format!("The amount is {}: {error}", quoted(amount)))?;
    Ok(StatedBalance {
        kind,
        amount: if is_out { amount.negated() } else { amount },
        currency: Some(code),
        on,
        is_between_pages: field.tag.ends_with('M'),
        location: field.location(),
    })
}

/// `12EUR1234,50`: a number of entries and their sum.
fn total(field: &Field, of: TotalOf) -> Result<StatedTotal, String> {
    let text = field.text.trim();
    let unreadable = || format!("{} is no total", quoted(text));
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (count, rest) = text.split_at(digits);
    let code = rest.get(..3).and_then(currency).ok_or_else(unreadable)?;
    let sum = Amount::parse(&rest[3..], DecimalMark::CommaOrPoint, None);
    Ok(StatedTotal {
        of,
        count: Some(count.parse().map_err(|_| unreadable())?),
        sum: Some(sum.map_err(|_| unreadable())?),
        currency: Some(code),
        location: field.location(),
    })
}

/// `12/1` without the zeros before the numbers.
fn number(text: &str) -> Option<String> {
    let plain = |part: &str| {
        let part = part.trim();
        match part.trim_start_matches('0') {
            "" if !part.is_empty() => "0".to_owned(),
            plain => plain.to_owned(),
        }
    };
    filled(&text.split('/').map(plain).collect::<Vec<_>>().join("/"))
}

/// The account and the currency behind it: a bank and a number (`10010010/123456EUR`), an IBAN
/// (`NL91ABNA0417164300EUR`), a number alone. Field 25P has the bank in a second line.
fn account(text: &str) -> (AccountIdentifiers, Option<String>) {
    let (text, second) = text.split_once('\n').unwrap_or((text, ""));
    let text = text.trim();
    let code = text.len().checked_sub(3).and_then(|at| text.get(at..)).filter(|code| {
        let before = &text[..text.len() - 3];
        iban(text).is_none()
            && before.ends_with(|c: char| c.is_ascii_digit() || c == ' ')
            && purser_core::money::Currency::parse(code).is_some()
    });
    let rest = code.map_or(text, |code| text[..text.len() - code.len()].trim());
    let (bank, number) = match rest.split_once('/') {
        Some((bank, number)) => (bank, number),
        None => ("", rest),
    };
    let is_bic = |bank: &String| {
        [8, 11].contains(&bank.len()) && bank.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    let bank = filled(bank).or_else(|| filled(second).filter(is_bic));
    let (bic, bank) = match bank {
        Some(bank) if is_bic(&bank) => (Some(bank), None),
        bank => (None, bank),
    };
    let identifiers = AccountIdentifiers {
        iban: iban(number),
        number: filled(number),
        bank,
        bic,
        ..AccountIdentifiers::default()
    };
    (identifiers, code.and_then(currency))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_written_in_many_ways() {
        for (text, number, iban, bank, bic, code) in [
            ("10010010/123456", "123456", false, "10010010", "", ""),
            ("10010010/123456EUR", "123456", false, "10010010", "", "EUR"),
            ("NL91ABNA0417164300EUR", "NL91ABNA0417164300", true, "", "", "EUR"),
            ("NL91ABNA0417164300 EUR", "NL91ABNA0417164300", true, "", "", "EUR"),
            ("DEUTDEFF/DE89370400440532013000", "DE89370400440532013000", true, "", "DEUTDEFF", ""),
            ("123456\nDEUTDEFFXXX", "123456", false, "", "DEUTDEFFXXX", ""),
            ("123456\n:32A:240131EUR5,", "123456", false, "", "", ""),
            ("123456ABC", "123456ABC", false, "", "", ""),
            ("", "", false, "", "", ""),
            ("ä€", "ä€", false, "", "", ""),
        ] {
            let (its, its_code) = account(text);
            let plain = |text: Option<String>| text.unwrap_or_default();
            assert_eq!(its.iban.is_some(), iban, "{text}");
            assert_eq!(
                [plain(its.number), plain(its.bank), plain(its.bic), plain(its_code)],
                [number, bank, bic, code],
                "{text}"
            );
        }
        assert_eq!(number("00012/001").as_deref(), Some("12/1"));
        assert_eq!(number("0").as_deref(), Some("0"));
    }
}
