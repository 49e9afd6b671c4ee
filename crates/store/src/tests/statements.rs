//! Every statement that the program can send is understood by both databases.

use crate::driver::AsSql;
use crate::testing::{Raw, on_both};

/// The numbers of the parameters of a text, in order of first appearance.
fn numbers(text: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    for part in text.split('$').skip(1) {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        if let Ok(number) = digits.parse() {
            numbers.push(number);
        }
    }
    numbers.dedup();
    let mut first = Vec::new();
    numbers.into_iter().for_each(|number| {
        if !first.contains(&number) {
            first.push(number);
        }
    });
    first
}

#[test]
fn parameters_appear_in_order() {
    assert_eq!(numbers("a = $2 AND b = $1 OR c = $2"), [2, 1], "the check itself works");
    for (module, statements) in crate::statements() {
        for (name, sql) in statements {
            let found = numbers(sql.text());
            let expected: Vec<usize> = (1..=found.len()).collect();
            assert_eq!(found, expected, "{module}::{name}");
        }
    }
}

#[test]
fn every_statement_prepares_on_both_databases() {
    on_both(|fixture| {
        let mut raw = fixture.raw();
        let mut prepare = |what: &str, sqlite: &str, postgres: &str, params: usize| {
            let found = match &mut raw {
                Raw::Sqlite(connection) => connection
                    .prepare(sqlite)
                    .map(|s| s.parameter_count())
                    .map_err(|e| e.to_string()),
                Raw::Postgres(client) => {
                    client.prepare(postgres).map(|s| s.params().len()).map_err(|e| {
                        e.as_db_error().map_or_else(|| e.to_string(), |e| e.message().to_owned())
                    })
                }
            };
            match found {
                Ok(found) => assert_eq!(found, params, "parameters of {what}"),
                Err(error) => panic!("{what}: {error}\n{postgres}"),
            }
        };
        for (module, statements) in crate::statements() {
            for (name, sql) in statements {
                let params = numbers(sql.text()).len();
                prepare(&format!("{module}::{name}"), sql.sqlite_text(), sql.text(), params);
            }
        }
        for query in crate::query_examples() {
            let params = query.own_params().len();
            prepare(query.sql(), &query.sqlite_text(), query.sql(), params);
        }
        for bulk in crate::bulks() {
            let (sqlite, postgres) = (bulk.sqlite_text(), bulk.postgres_text());
            prepare(bulk.table, &sqlite, &postgres, bulk.columns.len());
        }
    });
}
