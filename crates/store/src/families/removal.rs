//! Removing a family for good, after a pause in which nobody can sign in and in which it can be
//! taken back.
//!
//! A job removes it slice by slice, table by table, each slice in a commit of its own: a family may
//! have millions of entries, and others write meanwhile. The last commit removes the family's row.

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};

use super::{Family, get};
use crate::access::FamilyTx;
use crate::driver::{DirectoryLock, Sql, statements, vals};
use crate::due::{self, Kind};
use crate::jobs::{self, ClaimedJob};

/// The statement that removes some rows of a family from a table with this key.
macro_rules! slice {
    ($table:literal, $key:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE family_id = $1 AND (",
            $key,
            ") IN (SELECT ",
            $key,
            " FROM ",
            $table,
            " WHERE family_id = $1 LIMIT $2)"
        )
    };
}

pub(crate) mod slices {
    use super::statements;

    statements! {
        IDEMPOTENCY_KEYS = slice!("idempotency_keys", "route, idempotency_key");
        AUDIT_IMAGES = slice!("audit_images", "event_id, block");
        AUDIT_EVENTS = slice!("audit_events", "id");
        TRANSFERS = slice!("transfers", "id");
        REJECTED_TRANSFERS = slice!("rejected_transfers", "id");
        ENTRY_TAGS = slice!("entry_tags", "entry_id, tag_id");
        ENTRY_CONVERSIONS = slice!("entry_conversions", "entry_id");
        ENTRY_ORIGINS = slice!("entry_origins", "entry_id");
        ENTRY_RECORDS = slice!("entry_records", "import_id, first_id");
        TRADES = slice!("trades", "security_id, entry_id");
        SYNC_SUGGESTIONS = slice!("sync_suggestions", "entry_id, other_id");
        SYNC_IMAGES = slice!("sync_images", "sync_id, account_id, number");
        SYNC_PLANS = slice!("sync_plans", "sync_id, account_id");
        SYNC_ROWS = slice!("sync_rows", "entry_id, source");
        BANK_STATEMENT_MATCHES = slice!("bank_statement_matches", "entry_id, statement_id");
        BANK_STATEMENT_POSITIONS = slice!("bank_statement_positions", "statement_id, number");
        BANK_STATEMENTS = slice!("bank_statements", "id");
        IMPORT_STATEMENTS = slice!("import_statements", "import_id");
        IMPORT_PAGES = slice!("import_pages", "import_id");
        SYNC_HOLDINGS = slice!("sync_holdings", "account_id, source, clues");
        IMPORT_FILLS = slice!("import_fills", "import_id, entry_id");
        IMPORT_CREATED = slice!("import_created", "import_id, kind, target_id");
        IMPORT_CHANGES = slice!("import_changes", "import_id, kind, target_id");
        IMPORT_ROW_EDITS = slice!("import_row_edits", "import_id, row_number");
        IMPORT_MAPPINGS = slice!("import_mappings", "import_id, kind, value_key");
        IMPORT_PLAN_BLOCKS = slice!("import_plan_blocks", "import_id, block");
        IMPORT_OFFSETS = slice!("import_offsets", "import_id");
        IMPORT_SESSION_CHUNKS = slice!("import_session_chunks", "session_id, sequence");
        IMPORT_SESSIONS = slice!("import_sessions", "id");
        IMPORTS = slice!("imports", "id");
        IMPORT_TEMPLATES = slice!("import_templates", "id");
        FAMILY_EXPORTS = slice!("family_exports", "id");
        FILES = slice!("files", "id");
        HIDDEN_ENTRIES = slice!("hidden_entries", "family_id");
        ENTRIES = slice!("entries", "id");
        BUDGET_CATEGORIES = slice!("budget_categories", "id");
        BUDGETS = slice!("budgets", "id");
        RECURRING_TRANSACTIONS = slice!("recurring_transactions", "id");
        RULE_RUNS = slice!("rule_runs", "id");
        RULES = slice!("rules", "id");
        BALANCES = slice!("balances", "account_id, date");
        POSITION_SEGMENTS = slice!("position_segments", "account_id, security_id, date");
        POSITION_CHECKPOINTS = slice!("position_checkpoints", "security_id, date");
        POSITION_STATEMENTS = slice!("position_statements", "account_id, security_id, date");
        HOLDINGS = slice!("holdings", "id");
        SECURITY_PRICES = slice!("security_prices", "security_id, date, currency");
        SECURITIES = slice!("securities", "id");
        WEBHOOK_DELIVERIES = slice!("webhook_deliveries", "id");
        WEBHOOKS = slice!("webhooks", "id");
        CONNECTION_ACCOUNTS = slice!("connection_accounts", "id");
        SYNC_OUTCOMES = slice!("sync_outcomes", "sync_id, found_account_id, step");
        SYNCS = slice!("syncs", "id");
        CONNECTIONS = slice!("connections", "id");
        FAMILY_RATES = slice!("family_rates", "id");
        SESSIONS = slice!("sessions", "hash");
        KEY_HASHES = slice!("key_hashes", "hash");
        API_KEY_ACCOUNTS = slice!("api_key_accounts", "key_id, account_id");
        API_KEYS = slice!("api_keys", "id");
        ACCOUNTS = slice!("accounts", "id");
        TAGS = slice!("tags", "id");
        MERCHANTS = slice!("merchants", "id");
        CATEGORIES = slice!("categories", "id");
        SIGN_IN_NAMES = slice!("sign_in_names", "email");
        USERS = slice!("users", "id");
    }
}

