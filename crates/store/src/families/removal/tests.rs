//! No table is forgotten.

use std::collections::BTreeSet;

use super::slices;
use crate::testing::{Fixture, Raw};

/// Tables that the last commit sees to itself.
const BY_ITSELF: [&str; 2] = ["due", "jobs"];

#[test]
fn every_table_of_a_family_has_its_slice() {
    let fixture = Fixture::sqlite();
    let Raw::Sqlite(connection) = fixture.raw() else { panic!("not SQLite") };
    let mut tables = connection
        .prepare(
            "SELECT m.name FROM sqlite_master m
             WHERE m.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) c
                 WHERE c.name = 'family_id')",
        )
        .unwrap();
    let tables = tables.query_map([], |row| row.get(0)).unwrap();
    let mut tables: BTreeSet<String> = tables.map(|name| name.unwrap()).collect();
    assert!(BY_ITSELF.into_iter().all(|name| tables.remove(name)));
    let sliced = slices::STATEMENTS.iter().map(|(name, _)| name.to_lowercase());
    assert_eq!(sliced.collect::<BTreeSet<_>>(), tables);
}
