//! What is decided on one record of a file, for the row that acts for it.

use uuid::Uuid;

use super::{PlannedRow, Step};
use crate::import::verdict::Verdict;
use crate::plan::{RecordChange, Slot, Target};

/// The decision on a record of the file.
#[derive(Debug, Clone)]
pub(in crate::import) enum Decision {
    /// It is created with this slot; with what is worth showing of it.
    New(Slot, Option<String>),
    /// It exists; with the change and its description, if anything of it changes.
    Known(Uuid, Option<(RecordChange, String)>),
    /// A person must decide, for the given reason.
    Open(String),
}

impl Decision {
    /// What the record is, unless a person must decide.
    pub(in crate::import) fn target(&self) -> Option<Target> {
        match self {
            Self::New(slot, _) => Some(Target::Created(*slot)),
            Self::Known(id, _) => Some(Target::Existing(*id)),
            Self::Open(_) => None,
        }
    }

    /// The plan of the row that acts for the record. `title` is what the family calls it, with its
    /// noun: `category "Food"`.
    pub(in crate::import) fn planned(&self, title: impl FnOnce(Uuid) -> String) -> PlannedRow {
        match self {
            Self::Open(why) => {
                PlannedRow { reason: Some(why.clone()), ..PlannedRow::idle(Verdict::NeedsChoice) }
            }
            Self::New(slot, shown) => PlannedRow {
                reason: shown.clone(),
                step: Some(Step::Create(*slot)),
                ..PlannedRow::idle(Verdict::Create)
            },
            Self::Known(id, None) => PlannedRow {
                record: Some(*id),
                reason: Some(format!("It is the {}", title(*id))),
                ..PlannedRow::idle(Verdict::MatchedByName)
            },
            Self::Known(id, Some((change, what))) => PlannedRow {
                verdict: Verdict::Change,
                record: Some(*id),
                reason: Some(format!("The {} changes: {what}", title(*id))),
                step: Some(Step::Change(change.clone())),
            },
        }
    }
}

/// The fields of a record that change, for people: `color: #111111 → #222222`.
#[derive(Debug, Default)]
pub(in crate::import) struct Differences(Vec<String>);

impl Differences {
    /// Adds a field that changes.
    pub(in crate::import) fn add(&mut self, field: &str, old: Option<&str>, new: Option<&str>) {
        let (old, new) = (old.unwrap_or("none"), new.unwrap_or("none"));
        self.0.push(format!("{field}: {old} → {new}"));
    }

    /// Adds a field with a value that is too long to be shown.
    pub(in crate::import) fn add_other(&mut self, fields: &str) {
        self.0.push(format!("other {fields}"));
    }

    /// The new value of a field where a file states one that differs from the old one.
    pub(in crate::import) fn replaced<'n>(
        &mut self,
        field: &str,
        old: Option<&str>,
        new: Option<&'n str>,
        is_same: fn(&str, &str) -> bool,
    ) -> Option<&'n str> {
        let new = new.filter(|new| !old.is_some_and(|old| is_same(old, new)))?;
        self.add(field, old, Some(new));
        Some(new)
    }

    /// All fields that change; `None` if nothing does.
    pub(in crate::import) fn text(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(", "))
    }
}
