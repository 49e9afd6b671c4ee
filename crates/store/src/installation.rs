//! The database's own id. Numbers of families are the same in every database, so what is kept
//! outside of one is kept under this.
//!
//! The numbers of families are counted in the row on SQLite, and in a sequence on PostgreSQL, where
//! the row's count is at its end. A backup has the number of the newest family in the row.

use purser_core::error::{Error, Result};
use purser_core::named::Named as _;
use uuid::Uuid;

use crate::driver::{Dialect, DirectoryLock, Sql, Tx, statements, vals};
use crate::files::FilesPlace;
use crate::store::Store;

statements! {
    /// The only row of the table.
    GET = "SELECT id FROM installation";
    /// The largest number of a family.
    LAST_FAMILY = "SELECT CAST(COALESCE(MAX(id), 0) AS BIGINT) FROM families";
    /// Inserts the only row.
    INSERT = "INSERT INTO installation (id, last_family) VALUES ($1, $2)";
    /// Where the uploaded files are.
    FILES_PLACE = "SELECT files_place FROM installation";
    /// Notes where the uploaded files are.
    SET_FILES_PLACE = "UPDATE installation SET files_place = $1";
    /// Whether the families are to be spread over machines.
    IS_DISTRIBUTED = "SELECT is_distributed FROM installation";
    /// Notes whether the families are spread over machines.
    SET_DISTRIBUTED = "UPDATE installation SET is_distributed = $1";
    /// The number of the newest family, on SQLite.
    LAST_NUMBER = "SELECT last_family FROM installation";
    /// The number of the next family, on SQLite.
    NEXT_FAMILY = "UPDATE installation SET last_family = last_family + 1 RETURNING last_family";
    /// Lets the count go on after a number, if it is behind.
    RAISE_COUNT = "UPDATE installation SET last_family = $1 WHERE last_family < $1";
    /// Leaves the count to the sequence.
    END_COUNT = "UPDATE installation SET last_family = 9223372036854775807";
}

/// The number of the newest family, on PostgreSQL.
const LAST_OF_SEQUENCE: Sql = Sql::new("SELECT last_value FROM family_numbers", "");
/// The number of the next family, on PostgreSQL.
const NEXT_OF_SEQUENCE: Sql = Sql::new("SELECT nextval('family_numbers')", "");
/// Lets the sequence go on after the count of the row, unless that is at its end.
const CONTINUE_COUNT: Sql = Sql::new(
    "SELECT setval('family_numbers', last_family) FROM installation
        WHERE last_family < 9223372036854775807",
    "",
);
/// How a column is read for a backup, if not as it is: the count of the row is at its end.
pub(crate) const POSTGRES_COUNT: (&str, &str, &str) =
    ("installation", "last_family", "(SELECT last_value FROM family_numbers) AS last_family");

/// Families that are compared with directories at a time.
const RANGE: usize = 10_000;

/// The id, if the database has one yet. Blocks.
pub(crate) fn find(store: &Store) -> Result<Option<Uuid>> {
    store.read_directory_blocking(get)
}

/// The id, which a new database gets now. Blocks.
pub(crate) fn id(store: &Store) -> Result<Uuid> {
    if let Some(id) = find(store)? {
        return Ok(id);
    }
    store.write_directory_blocking(insert)
}

/// As [`id`], in a transaction.
pub(crate) fn require(tx: &mut Tx<'_>) -> Result<Uuid> {
    get(tx)?.map_or_else(|| insert(tx), Ok)
}

/// The number of the next family. None is ever given to two, so that no family finds the files of
/// one that was removed. On PostgreSQL nobody waits for the transaction that has taken one.
pub(crate) fn next_family_number(tx: &mut Tx<'_>) -> Result<i64> {
    require(tx)?;
    let next = if tx.dialect() == Dialect::Sqlite { &NEXT_FAMILY } else { &NEXT_OF_SEQUENCE };
    tx.query_one(next, &[], |row| row.int(0))
}

/// The number of the newest family that was ever made.
fn last_family_number(tx: &mut Tx<'_>) -> Result<i64> {
    let last = if tx.dialect() == Dialect::Sqlite { &LAST_NUMBER } else { &LAST_OF_SEQUENCE };
    Ok(tx.query_opt(last, &[], |row| row.int(0))?.unwrap_or(0))
}

/// The number that the counter of families is at, and that of the newest family there is, if the
/// counter is behind.
pub(crate) fn count_behind(tx: &mut Tx<'_>) -> Result<Option<(i64, i64)>> {
    let newest = tx.query_one(&LAST_FAMILY, &[], |row| row.int(0))?;
    let last = last_family_number(tx)?;
    Ok((last < newest).then_some((last, newest)))
}

