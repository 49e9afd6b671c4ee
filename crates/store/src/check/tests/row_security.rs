//! The catalogue of PostgreSQL, walked by the check: no table is forgotten.

use std::collections::BTreeSet;

use super::broken;
use super::data::Data;
use crate::check::columns::tables;
use crate::check::row_security::WITHOUT_FAMILY;
use crate::testing::Fixture;

#[test]
fn every_table_is_protected_or_listed_with_its_reason() {
    let known: BTreeSet<&str> = tables().map(|table| table.name).collect();
    for (table, reason) in WITHOUT_FAMILY {
        assert!(table == "schema_version" || known.contains(table), "{table} is gone");
        assert!(reason.ends_with('.'), "{table}: {reason}");
    }
    let fixture = Fixture::postgres();
    let data = Data::new(&fixture);
    assert_eq!(broken(&fixture, &data), []);
    let mut raw = fixture.raw();
    for (damage, problem, repair) in [
        (
            "CREATE TABLE loose (family_id BIGINT)",
            "loose: row-level security isn't forced",
            "DROP TABLE loose",
        ),
        (
            "CREATE TABLE common (a BIGINT)",
            "common: it has no family and isn't known to need none",
            "DROP TABLE common",
        ),
        (
            "CREATE MATERIALIZED VIEW copied AS SELECT * FROM tags",
            "copied: row-level security doesn't apply to what it is",
            "DROP MATERIALIZED VIEW copied",
        ),
        (
            "CREATE VIEW shown AS SELECT * FROM tags",
            "shown: the view has the rights of its owner",
            "DROP VIEW shown",
        ),
        (
            "ALTER TABLE tags NO FORCE ROW LEVEL SECURITY",
            "tags: row-level security isn't forced",
            "ALTER TABLE tags FORCE ROW LEVEL SECURITY",
        ),
        (
            "ALTER TABLE families DISABLE ROW LEVEL SECURITY",
            "families: row-level security isn't forced",
            "ALTER TABLE families ENABLE ROW LEVEL SECURITY",
        ),
        (
            "CREATE POLICY open ON tags USING (TRUE)",
            "tags: it must have the one policy of_family as it was built",
            "DROP POLICY open ON tags",
        ),
        (
            "ALTER POLICY of_family ON users TO purser",
            "users: it must have the one policy of_family as it was built",
            "ALTER POLICY of_family ON users TO PUBLIC",
        ),
    ] {
        raw.script(damage);
        let found: Vec<String> = broken(&fixture, &data)
            .into_iter()
            .filter(|(name, _)| *name == "row_security")
            .flat_map(|(_, problems)| problems)
            .collect();
        assert_eq!(found, [problem], "{damage}");
        raw.script(repair);
    }
    assert_eq!(broken(&fixture, &data), []);
}
