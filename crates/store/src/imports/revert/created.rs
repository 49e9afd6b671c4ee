//! Accounts, categories and tags that an import created: which of them an undo removes.
//!
//! Only what nothing points to and nobody changed goes. Whatever may point to one of them must be
//! asked about here; a foreign key that was forgotten makes the undo fail and loses nothing.

use std::collections::HashSet;

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::category::CategoryRestoration;
use purser_core::import::mapping::MappingKind;
use uuid::Uuid;

use super::survey::Usage;
use crate::access::FamilyTx;
use crate::driver::{Row, Sql, Tx, Val, statements};
use crate::families::FamilyId;

statements! {
    /// What a publish created.
    CREATED_BY_IMPORT = "SELECT kind, target_id FROM import_created
        WHERE family_id = $1 AND import_id = $2 ORDER BY kind, target_id";
    /// Every category, those of the second level first: they are judged before their parents.
    CATEGORIES_JUDGED = "SELECT id, parent_id, name, updated_at <> created_at FROM categories
        WHERE family_id = $1 ORDER BY CASE WHEN parent_id IS NULL THEN 1 ELSE 0 END, id";
    /// The name of a tag, and whether it was changed.
    TAG_JUDGED = "SELECT name, updated_at <> created_at FROM tags
        WHERE family_id = $1 AND id = $2";
    /// An account and what it counts.
    ACCOUNT_JUDGED = "SELECT name, transactions_count, valuations_count, trades_count
        FROM accounts
        WHERE family_id = $1 AND id = $2";
    /// Whether somebody did something to it: what an import creates is not a subject of its own.
    CHANGED_SINCE = "SELECT 1 FROM audit_events
        WHERE family_id = $1 AND subject_id = $2 LIMIT 1";
    /// Whether a person or a provider stated something about an account's holdings. The others
    /// follow from its trades.
    ACCOUNT_HOLDINGS = "SELECT 1 FROM holdings WHERE family_id = $1 AND account_id = $2
            AND (cost_total IS NOT NULL OR cost_locked)
        UNION ALL
        SELECT 1 FROM position_statements WHERE family_id = $1 AND account_id = $2 LIMIT 1";
    /// Whether a key is restricted to it.
    ACCOUNT_KEYS = "SELECT 1 FROM api_key_accounts
        WHERE family_id = $1 AND account_id = $2 LIMIT 1";
    /// Whether a bank's account is linked to it.
    ACCOUNT_LINKS = "SELECT 1 FROM connection_accounts
        WHERE family_id = $1 AND account_id = $2 LIMIT 1";
    /// Whether other imports go into it.
    ACCOUNT_IMPORTS = "SELECT 1 FROM imports WHERE family_id = $1 AND account_id = $2 LIMIT 1";
    /// Whether something is known of transactions that persons changed or deleted in it.
    ACCOUNT_ORIGINS = "SELECT 1 FROM entry_origins o
        WHERE o.family_id = $1 AND o.account_id = $2 AND (o.deleted_at IS NOT NULL
            OR EXISTS (SELECT 1 FROM ledger_entries e WHERE e.family_id = o.family_id
                AND e.id = o.entry_id AND e.changed_at IS NOT NULL)) LIMIT 1";
    /// Whether a rule names it.
    RULES_NAMING = "SELECT 1 FROM rules
        WHERE family_id = $1 AND (conditions LIKE $2 OR actions LIKE $2) LIMIT 1";
    /// Whether a person created a recurring series for the account.
    ACCOUNT_RECURRING = "SELECT 1 FROM recurring_transactions
        WHERE family_id = $1 AND account_id = $2 AND made_by = 'person' LIMIT 1";
    /// Whether a budget names it.
    CATEGORY_BUDGETS = "SELECT 1 FROM budget_categories
        WHERE family_id = $1 AND category_id = $2 LIMIT 1";
    /// Whether a person created a recurring series with the category.
    CATEGORY_RECURRING = "SELECT 1 FROM recurring_transactions
        WHERE family_id = $1 AND category_id = $2 AND made_by = 'person' LIMIT 1";
    /// What the names of all imports stand for.
    MAPPINGS_TARGETED = "SELECT import_id, kind, value_key, target_id, chosen
        FROM import_mappings WHERE family_id = $1 AND target_id IS NOT NULL
        ORDER BY import_id, kind, value_key";
}

