//! The rows of a file of categories in relation to each other.
//!
//! A category is identified by its name and the name of its parent. Rows of the same category must
//! not contradict each other; a category that is below another one can't have others below it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{CategoryKind, Row};
use crate::import::kind::{RowSet, Survey};
use crate::import::layout_problem::LayoutProblem;
use crate::import::whole::rows::{OwnedRow, SurveyedRows, by_identity, contradictions};
use crate::text::label::name_key;
use crate::text::quoted;

/// What a category is identified by in a file: the key of its parent's name and of its own.
pub(super) type Identity = (Option<String>, String);

/// A row with its own texts.
#[derive(Debug, Clone)]
pub(super) struct CategoryRow {
    pub(super) number: u64,
    pub(super) line: u64,
    pub(super) name: String,
    pub(super) parent: Option<String>,
    pub(super) is_path: bool,
    /// `#rrggbb` in lower case.
    pub(super) color: Option<String>,
    pub(super) icon: Option<String>,
}

impl CategoryRow {
    pub(super) fn of(number: u64, line: u64, row: &Row<'_>) -> Self {
        Self {
            number,
            line,
            name: row.name.to_owned(),
            parent: row.parent.map(str::to_owned),
            is_path: row.is_path,
            color: row.color.map(str::to_ascii_lowercase),
            icon: row.icon.map(str::to_owned),
        }
    }
}

impl OwnedRow for CategoryRow {
    type Identity = Identity;

    fn number(&self) -> u64 {
        self.number
    }

    fn line(&self) -> u64 {
        self.line
    }

    fn identity(&self) -> Identity {
        (self.parent.as_deref().map(name_key), name_key(&self.name))
    }
}

/// Collects the rows of a file.
#[derive(Debug, Default)]
pub(super) struct CategorySurvey(SurveyedRows<CategoryRow>);

impl Survey<CategoryKind> for CategorySurvey {
    fn row(&mut self, number: u64, line: u64, row: &Row<'_>) {
        self.0.push(|| CategoryRow::of(number, line, row));
    }

    fn finish(self: Box<Self>) -> Result<RowSet, LayoutProblem> {
        Ok(judge(&self.0.into_rows()?))
    }
}

/// Which rows can't be taken because of others, and which names of the first level they define.
fn judge(rows: &[CategoryRow]) -> RowSet {
    let by_identity = by_identity(rows);
    let mut reasons: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for same in by_identity.values() {
        contradictions(same, ("category", "color"), |row| row.color.as_ref(), &mut reasons);
        contradictions(same, ("category", "icon"), |row| row.icon.as_ref(), &mut reasons);
    }
    let defined: HashSet<String> = by_identity
        .keys()
        .filter(|(parent, _)| parent.is_none())
        .map(|(_, name)| name.clone())
        .collect();
    // By name: the parents of categories of the second level.
    let mut second: HashMap<&str, Vec<&str>> = HashMap::new();
    for (parent, name) in by_identity.keys() {
        if let Some(parent) = parent {
            second.entry(name).or_default().push(parent);
        }
    }
    for row in rows {
        let (Some(parent), name) = row.identity() else { continue };
        if defined.contains(&parent) {
            continue;
        }
        let Some(above) = second.get(parent.as_str()) else { continue };
        let shown = quoted(row.parent.as_deref().unwrap_or_default());
        reasons.entry(row.number).or_default().push(if leads_to(&second, &parent, &name) {
            format!("its parent \"{shown}\" is below it")
        } else {
            let above = quoted(above.first().copied().unwrap_or_default());
            format!("its parent \"{shown}\" is itself below \"{above}\": there are only two levels")
        });
    }
    spread(&by_identity, &mut reasons);
    RowSet { reasons, defined, ..RowSet::default() }
}

/// Whether the parents of a category lead to another one.
fn leads_to(second: &HashMap<&str, Vec<&str>>, from: &str, to: &str) -> bool {
    let mut seen = HashSet::from([from]);
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        if name == to {
            return true;
        }
        let parents = second.get(name).map(Vec::as_slice).unwrap_or_default();
        open.extend(parents.iter().copied().filter(|parent| seen.insert(parent)));
    }
    false
}

/// What is below a category that can't be taken can't be taken either.
fn spread(
    by_identity: &BTreeMap<Identity, Vec<&CategoryRow>>,
    reasons: &mut BTreeMap<u64, Vec<String>>,
) {
    let bad: HashMap<&str, u64> = by_identity
        .iter()
        .filter(|((parent, _), _)| parent.is_none())
        .filter_map(|((_, name), same)| {
            let refused = same.iter().find(|row| reasons.contains_key(&row.number))?;
            Some((name.as_str(), refused.line))
        })
        .collect();
    for ((parent, _), same) in by_identity {
        let Some(line) = parent.as_deref().and_then(|parent| bad.get(parent)) else { continue };
        for row in same {
            reasons
                .entry(row.number)
                .or_default()
                .push(format!("its parent can't be imported, see line {line}"));
        }
    }
}
