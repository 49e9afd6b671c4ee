//! Removing an account with everything that belongs to it.
//!
//! First it is hidden from everybody, in one short commit. Then its entries are removed in slices,
//! each a commit of its own if the account is large, so that other writes don't wait. References
//! from elsewhere end: transfers, and the sources of shares that moved. The cost of those shares is
//! kept with their arrival. Imports that brought its entries keep their record.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::import::mapping::{ACCOUNT_DELETED, CHOSEN_ACCOUNT_DELETED, NO_ACCOUNT};
use purser_core::ledger::account::AccountStatus;
use purser_core::ledger::positions::Carried;
use purser_core::money::exact;

use super::position_inputs::lots_text;
use super::{VERSION_MOVE, positions, record_hashes};
use crate::access::FamilyTx;
use crate::driver::{Sql, statements, vals};

statements! {
    /// Marks the account as being removed.
    REMOVAL_MARK = "UPDATE accounts SET status = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4";
    /// What imports made in it, deleted since or not, will not be there any more.
    REMOVAL_COUNT = "UPDATE imports SET gone_count = gone_count
            + (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries e
                WHERE e.family_id = $1 AND e.account_id = $2
                    AND e.id >= imports.first_entry_id AND e.id <= imports.last_entry_id
                    AND e.kind <> 3)
            + (SELECT CAST(COUNT(*) AS BIGINT) FROM entry_origins o
                WHERE o.family_id = $1 AND o.account_id = $2 AND o.deleted_at IS NOT NULL
                    AND o.entry_id >= imports.first_entry_id
                    AND o.entry_id <= imports.last_entry_id)
        WHERE family_id = $1 AND first_entry_id IS NOT NULL";
    /// Names of files that stood for it, and rows without a name, need a person's choice.
    REMOVAL_MAPPINGS = "UPDATE import_mappings SET target_id = NULL, creates = FALSE,
            chosen = FALSE, new_name = NULL, problem = CASE WHEN value_key = '' THEN $1 ELSE $2 END
        WHERE family_id = $3 AND kind = 'account' AND target_id = $4";
    /// The rows of imports into it have no account any more: a person must choose one.
    REMOVAL_NAMELESS = "INSERT INTO import_mappings (family_id, import_id, kind, value, value_key,
            creates, currency, problem, rows_count, chosen, per_currency)
        SELECT i.family_id, i.id, 'account', '', '', FALSE, a.currency, $1, i.valid_rows_count,
            FALSE, FALSE
        FROM imports i JOIN accounts a ON a.family_id = $2 AND a.id = i.account_id
        WHERE i.family_id = $2 AND i.account_id = $3 AND i.rows_count > 0";
    /// The numbers of names of the imports for which an account must be chosen.
    REMOVAL_NAMES = "UPDATE imports SET
            mappings_count = (SELECT CAST(COUNT(*) AS BIGINT) FROM import_mappings m
                WHERE m.family_id = $1 AND m.import_id = imports.id),
            unassigned_mappings_count = (SELECT CAST(COUNT(*) AS BIGINT) FROM import_mappings m
                WHERE m.family_id = $1 AND m.import_id = imports.id
                    AND m.problem IS NOT NULL)
        WHERE family_id = $1 AND id IN (SELECT m.import_id FROM import_mappings m
            WHERE m.family_id = $1 AND m.kind = 'account' AND m.problem IS NOT NULL)";
    /// Securities with positions and prices elsewhere that may depend on it, and from when on.
    REMOVAL_SECURITIES = "SELECT t.security_id, MIN(e.date) FROM trades t
        JOIN ledger_entries e ON e.family_id = $1 AND e.id = t.entry_id
        WHERE t.family_id = $1 AND e.account_id = $2
        GROUP BY t.security_id";
    /// Securities of which it had a position, or of which a provider reported one.
    REMOVAL_HELD = "SELECT security_id FROM holdings WHERE family_id = $1 AND account_id = $2";
    /// The last day of a slice.
    REMOVAL_SLICE_END = "SELECT date FROM entries
        WHERE family_id = $1 AND account_id = $2 ORDER BY date LIMIT 1 OFFSET $3";
    /// Trades here that are sides of moves, with the other sides.
    REMOVAL_MOVES = "SELECT t.security_id, t.entry_id, t.counterpart_id, e.date FROM trades t
        JOIN ledger_entries e ON e.family_id = $1 AND e.id = t.entry_id
        WHERE t.family_id = $1 AND e.account_id = $2 AND t.counterpart_id IS NOT NULL";
    /// Turns a side of a move of shares into a trade of its own, with the lots that moved; an
    /// arrival keeps their cost.
    REMOVAL_PART = "UPDATE trades SET counterpart_id = NULL, lots = $1,
            cost = CASE WHEN trade_type = 'transfer_in' THEN CAST($2 AS BIGINT) END
        WHERE family_id = $3 AND entry_id = $4";
    /// Shares that went into a slice or out of it since the moves were parted.
    REMOVAL_COUNTERPARTS = "UPDATE trades SET counterpart_id = NULL
        WHERE family_id = $1 AND entry_id IN (SELECT t.counterpart_id FROM trades t
            JOIN entries e ON e.family_id = $1 AND e.id = t.entry_id
            WHERE t.family_id = $1 AND e.account_id = $2 AND e.date <= $3
                AND t.counterpart_id IS NOT NULL)";
    /// Removes the trades of the entries of a slice.
    REMOVAL_TRADES = "DELETE FROM trades WHERE family_id = $1 AND entry_id IN (SELECT id
            FROM entries WHERE family_id = $1 AND account_id = $2 AND date <= $3)";
    /// Removes the conversions of the entries of a slice.
    REMOVAL_CONVERSIONS = "DELETE FROM entry_conversions WHERE family_id = $1 AND entry_id IN (
            SELECT id FROM entries WHERE family_id = $1 AND account_id = $2 AND date <= $3)";
    /// Removes the tags of the entries of a slice.
    REMOVAL_TAGS = "DELETE FROM entry_tags WHERE family_id = $1 AND entry_id IN (
            SELECT id FROM entries WHERE family_id = $1 AND account_id = $2 AND date <= $3)";
    /// Removes the before-images of the entries of a slice.
    REMOVAL_FILLS = "DELETE FROM import_fills WHERE family_id = $1 AND entry_id IN (
            SELECT id FROM entries WHERE family_id = $1 AND account_id = $2 AND date <= $3)";
    /// Removes the transfers with an outflow in a slice.
    REMOVAL_OUTFLOWS = "DELETE FROM transfers WHERE family_id = $1 AND outflow_id IN (
            SELECT id FROM entries WHERE family_id = $1 AND account_id = $2 AND date <= $3)";
    /// Removes the transfers with an inflow in a slice.
    REMOVAL_INFLOWS = "DELETE FROM transfers WHERE family_id = $1 AND inflow_id IN (
            SELECT id FROM entries WHERE family_id = $1 AND account_id = $2 AND date <= $3)";
    /// Removes the origins of the entries of a slice that came from another account.
    REMOVAL_ARRIVED = "DELETE FROM entry_origins
        WHERE family_id = $1 AND account_id <> $2 AND deleted_at IS NULL AND entry_id IN (
            SELECT id FROM entries
            WHERE family_id = $1 AND account_id = $2 AND date <= $3 AND has_origin)";
    /// The entries of a slice.
    REMOVAL_ENTRIES = "DELETE FROM entries
        WHERE family_id = $1 AND account_id = $2 AND date <= $3";
    /// The origins of entries that a person moved to other accounts are kept there.
    REMOVAL_LEFT = "UPDATE entry_origins SET account_id = (SELECT e.account_id FROM entries e
            WHERE e.family_id = $1 AND e.id = entry_origins.entry_id)
        WHERE family_id = $1 AND account_id = $2 AND deleted_at IS NULL
            AND EXISTS (SELECT 1 FROM entries e
                WHERE e.family_id = $1 AND e.id = entry_origins.entry_id)";
    /// Origins of entries that were changed or deleted.
    REMOVAL_ORIGINS = "DELETE FROM entry_origins WHERE family_id = $1 AND account_id = $2";
    /// Balances, which are derived data.
    REMOVAL_BALANCES = "DELETE FROM balances WHERE family_id = $1 AND account_id = $2";
    /// Position segments, which are derived data.
    REMOVAL_SEGMENTS = "DELETE FROM position_segments WHERE family_id = $1 AND account_id = $2";
    /// Positions that a provider reported.
    REMOVAL_STATEMENTS = "DELETE FROM position_statements
        WHERE family_id = $1 AND account_id = $2";
    /// Costs that a person stated.
    REMOVAL_HOLDINGS = "DELETE FROM holdings WHERE family_id = $1 AND account_id = $2";
    /// A key that was for it is for one account less.
    REMOVAL_KEYS = "DELETE FROM api_key_accounts WHERE family_id = $1 AND account_id = $2";
    /// Removes the recurring series of the account.
    REMOVAL_RECURRING = "DELETE FROM recurring_transactions
        WHERE family_id = $1 AND account_id = $2";
    /// Imports that went into it.
    REMOVAL_IMPORTS = "UPDATE imports SET account_id = NULL
        WHERE family_id = $1 AND account_id = $2";
    /// Templates that suggested it.
    REMOVAL_TEMPLATES = "UPDATE import_templates SET account_id = NULL
        WHERE family_id = $1 AND account_id = $2";
    /// The bank's account that was linked to it.
    REMOVAL_LINKS = "UPDATE connection_accounts SET account_id = NULL
        WHERE family_id = $1 AND account_id = $2";
    /// What is known of the rows of the bank's account.
    REMOVAL_SYNC_ROWS = "DELETE FROM sync_rows WHERE family_id = $1 AND account_id = $2";
    /// What the bank called its holdings.
    REMOVAL_SYNC_HOLDINGS = "DELETE FROM sync_holdings WHERE family_id = $1 AND account_id = $2";
    /// Entries that lines of its bank statements stand for.
    REMOVAL_STATEMENT_MATCHES = "DELETE FROM bank_statement_matches
        WHERE family_id = $1 AND statement_id IN (SELECT id FROM bank_statements
            WHERE family_id = $1 AND account_id = $2)";
    /// Positions that its bank statements state.
    REMOVAL_STATEMENT_POSITIONS = "DELETE FROM bank_statement_positions
        WHERE family_id = $1 AND statement_id IN (SELECT id FROM bank_statements
            WHERE family_id = $1 AND account_id = $2)";
    /// The bank statements about it.
    REMOVAL_BANK_STATEMENTS = "DELETE FROM bank_statements
        WHERE family_id = $1 AND account_id = $2";
    /// What runs did in it, and how it was before.
    REMOVAL_SYNC_IMAGES = "DELETE FROM sync_images WHERE family_id = $1 AND account_id = $2";
    /// What runs did in it.
    REMOVAL_SYNC_PLANS = "DELETE FROM sync_plans WHERE family_id = $1 AND account_id = $2";
    /// Pairs of its entries that may be one.
    REMOVAL_SUGGESTIONS = "DELETE FROM sync_suggestions WHERE family_id = $1 AND account_id = $2";
    /// It was an import that created it.
    REMOVAL_CREATED = "DELETE FROM import_created
        WHERE family_id = $1 AND kind = 'account' AND target_id = $2";
    /// The row of the account itself.
    REMOVAL_ACCOUNT = "DELETE FROM accounts WHERE family_id = $1 AND id = $2";
}

