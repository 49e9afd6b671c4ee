//! What the names of rows stand for, found quickly.
//!
//! A large file has few distinct names, so each spelling is looked up once and remembered.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::import::mapping::{MappingKind, Preparation};
use purser_core::plan::Target;

/// The names of one import.
pub(super) struct Names<'p> {
    preparation: &'p Preparation,
    account: Option<Target>,
    accounts: HashMap<String, Target>,
    categories: HashMap<String, Target>,
    tags: HashMap<String, Target>,
}

impl<'p> Names<'p> {
    /// With `account`, every row goes there whatever it says.
    pub(super) fn new(preparation: &'p Preparation, account: Option<AccountId>) -> Self {
        Self {
            preparation,
            account: account.map(|id| Target::Existing(id.0)),
            accounts: HashMap::new(),
            categories: HashMap::new(),
            tags: HashMap::new(),
        }
    }

    /// The account of a row.
    pub(super) fn account(&mut self, name: Option<&str>) -> Result<Target> {
        match (self.account, name) {
            (Some(account), _) => Ok(account),
            (None, name) => self.target(MappingKind::Account, name.unwrap_or_default()),
        }
    }

    /// What a name stands for.
    pub(super) fn target(&mut self, kind: MappingKind, name: &str) -> Result<Target> {
        let known = match kind {
            MappingKind::Account => &mut self.accounts,
            MappingKind::Category => &mut self.categories,
            MappingKind::Tag => &mut self.tags,
        };
        if let Some(target) = known.get(name) {
            return Ok(*target);
        }
        let target = self.preparation.target(kind, name).ok_or_else(|| {
            Error::internal(format!("the {} {name:?} was not found at upload", kind.as_str()))
        })?;
        known.insert(name.to_owned(), target);
        Ok(target)
    }
}
