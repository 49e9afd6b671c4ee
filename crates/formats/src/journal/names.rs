//! Names in journals: of accounts, commodities and tags, as the programs accept them, and each for
//! one thing alone.
//!
//! hledger takes nearly any name. Beancount's accounts have letters, digits and hyphens, and each
//! part begins with a capital letter or a digit; its commodities and tags are ASCII. Commodities
//! are the same in both. A name that was changed stands as it was beside its directive.

use std::collections::HashMap;

use purser_core::money::Currency;
use unicode_normalization::UnicodeNormalization as _;

use super::Dialect;

/// Words that Beancount reads as something else than a commodity.
const KEYWORDS: [&str; 3] = ["TRUE", "FALSE", "NULL"];
/// Tags that have a meaning for hledger.
const HLEDGER_TAGS: [&str; 3] = ["date", "date2", "type"];
/// What is left of a name without any letter that can be written.
const NOTHING: &str = "X";

/// Names that are taken, and the number that each was last given.
#[derive(Debug, Default)]
pub struct Names(HashMap<String, u64>);

impl Names {
    /// The name, or with a number behind it if it is taken.
    pub fn unique(&mut self, wanted: String) -> String {
        let Some(mut number) = self.0.get(&wanted).copied() else {
            self.0.insert(wanted.clone(), 1);
            return wanted;
        };
        loop {
            number += 1;
            let name = format!("{wanted}-{number}");
            if !self.0.contains_key(&name) {
                self.0.insert(wanted, number);
                self.0.insert(name.clone(), 1);
                return name;
            }
        }
    }

    /// The commodity of a security: its ticker, with its market if the ticker is taken. Codes of
    /// currencies are always taken.
    pub fn commodity(&mut self, ticker: &str, market: &str) -> String {
        let name = symbol(ticker);
        let is_free = |name: &String| {
            !self.0.contains_key(name)
                && Currency::parse(name).is_none()
                && !KEYWORDS.contains(&name.as_str())
        };
        let market = if market.is_empty() { "S" } else { market };
        let full = symbol(&format!("{name}.{market}"));
        let name = if is_free(&name) { name } else { full };
        self.unique(name)
    }
}

/// A part of the name of an account.
pub fn component(dialect: Dialect, name: &str) -> String {
    match dialect {
        Dialect::Hledger => spaced(name),
        Dialect::Beancount => lettered(name),
    }
}

/// A tag.
pub fn tag(dialect: Dialect, name: &str) -> String {
    match dialect {
        Dialect::Hledger => {
            let is_mark = |c: char| c.is_whitespace() || c.is_control() || ":,".contains(c);
            let name = hyphened(name, |c| !is_mark(c));
            if HLEDGER_TAGS.contains(&name.as_str()) { name + "-tag" } else { name }
        }
        Dialect::Beancount => hyphened(name, |c| c.is_ascii_alphanumeric() || "_/.".contains(c)),
    }
}

/// Single spaces, and no mark that ends a part or begins a comment.
fn spaced(name: &str) -> String {
    let mut part = String::with_capacity(name.len());
    for c in name.chars() {
        let c = match c {
            ':' => '-',
            ';' => ',',
            c if c.is_whitespace() || c.is_control() => ' ',
            c => c,
        };
        if c != ' ' || !(part.is_empty() || part.ends_with(' ')) {
            part.push(c);
        }
    }
    if part.ends_with(' ') {
        part.pop();
    }
    if part.is_empty() { NOTHING.to_owned() } else { part }
}

/// Letters, digits and hyphens, of which the first is a capital letter or a digit.
fn lettered(name: &str) -> String {
    let composed: String = name.nfc().collect();
    let part = hyphened(&composed, |c| c.is_ascii_alphanumeric() || is_letter(c));
    let mut chars = part.chars();
    let Some(first) = chars.next() else { return NOTHING.to_owned() };
    if first.is_uppercase() || first.is_ascii_digit() {
        return part;
    }
    let mut capital = first.to_uppercase();
    match (capital.next(), capital.next()) {
        (Some(capital), None) if capital.is_uppercase() && may_stand(capital) => {
            format!("{capital}{}", chars.as_str())
        }
        _ => format!("{NOTHING}{part}"),
    }
}

fn may_stand(c: char) -> bool {
    c.is_ascii_alphanumeric() || is_letter(c)
}

