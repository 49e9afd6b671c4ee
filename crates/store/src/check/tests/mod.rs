//! Every check both ways: it holds on good data, and it names what was damaged.

mod damage;
mod data;
mod every_column;
mod exported;
mod positions;
mod queue;
mod records;
mod row_security;
mod schema;
mod values;

use super::*;
use crate::check::report::Findings;
use crate::testing::{Fixture, Raw, on_both};
use damage::Damage;
use data::Data;
use purser_core::error::Error;

/// Every damage of every check.
fn damages() -> impl Iterator<Item = &'static Damage> {
    let own = [positions::DAMAGES, queue::DAMAGES, records::DAMAGES, values::DAMAGES];
    own.into_iter().flatten().chain(damage::DAMAGES)
}

/// The checks that don't hold, with what they name.
fn broken(fixture: &Fixture, data: &Data) -> Vec<(&'static str, Vec<String>)> {
    run(&fixture.store, &data.files, |_| {})
        .into_iter()
        .filter(|outcome| !outcome.holds())
        .map(|outcome| (outcome.name, outcome.problems))
        .collect()
}

/// A connection that may break every rule but those of types.
fn vandal(fixture: &Fixture) -> Raw {
    let mut raw = fixture.raw();
    let unguarded = match &raw {
        Raw::Sqlite(_) => "PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 5000",
        Raw::Postgres(_) => "SET session_replication_role = replica",
    };
    raw.script(unguarded);
    // What indexes forbid, a damaged index allows.
    raw.script("DROP INDEX entries_valuation; DROP INDEX transfers_one_outflow");
    raw
}

#[test]
fn good_data_passes_and_every_check_has_looked_at_something() {
    on_both(|fixture| {
        let data = Data::new(fixture);
        let mut calls = 0;
        let outcomes = run(&fixture.store, &data.files, |_| calls += 1);
        assert_eq!((outcomes.len(), calls), (CHECKS.len() + 1, CHECKS.len() + 1));
        for outcome in outcomes {
            assert!(outcome.holds(), "{outcome:?}");
            assert_eq!(outcome.checked == 0, outcome.not_needed.is_some(), "{outcome:?}");
        }
    });
}

#[test]
fn an_empty_database_passes() {
    on_both(|fixture| {
        let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
        assert!(run(&fixture.store, &files, |_| {}).iter().all(Outcome::holds));
    });
}

#[test]
fn every_damage_is_named_by_its_check_and_by_no_other() {
    on_both(|fixture| {
        let data = Data::new(fixture);
        let mut raw = vandal(fixture);
        assert_eq!(broken(fixture, &data), [], "before any damage");
        for Damage { checks, names, damage, repair } in damages() {
            raw.script(damage);
            let found = broken(fixture, &data);
            let found_in: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
            assert_eq!(&found_in, checks, "{damage}: {found:?}");
            let named = found.iter().flat_map(|(_, problems)| problems);
            assert!(named.clone().any(|problem| problem.contains(names)), "{damage}: {found:?}");
            raw.script(repair);
            assert_eq!(broken(fixture, &data), [], "after the repair of {damage}");
        }
    });
}

#[test]
fn there_is_a_damage_for_every_check() {
    for check in CHECKS {
        let damaged = damages().any(|damage| damage.checks.contains(&check.name));
        // These have tests of their own, on one database each.
        let alone = ["database_integrity", "row_security"].contains(&check.name);
        assert!(damaged || alone, "{}", check.name);
    }
}

#[test]
fn sqlite_is_asked_about_its_file() {
    let fixture = Fixture::sqlite();
    let data = Data::new(&fixture);
    let mut raw = vandal(&fixture);
    // The index was built over another column than it now claims.
    raw.script(
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql =
            'CREATE INDEX accounts_by_name ON accounts (family_id, subtype)'
            WHERE name = 'accounts_by_name';
         PRAGMA schema_version = 999",
    );
    let found = broken(&fixture, &data);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "database_integrity");
    assert!(found[0].1.iter().any(|line| line.contains("accounts_by_name")), "{found:?}");
}

#[test]
fn files_that_are_gone_shorter_or_changed_are_named() {
    on_both(|fixture| {
        let data = Data::new(fixture);
        let path = fixture
            .directory
            .join("files")
            .join(crate::installation::id(&fixture.store).unwrap().to_string())
            .join(data.family.number().to_string())
            .join(data.file.to_string());
        let original = std::fs::read(&path).unwrap();
        let found = |expected: &str| {
            let found = broken(fixture, &data);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].0, "files");
            let named = format!("file {} {expected}", data.file);
            assert!(found[0].1[0].starts_with(&named), "{found:?}");
        };
        std::fs::write(&path, &original[1..]).unwrap();
        found("has 11 bytes, but had 12");
        std::fs::write(&path, [b"x", &original[1..]].concat()).unwrap();
        found("has other bytes than when it was stored");
        std::fs::remove_file(&path).unwrap();
        found("can't be read: ");
        std::fs::write(&path, original).unwrap();
        assert_eq!(broken(fixture, &data), []);
    });
}

#[test]
fn another_family_s_data_does_not_count_as_one_s_own() {
    on_both(|fixture| {
        let data = Data::new(fixture);
        let mut raw = vandal(fixture);
        raw.script(
            "UPDATE import_mappings SET target_id =
                (SELECT id FROM accounts WHERE name = 'Foreign') WHERE kind = 'account'",
        );
        let found = broken(fixture, &data);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, "import_mappings");
    });
}

#[test]
fn a_check_that_fails_is_a_problem_and_the_others_go_on() {
    on_both(|fixture| {
        let data = Data::new(fixture);
        fixture.raw().script("DROP TABLE idempotency_keys");
        let found = broken(fixture, &data);
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["column_values", "references", "idempotency_keys"], "{found:?}");
        for (_, problems) in found {
            assert!(problems[0].starts_with("the check can't be carried out: "), "{problems:?}");
        }
    });
}

#[test]
fn only_the_first_problems_are_named() {
    let mut findings = Findings::default();
    for number in 0..100 {
        findings.problem(|| {
            assert!(number < PROBLEMS_NAMED, "no words for the others");
            number.to_string()
        });
    }
    let error = Err(Error::internal("broken"));
    let outcome = findings.into_outcome(("a", "A holds", "things"), error);
    assert_eq!((outcome.problems_count, outcome.problems.len()), (101, PROBLEMS_NAMED));
    assert!(!outcome.holds());
}

#[test]
fn a_counter_of_families_that_is_behind_is_named() {
    on_both(|fixture| {
        let data = Data::new(fixture);
        fixture.raw().script("UPDATE installation SET last_family = 1");
        if !fixture.store.is_sqlite() {
            fixture.raw().script("SELECT setval('family_numbers', 1)");
        }
        let problem = "the counter of families is at 1, but there is a family 2";
        assert_eq!(broken(fixture, &data), [("directories", vec![problem.to_owned()])]);
    });
}
