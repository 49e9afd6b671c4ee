//! Taking a label away from everything that points to it, or putting another one in its place.
//!
//! Entries, their parts and trades are changed with one statement each over an index, however many
//! they are; what changes of them doesn't count as a person's change, so an undo of their import
//! still takes them away. What an import keeps of a label follows: mappings, choices of templates,
//! fills; what it created and is gone it no longer has to remove. Rules name labels by their ids in
//! JSON: they follow a replacement, and are switched off where there is none, because a rule
//! without one of its conditions would match more than was meant.
//!
//! Nothing goes while a large publish or undo is under way in parts: the parts still to come may
//! point to it.

use purser_core::error::{Error, Result};
use purser_core::ids::TemplateId;
use purser_core::import::mapping::{Choice, MappingChoice, MappingKind};
use serde::Serialize;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Whether entries of the family are being added or removed in parts.
    LABELS_HELD = "SELECT 1 FROM hidden_entries WHERE family_id = $1";
    /// Accounts with entries of a category changed.
    CATEGORY_ACCOUNTS = "UPDATE accounts SET updated_at = $1 WHERE family_id = $2
        AND id IN (SELECT e.account_id FROM ledger_entries e
            WHERE e.family_id = $2 AND e.category_id = $3)";
    /// Entries get another category, or none.
    CATEGORY_ENTRIES = "UPDATE entries SET category_id = $1, updated_at = $2
        WHERE family_id = $3 AND category_id = $4";
    /// Recurring series get the other category, or none.
    CATEGORY_RECURRING = "UPDATE recurring_transactions SET category_id = $1, updated_at = $2
        WHERE family_id = $3 AND category_id = $4";
    /// Budgets with lines for both categories add the amount of the one to that of the other.
    CATEGORY_BUDGETS_ADD = "UPDATE budget_categories
        SET budgeted_spending = budgeted_spending + (SELECT o.budgeted_spending
                FROM budget_categories o WHERE o.family_id = budget_categories.family_id
                    AND o.budget_id = budget_categories.budget_id AND o.category_id = $1),
            updated_at = $2
        WHERE family_id = $3 AND category_id = $4
            AND EXISTS (SELECT 1 FROM budget_categories o
                WHERE o.family_id = budget_categories.family_id
                    AND o.budget_id = budget_categories.budget_id AND o.category_id = $1)";
    /// Budgets with a line for the one category move it to the other.
    CATEGORY_BUDGETS_MOVE = "UPDATE budget_categories SET category_id = $1, updated_at = $2
        WHERE family_id = $3 AND category_id = $4
            AND NOT EXISTS (SELECT 1 FROM budget_categories o
                WHERE o.family_id = budget_categories.family_id
                    AND o.budget_id = budget_categories.budget_id AND o.category_id = $1)";
    /// Removes the lines that are left over.
    CATEGORY_BUDGETS_DELETE = "DELETE FROM budget_categories
        WHERE family_id = $1 AND category_id = $2";
    /// Accounts with entries of a merchant changed.
    MERCHANT_ACCOUNTS = "UPDATE accounts SET updated_at = $1 WHERE family_id = $2
        AND id IN (SELECT e.account_id FROM ledger_entries e
            WHERE e.family_id = $2 AND e.merchant_id = $3)";
    /// Entries get another merchant, or none.
    MERCHANT_ENTRIES = "UPDATE entries SET merchant_id = $1, updated_at = $2
        WHERE family_id = $3 AND merchant_id = $4";
    /// Recurring series get the other merchant, or none.
    MERCHANT_RECURRING = "UPDATE recurring_transactions SET merchant_id = $1, updated_at = $2
        WHERE family_id = $3 AND merchant_id = $4";
    /// Accounts with entries of a tag changed.
    TAG_ACCOUNTS = "UPDATE accounts SET updated_at = $1 WHERE family_id = $2
        AND id IN (SELECT e.account_id FROM entry_tags t
            JOIN ledger_entries e ON e.family_id = t.family_id AND e.id = t.entry_id
            WHERE t.family_id = $2 AND t.tag_id = $3)";
    /// Sets the time of the last change of entries with a tag.
    TAG_ENTRIES = "UPDATE entries SET updated_at = $1 WHERE family_id = $2
        AND id IN (SELECT t.entry_id FROM entry_tags t
            WHERE t.family_id = $2 AND t.tag_id = $3)";
    /// Removes a tag from all entries.
    TAG_LINKS_DELETE = "DELETE FROM entry_tags WHERE family_id = $1 AND tag_id = $2";
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
        WHERE family_id = $3 AND filled LIKE $4";
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

