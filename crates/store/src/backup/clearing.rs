//! What is in a PostgreSQL database before a backup is restored into it.

use std::time::Duration;

use purser_core::error::{Error, Result};

use super::catalogue::{self, CatalogueQuery, SCHEMA_VERSION};
use crate::check::columns::tables;
use crate::driver::Tx;
use crate::migrations;

/// Other connections of this program to the same database.
const OTHERS: CatalogueQuery = CatalogueQuery::postgres(
    "SELECT CAST(COUNT(*) AS BIGINT) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'purser'
            AND pid <> pg_backend_pid()",
);
/// Lets the next question about connections be answered anew.
const FORGET_OTHERS: CatalogueQuery =
    CatalogueQuery::postgres("SELECT CAST(pg_stat_clear_snapshot() AS TEXT)");
/// Whether there is a family, in any version of the schema.
const ANY_FAMILY: CatalogueQuery = CatalogueQuery::postgres("SELECT 1 FROM families LIMIT 1");
/// The views of the schema, in any version of it.
const VIEWS: CatalogueQuery = CatalogueQuery::postgres(
    "SELECT CAST(relname AS TEXT) FROM pg_class
        WHERE relnamespace = to_regnamespace(CAST(current_schema() AS TEXT)) AND relkind = 'v'
            AND relname ~ '^ledger_[a-z_]+$'",
);

/// How often other connections are looked for, and how long that waits in between.
const TRIES: u32 = 20;
const WAIT: Duration = Duration::from_millis(100);

/// Refuses if a server, or a command, is connected to the database: it would go on with what it
/// knows of the old one.
pub(super) fn require_alone(tx: &mut Tx<'_>) -> Result<()> {
    for _ in 0..TRIES {
        if tx.query_one(&OTHERS, &[], |row| row.int(0))? == 0 {
            return Ok(());
        }
        // A connection of a process that has just ended is there for a moment.
        std::thread::sleep(WAIT);
        tx.query_one(&FORGET_OTHERS, &[], |_| Ok(()))?;
    }
    Err(Error::Conflict {
        code: "database_in_use",
        message: "Another process of Purser is connected to the database: stop every server and \
                  command first."
            .to_owned(),
    })
}

/// Removes the tables, the views and the sequence of this program. Others stay.
pub(super) fn clear(tx: &mut Tx<'_>, replace: bool) -> Result<()> {
    let stored = catalogue::columns(tx)?;
    let mut ours: Vec<&str> =
        tables().map(|table| table.name).filter(|name| stored.contains_key(*name)).collect();
    if catalogue::has_schema(tx)? {
        migrations::require_known(migrations::version(tx)?)?;
        ours.push(SCHEMA_VERSION);
    }
    let is_used =
        ours.contains(&"families") && tx.query_opt(&ANY_FAMILY, &[], |_| Ok(()))?.is_some();
    if is_used && !replace {
        return Err(Error::Conflict {
            code: "database_not_empty",
            message: "The PostgreSQL database has families: restore into an empty one, or give \
                      --replace to remove everything that is in it."
                .to_owned(),
        });
    }
    for view in tx.query(&VIEWS, &[], |row| row.string(0))? {
        tx.script(&format!("DROP VIEW {view}"))?;
    }
    tx.script("DROP SEQUENCE IF EXISTS family_numbers")?;
    if ours.is_empty() { Ok(()) } else { tx.script(&format!("DROP TABLE {}", ours.join(", "))) }
}
