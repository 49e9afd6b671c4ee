//! A wrong value in any column is named, and so is an id that no row has: a row is made for each
//! table out of the tables of columns themselves.

use crate::check::columns::{Domain, Table, tables};
use crate::check::report::Findings;
use crate::check::{PROBLEMS_NAMED, columns};
use crate::driver::Row;
use crate::testing::{Fixture, Raw, on_both};

/// A family that there isn't.
const NO_FAMILY: &str = "77";
/// An id that no other row has.
const NO_ROW: &str = "(SELECT id FROM installation)";
/// Texts that one domain or another refuses.
const REFUSED: [&str; 3] = ["", "{", "-1 of ÄÖ"];

/// A wrong value of a domain as SQL, if the database takes any.
fn wrong(domain: &Domain, is_sqlite: bool) -> Option<String> {
    let text = |fits: &fn(&str) -> bool| {
        REFUSED.iter().find(|text| !fits(text)).map(|text| format!("'{text}'"))
    };
    match domain {
        Domain::Id | Domain::To(_) | Domain::CheckedBy(_) | Domain::MayBeGone => {
            is_sqlite.then(|| "x'00'".to_owned())
        }
        Domain::Family => Some("0".to_owned()),
        Domain::Number(first, last) => {
            let outside = first.checked_sub(1).or_else(|| last.checked_add(1));
            outside.map(|number| number.to_string())
        }
        Domain::Day => Some("99999999".to_owned()),
        Domain::Time => Some(i64::MAX.to_string()),
        Domain::Flag => is_sqlite.then(|| "7".to_owned()),
        Domain::Named(fits, _) | Domain::Text(_, fits) | Domain::Secret(_, fits) => text(fits),
        Domain::Bytes(_, fits) => (!fits(1)).then(|| one_byte(is_sqlite)),
    }
}

/// A value of the type of a domain as SQL; ids point nowhere.
fn any(domain: &Domain, is_sqlite: bool) -> String {
    match domain {
        Domain::Id | Domain::To(_) | Domain::CheckedBy(_) | Domain::MayBeGone => NO_ROW.to_owned(),
        Domain::Family => NO_FAMILY.to_owned(),
        Domain::Number(..) | Domain::Day | Domain::Time => "1".to_owned(),
        Domain::Flag => "TRUE".to_owned(),
        Domain::Named(..) | Domain::Text(..) | Domain::Secret(..) => "'x'".to_owned(),
        Domain::Bytes(..) => one_byte(is_sqlite),
    }
}

fn one_byte(is_sqlite: bool) -> String {
    if is_sqlite { "x'00'" } else { "'\\x00'" }.to_owned()
}

/// Inserts a row with these values.
fn insert(raw: &mut Raw, table: &Table, values: &[String]) {
    let names: Vec<&str> = table.columns.iter().map(|(name, _)| *name).collect();
    let (names, values) = (names.join(", "), values.join(", "));
    raw.script(&format!("INSERT INTO {} ({names}) VALUES ({values})", table.name));
}

/// A database without anything but its schema, and a connection that may write anything.
fn empty(fixture: &Fixture) -> Raw {
    let mut raw = super::vandal(fixture);
    raw.script("DELETE FROM installation");
    raw.script(match raw {
        Raw::Sqlite(_) => {
            "INSERT INTO installation (id) VALUES (x'000102030405060708090a0b0c0d0e0f')"
        }
        Raw::Postgres(_) => {
            "INSERT INTO installation (id) VALUES ('00010203-0405-0607-0809-0a0b0c0d0e0f')"
        }
    });
    raw
}

fn misfits(fixture: &Fixture, table: &Table) -> Vec<String> {
    let mut found = Vec::new();
    let mut visit = |row: &Row<'_>| {
        for (at, (column, domain)) in table.columns.iter().enumerate() {
            if !domain.has(row, at) {
                found.push(table.misfit(row, (at, column, domain)));
            }
        }
        Ok(())
    };
    let read =
        fixture.store.read_directory_blocking(|tx| tx.for_each(&table.walk(), &[], &mut visit));
    read.unwrap();
    found
}

#[test]
fn a_wrong_value_of_any_column_is_named() {
    on_both(|fixture| {
        let mut raw = empty(fixture);
        let is_sqlite = matches!(raw, Raw::Sqlite(_));
        let mut planted = 0;
        for table in tables().filter(|table| table.name != "installation") {
            let values: Vec<(Option<String>, String)> = table
                .columns
                .iter()
                .map(|(_, domain)| (wrong(domain, is_sqlite), any(domain, is_sqlite)))
                .collect();
            let row: Vec<String> =
                values.iter().map(|(wrong, any)| wrong.as_ref().unwrap_or(any).clone()).collect();
            insert(&mut raw, table, &row);
            let found = misfits(fixture, table);
            for ((column, _), (wrong, _)) in table.columns.iter().zip(&values) {
                let named = format!(": {column} is ");
                let is_named = found
                    .iter()
                    .any(|problem| problem.starts_with(table.name) && problem.contains(&named));
                assert!(is_named || wrong.is_none(), "{}.{column}: {found:?}", table.name);
                planted += usize::from(wrong.is_some());
            }
        }
        assert!(planted > 250, "{planted}");
    });
}

#[test]
fn an_id_that_no_row_has_is_named_in_any_column() {
    on_both(|fixture| {
        let mut raw = empty(fixture);
        let is_sqlite = matches!(raw, Raw::Sqlite(_));
        let mut planted = 0;
        for table in tables().filter(|table| table.name != "installation") {
            let row: Vec<String> =
                table.columns.iter().map(|(_, domain)| any(domain, is_sqlite)).collect();
            insert(&mut raw, table, &row);
            let mut findings = Findings::default();
            let result = fixture
                .store
                .read_directory_blocking(|tx| columns::references_hold(tx, &mut findings));
            let outcome = findings.into_outcome(("a", "b", "c"), result);
            let found = outcome.problems;
            assert!(found.len() < PROBLEMS_NAMED, "{found:?}");
            for (column, domain) in table.columns {
                let Some((parent, _)) = domain.target() else { continue };
                let named = found.iter().any(|problem| {
                    problem.starts_with(&format!("{} ", table.name))
                        && problem.contains(&format!(": {column} is "))
                        && problem.ends_with(&format!("which no row of {parent} has"))
                });
                assert!(named, "{}.{column}: {found:?}", table.name);
                planted += 1;
            }
            raw.script(&format!("DELETE FROM {}", table.name));
        }
        assert!(planted > 80, "{planted}");
    });
}
