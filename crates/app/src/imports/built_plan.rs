//! What a plan is made of, and a plan that was made and can be stored.

use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::import::verdict::Verdict;
use purser_store::imports::{self, Import, Mapping, Plan};
use purser_store::{FamilyTx, families};

use super::reading::Source;

/// A file of which a plan is to be made.
pub struct Subject<'a> {
    /// The account that every row goes to.
    pub account: Option<AccountId>,
    /// What the names stand for.
    pub mappings: &'a [Mapping],
    /// The source of the rows.
    pub source: &'a Source,
    /// Invalid rows and those that are left out, in their order, if they are known.
    pub not_taken: Option<&'a [(u64, Verdict)]>,
    /// Rows of the file, those among them that can't be taken or are left out.
    pub rows_in_file: u64,
}

/// A plan, and what was found out while it was made.
pub struct BuiltPlan {
    /// The plan of the import.
    pub plan: Plan,
    /// Mappings that stand for something else by now than is stored.
    pub(super) changed: Vec<Mapping>,
}

impl BuiltPlan {
    /// Stores the plan with its import, unless the import was changed since it was read.
    pub fn store(&self, tx: &mut FamilyTx<'_>, import: &Import) -> Result<bool> {
        if !imports::plan_store(tx, import.id, &self.plan, import.updated_at)? {
            return Ok(false);
        }
        if families::version(tx)? == self.plan.version() {
            imports::mappings_resolve(tx, import.id, &self.changed)?;
        }
        Ok(true)
    }
}
