//! The accounts, categories and tags that rows name, each once, with the number of rows.
//!
//! Names that differ only in case, white space or Unicode form are one; its spelling is the first
//! that occurred. Cells repeat, so the name of a spelling is cached twice: the last one as it is,
//! the others by their text, and only a new spelling is normalised. The number of names, and with
//! it the memory, has a limit. Names beyond it are not counted, but the excess is reported.

use std::collections::HashMap;

use purser_core::limits::IMPORT_MAPPINGS_MAX;
use purser_core::money::Currency;

/// One name and its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// As the file writes it first.
    pub spelling: String,
    /// The normalised name, by which names are compared.
    pub key: String,
    /// Valid rows that name it.
    pub rows: u64,
    /// For accounts, the currencies of these rows in the order of their appearance.
    pub currencies: Vec<Currency>,
}

/// Names of one kind, in the order of their appearance.
#[derive(Debug)]
pub(super) struct Names {
    key_of: fn(&str) -> String,
    names: Vec<Name>,
    by_key: HashMap<String, usize>,
    by_spelling: HashMap<String, usize>,
    last: Option<(String, usize)>,
    overflow: bool,
}

/// Spellings that are remembered; above it a spelling is normalised each time.
const SPELLINGS_MAX: usize = 2 * IMPORT_MAPPINGS_MAX;

impl Names {
    /// An empty collection; `key_of` normalises a spelling.
    pub(super) fn new(key_of: fn(&str) -> String) -> Self {
        Self {
            key_of,
            names: Vec::new(),
            by_key: HashMap::new(),
            by_spelling: HashMap::new(),
            last: None,
            overflow: false,
        }
    }

    /// Counts a row that names something.
    pub(super) fn add(&mut self, spelling: &str, currency: Option<Currency>) {
        let Some(name) = self.find(spelling).and_then(|index| self.names.get_mut(index)) else {
            return;
        };
        name.rows += 1;
        if let Some(currency) = currency
            && !name.currencies.contains(&currency)
        {
            name.currencies.push(currency);
        }
    }

    /// How many names there were; one more than an import may have stands for any number above.
    pub(super) fn count(&self) -> usize {
        self.names.len() + usize::from(self.overflow)
    }

    /// All names, in the order of their appearance.
    pub(super) fn finish(self) -> Vec<Name> {
        self.names
    }

    fn find(&mut self, spelling: &str) -> Option<usize> {
        if let Some((last, index)) = &self.last
            && last == spelling
        {
            return Some(*index);
        }
        let index = match self.by_spelling.get(spelling) {
            Some(index) => *index,
            None => self.insert(spelling)?,
        };
        let (last, last_index) = self.last.get_or_insert_default();
        last.clear();
        last.push_str(spelling);
        *last_index = index;
        Some(index)
    }

    fn insert(&mut self, spelling: &str) -> Option<usize> {
        let key = (self.key_of)(spelling);
        let index = match self.by_key.get(&key) {
            Some(index) => *index,
            None if self.names.len() >= IMPORT_MAPPINGS_MAX => {
                self.overflow = true;
                return None;
            }
            None => {
                let index = self.names.len();
                self.by_key.insert(key.clone(), index);
                let spelling = spelling.to_owned();
                self.names.push(Name { spelling, key, rows: 0, currencies: Vec::new() });
                index
            }
        };
        if self.by_spelling.len() < SPELLINGS_MAX {
            self.by_spelling.insert(spelling.to_owned(), index);
        }
        Some(index)
    }
}
