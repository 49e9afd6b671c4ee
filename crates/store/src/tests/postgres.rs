//! PostgreSQL alone: connections that go away, servers that promise too little.

use purser_core::error::{Error, Result};

use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::store::{Store, StoreOptions};
use crate::testing::{Fixture, Raw, options};

statements! {
    ADD_TAG = "INSERT INTO tags (family_id, id, name, name_key, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 0, 0)";
    TAGS = "SELECT name FROM tags WHERE family_id = $1 ORDER BY name";
}

/// Ends every connection of the store.
const TERMINATE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'purser' AND datname = current_database()";

fn add_tag(tx: &mut Tx<'_>, family: FamilyId, name: &str) -> Result<()> {
    let id = tx.new_id()?;
    tx.execute(&ADD_TAG, vals![family, id, name, name]).map(|_| ())
}

fn tags(fixture: &Fixture, family: FamilyId) -> Vec<String> {
    fixture.store.read_blocking(|tx| tx.query(&TAGS, vals![family], |row| row.string(0))).unwrap()
}

#[test]
fn a_lost_connection_is_replaced() {
    let fixture = Fixture::postgres();
    assert_eq!(STATEMENTS.len(), 2);
    let (family, _) = fixture.family("f");
    fixture.raw().script(TERMINATE);
    fixture.store.write_blocking(family, |tx| add_tag(tx, family, "a")).unwrap();
    assert_eq!(tags(&fixture, family), ["a"]);
}

#[test]
fn a_connection_that_is_lost_in_a_transaction_is_an_unavailable_database() {
    let fixture = Fixture::postgres();
    let (family, _) = fixture.family("f");
    let result = fixture.store.write_blocking(family, |tx| {
        add_tag(tx, family, "dropped")?;
        fixture.raw().script(TERMINATE);
        add_tag(tx, family, "late")
    });
    assert!(matches!(result, Err(Error::Unavailable { .. })), "{result:?}");
    assert_eq!(tags(&fixture, family), [""; 0]);
}

#[test]
fn a_server_that_may_forget_commits_is_refused_unless_allowed() {
    let fixture = Fixture::postgres();
    let safe = match fixture.raw() {
        Raw::Postgres(mut client) => {
            client.query_one("SELECT current_setting('fsync')", &[]).unwrap().get::<_, String>(0)
                == "on"
        }
        Raw::Sqlite(_) => unreachable!(),
    };
    let strict = StoreOptions { allow_volatile: false, ..options(&fixture.target, &fixture.clock) };
    match Store::open(strict) {
        Ok(_) => assert!(safe, "a server with fsync off was accepted"),
        Err(error) => {
            assert!(!safe);
            assert!(error.to_string().contains("fsync is off"), "{error}");
        }
    }
}
