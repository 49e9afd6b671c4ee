//! Rules as the executor writes them.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::plan::RuleDraft;
use purser_core::rules::json;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::Rule;
use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::ledger::Executor;
use crate::ledger::records::{Record, read_by_ids};

statements! {
    /// Rules by their ids.
    RULES_BY_IDS = "SELECT id, name, active, position, effective_date, conditions, actions
        FROM rules WHERE family_id = $1 AND id = ANY($2)";
    /// Inserts a new rule.
    RULE_ADD = "INSERT INTO rules (family_id, id, name, active, effective_date, conditions, actions,
            position, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)";
    /// Replaces the fields of a rule.
    RULE_UPDATE = "UPDATE rules SET name = $1, active = $2, effective_date = $3, conditions = $4,
            actions = $5, position = $6, updated_at = $7
        WHERE family_id = $8 AND id = $9";
    /// A rule goes; its runs stay.
    RULE_REMOVE = "DELETE FROM rules WHERE family_id = $1 AND id = $2";
}

/// A rule as it is kept before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RuleImage {
    name: Option<String>,
    active: bool,
    position: u32,
    effective_date: Option<Date>,
    conditions: Value,
    actions: Value,
}

impl From<&Rule> for RuleImage {
    fn from(rule: &Rule) -> Self {
        Self {
            name: rule.name.clone(),
            active: rule.switched_on,
            position: rule.position,
            effective_date: rule.rule.effective_date,
            conditions: json::write_conditions(&rule.rule.conditions),
            actions: json::write_actions(&rule.rule.actions),
        }
    }
}

/// Rules as the executor writes them. A rule that names something that is gone doesn't run, so it
/// may come back all the same.
pub(crate) struct RuleRecord;

impl Record for RuleRecord {
    const KIND: &'static str = "rule";
    type Values = RuleImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, RuleImage)>> {
        read_by_ids(tx, &RULES_BY_IDS, ids, |row| {
            let value = |text: &str| serde_json::from_str(text).map_err(Error::internal);
            Ok(RuleImage {
                name: row.opt_string(1)?,
                active: row.bool(2)?,
                position: u32::try_from(row.int(3)?).map_err(Error::internal)?,
                effective_date: row.opt_date(4)?,
                conditions: value(row.text(5)?)?,
                actions: value(row.text(6)?)?,
            })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, rule: &RuleImage) -> Result<()> {
        let RuleImage { name, active, position, effective_date, .. } = rule;
        let (conditions, actions) = (rule.conditions.to_string(), rule.actions.to_string());
        let (family, now, name) = (tx.family(), tx.now(), name.as_deref());
        let date = *effective_date;
        let row = vals![family, id, name, *active, date, &conditions, &actions, *position, now];
        tx.execute(&RULE_ADD, row).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, rule: &RuleImage) -> Result<()> {
        let RuleImage { name, active, position, effective_date, .. } = rule;
        let (conditions, actions) = (rule.conditions.to_string(), rule.actions.to_string());
        let (family, now, name) = (tx.family(), tx.now(), name.as_deref());
        let date = *effective_date;
        let row = vals![name, *active, date, &conditions, &actions, *position, now, family, id];
        tx.execute(&RULE_UPDATE, row).map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&RULE_REMOVE, vals![family, id]).map(drop)
    }

    fn title(rule: &RuleImage) -> String {
        rule.name.clone().unwrap_or_else(|| "a rule without a name".to_owned())
    }
}

impl Executor {
    /// The image of a rule of a plan, with the ids of what it names.
    pub(crate) fn rule_image(&self, draft: &RuleDraft) -> Result<RuleImage> {
        let rule = draft.resolved(|target| self.resolve(target))?;
        Ok(RuleImage {
            name: draft.name.clone(),
            active: draft.active,
            position: draft.position,
            effective_date: rule.effective_date,
            conditions: json::write_conditions(&rule.conditions),
            actions: json::write_actions(&rule.actions),
        })
    }

    /// Gives a rule the values of a plan.
    pub(crate) fn revise_rule(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        draft: &RuleDraft,
    ) -> Result<()> {
        let before = Self::present::<RuleRecord>(tx, id, "Rule")?;
        let after = self.rule_image(draft)?;
        if after == before {
            return Ok(());
        }
        self.update::<RuleRecord>(tx, id, (&before, &after))
    }
}
