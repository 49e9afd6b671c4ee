//! Passwords that are tried first.
//!
//! Lists of stolen passwords are mostly a few hundred words, with digits and signs around them or
//! in the place of letters, and ways over the keyboard. So this has the words, and knows what
//! people do to them, instead of a list of the results. Of the eleven thousand most frequent
//! passwords of eight characters or more that were counted in public, those that this doesn't
//! recognise are a list of hashes.

use std::collections::HashSet;
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};

/// Words, in lower case, with nothing but letters.
const WORDS: &str = include_str!("words.txt");
/// The first bytes of the SHA-256 of frequent passwords in lower case, sorted.
const HASHES: &[u8] = include_bytes!("common.bin");
/// The number of bytes of each: two other passwords in a million are refused with them.
const HASH_BYTES: usize = 4;
/// Ways over the keyboard, the digits and the alphabet; backwards, too.
const WAYS: [&str; 12] = [
    "12345678901234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "yxcvbnm",
    "azertyuiop",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "1q2w3e4r5t6y7u8i9o0p",
    "qazwsxedcrfvtgbyhnujm",
    "147258369",
    "abcdefghijklmnopqrstuvwxyz",
];
/// Characters that a part of a way has at least.
const STEPS_MIN: usize = 3;
/// Characters around a word that don't help: `123`, `!`, a year and a sign.
const AROUND_MAX: usize = 5;

/// Whether a password is one of those that are tried first.
pub(super) fn is_common(password: &str) -> bool {
    let text = password.trim().to_lowercase();
    is_repetition(&text) || is_way(&text) || is_date(&text) || is_word(&text) || is_listed(&text)
}

fn is_listed(text: &str) -> bool {
    let hash = Sha256::digest(text);
    let (hashes, _) = HASHES.as_chunks::<HASH_BYTES>();
    hashes.binary_search_by(|listed| listed.as_slice().cmp(&hash[..HASH_BYTES])).is_ok()
}

fn words() -> &'static HashSet<&'static str> {
    static WORDS_SET: OnceLock<HashSet<&str>> = OnceLock::new();
    WORDS_SET.get_or_init(|| WORDS.split_whitespace().collect())
}

/// A word, perhaps with something around it, and with signs that look like its letters.
fn is_word(text: &str) -> bool {
    let is_letter = |character: char| character.is_alphabetic();
    let core = text.trim_matches(|character| !is_letter(character));
    let around = text.chars().count() - core.chars().count();
    let (start, end) = text.split_once(core).unwrap_or_default();
    let is_plain = around <= AROUND_MAX || [start, end].iter().all(|part| is_weak_part(part));
    if !core.is_empty() && is_plain && is_known(core) {
        return true;
    }
    // Signs for letters may stand at its ends, too: `p4$$w0rd`, `$ummer2024`.
    (0..=AROUND_MAX).any(|left_out| {
        let end = text.char_indices().rev().nth(left_out).map_or(0, |(at, c)| at + c.len_utf8());
        is_known(&text[..end])
    })
}

/// Something before or after a word that has many characters and is no more than a few.
fn is_weak_part(part: &str) -> bool {
    part.chars().count() <= 2 || is_way(part) || is_repetition(part)
}

/// A word of the list, or two times the same, whatever signs its letters are written with.
fn is_known(text: &str) -> bool {
    ['i', 'l'].into_iter().any(|one| {
        let plain: String = text.chars().map(|character| letter(character, one)).collect();
        let half = plain.get(..plain.len() / 2).filter(|half| half.repeat(2) == plain);
        words().contains(plain.as_str()) || half.is_some_and(|half| words().contains(half))
    })
}

/// The letter that a sign stands for.
fn letter(sign: char, one: char) -> char {
    match sign {
        '0' => 'o',
        '1' | '!' | '|' => one,
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        '8' => 'b',
        '9' => 'g',
        other => other,
    }
}

