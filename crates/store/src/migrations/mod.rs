//! The schema, as a list of steps for both databases.
//!
//! Each step is one transaction that also writes its version, under a lock, so a process that is
//! killed in between and two that start together do no harm. A database that is newer than the
//! program is refused: an old program would not know what its tables mean.
//!
//! After the last step PostgreSQL gets row-level security for every table that has none yet
//! (`row_security.postgres.sql`), so that a step that adds a table needn't think of it. Where
//! families are spread over machines, so is each new table (`distribution`).

use purser_core::error::{Error, Result};

use crate::distribution;
use crate::driver::{Dialect, DirectoryLock, Tx, micros, statements, vals};
use crate::store::Store;

/// A step of the schema.
pub(crate) struct Migration {
    pub(crate) version: i64,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

/// Every step, in order; versions count from 1.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, name: "foundation", text: include_str!("0001_foundation.sql") },
    Migration { version: 2, name: "plan", text: include_str!("0002_plan.sql") },
    Migration { version: 3, name: "ledger", text: include_str!("0003_ledger.sql") },
    Migration { version: 4, name: "records", text: include_str!("0004_records.sql") },
    Migration { version: 5, name: "images", text: include_str!("0005_images.sql") },
    Migration { version: 6, name: "lots", text: include_str!("0006_lots.sql") },
    Migration { version: 7, name: "guesses", text: include_str!("0007_guesses.sql") },
    Migration { version: 8, name: "deaths", text: include_str!("0008_deaths.sql") },
    Migration { version: 9, name: "syncs", text: include_str!("0009_syncs.sql") },
    Migration { version: 10, name: "notes", text: include_str!("0010_notes.sql") },
    Migration { version: 11, name: "deletion", text: include_str!("0011_deletion.sql") },
    Migration { version: 12, name: "exact_costs", text: include_str!("0012_exact_costs.sql") },
    Migration { version: 13, name: "row_security", text: include_str!("0013_row_security.sql") },
    Migration {
        version: 14,
        name: "position_checkpoints",
        text: include_str!("0014_position_checkpoints.sql"),
    },
    Migration { version: 15, name: "directories", text: include_str!("0015_directories.sql") },
    Migration {
        version: 16,
        name: "family_numbers",
        text: include_str!("0016_family_numbers.sql"),
    },
    Migration {
        version: 17,
        name: "family_exports",
        text: include_str!("0017_family_exports.sql"),
    },
    Migration { version: 18, name: "record_hash", text: include_str!("0018_record_hash.sql") },
    Migration { version: 19, name: "sync_origins", text: include_str!("0019_sync_origins.sql") },
    Migration { version: 20, name: "connections", text: include_str!("0020_connections.sql") },
    Migration { version: 21, name: "duplicates", text: include_str!("0021_duplicates.sql") },
    Migration { version: 22, name: "webhooks", text: include_str!("0022_webhooks.sql") },
    Migration {
        version: 23,
        name: "native_imports",
        text: include_str!("0023_native_imports.sql"),
    },
    Migration {
        version: 24,
        name: "hidden_merchants",
        text: include_str!("0024_hidden_merchants.sql"),
    },
    Migration {
        version: 25,
        name: "export_formats",
        text: include_str!("0025_export_formats.sql"),
    },
    Migration { version: 26, name: "sync_holdings", text: include_str!("0026_sync_holdings.sql") },
    Migration {
        version: 27,
        name: "import_sessions",
        text: include_str!("0027_import_sessions.sql"),
    },
    Migration {
        version: 28,
        name: "bank_statements",
        text: include_str!("0028_bank_statements.sql"),
    },
    Migration { version: 29, name: "places", text: include_str!("0029_places.sql") },
    Migration { version: 30, name: "sync_undos", text: include_str!("0030_sync_undos.sql") },
    Migration { version: 31, name: "due", text: include_str!("0031_due.sql") },
    Migration {
        version: 32,
        name: "statement_positions",
        text: include_str!("0032_statement_positions.sql"),
    },
    Migration { version: 33, name: "plan_flows", text: include_str!("0033_plan_flows.sql") },
    Migration { version: 34, name: "import_pages", text: include_str!("0034_import_pages.sql") },
    Migration { version: 35, name: "plain_views", text: include_str!("0035_plain_views.sql") },
    Migration { version: 36, name: "sync_truth", text: include_str!("0036_sync_truth.sql") },
    Migration { version: 37, name: "time_limits", text: include_str!("0037_time_limits.sql") },
    Migration {
        version: 38,
        name: "family_sequence",
        text: include_str!("0038_family_sequence.sql"),
    },
    Migration { version: 39, name: "day_order", text: include_str!("0039_day_order.sql") },
    Migration {
        version: 40,
        name: "other_currency",
        text: include_str!("0040_other_currency.sql"),
    },
    Migration {
        version: 41,
        name: "stated_currency",
        text: include_str!("0041_stated_currency.sql"),
    },
];

/// What the view of the ledger's entries lets through on SQLite. An entry that a person changed
/// survives its import's undo, so it is never hidden.
const VISIBLE: &str = "NOT EXISTS (SELECT 1 FROM hidden_entries AS hidden
    WHERE hidden.family_id = entries.family_id
        AND entries.id BETWEEN hidden.first_id AND hidden.last_id
        AND entries.changed_at IS NULL)";

const ROW_SECURITY: &str = include_str!("row_security.postgres.sql");

