//! What SQLite's errors mean.

use purser_core::error::Error;
use rusqlite::Connection;
use rusqlite::ffi;

use crate::driver::error::{DatabaseError, Kind};

/// A failed statement as an error of the domain.
pub(crate) fn failed(connection: &Connection, sql: &str, error: &rusqlite::Error) -> Error {
    let code = error.sqlite_error().map(|error| error.extended_code);
    let kind = code.map_or(Kind::Other, kind);
    let message = match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    };
    let constraints = match kind {
        Kind::Unique => violated(connection, &message).unwrap_or_default(),
        _ => Vec::new(),
    };
    DatabaseError { kind, message, sql: sql.to_owned(), constraints }.into_error()
}

fn kind(extended_code: i32) -> Kind {
    match extended_code {
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => Kind::Unique,
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Kind::ForeignKey,
        code => match code & 0xff {
            ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED | ffi::SQLITE_PROTOCOL => Kind::Busy,
            // Only the limit of a read does that.
            ffi::SQLITE_INTERRUPT => Kind::Busy,
            ffi::SQLITE_FULL | ffi::SQLITE_NOMEM => Kind::Full,
            ffi::SQLITE_IOERR => Kind::Disk,
            ffi::SQLITE_CANTOPEN => Kind::Lost,
            ffi::SQLITE_READONLY => Kind::ReadOnly,
            ffi::SQLITE_CORRUPT | ffi::SQLITE_NOTADB => Kind::Damaged,
            _ => Kind::Other,
        },
    }
}

/// The names of the unique indexes over the columns that the message names. SQLite names columns
/// (`UNIQUE constraint failed: t.a, t.b`) where PostgreSQL names the constraint; keys and inline
/// `UNIQUE` get the names that PostgreSQL gives them.
fn violated(connection: &Connection, message: &str) -> rusqlite::Result<Vec<String>> {
    let Some((_, columns)) = message.split_once("failed: ") else { return Ok(Vec::new()) };
    let Some((table, _)) = columns.split_once('.') else { return Ok(Vec::new()) };
    let columns: Vec<&str> =
        columns.split(", ").filter_map(|column| Some(column.split_once('.')?.1)).collect();
    let mut indexes = connection.prepare(
        "SELECT name, origin, (SELECT group_concat(i.name, ',' ORDER BY i.seqno)
                               FROM pragma_index_info(l.name) i)
         FROM pragma_index_list(?1) l WHERE \"unique\"",
    )?;
    let wanted = columns.join(",");
    let mut rows = indexes.query([table])?;
    let mut names = Vec::new();
    while let Some(row) = rows.next()? {
        if row.get::<_, Option<String>>(2)?.as_deref() == Some(&wanted) {
            names.push(match row.get::<_, String>(1)?.as_str() {
                "pk" => format!("{table}_pkey"),
                "u" => format!("{table}_{}_key", columns.join("_")),
                _ => row.get(0)?,
            });
        }
    }
    Ok(names)
}
