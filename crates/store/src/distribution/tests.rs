//! Families are spread over machines, by stand-ins for the functions of Citus.

use std::collections::BTreeSet;

use purser_core::error::Result;

use super::{DIRECTORIES, Distributed, REFERENCE, distribute, plan, steps};
use crate::check;
use crate::driver::Dialect;
use crate::families;
use crate::files::FileStore;
use crate::migrations::{MIGRATIONS, Migration, VERSION_TABLE, for_dialect, run_steps};
use crate::store::{Store, StoreOptions};
use crate::testing::{Fixture, Raw, options, superuser_of};

const STAND_INS: &str = include_str!("stand_ins.sql");
const REFUSALS: &str = include_str!("refusals.sql");

/// A step of the schema that comes after all others.
const LATER: Migration = Migration {
    version: 1_000,
    name: "later",
    text: "-- Two tables; both are spread.
        CREATE TABLE later (
            family_id {int} NOT NULL REFERENCES families (id),
            id {uuid} NOT NULL,     -- the id, of course
            parent_id {uuid},
            PRIMARY KEY (family_id, id),
            FOREIGN KEY (family_id, parent_id) REFERENCES later (family_id, id)
        ) {keyed};
        CREATE UNIQUE INDEX later_parents ON later (family_id, parent_id, id);
        CREATE TABLE later_still (
            family_id {int} NOT NULL,
            later_id {uuid} NOT NULL,
            PRIMARY KEY (family_id, later_id),
            FOREIGN KEY (family_id, later_id) REFERENCES later (family_id, id)
        ) {keyed};
        ALTER TABLE later ADD COLUMN note {text};",
};

fn rows(raw: &mut Raw, query: &str) -> Vec<Vec<String>> {
    let Raw::Postgres(client) = raw else { panic!("families are spread on PostgreSQL") };
    let found = client.query(query, &[]).unwrap();
    found.iter().map(|row| (0..row.len()).map(|at| row.get(at)).collect()).collect()
}

/// Every constraint in the form in which it is declared.
fn constraints(raw: &mut Raw) -> Vec<Vec<String>> {
    rows(
        raw,
        "SELECT t.relname::text, c.conname::text, pg_get_constraintdef(c.oid)
         FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
         WHERE t.relnamespace = to_regnamespace(CAST(current_schema() AS TEXT))
         ORDER BY 1, 2",
    )
}

fn spread(raw: &mut Raw) -> Vec<Vec<String>> {
    rows(
        raw,
        "SELECT logicalrel::text, partmethod::text, COALESCE(partkey, ''), repmodel::text
         FROM stand_ins.pg_dist_partition ORDER BY called",
    )
}

/// A database with families, on which nobody works.
fn filled() -> Fixture {
    let fixture = Fixture::postgres();
    for name in ["first", "second"] {
        fixture.family(name);
    }
    fixture
}

/// Spreads the families of a database beside which no other store is open.
fn spread_alone(fixture: Fixture) -> (Fixture, Result<Distributed>) {
    fixture.while_closed(|target, clock| {
        let options = StoreOptions { connections: Some(1), ..options(target, clock) };
        distribute(&Store::open(options).unwrap())
    })
}

/// Spreads the families of a database, beside stand-ins that refuse what Citus refuses.
fn spread_all(fixture: Fixture) -> (Fixture, Distributed) {
    fixture.raw().script(STAND_INS);
    superuser_of(&fixture).batch_execute(REFUSALS).unwrap();
    let (fixture, done) = spread_alone(fixture);
    let (fixture, again) = spread_alone(fixture);
    assert!(again.unwrap_err().to_string().contains("already"));
    (fixture, done.unwrap())
}

