//! Whether two names are of the same merchant.
//!
//! A bank writes a name in more words while a transaction is pending than when it is booked, or the
//! other way round, and cuts words off. So names are similar if every word of the one is in the
//! other, whole or as its beginning. Accents, numbers and words that are in most texts of banks
//! don't count.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words of banks, which name no merchant.
const GENERIC: &[&str] = &[
    "auth",
    "authorisation",
    "authorization",
    "card",
    "carte",
    "debit",
    "karte",
    "kartenzahlung",
    "mastercard",
    "online",
    "payment",
    "pending",
    "pos",
    "purchase",
    "sepa",
    "tarjeta",
    "transaction",
    "visa",
    "vorgemerkt",
];
/// Letters that a word must have to stand for a longer one.
const PREFIX_CHARS_MIN: usize = 4;

/// Whether two names are of the same merchant, as far as words can show it.
pub fn are_similar(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (words(one), words(other));
    if one.is_empty() || other.is_empty() {
        return false;
    }
    let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    few.iter().all(|word| many.iter().any(|known| is_beginning(word, known)))
}

/// The words that name somebody, in small letters.
fn words(name: &str) -> Vec<String> {
    let plain: String = name.nfd().filter(|c| !is_combining_mark(*c)).collect();
    let lower = plain.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| {
        word.chars().filter(|c| c.is_alphabetic()).count() >= 2
            && !word.chars().any(char::is_numeric)
            && !GENERIC.contains(word)
    });
    words.map(str::to_owned).collect()
}

/// Whether one of two words is the other, or its beginning.
fn is_beginning(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short == long || (short.chars().count() >= PREFIX_CHARS_MIN && long.starts_with(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_merchant_are_similar() {
        for (one, other) in [
            ("Corner Bakery", "Corner Bakery"),
            ("Corner Bakery", "CARD 0423 CORNER BAKERY BERLIN"),
            ("NIGHT OWL CAFE", "Night Owl Café"),
            ("Visa payment Spotify", "SPOTIFY"),
            ("TRATTO SOLE", "Trattoria Sole"),
            ("123", "123"),
        ] {
            assert!(are_similar(one, other) && are_similar(other, one), "{one} / {other}");
        }
    }

    #[test]
    fn names_of_different_merchants_are_not() {
        for (one, other) in [
            ("Corner Bakery", "Corner Books"),
            ("Card payment 1", "Card payment 2"),
            ("CARD 1234", "Green Grocer"),
            ("", "Green Grocer"),
            ("Amazon", "Amaretto"),
            ("Bar One", "Bar Two"),
        ] {
            assert!(!are_similar(one, other) && !are_similar(other, one), "{one} / {other}");
        }
    }
}
