//! Nothing but the executor writes what people see: which files may hold statements that write a
//! table is listed here, and the sources are read.
//!
//! A file of a kind of record (`…/record.rs`) has its statements for the executor, which keeps the
//! images of what they change. The rest are steps of plans (`ledger`), and what follows from them.

use std::collections::BTreeSet;

use super::{crates, sources};

/// Tables of what people see, with the files that may write them. What is removed for good leaves
/// nothing to go back to.
const WRITERS: [(&str, &[&str]); 21] = [
    ("accounts", &["ledger/", "users/removal.rs"]),
    ("entries", &["ledger/"]),
    ("entry_tags", &["ledger/"]),
    ("entry_origins", &["ledger/"]),
    ("entry_records", &["ledger/"]),
    ("entry_conversions", &["ledger/"]),
    ("trades", &["ledger/"]),
    ("balances", &["ledger/"]),
    ("position_segments", &["ledger/"]),
    ("position_checkpoints", &["ledger/"]),
    ("position_statements", &["ledger/"]),
    // What a person states about a position is changed with an executor, too.
    ("holdings", &["ledger/", "holdings/change.rs", "securities/record.rs"]),
    ("categories", &["ledger/records/categories.rs", "families/removal.rs"]),
    ("tags", &["ledger/records/tags.rs"]),
    ("merchants", &["ledger/records/merchants.rs"]),
    // A label that goes is replaced in rules, lines and series, or taken out of them.
    ("rules", &["rules/record.rs", "ledger/labels.rs"]),
    ("budgets", &["budgets.rs"]),
    ("budget_categories", &["budgets/lines.rs", "ledger/labels.rs"]),
    // When the feed was asked for a security is no property of it.
    ("securities", &["securities/record.rs", "prices/feed.rs"]),
    ("security_prices", &["prices/record.rs"]),
    ("family_rates", &["rates/record.rs"]),
];

/// Series follow what they point to: a label or an account that goes.
const SERIES: (&str, &[&str]) = ("recurring_transactions", &["recurring/record.rs", "ledger/"]);

#[test]
fn only_the_executor_writes_what_people_see() {
    let folder = crates().join("store/src");
    let mut found = BTreeSet::new();
    for (path, source) in sources(&folder) {
        let file = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
        // Tests prepare what they need.
        let is_test = ["tests/", "testing.rs"].iter().any(|part| file.contains(part))
            || file.ends_with("tests.rs");
        if !is_test {
            found.extend(written(&source).into_iter().map(|table| (table, file.clone())));
        }
    }
    for (table, allowed) in WRITERS.iter().chain([&SERIES]) {
        let writers: Vec<&str> =
            found.iter().filter(|(of, _)| of == table).map(|(_, file)| file.as_str()).collect();
        assert!(!writers.is_empty(), "nothing writes {table}: is that its name?");
        for file in writers {
            let is_allowed = allowed.iter().any(|part| file.starts_with(part));
            assert!(
                is_allowed,
                "{file} writes {table}: changes go through ledger::Executor, which keeps what was \
                 there before (docs/plan.md)"
            );
        }
    }
}

#[test]
fn statements_that_write_are_found() {
    let source = r#"A = "INSERT INTO tags (id) VALUES ($1)"; B = "UPDATE rules
        SET a = 1"; C = "DELETE FROM budgets WHERE"; table: "security_prices", "SELECT FROM x""#;
    assert_eq!(written(source), ["tags", "rules", "budgets", "security_prices"]);
}

/// The tables that statements of a source write.
fn written(source: &str) -> Vec<String> {
    let mut tables = Vec::new();
    for verb in ["INSERT INTO ", "UPDATE ", "DELETE FROM ", "table: \""] {
        for part in source.split(verb).skip(1) {
            let name: String =
                part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            if !name.is_empty() {
                tables.push(name);
            }
        }
    }
    tables
}
