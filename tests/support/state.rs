//! Everything that a database holds, to compare what was there before a fault with what is there
//! after it.

use std::collections::{BTreeMap, BTreeSet};

use super::Sql;

/// Columns that move without anybody doing anything.
const RESTLESS: [(&str, &str); 1] = [("api_keys", "last_used_at")];

/// The rows of every table, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State(BTreeMap<String, BTreeSet<Vec<String>>>);

impl State {
    /// Reads all families' tables.
    pub(crate) fn read(sql: &Sql) -> Self {
        let (tables, columns) = match sql {
            Sql::Sqlite(_) => (
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                "SELECT name FROM pragma_table_info('{}')",
            ),
            Sql::Postgres(_) => (
                "SELECT table_name FROM information_schema.tables
                    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
                "SELECT column_name FROM information_schema.columns WHERE table_name = '{}'
                    ORDER BY column_name",
            ),
        };
        let read = |mut row: Vec<String>| {
            let table = row.remove(0);
            let columns = sql.query(&columns.replace("{}", &table)).into_iter().flatten();
            let columns = columns.filter(|column| !RESTLESS.contains(&(&table, column)));
            let columns = columns.collect::<Vec<_>>().join(", ");
            let rows = sql.query(&format!("SELECT {columns} FROM {table}"));
            (table, rows.into_iter().collect())
        };
        let mut found: BTreeMap<_, _> = sql.query(tables).into_iter().map(read).collect();
        // When somebody looks next: perhaps in vain, and then the row goes.
        found.remove("due");
        let found = Self(found);
        assert!(!found.0["families"].is_empty(), "without a family nothing is compared");
        found
    }

    /// Without these tables, which must exist.
    pub(crate) fn without(&self, tables: &[&str]) -> Self {
        let mut rest = self.clone();
        for table in tables {
            assert!(rest.0.remove(*table).is_some(), "there is no table {table}");
        }
        rest
    }

    /// Fails with what differs, table by table.
    #[track_caller]
    pub(crate) fn assert_is(&self, before: &Self, what: &str) {
        let tables: BTreeSet<_> = self.0.keys().chain(before.0.keys()).collect();
        for table in tables {
            let (was, is) = (&before.0[table], &self.0[table]);
            let gone: Vec<_> = was.difference(is).collect();
            let new: Vec<_> = is.difference(was).collect();
            assert!(gone.is_empty() && new.is_empty(), "{what}: {table}: {gone:?} → {new:?}");
        }
    }
}
