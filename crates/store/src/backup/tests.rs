//! What a database is built from: backups of every version of the schema, into both databases.

mod indexes;

use std::path::Path;

use purser_core::error::{Error, Result};
use uuid::Uuid;

use super::{
    Restored, Sink, Snapshot, Source, TableShape, Target, catalogue, dump, restore_postgres,
    restore_sqlite,
};
use crate::check::columns::tables;
use crate::driver::{ColumnType, Val};
use crate::migrations::{self, MIGRATIONS};
use crate::store::{self, Store, StoreOptions};
use crate::testing::{Fixture, on_both, options};
use crate::{families, installation, jobs};

/// A backup in memory.
#[derive(Debug, Clone, Default)]
struct Memory {
    snapshot: Option<Snapshot>,
    /// The rows of each table.
    tables: Vec<Vec<Vec<Stored>>>,
    /// Tables that were given already.
    given: usize,
}

/// A value that owns what it has.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stored {
    Null,
    Int(i64),
    Text(String),
    Uuid(Uuid),
    Bytes(Vec<u8>),
    Bool(bool),
}

impl Stored {
    fn of(value: &Val<'_>) -> Self {
        match *value {
            Val::Null => Self::Null,
            Val::Int(number) => Self::Int(number),
            Val::Text(text) => Self::Text(text.to_owned()),
            Val::Uuid(id) => Self::Uuid(id),
            Val::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            Val::Bool(value) => Self::Bool(value),
        }
    }

    fn value(&self) -> Val<'_> {
        match self {
            Self::Null => Val::Null,
            Self::Int(number) => Val::Int(*number),
            Self::Text(text) => Val::Text(text),
            Self::Uuid(id) => Val::Uuid(*id),
            Self::Bytes(bytes) => Val::Bytes(bytes),
            Self::Bool(value) => Val::Bool(*value),
        }
    }
}

impl Sink for Memory {
    fn begin(&mut self, snapshot: &Snapshot) -> Result<()> {
        self.snapshot = Some(snapshot.clone());
        Ok(())
    }

    fn table(&mut self) -> Result<()> {
        self.tables.push(Vec::new());
        Ok(())
    }

    fn row(&mut self, row: &[Val<'_>]) -> Result<()> {
        self.tables.last_mut().unwrap().push(row.iter().map(Stored::of).collect());
        Ok(())
    }
}

impl Source for Memory {
    fn snapshot(&self) -> &Snapshot {
        self.snapshot.as_ref().unwrap()
    }

    fn part(&mut self, target: &mut dyn Target) -> Result<bool> {
        let Some(rows) = self.tables.get(self.given) else { return Ok(false) };
        for row in rows {
            let row: Vec<Val<'_>> = row.iter().map(Stored::value).collect();
            target.row(self.given, &row)?;
        }
        self.given += 1;
        Ok(true)
    }
}

impl Memory {
    fn of(store: &Store) -> Self {
        let mut memory = Self::default();
        assert!(dump(store, false, &mut memory).unwrap().is_some());
        memory
    }

    fn at(&self, table: &str) -> usize {
        self.snapshot().tables.iter().position(|one| one.name == table).unwrap()
    }

    /// Adds a row with these values; the others are null.
    fn add(&mut self, table: &str, values: &[(&str, Stored)]) {
        let at = self.at(table);
        let columns = self.snapshot.as_ref().unwrap().tables[at].columns.iter();
        let row = columns.map(|(name, _)| {
            let value = values.iter().find(|(of, _)| of == name);
            value.map_or(Stored::Null, |(_, value)| value.clone())
        });
        let row = row.collect();
        self.tables[at].push(row);
    }
}

/// Every connection of a store to PostgreSQL ends, and the fixture's database stays.
fn close(fixture: &Fixture) {
    if matches!(fixture.target, store::Target::Postgres(_)) {
        fixture.raw().script(
            "DO $$ BEGIN PERFORM pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'purser'
                    AND pid <> pg_backend_pid(); END $$",
        );
    }
}

/// Restores into the fixture's PostgreSQL, or beside its SQLite, and opens the result.
fn restore(fixture: &Fixture, backup: &Memory, replace: bool) -> Result<(Restored, Store)> {
    let data = fixture.directory.join("restored");
    std::fs::create_dir_all(&data).unwrap();
    match &fixture.target {
        store::Target::Sqlite(_) => {
            let path = data.join("purser.db");
            if replace {
                remove(&path);
            }
            let restored = restore_sqlite(&path, &data.as_path().into(), &mut backup.clone())?;
            let target = store::Target::Sqlite(path);
            Ok((restored, Store::open(options(&target, &fixture.clock))?))
        }
        target @ store::Target::Postgres(_) => {
            let options: StoreOptions = options(target, &fixture.clock);
            let restored =
                restore_postgres(options.clone(), &data.as_path().into(), replace, &mut || {
                    Ok(Box::new(backup.clone()))
                })?;
            Ok((restored, Store::open(options)?))
        }
    }
}

fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(crate::driver::beside(path, suffix));
    }
}

