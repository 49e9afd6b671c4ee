//! Lines with an amount that are no movement of money: balances before and after the rows, totals.
//!
//! A name that leaves no doubt (`Opening balance`, `Saldo am 31.12.2025`) makes a line an anchor:
//! it is left out with that reason, and balances are compared with the rows ([`super::stated`]).
//! What begins like one and has only words behind it that a balance has (`Saldo mes anterior`), or
//! something unknown behind a name that nobody else has (`Closing balance of sub account 3`), or
//! ends with the day of a balance, is a doubt, which a person decides. So is a word alone that
//! could be a shop's too (`Total`, `Saldo`). With other words behind it, such a word is mostly the
//! name of a shop (`Total Energies`, `Balance Coffee`): a line with it is money unless the rows
//! show otherwise ([`super::look_alikes`]).

mod phrases;
mod words;

use std::collections::HashSet;
use std::sync::LazyLock;

use self::phrases::ANCHORS;
use self::words::{AS_OF, BESIDE, INSIDE_DAYS, MONTHS, QUALIFIERS};
use super::footer::{BALANCES, TOTALS};
use super::header_names::known_key;
use crate::import::left_out::AnchorKind;

/// What the name of a row makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// It is a balance or a total.
    Anchor(AnchorKind),
    /// It may be one, or something with that name.
    Doubt,
    /// It begins with a word for one, as names of shops do, too.
    Alike,
}

/// What a name is, if it is that of a balance or a total. Millions of names pass through, so most
/// are recognised as something else by their first letters.
pub(super) fn named(name: &str) -> Option<Named> {
    if !may_be_named(name) {
        return None;
    }
    let key = key_of(name);
    let named = ANCHOR_KEYS.iter().flat_map(|(kind, keys)| keys.iter().map(move |it| (*kind, it)));
    let mut found = None;
    for (kind, phrase) in named {
        let Some(rest) = rest_of(&key, phrase) else { continue };
        if LETTERS.contains(&phrase.as_str()) && !has_slash_between(name) {
            // Initials, as of `B & F`.
            found = found.max(Some(Likeness::Alike));
            continue;
        }
        if rest.iter().all(|word| is_beside(word)) {
            return Some(Named::Anchor(kind));
        }
        // One word for a total may be anybody's.
        let is_sure = kind != AnchorKind::Total || phrase.contains(' ');
        found = found.max(Some(if is_sure { Likeness::Doubt } else { Likeness::Alike }));
    }
    for word in BALANCE_WORDS.iter() {
        let Some(rest) = rest_of(&key, word) else { continue };
        let is_sure = !OTHER_MEANINGS.contains(&word.as_str()) || ends_as_of_a_day(&rest);
        if is_sure && is_dated(&rest) {
            return Some(Named::Anchor(AnchorKind::Balance));
        }
    }
    if DOUBTFUL.contains(&key) {
        return Some(Named::Doubt);
    }
    for word in BALANCE_WORDS.iter().chain(WORDS.iter()) {
        if let Some(rest) = rest_of(&key, word) {
            let is_doubt = is_described(&rest) || ends_as_of_a_day(&rest);
            found = found.max(Some(if is_doubt { Likeness::Doubt } else { Likeness::Alike }));
        }
    }
    found.map(|likeness| match likeness {
        Likeness::Doubt => Named::Doubt,
        Likeness::Alike => Named::Alike,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Alike,
    Doubt,
}

/// Which balance or total a name is, if it leaves no doubt.
pub fn kind_of(name: &str) -> Option<AnchorKind> {
    match named(name)? {
        Named::Anchor(kind) => Some(kind),
        Named::Doubt | Named::Alike => None,
    }
}

/// Whether a name is that of an opening balance, without doubt.
pub fn names_opening(name: &str) -> bool {
    kind_of(name) == Some(AnchorKind::Opening)
}

/// How many letters of a name show that it is something else.
const HEAD_CHARS: usize = 4;
/// More letters with spaces between them are a word.
const LETTERS_APART_MIN: usize = 3;
/// A longer name is a text about something.
const NAME_BYTES_MAX: usize = 120;

fn may_be_named(name: &str) -> bool {
    if name.len() > NAME_BYTES_MAX {
        return false;
    }
    if let Some(head) = name.as_bytes().first_chunk::<HEAD_CHARS>()
        && head.iter().all(u8::is_ascii_alphabetic)
    {
        return PLAIN_HEADS.contains(&head.map(|byte| byte.to_ascii_lowercase()));
    }
    // With accents or quotation marks in front, the key has the letters.
    let end = name.char_indices().nth(2 * HEAD_CHARS).map_or(name.len(), |(at, _)| at);
    let head = head_of(&key_of(&name[..end]));
    head.chars().count() < HEAD_CHARS
        || HEADS.contains(&head)
        || SHORT_HEADS.iter().any(|short| head.starts_with(short.as_str()))
}

/// Words for a balance that are something else in other languages: a ball, what was sold.
const OTHER_MEANINGS: [&str; 2] = ["bal", "sold"];

/// Brought and carried forward, if they are written with a slash.
const LETTERS: [&str; 2] = ["b f", "c f"];

fn has_slash_between(name: &str) -> bool {
    let letters = |c: char| !c.is_alphabetic();
    name.trim_start_matches(letters).chars().nth(1) == Some('/')
}

/// The key of a name, also of one with a space behind each letter: `S A L D O`.
fn key_of(name: &str) -> String {
    let key = known_key(name);
    let mut words = key.split(' ');
    let is_letter = |word: &str| word.chars().count() == 1 && !has_digit(word);
    if key.len() > 2 * LETTERS_APART_MIN && words.all(is_letter) {
        return key.split(' ').collect();
    }
    key
}

fn head_of(key: &str) -> String {
    key.chars().take(HEAD_CHARS).collect()
}

/// The first letters of the keys of all names.
static HEADS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let phrases = ANCHOR_KEYS.iter().flat_map(|(_, keys)| keys);
    phrases
        .chain(BALANCE_WORDS.iter())
        .chain(DOUBTFUL.iter())
        .chain(WORDS.iter())
        .map(|key| head_of(key))
        .collect()
});

