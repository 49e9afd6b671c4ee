//! Taking a label away from everything that points to it, or putting another one in its place.
//!
//! Entries, their parts and trades are changed with one statement each over an index, however many
//! they are (`entries` has what is done in several commits); what changes of them doesn't count as
//! a person's change, so an undo of their import still takes them away. What an import keeps of a
//! label follows: mappings, choices of templates, fills; what it created and is gone it no longer
//! has to remove. Rules name labels by their ids in JSON: they follow a replacement, and are
//! switched off where there is none, because a rule without one of its conditions would match more
//! than was meant.
//!
//! The audit event has the ids of all entries that had the label, which are read page by page, and
//! the images of the rules, budget lines and recurring series, of which a family has few.
//!
//! Nothing goes while a large publish or undo is under way in parts: the parts still to come may
//! point to it.

pub(crate) mod entries;

use purser_core::error::{Error, Result};
use purser_core::ids::TemplateId;
use purser_core::import::mapping::{Choice, MappingChoice, MappingKind};
use serde::Serialize;
use uuid::Uuid;

use self::entries::{CATEGORY_ENTRIES, LabelEntries, MERCHANT_ENTRIES, TAG_ENTRIES};
use super::Executor;
use super::records::undo::rules_naming;
use crate::access::FamilyTx;
use crate::budgets::lines::LineRecord;
use crate::driver::{Sql, Val, statements, vals};
use crate::recurring::record::SeriesRecord;
use crate::rules::record::RuleRecord;

statements! {
    /// Whether entries of the family are being added or removed in parts.
    LABELS_HELD = "SELECT 1 FROM hidden_entries WHERE family_id = $1";
    /// Recurring series of a category, whoever made them.
    CATEGORY_SERIES_ALL = "SELECT id FROM recurring_transactions
        WHERE family_id = $1 AND category_id = $2 ORDER BY id";
    /// Recurring series get the other category, or none.
    CATEGORY_RECURRING = "UPDATE recurring_transactions SET category_id = $1, updated_at = $2
        WHERE family_id = $3 AND category_id = $4";
    /// Lines for a category, and those of the same budgets for the other one.
    CATEGORY_LINES_BOTH = "SELECT l.id FROM budget_categories l
        WHERE l.family_id = $1 AND (l.category_id = $2 OR l.category_id = $3
            AND EXISTS (SELECT 1 FROM budget_categories o WHERE o.family_id = $1
                AND o.budget_id = l.budget_id AND o.category_id = $2))
        ORDER BY l.id";
    /// Budgets with lines for both categories add the amount of the one to that of the other.
    CATEGORY_BUDGETS_ADD = "UPDATE budget_categories
        SET budgeted_spending = budgeted_spending + (SELECT o.budgeted_spending
                FROM budget_categories o WHERE o.family_id = $1
                    AND o.budget_id = budget_categories.budget_id AND o.category_id = $2),
            updated_at = $3
        WHERE family_id = $1 AND category_id = $4
            AND EXISTS (SELECT 1 FROM budget_categories o
                WHERE o.family_id = $1
                    AND o.budget_id = budget_categories.budget_id AND o.category_id = $2)";
    /// Budgets with a line for the one category move it to the other.
    CATEGORY_BUDGETS_MOVE = "UPDATE budget_categories SET category_id = $1, updated_at = $2
        WHERE family_id = $3 AND category_id = $4
            AND NOT EXISTS (SELECT 1 FROM budget_categories o
                WHERE o.family_id = $3
                    AND o.budget_id = budget_categories.budget_id AND o.category_id = $1)";
    /// Removes the lines that are left over.
    CATEGORY_BUDGETS_DELETE = "DELETE FROM budget_categories
        WHERE family_id = $1 AND category_id = $2";
    /// Recurring series of a merchant, whoever made them.
    MERCHANT_SERIES_ALL = "SELECT id FROM recurring_transactions
        WHERE family_id = $1 AND merchant_id = $2 ORDER BY id";
    /// Recurring series get the other merchant, or none.
    MERCHANT_RECURRING = "UPDATE recurring_transactions SET merchant_id = $1, updated_at = $2
        WHERE family_id = $3 AND merchant_id = $4";
    /// Rules that name a label name another one.
    RULES_FOLLOW = "UPDATE rules SET conditions = REPLACE(conditions, $1, $2),
            actions = REPLACE(actions, $1, $2), updated_at = $3
        WHERE family_id = $4 AND (conditions LIKE $5 OR actions LIKE $5)";
    /// Rules that name a label that goes are switched off.
    RULES_OFF = "UPDATE rules SET active = $1, updated_at = $2
        WHERE family_id = $3 AND active <> $1 AND (conditions LIKE $4 OR actions LIKE $4)";
    /// What names of files stand for: another label, or one that is to be created again.
    MAPPINGS_FOLLOW = "UPDATE import_mappings SET target_id = $1, creates = $2
        WHERE family_id = $3 AND kind = $4 AND target_id = $5";
    /// An import that created it has nothing to remove any more.
    CREATED_FORGOTTEN = "DELETE FROM import_created
        WHERE family_id = $1 AND kind = $2 AND target_id = $3";
    /// What an import changed of it can't be given back any more.
    CHANGES_FORGOTTEN = "DELETE FROM import_changes
        WHERE family_id = $1 AND kind = $2 AND target_id = $3";
    /// What an import filled in follows, so that its undo still takes it back.
    FILLS_FOLLOW = "UPDATE import_fills SET filled = REPLACE(filled, $1, $2)
        WHERE family_id = $3 AND entry_id <= $4 AND filled LIKE $5";
    /// Templates with choices for names.
    TEMPLATES_CHOOSING = "SELECT id, choices FROM import_templates
        WHERE family_id = $1 AND choices LIKE $2";
    /// Replaces the choices of a template.
    TEMPLATE_CHOICES = "UPDATE import_templates SET choices = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4";
}

