//! Text search in names, notes and the names of merchants, with the same answer on both databases.
//!
//! A text is found wherever it stands, whatever its case. `LOWER` of both databases folds the
//! letters A to Z only (PostgreSQL's because the columns are in the `"C"` collation), so that is
//! what the query relies on. For each other letter of the searched text that has one upper and one
//! lower form (`Ä`, `Ж`, `Σ`), the query replaces the upper form by the lower one before it
//! compares. Letters without such a pair (`ß`) match themselves. `%` and `_` are ordinary
//! characters.
//!
//! A family has few merchants beside its transactions: a query finds those with the text once, and
//! compares only their ids with each transaction.

use purser_core::error::{Error, Problem, Result};

use crate::driver::{Filter, Val};
use crate::families::FamilyId;

/// Characters of a searched text.
pub const SEARCH_CHARS_MAX: usize = 200;
/// Letters beyond A to Z that are folded, each once.
const PAIRS_MAX: usize = 24;

/// A text to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// Lower case, wildcards escaped, `%` around it.
    pattern: String,
    /// Upper and lower forms of letters beyond A to Z.
    pairs: Vec<(String, String)>,
}

fn refused(predicate: String) -> Error {
    Problem::field("search", predicate).into()
}

impl Search {
    /// Prepares a text; blank text searches for nothing.
    pub fn new(text: &str) -> Result<Option<Self>> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if text.contains('\0') || text.chars().count() > SEARCH_CHARS_MAX {
            return Err(refused(format!(
                "must have at most {SEARCH_CHARS_MAX} characters, none of them NUL"
            )));
        }
        let mut pattern = String::from("%");
        let mut pairs: Vec<(String, String)> = Vec::new();
        for letter in text.chars().map(lower) {
            if matches!(letter, '%' | '_' | ESCAPE) {
                pattern.push(ESCAPE);
            }
            pattern.push(letter);
            if let Some(capital) = capital(letter) {
                let pair = (capital.to_string(), letter.to_string());
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
        pattern.push('%');
        if pairs.len() > PAIRS_MAX {
            return Err(refused(format!(
                "must have at most {PAIRS_MAX} different letters other than a to z"
            )));
        }
        Ok(Some(Self { pattern, pairs }))
    }

    /// Adds the condition of the search.
    pub(super) fn limit<'a>(&'a self, filter: Filter<'a>, family: FamilyId) -> Filter<'a> {
        let one = self
            .pairs
            .iter()
            .flat_map(|(upper, lower)| [Val::Text(upper), Val::Text(lower)])
            .chain([Val::Text(&self.pattern)]);
        let own = one.clone().chain(one.clone());
        let of_merchant = std::iter::once(Val::from(family)).chain(one);
        let all: Vec<Val<'a>> = own.chain(of_merchant).collect();
        let text = CONDITIONS.get(self.pairs.len()).copied().unwrap_or(CONDITIONS[0]);
        filter.and(text, all)
    }
}

const ESCAPE: char = '!';

/// The lower form of a letter, if it is one letter.
fn lower(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => letter,
    }
}

/// The upper form of a lower letter beyond A to Z, if it is one letter.
fn capital(letter: char) -> Option<char> {
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) if !letter.is_ascii() && one != letter => Some(one),
        _ => None,
    }
}

/// A column in lower case, with one replacement for each `x`.
macro_rules! folded {
    ($column:literal;) => { concat!("LOWER(", $column, ")") };
    ($column:literal; x $($more:ident)*) => {
        concat!("REPLACE(", folded!($column; $($more)*), ", ?, ?)")
    };
}

/// The condition with one replacement for each `x`.
macro_rules! condition {
    ($($x:ident)*) => {
        concat!(
            folded!("name"; $($x)*), " LIKE ? ESCAPE '!' OR ",
            folded!("notes"; $($x)*), " LIKE ? ESCAPE '!' OR ",
            "merchant_id IN (SELECT m.id FROM merchants m WHERE m.family_id = ? AND ",
            folded!("m.name"; $($x)*), " LIKE ? ESCAPE '!')"
        )
    };
}

/// The conditions for 0, 1, 2, … replacements.
macro_rules! conditions {
    ([$($done:expr),*] $($x:ident)*; ) => { [$($done,)* condition!($($x)*)] };
    ([$($done:expr),*] $($x:ident)*; $next:ident $($more:ident)*) => {
        conditions!([$($done,)* condition!($($x)*)] $($x)* $next; $($more)*)
    };
}

const CONDITIONS: [&str; PAIRS_MAX + 1] =
    conditions!([] ; x x x x x x x x x x x x x x x x x x x x x x x x);

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &str) -> Search {
        Search::new(text).unwrap().unwrap()
    }

    #[test]
    fn texts_are_folded_and_escaped() {
        assert_eq!(search(" Cafe ").pattern, "%cafe%");
        assert_eq!(search("100%_!").pattern, "%100!%!_!!%");
        assert!(search("Cafe").pairs.is_empty());
        let umlauts = search("ÄRZTE ärzte Öl");
        assert_eq!(umlauts.pattern, "%ärzte ärzte öl%");
        let pair = |upper: &str, lower: &str| (upper.to_owned(), lower.to_owned());
        assert_eq!(umlauts.pairs, [pair("Ä", "ä"), pair("Ö", "ö")]);
        assert!(search("Straße İ 食").pairs.is_empty());
        assert_eq!(Search::new(" \t").unwrap(), None);
    }

    #[test]
    fn what_is_too_much_is_refused() {
        assert!(Search::new(&"a".repeat(200)).is_ok());
        assert!(Search::new(&"a".repeat(201)).is_err());
        assert!(Search::new("a\0b").is_err());
        let alphabet: String = ('а'..='я').collect();
        assert!(Search::new(&alphabet).is_err());
        assert!(Search::new("Пятёрочка и Магнит").is_ok());
    }

    #[test]
    fn each_condition_takes_its_parameters() {
        for (pairs, condition) in CONDITIONS.iter().enumerate() {
            assert_eq!(condition.matches('?').count(), pairs * 6 + 4, "{condition}");
        }
    }
}