/// Something that an import created, and what an undo does to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// The kind of the thing.
    pub kind: MappingKind,
    /// The id of the thing.
    pub id: Uuid,
    /// As it is called now.
    pub name: String,
    /// Whether it is removed.
    pub removal: Removal,
}

/// Whether something is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// Nothing points to it.
    Goes,
    /// It stays, for this reason.
    Stays(&'static str),
}

impl Created {
    /// Whether it is removed.
    pub fn goes(&self) -> bool {
        self.removal == Removal::Goes
    }
}

/// What an import created.
pub(super) fn created_by(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
) -> Result<Vec<(MappingKind, Uuid)>> {
    let family = tx.family();
    tx.query(&CREATED_BY_IMPORT, &[family.into(), import.into()], |row| {
        Ok((kind(row, 0)?, row.uuid(1)?))
    })
}

/// Judges what an import created, in the order in which it can be removed. What is gone already is
/// left out.
pub(super) fn judge(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    created: &[(MappingKind, Uuid)],
    usage: &Usage,
    restored: &CategoryRestoration,
) -> Result<Vec<Created>> {
    let family = tx.family();
    let of = |wanted| -> Vec<Uuid> {
        created.iter().filter(|(kind, _)| *kind == wanted).map(|(_, id)| *id).collect()
    };
    let named = named_by_others(tx, import, created)?;
    let mut court = Court { tx, family, named };
    let mut judged = Vec::with_capacity(created.len());
    for id in of(MappingKind::Tag) {
        judged.extend(court.tag(id, usage)?);
    }
    judged.extend(court.categories(&of(MappingKind::Category), usage, restored)?);
    for id in of(MappingKind::Account) {
        judged.extend(court.account(id, usage)?);
    }
    Ok(judged)
}

/// What other imports would miss: accounts that a name stands for, and whatever a person chose.
fn named_by_others(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    created: &[(MappingKind, Uuid)],
) -> Result<HashSet<Uuid>> {
    let family = tx.family();
    let mut named = HashSet::new();
    if created.is_empty() {
        return Ok(named);
    }
    let created: HashSet<Uuid> = created.iter().map(|(_, id)| *id).collect();
    tx.for_each(&MAPPINGS_TARGETED, &[family.into()], |row| {
        let (of, target) = (row.id::<ImportId>(0)?, row.uuid(3)?);
        let matters = kind(row, 1)? == MappingKind::Account || row.bool(4)?;
        if of != import && matters && created.contains(&target) {
            named.insert(target);
        }
        Ok(())
    })?;
    Ok(named)
}

/// Judges one thing after the other.
struct Court<'t, 'c> {
    tx: &'t mut Tx<'c>,
    family: FamilyId,
    named: HashSet<Uuid>,
}

impl Court<'_, '_> {
    fn tag(&mut self, id: Uuid, usage: &Usage) -> Result<Option<Created>> {
        let key = [self.family.into(), Val::Uuid(id)];
        let found =
            self.tx.query_opt(&TAG_JUDGED, &key, |row| Ok((row.string(0)?, row.bool(1)?)))?;
        let Some((name, is_changed)) = found else { return Ok(None) };
        let removal = if usage.tags.contains(&id) {
            Removal::Stays("transactions have it")
        } else {
            self.unless_wanted(id, is_changed)?
        };
        Ok(Some(Created { kind: MappingKind::Tag, id, name, removal }))
    }

