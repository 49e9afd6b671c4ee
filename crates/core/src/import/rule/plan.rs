//! What becomes of the rows of a file of rules.
//!
//! A row stands for the rule of its name, which gets the conditions and actions of the row, or is a
//! new one that runs after those that there are. Names needn't be unique, in the family or in the
//! file: where several rules have one, a row stands for the one with equal contents, and a row
//! without one for none of them, unless none is left. A rule without a name is known by its
//! contents alone.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::references::{NewNames, References};
use super::set::{Identity, RuleRow};
use super::{Row, RuleKind};
use crate::import::kind::WholePlanner;
use crate::import::row_edit::RowChoice;
use crate::import::whole::decision::{Decision, Differences};
use crate::import::whole::rows::{ChosenRows, Group};
use crate::import::whole::{FamilyRecords, NameTargets, RuleRecord, WholePlan};
use crate::limits::RULES_MAX;
use crate::plan::{Creation, RecordChange, RuleDraft};
use crate::rules::{Noun, Rule};
use crate::text::label::name_key;

/// Collects the rows and plans them.
#[derive(Debug, Default)]
pub(super) struct RulePlanner(ChosenRows<RuleRow>);

impl WholePlanner<RuleKind> for RulePlanner {
    fn row(&mut self, number: u64, line: u64, row: Option<&Row<'_>>, choice: RowChoice) {
        self.0.push(row.map(|row| RuleRow::of(number, line, row)), choice);
    }

    fn finish(
        self: Box<Self>,
        view: &FamilyRecords,
        _mapped: &dyn NameTargets,
        prepared: &[Creation],
    ) -> WholePlan {
        let groups = self.0.grouped();
        let mut planning = PlanBuilder {
            references: References::new(&view.names, prepared.len()),
            rules: &view.rules,
            taken: HashSet::new(),
            created: 0,
        };
        let mut named: HashMap<&str, usize> = HashMap::new();
        for name in groups.iter().filter_map(|(identity, _)| identity.name.as_deref()) {
            *named.entry(name).or_default() += 1;
        }
        // Rules with equal contents are known before another row can stand for them.
        let resolved: Vec<_> = groups.iter().map(|group| planning.resolved(group)).collect();
        let mut decisions = HashMap::new();
        for ((identity, group), resolved) in groups.iter().zip(resolved) {
            let is_only = identity.name.as_ref().is_some_and(|name| named[name.as_str()] == 1);
            let decision = match resolved {
                Ok(resolved) => planning.decide(identity, group, &resolved, is_only),
                Err(why) => Err(why),
            };
            decisions.insert(identity.clone(), decision.unwrap_or_else(Decision::Open));
        }
        let title = |id| title_of(view.rules.iter().find(|one| one.id == id));
        let rows = self.0.planned("rule", &decisions, title);
        WholePlan { creations: planning.references.creations, rows }
    }
}

fn title_of(rule: Option<&RuleRecord>) -> String {
    match rule.and_then(|rule| rule.name.as_deref()) {
        Some(name) => format!("rule {name:?}"),
        None => "rule without a name".to_owned(),
    }
}

fn also_created(shown: &[String]) -> String {
    format!("Also created: {}", shown.join(", "))
}

/// A rule of the file, with the ids of what it names.
struct Resolved {
    rule: Rule,
    /// What it names and the family doesn't have.
    new: Vec<(Noun, String)>,
    /// The rule of the family that equals it.
    equal: Option<Uuid>,
}

struct PlanBuilder<'a> {
    references: References<'a>,
    rules: &'a [RuleRecord],
    /// Rules that rows stand for already.
    taken: HashSet<Uuid>,
    created: usize,
}

