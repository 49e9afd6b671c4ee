//! Problems that stand beside the accounts of an answer. The answer as such has status 200.
//!
//! Codes have a prefix that counts when the rest isn't known: `gen.` for everything, `con.` for the
//! accounts of a bank, `act.` for one account. Nobody knows what any other problem means: what it
//! names is in doubt, or everything. The sentences of the first version name no account: the
//! accounts of the banks that one names are in doubt, or all. What people see are sentences of this
//! program; the provider's own are for the log.

use purser_core::secret::Secret;
use serde::Deserialize;

use crate::client::raw_log::{mask_numbers, mask_secret};
use crate::wire::{Rows, Scalar};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Row {
    code: Scalar,
    conn_id: Scalar,
    account_id: Scalar,
    msg: Scalar,
    /// What examples of the protocol call it.
    message: Scalar,
}

/// The beginning of codes that concern everything.
const GENERAL: &str = "gen.";
/// The most sentences that are kept, and the most letters of one.
const SENTENCES_MAX: usize = 10;
const SENTENCE_CHARS_MAX: usize = 300;
/// A shorter name of a bank is a word that stands elsewhere, too.
const BANK_CHARS_MIN: usize = 4;
/// The most letters of a bank's name in a sentence.
const BANK_CHARS_MAX: usize = 100;

/// What a problem means for an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Problem {
    /// Something is wrong, but nobody knows with what.
    Noted,
    /// Some of its data may be missing.
    Incomplete,
    /// The bank has a failure that may pass.
    Failed,
    /// The bank asks for a new consent.
    Consent,
}

/// A sentence as a log may have it: without the key and long numbers, and cut only then, so that no
/// beginning of one is left.
pub(super) fn shown(sentence: &str, key: &Secret) -> String {
    mask_numbers(&mask_secret(sentence, key)).chars().take(SENTENCE_CHARS_MAX).collect()
}

/// A problem with a code, and what it is about.
struct Coded {
    code: String,
    connection: Option<String>,
    account: Option<String>,
}

impl Coded {
    fn meaning(&self) -> Problem {
        match self.code.as_str() {
            "con.auth" => Problem::Consent,
            "act.failed" => Problem::Failed,
            code if code.starts_with("con.") => Problem::Failed,
            code if code.starts_with("act.") => Problem::Incomplete,
            _ => Problem::Noted,
        }
    }
}

/// The problems of an answer.
pub(super) struct Problems {
    coded: Vec<Coded>,
    /// The sentences of the first version.
    plain: Vec<String>,
    /// Whether one of those can't be read.
    has_unreadable: bool,
    sentences: Vec<String>,
}

impl Problems {
    /// Reads both lists of problems.
    pub(super) fn read(coded: Option<&Rows<'_>>, sentences: Option<&Rows<'_>>) -> Self {
        let read = |row: &Row| {
            let id = |id: &Scalar| id.id().ok().flatten();
            // A problem without a code is one all the same.
            let code = row.code.label().unwrap_or_else(|| GENERAL.to_owned());
            Ok(Coded { code, connection: id(&row.conn_id), account: id(&row.account_id) })
        };
        let text = |row: &Row| row.msg.label().or_else(|| row.message.label());
        let of_codes = coded.map(|rows| rows.read(|row: &Row| Ok(text(row))).0).unwrap_or_default();
        let plain = sentences.map(|rows| rows.read(|row: &Scalar| Ok(row.label())).0);
        let plain: Vec<String> = plain.unwrap_or_default().into_iter().flatten().collect();
        let mut written: Vec<String> = Vec::new();
        for one in plain.iter().chain(of_codes.iter().flatten()) {
            if written.len() < SENTENCES_MAX && !written.contains(one) {
                written.push(one.clone());
            }
        }
        let (mut coded, unreadable) = coded.map(|rows| rows.read(read)).unwrap_or_default();
        let general = || Coded { code: GENERAL.to_owned(), connection: None, account: None };
        coded.extend(unreadable.iter().map(|_| general()));
        let has_unreadable = sentences.is_some_and(|rows| rows.len() > plain.len());
        Self { coded, plain, has_unreadable, sentences: written }
    }

