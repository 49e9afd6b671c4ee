//! Rows of a file that are judged together: collected, and compared with those of the same record.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::PlannedRow;
use super::decision::Decision;
use crate::import::layout_problem::LayoutProblem;
use crate::import::row_edit::RowChoice;
use crate::import::verdict::Verdict;
use crate::limits::IMPORT_WHOLE_ROWS_MAX;

/// A row with its own texts.
pub(in crate::import) trait OwnedRow {
    /// What only one record has.
    type Identity: Clone + Eq + Hash + Ord;

    /// The number of the row.
    fn number(&self) -> u64;
    /// Its line in the file.
    fn line(&self) -> u64;
    /// The record that it stands for.
    fn identity(&self) -> Self::Identity;
}

/// The valid rows of a file, as far as there may be any.
#[derive(Debug)]
pub(in crate::import) struct SurveyedRows<R> {
    rows: Vec<R>,
    has_more: bool,
}

impl<R> Default for SurveyedRows<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), has_more: false }
    }
}

impl<R> SurveyedRows<R> {
    /// Takes the next row.
    pub(in crate::import) fn push(&mut self, row: impl FnOnce() -> R) {
        if self.rows.len() == IMPORT_WHOLE_ROWS_MAX {
            self.has_more = true;
        } else {
            self.rows.push(row());
        }
    }

    /// All rows, or why the file can't be read.
    pub(in crate::import) fn into_rows(self) -> Result<Vec<R>, LayoutProblem> {
        if self.has_more {
            return Err(format!("the file has more than {IMPORT_WHOLE_ROWS_MAX} rows").into());
        }
        Ok(self.rows)
    }
}

/// Rows by the record that they stand for.
pub(in crate::import) fn by_identity<R: OwnedRow>(rows: &[R]) -> BTreeMap<R::Identity, Vec<&R>> {
    let mut grouped: BTreeMap<R::Identity, Vec<&R>> = BTreeMap::new();
    for row in rows {
        grouped.entry(row.identity()).or_default().push(row);
    }
    grouped
}

/// Rows of one record that have different values are all refused: nobody knows which is right.
pub(in crate::import) fn contradictions<R: OwnedRow, V: PartialEq + ?Sized>(
    same: &[&R],
    (noun, field): (&str, &str),
    of: impl Fn(&R) -> Option<&V>,
    reasons: &mut BTreeMap<u64, Vec<String>>,
) {
    let mut values = same.iter().filter_map(|row| Some((row, of(row)?)));
    let Some((first, value)) = values.next() else { return };
    let others: Vec<&&R> =
        values.filter(|(_, other)| *other != value).map(|(row, _)| row).collect();
    let Some(second) = others.first() else { return };
    for row in others.iter().copied().chain([first]) {
        let other = if row.number() == first.number() { second.line() } else { first.line() };
        reasons
            .entry(row.number())
            .or_default()
            .push(format!("Line {other} has the same {noun} with another {field}"));
    }
}

/// Every row of a file, with what a person chose for it; `None` is an invalid one.
#[derive(Debug)]
pub(in crate::import) struct ChosenRows<R>(Vec<(Option<R>, RowChoice)>);

impl<R> Default for ChosenRows<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: OwnedRow> ChosenRows<R> {
    /// Takes the next row.
    pub(in crate::import) fn push(&mut self, row: Option<R>, choice: RowChoice) {
        self.0.push((row, choice));
    }

    /// The rows that are imported, in the order of the file; `true` if a person wants a new record.
    pub(in crate::import) fn taken(&self) -> impl Iterator<Item = (&R, bool)> {
        self.0.iter().filter_map(|(row, choice)| match (row, choice) {
            (Some(row), RowChoice::Plan | RowChoice::Create) => {
                Some((row, *choice == RowChoice::Create))
            }
            _ => None,
        })
    }

    /// Records with the rows that stand for them, in the order of their first rows.
    pub(in crate::import) fn grouped(&self) -> Vec<(R::Identity, Group<'_, R>)> {
        let mut groups: Vec<(R::Identity, Group<'_, R>)> = Vec::new();
        let mut known: HashMap<R::Identity, usize> = HashMap::new();
        for (row, is_new) in self.taken() {
            let identity = row.identity();
            let at = *known.entry(identity.clone()).or_insert_with(|| {
                groups.push((identity, Group { rows: Vec::new(), is_new: false }));
                groups.len() - 1
            });
            if let Some((_, group)) = groups.get_mut(at) {
                group.rows.push(row);
                group.is_new |= is_new;
            }
        }
        groups
    }

    /// The plan of every row: the first row of a record acts for all of them. `title` is what the
    /// family calls a record, with its noun.
    pub(in crate::import) fn planned(
        &self,
        noun: &str,
        decisions: &HashMap<R::Identity, Decision>,
        title: impl Fn(uuid::Uuid) -> String,
    ) -> Vec<PlannedRow> {
        let mut first: HashMap<R::Identity, u64> = HashMap::new();
        let planned = self.0.iter().map(|(row, choice)| {
            let row = match (row, choice) {
                (_, RowChoice::LeaveOut) => return PlannedRow::idle(Verdict::LeftOut),
                (None, _) => return PlannedRow::idle(Verdict::Invalid),
                (Some(row), _) => row,
            };
            let identity = row.identity();
            let Some(decision) = decisions.get(&identity) else {
                return PlannedRow::idle(Verdict::Invalid);
            };
            let line = *first.entry(identity).or_insert(row.line());
            if line == row.line() || decision.target().is_none() {
                return decision.planned(&title);
            }
            PlannedRow {
                reason: Some(format!("Line {line} has the same {noun}")),
                ..PlannedRow::idle(Verdict::Repeats)
            }
        });
        planned.collect()
    }
}

/// Rows that stand for one record.
#[derive(Debug)]
pub(in crate::import) struct Group<'r, R> {
    /// In the order of the file; there is at least one.
    pub(in crate::import) rows: Vec<&'r R>,
    /// A person wants a new one.
    pub(in crate::import) is_new: bool,
}

impl<R> Group<'_, R> {
    /// The first value that a row has for a field.
    pub(in crate::import) fn first<V: ?Sized>(&self, of: impl Fn(&R) -> Option<&V>) -> Option<&V> {
        self.rows.iter().find_map(|row| of(row))
    }
}
