//! The server's database, opened beside it: for looks at what no route shows, and for faults that
//! no request can make.

use std::time::Duration;

use postgres::{NoTls, SimpleQueryMessage};
use rusqlite::types::ValueRef;

use crate::support::{Backend, Server};

/// Runs statements.
#[track_caller]
pub(crate) fn run(server: &Server, statements: &str) {
    let done = match server.backend() {
        Backend::Sqlite => sqlite(server).execute_batch(statements).map_err(|e| e.to_string()),
        Backend::Postgres => {
            postgres(server).batch_execute(statements).map_err(|e| format!("{e:?}"))
        }
    };
    done.unwrap_or_else(|error| panic!("{error} in {statements}"));
}

/// The cells of all rows as text; an empty text for null. Ids are in hexadecimal on SQLite and
/// ordinary UUIDs on PostgreSQL.
#[track_caller]
pub(crate) fn query(server: &Server, query: &str) -> Vec<Vec<String>> {
    match server.backend() {
        Backend::Sqlite => {
            let connection = sqlite(server);
            let mut statement = connection.prepare(query).expect("a statement");
            let columns = statement.column_count();
            let mut rows = statement.query([]).expect("rows");
            let mut found = Vec::new();
            while let Some(row) = rows.next().expect("a row") {
                let cells = (0..columns).map(|column| cell(row.get_ref(column).expect("a cell")));
                found.push(cells.collect());
            }
            found
        }
        Backend::Postgres => {
            let messages = postgres(server).simple_query(query).expect("rows");
            let rows = messages.iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => Some(row),
                _ => None,
            });
            let cells = |row: &postgres::SimpleQueryRow| {
                (0..row.len())
                    .map(|column| row.get(column).unwrap_or_default().to_owned())
                    .collect()
            };
            rows.map(cells).collect()
        }
    }
}

/// The only cell.
#[track_caller]
pub(crate) fn value(server: &Server, statement: &str) -> String {
    let rows = query(server, statement);
    match rows.as_slice() {
        [row] if row.len() == 1 => row[0].clone(),
        _ => panic!("not one cell: {rows:?} from {statement}"),
    }
}

/// Makes every insert into a table fail, until [`allow`].
#[track_caller]
pub(crate) fn refuse(server: &Server, table: &str) {
    run(
        server,
        &match server.backend() {
            Backend::Sqlite => format!(
                "CREATE TRIGGER refuse_{table} BEFORE INSERT ON {table}
             BEGIN SELECT RAISE(ABORT, 'planted fault'); END"
            ),
            Backend::Postgres => format!(
                "CREATE FUNCTION refuse_{table}() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RAISE EXCEPTION 'planted fault'; END $$;
             CREATE TRIGGER refuse_{table} BEFORE INSERT ON {table}
                FOR EACH ROW EXECUTE FUNCTION refuse_{table}()"
            ),
        },
    );
}

/// Ends [`refuse`].
#[track_caller]
pub(crate) fn allow(server: &Server, table: &str) {
    run(
        server,
        &match server.backend() {
            Backend::Sqlite => format!("DROP TRIGGER refuse_{table}"),
            Backend::Postgres => format!("DROP FUNCTION refuse_{table} CASCADE"),
        },
    );
}

fn sqlite(server: &Server) -> rusqlite::Connection {
    let path = server.data_folder().join("purser.db");
    let connection = rusqlite::Connection::open(path).expect("the database file");
    connection.busy_timeout(Duration::from_secs(10)).expect("a bound");
    connection
}

fn postgres(server: &Server) -> postgres::Client {
    postgres::Client::connect(server.database_url().expect("its address"), NoTls)
        .expect("the database")
}

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
