//! The states of an import: one table of legal edges, and the booleans that follow.

use crate::named::text_enum;

text_enum! {
    /// The status of an import.
    ImportStatus {
        /// Uploaded or being configured.
        Pending = "pending",
        /// The publish has been executed.
        Complete = "complete",
        /// The publish is queued or running.
        Importing = "importing",
        /// The undo is queued or running.
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

/// The facts about an import from which its booleans follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// The status of the import.
    pub status: ImportStatus,
    /// Whether content is stored.
    pub uploaded: bool,
    /// Whether all required columns and formats are known.
    pub readable: bool,
    /// The number of valid and invalid rows.
    pub rows: u64,
    /// The number of invalid rows.
    pub invalid_rows: u64,
    /// The number of mappings that a person must choose.
    pub unassigned_mappings: u64,
    /// The number of rows for which the plan needs a person's choice.
    pub undecided_rows: u64,
}

/// The `status_detail` of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusDetail {
    /// Whether content is stored.
    pub uploaded: bool,
    /// Uploaded, at least one row, all required columns and formats known.
    pub configured: bool,
    /// Complete, failed or revert_failed.
    pub terminal: bool,
    /// Configured, no invalid row.
    pub cleaned: bool,
    /// Cleaned, every mapping assigned, status pending or failed.
    pub publishable: bool,
    /// Whether the status allows an undo: complete or revert_failed.
    pub revertable: bool,
}

/// What stands in the way of publishing, the first in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The status doesn't allow it.
    Status,
    /// No content, no row, or a column or a format is not known.
    NotConfigured,
    /// Rows are invalid, and they are not to be left out.
    InvalidRows,
    /// Nothing is left when the invalid rows are left out.
    NoValidRow,
    /// A person must choose for some names.
    UnassignedMappings,
    /// A person must choose for some rows.
    UndecidedRows,
}

impl Condition {
    /// What stands in the way of publishing, if anything.
    pub fn obstacle(self, skip_invalid: bool) -> Option<Obstacle> {
        let detail = self.detail();
        if !self.status.may_become(Importing) {
            Some(Obstacle::Status)
        } else if !detail.configured {
            Some(Obstacle::NotConfigured)
        } else if self.invalid_rows > 0 && !skip_invalid {
            Some(Obstacle::InvalidRows)
        } else if self.invalid_rows == self.rows {
            Some(Obstacle::NoValidRow)
        } else if self.unassigned_mappings > 0 {
            Some(Obstacle::UnassignedMappings)
        } else if self.undecided_rows > 0 {
            Some(Obstacle::UndecidedRows)
        } else {
            None
        }
    }

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
                && self.undecided_rows == 0
                && self.status.may_become(Importing),
            revertable: self.status.may_become(Reverting),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(status: ImportStatus) -> Condition {
        Condition {
            status,
            uploaded: true,
            readable: true,
            rows: 3,
            invalid_rows: 0,
            unassigned_mappings: 0,
            undecided_rows: 0,
        }
    }

    #[test]
    fn booleans_follow_the_status() {
        for (status, terminal, publishable, revertable) in [
            (Pending, false, true, false),
            (Importing, false, false, false),
            (Complete, true, false, true),
            (Failed, true, true, false),
            (Reverting, false, false, false),
            (RevertFailed, true, false, true),
        ] {
            let detail = condition(status).detail();
            assert_eq!(
                (detail.terminal, detail.publishable, detail.revertable),
                (terminal, publishable, revertable),
                "{status:?}"
            );
            assert_eq!(condition(status).obstacle(false).is_none(), publishable, "{status:?}");
        }
    }

    #[test]
    fn the_first_obstacle_is_named() {
        let ready = condition(Pending);
        let invalid = Condition { invalid_rows: 1, ..ready };
        let hopeless = Condition { invalid_rows: 3, ..ready };
        let open = Condition { unassigned_mappings: 1, undecided_rows: 1, ..ready };
        let undecided = Condition { undecided_rows: 1, ..ready };
        for (condition, skip_invalid, obstacle) in [
            (ready, false, None),
            (Condition { uploaded: false, rows: 0, ..ready }, false, Some(Obstacle::NotConfigured)),
            (Condition { readable: false, ..open }, false, Some(Obstacle::NotConfigured)),
            (Condition { rows: 0, ..ready }, false, Some(Obstacle::NotConfigured)),
            (invalid, false, Some(Obstacle::InvalidRows)),
            (invalid, true, None),
            (hopeless, true, Some(Obstacle::NoValidRow)),
            (open, false, Some(Obstacle::UnassignedMappings)),
            (undecided, false, Some(Obstacle::UndecidedRows)),
        ] {
            assert_eq!(condition.obstacle(skip_invalid), obstacle, "{condition:?}");
        }
    }

    #[test]
    fn no_other_edge_is_legal() {
        let legal = ImportStatus::ALL
            .iter()
            .flat_map(|from| ImportStatus::ALL.iter().map(move |to| (*from, *to)))
            .filter(|(from, to)| from.may_become(*to))
            .count();
        assert_eq!(legal, EDGES.len());
    }
}
