//! Rules. What they name is written by its id and, for other programs, by its name.

use std::collections::HashMap;

use purser_core::error::{Error, Problems, Result};
use purser_core::rules::json::{read_actions, read_conditions};
use purser_core::rules::{Action, Condition, ConditionReference};
use serde_json::{Value, json};
use uuid::Uuid;

use super::line::Lines;
use super::records::Rule;
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The rules in the order in which they run.
    RULES = "SELECT id, name, active, effective_date, position, conditions, actions
        FROM rules WHERE family_id = $1 ORDER BY position, id";
    /// The names of everything that rules can point to.
    NAMES = "SELECT id, name FROM ledger_categories WHERE family_id = $1
        UNION ALL SELECT id, name FROM ledger_tags WHERE family_id = $1
        UNION ALL SELECT id, name FROM ledger_merchants WHERE family_id = $1
        UNION ALL SELECT id, name FROM ledger_accounts WHERE family_id = $1";
}

/// Writes every rule of the family.
pub(super) fn write(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = tx.family();
    let names = tx.query(&NAMES, vals![family], |row| Ok((row.uuid(0)?, row.string(1)?)))?;
    let names = Names(names.into_iter().collect());
    tx.for_each(&RULES, vals![family], |row| {
        let mut problems = Problems::new();
        let conditions = read_conditions(row.text(5)?, &mut problems);
        let actions = read_actions(row.text(6)?, &mut problems);
        if !problems.is_empty() {
            return Err(Error::internal(format!("the rule {} can't be read", row.uuid(0)?)));
        }
        lines.put(&Rule {
            id: row.uuid(0)?,
            resource_type: "transaction",
            active: row.bool(2)?,
            position: row.int(4)?,
            conditions: names.conditions(&conditions),
            actions: names.actions(&actions),
            name: row.opt_text(1)?,
            effective_date: row.opt_date(3)?,
        })
    })
}

/// The names of categories, tags, merchants and accounts by their ids.
struct Names(HashMap<Uuid, String>);

impl Names {
    fn conditions(&self, conditions: &[Condition]) -> Value {
        let write = |condition: &Condition| {
            let parts = condition.parts();
            json!({
                "condition_type": parts.condition_type,
                "operator": parts.operator,
                "value": parts.value,
                "value_ref": self.value_ref(parts.reference),
                "sub_conditions": self.conditions(parts.sub_conditions),
            })
        };
        Value::Array(conditions.iter().map(write).collect())
    }

    fn actions(&self, actions: &[Action]) -> Value {
        let write = |action: &Action| {
            json!({
                "action_type": action.action_type(),
                "value": action.value(),
                "value_ref": self.value_ref(action.reference()),
            })
        };
        Value::Array(actions.iter().map(write).collect())
    }

    fn value_ref(&self, named: Option<ConditionReference<'_>>) -> Option<Value> {
        let named = named?;
        let id = named.reference.id()?;
        let name = self.0.get(&id);
        Some(json!({ "type": named.noun.as_str(), "id": id, "name": name }))
    }
}