    fn categories(
        &mut self,
        created: &[Uuid],
        usage: &Usage,
        restored: &CategoryRestoration,
    ) -> Result<Vec<Created>> {
        if created.is_empty() {
            return Ok(Vec::new());
        }
        let created: HashSet<Uuid> = created.iter().copied().collect();
        let all = self.tx.query(&CATEGORIES_JUDGED, &[self.family.into()], |row| {
            Ok((row.uuid(0)?, row.opt_uuid(1)?, row.string(2)?, row.bool(3)?))
        })?;
        let mut judged = Vec::with_capacity(created.len());
        // Those with a category below them that stays.
        let mut parents = HashSet::new();
        for (id, parent, name, is_changed) in all {
            // Where it is once the undo has put back what the import moved.
            let parent = restored.parent_of(id).unwrap_or(parent);
            let removal = if !created.contains(&id) {
                Removal::Stays("the import didn't create it")
            } else if usage.categories.contains(&id) {
                Removal::Stays("transactions have it")
            } else if parents.contains(&id) {
                Removal::Stays("there are categories below it")
            } else if self.exists(&CATEGORY_BUDGETS, id)? {
                Removal::Stays("a budget names it")
            } else if self.exists(&CATEGORY_RECURRING, id)? {
                Removal::Stays("a recurring transaction has it")
            } else {
                self.unless_wanted(id, is_changed)?
            };
            if removal != Removal::Goes {
                parents.extend(parent);
            }
            if created.contains(&id) {
                judged.push(Created { kind: MappingKind::Category, id, name, removal });
            }
        }
        Ok(judged)
    }

    fn account(&mut self, id: Uuid, usage: &Usage) -> Result<Option<Created>> {
        let key = [self.family.into(), Val::Uuid(id)];
        let found = self.tx.query_opt(&ACCOUNT_JUDGED, &key, |row| {
            Ok((row.string(0)?, row.int(1)?, row.int(2)?, row.int(3)?))
        })?;
        let Some((name, transactions, valuations, trades)) = found else { return Ok(None) };
        let gone = usage.gone.get(&id).copied().unwrap_or_default();
        let removal = if transactions > gone.transactions {
            Removal::Stays("it has other transactions")
        } else if valuations > gone.valuations {
            Removal::Stays("it has valuations")
        } else if trades > gone.trades {
            Removal::Stays("it has other trades")
        } else {
            self.unless_pointed_to(id)?
        };
        Ok(Some(Created { kind: MappingKind::Account, id, name, removal }))
    }

    fn unless_pointed_to(&mut self, account: Uuid) -> Result<Removal> {
        for (pointers, reason) in [
            (&ACCOUNT_HOLDINGS, "it has holdings"),
            (&ACCOUNT_ORIGINS, "transactions in it were changed or deleted since"),
            (&ACCOUNT_KEYS, "a key is restricted to it"),
            (&ACCOUNT_LINKS, "it is linked to a bank"),
            (&ACCOUNT_IMPORTS, "another import goes into it"),
            (&ACCOUNT_RECURRING, "a recurring transaction is expected in it"),
        ] {
            if self.exists(pointers, account)? {
                return Ok(Removal::Stays(reason));
            }
        }
        self.unless_wanted(account, false)
    }

    fn unless_wanted(&mut self, id: Uuid, is_changed: bool) -> Result<Removal> {
        if is_changed || self.exists(&CHANGED_SINCE, id)? {
            return Ok(Removal::Stays("it was changed since"));
        }
        if self.named.contains(&id) {
            return Ok(Removal::Stays("another import uses it"));
        }
        // Rules write ids as everybody does.
        let pattern = format!("%{id}%");
        let key = [self.family.into(), Val::Text(&pattern)];
        if self.tx.query_opt(&RULES_NAMING, &key, |_| Ok(()))?.is_some() {
            return Ok(Removal::Stays("a rule names it"));
        }
        Ok(Removal::Goes)
    }

    fn exists(&mut self, what: &Sql, id: Uuid) -> Result<bool> {
        let key = [self.family.into(), Val::Uuid(id)];
        Ok(self.tx.query_opt(what, &key, |_| Ok(()))?.is_some())
    }
}

pub(super) fn kind(row: &Row<'_>, column: usize) -> Result<MappingKind> {
    MappingKind::parse(row.text(column)?)
        .ok_or_else(|| Error::internal("unknown kind of what an import created"))
}
