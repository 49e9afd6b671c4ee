//! The rows of a file of rules in relation to each other: rows of one name with equal conditions
//! and actions are one rule, and must not contradict each other in anything else.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::{Row, RuleKind};
use crate::import::kind::{RowSet, Survey};
use crate::import::layout_problem::LayoutProblem;
use crate::import::whole::rows::{OwnedRow, SurveyedRows, by_identity, contradictions};
use crate::rules::{Rule, json};
use crate::text::label::name_key;

/// A row with its own texts.
#[derive(Debug, Clone)]
pub(super) struct RuleRow {
    number: u64,
    line: u64,
    pub(super) name: Option<String>,
    pub(super) active: Option<bool>,
    pub(super) effective_date: Option<Date>,
    /// Conditions and actions as the row has them: what they name isn't resolved.
    pub(super) rule: Rule,
    identity: Identity,
}

/// What a rule is identified by in a file: the key of its name, and its contents.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Identity {
    /// The key of the name, if it has one.
    pub(super) name: Option<String>,
    contents: String,
}

impl RuleRow {
    pub(super) fn of(number: u64, line: u64, row: &Row<'_>) -> Self {
        let (conditions, actions) = (row.conditions(), row.actions());
        let contents =
            format!("{} {}", json::write_conditions(&conditions), json::write_actions(&actions));
        Self {
            number,
            line,
            name: row.name.map(str::to_owned),
            active: row.active,
            effective_date: row.effective_date,
            rule: Rule { effective_date: row.effective_date, conditions, actions },
            identity: Identity { name: row.name.map(name_key), contents },
        }
    }
}

impl OwnedRow for RuleRow {
    type Identity = Identity;

    fn number(&self) -> u64 {
        self.number
    }

    fn line(&self) -> u64 {
        self.line
    }

    fn identity(&self) -> Identity {
        self.identity.clone()
    }
}

/// Collects the rows of a file.
#[derive(Debug, Default)]
pub(super) struct RuleSurvey(SurveyedRows<RuleRow>);

impl Survey<RuleKind> for RuleSurvey {
    fn row(&mut self, number: u64, line: u64, row: &Row<'_>) {
        self.0.push(|| RuleRow::of(number, line, row));
    }

    fn finish(self: Box<Self>) -> Result<RowSet, LayoutProblem> {
        let rows = self.0.into_rows()?;
        let mut reasons = BTreeMap::new();
        for same in by_identity(&rows).values() {
            contradictions(same, ("rule", "active"), |row| row.active.as_ref(), &mut reasons);
            let names = ("rule", "effective_date");
            contradictions(same, names, |row| row.effective_date.as_ref(), &mut reasons);
        }
        Ok(RowSet { reasons, ..RowSet::default() })
    }
}