    /// What the provider reports in its own words, on one line each. They may contain keys and
    /// numbers.
    pub(super) fn sentences(&self) -> &[String] {
        &self.sentences
    }

    /// What people see of the problems, each sentence once. `bank_of` has the bank of an account or
    /// a connection, as far as it is known.
    pub(super) fn notices<'a>(
        &self,
        banks: &'a [String],
        bank_of: impl Fn(Option<&str>, Option<&str>) -> Option<&'a str>,
    ) -> Vec<String> {
        let of_codes = self.coded.iter().map(|one| {
            let bank = bank_of(one.account.as_deref(), one.connection.as_deref());
            sentence(one.meaning(), bank)
        });
        let of_plain = self.plain.iter().flat_map(|one| {
            let named: Vec<&str> =
                banks.iter().map(String::as_str).filter(|bank| names(one, bank)).collect();
            let about: Vec<Option<&str>> =
                if named.is_empty() { vec![None] } else { named.into_iter().map(Some).collect() };
            about.into_iter().map(|bank| sentence(Problem::Noted, bank))
        });
        let of_unreadable = self.has_unreadable.then(|| sentence(Problem::Noted, None));
        let mut notices: Vec<String> = Vec::new();
        for one in of_codes.chain(of_plain).chain(of_unreadable) {
            if notices.len() < SENTENCES_MAX && !notices.contains(&one) {
                notices.push(one);
            }
        }
        notices
    }

    /// Whether the credentials as such are refused.
    pub(super) fn refuse_everything(&self) -> bool {
        self.coded.iter().any(|one| one.code == "gen.auth")
    }

    /// The worst problem of an account.
    pub(super) fn of_account(&self, id: &str, connection: Option<&str>) -> Option<Problem> {
        let of_codes = self.coded.iter().filter_map(|one| {
            let concerns = match (&one.account, &one.connection) {
                (Some(account), _) => account == id,
                (None, Some(of)) => connection.is_some_and(|connection| connection == of),
                (None, None) => true,
            };
            concerns.then(|| one.meaning())
        });
        of_codes.max()
    }

    /// Whether a sentence of the first version may be about an account of a bank. One that names
    /// some of the banks is about those, any other about all.
    pub(super) fn may_concern(&self, bank: Option<&str>, banks: &[String]) -> bool {
        let concerns = |sentence: &String| {
            bank.is_some_and(|bank| names(sentence, bank))
                || !banks.iter().any(|bank| names(sentence, bank))
        };
        self.has_unreadable || self.plain.iter().any(concerns)
    }
}

/// Whether a sentence names a bank.
fn names(sentence: &str, bank: &str) -> bool {
    bank.chars().count() >= BANK_CHARS_MIN && sentence.to_lowercase().contains(&bank.to_lowercase())
}