pub(crate) const VERSION_TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_version (
    version {int} NOT NULL PRIMARY KEY, name {text} NOT NULL, applied_at {int} NOT NULL
) {keyed}";

statements! {
    /// The newest version that was applied.
    VERSION = "SELECT CAST(COALESCE(MAX(version), 0) AS BIGINT) FROM schema_version";
    /// Changes nothing, but only where something could be changed.
    TOUCH = "UPDATE schema_version SET name = name WHERE version < 0";
    /// Notes a version as applied.
    NOTE_VERSION = "INSERT INTO schema_version (version, name, applied_at) VALUES ($1, $2, $3)";
}

/// Brings the schema up to date.
pub(crate) fn run(store: &Store) -> Result<()> {
    run_steps(store, MIGRATIONS)
}

pub(crate) fn run_steps(store: &Store, steps: &[Migration]) -> Result<()> {
    let known = steps.last().map_or(0, |step| step.version);
    // Mostly there is nothing to do, and a command beside a busy server needn't wait for its
    // writes. If this fails, there is no table yet, or the next steps report what is wrong.
    if store.read_directory_blocking(version).is_ok_and(|current| current == known) {
        return Ok(());
    }
    let current = store.write_directory_blocking(|tx| {
        tx.lock_directory(DirectoryLock::Schema)?;
        let table = for_dialect(VERSION_TABLE, tx.dialect());
        tx.script(&table)?;
        version(tx)
    })?;
    if current > known {
        return Err(newer(current, known));
    }
    for step in steps.iter().filter(|step| step.version > current) {
        store.write_directory_blocking(|tx| apply(tx, step, known))?;
    }
    Ok(())
}

/// Applies the steps up to a version, within the caller's transaction.
pub(crate) fn build(tx: &mut Tx<'_>, version: i64) -> Result<()> {
    let table = for_dialect(VERSION_TABLE, tx.dialect());
    tx.script(&table)?;
    for step in MIGRATIONS.iter().filter(|step| step.version <= version) {
        apply(tx, step, newest())?;
    }
    Ok(())
}

/// Refuses a version of the schema that this program doesn't know.
pub(crate) fn require_known(version: i64) -> Result<()> {
    if version > newest() { Err(newer(version, newest())) } else { Ok(()) }
}

fn newest() -> i64 {
    MIGRATIONS.last().map_or(0, |step| step.version)
}

/// Fails where nothing can be written.
pub(crate) fn touch(tx: &mut Tx<'_>) -> Result<()> {
    tx.execute(&TOUCH, &[]).map(drop)
}

/// Applies a step unless somebody else has done it while we waited for the lock.
fn apply(tx: &mut Tx<'_>, step: &Migration, known: i64) -> Result<()> {
    tx.lock_directory(DirectoryLock::Schema)?;
    match version(tx)? {
        current if current > known => Err(newer(current, known)),
        current if current >= step.version => Ok(()),
        _ => {
            if tx.dialect() == Dialect::Postgres {
                tx.script("SET LOCAL statement_timeout = 0")?;
            }
            let now = tx.now();
            let text = for_dialect(step.text, tx.dialect());
            let text = text.replace("{now}", &micros(now).to_string());
            if distribution::is_spread(tx)? {
                distribution::apply_step(tx, &text)?;
            } else {
                tx.script(&text)?;
            }
            if step.version == known && tx.dialect() == Dialect::Postgres {
                build_policies(tx)?;
            }
            tx.execute(&NOTE_VERSION, vals![step.version, step.name, now])?;
            Ok(())
        }
    }
}

/// Builds row-level security on PostgreSQL, for every table that has none.
pub(crate) fn build_policies(tx: &mut Tx<'_>) -> Result<()> {
    let once = if distribution::is_spread(tx)? { "" } else { "SELECT " };
    tx.script(&ROW_SECURITY.replace("{once}", once))
}

/// The version of the schema.
pub(crate) fn version(tx: &mut Tx<'_>) -> Result<i64> {
    tx.query_one(&VERSION, &[], |row| row.int(0))
}

fn newer(current: i64, known: i64) -> Error {
    Error::Conflict {
        code: "database_newer",
        message: format!(
            "The database has schema version {current}, but this program knows only up to {known}: \
             start a newer version of Purser."
        ),
    }
}

/// Replaces the tokens of what differs.
pub(crate) fn for_dialect(text: &str, dialect: Dialect) -> String {
    let tokens = [
        ("{uuid}", "BLOB", "UUID"),
        ("{bool}", "INTEGER", "BOOLEAN"),
        ("{bytes}", "BLOB", "BYTEA"),
        ("{int}", "INTEGER", "BIGINT"),
        ("{text}", "TEXT", "TEXT COLLATE \"C\""),
        ("{keyed}", "STRICT, WITHOUT ROWID", ""),
        ("{new_uuid}", "randomblob(16)", "gen_random_uuid()"),
        ("{true}", "1", "TRUE"),
        ("{false}", "0", "FALSE"),
        ("{scanned}", ", kind, changed_at", ""),
        ("{folded}", ", kind, changed_at, booked, is_split", ""),
        ("{visible}", VISIBLE, "TRUE"),
        ("{postgres}", "-- ", ""),
    ];
    tokens.iter().fold(text.to_owned(), |text, (token, sqlite, postgres)| {
        text.replace(token, if dialect == Dialect::Sqlite { sqlite } else { postgres })
    })
}