/// What a label was taken away from, for the audit trail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Detached {
    /// Transactions, parts of splits and trades.
    pub entries: u64,
    /// Rules that name the replacement now.
    pub rules_changed: u64,
    /// Rules that were switched off.
    pub rules_switched_off: u64,
    /// The number of budget lines.
    pub budget_categories: u64,
    /// The number of recurring series.
    pub recurring_transactions: u64,
}

/// The statements by which a category or a merchant is replaced in series.
struct InSeries {
    /// The series that have it.
    all: &'static Sql,
    /// Replaces it in them.
    replace: &'static Sql,
}

const CATEGORY_IN_SERIES: InSeries =
    InSeries { all: &CATEGORY_SERIES_ALL, replace: &CATEGORY_RECURRING };
const MERCHANT_IN_SERIES: InSeries =
    InSeries { all: &MERCHANT_SERIES_ALL, replace: &MERCHANT_RECURRING };

impl Executor {
    /// Takes a category from everything that points to it; its row is the caller's.
    pub(super) fn detach_category(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        into: Option<Uuid>,
    ) -> Result<Detached> {
        let (family, now) = (tx.family(), tx.now());
        let moved = vals![into, now, family, id];
        let mut detached = self.replace(tx, (&CATEGORY_ENTRIES, &CATEGORY_IN_SERIES), id, into)?;
        let lines = tx.query(&CATEGORY_LINES_BOTH, vals![family, id, into], |row| row.uuid(0))?;
        detached.budget_categories = self.change_all::<LineRecord>(tx, &lines, |tx| {
            let mut changed = 0;
            if into.is_some() {
                tx.execute(&CATEGORY_BUDGETS_ADD, vals![family, id, now, into])?;
                changed += tx.execute(&CATEGORY_BUDGETS_MOVE, moved)?;
            }
            Ok(changed + tx.execute(&CATEGORY_BUDGETS_DELETE, vals![family, id])?)
        })?;
        self.follow_in_rules(tx, id, into, &mut detached)?;
        follow_in_imports(tx, MappingKind::Category, id, into)?;
        Ok(detached)
    }

    /// Takes a merchant from everything that points to it; its row is the caller's.
    pub(super) fn detach_merchant(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        into: Option<Uuid>,
    ) -> Result<Detached> {
        let mut detached = self.replace(tx, (&MERCHANT_ENTRIES, &MERCHANT_IN_SERIES), id, into)?;
        self.follow_in_rules(tx, id, into, &mut detached)?;
        Ok(detached)
    }

    /// Replaces a category or a merchant in entries and in series.
    fn replace(
        &mut self,
        tx: &mut FamilyTx<'_>,
        (entries, series): (&LabelEntries, &InSeries),
        id: Uuid,
        into: Option<Uuid>,
    ) -> Result<Detached> {
        require_settled(tx)?;
        let mut detached =
            Detached { entries: self.move_entries(tx, entries, id, into)?, ..Detached::default() };
        let (family, now) = (tx.family(), tx.now());
        let having = tx.query(series.all, vals![family, id], |row| row.uuid(0))?;
        detached.recurring_transactions = self.change_all::<SeriesRecord>(tx, &having, |tx| {
            tx.execute(series.replace, vals![into, now, family, id])
        })?;
        Ok(detached)
    }

