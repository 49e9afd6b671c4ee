//! What persons do to rules.
//!
//! Names are looked up when a rule is saved, and kept as ids: renaming a category later doesn't
//! change a rule. Categories, tags and merchants that an action names and that nobody has are
//! created in the same transaction; a condition on something that isn't there is refused.

use purser_core::error::{Error, Problems, Result};
use purser_core::ids::RuleId;
use purser_core::import::mapping::path_key;
use purser_core::labels::input::LabelInput;
use purser_core::limits::RULES_MAX;
use purser_core::rules::catalogue::{Catalogue, NameMatch, ambiguous, unknown};
use purser_core::rules::{self as core, Condition, Noun, Reference, RuleValues};
use uuid::Uuid;

use super::record::RuleRecord;
use super::{Rule, all, get, read_catalogue};
use crate::access::FamilyTx;
use crate::ledger::records::execute;
use crate::{categories, merchants, tags};

/// Creates a rule. It runs last, unless it has a position.
pub fn create(tx: &mut FamilyTx<'_>, values: &RuleValues) -> Result<(Rule, Catalogue)> {
    let checked = values.check_new()?;
    let (known, catalogue) = all(tx)?;
    if known.len() >= RULES_MAX {
        return Err(Error::invalid(format!("A family has at most {RULES_MAX} rules")));
    }
    let last = known.iter().map(|rule| rule.position).max().unwrap_or_default();
    let now = tx.now();
    let mut rule = Rule {
        // The executor gives it another.
        id: RuleId(Uuid::nil()),
        name: checked.name.flatten(),
        switched_on: checked.active.unwrap_or(true),
        problem: None,
        position: checked.position.unwrap_or(last + 1),
        rule: core::Rule {
            effective_date: checked.effective_date.flatten(),
            conditions: checked.conditions.unwrap_or_default(),
            actions: checked.actions.unwrap_or_default(),
        },
        created_at: now,
        updated_at: now,
    };
    resolve(tx, &catalogue, &mut rule.rule)?;
    let id = execute(tx, ("rule.create", "rule"), |tx, executor| {
        executor.insert::<RuleRecord>(tx, &(&rule).into())
    })?;
    get(tx, RuleId(id))
}