fn names(store: &Store) -> Vec<String> {
    let families = store.read_directory_blocking(families::list).unwrap();
    families.into_iter().map(|family| family.name).collect()
}

fn next_number(store: &Store) -> i64 {
    store.write_directory_blocking(installation::next_family_number).unwrap()
}

/// The tables of the schema of a version.
fn shapes(version: i64) -> Vec<TableShape> {
    let folder = tempfile::tempdir().unwrap();
    let target = store::Target::Sqlite(folder.path().join("old.db"));
    let store = Store::open_as_it_is(StoreOptions::new(target)).unwrap();
    let columns = store
        .write_directory_blocking(|tx| {
            migrations::build(tx, version)?;
            catalogue::columns(tx)
        })
        .unwrap();
    let shape = |(name, stored): (&String, &std::collections::BTreeMap<String, String>)| {
        let listed = tables().find(|table| table.name == *name).unwrap();
        let column = |column: &String| -> (String, ColumnType) {
            // The only column that a step has renamed.
            let present = if column == "removed_family" { "last_family" } else { column };
            let found = listed.columns.iter().find(|(name, _)| *name == present);
            (column.clone(), found.expect("a column that there still is").1.column_type())
        };
        TableShape { name: name.clone(), columns: stored.keys().map(column).collect() }
    };
    let mut shapes: Vec<TableShape> = columns.iter().map(shape).collect();
    shapes.sort_by_key(|table| (table.name != "installation", table.name != "families"));
    shapes
}

/// A backup of a database with the schema of this version, without rows but for its id, a family
/// and a job that runs.
fn older(version: i64) -> Memory {
    let shapes = shapes(version);
    let database = Uuid::from_u128(0xABC);
    let mut backup = Memory {
        tables: vec![Vec::new(); shapes.len()],
        snapshot: Some(Snapshot {
            schema_version: version,
            database,
            created_at: crate::testing::START.parse().unwrap(),
            tables: shapes,
        }),
        given: 0,
    };
    let text = |text: &str| Stored::Text(text.to_owned());
    let number = Stored::Int;
    let mut installation = vec![("id", Stored::Uuid(database))];
    if version >= 11 {
        let column = if version >= 16 { "last_family" } else { "removed_family" };
        installation.push((column, number(5)));
    }
    if version >= 29 {
        installation.push(("files_place", text("folder")));
        installation.push(("is_distributed", Stored::Bool(false)));
    }
    backup.add("installation", &installation);
    backup.add(
        "families",
        &[
            ("id", number(5)),
            ("public_id", Stored::Uuid(Uuid::from_u128(1))),
            ("name", text("Old ones")),
            ("currency", text("EUR")),
            ("time_zone", text("Europe/Berlin")),
            ("version", number(3)),
            ("created_at", number(1)),
            ("transfer_matching", text("automatic")),
            ("month_start_day", number(1)),
            ("locale", text("en")),
            ("date_format", text("%Y-%m-%d")),
        ],
    );
    let mut job = vec![
        ("id", Stored::Uuid(Uuid::from_u128(2))),
        ("family_id", number(5)),
        ("kind", text("transfers.match")),
        ("payload", text("{}")),
        ("state", text("running")),
        ("run_at", number(1)),
        ("attempts", number(0)),
        ("attempts_max", number(6)),
        ("lease_token", number(1)),
        ("lease_owner", text("somebody")),
        ("lease_until", number(2)),
        ("created_at", number(1)),
        ("deaths", number(0)),
    ];
    if version >= 37 {
        job.push(("time_limits", number(0)));
    }
    backup.add("jobs", &job);
    backup
}

#[test]
fn a_backup_of_an_older_schema_becomes_the_newest() {
    let newest = MIGRATIONS.last().unwrap().version;
    on_both(|fixture| {
        for version in [9, 10, 12, newest] {
            close(fixture);
            let (restored, store) = restore(fixture, &older(version), true).unwrap();
            assert_eq!((restored.snapshot.schema_version, restored.rows), (version, 3));
            assert_eq!(names(&store), ["Old ones"]);
            let (found, queue) = store
                .read_directory_blocking(|tx| Ok((migrations::version(tx)?, jobs::list(tx)?)))
                .unwrap();
            assert_eq!(found, newest);
            let state = queue.iter().map(|job| job.state).collect::<Vec<_>>();
            assert_eq!(state, [jobs::State::Queued], "nobody works on it");
            assert_eq!(next_number(&store), 6, "one that no family had");
            drop(store);
        }
    });
}

