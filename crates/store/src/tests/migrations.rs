//! The schema's steps: once each, together with their version, never backwards.

use crate::driver::Row;
use crate::migrations::{MIGRATIONS, Migration, run_steps};
use crate::store::Store;
use crate::testing::{Fixture, on_both, options};

/// The version of a step that comes after all others.
const LATER: i64 = 1_000;
const STEPS: &[Migration] = &[
    Migration { version: 1, name: "foundation", text: "" },
    Migration { version: 2, name: "plan", text: "" },
    Migration { version: 3, name: "ledger", text: "" },
    Migration { version: 4, name: "records", text: "" },
    Migration {
        version: LATER,
        name: "extra",
        text: "CREATE TABLE extra (id {int} PRIMARY KEY) {keyed}",
    },
];
const BROKEN: &[Migration] = &[
    Migration { version: 1, name: "foundation", text: "" },
    Migration { version: 2, name: "plan", text: "" },
    Migration { version: 3, name: "ledger", text: "" },
    Migration { version: 4, name: "records", text: "" },
    Migration {
        version: LATER,
        name: "broken",
        text: "CREATE TABLE half (id {int} PRIMARY KEY); NONSENSE",
    },
];

fn versions(fixture: &Fixture) -> Vec<i64> {
    crate::driver::statements! {
        ALL = "SELECT version FROM schema_version ORDER BY version";
    }
    assert_eq!(STATEMENTS.len(), 1);
    let version = |row: &Row<'_>| row.int(0);
    fixture.store.read_directory_blocking(|tx| tx.query(&ALL, &[], version)).unwrap()
}

fn known() -> Vec<i64> {
    MIGRATIONS.iter().map(|step| step.version).collect()
}

#[test]
fn versions_count_from_one() {
    assert_eq!(known(), (1..=MIGRATIONS.len() as i64).collect::<Vec<_>>());
}

#[test]
fn opening_again_changes_nothing() {
    on_both(|fixture| {
        let (family, _) = fixture.family("first");
        let before = versions(fixture);
        let again = Store::open(options(&fixture.target, &fixture.clock)).unwrap();
        assert_eq!(versions(fixture), before);
        assert_eq!(again.read_directory_blocking(crate::families::list).unwrap()[0].id, family);
    });
}

#[test]
fn steps_are_applied_once_even_when_two_start_together() {
    on_both(|fixture| {
        let other = Store::open(options(&fixture.target, &fixture.clock)).unwrap();
        std::thread::scope(|scope| {
            let one = scope.spawn(|| run_steps(&fixture.store, STEPS));
            let two = scope.spawn(|| run_steps(&other, STEPS));
            one.join().unwrap().unwrap();
            two.join().unwrap().unwrap();
        });
        assert_eq!(versions(fixture), [known(), vec![LATER]].concat());
        fixture.raw().script("INSERT INTO extra (id) VALUES (1)");
    });
}

#[test]
fn a_step_that_fails_leaves_nothing() {
    on_both(|fixture| {
        assert!(run_steps(&fixture.store, BROKEN).is_err());
        assert_eq!(versions(fixture), known());
        // The table is free for the corrected step.
        fixture.raw().script("CREATE TABLE half (id INTEGER PRIMARY KEY)");
    });
}

#[test]
fn a_newer_database_is_refused_in_one_line() {
    on_both(|fixture| {
        fixture.raw().script("INSERT INTO schema_version VALUES (9999, 'future', 0)");
        let refusal = match Store::open(options(&fixture.target, &fixture.clock)) {
            Ok(_) => panic!("it was opened"),
            Err(error) => error.to_string(),
        };
        assert!(refusal.contains("schema version 9999"), "{refusal}");
        assert_eq!(refusal.lines().count(), 1);
    });
}
