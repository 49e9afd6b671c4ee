//! Accounts that an import created: which of them an undo removes. Other things that it created are
//! records, see [`crate::ledger::records::undo`].
//!
//! Only what nothing points to and nobody changed goes. Whatever may point to an account must be
//! asked about here; a foreign key that was forgotten makes the undo fail and loses nothing.

use std::collections::{HashMap, HashSet};

use purser_core::error::Result;
use purser_core::ids::ImportId;
use uuid::Uuid;

use super::survey::Gone;
use crate::access::FamilyTx;
use crate::driver::{Sql, statements, vals};
use crate::ledger::records::undo::{ACCOUNT, Created, RecordSurvey, Removal, rules_naming};

statements! {
    /// An account and what it counts.
    ACCOUNT_JUDGED = "SELECT name, transactions_count, valuations_count, trades_count
        FROM accounts
        WHERE family_id = $1 AND id = $2";
    /// Whether somebody did something to it since a person made it for the import: what an import
    /// creates itself is not a subject of its own.
    CHANGED_SINCE = "SELECT 1 FROM audit_events
        WHERE family_id = $1 AND subject_id = $2 AND action <> 'account.create' LIMIT 1";
    /// Whether a person or a provider stated something about an account's holdings. The others
    /// follow from its trades.
    ACCOUNT_HOLDINGS = "SELECT 1 FROM holdings WHERE family_id = $1 AND account_id = $2
            AND (cost_total IS NOT NULL OR cost_locked)
            AND (import_id IS NULL OR import_id <> $3
                OR earlier_costs LIKE '%\"import_id\":null%')
        UNION ALL
        SELECT 1 FROM position_statements WHERE family_id = $1 AND account_id = $2
            AND (import_id IS NULL OR import_id <> $3) LIMIT 1";
    /// Whether a key is restricted to it.
    ACCOUNT_KEYS = "SELECT 1 FROM api_key_accounts
        WHERE family_id = $1 AND account_id = $2 LIMIT 1";
    /// Whether a bank's account is linked to it.
    ACCOUNT_LINKS = "SELECT 1 FROM connection_accounts
        WHERE family_id = $1 AND account_id = $2 LIMIT 1";
    /// Whether other imports go into it.
    ACCOUNT_IMPORTS = "SELECT 1 FROM imports
        WHERE family_id = $1 AND account_id = $2 AND id <> $3 LIMIT 1";
    /// Whether something is known of transactions that persons changed or deleted in it.
    ACCOUNT_ORIGINS = "SELECT 1 FROM entry_origins o
        WHERE o.family_id = $1 AND o.account_id = $2
            AND (o.import_id IS NULL OR o.import_id <> $3) AND (o.deleted_at IS NOT NULL
            OR EXISTS (SELECT 1 FROM ledger_entries e WHERE e.family_id = $1
                AND e.id = o.entry_id AND e.changed_at IS NOT NULL)) LIMIT 1";
    /// Recurring series that a person created for the account.
    ACCOUNT_RECURRING = "SELECT id FROM recurring_transactions
        WHERE family_id = $1 AND account_id = $2 AND made_by = 'person'";
    /// Opening balances that came with an account: nobody set or changed them.
    ACCOUNT_OPENINGS = "SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries e
        WHERE e.family_id = $1 AND e.account_id = $2 AND e.kind = 1
            AND e.valuation_kind = 'opening_anchor'
            AND NOT EXISTS (SELECT 1 FROM audit_events a
                WHERE a.family_id = $1 AND a.subject_id = e.id)";
    /// The accounts that an import created.
    ACCOUNTS_CREATED = "SELECT target_id FROM import_created
        WHERE family_id = $1 AND import_id = $2 AND kind = 'account' ORDER BY target_id";
    /// What an import created and a name in another one stands for, if the name is of an account,
    /// or if a person chose what it stands for. A parent is a category.
    NAMED_BY_OTHERS = "SELECT DISTINCT m.target_id FROM import_mappings m
        WHERE m.family_id = $1 AND m.import_id <> $2 AND m.target_id IS NOT NULL
            AND (m.kind = 'account' OR m.chosen)
            AND (SELECT 1 FROM import_created c WHERE c.family_id = $1
                AND c.import_id = $2 AND c.target_id = m.target_id
                AND c.kind = CASE m.kind WHEN 'parent' THEN 'category' ELSE m.kind END)
                IS NOT NULL";
}