/// The same few characters again and again.
fn is_repetition(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    (1..=4).any(|unit| {
        characters.len() >= 2 * unit
            && characters.iter().zip(&characters[unit..]).all(|(one, next)| one == next)
    })
}

/// Nothing but parts of ways.
fn is_way(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let longest = longest_part(&characters[at..]);
        // The last part may be shorter: `qwerty12`.
        let is_rest = at > 0 && characters.len() - at < STEPS_MIN;
        if longest < STEPS_MIN && !is_rest {
            return false;
        }
        at += longest.max(1);
    }
    at > 0
}

/// How many characters from the start are one part of a way.
fn longest_part(characters: &[char]) -> usize {
    let part = |way: &[char]| {
        let starts = 0..way.len();
        let matching = |start: usize| {
            way[start..].iter().zip(characters).take_while(|(one, other)| one == other).count()
        };
        starts.map(matching).max().unwrap_or(0)
    };
    let both = |way: &&str| {
        let forwards: Vec<char> = way.chars().collect();
        let backwards: Vec<char> = way.chars().rev().collect();
        part(&forwards).max(part(&backwards))
    };
    WAYS.iter().map(both).max().unwrap_or(0)
}

/// A day as digits, with or without signs between them.
fn is_date(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || "./- ".contains(c));
    let number = |from: usize, to: usize| digits.get(from..to).and_then(|part| part.parse().ok());
    let fits = |year: Option<u16>, one: Option<u16>, other: Option<u16>| {
        year.is_some_and(|year| (1900..=2100).contains(&year))
            && [one, other].iter().all(|part| part.is_some_and(|part| (1..=31).contains(&part)))
    };
    is_plain
        && digits.len() == 8
        && (fits(number(4, 8), number(0, 2), number(2, 4))
            || fits(number(0, 4), number(4, 6), number(6, 8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_first_is_known() {
        for password in [
            "password",
            "Password1",
            "PASSWORD123!",
            "p@ssw0rd",
            "P@$$w0rd!",
            "passwort2024",
            "12345678",
            "123456789",
            "1234567890",
            "87654321",
            "11111111",
            "12121212",
            "123123123",
            "12341234",
            "147258369",
            "qwertyui",
            "qwerty123",
            "Qwerty12345",
            "1q2w3e4r",
            "1qaz2wsx",
            "qazwsxedc",
            "asdfasdf",
            "zxcvbnm1",
            "abcd1234",
            "abc12345",
            "iloveyou",
            "sunshine1",
            "Summer2024!",
            "$ummer2024",
            "princess",
            "football",
            "trustno1",
            "letmein1",
            "welcome123",
            "dragon123456",
            "michael1",
            "1michael1",
            "liverpool",
            "starwars",
            "changeme",
            "passpass",
            "19850412",
            "12.04.1985",
            "purser2026",
            "aaaaaaaa",
            "q1w2e3r4t5",
            "Maverick",
            "11223344",
            "ncc1701d",
            "1029384756",
            "thankyou",
        ] {
            assert!(is_common(password), "{password}");
        }
    }

    #[test]
    fn others_are_left_alone() {
        for password in [
            "correct horse battery staple",
            "correct horse",
            "long enough",
            "another one",
            "xkq7hw2m",
            "dragon-kettle",
            "7391048265dragon",
            "40175329",
            "michaels umbrella",
            "Tr0mbone-Sälzer",
            "grüne Wiese",
        ] {
            assert!(!is_common(password), "{password}");
        }
    }

    #[test]
    fn the_words_are_written_as_they_are_looked_up() {
        assert!(words().len() > 1_000);
        for word in words() {
            assert!(word.chars().all(|character| character.is_ascii_lowercase()), "{word}");
        }
        let (hashes, rest) = HASHES.as_chunks::<HASH_BYTES>();
        assert!(hashes.is_sorted() && hashes.len() > 3_000 && rest.is_empty());
    }
}
