//! The states of an import: one table of legal edges, and the booleans that follow.

use crate::ledger::account::text_enum;

text_enum! {
    /// Where an import stands.
    ImportStatus {
        /// Uploaded or being configured.
        Pending = "pending",
        /// Published and carried out.
        Complete = "complete",
        /// Queued or running.
        Importing = "importing",
        /// Being undone.
        Reverting = "reverting",
        /// The undo ended in an error.
        RevertFailed = "revert_failed",
        /// The publish ended in an error.
        Failed = "failed",
    }
}

use ImportStatus::{Complete, Failed, Importing, Pending, RevertFailed, Reverting};

/// Every legal change of status. The store enforces it by compare-and-set.
pub const EDGES: &[(ImportStatus, ImportStatus)] = &[
    (Pending, Importing),
    (Importing, Complete),
    (Importing, Failed),
    (Failed, Importing),
    (Complete, Reverting),
    (Reverting, Pending),
    (Reverting, RevertFailed),
    (RevertFailed, Reverting),
];

impl ImportStatus {
    /// Whether the table allows the change.
    pub fn may_become(self, next: Self) -> bool {
        EDGES.contains(&(self, next))
    }
}

/// What is known of an import, enough for its booleans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// Where it stands.
    pub status: ImportStatus,
    /// Content is stored.
    pub uploaded: bool,
    /// All required columns and formats are known.
    pub readable: bool,
    /// Valid and invalid rows.
    pub rows: u64,
    /// Invalid rows.
    pub invalid_rows: u64,
    /// Mappings that a person must choose.
    pub unassigned_mappings: u64,
}

/// The `status_detail` of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusDetail {
    /// Content is stored.
    pub uploaded: bool,
    /// Uploaded, at least one row, all required columns and formats known.
    pub configured: bool,
    /// Complete, failed or revert_failed.
    pub terminal: bool,
    /// Configured, no invalid row.
    pub cleaned: bool,
    /// Cleaned, every mapping assigned, status pending or failed.
    pub publishable: bool,
    /// Complete or revert_failed.
    pub revertable: bool,
}

impl Condition {
    /// The booleans that follow.
    pub fn detail(self) -> StatusDetail {
        let configured = self.uploaded && self.readable && self.rows > 0;
        let cleaned = configured && self.invalid_rows == 0;
        StatusDetail {
            uploaded: self.uploaded,
            configured,
            terminal: matches!(self.status, Complete | Failed | RevertFailed),
            cleaned,
            publishable: cleaned
                && self.unassigned_mappings == 0
                && self.status.may_become(Importing),
            revertable: self.status.may_become(Reverting),
        }
    }
}