#[test]
fn a_newer_schema_is_refused_before_anything_is_done() {
    on_both(|fixture| {
        let mut backup = older(9);
        backup.snapshot.as_mut().unwrap().schema_version = 9_999;
        close(fixture);
        let error = restore(fixture, &backup, true).err().unwrap();
        assert_eq!(error.code(), "database_newer");
        assert!(error.to_string().contains("schema version 9999"), "{error}");
    });
}

#[test]
fn tables_that_are_not_those_of_the_schema_are_refused() {
    on_both(|fixture| {
        let refused = |change: &dyn Fn(&mut Memory)| {
            let mut backup = older(9);
            change(&mut backup);
            close(fixture);
            let error = restore(fixture, &backup, true).err().unwrap();
            assert!(matches!(error, Error::Conflict { code: "backup_damaged", .. }), "{error}");
            error.to_string()
        };
        let text = refused(&|backup| {
            let at = backup.at("tags");
            backup.snapshot.as_mut().unwrap().tables[at].name = "tags; DROP TABLE users".into();
        });
        assert!(text.contains("DROP TABLE users is not that of schema version 9"), "{text}");
        let text = refused(&|backup| {
            let at = backup.at("tags");
            backup.snapshot.as_mut().unwrap().tables[at].columns[0].0 = "x".into();
        });
        assert!(text.contains("its table tags is not"), "{text}");
        let text = refused(&|backup| {
            let at = backup.at("tags");
            backup.snapshot.as_mut().unwrap().tables.remove(at);
            backup.tables.remove(at);
        });
        assert!(text.contains("its table tags is not"), "{text}");
        let text = refused(&|backup| {
            backup.snapshot.as_mut().unwrap().database = Uuid::nil();
        });
        assert!(text.contains("another database"), "{text}");
    });
}

#[test]
fn postgresql_with_a_family_or_a_server_is_left_alone() {
    let fixture = Fixture::postgres();
    fixture.family("mine");
    let backup = older(12);
    let error = restore(&fixture, &backup, true).err().unwrap();
    assert_eq!(error.code(), "database_in_use");
    close(&fixture);
    fixture.raw().script("CREATE TABLE others (a INTEGER); INSERT INTO others VALUES (7)");
    let error = restore(&fixture, &backup, false).err().unwrap();
    assert_eq!(error.code(), "database_not_empty");
    assert_eq!(names(&fixture.store), ["mine"]);
    close(&fixture);
    let (_, store) = restore(&fixture, &backup, true).unwrap();
    assert_eq!(names(&store), ["Old ones"]);
    fixture.raw().script("DO $$ BEGIN ASSERT (SELECT a FROM others) = 7; END $$");
}

#[test]
fn what_is_read_is_what_is_built_and_what_others_point_to_comes_first() {
    on_both(|fixture| {
        let (family, _) = fixture.family("mine");
        let _ = crate::files::FileStore::open(&fixture.directory, &fixture.store).unwrap();
        fixture.raw().script(&format!(
            "INSERT INTO hidden_entries (family_id, import_id, action, first_id, last_id)
                SELECT {0}, id, 'undo', id, id FROM installation",
            family.number()
        ));
        // The number of a family that is gone by now is part of it.
        let number = next_number(&fixture.store);
        let backup = Memory::of(&fixture.store);
        for (from, _, to) in fixture.store.read_directory_blocking(catalogue::foreign_keys).unwrap()
        {
            let at =
                |name: &str| backup.snapshot().tables.iter().position(|table| table.name == name);
            let follows = at(&from).zip(at(&to)).is_none_or(|(from, to)| to <= from);
            assert!(follows, "{from} before {to}");
        }
        close(fixture);
        let (restored, store) = restore(fixture, &backup, true).unwrap();
        assert_eq!(restored.snapshot, *backup.snapshot());
        let again = Memory::of(&store);
        for (at, table) in backup.snapshot().tables.iter().enumerate() {
            let expected: &[Vec<Stored>] = match table.name.as_str() {
                // What was hidden is removed: only SQLite knows how to hide it.
                "hidden_entries" => &[],
                _ => &backup.tables[at],
            };
            assert_eq!(again.tables[at], expected, "{}", table.name);
        }
        assert_eq!(next_number(&store), number + 1);
    });
}