/// Nobody sees the account any more.
pub(crate) fn mark(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    let status = AccountStatus::PendingDeletion.as_str();
    tx.execute(&REMOVAL_MARK, vals![status, now, family, account])?;
    tx.execute(&REMOVAL_COUNT, vals![family, account])?;
    tx.execute(&REMOVAL_MAPPINGS, vals![NO_ACCOUNT, ACCOUNT_DELETED, family, account])?;
    leave_imports(tx, account)?;
    // No sync writes into it any more.
    tx.execute(&REMOVAL_LINKS, vals![family, account])?;
    tx.execute(&VERSION_MOVE, vals![family]).map(drop)
}

/// Imports of which all rows go into the account have none any more: a person must choose one. So
/// it is for names that stood for it.
pub(crate) fn leave_imports(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<()> {
    let family = tx.family();
    tx.execute(&REMOVAL_NAMELESS, vals![CHOSEN_ACCOUNT_DELETED, family, account])?;
    tx.execute(&REMOVAL_NAMES, vals![family])?;
    tx.execute(&REMOVAL_IMPORTS, vals![family, account]).map(drop)
}

/// Separates the two sides of moves of shares between the account and others. Shares that arrived
/// elsewhere keep their lots, and show the cost that they had here, if it is known, rounded to the
/// currency's scale. The securities have to be folded again from those days on.
pub(crate) fn part_moves(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
) -> Result<Vec<(SecurityId, Date)>> {
    let family = tx.family();
    let moves = tx.query(&REMOVAL_MOVES, vals![family, account], |row| {
        let sides = [row.id::<EntryId>(1)?, row.id::<EntryId>(2)?];
        Ok((row.id::<SecurityId>(0)?, row.date(3)?, sides))
    })?;
    let securities: BTreeSet<SecurityId> = moves.iter().map(|(security, ..)| *security).collect();
    let keys: Vec<SecurityId> = securities.iter().copied().collect();
    let mut carried: BTreeMap<EntryId, Carried> = BTreeMap::new();
    for (_, folded) in positions::folded(tx, &keys)? {
        carried.extend(folded.carried);
    }
    for (.., sides) in &moves {
        let carried = sides.iter().find_map(|entry| carried.get(entry));
        // A cost that 64 bits don't hold can't be kept as an amount.
        let cost = carried.and_then(|carried| exact::round(carried.cost.as_ref()?));
        let lots = carried.map(lots_text).transpose()?;
        for entry in sides {
            tx.execute(&REMOVAL_PART, vals![lots.as_deref(), cost, family, *entry])?;
        }
    }
    Ok(moves.into_iter().map(|(security, date, _)| (security, date)).collect())
}

/// Removes at most about `entries_max` entries of the account (those of one day together), and with
/// the last of them the account. Returns whether it is gone.
pub(crate) fn remove_slice(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    entries_max: u64,
) -> Result<bool> {
    let family = tx.family();
    let offset = i64::try_from(entries_max).map_err(Error::internal)?;
    let end =
        tx.query_opt(&REMOVAL_SLICE_END, vals![family, account, offset], |row| row.date(0))?;
    let slice = end.unwrap_or(Date::MAX);
    for statement in [
        &REMOVAL_COUNTERPARTS,
        &REMOVAL_TRADES,
        &REMOVAL_CONVERSIONS,
        &REMOVAL_TAGS,
        &REMOVAL_FILLS,
        &REMOVAL_OUTFLOWS,
        &REMOVAL_INFLOWS,
        &REMOVAL_ARRIVED,
        &REMOVAL_ENTRIES,
    ] {
        tx.execute(statement, vals![family, account, slice])?;
    }
    if end.is_some() {
        return Ok(false);
    }
    const REST: [&Sql; 21] = [
        &REMOVAL_LEFT,
        &REMOVAL_ORIGINS,
        &REMOVAL_BALANCES,
        &REMOVAL_SEGMENTS,
        &REMOVAL_STATEMENTS,
        &REMOVAL_HOLDINGS,
        &REMOVAL_KEYS,
        &REMOVAL_RECURRING,
        &REMOVAL_IMPORTS,
        &REMOVAL_TEMPLATES,
        &REMOVAL_LINKS,
        &REMOVAL_SUGGESTIONS,
        &REMOVAL_SYNC_HOLDINGS,
        &REMOVAL_STATEMENT_MATCHES,
        &REMOVAL_STATEMENT_POSITIONS,
        &REMOVAL_BANK_STATEMENTS,
        &REMOVAL_SYNC_IMAGES,
        &REMOVAL_SYNC_PLANS,
        &REMOVAL_SYNC_ROWS,
        &REMOVAL_CREATED,
        &REMOVAL_ACCOUNT,
    ];
    for statement in REST {
        tx.execute(statement, vals![family, account])?;
    }
    record_hashes::forget_gone(tx)?;
    tx.execute(&VERSION_MOVE, vals![family])?;
    Ok(true)
}

/// Securities that were traded in the account, and the first day of each: their positions elsewhere
/// are to be folded again, and prices and splits of its trades no longer count.
pub(crate) fn securities(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
) -> Result<Vec<(SecurityId, Date)>> {
    let family = tx.family();
    tx.query(&REMOVAL_SECURITIES, vals![family, account], |row| Ok((row.id(0)?, row.date(1)?)))
}

/// Securities with positions of which the account is a part, although nothing may have been traded.
pub(crate) fn held(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<Vec<SecurityId>> {
    let family = tx.family();
    tx.query(&REMOVAL_HELD, vals![family, account], |row| row.id(0))
}