/// Names that are shorter than that.
static SHORT_HEADS: LazyLock<Vec<&String>> =
    LazyLock::new(|| HEADS.iter().filter(|head| head.chars().count() < HEAD_CHARS).collect());

/// Heads of names that are plain.
static PLAIN_HEADS: LazyLock<HashSet<[u8; HEAD_CHARS]>> = LazyLock::new(|| {
    HEADS.iter().filter_map(|head| head.as_bytes().first_chunk().copied()).collect()
});

/// The words behind a phrase that a key begins with.
fn rest_of<'k>(key: &'k str, phrase: &str) -> Option<Vec<&'k str>> {
    let rest = key.strip_prefix(phrase)?;
    // Some scripts have no spaces between words.
    let ends = rest.is_empty()
        || rest.starts_with(' ')
        || (phrase.ends_with(is_of_script_without_spaces)
            && (rest.starts_with(|c: char| c.is_ascii_digit()) || phrase.chars().count() > 1));
    ends.then(|| rest.split_whitespace().collect())
}

fn is_of_script_without_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Whether a word behind a phrase only states a time, an amount, or what is counted.
fn is_beside(word: &str) -> bool {
    has_digit(word)
        || [&BESIDE_KEYS, &MONTH_KEYS, &QUALIFIER_KEYS].iter().any(|it| it.contains(word))
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// Whether words behind a word for a balance make it that of a day.
fn is_dated(rest: &[&str]) -> bool {
    has_day(rest) && rest.iter().all(|word| is_beside(word))
}

/// Whether words behind a word for a balance or a total only describe it; a number alone may be
/// that of a shop.
fn is_described(rest: &[&str]) -> bool {
    let is_word = |word: &&str| !has_digit(word);
    rest.iter().all(|word| is_beside(word)) && (rest.iter().any(is_word) || has_day(rest))
}

/// Whether the last words are a day on which a balance is stated: `au 31 12 2025`.
fn ends_as_of_a_day(rest: &[&str]) -> bool {
    let is_of_day =
        |word: &&str| has_digit(word) || MONTH_KEYS.contains(*word) || INSIDE_DAYS.contains(word);
    let Some(at) = rest.iter().rposition(|word| !is_of_day(word)) else { return false };
    let of_day = &rest[at + 1..];
    let as_of = rest[at];
    AS_OF.contains(&as_of) && has_day(of_day)
}

/// Whether some words are a day, or a month with a year.
fn has_day(words: &[&str]) -> bool {
    let number = |word: &str| word.parse::<u32>().ok().filter(|_| word.len() <= 8);
    let is_year = |number: u32| (1900..2200).contains(&number);
    let is_day = |number: u32| (1..=31).contains(&number);
    let is_pair = |two: &[&str]| match (number(two[0]), number(two[1])) {
        (Some(one), Some(other)) => {
            (is_day(one) && is_day(other) && one.min(other) <= 12)
                || (is_year(one) && is_day(other))
                || (is_day(one) && is_year(other))
        }
        _ => false,
    };
    let is_whole = |word: &&str| {
        word.len() == 8
            && number(word).is_some_and(|day| is_year(day / 10_000) || is_year(day % 10_000))
    };
    let has_month = words.iter().any(|word| MONTH_KEYS.contains(*word));
    (has_month && words.iter().any(|word| has_digit(word)))
        || words.windows(2).any(is_pair)
        || words.iter().any(is_whole)
        || words.iter().any(|word| has_digit(word) && word.contains(['月', '年']))
}

static ANCHOR_KEYS: LazyLock<Vec<(AnchorKind, Vec<String>)>> = LazyLock::new(|| {
    let keys = |phrases: &[&str]| phrases.iter().map(|phrase| known_key(phrase)).collect();
    ANCHORS.iter().map(|(kind, phrases)| (*kind, keys(phrases))).collect()
});

static BESIDE_KEYS: LazyLock<HashSet<String>> = LazyLock::new(|| keys_of(BESIDE));
static MONTH_KEYS: LazyLock<HashSet<String>> = LazyLock::new(|| keys_of(MONTHS));
static QUALIFIER_KEYS: LazyLock<HashSet<String>> = LazyLock::new(|| keys_of(QUALIFIERS));

fn keys_of(words: &[&str]) -> HashSet<String> {
    words.iter().map(|word| known_key(word)).collect()
}

/// Words for a balance, which need a day beside them.
static BALANCE_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words = [
        "balance",
        "account balance",
        "saldo",
        "kontostand",
        "solde",
        "sold",
        "bakiye",
        "zustatek",
        "zostatok",
        "egyenleg",
        "остаток",
        "залишок",
        "баланс",
        "сальдо",
        "салдо",
        "υπολοιπο",
        "saldi",
        "tilin saldo",
        "zostatok na ucte",
        "stanje",
        "stan konta",
        "bal",
    ];
    words.iter().map(|word| known_key(word)).collect()
});

/// Words that are a balance or a total, or the name of somebody.
static DOUBTFUL: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = TOTALS.iter().chain(BALANCES).map(|word| known_key(word));
    let anchors: HashSet<&String> = ANCHOR_KEYS.iter().flat_map(|(_, keys)| keys).collect();
    words.filter(|word| !anchors.contains(word) && !OTHERS.contains(&word.as_str())).collect()
});

/// Words that balances and totals begin with.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut words: Vec<String> =
        TOTALS.iter().chain(BALANCES).map(|word| known_key(word)).collect();
    words.retain(|word| !OTHERS.contains(&word.as_str()));
    words
});

/// Words for a balance or a total that mean other things, too: a transfer, a sale.
const OTHERS: [&str; 5] = ["ubertrag", "report", "suma", "sold", "devir"];

#[cfg(test)]
mod tests;
