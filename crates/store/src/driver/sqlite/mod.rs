//! SQLite: statements and bulk inserts over one connection.

mod error;
mod self_check;
mod settings;

use purser_core::error::Result;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql};

pub(crate) use error::failed;
pub(super) use self_check::integrity;
pub(crate) use settings::{Role, create, open, open_copy};

use super::bulk::Bulk;
use super::tx::Visit;
use super::{AsSql, Row, Sql, Val};

impl ToSql for Val<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Val::Null => ValueRef::Null,
            Val::Int(number) => ValueRef::Integer(*number),
            Val::Text(text) => ValueRef::Text(text.as_bytes()),
            Val::Uuid(id) => ValueRef::Blob(id.as_bytes()),
            Val::Bytes(bytes) => ValueRef::Blob(bytes),
            Val::Bool(value) => ValueRef::Integer(i64::from(*value)),
        }))
    }
}

/// Prepares, or takes a statement that was prepared before, and binds.
fn bound<'c>(
    connection: &'c Connection,
    text: &str,
    params: &[Val<'_>],
) -> rusqlite::Result<CachedStatement<'c>> {
    let mut statement = connection.prepare_cached(text)?;
    bind(&mut statement, params)?;
    Ok(statement)
}

fn bind(statement: &mut CachedStatement<'_>, params: &[Val<'_>]) -> rusqlite::Result<()> {
    if statement.parameter_count() != params.len() {
        let expected = statement.parameter_count();
        return Err(rusqlite::Error::InvalidParameterCount(params.len(), expected));
    }
    for (position, value) in params.iter().enumerate() {
        statement.raw_bind_parameter(position + 1, value)?;
    }
    Ok(())
}

pub(super) fn execute(connection: &Connection, sql: &dyn AsSql, params: &[Val<'_>]) -> Result<u64> {
    let text = sql.sqlite_text();
    bound(connection, &text, params)
        .and_then(|mut statement| statement.raw_execute())
        .map(|changed| changed as u64)
        .map_err(|error| failed(connection, &text, &error))
}

pub(super) fn for_each(
    connection: &Connection,
    sql: &dyn AsSql,
    params: &[Val<'_>],
    visit: &mut Visit<'_>,
) -> Result<()> {
    let text = sql.sqlite_text();
    let failed = |error| failed(connection, &text, &error);
    let mut statement = bound(connection, &text, params).map_err(failed)?;
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(failed)? {
        visit(&Row::sqlite(row))?;
    }
    Ok(())
}

/// Executes one statement for key after key, which is its last parameter.
pub(super) fn lookup(
    connection: &Connection,
    sql: &Sql,
    params: &[Val<'_>],
    keys: &[Val<'_>],
    visit: &mut Visit<'_>,
) -> Result<()> {
    let text = sql.sqlite_text();
    let failed = |error| failed(connection, text, &error);
    let all = [params, &[Val::Null]].concat();
    let mut statement = bound(connection, text, &all).map_err(failed)?;
    for key in keys {
        statement.raw_bind_parameter(all.len(), key).map_err(failed)?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(failed)? {
            visit(&Row::sqlite(row))?;
        }
    }
    Ok(())
}

/// Executes text of several statements, or one that begins or ends a transaction.
pub(crate) fn script(connection: &Connection, text: &str) -> Result<()> {
    connection.execute_batch(text).map_err(|error| failed(connection, text, &error))
}

/// The statements of inserters, kept at hand for the length of a transaction: finding one again
/// in the connection's cache costs about as much as a tenth of an insert.
#[derive(Default)]
pub(super) struct BulkStatements<'c>(Vec<(&'static Bulk, CachedStatement<'c>)>);

impl<'c> BulkStatements<'c> {
    pub(super) fn insert(
        &mut self,
        connection: &'c Connection,
        bulk: &'static Bulk,
        row: &[Val<'_>],
    ) -> Result<()> {
        self.statement(connection, bulk)
            .and_then(|statement| {
                // The inserter compared the number of values with the number of columns.
                for (position, value) in row.iter().enumerate() {
                    statement.raw_bind_parameter(position + 1, value)?;
                }
                statement.raw_execute()
            })
            .map(|_| ())
            .map_err(|error| failed(connection, &bulk.sqlite_text(), &error))
    }

    fn statement(
        &mut self,
        connection: &'c Connection,
        bulk: &'static Bulk,
    ) -> rusqlite::Result<&mut CachedStatement<'c>> {
        let known = self.0.iter().position(|(of, _)| std::ptr::eq(*of, bulk));
        let position = match known {
            Some(position) => position,
            None => {
                self.0.push((bulk, connection.prepare_cached(&bulk.sqlite_text())?));
                self.0.len() - 1
            }
        };
        Ok(&mut self.0[position].1)
    }
}
