//! Rules: stored, listed, changed, and run over the ledger.
//!
//! A family has few, so lists read all of them and choose in memory. Conditions and actions are
//! stored as JSON (`purser_core::rules::json`) and refer to things by ids. When one of those things
//! is gone the rule is off, whatever its own setting, and shows the reason: a condition that no
//! transaction meets any more would silently have another meaning.
//!
//! * `changes`: changes of rules by persons.
//! * `facts`: transactions as rules see them.
//! * [`runs`]: the result of each run.
//! * [`judging`]: the evaluation of rules for the next transactions, made while no write waits.
//! * [`running`]: runs on demand.
//! * [`preview`]: what a rule would change.

pub(crate) mod changes;
pub(crate) mod facts;
pub mod judging;
pub mod preview;
pub(crate) mod record;
pub mod running;
pub mod runs;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::RuleId;
pub use purser_core::rules::Catalogue;
use purser_core::rules::{self as core, Noun, json};

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};
use crate::{accounts, labels, merchants};

pub use changes::{create, remove, revise};

statements! {
    /// Every rule, in the order in which they run.
    RULES_ALL = "SELECT id, name, active, effective_date, conditions, actions, position,
            created_at, updated_at
        FROM rules WHERE family_id = $1 ORDER BY position, id";
    /// The rule with an id.
    RULE_BY_ID = "SELECT id, name, active, effective_date, conditions, actions, position,
            created_at, updated_at
        FROM rules WHERE family_id = $1 AND id = $2";
    /// When each was changed last.
    RULES_STAMPS = "SELECT id, updated_at FROM rules WHERE family_id = $1 ORDER BY id";
    /// Whether there is any that could run.
    RULES_ACTIVE = "SELECT 1 FROM rules WHERE family_id = $1 AND active LIMIT 1";
}

/// A rule of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The id of the rule.
    pub id: RuleId,
    /// As somebody calls it.
    pub name: Option<String>,
    /// Whether it is switched on.
    pub switched_on: bool,
    /// Why it can't run, as a sentence; `None` if it can.
    pub problem: Option<String>,
    /// When it runs, compared with others.
    pub position: u32,
    /// The conditions and actions.
    pub rule: core::Rule,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

impl Rule {
    /// Whether it runs by itself.
    pub fn is_active(&self) -> bool {
        self.switched_on && self.problem.is_none()
    }
}

/// Every rule of the family in the order in which they run, and what they point to.
pub fn all(tx: &mut FamilyTx<'_>) -> Result<(Vec<Rule>, Catalogue)> {
    let family = tx.family();
    let mut rules = tx.query(&RULES_ALL, vals![family], read)?;
    let catalogue = read_catalogue(tx)?;
    for rule in &mut rules {
        rule.problem = catalogue.problem(&rule.rule);
    }
    Ok((rules, catalogue))
}

/// What rules of the family can point to, with the names.
pub(crate) fn read_catalogue(tx: &mut FamilyTx<'_>) -> Result<Catalogue> {
    let mut found = Catalogue::default();
    for category in labels::categories(tx)? {
        found.add(Noun::Category, category.id.0, category.path);
    }
    for tag in labels::tags(tx)? {
        found.add(Noun::Tag, tag.id.0, tag.name);
    }
    for merchant in tx.with_all_accounts(|tx| merchants::list(tx))? {
        found.add(Noun::Merchant, merchant.id.0, merchant.name);
    }
    for account in accounts::known(tx)? {
        found.add(Noun::Account, account.summary.id.0, account.summary.name);
    }
    Ok(found)
}

/// One rule, and what rules point to.
pub fn get(tx: &mut FamilyTx<'_>, id: RuleId) -> Result<(Rule, Catalogue)> {
    let family = tx.family();
    let mut rule = tx
        .query_opt(&RULE_BY_ID, vals![family, id], read)?
        .ok_or(Error::NotFound { what: "Rule" })?;
    let catalogue = read_catalogue(tx)?;
    rule.problem = catalogue.problem(&rule.rule);
    Ok((rule, catalogue))
}

/// Those that run by themselves, in their order. Costs next to nothing where there are none.
pub fn active(tx: &mut FamilyTx<'_>) -> Result<Vec<Rule>> {
    let family = tx.family();
    if tx.query_opt(&RULES_ACTIVE, vals![family], |_| Ok(()))?.is_none() {
        return Ok(Vec::new());
    }
    let (mut rules, _) = all(tx)?;
    rules.retain(Rule::is_active);
    Ok(rules)
}

/// Which rules a family has and when each was changed last. Reading rules may take long, asking
/// whether they are still what they were does not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stamps(Vec<(RuleId, Timestamp)>);

impl Stamps {
    /// Reads the present state of the rules.
    pub fn read(tx: &mut FamilyTx<'_>) -> Result<Self> {
        let family = tx.family();
        tx.query(&RULES_STAMPS, vals![family], |row| Ok((row.id(0)?, row.timestamp(1)?))).map(Self)
    }

    /// Whether no rule came, changed or went since, and what some of them point to is still there.
    pub fn are_current<'r>(
        &self,
        tx: &mut FamilyTx<'_>,
        rules: impl IntoIterator<Item = &'r Rule>,
    ) -> Result<bool> {
        if Self::read(tx)? != *self {
            return Ok(false);
        }
        let mut rules = rules.into_iter().peekable();
        if rules.peek().is_none() {
            return Ok(true);
        }
        let catalogue = read_catalogue(tx)?;
        Ok(rules.all(|rule| catalogue.problem(&rule.rule).is_none()))
    }
}

fn read(row: &Row<'_>) -> Result<Rule> {
    let mut problems = Problems::new();
    let rule = core::Rule {
        effective_date: row.opt_date(3)?,
        conditions: json::read_conditions(row.text(4)?, &mut problems),
        actions: json::read_actions(row.text(5)?, &mut problems),
    };
    let id = row.id(0)?;
    if !problems.is_empty() {
        let problems = problems.texts().join("; ");
        return Err(Error::internal(format!(
            "rule {id} can't be read, see purser check: {problems}"
        )));
    }
    Ok(Rule {
        id,
        name: row.opt_string(1)?,
        switched_on: row.bool(2)?,
        problem: None,
        position: u32::try_from(row.int(6)?).map_err(Error::internal)?,
        rule,
        created_at: row.timestamp(7)?,
        updated_at: row.timestamp(8)?,
    })
}
