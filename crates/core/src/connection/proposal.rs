//! The type that an account at a provider probably has: providers report none.
//!
//! It is shown to a person, who chooses. Words of the name count first, the longest known phrase
//! before shorter ones and the last before those in front of it; then the service that the provider
//! gets the account from; then what is owed.

use crate::import::account::type_words::meaning;
use crate::ledger::account::AccountType;

/// Services that report investments only.
const INVESTMENT_SERVICES: [&str; 1] = ["snaptrade"];
/// Makers of cards, and short words for accounts in names such as `Visa Gold`.
const NAME_WORDS: [(&str, AccountType, Option<&str>); 8] = [
    ("visa", AccountType::CreditCard, None),
    ("mastercard", AccountType::CreditCard, None),
    ("amex", AccountType::CreditCard, None),
    ("american express", AccountType::CreditCard, None),
    ("card", AccountType::CreditCard, None),
    ("invest", AccountType::Investment, None),
    ("bitcoin", AccountType::Crypto, None),
    ("kreditkarte", AccountType::CreditCard, None),
];
/// Words of the longest phrase that is looked up.
const PHRASE_WORDS_MAX: usize = 4;

/// What is known of an account at a provider.
#[derive(Debug, Clone, Copy, Default)]
pub struct AccountClues<'a> {
    /// The name at the provider.
    pub name: &'a str,
    /// The service that the provider gets it from.
    pub upstream: Option<&'a str>,
    /// Whether money is owed; `None` if the balance is unknown.
    pub is_owed: Option<bool>,
}

/// A type and a subtype that can be linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeProposal {
    /// The type of the account.
    pub account_type: AccountType,
    /// The subtype, if the name has one.
    pub subtype: Option<&'static str>,
}

/// Whether an account of a type can be linked to one at a provider.
pub fn can_be_linked(account_type: AccountType) -> bool {
    matches!(
        account_type,
        AccountType::Depository
            | AccountType::CreditCard
            | AccountType::Loan
            | AccountType::Investment
            | AccountType::Crypto
    )
}

/// The type that an account probably has; money at a bank if nothing speaks for another.
pub fn propose(clues: AccountClues<'_>) -> TypeProposal {
    let of = |account_type, subtype| TypeProposal { account_type, subtype };
    if let Some((account_type, subtype)) = of_name(clues.name) {
        return of(account_type, subtype);
    }
    let upstream = clues.upstream.map(str::to_lowercase);
    if upstream.is_some_and(|upstream| INVESTMENT_SERVICES.contains(&upstream.as_str())) {
        return of(AccountType::Investment, None);
    }
    match clues.is_owed {
        Some(true) => of(AccountType::CreditCard, None),
        _ => of(AccountType::Depository, None),
    }
}

fn of_name(name: &str) -> Option<(AccountType, Option<&'static str>)> {
    let is_inner = |letter: char| letter.is_alphanumeric() || letter == '(' || letter == ')';
    let words: Vec<&str> =
        name.split(|letter| !is_inner(letter)).filter(|w| !w.is_empty()).collect();
    for length in (1..=words.len().min(PHRASE_WORDS_MAX)).rev() {
        for phrase in words.windows(length).rev() {
            let phrase = phrase.join(" ").to_lowercase();
            let own = NAME_WORDS.iter().find(|(word, ..)| *word == phrase);
            let own = own.map(|(_, account_type, subtype)| (*account_type, *subtype));
            let found = own.or_else(|| meaning(&phrase));
            if let Some(found) = found.filter(|(account_type, _)| can_be_linked(*account_type)) {
                return Some(found);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use AccountType::{CreditCard, Crypto, Depository, Investment, Loan};

    fn of_name(name: &str) -> (AccountType, Option<&'static str>) {
        let proposal = propose(AccountClues { name, ..AccountClues::default() });
        (proposal.account_type, proposal.subtype)
    }

    #[test]
    fn names_are_read_by_their_words() {
        for (name, expected) in [
            ("Checking", (Depository, Some("checking"))),
            ("Everyday Checking (…1234)", (Depository, Some("checking"))),
            ("Current account", (Depository, Some("checking"))),
            ("Credit card", (CreditCard, None)),
            ("Visa Gold ****1234", (CreditCard, None)),
            ("Girokonto Anna", (Depository, Some("checking"))),
            ("Home Loan 7", (Loan, Some("mortgage"))),
            ("Brokerage", (Investment, Some("brokerage"))),
            ("Roth IRA - Ann", (Investment, Some("roth_ira"))),
            ("My Bitcoin", (Crypto, None)),
            ("House savings", (Depository, Some("savings"))),
            ("", (Depository, None)),
            ("Konto 17", (Depository, None)),
        ] {
            assert_eq!(of_name(name), expected, "{name}");
        }
    }

    #[test]
    fn without_a_word_the_service_and_the_balance_count() {
        let propose = |name, upstream, is_owed| {
            propose(AccountClues { name, upstream, is_owed }).account_type
        };
        assert_eq!(propose("7", Some("SnapTrade"), None), Investment);
        assert_eq!(propose("7", Some("gocardless"), Some(true)), CreditCard);
        assert_eq!(propose("7", None, Some(false)), Depository);
        assert_eq!(propose("Savings", Some("snaptrade"), Some(true)), Depository, "names first");
    }
}
