//! PostgreSQL: statements over one connection, each prepared once.

mod error;
mod param;
mod settings;

use std::collections::HashMap;

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;
use postgres::{Client, Statement};
use purser_core::error::{Error, Result};

use error::failed;
pub(crate) use settings::{Settings, check_server};

use super::tx::{DirectoryLock, Visit};
use super::{AsSql, Row, Sql, Val};

/// Statements that stay prepared; more than this and they are all forgotten.
const STATEMENT_CACHE_CAPACITY: usize = 512;

/// A connection and what it has prepared.
pub(crate) struct PgConnection {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl PgConnection {
    fn new(client: Client) -> Self {
        Self { client, statements: HashMap::new() }
    }

    fn statement(&mut self, sql: &str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        if self.statements.len() >= STATEMENT_CACHE_CAPACITY {
            self.statements.clear();
        }
        let statement = self.client.prepare(sql).map_err(|error| failed(sql, &error))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Executes a statement with parameters of any type.
    pub(super) fn execute(&mut self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<u64> {
        let statement = self.statement(sql)?;
        self.client.execute(&statement, params).map_err(|error| failed(sql, &error))
    }

    /// Executes text of several statements, or one that begins or ends a transaction.
    pub(crate) fn script(&mut self, text: &str) -> Result<()> {
        self.client.batch_execute(text).map_err(|error| failed(text, &error))
    }

    /// Whether the other side is known to be gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }
}

pub(super) fn execute(
    connection: &mut PgConnection,
    sql: &dyn AsSql,
    params: &[Val<'_>],
) -> Result<u64> {
    let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|value| value as _).collect();
    connection.execute(sql.postgres_text(), &params)
}

pub(super) fn for_each(
    connection: &mut PgConnection,
    sql: &dyn AsSql,
    params: &[Val<'_>],
    visit: &mut Visit<'_>,
) -> Result<()> {
    let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|value| value as _).collect();
    visit_rows(connection, sql.postgres_text(), params, visit)
}

/// Executes one statement for all keys, which are its last parameter: key by key, as an index has
/// them. Left to itself PostgreSQL may read all rows of the family for a few keys, as long as it
/// has no statistics of them; and that is when a large import has just been published.
pub(super) fn lookup(
    connection: &mut PgConnection,
    sql: &Sql,
    params: &[Val<'_>],
    keys: &[Val<'_>],
    visit: &mut Visit<'_>,
) -> Result<()> {
    let mut params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|value| value as _).collect();
    params.push(&keys);
    visit_rows(connection, &key_by_key(sql, params.len(), keys)?, params, visit)
}

/// `… = ANY($n)` as a join with the keys, each of which is looked up by itself.
fn key_by_key(sql: &Sql, number: usize, keys: &[Val<'_>]) -> Result<String> {
    let keys = match keys.first() {
        Some(Val::Uuid(_)) => format!("SELECT unnest(${number}::uuid[]) AS key"),
        Some(Val::Int(_)) => format!("SELECT unnest(${number}::bigint[]) AS key"),
        // As the columns of texts are ordered.
        Some(Val::Text(_)) => format!("SELECT unnest(${number}::text[]) COLLATE \"C\" AS key"),
        other => return Err(Error::internal(format!("{other:?} can't be looked up"))),
    };
    let any = format!("= ANY(${number})");
    if !sql.text().contains(&any) {
        return Err(Error::internal(format!("no {any} in: {}", sql.text())));
    }
    let by_key = sql.text().replace(&any, "= k.key");
    // The offset keeps the planner from turning it back into one join.
    Ok(format!("SELECT r.* FROM ({keys}) k CROSS JOIN LATERAL ({by_key} OFFSET 0) r"))
}

fn visit_rows(
    connection: &mut PgConnection,
    text: &str,
    params: Vec<&(dyn ToSql + Sync)>,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let failed = |error| failed(text, &error);
    let statement = connection.statement(text)?;
    let mut rows = connection.client.query_raw(&statement, params).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        visit(&Row::postgres(&row))?;
    }
    Ok(())
}

pub(super) fn lock_directory(connection: &mut PgConnection, lock: DirectoryLock) -> Result<()> {
    // Any numbers will do that no other program on this database uses.
    let number: i64 = match lock {
        DirectoryLock::Families => 0x7075_7273_6572_0001,
        DirectoryLock::Schema => 0x7075_7273_6572_0002,
    };
    connection.execute("SELECT pg_advisory_xact_lock($1)", &[&number]).map(|_| ())
}
