//! Every statement stays in the shard of one family.
//!
//! PostgreSQL can be spread over machines by family (see docs/scaling.md). There is no such
//! database for the tests; so they hold the statements themselves to the rules that it needs.

mod rules;
mod rules_tests;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rules::look_at;

use crate::distribution::{DIRECTORIES, REFERENCE};
use crate::driver::{AsSql, key_by_key, vals};
use crate::testing::{Fixture, Raw};

/// Tables that aren't spread.
fn directories() -> Vec<&'static str> {
    DIRECTORIES.into_iter().chain([REFERENCE]).collect()
}

/// The statements that may touch all families, and why. They ask every machine, so they are no part
/// of what families do with their data.
const EVERY_FAMILY: [(&str, &str); 9] = [
    ("families::LIST", "The command line lists families, and jobs with their families' names."),
    ("installation::LAST_FAMILY", "A new database, and what compares all families."),
    ("idempotency::FAMILIES", "Keys are forgotten that are older than a day."),
    ("prices::feed::FAMILIES_DUE", "A feed is asked for prices without being asked."),
    ("files::ANY", "A start looks for a file in a place that is new to it."),
    ("files::ALL", "A backup and the check read every uploaded file."),
    ("connections::numbers::CONNECTIONS_BY_STATE", "Every node counts connections, for metrics."),
    ("connections::deaths::FAMILIES_WITH_LEASES", "A start on SQLite ends leases of the dead."),
    ("due::PLANNED", "A start, and the check, look whether everything due is in its directory."),
];

/// Modules of which every statement may touch all families.
const EVERY_FAMILY_MODULES: [(&str, &str); 1] =
    [("check::", "`purser check` looks at everything that there is.")];

/// The files with texts of statements that are put together at run time, and what those touch.
const BUILT: [(&str, &str); 5] = [
    ("driver/sql.rs", "Constants, which are among the statements."),
    ("driver/filter.rs", "Queries with filters, of one family: among the examples."),
    ("backup/dump.rs", "A backup reads every table from its beginning to its end."),
    ("backup/catalogue.rs", "A backup and a restore ask the catalogue of the database."),
    ("check/columns/mod.rs", "`purser check` reads every column, and compares ids."),
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
            if EVERY_FAMILY_MODULES.iter().any(|(prefix, _)| module.starts_with(prefix)) {
                // Not even those may compare what is on several machines.
                found.problems.retain(|problem| problem.starts_with("it joins"));
            }
            if !found.problems.is_empty() {
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
    let is_joined = |problems: &[String]| problems.iter().any(|one| one.starts_with("it joins"));
    let wrong: Vec<_> = offenders
        .iter()
        .filter(|(name, problems)| !excused.contains(name.as_str()) || is_joined(problems))
        .collect();
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

/// A lookup of many keys is another text on PostgreSQL.
#[test]
fn every_lookup_names_the_family_of_every_table() {
    let mut lookups = 0;
    for (module, statements) in crate::statements() {
        for (name, sql) in statements.iter().filter(|_| !module.starts_with("check::")) {
            let Some((_, rest)) = sql.text().split_once("= ANY($") else { continue };
            let number = rest.split(')').next().unwrap().parse().unwrap();
            let text = key_by_key(sql, number, vals![0_i64]).unwrap();
            assert!(text.contains("LATERAL"), "{text}");
            let found = look_at(&text, &directories());
            assert_eq!(found.problems, [""; 0], "{module}::{name}: {text}");
            assert!(found.params.len() <= 1, "{module}::{name}: {text}");
            lookups += 1;
        }
    }
    assert!(lookups > 20, "{lookups}");
}

/// Rows that are inserted in bulk have the family among their columns, so that each goes to its
/// machine.
#[test]
fn everything_in_bulk_names_the_family() {
    for bulk in crate::bulks() {
        let names: Vec<&str> = bulk.columns.iter().map(|(name, _)| *name).collect();
        let is_listing = directories().contains(&bulk.table);
        assert_eq!(names.contains(&"family_id"), !is_listing, "{}: {names:?}", bulk.table);
        // Nothing else is read with them.
        let text = bulk.postgres_text();
        let (_, rows) = text.split_once(" SELECT * FROM UNNEST(").unwrap();
        assert!(!rows.contains("FROM") && !rows.contains("JOIN"), "{text}");
    }
}

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Whatever else sends a text of its own is found, and has to be named above.
#[test]
fn statements_are_built_where_it_is_known_what_they_touch() {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let declaration = ["impl AsSql", "for"].join(" ");
    let builders: BTreeSet<&str> = found
        .iter()
        .filter(|(_, text)| text.contains(&declaration))
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(builders, BUILT.iter().map(|(name, _)| *name).collect());
}

/// Views are a part of each statement that reads them, so the rules are theirs, too. On SQLite,
/// which is one file, they may compare tables.
#[test]
fn no_view_compares_a_family_with_another_tables_family() {
    let fixture = Fixture::postgres();
    let mut raw = fixture.raw();
    let mut compared = || {
        let Raw::Postgres(client) = &mut raw else { panic!("PostgreSQL") };
        let views = "SELECT c.relname::text, pg_get_viewdef(c.oid) FROM pg_class c
            WHERE c.relkind = 'v' AND c.relnamespace = to_regnamespace('public') ORDER BY 1";
        let found = client.query(views, &[]).unwrap();
        assert!(found.len() >= 6, "{}", found.len());
        let with = |text: &str| text.contains("family_id =") || text.contains("= family_id");
        let all = found.iter().map(|row| (row.get::<_, String>(0), row.get::<_, String>(1)));
        all.filter(|(_, text)| with(text) || text.matches("FROM").count() > 1)
            .map(|(name, _)| name)
            .collect::<Vec<String>>()
    };
    assert_eq!(compared(), [""; 0]);
    fixture.raw().script(
        "CREATE VIEW hidden_tags AS SELECT * FROM tags WHERE NOT EXISTS (
            SELECT 1 FROM merchants m WHERE m.family_id = tags.family_id)",
    );
    assert_eq!(compared(), ["hidden_tags"], "the check sees what it is for");
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
