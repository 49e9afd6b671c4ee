//! The two databases, and a fresh one of the second for each server.

use std::sync::atomic::{AtomicU32, Ordering};

use postgres::{Client, NoTls};

/// Where the tests may create databases: `cargo xtask test` starts a server and sets it.
const URL_VARIABLE: &str = "PURSER_TEST_POSTGRES";

/// What the server under test stores in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backend {
    /// A file in the data folder.
    Sqlite,
    /// A database of its own on the test server.
    Postgres,
}

/// A PostgreSQL database that exists as long as this value.
#[derive(Debug)]
pub(super) struct PostgresDatabase {
    name: String,
    /// What the program is started with.
    pub(super) url: String,
}

impl PostgresDatabase {
    /// Creates an empty database with a name that no other test has.
    pub(super) fn create() -> Self {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("purser_test_{}_{number}", std::process::id());
        let mut client = maintenance();
        // template0: nobody is ever connected to it, which creating from a template requires.
        for statement in [
            format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
            format!("CREATE DATABASE {name} TEMPLATE template0"),
        ] {
            client.batch_execute(&statement).expect("a database for the test");
        }
        let url = server_url();
        let (server, _) = url.rsplit_once('/').expect("postgres://…/database");
        Self { url: format!("{server}/{name}"), name }
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        let dropped = Client::connect(&server_url(), NoTls).and_then(|mut client| {
            client.batch_execute(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name))
        });
        if let Err(error) = dropped {
            eprintln!("database {} was not removed: {error}", self.name);
        }
    }
}

fn maintenance() -> Client {
    Client::connect(&server_url(), NoTls).expect("the PostgreSQL server of the tests")
}

fn server_url() -> String {
    std::env::var(URL_VARIABLE).unwrap_or_else(|_| {
        panic!("{URL_VARIABLE} is not set: run the tests with `cargo xtask test`")
    })
}
