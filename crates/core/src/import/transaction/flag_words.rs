//! The words for yes and no below a header that is a word for a status: `Pending`, `Declined`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::header_names::known_key;

/// Whether a cell is a word for yes, or one for no; nothing for any other.
pub(in crate::import) fn flag(cell: &str) -> Option<bool> {
    match cell {
        "✓" | "✔" | "☑" | "+" => Some(true),
        "-" | "–" | "—" | "☐" => Some(false),
        _ => BY_KEY.get(known_key(cell).as_str()).copied(),
    }
}

static BY_KEY: LazyLock<HashMap<String, bool>> = LazyLock::new(|| {
    let lists = [(true, YES), (false, NO)];
    let of = |(is_yes, words): (bool, &'static [&'static str])| {
        words.iter().map(move |word| (known_key(word), is_yes))
    };
    lists.into_iter().flat_map(of).collect()
});

#[rustfmt::skip]
const YES: &[&str] = &[
    "true", "t", "yes", "y", "1", "x", "ja", "j", "wahr", "oui", "o", "vrai", "si", "s",
    "verdadero", "vero", "sim", "verdadeiro", "waar", "sant", "sand", "sann", "kylla", "tosi",
    "tak", "prawda", "ano", "pravda", "da", "igen", "igaz", "evet", "dogru", "adevarat", "да",
    "истина", "так", "істина", "ναι", "はい", "是", "예", "כן", "نعم", "co", "ya", "ใช่",
];

#[rustfmt::skip]
const NO: &[&str] = &[
    "false", "f", "no", "n", "0", "nein", "falsch", "non", "faux", "falso", "nao", "nee", "onwaar",
    "nej", "nei", "falskt", "falsk", "usann", "ei", "epatosi", "nie", "falsz", "ne", "nepravda",
    "nem", "hamis", "hayir", "yanlis", "nu", "fals", "нет", "ложь", "ні", "хибність", "οχι",
    "いいえ", "否", "아니오", "아니요", "לא", "لا", "khong", "tidak", "ไม่ใช่",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_in_any_case() {
        for (cell, expected) in [
            ("TRUE", Some(true)),
            ("Sí", Some(true)),
            ("não", Some(false)),
            ("Fałsz", Some(false)),
            ("1", Some(true)),
            ("0", Some(false)),
            ("✓", Some(true)),
            ("-", Some(false)),
            ("", None),
            ("12", None),
            ("maybe", None),
        ] {
            assert_eq!(flag(cell), expected, "{cell}");
        }
        assert_eq!(BY_KEY.len(), YES.len() + NO.len(), "a word is listed twice");
    }
}