/// Goes on counting after the number that the row has, which comes from a backup or is new, and
/// after that of every family.
pub(crate) fn continue_numbers(tx: &mut Tx<'_>) -> Result<()> {
    let newest = tx.query_one(&LAST_FAMILY, &[], |row| row.int(0))?;
    tx.execute(&RAISE_COUNT, vals![newest])?;
    if tx.dialect() == Dialect::Postgres {
        tx.query_opt(&CONTINUE_COUNT, &[], |_| Ok(()))?;
        tx.execute(&END_COUNT, &[])?;
    }
    Ok(())
}

/// The numbers that there are, in parts of some thousand: each is what comes before the first and
/// the last one. The last part has everything that no family should have, too.
pub(crate) fn family_ranges(tx: &mut Tx<'_>) -> Result<Vec<(i64, i64)>> {
    let last = last_family_number(tx)?;
    // A counter that is damaged would make parts without end.
    let last = last.min(tx.query_one(&LAST_FAMILY, &[], |row| row.int(0))?);
    let mut bounds = vec![i64::MIN];
    bounds.extend((0..last).step_by(RANGE).skip(1));
    bounds.push(i64::MAX);
    Ok(bounds.windows(2).map(|pair| (pair[0], pair[1])).collect())
}

/// The id, as a transaction reads it.
pub(crate) fn get(tx: &mut Tx<'_>) -> Result<Option<Uuid>> {
    tx.query_opt(&GET, &[], |row| row.uuid(0))
}

/// Where the uploaded files are.
pub(crate) fn files_place(tx: &mut Tx<'_>) -> Result<FilesPlace> {
    let place = tx.query_opt(&FILES_PLACE, &[], |row| row.string(0))?;
    place.map_or(Ok(FilesPlace::Folder), |name| {
        FilesPlace::named(&name).ok_or_else(|| Error::internal(format!("unknown place: {name}")))
    })
}

/// Notes where the uploaded files are.
pub(crate) fn set_files_place(tx: &mut Tx<'_>, place: FilesPlace) -> Result<()> {
    tx.execute(&SET_FILES_PLACE, vals![place.name()]).map(drop)
}

/// Whether the families are to be spread over machines.
pub(crate) fn is_distributed(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(tx.query_opt(&IS_DISTRIBUTED, &[], |row| row.bool(0))?.unwrap_or(false))
}

/// Notes whether the families are spread over machines.
pub(crate) fn set_distributed(tx: &mut Tx<'_>, is_distributed: bool) -> Result<()> {
    tx.execute(&SET_DISTRIBUTED, vals![is_distributed]).map(drop)
}

/// Inserts the row, unless somebody else has done it while this waited for the lock.
fn insert(tx: &mut Tx<'_>) -> Result<Uuid> {
    tx.lock_directory(DirectoryLock::Schema)?;
    if let Some(id) = get(tx)? {
        return Ok(id);
    }
    let id = tx.new_id()?;
    let last_family = tx.query_one(&LAST_FAMILY, &[], |row| row.int(0))?;
    tx.execute(&INSERT, vals![id, last_family])?;
    continue_numbers(tx)?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both;

    #[test]
    fn a_counter_that_is_damaged_makes_no_parts_without_end() {
        on_both(|fixture| {
            fixture.family("a");
            fixture.raw().script("UPDATE installation SET last_family = 1000000000000000");
            if !fixture.store.is_sqlite() {
                fixture.raw().script("SELECT setval('family_numbers', 1000000000000000)");
            }
            let ranges = fixture.store.read_directory_blocking(family_ranges).unwrap();
            assert_eq!(ranges, [(i64::MIN, i64::MAX)]);
        });
    }

    #[test]
    fn a_counter_that_is_behind_is_noticed_and_goes_on_after_the_families_that_there_are() {
        on_both(|fixture| {
            fixture.family("a");
            let newest = fixture.family("b").0.number();
            let behind = || fixture.store.read_directory_blocking(count_behind).unwrap();
            assert_eq!(behind(), None);
            // As in a backup that was damaged, or a standby that doesn't follow the sequence.
            fixture.raw().script("UPDATE installation SET last_family = 1");
            if !fixture.store.is_sqlite() {
                fixture.raw().script("SELECT setval('family_numbers', 1)");
            }
            assert_eq!(behind(), Some((1, newest)));
            fixture.store.write_directory_blocking(continue_numbers).unwrap();
            assert_eq!(behind(), None);
        });
    }
}