/// Takes a category from everything that points to it; its row is the caller's.
pub(crate) fn detach_category(
    tx: &mut FamilyTx<'_>,
    id: Uuid,
    into: Option<Uuid>,
) -> Result<Detached> {
    let family = tx.family();
    require_settled(tx)?;
    let now = tx.now();
    tx.execute(&CATEGORY_ACCOUNTS, &[now.into(), family.into(), Val::Uuid(id)])?;
    let moved = [into.into(), now.into(), family.into(), Val::Uuid(id)];
    let mut detached = Detached {
        entries: tx.execute(&CATEGORY_ENTRIES, &moved)?,
        recurring_transactions: tx.execute(&CATEGORY_RECURRING, &moved)?,
        ..Detached::default()
    };
    if let Some(into) = into {
        let added = [Val::Uuid(id), now.into(), family.into(), Val::Uuid(into)];
        tx.execute(&CATEGORY_BUDGETS_ADD, &added)?;
        detached.budget_categories += tx.execute(&CATEGORY_BUDGETS_MOVE, &moved)?;
    }
    let key = [family.into(), Val::Uuid(id)];
    detached.budget_categories += tx.execute(&CATEGORY_BUDGETS_DELETE, &key)?;
    follow_in_rules(tx, id, into, &mut detached)?;
    follow_in_imports(tx, MappingKind::Category, id, into)?;
    Ok(detached)
}

/// Takes a merchant from everything that points to it; its row is the caller's.
pub(crate) fn detach_merchant(
    tx: &mut FamilyTx<'_>,
    id: Uuid,
    into: Option<Uuid>,
) -> Result<Detached> {
    let family = tx.family();
    require_settled(tx)?;
    let now = tx.now();
    tx.execute(&MERCHANT_ACCOUNTS, &[now.into(), family.into(), Val::Uuid(id)])?;
    let moved = [into.into(), now.into(), family.into(), Val::Uuid(id)];
    let mut detached = Detached {
        entries: tx.execute(&MERCHANT_ENTRIES, &moved)?,
        recurring_transactions: tx.execute(&MERCHANT_RECURRING, &moved)?,
        ..Detached::default()
    };
    follow_in_rules(tx, id, into, &mut detached)?;
    Ok(detached)
}

/// Takes a tag from everything that points to it; its row is the caller's.
pub(crate) fn detach_tag(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Detached> {
    let family = tx.family();
    require_settled(tx)?;
    let now = tx.now();
    let key = [now.into(), family.into(), Val::Uuid(id)];
    tx.execute(&TAG_ACCOUNTS, &key)?;
    let mut detached = Detached { entries: tx.execute(&TAG_ENTRIES, &key)?, ..Detached::default() };
    tx.execute(&TAG_LINKS_DELETE, &[family.into(), Val::Uuid(id)])?;
    follow_in_rules(tx, id, None, &mut detached)?;
    follow_in_imports(tx, MappingKind::Tag, id, None)?;
    Ok(detached)
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

/// Rules write ids as everybody does, so an id is found and replaced as a text.
fn follow_in_rules(
    tx: &mut FamilyTx<'_>,
    id: Uuid,
    into: Option<Uuid>,
    detached: &mut Detached,
) -> Result<()> {
    let family = tx.family();
    let (now, named) = (tx.now(), format!("%{id}%"));
    let Some(into) = into else {
        let key = [Val::Bool(false), now.into(), family.into(), Val::Text(&named)];
        detached.rules_switched_off = tx.execute(&RULES_OFF, &key)?;
        return Ok(());
    };
    let (id, into) = (id.to_string(), into.to_string());
    let params = [Val::Text(&id), Val::Text(&into), now.into(), family.into(), Val::Text(&named)];
    detached.rules_changed = tx.execute(&RULES_FOLLOW, &params)?;
    Ok(())
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
    if let Some(into) = into {
        let (id, into) = (id.to_string(), into.to_string());
        let params = [Val::Text(&id), Val::Text(&into), family.into(), Val::Text(&named)];
        tx.execute(&FILLS_FOLLOW, &params)?;
    }
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
