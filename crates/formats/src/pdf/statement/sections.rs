//! Headings above rows that show which way the money went.

use purser_core::import::transaction::header_names::known_key;

/// Whether what a heading names came in; nothing for other headings.
pub(super) fn direction_of(heading: &str) -> Option<bool> {
    let key = known_key(heading);
    let key = key.trim();
    let has = |words: &[&str]| words.iter().any(|word| key == *word || starts(key, word));
    match (has(IN), has(OUT)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Whether a heading begins with a phrase and goes on with a few words: `deposits and additions`.
fn starts(key: &str, phrase: &str) -> bool {
    key.strip_prefix(phrase)
        .is_some_and(|rest| rest.starts_with(' ') && rest.split_whitespace().count() <= 4)
}

#[rustfmt::skip]
const IN: &[&str] = &[
    "deposits", "credits", "additions", "payments received", "money in", "other credits",
    "electronic deposits", "deposits and credits", "payments and other credits", "paid in",
    "gutschriften", "eingange", "zahlungseingange", "einzahlungen", "haben", "credits recus",
    "versements", "encaissements", "abonos", "ingresos", "accrediti", "entrate", "creditos",
    "entradas", "bijschrijvingen", "insattningar", "uznania", "wplywy",
];

#[rustfmt::skip]
const OUT: &[&str] = &[
    "withdrawals", "debits", "subtractions", "checks", "checks paid", "fees", "service charges",
    "fees charged", "interest charged", "purchases", "money out", "other debits", "paid out",
    "electronic withdrawals", "atm withdrawals", "card purchases", "purchases and adjustments",
    "lastschriften", "belastungen", "ausgange", "auszahlungen", "soll", "debits emis",
    "retraits", "prelevements", "cargos", "gastos", "retiros", "addebiti", "uscite", "debitos",
    "saidas", "afschrijvingen", "uttag", "obciazenia", "wydatki",
];
