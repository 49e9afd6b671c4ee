//! Nothing of a family is missing in its export: each column is exported, or has a reason why not.
//! A family with a row in every table is exported, and each exported column is then changed, which
//! must show.

mod columns;
mod rows;
mod tables;

use std::collections::BTreeSet;

use self::columns::{COLUMNS, Export};
use self::tables::TABLES_LEFT;
use super::data::Data;
use super::vandal;
use crate::check::columns::{Domain, tables};
use crate::testing::{Raw, exported, on_both, unreadable};

/// The description of the records for people.
const DOCUMENTED: &str = include_str!("../../../../../../docs/native.md");

/// Values for texts: of two at least one is another one than a column has now.
const TEXTS: &[&str] = &[
    "x",
    "7",
    "8",
    "USD",
    "CHF",
    "GBP",
    "[]",
    "#000001",
    "#000002",
    "XETR",
    "NEW",
    "US",
    "Europe/Rome",
    "de",
    "it",
    "%d.%m.%Y",
    "ann@example.net",
    r#"[{"action_type":"exclude_transaction","value":null}]"#,
    r#"["because"]"#,
];

#[test]
fn every_column_is_exported_or_has_a_reason() {
    let mut named = BTreeSet::new();
    for (table, columns) in COLUMNS {
        named.extend(columns.iter().map(|(column, _)| (*table, *column)));
    }
    let left: BTreeSet<&str> = TABLES_LEFT.iter().map(|(table, _)| *table).collect();
    let mut stored = BTreeSet::new();
    for table in tables().filter(|table| !left.contains(table.name)) {
        stored.extend(table.columns.iter().map(|(column, _)| (table.name, *column)));
    }
    assert_eq!(named, stored, "left: the export knows the column, right: the schema has it");
    for name in left {
        assert!(tables().any(|table| table.name == name), "there is no table {name}");
    }
}

#[test]
fn every_exported_field_is_documented() {
    for (column, export) in COLUMNS.iter().flat_map(|(_, columns)| *columns) {
        let Export::Field(field) = export else { continue };
        let (record, field) = field.split_once('.').expect("a record and its field");
        let heading = format!("\n| `{record}` |");
        let row = DOCUMENTED.split(&heading).nth(1).and_then(|rest| rest.lines().next());
        let row = row.unwrap_or_else(|| panic!("docs/native.md has no record {record}"));
        assert!(row.contains(&format!("`{field}`")), "{record}.{field} ({column}) isn't explained");
    }
}

#[test]
fn the_lines_are_those_of_the_documentation() {
    on_both(|fixture| {
        let (family, _) = fixture.family("own");
        let mut raw = vandal(fixture);
        rows::plant(&mut raw);
        let exported = exported(fixture, family).unwrap();
        let expected = rows::lines();
        for (line, expected) in exported.lines().zip(&expected) {
            assert_eq!(line, expected);
        }
        assert_eq!(exported.lines().count(), expected.len(), "{exported}");
    });
}

#[test]
fn a_change_of_any_exported_column_shows() {
    on_both(|fixture| {
        let (family, _) = fixture.family("own");
        let mut raw = vandal(fixture);
        rows::plant(&mut raw);
        let before = exported(fixture, family).unwrap();
        let mut changed = 0;
        for table in tables() {
            let Some((_, columns)) = COLUMNS.iter().find(|(name, _)| *name == table.name) else {
                continue;
            };
            for (column, export_of) in *columns {
                let Export::Field(field) = export_of else { continue };
                let domain = table.columns.iter().find(|(name, _)| name == column);
                let (_, domain) = domain.expect("both tables have the column");
                let is_sqlite = matches!(raw, Raw::Sqlite(_));
                let only = rows::only(table.name, column);
                let shows = others(domain).iter().any(|value| {
                    let value = value.replace("{column}", column);
                    let update =
                        format!("UPDATE {} SET {column} = {value} WHERE {only}", table.name);
                    raw.script(&rows::filled(&update, |number| rows::id(number, is_sqlite)));
                    let after = exported(fixture, family);
                    rows::plant(&mut raw);
                    // What an id points to isn't there, which stops the export.
                    after.map_or(is_id(domain), |after| after != before)
                });
                assert!(shows, "{}.{column} isn't {field}", table.name);
                changed += 1;
            }
        }
        assert_eq!(exported(fixture, family).unwrap(), before, "what was changed is as it was");
        assert!(changed > 120, "{changed}");
    });
}

#[test]
fn what_is_exported_can_be_read() {
    on_both(|fixture| {
        let data = Data::new(fixture);
        let exported = exported(fixture, data.family).unwrap();
        assert_eq!(unreadable(&exported), [""; 0]);
        let has = |record: &str| exported.contains(&format!("{{\"type\":\"{record}\""));
        for record in ["Account", "Transaction", "Trade", "Transfer", "Tombstone", "ExchangeRate"] {
            assert!(has(record), "{record}: {exported}");
        }
        assert!(exported.contains("\"split_lines\":[{"));
        assert!(exported.contains("\"origin\":{"));
    });
}

fn is_id(domain: &Domain) -> bool {
    matches!(domain, Domain::Id | Domain::To(_) | Domain::CheckedBy(_) | Domain::MayBeGone)
}

/// Other values of a domain as SQL; a value that the column has changes nothing.
fn others(domain: &Domain) -> Vec<String> {
    let text = |fits: &fn(&str) -> bool| {
        let fitting = TEXTS.iter().filter(|text| fits(text));
        fitting.map(|text| format!("'{}'", text.replace('\'', "''"))).collect()
    };
    match domain {
        Domain::Id | Domain::To(_) | Domain::CheckedBy(_) | Domain::MayBeGone => {
            vec!["{88}".to_owned()]
        }
        Domain::Family | Domain::Number(..) => {
            vec!["{column} + 1".to_owned(), "{column} - 1".to_owned()]
        }
        Domain::Day => vec!["{column} + 1".to_owned()],
        Domain::Time => vec!["{column} + 1000000".to_owned()],
        Domain::Flag => vec!["NOT {column}".to_owned()],
        Domain::Named(_, list) => {
            let list = list();
            let names = list.split([',', ' ']).filter(|name| !name.is_empty());
            names.map(|name| format!("'{name}'")).collect()
        }
        Domain::Text(_, fits) => text(fits),
        Domain::Secret(..) | Domain::Bytes(..) => Vec::new(),
    }
}
