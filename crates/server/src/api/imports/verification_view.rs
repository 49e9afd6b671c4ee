//! Whether what a file in the server's own format has is in the family, as the API shows it.

use std::collections::BTreeMap;

use purser_app::imports::Import;
use purser_core::import::import_type::ImportType;
use purser_core::import::layout::Layout;
use purser_core::import::native::{Readback, ReadbackStatus, RecordCounts};
use purser_core::import::status::ImportStatus;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::named::ReadbackStatusName;
use crate::http::time::Time;

/// The counts of a file's records, and what a publish made of them.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportVerification {
    /// The number of records of each type in the file, readable or not.
    #[schema(value_type = BTreeMap<String, u64>)]
    expected_record_counts: RecordCounts,
    /// The comparison with the family.
    readback: ImportReadback,
}

/// The comparison of a file with the family.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportReadback {
    /// The result of the comparison.
    status: ReadbackStatusName,
    /// The time of the comparison or of the undo; null before.
    #[schema(required)]
    checked_at: Option<Time>,
    /// The number of records of each type in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, u64>, required = false)]
    expected_record_counts: Option<RecordCounts>,
    /// The records of the family before the publish.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, u64>, required = false)]
    before_counts: Option<RecordCounts>,
    /// The records of the family after the publish.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, u64>, required = false)]
    after_counts: Option<RecordCounts>,
    /// The records that carry the id of the import.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, u64>, required = false)]
    actual_delta_counts: Option<RecordCounts>,
    /// The records of the file that are accounted for: created, or there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = BTreeMap<String, u64>, required = false)]
    checked_counts: Option<RecordCounts>,
    /// The types of which the file has other counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    mismatches: Option<BTreeMap<String, ImportMismatch>>,
    /// The reason why the publish failed, as a sentence; null if it didn't.
    #[schema(required)]
    error: Option<String>,
    /// Values of the file that aren't what follows from the rest of it, as sentences; left out if
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<String>,
}

/// What differs for one type of records.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportMismatch {
    /// The number of records in the file.
    expected: u64,
    /// The number of them that is accounted for.
    actual: u64,
}

impl ImportVerification {
    /// What there is to show of an import in the server's own format.
    pub(super) fn of(import: &Import, layout: Option<&Layout>) -> Option<Self> {
        if import.import_type != ImportType::Native {
            return None;
        }
        let counts = layout.and_then(|layout| layout.record_counts.clone());
        let stored = import.readback.clone();
        let none = || Readback::without_counts(ReadbackStatus::NotVerified, None);
        let readback = match import.status {
            ImportStatus::Failed => Readback {
                error: import.error.clone(),
                ..Readback::without_counts(ReadbackStatus::Failed, Some(import.updated_at))
            },
            _ => stored.unwrap_or_else(none),
        };
        Some(Self { expected_record_counts: counts.unwrap_or_default(), readback: readback.into() })
    }
}

impl From<Readback> for ImportReadback {
    fn from(read: Readback) -> Self {
        let mismatches = read.mismatches.map(|all| {
            let one = |(key, one): (String, purser_core::import::native::Mismatch)| {
                (key, ImportMismatch { expected: one.expected, actual: one.actual })
            };
            all.into_iter().map(one).collect()
        });
        Self {
            status: read.status.into(),
            checked_at: read.checked_at.map(Into::into),
            expected_record_counts: read.expected_record_counts,
            before_counts: read.before_counts,
            after_counts: read.after_counts,
            actual_delta_counts: read.actual_delta_counts,
            checked_counts: read.checked_counts,
            mismatches,
            error: read.error,
            differences: read.differences,
        }
    }
}