/// The problem of a bank in a sentence for people.
fn sentence(problem: Problem, bank: Option<&str>) -> String {
    let bank: Option<String> = bank.map(|bank| bank.chars().take(BANK_CHARS_MAX).collect());
    let of = |one: &str, any: &str| match &bank {
        Some(bank) => format!("{one} {bank}."),
        None => any.to_owned(),
    };
    match problem {
        Problem::Consent => of("A new consent is needed for", "A bank asks for a new consent."),
        Problem::Failed => {
            of("The provider reports a failure of", "The provider reports a failure of a bank.")
        }
        Problem::Incomplete => {
            of("The provider lacks data of", "The provider lacks data of some accounts.")
        }
        Problem::Noted => of(
            "The provider reports a problem with",
            "The provider reports a problem with the connection.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(json: &str) -> Problems {
        Problems::read(Some(&serde_json::from_str(json).unwrap()), None)
    }

    #[test]
    fn no_sentence_shows_a_part_of_a_key() {
        let key = Secret::new("Basic c29tZS11c2VyOnRoZS1wYXNzd29yZA==");
        for before in 280..305 {
            let sentence = format!("{}the-password, 123456789012345", "a ".repeat(before / 2));
            let shown = shown(&sentence, &key);
            assert!(!shown.contains("the") && !shown.contains("1234567"), "{shown}");
            assert!(shown.chars().count() <= SENTENCE_CHARS_MAX);
        }
    }

    #[test]
    fn codes_concern_an_account_a_bank_or_everything() {
        let read = problems(
            r#"[{"code":"con.auth","msg":"x","conn_id":"c1"},
                {"code":"act.failed","message":"x","account_id":"a2"},
                {"code":"act.missingdata","account_id":"a3"},
                {"code":"con.new-one","conn_id":"c4"},
                {"code":"txn.missing","account_id":"a6"},
                {"msg":"?","conn_id":"c7"}]"#,
        );
        assert_eq!(read.of_account("a1", Some("c1")), Some(Problem::Consent));
        assert_eq!(read.of_account("a2", Some("c2")), Some(Problem::Failed));
        assert_eq!(read.of_account("a3", None), Some(Problem::Incomplete));
        assert_eq!(read.of_account("a4", Some("c4")), Some(Problem::Failed));
        assert_eq!(read.of_account("a5", Some("c2")), None);
        assert_eq!(read.of_account("a6", Some("c6")), Some(Problem::Noted));
        assert_eq!(read.of_account("a7", Some("c7")), Some(Problem::Noted));
        assert!(!read.refuse_everything());
    }

    #[test]
    fn people_see_fixed_sentences_with_the_banks_that_are_known() {
        let coded = r#"[{"code":"con.auth","msg":"Call +49 30 1234 now","conn_id":"c1"},
            {"code":"act.failed","message":"x","account_id":"a1"},
            {"code":"act.new","account_id":"a9"},{"code":"gen.api","msg":"y"},{"code":"gen."}]"#;
        let plain = r#"["Harbour Bank is down, call 1", "harbour bank is down", "Old Bank?", {}]"#;
        let (coded, plain) = (serde_json::from_str(coded), serde_json::from_str(plain));
        let read = Problems::read(Some(&coded.unwrap()), Some(&plain.unwrap()));
        let banks = ["Harbour Bank", "Summit"].map(str::to_owned);
        let bank_of = |account: Option<&str>, connection: Option<&str>| match account.or(connection)
        {
            Some("c1") => Some("Harbour Bank"),
            Some("a1") => Some("Summit"),
            _ => None,
        };
        let expected = [
            "A new consent is needed for Harbour Bank.",
            "The provider reports a failure of Summit.",
            "The provider lacks data of some accounts.",
            "The provider reports a problem with the connection.",
            "The provider reports a problem with Harbour Bank.",
        ];
        assert_eq!(read.notices(&banks, bank_of), expected);
    }

    #[test]
    fn what_names_no_account_concerns_all() {
        for list in [r#"[{"code":"gen.api"}]"#, r#"[{"msg":"?"}]"#, "[7]"] {
            assert_eq!(problems(list).of_account("a", None), Some(Problem::Noted), "{list}");
        }
        assert!(problems(r#"[{"code":"gen.auth"}]"#).refuse_everything());
        let sentences: Rows<'_> =
            serde_json::from_str(r#"["Connection may need attention"]"#).unwrap();
        let read = Problems::read(None, Some(&sentences));
        assert_eq!(read.of_account("a", None), None);
        assert!(
            read.may_concern(None, &[]) && read.may_concern(Some("Bank"), &["Bank".to_owned()])
        );
        let named: Rows<'_> =
            serde_json::from_str(r#"["Connection to HARBOUR bank failed"]"#).unwrap();
        let named = Problems::read(None, Some(&named));
        let banks = ["Harbour Bank", "Summit", "to"].map(str::to_owned);
        let concerned = banks.each_ref().map(|bank| named.may_concern(Some(bank), &banks));
        assert_eq!(concerned, [true, false, false]);
        assert!(!named.may_concern(None, &banks) && named.may_concern(None, &banks[1..]));
        let odd: Rows<'_> = serde_json::from_str(r#"[{"a":1}]"#).unwrap();
        assert!(Problems::read(None, Some(&odd)).may_concern(Some("Summit"), &banks));
        assert_eq!(read.sentences(), ["Connection may need attention"]);
        let none: Rows<'_> = serde_json::from_str("[]").unwrap();
        let read = Problems::read(Some(&none), Some(&none));
        assert_eq!(read.of_account("a", None), None);
        assert!(!read.may_concern(None, &[]));
    }
}
