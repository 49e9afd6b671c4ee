//! The securities of a file: what their names stand for.
//!
//! Records name a security by its name; a list in the file may have its symbol. Without one the
//! ticker is made of the name, and two names that would make one ticker are refused: nobody knows
//! whether they are one security.

use std::collections::HashMap;

use purser_core::ledger::security::{TICKER_CHARS_MAX, is_isin};
use purser_core::limits::IMPORT_MAPPINGS_MAX;
use purser_core::text::label::name_key;
use sha2::{Digest as _, Sha256};

use crate::programs::RewriteError;

/// What a name of a security stands for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SecurityCells {
    pub(super) ticker: String,
    pub(super) isin: String,
    pub(super) name: String,
    /// The first depot that has trades of it: in the currency of that one are its prices.
    pub(super) depot: String,
    /// Another security that would have the same ticker.
    pub(super) twin: Option<String>,
}

/// The securities of a file by the keys of their names.
#[derive(Debug, Default)]
pub(super) struct Securities {
    known: HashMap<String, SecurityCells>,
    /// The keys of names without a symbol, in the order of their appearance.
    nameless: Vec<String>,
}

impl Securities {
    /// Takes an entry of the list.
    pub(super) fn list(&mut self, name: &str, symbol: &str) -> Result<(), RewriteError> {
        let key = name_key(if name.is_empty() { symbol } else { name });
        if key.is_empty() {
            return Ok(());
        }
        self.mention(if name.is_empty() { symbol } else { name })?;
        if let Some(known) = self.known.get_mut(&key)
            && known.ticker.is_empty()
            && known.isin.is_empty()
        {
            if is_isin(&symbol.to_uppercase()) {
                known.isin = symbol.to_uppercase();
            } else if is_symbol(symbol) {
                symbol.clone_into(&mut known.ticker);
            }
        }
        Ok(())
    }

    /// Takes a name that a record has.
    pub(super) fn mention(&mut self, name: &str) -> Result<(), RewriteError> {
        let key = name_key(name);
        if key.is_empty() || self.known.contains_key(&key) {
            return Ok(());
        }
        if self.known.len() >= IMPORT_MAPPINGS_MAX {
            return Err(RewriteError::Foreign(format!(
                "the file names more than {IMPORT_MAPPINGS_MAX} securities"
            )));
        }
        let cells = SecurityCells { name: name.to_owned(), ..SecurityCells::default() };
        self.known.insert(key.clone(), cells);
        self.nameless.push(key);
        Ok(())
    }

    /// Takes a name that a record of a depot has.
    pub(super) fn mention_in(&mut self, name: &str, depot: &str) -> Result<(), RewriteError> {
        self.mention(name)?;
        if let Some(known) = self.known.get_mut(&name_key(name))
            && known.depot.is_empty()
        {
            depot.clone_into(&mut known.depot);
        }
        Ok(())
    }

    /// Gives those without a symbol a ticker, once all of them are known.
    pub(super) fn name(&mut self) {
        let has_symbol = |one: &&SecurityCells| !one.ticker.is_empty();
        let symbols = self.known.values().filter(has_symbol);
        let mut taken: HashMap<String, String> =
            symbols.map(|one| (one.ticker.to_uppercase(), one.name.clone())).collect();
        for key in std::mem::take(&mut self.nameless) {
            let Some(one) = self.known.get_mut(&key) else { continue };
            if !one.ticker.is_empty() || !one.isin.is_empty() {
                continue;
            }
            let ticker = ticker_of(&one.name);
            one.twin = taken.get(&ticker).cloned();
            taken.entry(ticker.clone()).or_insert_with(|| one.name.clone());
            one.ticker = ticker;
        }
    }

    /// What a name stands for.
    pub(super) fn get(&self, name: &str) -> Option<&SecurityCells> {
        self.known.get(&name_key(name))
    }
}

impl Securities {
    /// What a symbol stands for, or a name where the file has no symbols.
    pub(super) fn by_symbol(&self, text: &str) -> Option<SecurityCells> {
        let is_called = |one: &&SecurityCells| {
            one.ticker.eq_ignore_ascii_case(text) || one.isin.eq_ignore_ascii_case(text)
        };
        let by_symbol = || self.known.values().filter(is_called).min_by_key(|one| &one.name);
        let known = self.get(text).or_else(by_symbol).filter(|one| one.twin.is_none());
        let named = || SecurityCells { ticker: text.to_owned(), ..SecurityCells::default() };
        known.cloned().or_else(|| is_symbol(text).then(named))
    }
}

fn is_symbol(text: &str) -> bool {
    !text.is_empty()
        && text.chars().count() <= TICKER_CHARS_MAX
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// A ticker for a security of which only the name is known: `VANGUARD-500-INDEX`. A longer name
/// ends with digits of its hash, so that no other security has the ticker, whatever file it is
/// from.
fn ticker_of(name: &str) -> String {
    let is_kept = |c: char| c.is_alphanumeric() || matches!(c, '.' | '&');
    let words = name.split(|c| !is_kept(c)).filter(|word| !word.is_empty());
    let ticker = words.collect::<Vec<_>>().join("-").to_uppercase();
    if ticker.chars().count() <= TICKER_CHARS_MAX {
        return ticker;
    }
    let hash = Sha256::digest(&ticker);
    let digits: String = hash.iter().take(4).map(|byte| format!("{byte:02X}")).collect();
    let start: String = ticker.chars().take(TICKER_CHARS_MAX - digits.len() - 1).collect();
    format!("{start}-{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "Global Government Bonds Index Fund Hedged Class";

    #[test]
    fn names_stand_for_their_symbols_or_for_themselves() {
        let mut all = Securities::default();
        all.mention("Vanguard 500 (Index)").unwrap();
        all.mention("Apple").unwrap();
        all.list("Apple", "aapl").unwrap();
        all.list("Fund", "IE00B3RBWM25").unwrap();
        all.list("Odd", "A B").unwrap();
        all.mention("vanguard 500 / index").unwrap();
        all.mention("AAPL").unwrap();
        for class in ["A", "B"] {
            all.mention_in(&format!("{LONG} {class}"), "Depot").unwrap();
        }
        all.name();
        let cells = |name: &str| {
            let cells = all.get(name).unwrap();
            (cells.ticker.as_str(), cells.isin.as_str(), cells.twin.as_deref())
        };
        assert_eq!(cells("APPLE"), ("aapl", "", None));
        assert_eq!(cells("fund"), ("", "IE00B3RBWM25", None));
        assert_eq!(cells("Odd"), ("ODD", "", None));
        assert_eq!(cells("Vanguard 500 (Index)"), ("VANGUARD-500-INDEX", "", None));
        let twin = Some("Vanguard 500 (Index)");
        assert_eq!(cells("vanguard 500 / index"), ("VANGUARD-500-INDEX", "", twin));
        assert_eq!(cells("aapl"), ("AAPL", "", Some("Apple")));
        let [one, other] = ["A", "B"].map(|class| all.get(&format!("{LONG} {class}")).unwrap());
        assert!(one.ticker.starts_with("GLOBAL-GOVERNMENT-BONDS-") && one.ticker != other.ticker);
        assert_eq!((one.ticker.len(), &one.twin, &other.twin), (TICKER_CHARS_MAX, &None, &None));
        assert_eq!(one.depot, "Depot");
    }
}