#[test]
fn every_table_is_spread_once_and_is_the_same_afterwards() {
    let fixture = filled();
    let mut raw = fixture.raw();
    let before = constraints(&mut raw);
    let counts = "SELECT COUNT(*)::text FROM users";
    let users = rows(&mut raw, counts);
    drop(raw);
    let (fixture, done) = spread_all(fixture);
    let mut raw = fixture.raw();
    assert_eq!(constraints(&mut raw), before);
    assert_eq!(rows(&mut raw, counts), users);

    let calls = spread(&mut raw);
    let names: BTreeSet<String> = calls.iter().map(|call| call[0].clone()).collect();
    let listed = check::columns::tables().map(|table| table.name.to_owned());
    let expected: BTreeSet<String> = listed.chain(["schema_version".to_owned()]).collect();
    assert_eq!(names, expected, "each exactly once: the stand-ins refuse a second time");
    assert_eq!(done.families + done.directories, calls.len());
    for call in &calls {
        let expected = match call[0].as_str() {
            REFERENCE => ["n", "", "t"],
            name if DIRECTORIES.contains(&name) => ["n", "", "s"],
            "families" => ["h", "id", "s"],
            _ => ["h", "family_id", "s"],
        };
        assert_eq!(call[1..], expected, "{call:?}");
    }
    let first = calls.iter().find(|call| call[1] == "h");
    assert_eq!(first.unwrap()[0], "families", "the others are spread like it");

    let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
    let outcomes = check::run(&fixture.store, &files, |_| {});
    let broken: Vec<_> = outcomes.iter().filter(|outcome| !outcome.holds()).collect();
    assert!(broken.is_empty(), "{broken:?}");
    let policies = "SELECT tablename::text, qual FROM pg_policies WHERE qual LIKE '%SELECT%'";
    assert!(rows(&mut raw, policies).is_empty());
}

/// Families that come later are spread from their beginning.
#[test]
fn an_empty_database_is_spread_too() {
    let (fixture, _) = spread_all(Fixture::postgres());
    fixture.family("first");
    let mut raw = fixture.raw();
    let noted = rows(&mut raw, "SELECT is_distributed::text FROM installation");
    assert_eq!(noted, [["true"]]);
    raw.script("DELETE FROM stand_ins.pg_dist_partition WHERE logicalrel = 'rules'::regclass");
    assert!(Store::open(options(&fixture.target, &fixture.clock)).is_err());
}

#[test]
fn a_family_sees_its_own_rows_only_after_it() {
    let (fixture, _) = spread_all(filled());
    let families = fixture.store.read_directory_blocking(families::list).unwrap();
    assert_eq!(families.len(), 2);
    let Raw::Postgres(mut client) = fixture.raw() else { panic!("PostgreSQL") };
    for family in families {
        let number = family.id.number().to_string();
        client.execute("SELECT set_config('purser.family', $1, FALSE)", &[&number]).unwrap();
        let seen = client.query("SELECT family_id::text FROM users", &[]).unwrap();
        assert_eq!(seen.len(), 1);
        assert_eq!(seen[0].get::<_, String>(0), number);
    }
    client.execute("SELECT set_config('purser.family', '', FALSE)", &[]).unwrap();
    assert!(client.query("SELECT 1 FROM users", &[]).unwrap().is_empty());
}

#[test]
fn tables_of_later_steps_are_spread_like_the_others() {
    let (fixture, _) = spread_all(filled());
    let all: Vec<Migration> = MIGRATIONS
        .iter()
        .map(|step| Migration { version: step.version, name: step.name, text: step.text })
        .chain([LATER])
        .collect();
    run_steps(&fixture.store, &all).unwrap();
    let mut raw = fixture.raw();
    let mut calls = spread(&mut raw);
    let newest: Vec<Vec<String>> = calls.split_off(calls.len() - 2);
    for (call, name) in newest.iter().zip(["later", "later_still"]) {
        assert_eq!(*call, [name, "h", "family_id", "s"]);
    }
    let keys: Vec<String> = constraints(&mut raw)
        .into_iter()
        .filter(|row| row[0].starts_with("later") && row[2].starts_with("FOREIGN"))
        .map(|row| row[1].clone())
        .collect();
    assert_eq!(
        keys,
        [
            "later_family_id_fkey",
            "later_family_id_parent_id_fkey",
            "later_still_family_id_later_id_fkey"
        ]
    );
    let policies = "SELECT qual FROM pg_policies WHERE tablename LIKE 'later%'
        AND qual NOT LIKE '%SELECT%'";
    assert_eq!(rows(&mut raw, policies).len(), 2);
}

