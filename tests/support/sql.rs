//! The server's database, opened beside it: for looks at what no route shows, for what no route
//! makes, and for faults that no request can make.

use std::cell::RefCell;
use std::time::Duration;

use postgres::{NoTls, SimpleQueryMessage};
use rusqlite::types::ValueRef;

use super::{Backend, Server};

/// How long a statement waits for the server's.
const PATIENCE: Duration = Duration::from_secs(10);

/// A database that is open for SQL of a test.
pub(crate) enum Sql {
    /// The file of the SQLite database.
    Sqlite(rusqlite::Connection),
    /// The test's own database.
    Postgres(Box<RefCell<postgres::Client>>),
}

impl Sql {
    /// Opens what the server stores in.
    pub(crate) fn open(server: &Server) -> Self {
        match server.backend() {
            Backend::Sqlite => {
                let path = server.data_folder().join("purser.db");
                let connection = rusqlite::Connection::open(path).expect("the database file");
                // The server writes too.
                connection.busy_timeout(PATIENCE).expect("a bound");
                connection.pragma_update(None, "foreign_keys", true).expect("foreign keys");
                Self::Sqlite(connection)
            }
            Backend::Postgres => {
                let url = server.database_url().expect("its address");
                let mut client = postgres::Client::connect(url, NoTls).expect("the database");
                client.batch_execute("SET purser.family = 'all'").expect("every family's rows");
                Self::Postgres(Box::new(RefCell::new(client)))
            }
        }
    }

    /// Runs statements that both databases understand.
    #[track_caller]
    pub(crate) fn run(&self, statements: &str) {
        let done = match self {
            Self::Sqlite(connection) => {
                connection.execute_batch(statements).map_err(|error| error.to_string())
            }
            Self::Postgres(client) => {
                client.borrow_mut().batch_execute(statements).map_err(|error| format!("{error:?}"))
            }
        };
        done.unwrap_or_else(|error| panic!("{error} in {statements}"));
    }

    /// Runs statements without waiting for anybody; whether it could.
    pub(crate) fn try_run(&self, statements: &str) -> bool {
        let Self::Sqlite(connection) = self else { panic!("only SQLite has the one lock") };
        connection.busy_timeout(Duration::ZERO).expect("no bound");
        let done = connection.execute_batch(statements).is_ok();
        connection.busy_timeout(PATIENCE).expect("a bound");
        done
    }

    /// An id as this database writes it in a statement.
    pub(crate) fn uuid(&self, text: &str) -> String {
        match self {
            Self::Sqlite(_) => format!("x'{}'", text.replace('-', "")),
            Self::Postgres(_) => format!("'{text}'::uuid"),
        }
    }

    /// Bytes as this database writes them in a statement.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> String {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        match self {
            Self::Sqlite(_) => format!("x'{digits}'"),
            Self::Postgres(_) => format!("'\\x{digits}'::bytea"),
        }
    }

    /// The cells of all rows as text; an empty text for null. Ids are in hexadecimal on SQLite and
    /// ordinary UUIDs on PostgreSQL.
    #[track_caller]
    pub(crate) fn query(&self, query: &str) -> Vec<Vec<String>> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare(query).expect("a statement");
                let columns = statement.column_count();
                let mut rows = statement.query([]).expect("rows");
                let mut found = Vec::new();
                while let Some(row) = rows.next().expect("a row") {
                    let cells =
                        (0..columns).map(|column| cell(row.get_ref(column).expect("a cell")));
                    found.push(cells.collect());
                }
                found
            }
            Self::Postgres(client) => {
                let messages = client.borrow_mut().simple_query(query).expect("rows");
                let rows = messages.iter().filter_map(|message| match message {
                    SimpleQueryMessage::Row(row) => Some(row),
                    _ => None,
                });
                let cells = |row: &postgres::SimpleQueryRow| {
                    let cell = |column| row.get(column).unwrap_or_default().to_owned();
                    (0..row.len()).map(cell).collect()
                };
                rows.map(cells).collect()
            }
        }
    }
}

/// Runs statements and ignores their rows.
#[track_caller]
pub(crate) fn run(server: &Server, statements: &str) {
    Sql::open(server).run(statements);
}

/// Runs [`Sql::query`] on the server's database.
#[track_caller]
pub(crate) fn query(server: &Server, query: &str) -> Vec<Vec<String>> {
    Sql::open(server).query(query)
}

/// The only cell of the answer.
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
    refuse_where(server, table, "1 = 1");
}

/// As [`refuse`], for rows of which a condition on `NEW` is true.
#[track_caller]
pub(crate) fn refuse_where(server: &Server, table: &str, condition: &str) {
    refuse_when(server, table, "INSERT", condition);
}

/// As [`refuse`], for removals from a table.
#[track_caller]
pub(crate) fn refuse_removal(server: &Server, table: &str) {
    refuse_when(server, table, "DELETE", "1 = 1");
}

#[track_caller]
fn refuse_when(server: &Server, table: &str, event: &str, condition: &str) {
    run(
        server,
        &match server.backend() {
            Backend::Sqlite => format!(
                "CREATE TRIGGER refuse_{table} BEFORE {event} ON {table} WHEN {condition}
             BEGIN SELECT RAISE(ABORT, 'planted fault'); END"
            ),
            Backend::Postgres => format!(
                "CREATE FUNCTION refuse_{table}() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RAISE EXCEPTION 'planted fault'; END $$;
             CREATE TRIGGER refuse_{table} BEFORE {event} ON {table}
                FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION refuse_{table}()"
            ),
        },
    );
}

/// Undoes what [`refuse`] did.
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

fn cell(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
