//! A person's choice for a name: something that exists, or that it is created, perhaps under
//! another name or once for each currency.
//!
//! A new account has the currency of its rows; what goes into one that exists is converted. A
//! choice is kept as long as it fits; what doesn't fit any more is resolved by name, as if nobody
//! had chosen.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    DistinctName, ExistingRecords, MappingKind, NO_ACCOUNT_TYPE, Preparation, account, key_of,
    path_key,
};
use crate::ledger::account::AccountType;
use crate::limits::LABEL_CHARS_MAX;
use crate::money::Currency;
use crate::named;
use crate::plan::{Creation, Target};
use crate::text::label::name_key;

/// What a person chose for a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The name stands for the record with this id.
    Existing(Uuid),
    /// The name is created as a new record.
    Create {
        /// The name of the new record; `None` takes the name in the file.
        name: Option<String>,
    },
    /// An account for each currency of its rows, called `name CODE`.
    PerCurrency {
        /// The name before the code; `None` takes the name in the file.
        name: Option<String>,
    },
    /// The text stands for a type of accounts.
    AccountType(AccountType),
}

/// A choice with the name that it was made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappingChoice {
    /// The kind of thing that is named.
    pub kind: MappingKind,
    /// What the name is matched by.
    pub key: String,
    /// The choice for the name.
    pub choice: Choice,
}

impl Choice {
    /// Checks the choice by itself, without the rows.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, kind: MappingKind, value: &str) -> Result<(), String> {
        if matches!(self, Self::AccountType(_)) != (kind == MappingKind::AccountType) {
            return Err(if kind == MappingKind::AccountType {
                format!("the value must be {}", named::list::<AccountType>())
            } else {
                "only the type of an account has a value".to_owned()
            });
        }
        if matches!(self, Self::PerCurrency { .. }) && kind != MappingKind::Account {
            return Err("only accounts can be made per currency".to_owned());
        }
        let name = match self {
            Self::Existing(_) | Self::AccountType(_) => return Ok(()),
            Self::Create { name } | Self::PerCurrency { name } => name.as_deref().unwrap_or(value),
        };
        if name.trim().is_empty() {
            Err("a name is needed".to_owned())
        } else if name.chars().count() > LABEL_CHARS_MAX {
            Err(format!("the name is longer than {LABEL_CHARS_MAX} characters"))
        } else if name.contains('\0') {
            Err("the name holds a NUL character".to_owned())
        } else if kind == MappingKind::Parent && key_of(kind, name).contains(':') {
            Err("there are only two levels: a parent is of the first".to_owned())
        } else {
            Ok(())
        }
    }

    /// Checks that it fits the family's records and the rows.
    ///
    /// # Errors
    /// Why not.
    pub fn fits(&self, found: &DistinctName, existing: &ExistingRecords) -> Result<(), String> {
        self.check(found.kind, &found.value)?;
        match (self, found.kind) {
            (Self::Existing(id), kind) if !existing.has(kind, *id) => {
                Err(format!("there is no such {}", kind.as_str()))
            }
            (Self::Create { .. } | Self::PerCurrency { .. }, MappingKind::Account)
                if found.currencies.is_empty() =>
            {
                Err("trades go into an account that exists".to_owned())
            }
            (Self::Create { .. }, MappingKind::Account) if found.currencies.len() > 1 => {
                Err(format!("the rows of {} have several currencies", shown(&found.value)))
            }
            (Self::PerCurrency { name }, _) => {
                let name = name.as_deref().unwrap_or(&found.value);
                found
                    .currencies
                    .iter()
                    .try_for_each(|currency| existing.of_currency(name, *currency).map(drop))
            }
            _ => Ok(()),
        }
    }
}

fn shown(name: &str) -> &str {
    if name.trim().is_empty() { "the file" } else { name }
}

/// What an account of one currency is called.
pub fn name_of_currency(name: &str, currency: Currency) -> String {
    format!("{} {}", name.trim(), currency.code())
}

impl ExistingRecords {
    /// Whether the family has it.
    pub fn has(&self, kind: MappingKind, id: Uuid) -> bool {
        match kind {
            MappingKind::Account => self.account_currency(id).is_some(),
            MappingKind::Category => self.categories.values().any(|known| *known == id),
            MappingKind::Parent => self.first_level().any(|(_, known)| known == id),
            MappingKind::Tag => self.tags.values().any(|known| *known == id),
            MappingKind::AccountType => false,
        }
    }

