//! Columns of a row that have to agree with each other, and rows with those beside them.

use purser_core::error::Result;
use uuid::Uuid;

use super::report::Findings;
use crate::driver::{Sql, Tx, statements};

statements! {
    /// Keys for all accounts that are restricted to some.
    KEYS_WRONG = "SELECT k.id FROM api_keys k WHERE k.all_accounts AND EXISTS (
        SELECT 1 FROM api_key_accounts a WHERE a.family_id = k.family_id AND a.key_id = k.id)";
    /// Accounts with a direction that their valuations don't give them.
    ACCOUNTS_WRONG = "SELECT a.id FROM accounts a WHERE a.backward <> EXISTS (
        SELECT 1 FROM entries e WHERE e.family_id = a.family_id AND e.account_id = a.id
            AND e.kind = 1 AND e.valuation_kind = 'current_anchor')";
    /// Transactions and parts without a name.
    ENTRIES_WRONG = "SELECT id FROM ledger_entries WHERE kind IN (0, 3) AND trim(name) = ''";
    /// Pending transactions that no source has reported as pending.
    PENDING_WRONG = "SELECT e.id FROM ledger_entries e WHERE e.pending AND NOT EXISTS (
        SELECT 1 FROM sync_rows r WHERE r.family_id = e.family_id AND r.entry_id = e.id
            AND r.pending)
        AND NOT EXISTS (
            SELECT 1 FROM imports i
            WHERE i.family_id = e.family_id AND i.import_type = 'NativeImport'
                AND e.id BETWEEN i.first_entry_id AND i.last_entry_id)";
    /// Trades with values that others of their type don't have.
    TRADES_WRONG = "SELECT entry_id FROM trades
        WHERE (split_to IS NULL) <> (split_from IS NULL)
            OR (split_to IS NOT NULL) <> (trade_type = 'split')
            OR (cost IS NOT NULL AND trade_type NOT IN ('transfer_in', 'reinvestment'))
            OR ((lots IS NOT NULL OR counterpart_id IS NOT NULL)
                AND trade_type NOT IN ('transfer_in', 'transfer_out'))
            OR (lots IS NOT NULL AND counterpart_id IS NOT NULL)
            OR (substr(qty, 1, 1) = '-') <> (trade_type IN ('sell', 'transfer_out'))
            OR (qty <> '0.0'
                AND trade_type IN ('dividend', 'interest', 'fee', 'split'))";
    /// Reports of a provider with half a cost.
    STATEMENTS_WRONG = "SELECT account_id FROM position_statements
        WHERE (cost_total IS NULL) <> (cost_qty IS NULL)";
    /// Positions with half of a stated cost.
    HOLDINGS_WRONG = "SELECT id FROM holdings
        WHERE (cost_total IS NULL) <> (cost_date IS NULL)
            OR (cost_total IS NULL) <> (cost_said_at IS NULL)
            OR (cost_total IS NULL AND (cost_qty IS NOT NULL OR earlier_costs IS NOT NULL))";
    /// Stretches with a cost from nowhere.
    SEGMENTS_WRONG = "SELECT account_id FROM position_segments
        WHERE cost IS NOT NULL AND cost_source IS NULL";
    /// Budgets that end before they begin.
    BUDGETS_WRONG = "SELECT id FROM budgets WHERE end_date < start_date";
    /// Budgets that begin before an earlier one has ended.
    BUDGETS_OVERLAPPING = "SELECT b.id FROM budgets b WHERE EXISTS (
        SELECT 1 FROM budgets o WHERE o.family_id = b.family_id AND o.id <> b.id
            AND o.start_date <= b.start_date AND o.end_date >= b.start_date)";
    /// Names that are created although a person has to choose.
    MAPPINGS_WRONG = "SELECT import_id FROM import_mappings
        WHERE creates AND problem IS NOT NULL";
    /// Chunks that are no part of a file that is to come, or are one that has come.
    CHUNKS_WRONG = "SELECT s.id FROM import_sessions s
        JOIN import_session_chunks c ON c.family_id = s.family_id AND c.session_id = s.id
        WHERE (c.file_id IS NULL) <> (s.import_id IS NOT NULL)
            OR c.sequence < 1 OR c.sequence > s.expected_chunks";
    /// Runs with an end that their status doesn't give them.
    RUNS_WRONG = "SELECT id FROM rule_runs
        WHERE (status = 'pending') <> (finished_at IS NULL)";
    /// Bank statements that end before they begin, that have half a range of entries, or of which
    /// the file isn't published.
    BANK_STATEMENTS_WRONG = "SELECT s.id FROM bank_statements s
        JOIN imports i ON i.family_id = s.family_id AND i.id = s.import_id
        WHERE s.last_day < s.first_day
            OR (s.first_entry_id IS NULL) <> (s.last_entry_id IS NULL)
            OR i.status NOT IN ('complete', 'reverting', 'revert_failed')";
    /// Actors without an id, and others with one.
    EVENTS_WRONG = "SELECT id FROM audit_events
        WHERE (actor_kind IN ('key', 'user', 'import')) <> (actor_id IS NOT NULL)";
    /// The same of syncs.
    SYNCS_WRONG = "SELECT id FROM syncs
        WHERE (actor_kind IN ('key', 'user', 'import')) <> (actor_id IS NOT NULL)";
}

/// Each statement, the table of the ids that it finds, and what is wrong with them.
const RULES: &[(&Sql, &str, &str)] = &[
    (&KEYS_WRONG, "api_keys", "all_accounts is set, but the key is restricted to some accounts"),
    (&ACCOUNTS_WRONG, "accounts", "backward doesn't agree with the anchors of its valuations"),
    (&ENTRIES_WRONG, "entries", "name is empty"),
    (&PENDING_WRONG, "entries", "pending is set, but no source reports it"),
    (&TRADES_WRONG, "trades", "qty, cost, lots, counterpart or split don't fit trade_type"),
    (&STATEMENTS_WRONG, "position_statements", "cost_total and cost_qty are not both there"),
    (
        &HOLDINGS_WRONG,
        "holdings",
        "cost_total, cost_qty, cost_date, cost_said_at and earlier_costs don't agree",
    ),
    (&SEGMENTS_WRONG, "position_segments", "cost is known, but cost_source is not"),
    (&BUDGETS_WRONG, "budgets", "end_date is before start_date"),
    (&BUDGETS_OVERLAPPING, "budgets", "start_date is within another budget"),
    (&MAPPINGS_WRONG, "import_mappings", "creates is set, but problem is, too"),
    (&CHUNKS_WRONG, "import_sessions", "its chunks don't fit expected_chunks or import_id"),
    (&RUNS_WRONG, "rule_runs", "finished_at doesn't agree with status"),
    (
        &BANK_STATEMENTS_WRONG,
        "bank_statements",
        "the days, the range of entries or the status of the import don't fit",
    ),
    (&SYNCS_WRONG, "syncs", "actor_id doesn't agree with actor_kind"),
    (&EVENTS_WRONG, "audit_events", "actor_id doesn't agree with actor_kind"),
];

/// Columns agree with each other.
pub(super) fn agree(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    for (sql, table, wrong) in RULES {
        findings.count(1);
        tx.for_each(*sql, &[], |row| {
            let id: Uuid = row.uuid(0)?;
            findings.problem(|| format!("{table} {id}: {wrong}"));
            Ok(())
        })?;
    }
    Ok(())
}
