//! A rule as somebody writes it, checked as far as that goes without the family's data.

use jiff::civil::Date;

use super::action::Action;
use super::condition::Condition;
use super::{ResourceType, json};
use crate::error::{Problem, Problems, Result};
use crate::ledger::input;
use crate::limits::LABEL_CHARS_MAX;
use crate::named;

/// What is written for a rule; nothing is checked yet. What is missing stays, or has its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleValues {
    /// `Some(None)` takes the name away.
    pub name: Option<Option<String>>,
    /// What it is for.
    pub resource_type: Option<String>,
    /// Whether it runs by itself.
    pub active: Option<bool>,
    /// The day from which on transactions are changed; `Some(None)` for all transactions.
    pub effective_date: Option<Option<String>>,
    /// When it runs, counted from 1.
    pub position: Option<String>,
    /// The conditions as JSON.
    pub conditions: Option<String>,
    /// The actions as JSON.
    pub actions: Option<String>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// Values that were judged, but for what they point to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedRule {
    /// The name, trimmed and not empty.
    pub name: Option<Option<String>>,
    /// Whether it runs by itself.
    pub active: Option<bool>,
    /// Transactions before this day are left alone.
    pub effective_date: Option<Option<Date>>,
    /// The position among the rules, from 1.
    pub position: Option<u32>,
    /// The conditions, which must all hold.
    pub conditions: Option<Vec<Condition>>,
    /// The actions, of which there is at least one.
    pub actions: Option<Vec<Action>>,
}

impl RuleValues {
    /// Judges the values of a change; every problem is reported at once.
    pub fn check(&self) -> Result<CheckedRule> {
        let (checked, problems) = self.judge();
        problems.into_result()?;
        Ok(checked)
    }

    /// As [`RuleValues::check`], of a new rule: it needs an action.
    pub fn check_new(&self) -> Result<CheckedRule> {
        let (checked, mut problems) = self.judge();
        if self.actions.is_none() {
            problems.field("actions", "must have at least one entry");
        }
        problems.into_result()?;
        Ok(checked)
    }

    fn judge(&self) -> (CheckedRule, Problems) {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let found = &mut problems;
        let name = self
            .name
            .as_ref()
            .map(|name| input::label("name", name.as_deref(), LABEL_CHARS_MAX, found));
        if self.resource_type.as_deref().is_some_and(|text| ResourceType::parse(text).is_none()) {
            found.field("resource_type", format!("must be {}", named::list::<ResourceType>()));
        }
        let effective_date = self.effective_date.as_ref().map(|text| {
            let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
            let date = input::calendar_date(text);
            if date.is_none() {
                found.field("effective_date", input::NOT_A_DATE);
            }
            date
        });
        let position = self.position.as_deref().and_then(|text| {
            let position = text.parse().ok().filter(|position| (1..=1_000_000).contains(position));
            if position.is_none() {
                found.field("position", "must be a whole number from 1 to 1000000");
            }
            position
        });
        let conditions = self.conditions.as_deref().map(|text| json::read_conditions(text, found));
        let actions = self.actions.as_deref().map(|text| json::read_actions(text, found));
        let active = self.active;
        let checked = CheckedRule { name, active, effective_date, position, conditions, actions };
        (checked, problems)
    }
}