    /// The currency of an account.
    pub fn account_currency(&self, id: Uuid) -> Option<Currency> {
        let mut accounts = self.accounts.values().flatten();
        accounts.find(|(known, _)| *known == id).map(|(_, currency)| *currency)
    }

    /// The account of a name for one currency, if it exists already.
    fn of_currency(&self, name: &str, currency: Currency) -> Result<Option<Uuid>, String> {
        let name = name_of_currency(name, currency);
        let called = self.accounts.get(&name_key(&name)).map(Vec::as_slice).unwrap_or_default();
        let mut fitting = called.iter().filter(|(_, its)| *its == currency).map(|(id, _)| *id);
        match (fitting.next(), fitting.next()) {
            (Some(_), Some(_)) => Err(format!("several accounts are called {name}")),
            (found, _) => Ok(found),
        }
    }
}

impl Preparation {
    /// Takes in what a person chose for a name; what is to be created may exist by now.
    ///
    /// # Errors
    /// Why the choice doesn't fit any more.
    pub fn choose(
        &mut self,
        found: &DistinctName,
        choice: &Choice,
        existing: &ExistingRecords,
    ) -> Result<(), String> {
        choice.fits(found, existing)?;
        let target = match choice {
            Choice::Existing(id) => Target::Existing(*id),
            Choice::Create { name } => {
                let name = name.as_deref().unwrap_or(&found.value);
                self.create_as(found, name.trim(), existing)?
            }
            Choice::AccountType(account_type) => {
                self.account_types.insert(found.key.clone(), *account_type);
                return Ok(());
            }
            Choice::PerCurrency { name } => {
                let name = name.as_deref().unwrap_or(&found.value);
                return self.create_per_currency(found, name, existing);
            }
        };
        self.targets.insert((found.kind, key_of(found.kind, &found.value)), target);
        Ok(())
    }

    /// The account of a row: a name can stand for one account in each currency.
    pub fn account(&self, value: &str, currency: Currency) -> Option<Target> {
        let of_currency = (name_key(value), currency);
        let known = self.accounts_by_currency.get(&of_currency).copied();
        known.or_else(|| self.target(MappingKind::Account, value))
    }

    /// A person may want a second account of a name; categories and tags have a name once.
    fn create_as(
        &mut self,
        found: &DistinctName,
        name: &str,
        existing: &ExistingRecords,
    ) -> Result<Target, String> {
        Ok(match found.kind {
            MappingKind::Account => {
                let named = DistinctName { value: name.to_owned(), ..found.clone() };
                self.push(account(&named)?)
            }
            MappingKind::Category => match existing.find_category(&path_key(name)) {
                Some(id) => Target::Existing(id),
                None => self.category(name, existing),
            },
            MappingKind::Tag => self.tag(name, existing),
            MappingKind::Parent => self.first_level(name, existing),
            MappingKind::AccountType => return Err(NO_ACCOUNT_TYPE.to_owned()),
        })
    }

    /// Two names of a file may be called the same from now on.
    pub(super) fn tag(&mut self, name: &str, existing: &ExistingRecords) -> Target {
        let key = name_key(name);
        if let Some(id) = existing.tags.get(&key) {
            return Target::Existing(*id);
        }
        if let Some(target) = self.new_tags.get(&key) {
            return *target;
        }
        let target = self.push(Creation::Tag { name: name.to_owned(), color: None });
        self.new_tags.insert(key, target);
        target
    }

    fn create_per_currency(
        &mut self,
        found: &DistinctName,
        name: &str,
        existing: &ExistingRecords,
    ) -> Result<(), String> {
        for currency in &found.currencies {
            let target = match existing.of_currency(name, *currency)? {
                Some(id) => Target::Existing(id),
                None => {
                    let named = DistinctName {
                        value: name_of_currency(name, *currency),
                        currencies: vec![*currency],
                        ..found.clone()
                    };
                    self.push(account(&named)?)
                }
            };
            self.accounts_by_currency.insert((name_key(&found.value), *currency), target);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