/// What isn't kept becomes a hyphen, but not at an end and never two together.
fn hyphened(name: &str, keeps: impl Fn(char) -> bool) -> String {
    let mut part = String::with_capacity(name.len());
    let mut is_open = false;
    for c in name.chars() {
        if keeps(c) {
            if is_open && !part.is_empty() {
                part.push('-');
            }
            is_open = false;
            part.push(c);
        } else {
            is_open = true;
        }
    }
    if part.is_empty() { NOTHING.to_owned() } else { part }
}

/// Whether Beancount takes it for a letter: of the scripts in which no letter needs a mark of its
/// own.
fn is_letter(c: char) -> bool {
    matches!(c,
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{24f}'            // Latin
        | '\u{386}' | '\u{388}'..='\u{38a}' | '\u{38c}' | '\u{38e}'..='\u{3a1}'     // Greek
        | '\u{3a3}'..='\u{3f5}' | '\u{3f7}'..='\u{3ff}'
        | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}'                             // Cyrillic
        | '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{63f}' | '\u{641}'..='\u{64a}'     // Hebrew, Arabic
        | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'            // Kana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'                         // Han
        | '\u{ac00}'..='\u{d7a3}') // Hangul
}

/// Capital letters, digits and a few marks; a letter first, and a letter or a digit last.
fn symbol(ticker: &str) -> String {
    let upper = ticker.to_ascii_uppercase();
    let keeps = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "'._".contains(c);
    let mut symbol = hyphened(&upper, keeps);
    if !symbol.starts_with(|c: char| c.is_ascii_uppercase()) {
        symbol.insert_str(0, NOTHING);
    }
    if !symbol.ends_with(|c: char| c.is_ascii_alphanumeric()) {
        symbol.push_str(NOTHING);
    }
    symbol
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_each_program_takes() {
        for (name, hledger, beancount) in [
            ("Joint Account", "Joint Account", "Joint-Account"),
            ("  a:b;\u{a0} c\n", "a-b, c", "A-b-c"),
            ("café", "café", "Café"),
            ("cafe\u{301}", "cafe\u{301}", "Café"),
            ("éa", "éa", "Éa"),
            ("ßa", "ßa", "Xßa"),
            ("東京 Bank", "東京 Bank", "X東京-Bank"),
            ("401k", "401k", "401k"),
            ("--", "--", "X"),
            ("👍", "👍", "X"),
            ("", "X", "X"),
            ("ⓐ ǆ", "ⓐ ǆ", "Ǆ"),
            ("Ω-Жук", "Ω-Жук", "Ω-Жук"),
        ] {
            assert_eq!(component(Dialect::Hledger, name), hledger);
            assert_eq!(component(Dialect::Beancount, name), beancount);
        }
        for (name, hledger, beancount) in [
            ("Tax 2024", "Tax-2024", "Tax-2024"),
            ("a,b:c", "a-b-c", "a-b-c"),
            ("date", "date-tag", "date"),
            ("Übung", "Übung", "bung"),
            ("旅行", "旅行", "X"),
        ] {
            assert_eq!(tag(Dialect::Hledger, name), hledger);
            assert_eq!(tag(Dialect::Beancount, name), beancount);
        }
    }

    #[test]
    fn no_two_things_have_one_name() {
        let mut names = Names::default();
        let mut unique = |name: &str| names.unique(name.to_owned());
        assert_eq!(["A", "A-2", "A", "A"].map(&mut unique), ["A", "A-2", "A-3", "A-4"]);
        let mut names = Names::default();
        for (ticker, market, commodity) in [
            ("VTI", "", "VTI"),
            ("VTI", "XNAS", "VTI.XNAS"),
            ("VTI", "XNAS", "VTI.XNAS-2"),
            ("BTC", "", "BTC.S"),
            ("EUR", "XETR", "EUR.XETR"),
            ("TRUE", "", "TRUE.S"),
            ("F", "", "F"),
            ("0700.HK", "", "X0700.HK"),
            ("^GSPC", "", "GSPC"),
            ("BRK-B", "", "BRK-B"),
            ("A'", "", "A'X"),
            ("東京", "", "X"),
        ] {
            assert_eq!(names.commodity(ticker, market), commodity);
        }
    }
}