/// Every step of the schema is one that can be applied where families are spread, and makes the
/// same schema there.
#[test]
fn all_steps_make_the_same_schema_statement_by_statement() {
    let fixture = Fixture::postgres();
    let mut raw = fixture.raw();
    let expected = constraints(&mut raw);
    raw.script(STAND_INS);
    raw.script("CREATE SCHEMA beside; SET search_path = beside, public, stand_ins");
    raw.script(plan::SEQUENTIAL.replace("LOCAL ", "").as_str());
    raw.script(&for_dialect(VERSION_TABLE, Dialect::Postgres));
    for step in MIGRATIONS {
        let text = for_dialect(step.text, Dialect::Postgres).replace("{now}", "0");
        for statement in steps::statements(&text) {
            for one in steps::spread(&statement, plan::kind_of) {
                // Tables of early steps had indexes that later steps took away.
                if !one.starts_with("SELECT create_") && !one.starts_with("SELECT citus_") {
                    raw.script(&one);
                }
            }
        }
    }
    raw.script("SET search_path = beside");
    assert_eq!(constraints(&mut raw), expected);
}

#[test]
fn a_server_refuses_a_table_that_is_not_spread() {
    let (fixture, _) = spread_all(filled());
    let refused = |change: &str| {
        let mut raw = fixture.raw();
        raw.script("CREATE TABLE stand_ins.kept AS SELECT * FROM stand_ins.pg_dist_partition");
        raw.script(change);
        let error = Store::open(options(&fixture.target, &fixture.clock)).err().unwrap();
        raw.script("DELETE FROM stand_ins.pg_dist_partition");
        raw.script("INSERT INTO stand_ins.pg_dist_partition SELECT * FROM stand_ins.kept");
        raw.script("DROP TABLE stand_ins.kept");
        error.to_string()
    };
    let text =
        refused("DELETE FROM stand_ins.pg_dist_partition WHERE logicalrel = 'entries'::regclass");
    assert!(text.contains("its table entries isn't spread by family"), "{text}");
    let text = refused("DELETE FROM stand_ins.pg_dist_partition");
    assert!(text.contains("isn't"), "{text}");
    let text = refused(
        "UPDATE stand_ins.pg_dist_partition SET repmodel = 's'
            WHERE logicalrel = 'feed_rates'::regclass",
    );
    assert!(text.contains("feed_rates isn't a reference table"), "{text}");
    for (change, expected) in [
        ("partkey = 'id'", "entries isn't spread by the number of the family"),
        ("partkey = NULL", "entries isn't spread by the number of the family"),
        ("colocationid = 2", "entries isn't on the same machines as families (co-located)"),
        ("partmethod = 'r'", "entries isn't spread by family"),
    ] {
        let change = format!(
            "UPDATE stand_ins.pg_dist_partition SET {change}
                WHERE logicalrel = 'entries'::regclass"
        );
        let text = refused(&change);
        assert!(text.contains(expected), "{text}");
    }
    assert!(Store::open(options(&fixture.target, &fixture.clock)).is_ok());
}

#[test]
fn only_citus_spreads_families_and_only_while_nobody_works() {
    let text = |store: &Store| distribute(store).unwrap_err().to_string();
    assert!(text(&Fixture::sqlite().store).contains("one of SQLite"));
    let fixture = filled();
    assert!(text(&fixture.store).contains("CREATE EXTENSION citus"));
    fixture.raw().script(STAND_INS);
    let other = Store::open(options(&fixture.target, &fixture.clock)).unwrap();
    assert!(text(&other).contains("Another process"), "the fixture's own store is connected");
}

/// What fails in the middle changes nothing.
#[test]
fn a_distribution_is_whole_or_not_at_all() {
    let fixture = filled();
    let mut raw = fixture.raw();
    let before = constraints(&mut raw);
    raw.script(STAND_INS);
    raw.script("CREATE UNIQUE INDEX wrong ON webhooks (id)");
    drop(raw);
    let (fixture, done) = spread_alone(fixture);
    let error = format!("{:?}", done.unwrap_err());
    assert!(error.contains("webhooks has a unique index"), "{error}");
    let mut raw = fixture.raw();
    assert_eq!(constraints(&mut raw), before);
    assert!(spread(&mut raw).is_empty());
}