/// Changes a rule. What is missing stays. A rule that names something that is gone stays off until
/// it names something else.
pub fn revise(tx: &mut FamilyTx<'_>, id: RuleId, values: &RuleValues) -> Result<(Rule, Catalogue)> {
    let (before, catalogue) = get(tx, id)?;
    let checked = values.check()?;
    let mut after = Rule {
        name: checked.name.unwrap_or_else(|| before.name.clone()),
        switched_on: checked.active.unwrap_or(before.switched_on),
        position: checked.position.unwrap_or(before.position),
        rule: core::Rule {
            effective_date: checked.effective_date.unwrap_or(before.rule.effective_date),
            conditions: checked.conditions.unwrap_or_else(|| before.rule.conditions.clone()),
            actions: checked.actions.unwrap_or_else(|| before.rule.actions.clone()),
        },
        ..before.clone()
    };
    let is_rewritten = values.conditions.is_some() || values.actions.is_some();
    if is_rewritten || checked.active == Some(true) {
        resolve(tx, &catalogue, &mut after.rule)?;
    }
    if after == before {
        return Ok((before, catalogue));
    }
    execute(tx, ("rule.update", "rule"), |tx, executor| {
        executor.update::<RuleRecord>(tx, id.0, (&(&before).into(), &(&after).into()))?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Removes a rule. What it did stays.
pub fn remove(tx: &mut FamilyTx<'_>, id: RuleId) -> Result<()> {
    let (before, _) = get(tx, id)?;
    let event = ("rule.remove", "rule");
    execute(tx, event, |tx, executor| {
        executor.delete::<RuleRecord>(tx, id.0, &(&before).into())?;
        Ok(id.0)
    })
    .map(drop)
}

/// Has every reference name an id, and creates what actions name.
fn resolve(tx: &mut FamilyTx<'_>, catalogue: &Catalogue, rule: &mut core::Rule) -> Result<()> {
    look_up(catalogue, rule)?;
    for (at, action) in rule.actions.iter_mut().enumerate() {
        action.for_each_reference(&mut |noun, reference: &mut Reference| {
            if let Reference::Name(name) = reference {
                let field = value_of("actions", at);
                let made = create_named(tx, noun, name, &field);
                *reference = Reference::Id(made.map_err(|error| error.at_field(&field))?);
            }
            Ok::<(), Error>(())
        })?;
    }
    Ok(())
}

/// Has every reference name an id, but for names of actions that nobody has.
pub(super) fn look_up(catalogue: &Catalogue, rule: &mut core::Rule) -> Result<()> {
    let mut problems = Problems::new();
    look_up_conditions(catalogue, &mut rule.conditions, "conditions", &mut problems)?;
    for (at, action) in rule.actions.iter_mut().enumerate() {
        action.for_each_reference(&mut |noun, reference: &mut Reference| {
            catalogue.resolve(noun, reference, &value_of("actions", at), &mut problems);
            Ok::<(), Error>(())
        })?;
    }
    problems.into_result()
}

/// The same for the conditions of a list that stands at a path.
fn look_up_conditions(
    catalogue: &Catalogue,
    conditions: &mut [Condition],
    list: &str,
    problems: &mut Problems,
) -> Result<()> {
    for (at, condition) in conditions.iter_mut().enumerate() {
        if let Condition::All(below) | Condition::Any(below) = condition {
            let list = format!("{list}[{at}].sub_conditions");
            look_up_conditions(catalogue, below, &list, problems)?;
            continue;
        }
        condition.for_each_reference(&mut |noun, reference: &mut Reference| {
            let field = value_of(list, at);
            catalogue.resolve(noun, reference, &field, problems);
            if let Reference::Name(name) = reference
                && matches!(catalogue.find(noun, name), NameMatch::Nothing)
            {
                problems.push(unknown(noun, &field));
            }
            Ok::<(), Error>(())
        })?;
    }
    Ok(())
}

/// Where the value of a condition or of an action is sent.
fn value_of(list: &str, at: usize) -> String {
    format!("{list}[{at}].value")
}

/// Creates what a name stands for; two actions of a rule may name the same.
fn create_named(tx: &mut FamilyTx<'_>, noun: Noun, name: &str, field: &str) -> Result<Uuid> {
    match read_catalogue(tx)?.find(noun, name) {
        NameMatch::One(id) => return Ok(id),
        // Actions before this one created them.
        NameMatch::Several(names) => return Err(ambiguous(noun, name, &names, field).into()),
        NameMatch::Nothing => {}
    }
    let named = |name: &str| LabelInput { name: Some(Some(name.to_owned())), ..Default::default() };
    match noun {
        Noun::Category => create_category(tx, name),
        Noun::Tag => Ok(tx.with_all_accounts(|tx| tags::create(tx, &named(name)))?.id.0),
        Noun::Merchant => Ok(tx.with_all_accounts(|tx| merchants::create(tx, &named(name)))?.id.0),
        Noun::Account => Err(Error::internal("an action names an account")),
    }
}

/// `Parent:Child` creates both levels.
fn create_category(tx: &mut FamilyTx<'_>, name: &str) -> Result<Uuid> {
    let levels = path_key(name).contains(':').then(|| name.split_once([':', '：'])).flatten();
    let (parent, leaf) = match levels {
        None => (None, name),
        // What is above is of the first level, whatever else is called so.
        Some((parent, leaf)) => match read_catalogue(tx)?.category_of_path(parent) {
            Some(id) => (Some(id), leaf),
            None => (Some(create_category(tx, parent.trim())?), leaf),
        },
    };
    let input = LabelInput {
        name: Some(Some(leaf.trim().to_owned())),
        parent: parent.map(|id| Some(id.to_string())),
        ..Default::default()
    };
    Ok(tx.with_all_accounts(|tx| categories::create(tx, &input))?.id.0)
}
