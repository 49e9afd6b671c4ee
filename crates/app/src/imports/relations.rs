//! What answers and pages show of an import beside what is stored of it itself.

use purser_core::error::Result;
use purser_core::import::transaction::balance::own::OwnBalances;
use purser_store::FamilyTx;
use purser_store::imports::{self, Import, Mapping};

use super::objections;
use super::own_balances;
use super::same_file::{self, SameFile};

/// What belongs to an import.
#[derive(Debug, Clone)]
pub struct Relations {
    /// The mappings of its names.
    pub mappings: Vec<Mapping>,
    /// Other imports of the same file.
    pub same_file: Vec<SameFile>,
    /// What accounts that exist hold before and after it, beside what its file states.
    pub own_balances: Vec<OwnBalances>,
    /// What the statements of its file show against these accounts.
    pub objections: Vec<String>,
}

impl Relations {
    /// What belongs to an import now.
    pub fn load(tx: &mut FamilyTx<'_>, import: &Import) -> Result<Self> {
        let mappings = imports::mappings(tx, import.id)?;
        let same_file = same_file::of_import(tx, import)?;
        let own_balances = own_balances::of_import(tx, import, &mappings)?;
        let objections = objections::of_import(tx, import, &mappings)?;
        Ok(Self { mappings, same_file, own_balances, objections })
    }
}
