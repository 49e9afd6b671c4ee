//! Indexes of a database that was restored.

use std::path::Path;

use uuid::Uuid;

use super::{Stored, close, older, restore};
use crate::driver::{Kind, database_error};
use crate::migrations::MIGRATIONS;
use crate::store;
use crate::testing::on_both;

#[test]
fn a_restored_database_has_every_index_and_rows_that_one_forbids_are_refused() {
    on_both(|fixture| {
        let mut backup = older(MIGRATIONS.last().unwrap().version);
        let indexes = |path: &Path| -> Vec<(String, String)> {
            let listed = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
            let connection = rusqlite::Connection::open(path).unwrap();
            let mut statement = connection.prepare(listed).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            rows.map(Result::unwrap).collect()
        };
        close(fixture);
        let (_, store) = restore(fixture, &backup, true).unwrap();
        if let store::Target::Sqlite(path) = &fixture.target {
            let restored = fixture.directory.join("restored").join("purser.db");
            assert_eq!(indexes(&restored), indexes(path));
        }
        drop(store);
        for id in [1, 2] {
            let tag = [
                ("family_id", Stored::Int(5)),
                ("id", Stored::Uuid(Uuid::from_u128(id))),
                ("name", Stored::Text("Trip".to_owned())),
                ("name_key", Stored::Text("trip".to_owned())),
                ("created_at", Stored::Int(1)),
                ("updated_at", Stored::Int(1)),
            ];
            backup.add("tags", &tag);
            close(fixture);
            match (id, restore(fixture, &backup, true)) {
                (1, restored) => drop(restored.unwrap()),
                (_, Ok(_)) => panic!("two tags of one name"),
                (_, Err(error)) => {
                    let kind = database_error(&error).map(|error| error.kind);
                    assert_eq!(kind, Some(Kind::Unique), "{error:?}");
                }
            }
        }
    });
}
