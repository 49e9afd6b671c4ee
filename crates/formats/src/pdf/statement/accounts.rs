//! The lines that name the account of what follows, in a document about several.
//!
//! A name and a number behind it, or an IBAN with its check digits. Texts of rows name accounts
//! too, those of others: so only lines between tables are asked, and what they divide the document
//! into has to be proven, each part by its own balances.

use super::super::lines::Line;
use super::dates::day_at;
use super::iban_in;

/// Names in front of the number of an account, in small letters.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "account", "account number", "account no", "account nr", "account #", "acct", "a/c", "a/c no",
    "card number", "card", "iban", "konto", "kontonummer", "konto-nr", "konto nr", "kontonr",
    "kreditkarte", "kartennummer", "compte", "compte n", "numéro de compte", "n° de compte",
    "numero de compte", "cuenta", "número de cuenta", "numero de cuenta", "nº de cuenta", "conto",
    "conto n", "numero conto", "conta", "número da conta", "rekening", "rekeningnummer",
    "kontonummer", "kontonumre", "tili", "tilinumero", "rachunek", "numer rachunku", "číslo účtu",
    "číslo účtu", "účet", "számlaszám", "hesap no", "hesap", "счет", "номер счета",
];
/// Words that such a name has at most.
const NAME_WORDS_MAX: usize = 3;
/// Digits of a number.
const DIGITS_MIN: usize = 4;
/// Letters and digits of a number at most.
const NUMBER_CHARS_MAX: usize = 40;
/// What hides digits of a number.
const MASKS: [char; 4] = ['*', 'x', 'X', '•'];

/// The account that a line names.
pub(super) fn named_in(line: &Line) -> Option<String> {
    let whole = line.text(0..line.words.len());
    if let Some(number) = iban_in(&whole) {
        return Some(number);
    }
    (0..line.words.len()).find_map(|at| {
        (1..=NAME_WORDS_MAX).rev().find_map(|count| {
            let end = at + count;
            (end < line.words.len()).then_some(())?;
            let name = line.text(at..end).to_lowercase();
            let name = name.trim_matches(|c: char| matches!(c, ':' | '.' | '°' | ' ' | ','));
            NAMES.contains(&name).then(|| number_at(line, end)).flatten()
        })
    })
}

/// The number that begins with a word. A day is none.
fn number_at(line: &Line, at: usize) -> Option<String> {
    if day_at(line, at, true).is_some_and(|(day, _)| day.year.is_some()) {
        return None;
    }
    let is_sign = |c: char| c.is_ascii_digit() || MASKS.contains(&c) || "-/.: ".contains(c);
    let is_part = |at: &usize| line.words[*at].text.chars().all(is_sign);
    let end = (at..line.words.len()).take_while(is_part).last()? + 1;
    let text = line.text(at..end);
    let is_hidden = text.chars().any(|c| MASKS.contains(&c));
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if digits.len() < DIGITS_MIN || digits.len() > NUMBER_CHARS_MAX {
        return None;
    }
    if is_hidden {
        let last = digits.get(digits.len() - DIGITS_MIN..)?;
        return Some(format!("…{last}"));
    }
    let number: String = text.chars().filter(|c| !matches!(c, ' ' | ':')).collect();
    Some(number.trim_matches(|c: char| !c.is_ascii_digit()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::super::fixed::Fixed;
    use super::super::super::lines::Word;
    use super::*;

    fn line(text: &str) -> Line {
        let word = |(at, text): (usize, &str)| {
            let left = Fixed::whole(i64::try_from(at).unwrap() * 40);
            Word { left, right: left.plus(Fixed::whole(38)), text: text.to_owned() }
        };
        let words = text.split(' ').enumerate().map(word).collect();
        Line { page: 1, base: Fixed::ZERO, size: Fixed::whole(10), words }
    }

    #[test]
    fn accounts_are_named_by_a_number() {
        for (text, found) in [
            ("Account number: 12-345 678", Some("12-345678")),
            ("Girokonto DE89 3704 0044 0532 0130 00", Some("DE89370400440532013000")),
            ("IBAN: DE89370400440532013000 BIC COBADEFFXXX", Some("DE89370400440532013000")),
            ("Savings Account 98761234", Some("98761234")),
            ("Konto Nr. 4711000 vom 01.01.2026 bis 31.01.2026", Some("4711000")),
            ("Card number **** **** **** 1234", Some("…1234")),
            ("Account summary 2026", None),
            ("Account 01.01.2026", None),
            ("Konto 123", None),
            ("DE89 3704 0044 0532 0130 01", None),
            ("Account number:", None),
            ("Call 0800 1234567", None),
        ] {
            assert_eq!(named_in(&line(text)).as_deref(), found, "{text}");
        }
    }
}