/// The accounts that an import created.
pub(super) fn accounts_created(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<Vec<Uuid>> {
    let family = tx.family();
    tx.query(&ACCOUNTS_CREATED, vals![family, import], |row| row.uuid(0))
}

/// The opening balances with a day that an account was created with.
pub(super) fn openings(tx: &mut FamilyTx<'_>, account: Uuid) -> Result<i64> {
    let family = tx.family();
    tx.query_one(&ACCOUNT_OPENINGS, vals![family, account], |row| row.int(0))
}

/// Judges the accounts that an import created. `gone` is what goes of their entries, `records` what
/// becomes of everything else. What is gone already is left out.
pub(super) fn judge_accounts(
    tx: &mut FamilyTx<'_>,
    (import, accounts): (ImportId, &[Uuid]),
    gone: &HashMap<Uuid, Gone>,
    records: &RecordSurvey,
    named: &HashSet<Uuid>,
) -> Result<Vec<Created>> {
    let mut judged = Vec::with_capacity(accounts.len());
    for id in accounts {
        let family = tx.family();
        let found = tx.query_opt(&ACCOUNT_JUDGED, vals![family, *id], |row| {
            Ok((row.string(0)?, row.int(1)?, row.int(2)?, row.int(3)?))
        })?;
        let Some((name, transactions, valuations, trades)) = found else { continue };
        let gone = gone.get(id).copied().unwrap_or_default();
        let stays = if transactions > gone.transactions {
            Some("it has other transactions")
        } else if valuations > gone.valuations {
            Some("it has valuations")
        } else if trades > gone.trades {
            Some("it has other trades")
        } else {
            pointed_to(tx, (import, *id), records)?
        };
        let stays = stays.or_else(|| named.contains(id).then_some("another import uses it"));
        let removal = stays.map_or(Removal::Goes, Removal::Stays);
        judged.push(Created { kind: ACCOUNT, id: *id, name, removal });
    }
    Ok(judged)
}

/// Why an account without other entries stays.
fn pointed_to(
    tx: &mut FamilyTx<'_>,
    (import, account): (ImportId, Uuid),
    records: &RecordSurvey,
) -> Result<Option<&'static str>> {
    for (pointers, reason) in [
        (&ACCOUNT_HOLDINGS, "it has holdings"),
        (&ACCOUNT_ORIGINS, "transactions in it were changed or deleted since"),
    ] {
        // What the import itself brought goes with it.
        let key = vals![tx.family(), account, import];
        if tx.query_opt(pointers, key, |_| Ok(()))?.is_some() {
            return Ok(Some(reason));
        }
    }
    for (pointers, reason) in [
        (&ACCOUNT_KEYS, "a key is restricted to it"),
        (&ACCOUNT_LINKS, "it is linked to a bank"),
        (&CHANGED_SINCE, "it was changed since"),
    ] {
        if exists(tx, pointers, account)? {
            return Ok(Some(reason));
        }
    }
    let family = tx.family();
    let others = vals![family, account, import];
    if tx.query_opt(&ACCOUNT_IMPORTS, others, |_| Ok(()))?.is_some() {
        return Ok(Some("another import goes into it"));
    }
    let series = tx.query(&ACCOUNT_RECURRING, vals![family, account], |row| row.uuid(0))?;
    if series.into_iter().any(|id| !records.removes(id)) {
        return Ok(Some("a recurring transaction is expected in it"));
    }
    let rules = rules_naming(tx, account)?;
    Ok(rules.iter().find(|rule| !records.removes(rule.id)).map(|rule| rule.reason))
}

fn exists(tx: &mut FamilyTx<'_>, what: &Sql, id: Uuid) -> Result<bool> {
    let family = tx.family();
    Ok(tx.query_opt(what, vals![family, id], |_| Ok(()))?.is_some())
}

/// What other imports would miss: accounts that a name stands for, and whatever a person chose.
pub(super) fn named_by_others(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<HashSet<Uuid>> {
    let family = tx.family();
    let named = tx.query(&NAMED_BY_OTHERS, vals![family, import], |row| row.uuid(0))?;
    Ok(named.into_iter().collect())
}