statements! {
    /// Notes when the family is removed, or that it isn't.
    SCHEDULE = "UPDATE families SET deletion_at = $1 WHERE id = $2";
    /// Categories of the second level stand on their own before they go.
    CATEGORIES_PART = "UPDATE categories SET parent_id = NULL
        WHERE family_id = $1 AND parent_id IS NOT NULL";
    /// Whatever else was queued has nothing left to work on.
    OTHER_JOBS = "DELETE FROM jobs WHERE family_id = $1 AND id <> $2";
    /// Removes the family's own row.
    FAMILY_REMOVE = "DELETE FROM families WHERE id = $1";
}

/// Rows of one commit.
const SLICE_ROWS: i64 = 2_000;

/// The statements of this module and of the slices, for the test that prepares them.
pub(super) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 2] {
    [("families::removal", STATEMENTS), ("families::removal::slices", slices::STATEMENTS)]
}

/// How far the removal of a family has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removed {
    /// A slice is gone; there may be more.
    Some,
    /// No table but those of the job and of the family itself has a row of it.
    AllButItself,
}

/// Has a family removed after a pause; from now on nobody of it can sign in.
///
/// # Errors
/// `deletion_begun` if an earlier pause is over.
pub fn schedule(tx: &mut FamilyTx<'_>, pause: SignedDuration) -> Result<Timestamp> {
    let at = tx.now().checked_add(pause).map_err(Error::internal)?;
    set(tx, Some(at))?;
    Ok(at)
}

/// Takes the removal back; everybody can sign in again.
///
/// # Errors
/// `deletion_begun` if the pause is over.
pub fn take_back(tx: &mut FamilyTx<'_>) -> Result<()> {
    set(tx, None)
}

fn set(tx: &mut FamilyTx<'_>, at: Option<Timestamp>) -> Result<()> {
    if is_due(tx)? {
        return Err(Error::Conflict {
            code: "deletion_begun",
            message: "The pause is over: the family is being removed".to_owned(),
        });
    }
    let family = tx.family();
    tx.forget_locked_family();
    tx.execute(&SCHEDULE, vals![at, family])?;
    due::set(tx, Kind::Family, at)
}

/// Whether the family's pause is over.
pub fn is_due(tx: &mut FamilyTx<'_>) -> Result<bool> {
    let (Family { deletion_at, .. }, now) = (get(tx)?, tx.now());
    Ok(deletion_at.is_some_and(|at| at <= now))
}

/// Notes when to look at the family again, while it is there.
pub fn note_next(tx: &mut FamilyTx<'_>) -> Result<()> {
    let at = get(tx)?.deletion_at;
    due::set_later(tx, Kind::Family, at)
}

/// Removes the next slice of a family that is due.
pub fn remove_slice(tx: &mut FamilyTx<'_>, job: &ClaimedJob) -> Result<Removed> {
    let family = tx.family();
    tx.execute(&OTHER_JOBS, vals![family, job.id])?;
    jobs::hold(tx, job)?;
    for (_, slice) in slices::STATEMENTS {
        if tx.execute(slice, vals![family, SLICE_ROWS])? > 0 {
            jobs::end_part(tx, job)?;
            return Ok(Removed::Some);
        }
        if slice.text() == slices::MERCHANTS.text() {
            tx.execute(&CATEGORIES_PART, vals![family])?;
        }
    }
    Ok(Removed::AllButItself)
}

/// Removes what is left, and the family itself. It is the last commit of the job.
pub fn remove_itself(tx: &mut FamilyTx<'_>, job: &ClaimedJob) -> Result<()> {
    let family = tx.family();
    // Whoever queues jobs for all families waits, or has queued them before.
    tx.lock_directory(DirectoryLock::Families)?;
    // A request that had begun before may have added something.
    while remove_slice(tx, job)? == Removed::Some {}
    jobs::complete(tx, job)?;
    due::forget(tx, family)?;
    tx.forget_locked_family();
    tx.execute(&FAMILY_REMOVE, vals![family]).map(drop)
}

#[cfg(test)]
mod tests;
