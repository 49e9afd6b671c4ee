//! Families spread over machines by Citus: once by a command, and for every table that a later step
//! of the schema adds. `docs/scaling.md` explains it for those who run one.
//!
//! * `plan`: what is to be done, of what the schema has. Pure.
//! * `steps`: steps of the schema, statement by statement. Pure.

mod plan;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use purser_core::error::{Error, Result};

use crate::backup::{WITHOUT_LIMITS, require_alone};
use crate::driver::{Dialect, Row, Sql, Tx};
use crate::store::Store;
use crate::{installation, migrations};
use plan::{Catalogue, ForeignKey, Kind, Placement};

/// Tables that stay on one machine: they lead to a family, or belong to none.
pub(crate) const DIRECTORIES: [&str; 10] = [
    "due",
    "feeds",
    "installation",
    "jobs",
    "key_hashes",
    "schema_version",
    "sessions",
    "sign_in_guesses",
    "sign_in_names",
    "sign_in_sources",
];

/// The table that every machine has a copy of.
pub(crate) const REFERENCE: &str = "feed_rates";

/// Whether the server has Citus.
const HAS_CITUS: Sql = Sql::new(
    "SELECT EXISTS (SELECT 1 FROM pg_proc WHERE proname = 'create_distributed_table')",
    "",
);
/// Whether there is a catalogue of distributed tables.
const HAS_CATALOGUE: Sql = Sql::new("SELECT to_regclass('pg_dist_partition') IS NOT NULL", "");
/// The tables that Citus knows, how each is spread and by which column, and the number that tables
/// have in common of which the rows of a family are on one machine.
const SPREAD: Sql = Sql::new(
    "SELECT c.relname::text, p.partmethod::text, p.repmodel::text,
            CASE WHEN p.partmethod = 'h' THEN column_to_column_name(p.logicalrel, p.partkey) END,
            CAST(p.colocationid AS BIGINT)
        FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrel
        WHERE c.relnamespace = to_regnamespace(CAST(current_schema() AS TEXT))",
    "",
);
/// Tables of the program's role, and whether a column has the family.
const TABLES: Sql = Sql::new(
    "SELECT c.relname::text,
            EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
                AND a.attname = 'family_id')
        FROM pg_class c
        WHERE c.relnamespace = to_regnamespace(CAST(current_schema() AS TEXT))
            AND c.relkind IN ('r', 'p') AND pg_has_role(c.relowner, 'USAGE')
        ORDER BY c.relname",
    "",
);
/// Table, name and definition of every foreign key.
const FOREIGN_KEYS: Sql = Sql::new(
    "SELECT t.relname::text, f.conname::text, pg_get_constraintdef(f.oid)
        FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid
        WHERE f.contype = 'f'
            AND t.relnamespace = to_regnamespace(CAST(current_schema() AS TEXT))
        ORDER BY t.relname, f.conname",
    "",
);
/// Table and name of every policy.
const POLICIES: Sql = Sql::new(
    "SELECT c.relname::text, p.polname::text
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
        WHERE c.relnamespace = to_regnamespace(CAST(current_schema() AS TEXT))
        ORDER BY c.relname, p.polname",
    "",
);

/// What a distribution has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distributed {
    /// Tables that are spread by family.
    pub families: usize,
    /// Tables that stay on one machine.
    pub directories: usize,
}

/// Spreads the families of a database over the machines of its cluster, in one transaction. Refused
/// without Citus, while another process is connected, and if it was done before. Blocks.
pub fn distribute(store: &Store) -> Result<Distributed> {
    store.write_directory_blocking(|tx| {
        if tx.dialect() == Dialect::Sqlite {
            return Err(refused(
                "Families are spread by Citus, an extension of PostgreSQL, and this database is one \
                 of SQLite: set PURSER_DATABASE_URL.",
            ));
        }
        if !tx.query_one(&HAS_CITUS, &[], |row| row.bool(0))? {
            return Err(refused(
                "Families are spread by Citus, which the database hasn't got: make its extension \
                 there first (CREATE EXTENSION citus).",
            ));
        }
        tx.script(WITHOUT_LIMITS)?;
        require_alone(tx)?;
        if is_spread(tx)? {
            return Err(refused("The families of this database are spread over machines already."));
        }
        // Of an empty database too: what is noted below has its row.
        installation::require(tx)?;
        let catalogue = catalogue(tx)?;
        for statement in plan::spread(&catalogue) {
            tx.script(&statement)?;
        }
        migrations::build_policies(tx)?;
        installation::set_distributed(tx, true)?;
        Ok(Distributed {
            families: catalogue.of(Kind::Family).count(),
            directories: catalogue.tables.len() - catalogue.of(Kind::Family).count(),
        })
    })
}

