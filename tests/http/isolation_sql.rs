//! The server's database, opened beside it: for what no route and no command makes yet (holdings,
//! connections) and for what only time makes (keys that expired).

use std::cell::RefCell;
use std::time::Duration;

use postgres::NoTls;

use crate::support::{Backend, Server};

/// An open database.
pub(crate) enum Sql {
    /// The file.
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
                connection.busy_timeout(Duration::from_secs(10)).expect("a bound");
                connection.pragma_update(None, "foreign_keys", true).expect("foreign keys");
                Self::Sqlite(connection)
            }
            Backend::Postgres => {
                let url = server.database_url().expect("its address");
                let client = postgres::Client::connect(url, NoTls).expect("the database");
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
}
