//! What banks write to say that money came in or went out.

use super::header_names::known_key;

/// Which way money went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

/// The direction that a cell names, if it is one of the words that leave no doubt.
pub(super) fn direction(cell: &str) -> Option<Direction> {
    match cell {
        "+" => return Some(Direction::In),
        "-" | "−" => return Some(Direction::Out),
        _ => {}
    }
    let is_word = |word: &&&str| cell.eq_ignore_ascii_case(word);
    if cell.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        // The usual case, without making a key.
        return IN
            .iter()
            .find(is_word)
            .map(|_| Direction::In)
            .or_else(|| OUT.iter().find(is_word).map(|_| Direction::Out));
    }
    let key = known_key(cell);
    let is = |words: &[&str]| words.contains(&key.as_str());
    if is(IN) {
        Some(Direction::In)
    } else if is(OUT) {
        Some(Direction::Out)
    } else {
        None
    }
}

#[rustfmt::skip]
const IN: &[&str] = &[
    "credit", "cr", "c", "crdt", "in", "inflow", "income", "deposit", "money in", "credited",
    "haben", "h", "eingang", "gutschrift", "einnahme", "recette", "abono", "haber", "credito",
    "ingreso", "entrada", "avere", "entrata", "accredito", "receita", "bij", "insattning",
    "indtaegt", "inn", "pano", "uznanie", "ma", "wplyw", "kredit", "prijem", "jovairas", "bevetel",
    "alacak", "intrare",
];

#[rustfmt::skip]
const OUT: &[&str] = &[
    "debit", "dr", "d", "dbit", "out", "outflow", "expense", "withdrawal", "money out", "debited",
    "soll", "s", "ausgang", "belastung", "lastschrift", "ausgabe", "depense", "cargo", "debe",
    "debito", "gasto", "salida", "dare", "uscita", "addebito", "saida", "despesa", "af", "debet",
    "uttag", "udgift", "ut", "otto", "obciazenie", "wn", "wydatek", "vydaj", "terheles", "kiadas",
    "borc", "iesire",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_in_any_case_and_none_is_both() {
        for (cell, expected) in [
            ("Credit", Some(Direction::In)),
            ("CRDT", Some(Direction::In)),
            ("Dr.", Some(Direction::Out)),
            ("Crédit", Some(Direction::In)),
            ("Af", Some(Direction::Out)),
            ("-", Some(Direction::Out)),
            ("pending", None),
            ("", None),
        ] {
            assert_eq!(direction(cell), expected, "{cell}");
        }
        assert!(IN.iter().all(|word| !OUT.contains(word)));
        assert!(IN.iter().chain(OUT).all(|word| known_key(word) == *word));
    }
}
