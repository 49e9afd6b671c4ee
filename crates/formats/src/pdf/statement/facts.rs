//! What a document states about itself above its rows: the account, its owner, and the days.
//!
//! Only what stands behind a name that leaves no doubt is taken, and only if the first page has it
//! once. Nothing is guessed from logos or from what stands next to something else.

use purser_core::import::file_statement::{FileStatement, StatementKind, kept, last_four};

use super::dates::Period;
use crate::pdf::lines::Line;

/// Names for the owner of an account, in small letters.
const HOLDER: [&str; 9] = [
    "account holder",
    "account owner",
    "cardholder",
    "card holder",
    "kontoinhaber",
    "karteninhaber",
    "titulaire du compte",
    "intestatario",
    "rekeninghouder",
];
/// Names for the code of a bank.
const BANK: [&str; 3] = ["bic", "swift", "bic/swift"];
/// Titles of the statements of cards.
const CARD_TITLES: [&str; 4] = [
    "credit card statement",
    "kreditkartenabrechnung",
    "card account statement",
    "estado de tarjeta",
];
/// Lines among which a title is looked for.
const TITLE_LINES: usize = 100;
/// What hides digits of a number.
const MASKS: [char; 4] = ['*', 'x', 'X', '•'];

/// What the first page states, and the lines of an account. Balances are those of the rows, which
/// the import compares.
pub(super) fn statement(
    lines: &[Line],
    of_account: &[Line],
    account: &str,
    period: Period,
) -> FileStatement {
    let texts = lines.iter().filter(|line| line.page == 1);
    let texts: Vec<String> = texts.map(|line| line.text(0..line.words.len())).collect();
    let bank = |text: &String| behind(text, &BANK).filter(|code| is_bank_code(code));
    let number = match account {
        "" => only(texts.iter().filter_map(|text| masked(text))),
        account => last_four(account),
    };
    let of_account = of_account.iter().filter(|line| !line.words.is_empty());
    let is_card = of_account.take(TITLE_LINES).any(|line| {
        let text = line.text(0..line.words.len()).to_lowercase();
        CARD_TITLES.iter().any(|title| text.contains(title))
    });
    FileStatement {
        kind: is_card.then_some(StatementKind::Card),
        bank: only(texts.iter().filter_map(bank)),
        holder: only(texts.iter().filter_map(|text| behind(text, &HOLDER))),
        last_four: number,
        // A day that stands alone may be any.
        first_day: period.from,
        last_day: period.from.and(period.to),
        ..FileStatement::default()
    }
}

/// A value that is stated once, or the same each time.
fn only(mut values: impl Iterator<Item = String>) -> Option<String> {
    let first = values.next()?;
    values.all(|other| other == first).then_some(first)
}

/// What stands behind a name and a colon.
fn behind(text: &str, names: &[&str]) -> Option<String> {
    let (name, value) = text.split_once(':')?;
    let name = name.trim().to_lowercase();
    names.contains(&name.as_str()).then(|| kept(value)).flatten()
}

/// Eight or eleven letters and digits, the first six of them letters.
fn is_bank_code(text: &str) -> bool {
    matches!(text.len(), 8 | 11)
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && text.bytes().take(6).all(|byte| byte.is_ascii_uppercase())
}

/// The last four digits of a number of which the others are hidden: `**** **** **** 1234`.
fn masked(text: &str) -> Option<String> {
    let signs: Vec<char> = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let is_mask = |sign: &char| MASKS.contains(sign);
    (4..signs.len().saturating_sub(3)).find_map(|at| {
        let (before, last) = (signs.get(at - 4..at)?, signs.get(at..at + 4)?);
        let ends = signs.get(at + 4).is_none_or(|next| !next.is_ascii_digit());
        let is_number = before.iter().all(is_mask) && last.iter().all(char::is_ascii_digit);
        (is_number && ends).then(|| last.iter().collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_numbers_keep_four_digits() {
        for (text, found) in [
            ("Card number **** **** **** 1234", Some("1234")),
            ("XXXX-XXXX-XXXX-9876", Some("9876")),
            ("Account ••••5555 of January", Some("5555")),
            ("**** 12345", None),
            ("*** 1234", None),
            ("Exxxxxtra 12", None),
        ] {
            assert_eq!(masked(text).as_deref(), found, "{text}");
        }
    }

    #[test]
    fn names_have_a_colon_and_a_value() {
        assert_eq!(behind("Account holder: Ada Byron", &HOLDER).as_deref(), Some("Ada Byron"));
        assert_eq!(behind("KONTOINHABER : Ada", &HOLDER).as_deref(), Some("Ada"));
        assert_eq!(behind("Account holder:", &HOLDER), None);
        assert_eq!(behind("Our account holders: read this", &HOLDER), None);
        assert!(is_bank_code("DEUTDEFF") && is_bank_code("DEUTDEFF500"));
        assert!(!is_bank_code("12345678") && !is_bank_code("deutdeff"));
    }

    #[test]
    fn what_contradicts_itself_is_unknown() {
        let found = |values: &[&str]| only(values.iter().map(|value| (*value).to_owned()));
        assert_eq!(found(&["a", "a"]).as_deref(), Some("a"));
        assert_eq!(found(&["a", "b"]), None);
        assert_eq!(found(&[]), None);
    }
}
