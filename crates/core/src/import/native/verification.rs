//! Whether what a file has is in the family after its publish, counted by the type of the records.
//!
//! The counts of the file are made at the upload. Those of the family are made in the transaction
//! that publishes, before and after; what the publish created is read back from the rows that carry
//! the import's id, and not from counters that were kept while it wrote.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::RecordType;
use crate::named::text_enum;

text_enum! {
    /// What the comparison of the counts came to.
    ReadbackStatus {
        /// The import was not published yet.
        NotVerified = "not_verified",
        /// Every record of the file is there.
        Matched = "matched",
        /// Some types have other counts.
        Mismatch = "mismatch",
        /// The publish of the import failed.
        Failed = "failed",
        /// The import was undone.
        Reverted = "reverted",
    }
}

/// How many records there are of each of the fifteen types that are counted, 0 included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecordCounts(BTreeMap<String, u64>);

impl Default for RecordCounts {
    fn default() -> Self {
        let keys = RecordType::ALL.iter().filter_map(|one| one.count_key());
        Self(keys.map(|key| (key.to_owned(), 0)).collect())
    }
}

impl RecordCounts {
    /// Counts one record, if its type is counted.
    pub fn add(&mut self, of: RecordType) {
        self.add_many(of, 1);
    }

    /// Counts several records of a type.
    pub fn add_many(&mut self, of: RecordType, count: u64) {
        if let Some(entry) = of.count_key().and_then(|key| self.0.get_mut(key)) {
            *entry += count;
        }
    }

    /// The number of records of a type; 0 if the type isn't counted.
    pub fn get(&self, of: RecordType) -> u64 {
        of.count_key().and_then(|key| self.0.get(key)).copied().unwrap_or_default()
    }
}

/// What differs for one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The number of records in the file.
    pub expected: u64,
    /// The number of them that is in the family.
    pub actual: u64,
}

/// The counts of a family at a publish.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FamilyCounts {
    /// The records before the publish.
    pub before: RecordCounts,
    /// The records after the publish.
    pub after: RecordCounts,
    /// What carries the import's id.
    pub created: RecordCounts,
    /// Records of the file that stand for one that was there.
    pub reused: RecordCounts,
    /// What the publish made that is no record of the file, such as an opening balance.
    pub beside: RecordCounts,
}

/// The comparison of a file with what its publish made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Readback {
    /// The result of the comparison.
    pub status: ReadbackStatus,
    /// When the counts were compared.
    pub checked_at: Option<Timestamp>,
    /// The counts of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_record_counts: Option<RecordCounts>,
    /// The counts of the family before the publish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_counts: Option<RecordCounts>,
    /// The counts of the family after the publish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_counts: Option<RecordCounts>,
    /// What carries the import's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_delta_counts: Option<RecordCounts>,
    /// What is accounted for: created by the import, or there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_counts: Option<RecordCounts>,
    /// The types of which the file has other counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mismatches: Option<BTreeMap<String, Mismatch>>,
    /// Why the publish failed, as a sentence.
    pub error: Option<String>,
    /// Values of the file that aren't what follows from the rest of it, as sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<String>,
}

impl Readback {
    /// A state without counts.
    pub fn without_counts(status: ReadbackStatus, at: Option<Timestamp>) -> Self {
        Self {
            status,
            checked_at: at,
            expected_record_counts: None,
            before_counts: None,
            after_counts: None,
            actual_delta_counts: None,
            checked_counts: None,
            mismatches: None,
            error: None,
            differences: Vec::new(),
        }
    }

    /// Compares the counts of a file with those of the family.
    pub fn compare(expected: &RecordCounts, family: FamilyCounts, at: Timestamp) -> Self {
        let FamilyCounts { before, after, created, reused, beside } = family;
        let (mut checked, mut mismatches) = (RecordCounts::default(), BTreeMap::new());
        for of in RecordType::ALL {
            let Some(key) = of.count_key() else { continue };
            let actual = (created.get(*of) + reused.get(*of)).saturating_sub(beside.get(*of));
            checked.add_many(*of, actual);
            let expected = expected.get(*of);
            if actual != expected {
                mismatches.insert(key.to_owned(), Mismatch { expected, actual });
            }
        }
        let status = match mismatches.is_empty() {
            true => ReadbackStatus::Matched,
            false => ReadbackStatus::Mismatch,
        };
        Self {
            expected_record_counts: Some(expected.clone()),
            before_counts: Some(before),
            after_counts: Some(after),
            actual_delta_counts: Some(created),
            checked_counts: Some(checked),
            mismatches: Some(mismatches),
            ..Self::without_counts(status, Some(at))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn counts(of: &[(RecordType, u64)]) -> RecordCounts {
        let mut counts = RecordCounts::default();
        of.iter().for_each(|(of, count)| counts.add_many(*of, *count));
        counts
    }

    #[test]
    fn every_type_is_counted_and_types_of_this_server_are_not() {
        let mut counts = RecordCounts::default();
        RecordType::ALL.iter().for_each(|of| counts.add(*of));
        let json = serde_json::to_value(&counts).unwrap();
        let members = json.as_object().unwrap();
        assert_eq!(members.len(), 15);
        assert!(members.values().all(|count| count == 1), "{json}");
        let empty = serde_json::to_value(RecordCounts::default()).unwrap();
        assert_eq!(empty["rejected_transfers"], 0);
    }

    #[test]
    fn what_was_there_counts_as_accounted_for() {
        use RecordType::{Account, Category, Transaction};
        let expected = counts(&[(Account, 1), (Category, 3), (Transaction, 5)]);
        let family = FamilyCounts {
            before: counts(&[(Category, 7)]),
            after: counts(&[(Account, 1), (Category, 8), (Transaction, 5)]),
            created: counts(&[(Account, 1), (Category, 1), (Transaction, 5)]),
            reused: counts(&[(Category, 2)]),
            beside: RecordCounts::default(),
        };
        let read = Readback::compare(&expected, family.clone(), Timestamp::UNIX_EPOCH);
        assert_eq!(read.status, ReadbackStatus::Matched);
        assert_eq!(read.checked_counts.as_ref(), Some(&expected));
        assert_eq!(read.mismatches, Some(BTreeMap::new()));

        // A record that was lost, and one that nobody expected.
        for (created, actual) in [(4, 4), (6, 6)] {
            let created = counts(&[(Account, 1), (Category, 1), (Transaction, created)]);
            let family = FamilyCounts { created, ..family.clone() };
            let read = Readback::compare(&expected, family, Timestamp::UNIX_EPOCH);
            assert_eq!(read.status, ReadbackStatus::Mismatch);
            let json = serde_json::to_value(&read).unwrap();
            let mismatch = json!({ "transactions": { "expected": 5, "actual": actual } });
            assert_eq!(json["mismatches"], mismatch);
            assert_eq!(serde_json::from_value::<Readback>(json).unwrap(), read);
        }
    }

    #[test]
    fn before_the_publish_and_after_the_undo_there_are_no_counts() {
        for status in [ReadbackStatus::NotVerified, ReadbackStatus::Reverted] {
            let read = Readback::without_counts(status, None);
            let json = serde_json::to_value(read).unwrap();
            let expected = json!({ "status": status, "checked_at": null, "error": null });
            assert_eq!(json, expected);
        }
    }
}
