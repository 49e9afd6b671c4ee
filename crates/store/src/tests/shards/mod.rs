//! Every statement stays in the shard of one family.
//!
//! PostgreSQL can be spread over machines by family (see docs/scaling.md). There is no such
//! database for the tests; so they hold the statements themselves to the rules that it needs.

mod rules;
mod rules_tests;
mod words;

use std::collections::BTreeSet;

use rules::look_at;

use crate::distribution::{DIRECTORIES, REFERENCE};
use crate::driver::AsSql;
use crate::testing::{Fixture, Raw};

/// Tables that aren't spread.
fn directories() -> Vec<&'static str> {
    DIRECTORIES.into_iter().chain([REFERENCE]).collect()
}

/// The statements that may touch all families, and why; the check is excused as a whole. They ask
/// every machine, so they are no part of what families do with their data.
const EVERY_FAMILY: [(&str, &str); 8] = [
    ("families::LIST", "The command line lists families, and jobs with their families' names."),
    ("installation::INSERT", "A new database gets its own id, once."),
    ("idempotency::FAMILIES", "Keys are forgotten that are older than a day."),
    ("prices::feed::FAMILIES_DUE", "A feed is asked for prices without being asked."),
    ("files::ANY", "A start looks for a file in a place that is new to it."),
    ("files::ALL", "A backup and the check read every uploaded file."),
    ("connections::numbers::CONNECTIONS_BY_STATE", "Every node counts connections, for metrics."),
    ("due::MISSED", "A start, and the check, look whether everything due is in its directory."),
];

/// What is wrong with every statement that breaks the rules, by its name.
fn offenders() -> Vec<(String, Vec<String>)> {
    let mut offenders = Vec::new();
    for (module, statements) in crate::statements() {
        for (name, sql) in statements {
            let mut found = look_at(sql.text(), &directories());
            if found.params.len() > 1 {
                found.problems.push(format!("it names several families: {:?}", found.params));
            }
            if !found.problems.is_empty() && !module.starts_with("check::") {
                offenders.push((format!("{module}::{name}"), found.problems));
            }
        }
    }
    offenders.sort();
    offenders.dedup();
    offenders
}

#[test]
fn every_statement_names_the_family_of_every_table() {
    let offenders = offenders();
    let excused: BTreeSet<&str> = EVERY_FAMILY.iter().map(|(name, _)| *name).collect();
    let wrong: Vec<_> =
        offenders.iter().filter(|(name, _)| !excused.contains(name.as_str())).collect();
    assert!(wrong.is_empty(), "{} statements leave their shard: {wrong:#?}", wrong.len());
    let known: BTreeSet<&str> = offenders.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(known, excused, "what is excused needs it");
}

#[test]
fn every_query_with_filters_names_the_family_of_every_table() {
    for query in crate::query_examples() {
        let found = look_at(query.sql(), &directories());
        assert_eq!(found.problems, [""; 0], "{}", query.sql());
        assert!(!found.tables.is_empty(), "{}", query.sql());
        // Parts of a filter bring the family each by itself, so there may be several parameters.
        let mut families: Vec<_> =
            found.params.iter().map(|number| query.own_params()[number - 1]).collect();
        families.dedup();
        assert_eq!(families.len(), 1, "{families:?} in {}", query.sql());
    }
}

/// What in the schema would keep PostgreSQL from spreading it, a line each.
fn obstacles(raw: &mut Raw) -> Vec<String> {
    let Raw::Postgres(client) = raw else { panic!("PostgreSQL is spread, SQLite isn't") };
    let tables = client.query(
        "SELECT t.relname::text, c.conname::text, c.contype::text FROM pg_constraint c
         JOIN pg_class t ON t.oid = c.conrelid WHERE c.contype = 'f'
         UNION ALL
         SELECT t.relname::text, i.indexrelid::regclass::text, 'u' FROM pg_index i
         JOIN pg_class t ON t.oid = i.indrelid
         JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
         WHERE i.indisunique AND NOT EXISTS (SELECT 1 FROM pg_attribute a
            WHERE a.attrelid = t.oid AND a.attnum = ANY(i.indkey::int2[])
                AND a.attname = CASE t.relname WHEN 'families' THEN 'id' ELSE 'family_id' END)
         ORDER BY 1, 2",
        &[],
    );
    let mut found = Vec::new();
    for row in tables.unwrap() {
        let (table, name, kind): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        let is_directory = directories().contains(&table.as_str());
        match (kind.as_str(), is_directory) {
            ("f", true) => found.push(format!("{name}: a foreign key of a directory")),
            ("u", false) => found.push(format!("{name}: unique without the family")),
            _ => {}
        }
    }
    found
}

#[test]
fn the_schema_can_be_spread() {
    let fixture = Fixture::postgres();
    let mut raw = fixture.raw();
    assert_eq!(obstacles(&mut raw), [""; 0]);
    raw.script(
        "CREATE UNIQUE INDEX by_name ON merchants (name_key);
         CREATE UNIQUE INDEX by_public_id ON families (public_id);
         ALTER TABLE jobs ADD CONSTRAINT follows FOREIGN KEY (family_id) REFERENCES families (id)",
    );
    assert_eq!(
        obstacles(&mut raw),
        [
            "by_public_id: unique without the family",
            "follows: a foreign key of a directory",
            "by_name: unique without the family",
        ],
        "the check sees what it is for"
    );
}
