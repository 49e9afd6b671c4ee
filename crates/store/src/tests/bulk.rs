//! Bulk inserts give the same rows as single ones, and can't be forgotten.

use purser_core::error::{Error, Result};
use uuid::Uuid;

use crate::driver::{Bulk, ColumnType, Inserter, Tx, Val, statements, vals};
use crate::families::FamilyId;
use crate::testing::{Fixture, on_both};

/// A table with every type; it is made by the test.
static MIXED: Bulk = Bulk {
    table: "mixed",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("name", ColumnType::Text),
        ("hash", ColumnType::Bytes),
        ("pending", ColumnType::Bool),
    ],
};

statements! {
    INSERT = "INSERT INTO mixed (family_id, id, name, hash, pending) VALUES ($1, $2, $3, $4, $5)";
    ALL = "SELECT id, name, hash, pending FROM mixed WHERE family_id = $1 ORDER BY id";
}

type MixedRow = (Uuid, Option<String>, Option<Vec<u8>>, bool);

fn create(fixture: &Fixture) {
    let (uuid, bytes, boolean) = match fixture.store.is_sqlite() {
        true => ("BLOB", "BLOB", "INTEGER"),
        false => ("UUID", "BYTEA", "BOOLEAN"),
    };
    fixture.raw().script(&format!(
        "CREATE TABLE mixed (family_id BIGINT NOT NULL, id {uuid} NOT NULL, name TEXT, hash {bytes},
            pending {boolean} NOT NULL, PRIMARY KEY (family_id, id))"
    ));
}

/// Rows with nulls, empty and long texts, quotes, and every byte.
fn rows(count: u32) -> Vec<MixedRow> {
    let bytes: Vec<u8> = (0..=255).collect();
    (0..count)
        .map(|n| {
            let name = match n % 4 {
                0 => None,
                1 => Some(String::new()),
                2 => Some(format!("{{\"it's\", NULL}} \\ € {n}")),
                _ => Some("x".repeat(300)),
            };
            let hash = (n % 3 != 0).then(|| bytes[..n as usize % 257].to_vec());
            (Uuid::from_u128(u128::from(n) + 1), name, hash, n % 2 == 0)
        })
        .collect()
}

fn values(family: i64, row: &MixedRow) -> [Val<'_>; 5] {
    let (id, name, hash, pending) = row;
    *vals![family, *id, name.as_ref(), hash.as_ref(), *pending]
}

fn read(fixture: &Fixture, family: i64) -> Vec<MixedRow> {
    let read = |tx: &mut Tx<'_>| {
        tx.query(&ALL, vals![family], |row| {
            let hash = row.opt_bytes(2)?.map(<[u8]>::to_vec);
            Ok((row.uuid(0)?, row.opt_string(1)?, hash, row.bool(3)?))
        })
    };
    fixture.store.read_directory_blocking(read).unwrap()
}

#[test]
fn bulk_inserts_equal_single_inserts() {
    assert_eq!(STATEMENTS.len(), 2);
    on_both(|fixture| {
        create(fixture);
        let rows = rows(10_003);
        let total = fixture.store.write_directory_blocking(|tx| {
            for row in &rows {
                tx.execute(&INSERT, &values(1, row))?;
            }
            let mut inserter = Inserter::new(&MIXED);
            for row in &rows {
                inserter.push(tx, &values(2, row))?;
            }
            inserter.flush(tx)
        });
        assert_eq!(total.unwrap(), 10_003);
        assert_eq!(read(fixture, 1), rows);
        assert_eq!(read(fixture, 2), rows);
    });
}

#[test]
fn rows_that_were_not_flushed_are_refused() {
    on_both(|fixture| {
        create(fixture);
        let result = fixture
            .store
            .write_directory_blocking(|tx| Inserter::new(&MIXED).push(tx, &values(1, &rows(1)[0])));
        assert!(matches!(result, Err(Error::Internal { .. })));
        assert_eq!(read(fixture, 1), []);
    });
}

#[test]
fn a_wrong_row_rolls_everything_back() {
    on_both(|fixture| {
        create(fixture);
        let twice = [&rows(1)[0], &rows(1)[0]].map(Clone::clone);
        let insert = |tx: &mut Tx<'_>| -> Result<u64> {
            let mut inserter = Inserter::new(&MIXED);
            for row in &twice {
                inserter.push(tx, &values(1, row))?;
            }
            inserter.flush(tx)
        };
        let error = fixture.store.write_directory_blocking(insert).unwrap_err();
        assert!(crate::driver::is_unique_violation(&error, "mixed_pkey"), "{error}");
        let short = fixture.store.write_directory_blocking(|tx| {
            Inserter::new(&MIXED).push(tx, vals![FamilyId::from_number(1)])
        });
        assert!(short.is_err());
        assert_eq!(read(fixture, 1), []);
    });
}
