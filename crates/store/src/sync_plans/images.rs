//! What was before a run changed it.

use jiff::civil::Date;
use purser_core::ids::{EntryId, SecurityId};
use purser_core::sync::holdings::Clues;
use purser_core::sync::{KnownRow, SourceRow};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ledger::position_statements::{ReportImage, ReportKey};
use crate::prices::record::PriceImage;

/// What was before one change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Image {
    /// What was known of a row, which its entry followed if it was there.
    Row(RowImage),
    /// An entry that the row of a source stands for from then on.
    Claimed {
        /// The entry of another source.
        entry: EntryId,
        /// Whether a person had decided something about it before.
        was_touched: bool,
    },
    /// A pending entry that went.
    Removed {
        /// What was known of its row.
        row: RowImage,
        /// What the entry itself was.
        entry: EntryImage,
    },
    /// The balance that the bank reported.
    Valued {
        /// The valuation that was set.
        entry: EntryId,
        /// The value that it got.
        amount: i64,
        /// The value that it had before, if it was there.
        replaced: Option<i64>,
        /// The day and the value of what was the bank's current balance before.
        anchor: Option<(Date, i64)>,
    },
    /// Something about a holding.
    Holding(HoldingImage),
}

/// What was before one change about a holding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "holding", rename_all = "snake_case")]
pub(crate) enum HoldingImage {
    /// A security that wasn't there.
    Made {
        /// The security that was created.
        security: SecurityId,
    },
    /// The security for what the provider calls it.
    Remembered {
        /// What the provider calls it.
        clues: Clues,
        /// The security that it stood for before.
        before: Option<SecurityId>,
    },
    /// A price of a day.
    Priced {
        /// The price that was stated.
        after: PriceImage,
        /// The price that was there before.
        before: Option<PriceImage>,
    },
    /// A position of a day.
    Reported {
        /// The account, the security and the day.
        key: ReportKey,
        /// What was reported after the change.
        after: ReportImage,
        /// What had been reported before.
        before: Option<ReportImage>,
    },
}

/// A row as it was known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowImage {
    /// The entry of the row.
    pub(crate) entry: EntryId,
    /// What the source had reported.
    pub(crate) row: SourceRow,
    /// On how many days it had been missing.
    pub(crate) absences: u32,
    /// The last of them.
    pub(crate) absent_on: Option<Date>,
    /// The notes that the entry got with the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) notes: Option<String>,
}

/// What rules had made of a pending entry that nobody touched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EntryImage {
    /// The name of the entry.
    pub(crate) name: String,
    /// The notes of the entry.
    pub(crate) notes: Option<String>,
    /// The category, if it had one.
    pub(crate) category: Option<Uuid>,
    /// The merchant, if it had one.
    pub(crate) merchant: Option<Uuid>,
    /// The tags of the entry.
    pub(crate) tags: Vec<Uuid>,
    /// Whether reports leave it out.
    pub(crate) excluded: bool,
}

impl Image {
    /// The entry that a row stands for from then on.
    pub(crate) fn claimed(&self) -> Option<EntryId> {
        match self {
            Self::Claimed { entry, .. } => Some(*entry),
            _ => None,
        }
    }
}

impl RowImage {
    pub(crate) fn of(known: &KnownRow) -> Self {
        let KnownRow { entry, row, absences, absent_on, .. } = known;
        let (entry, absences, absent_on) = (*entry, *absences, *absent_on);
        Self { entry, row: row.clone(), absences, absent_on, notes: None }
    }
}

/// Whether an image that is stored can be read.
pub(crate) fn can_be_read(text: &str) -> bool {
    serde_json::from_str::<Image>(text).is_ok()
}
