//! What a bank statement of a file states about itself, as the reader of the file found it.

use std::collections::BTreeSet;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::ledger::account::AccountType;
use crate::named::text_enum;

/// Characters of each text that are kept.
const TEXT_CHARS_MAX: usize = 200;

text_enum! {
    /// The kind of account that a bank statement is about.
    StatementKind {
        /// An account at a bank.
        Bank = "bank",
        /// A card, or a line of credit.
        Card = "card",
        /// A portfolio of securities.
        Investment = "investment",
    }
}

impl StatementKind {
    /// The kind of statements of accounts of a type.
    pub fn of_account(account_type: AccountType) -> Self {
        match account_type {
            AccountType::CreditCard => Self::Card,
            AccountType::Investment | AccountType::Crypto => Self::Investment,
            _ => Self::Bank,
        }
    }
}

/// A bank statement of a file. Amounts are decimals as the bank wrote them; what is owed is
/// negative.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileStatement {
    /// The number of the first row that was made of its entries, counted from 1.
    pub first_row: u64,
    /// How many rows were made of its entries.
    pub rows: u64,
    /// How many of its entries are booked.
    pub lines: u64,
    /// The account as the rows name it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub account: String,
    /// The kind of account, if the file states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<StatementKind>,
    /// The kind in the words of the format (`SAVINGS`), where accounts of two kinds may have the
    /// same number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind_word: Option<String>,
    /// The bank: its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank: Option<String>,
    /// The owner of the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    /// The last four characters of the account's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_four: Option<String>,
    /// The bank's identifier of the statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    /// The number in the year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The first day that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_day: Option<Date>,
    /// The last day that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_day: Option<Date>,
    /// The code of the currency of the balances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The balance before the first entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// The balance after the last entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing: Option<String>,
    /// The day of the closing balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_day: Option<Date>,
    /// The day at the end of which its positions were held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions_day: Option<Date>,
    /// All positions of the account on that day; none if the file states none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<FilePosition>,
}

/// What an account held of a security, as a file states it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FilePosition {
    /// The ticker, or another identifier that stands for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticker: Option<String>,
    /// The ISIN, if the file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isin: Option<String>,
    /// The name of the security.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of units as a decimal; below zero if the position is short.
    pub quantity: String,
}

impl FileStatement {
    /// Whether a row was made of one of its entries.
    pub fn has_row(&self, row: u64) -> bool {
        row >= self.first_row && row - self.first_row < self.rows
    }
}

/// An account of a file of statements that has rows, and what files with statements of it have in
/// common: their format, the bank and the account, its kind and its currency, because one number
/// may be that of several accounts. Statements that name no account are of one for each bank.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileAccount {
    /// What is the same in files of its statements.
    pub key: String,
    /// The account as the rows name it.
    pub account: String,
}

/// The accounts of a file, each once; those without rows only if none has any.
pub fn accounts_of(format: &str, statements: &[FileStatement]) -> Vec<FileAccount> {
    let has_rows = statements.iter().any(|one| one.rows > 0);
    let mut accounts = BTreeSet::new();
    for one in statements.iter().filter(|one| one.rows > 0 || !has_rows) {
        let [bank, kind, currency] =
            [&one.bank, &one.kind_word, &one.currency].map(|it| it.as_deref().unwrap_or_default());
        let key = [format, bank, &one.account, kind, currency].join("\u{1e}");
        accounts.insert(FileAccount { key, account: one.account.clone() });
    }
    accounts.into_iter().collect()
}

/// The last four letters and digits of the number of an account; fewer would be no number.
pub fn last_four(number: &str) -> Option<String> {
    let signs: Vec<char> = number.chars().filter(char::is_ascii_alphanumeric).collect();
    let start = signs.len().checked_sub(4)?;
    signs.get(start..).map(|last| last.iter().collect())
}

/// A text of a file, no longer than it is kept.
pub fn kept(text: &str) -> Option<String> {
    let text: String = text.trim().chars().take(TEXT_CHARS_MAX).collect();
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_four_are_letters_and_digits() {
        assert_eq!(last_four("DE89 3704 0044 0532 0130 00").as_deref(), Some("3000"));
        assert_eq!(last_four("XXXX-XXXX-12-34").as_deref(), Some("1234"));
        assert_eq!(last_four("123"), None);
    }

    #[test]
    fn files_are_of_one_kind_by_format_bank_and_account() {
        let of = |bank: Option<&str>, account: &str, rows: u64| FileStatement {
            account: account.to_owned(),
            bank: bank.map(str::to_owned),
            rows,
            ..FileStatement::default()
        };
        let one = accounts_of("mt940", &[of(Some("1"), "123", 1)]);
        let both = [of(Some("1"), "123", 1), of(Some("1"), "124", 2), of(Some("1"), "123", 0)];
        let both = accounts_of("mt940", &both);
        assert!(both.len() == 2 && both[0] == one[0], "each is known by itself: {both:?}");
        let silent = [of(Some("1"), "123", 1), of(Some("1"), "124", 0)];
        assert_eq!(accounts_of("mt940", &silent), one, "an account without rows isn't imported");
        assert_eq!(accounts_of("mt940", &silent[1..]).len(), 1, "unless there is nothing else");
        let unnamed = accounts_of("mt940", &[of(Some("1"), "", 1)]);
        assert_eq!(unnamed, accounts_of("mt940", &[of(Some("1"), "", 3)]), "as often as it comes");
        for other in [
            accounts_of("ofx", &[of(Some("1"), "123", 1)]),
            accounts_of("mt940", &[of(Some("2"), "123", 1)]),
            accounts_of("mt940", &[of(Some("1"), "124", 1)]),
            unnamed,
            accounts_of("mt940", &[of(None, "123", 1)]),
        ] {
            assert!(other.len() == 1 && other != one, "{other:?}");
        }
        assert_eq!(accounts_of("mt940", &[]), []);
        // One number may be that of accounts in several currencies, or of several kinds.
        let euros = FileStatement { currency: Some("EUR".to_owned()), ..of(Some("1"), "123", 1) };
        let savings =
            FileStatement { kind_word: Some("SAVINGS".to_owned()), ..of(Some("1"), "123", 1) };
        let [euros, savings] = [euros, savings].map(|one| accounts_of("mt940", &[one]));
        assert!(euros != one && savings != one && euros != savings);
    }

    #[test]
    fn rows_follow_each_other() {
        let two = FileStatement { first_row: 3, rows: 2, ..FileStatement::default() };
        let found: Vec<u64> = (1..7).filter(|row| two.has_row(*row)).collect();
        assert_eq!(found, [3, 4]);
        assert!(!FileStatement { first_row: 3, ..FileStatement::default() }.has_row(3));
    }

    #[test]
    fn texts_are_cut() {
        assert_eq!(kept("  ").as_deref(), None);
        assert_eq!(kept(&"ä".repeat(500)).unwrap().chars().count(), TEXT_CHARS_MAX);
    }
}