/// Refuses a database of which the families were spread, if a table of theirs isn't.
pub(crate) fn require_whole(store: &Store) -> Result<()> {
    if store.is_sqlite() {
        return Ok(());
    }
    store.read_directory_blocking(|tx| {
        if !installation::is_distributed(tx)? {
            return Ok(());
        }
        let (spread, catalogue) = (spread(tx)?, catalogue(tx)?);
        match plan::misplaced(&catalogue, &spread) {
            None => Ok(()),
            Some((name, wanted)) => Err(refused(&format!(
                "The families of this database are spread over machines, but its table {name} isn't \
                 {wanted}: the database was restored or changed by other means."
            ))),
        }
    })
}

/// Whether the families of the database are spread, by the catalogue of Citus.
pub(crate) fn is_spread(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(spread(tx)?.contains_key("families"))
}

/// Applies a step of the schema where families are spread: statement by statement, and each new
/// table is spread before it gets its foreign keys.
pub(crate) fn apply_step(tx: &mut Tx<'_>, text: &str) -> Result<()> {
    tx.script(plan::SEQUENTIAL)?;
    for statement in steps::statements(text) {
        for one in steps::spread(&statement, plan::kind_of) {
            tx.script(&one)?;
        }
    }
    Ok(())
}

/// The tables that Citus knows.
fn spread(tx: &mut Tx<'_>) -> Result<BTreeMap<String, Placement>> {
    let is_there = tx.dialect() == Dialect::Postgres
        && tx.query_one(&HAS_CATALOGUE, &[], |row| row.bool(0))?;
    if !is_there {
        return Ok(BTreeMap::new());
    }
    let found = tx.query(&SPREAD, &[], |row| {
        let kind = match (row.text(1)?, row.text(2)?) {
            ("n", "t") => Some(Kind::Reference),
            ("n", _) => Some(Kind::Directory),
            ("h", _) => Some(Kind::Family),
            _ => None,
        };
        let place = Placement { kind, column: row.opt_string(3)?, beside: row.int(4)? };
        Ok((row.string(0)?, place))
    })?;
    Ok(found.into_iter().collect())
}

fn catalogue(tx: &mut Tx<'_>) -> Result<Catalogue> {
    let found = tx.query(&TABLES, &[], |row| Ok((row.string(0)?, row.bool(1)?)))?;
    let ours = |name: &str| {
        name == "schema_version" || crate::check::columns::tables().any(|table| table.name == name)
    };
    let mut tables = BTreeMap::new();
    for (name, has_family) in found.into_iter().filter(|(name, _)| ours(name)) {
        let kind = plan::kind_of(&name);
        if kind == Kind::Family && !has_family && name != "families" {
            let problem = format!("the table {name} has no family and isn't known to need none");
            return Err(Error::internal(problem));
        }
        tables.insert(name, kind);
    }
    let pair = |row: &Row<'_>| Ok((row.string(0)?, row.string(1)?));
    let policies = tx.query(&POLICIES, &[], pair)?;
    let keys = tx.query(&FOREIGN_KEYS, &[], |row| {
        Ok(ForeignKey { table: row.string(0)?, name: row.string(1)?, definition: row.string(2)? })
    })?;
    let is_ours = |table: &str| tables.contains_key(table);
    let keys = keys.into_iter().filter(|key| is_ours(&key.table)).collect();
    let policies = policies.into_iter().filter(|(table, _)| is_ours(table)).collect();
    Ok(Catalogue { keys, policies, tables })
}

fn refused(message: &str) -> Error {
    Error::Conflict { code: "distribution_refused", message: message.to_owned() }
}
