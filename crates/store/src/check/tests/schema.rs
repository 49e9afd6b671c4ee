//! The tables of columns list the schema as the databases have it.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::CHECKS;
use crate::check::columns::{Domain, tables};
use crate::testing::{Raw, on_both};

/// Table, column and type, as SQLite or PostgreSQL name it.
fn columns(raw: &mut Raw) -> BTreeMap<(String, String), String> {
    let sqlite = "SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name <> 'schema_version'";
    let postgres = "SELECT t.table_name::text, c.column_name::text, c.data_type::text
        FROM information_schema.tables t
        JOIN information_schema.columns c
            ON c.table_schema = t.table_schema AND c.table_name = t.table_name
        WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
            AND t.table_name <> 'schema_version'";
    let rows: Vec<(String, String, String)> = triples(raw, sqlite, postgres);
    rows.into_iter().map(|(table, column, kind)| ((table, column), kind)).collect()
}

/// Table, column and the table that its foreign key points to.
fn foreign_keys(raw: &mut Raw) -> Vec<(String, String, String)> {
    let sqlite = "SELECT t.name, f.\"from\", f.\"table\"
        FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'";
    let postgres = "SELECT t.relname::text, a.attname::text, p.relname::text
        FROM pg_constraint f
        JOIN pg_class t ON t.oid = f.conrelid
        JOIN pg_class p ON p.oid = f.confrelid
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY(f.conkey)
        WHERE f.contype = 'f'";
    triples(raw, sqlite, postgres)
}

fn triples(raw: &mut Raw, sqlite: &str, postgres: &str) -> Vec<(String, String, String)> {
    match raw {
        Raw::Sqlite(connection) => {
            let mut query = connection.prepare(sqlite).unwrap();
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
            rows.unwrap().collect::<Result<_, _>>().unwrap()
        }
        Raw::Postgres(client) => {
            let rows = client.query(postgres, &[]).unwrap();
            rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()
        }
    }
}

/// The types that a domain can have, in SQLite and in PostgreSQL.
fn types(domain: &Domain) -> [&'static str; 2] {
    match domain {
        Domain::Id | Domain::To(_) | Domain::CheckedBy(_) | Domain::MayBeGone => ["BLOB", "uuid"],
        Domain::Family | Domain::Number(..) | Domain::Day | Domain::Time => ["INTEGER", "bigint"],
        Domain::Flag => ["INTEGER", "boolean"],
        Domain::Named(..) | Domain::Text(..) | Domain::Secret(..) => ["TEXT", "text"],
        Domain::Bytes(..) => ["BLOB", "bytea"],
    }
}

/// What the tables of columns lack, or have too much.
fn differences(raw: &mut Raw) -> Vec<String> {
    let stored = columns(raw);
    let mut wrong = Vec::new();
    let mut listed = BTreeSet::new();
    for table in tables() {
        for (column, domain) in table.columns {
            let key = (table.name.to_owned(), (*column).to_owned());
            let kind = stored.get(&key);
            if !kind.is_some_and(|kind| types(domain).contains(&kind.as_str())) {
                wrong.push(format!("{}.{column} is {kind:?}", table.name));
            }
            listed.insert(key);
        }
    }
    let missing = stored.keys().filter(|key| !listed.contains(key));
    wrong.extend(missing.map(|(table, column)| format!("{table}.{column} has no domain")));
    wrong
}

fn domain(table: &str, column: &str) -> Option<&'static Domain> {
    let table = tables().find(|one| one.name == table)?;
    table.columns.iter().find(|(name, _)| *name == column).map(|(_, domain)| domain)
}

#[test]
fn every_column_has_a_domain_of_its_type() {
    on_both(|fixture| {
        let mut raw = fixture.raw();
        assert!(columns(&mut raw).len() > 300, "the schema is there");
        assert_eq!(differences(&mut raw), [""; 0]);
        raw.script("ALTER TABLE tags ADD COLUMN shape TEXT; CREATE TABLE loose (a INTEGER)");
        assert_eq!(
            differences(&mut raw),
            ["loose.a has no domain", "tags.shape has no domain"],
            "the test sees what it is for"
        );
    });
}

#[test]
fn every_foreign_key_is_a_reference() {
    on_both(|fixture| {
        let keys = foreign_keys(&mut fixture.raw());
        assert!(keys.len() > 50, "the schema is there");
        for (table, column, parent) in keys {
            let is_followed = match domain(&table, &column) {
                Some(Domain::To(to)) => *to == parent,
                Some(Domain::Family) => column == "family_id",
                Some(Domain::CheckedBy(_)) => true,
                _ => false,
            };
            assert!(is_followed, "{table}.{column} points to {parent}");
        }
    });
}

#[test]
fn every_table_and_check_that_a_column_names_exists() {
    let known: BTreeSet<&str> = tables().map(|table| table.name).collect();
    for table in tables() {
        for (column, domain) in table.columns {
            match domain {
                Domain::To(to) => assert!(known.contains(to), "{}.{column}: {to}", table.name),
                Domain::CheckedBy(name) => assert!(
                    CHECKS.iter().any(|check| check.name == *name),
                    "{}.{column}: {name}",
                    table.name
                ),
                _ => {}
            }
        }
    }
}
