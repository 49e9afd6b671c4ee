//! A category as a plan keeps it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::import::whole::CategoryRecord;

/// A category as it is kept before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryImage {
    /// The name of its own level.
    pub name: String,
    /// The id of the category above.
    pub parent_id: Option<Uuid>,
    /// `#rrggbb`, if it has one of its own.
    pub color: Option<String>,
    /// The name of an icon.
    pub icon: Option<String>,
}

impl From<&CategoryRecord> for CategoryImage {
    fn from(record: &CategoryRecord) -> Self {
        Self {
            name: record.name.clone(),
            parent_id: record.parent,
            color: record.color.clone(),
            icon: record.icon.clone(),
        }
    }
}