impl<'a> PlanBuilder<'a> {
    fn resolved(
        &mut self,
        (identity, group): &(Identity, Group<'_, RuleRow>),
    ) -> Result<Resolved, String> {
        let first = group.rows.first().ok_or("There is no row")?;
        let (mut rule, new) = self.references.resolve(&first.rule)?;
        rule.effective_date = group.first(|row| row.effective_date.as_ref()).copied();
        let has_contents = |one: &&RuleRecord| {
            one.rule.conditions == rule.conditions && one.rule.actions == rule.actions
        };
        let equal = self.free(identity).into_iter().find(has_contents).map(|one| one.id);
        self.taken.extend(equal);
        Ok(Resolved { rule, new, equal })
    }

    /// The rules of the family with the name of a row that no row stands for yet.
    fn free(&self, identity: &Identity) -> Vec<&'a RuleRecord> {
        let is_called = |one: &&RuleRecord| one.name.as_deref().map(name_key) == identity.name;
        let is_free = |one: &&RuleRecord| !self.taken.contains(&one.id);
        self.rules.iter().filter(is_called).filter(is_free).collect()
    }

    fn decide(
        &mut self,
        identity: &Identity,
        group: &Group<'_, RuleRow>,
        resolved: &Resolved,
        is_only: bool,
    ) -> Result<Decision, String> {
        let known = match (resolved.equal, identity.name.is_some()) {
            (Some(id), _) => Some(id),
            (None, false) => None,
            (None, true) => match self.free(identity).as_slice() {
                [] => None,
                [one] if is_only => Some(one.id),
                _ if group.is_new => None,
                _ => {
                    let why = "Several rules have this name, here or in the file: which one is \
                               meant isn't certain";
                    return Err(why.to_owned());
                }
            },
        };
        match known.and_then(|id| self.rules.iter().find(|one| one.id == id)) {
            Some(one) if group.is_new && resolved.equal.is_some() => {
                Err(format!("There is already such a {}", title_of(Some(one))))
            }
            Some(one) if !group.is_new => {
                self.taken.insert(one.id);
                self.change(one, group, resolved)
            }
            _ => self.create(group, resolved),
        }
    }

    fn create(
        &mut self,
        group: &Group<'_, RuleRow>,
        resolved: &Resolved,
    ) -> Result<Decision, String> {
        if self.rules.len() + self.created >= RULES_MAX {
            return Err(format!("A family has at most {RULES_MAX} rules"));
        }
        let NewNames { named, shown } = self.references.create_names(&resolved.new)?;
        let last = self.rules.iter().map(|one| one.position).max().unwrap_or_default();
        self.created += 1;
        let position = last.saturating_add(u32::try_from(self.created).unwrap_or(u32::MAX));
        let draft = RuleDraft {
            name: group.first(|row| row.name.as_ref()).cloned(),
            active: group.first(|row| row.active.as_ref()).copied().unwrap_or(true),
            position,
            rule: resolved.rule.clone(),
            named,
        };
        let slot = self.references.create(Creation::Rule(Box::new(draft)))?;
        let shown = (!shown.is_empty()).then(|| also_created(&shown));
        Ok(Decision::New(slot, shown))
    }

    fn change(
        &mut self,
        before: &RuleRecord,
        group: &Group<'_, RuleRow>,
        resolved: &Resolved,
    ) -> Result<Decision, String> {
        let mut differences = Differences::default();
        let active = group.first(|row| row.active.as_ref()).copied().unwrap_or(before.active);
        if active != before.active {
            let word = |active| Some(if active { "yes" } else { "no" });
            differences.add("active", word(before.active), word(active));
        }
        let date = resolved.rule.effective_date.or(before.rule.effective_date);
        if date != before.rule.effective_date {
            let days = [before.rule.effective_date, date];
            let [old, new] = days.map(|day| day.map(|day| day.to_string()));
            differences.add("effective date", old.as_deref(), new.as_deref());
        }
        if resolved.rule.conditions != before.rule.conditions {
            differences.add_other("conditions");
        }
        if resolved.rule.actions != before.rule.actions {
            differences.add_other("actions");
        }
        let Some(mut text) = differences.text() else {
            return Ok(Decision::Known(before.id, None));
        };
        let NewNames { named, shown } = self.references.create_names(&resolved.new)?;
        if !shown.is_empty() {
            text = format!("{text}. {}", also_created(&shown));
        }
        let draft = RuleDraft {
            name: before.name.clone(),
            active,
            position: before.position,
            rule: Rule { effective_date: date, ..resolved.rule.clone() },
            named,
        };
        let change = RecordChange::ReviseRule { id: before.id, draft: Box::new(draft) };
        Ok(Decision::Known(before.id, Some((change, text))))
    }
}