    /// Takes a tag from everything that points to it; its row is the caller's.
    pub(super) fn detach_tag(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Detached> {
        require_settled(tx)?;
        let entries = self.move_entries(tx, &TAG_ENTRIES, id, None)?;
        let mut detached = Detached { entries, ..Detached::default() };
        self.follow_in_rules(tx, id, None, &mut detached)?;
        follow_in_imports(tx, MappingKind::Tag, id, None)?;
        Ok(detached)
    }

    /// Rules write ids as everybody does, so an id is found and replaced as a text.
    fn follow_in_rules(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        into: Option<Uuid>,
        detached: &mut Detached,
    ) -> Result<()> {
        let naming: Vec<Uuid> = rules_naming(tx, id)?.iter().map(|rule| rule.id).collect();
        let (family, now, named) = (tx.family(), tx.now(), format!("%{id}%"));
        let Some(into) = into else {
            detached.rules_switched_off = self.change_all::<RuleRecord>(tx, &naming, |tx| {
                tx.execute(&RULES_OFF, vals![false, now, family, &named])
            })?;
            return Ok(());
        };
        let (id, into) = (id.to_string(), into.to_string());
        detached.rules_changed = self.change_all::<RuleRecord>(tx, &naming, |tx| {
            tx.execute(&RULES_FOLLOW, vals![&id, &into, now, family, &named])
        })?;
        Ok(())
    }
}

/// Fails while entries of the family are being added or removed in parts.
pub(crate) fn require_settled(tx: &mut FamilyTx<'_>) -> Result<()> {
    let family = tx.family();
    if tx.query_opt(&LABELS_HELD, &[family.into()], |_| Ok(()))?.is_none() {
        return Ok(());
    }
    Err(Error::Conflict {
        code: "import_running",
        message: "An import is being published or undone: try again when it is done".to_owned(),
    })
}

/// What imports filled in entries with ids up to `last` is the other label, if there is one: an
/// undo takes it back where entries have it still.
pub(crate) fn fills_follow(
    tx: &mut FamilyTx<'_>,
    id: Uuid,
    into: Option<Uuid>,
    last: Uuid,
) -> Result<()> {
    let Some(into) = into else { return Ok(()) };
    let (family, named) = (tx.family(), format!("%{id}%"));
    let (id, into) = (id.to_string(), into.to_string());
    tx.execute(&FILLS_FOLLOW, vals![&id, &into, family, last, &named]).map(drop)
}

fn follow_in_imports(
    tx: &mut FamilyTx<'_>,
    kind: MappingKind,
    id: Uuid,
    into: Option<Uuid>,
) -> Result<()> {
    let family = tx.family();
    let kind_text = Val::Text(kind.as_str());
    let follow: [Val<'_>; 5] =
        [into.into(), Val::Bool(into.is_none()), family.into(), kind_text, Val::Uuid(id)];
    tx.execute(&MAPPINGS_FOLLOW, &follow)?;
    if kind == MappingKind::Category {
        let parent = Val::Text(MappingKind::Parent.as_str());
        let follow = [into.into(), Val::Bool(into.is_none()), family.into(), parent, Val::Uuid(id)];
        tx.execute(&MAPPINGS_FOLLOW, &follow)?;
    }
    tx.execute(&CREATED_FORGOTTEN, &[family.into(), kind_text, Val::Uuid(id)])?;
    tx.execute(&CHANGES_FORGOTTEN, &[family.into(), kind_text, Val::Uuid(id)])?;
    let named = format!("%{id}%");
    fills_follow(tx, id, into, Uuid::max())?;
    follow_in_templates(tx, (kind, id), into, &named)
}

/// A choice that is gone is resolved by its name, as if nobody had chosen.
fn follow_in_templates(
    tx: &mut FamilyTx<'_>,
    gone: (MappingKind, Uuid),
    into: Option<Uuid>,
    named: &str,
) -> Result<()> {
    let family = tx.family();
    let templates = tx.query(&TEMPLATES_CHOOSING, &[family.into(), Val::Text(named)], |row| {
        let choices: Vec<MappingChoice> =
            serde_json::from_str(row.text(1)?).map_err(Error::internal)?;
        Ok((TemplateId(row.uuid(0)?), choices))
    })?;
    let now = tx.now();
    for (template, mut choices) in templates {
        let is_gone = |chosen: &MappingChoice| {
            (chosen.kind.record(), &chosen.choice) == (gone.0, &Choice::Existing(gone.1))
        };
        match into {
            None => choices.retain(|chosen| !is_gone(chosen)),
            Some(into) => {
                for chosen in choices.iter_mut().filter(|chosen| is_gone(chosen)) {
                    chosen.choice = Choice::Existing(into);
                }
            }
        }
        let choices = serde_json::to_string(&choices).map_err(Error::internal)?;
        let params = [Val::Text(&choices), now.into(), family.into(), Val::Uuid(template.0)];
        tx.execute(&TEMPLATE_CHOICES, &params)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
