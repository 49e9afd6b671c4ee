//! PostgreSQL: statements over one connection.

mod connection;
mod error;
mod handshake;
mod param;
mod role;
#[cfg(test)]
mod scope_tests;
mod settings;
mod tls;
mod workers;

use purser_core::error::{Error, Result};
use tokio_postgres::types::ToSql;

pub(crate) use connection::PgConnection;
pub(crate) use settings::{Accepted, Settings, check_server};
pub(crate) use workers::Workers;

use super::tx::Visit;
use super::{AsSql, DirectoryLock, Sql, Val};

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
    connection.for_each(sql.postgres_text(), params, visit)
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
    connection.for_each(&key_by_key(sql, params.len(), keys)?, params, visit)
}

/// `… = ANY($n)` as a join with the keys, each of which is looked up by itself.
///
/// The keys come out of a query of their own, so that the planner can't count them. It would take
/// its plan for many keys for a worse one than that for a few, and make the plan anew each time,
/// which takes ten times as long as to execute it.
pub(crate) fn key_by_key(sql: &Sql, number: usize, keys: &[Val<'_>]) -> Result<String> {
    let keys = match keys.first() {
        Some(Val::Uuid(_)) => format!("SELECT unnest((SELECT ${number}::uuid[])) AS key"),
        Some(Val::Int(_)) => format!("SELECT unnest((SELECT ${number}::bigint[])) AS key"),
        // As the columns of texts are ordered.
        Some(Val::Text(_)) => {
            format!("SELECT unnest((SELECT ${number}::text[])) COLLATE \"C\" AS key")
        }
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

pub(super) fn lock_directory(connection: &mut PgConnection, lock: DirectoryLock) -> Result<()> {
    // Any numbers will do that no other program on this database uses.
    let number: i64 = match lock {
        DirectoryLock::Families => 0x7075_7273_6572_0001,
        DirectoryLock::Schema => 0x7075_7273_6572_0002,
    };
    connection.execute("SELECT pg_advisory_xact_lock($1)", &[&number]).map(|_| ())
}
