//! The catalogues of both databases: every key and unique index leads with the family, so that no
//! family can learn by a conflict what another has.

use std::collections::{BTreeMap, BTreeSet};

use crate::testing::{Raw, on_both};

/// The only tables with keys that don't lead with the family.
const DIRECTORIES: [&str; 11] = [
    "feed_rates",
    "feeds",
    "families",
    "installation",
    "sign_in_guesses",
    "sign_in_names",
    "sign_in_sources",
    "key_hashes",
    "jobs",
    "schema_version",
    "sessions",
];

/// Table, index, first column of every unique index and key.
fn unique_indexes(raw: &mut Raw) -> Vec<(String, String, String)> {
    match raw {
        Raw::Sqlite(connection) => {
            let mut query = connection
                .prepare(
                    "SELECT t.name, l.name, i.name
                     FROM sqlite_schema t, pragma_index_list(t.name) l,
                        pragma_index_info(l.name) i
                     WHERE t.type = 'table' AND l.\"unique\" AND i.seqno = 0",
                )
                .unwrap();
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
            rows.unwrap().collect::<Result<_, _>>().unwrap()
        }
        Raw::Postgres(client) => {
            let rows = client.query(
                "SELECT t.relname::text, c.relname::text, a.attname::text
                 FROM pg_index i
                 JOIN pg_class c ON c.oid = i.indexrelid
                 JOIN pg_class t ON t.oid = i.indrelid
                 JOIN pg_namespace n ON n.oid = t.relnamespace
                 JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
                 WHERE i.indisunique AND n.nspname = 'public'",
                &[],
            );
            rows.unwrap().iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()
        }
    }
}

fn tables(raw: &mut Raw) -> BTreeSet<String> {
    match raw {
        Raw::Sqlite(connection) => {
            let mut query =
                connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
            let rows = query.query_map([], |row| row.get(0)).unwrap();
            rows.collect::<Result<_, _>>().unwrap()
        }
        Raw::Postgres(client) => {
            let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'";
            client.query(sql, &[]).unwrap().iter().map(|row| row.get(0)).collect()
        }
    }
}

/// What is wrong with a catalogue.
fn violations(raw: &mut Raw) -> Vec<String> {
    let mut keyed: BTreeMap<String, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (table, index, first) in unique_indexes(raw) {
        if !DIRECTORIES.contains(&table.as_str()) && first != "family_id" {
            wrong.push(format!("{table}: {index} leads with {first}"));
        }
        *keyed.entry(table).or_default() += 1;
    }
    wrong.extend(
        tables(raw)
            .into_iter()
            .filter(|table| !keyed.contains_key(table))
            .map(|table| format!("{table} has no key")),
    );
    wrong
}

#[test]
fn every_key_and_unique_index_leads_with_the_family() {
    on_both(|fixture| {
        let mut raw = fixture.raw();
        assert!(tables(&mut raw).len() > 20, "the schema is there");
        assert_eq!(violations(&mut raw), [""; 0]);

        raw.script(
            "CREATE UNIQUE INDEX leak ON merchants (name_key); CREATE TABLE loose (a INTEGER)",
        );
        assert_eq!(
            violations(&mut raw),
            ["merchants: leak leads with name_key", "loose has no key"],
            "the check sees what it is for"
        );
    });
}
