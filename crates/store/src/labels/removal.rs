//! Removing a label, in several commits if very many entries have it.
//!
//! On SQLite the entries of such a label go first, some in each commit; the last commit removes the
//! label with everything else that points to it. In between the label is there, and each entry has
//! what it will have. PostgreSQL needs no more than the last.

use purser_core::error::Result;
use purser_core::ids::{CategoryId, MerchantId, TagId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::ledger::labels::entries::{
    CATEGORY_ENTRIES, LabelEntries, MERCHANT_ENTRIES, TAG_ENTRIES,
};
use crate::ledger::records::execute;
use crate::{categories, merchants, tags};

/// A label that is to be removed, and what takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LabelRemoval {
    /// A category: its entries get the replacement, or none.
    Category {
        /// The category that goes.
        id: CategoryId,
        /// The category that takes its place.
        replacement: Option<CategoryId>,
    },
    /// A merchant, as a category.
    Merchant {
        /// The merchant that goes.
        id: MerchantId,
        /// The merchant that takes its place.
        replacement: Option<MerchantId>,
    },
    /// A tag, which nothing replaces.
    Tag {
        /// The tag that goes.
        id: TagId,
    },
}

impl LabelRemoval {
    /// The id of the label.
    pub fn id(self) -> Uuid {
        match self {
            Self::Category { id, .. } => id.0,
            Self::Merchant { id, .. } => id.0,
            Self::Tag { id } => id.0,
        }
    }

    fn replacement(self) -> Option<Uuid> {
        match self {
            Self::Category { replacement, .. } => replacement.map(|id| id.0),
            Self::Merchant { replacement, .. } => replacement.map(|id| id.0),
            Self::Tag { .. } => None,
        }
    }

    fn entries(self) -> &'static LabelEntries {
        match self {
            Self::Category { .. } => &CATEGORY_ENTRIES,
            Self::Merchant { .. } => &MERCHANT_ENTRIES,
            Self::Tag { .. } => &TAG_ENTRIES,
        }
    }

    /// Whether so many entries have the label that it takes several commits on SQLite.
    pub fn is_large(self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        self.entries().are_many(tx, self.id())
    }

    /// Takes the label from some of its entries, and returns whether others still have it.
    pub fn take_some(self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        let (id, replacement) = (self.id(), self.replacement());
        let names = match self {
            Self::Category { id, replacement } => {
                categories::require_removable(tx, id, replacement)?;
                categories::require_places(tx, id, replacement)?;
                ("category.detach", "category")
            }
            Self::Merchant { id, replacement } => {
                merchants::require_removable(tx, id, replacement)?;
                ("merchant.detach", "merchant")
            }
            Self::Tag { id } => {
                tags::require_removable(tx, id)?;
                ("tag.detach", "tag")
            }
        };
        let mut has_more = false;
        execute(tx, names, |tx, executor| {
            let (moved, more) = executor.move_some_entries(tx, self.entries(), id, replacement)?;
            has_more = more;
            executor.add_detail("replacement", json!(replacement));
            executor.add_detail("detached", json!({ "entries": moved }));
            Ok(id)
        })?;
        Ok(has_more)
    }

    /// Removes the label from everything that has it, and the label itself.
    pub fn finish(self, tx: &mut FamilyTx<'_>) -> Result<()> {
        match self {
            Self::Category { id, replacement } => categories::remove(tx, id, replacement),
            Self::Merchant { id, replacement: None } => merchants::remove(tx, id),
            Self::Merchant { id, replacement: Some(into) } => {
                merchants::merge(tx, id, into).map(drop)
            }
            Self::Tag { id } => tags::remove(tx, id),
        }
    }
}
