//! Reading everything, in one snapshot.

use std::borrow::Cow;

use purser_core::error::{Error, Result};

use super::catalogue::{CatalogueQuery, foreign_keys};
use super::order::{ForeignKey, by_dependency};
use super::{LEFT_OUT, Sink, Snapshot, TableShape, WITHOUT_LIMITS};
use crate::check::columns::{Domain, Table, tables};
use crate::driver::{AsSql, ColumnType, Dialect, Row, Tx, Val};
use crate::files::{self, StoredFile};
use crate::installation::{self, POSTGRES_COUNT};
use crate::migrations;
use crate::store::Store;

/// Whether no other process makes a backup, and none begins to before this transaction ends. SQLite
/// has one server. The number is one that no other program on the database uses.
const TRY_LOCK: CatalogueQuery = CatalogueQuery::postgres(
    "SELECT pg_try_advisory_xact_lock(CAST(x'7075727365720003' AS BIGINT))",
);

/// Reads every row of every table in one snapshot, and returns the uploaded files that the rows
/// name. `None` if another process makes a backup at the moment and `alone` is wanted. Blocks.
///
/// Of a large SQLite database a copy is read, so that its log doesn't grow meanwhile.
pub fn dump(store: &Store, alone: bool, sink: &mut dyn Sink) -> Result<Option<Vec<StoredFile>>> {
    let read = read_all(&store.for_long_reads(), alone, sink);
    read.map_err(|error| {
        store.confirm(error, |store| read_all(store, alone, &mut Nobody).map(drop))
    })
}

/// Takes nothing of what is read.
struct Nobody;

impl Sink for Nobody {
    fn begin(&mut self, _snapshot: &Snapshot) -> Result<()> {
        Ok(())
    }

    fn table(&mut self) -> Result<()> {
        Ok(())
    }

    fn row(&mut self, _row: &[Val<'_>]) -> Result<()> {
        Ok(())
    }
}

fn read_all(store: &Store, alone: bool, sink: &mut dyn Sink) -> Result<Option<Vec<StoredFile>>> {
    store.read_directory_blocking(|tx| {
        if tx.dialect() == Dialect::Postgres {
            tx.script(WITHOUT_LIMITS)?;
            if alone && !tx.query_one(&TRY_LOCK, &[], |row| row.bool(0))? {
                return Ok(None);
            }
        }
        let keys = foreign_keys(tx)?;
        let tables = in_order(&keys)?;
        let database = installation::get(tx)?;
        let snapshot = Snapshot {
            schema_version: migrations::version(tx)?,
            database: database.ok_or_else(|| Error::internal("the database has no id"))?,
            created_at: tx.now(),
            tables: tables.iter().map(|table| shape(table)).collect(),
        };
        sink.begin(&snapshot)?;
        for (table, shape) in tables.into_iter().zip(&snapshot.tables) {
            sink.table()?;
            read_table(tx, shape, &Walk::of(table, &keys), sink)?;
        }
        files::all(tx).map(Some)
    })
}

/// The tables of a backup, with those first that others point to.
fn in_order(keys: &[ForeignKey]) -> Result<Vec<&'static Table>> {
    let listed: Vec<&Table> = tables().filter(|table| !LEFT_OUT.contains(&table.name)).collect();
    let names: Vec<&str> = listed.iter().map(|table| table.name).collect();
    let order = by_dependency(&names, keys);
    let order = order.ok_or_else(|| Error::internal("tables point to each other in a circle"))?;
    Ok(order.into_iter().map(|at| listed[at]).collect())
}

fn shape(table: &Table) -> TableShape {
    let column = |(name, domain): &(&str, Domain)| ((*name).to_owned(), domain.column_type());
    TableShape { name: table.name.to_owned(), columns: table.columns.iter().map(column).collect() }
}

fn read_table(tx: &mut Tx<'_>, shape: &TableShape, walk: &Walk, sink: &mut dyn Sink) -> Result<()> {
    let read = tx.for_each(walk, &[], |row| {
        let columns = shape.columns.iter().enumerate();
        let values = columns.map(|(at, (_, column))| value(row, at, *column));
        sink.row(&values.collect::<Result<Vec<Val<'_>>>>()?)
    });
    read.map_err(|error| match error {
        Error::Internal { cause } => Error::internal(format!("table {}: {cause}", shape.name)),
        other => other,
    })
}

/// A value as it is stored, whatever is wrong with it.
fn value<'r>(row: &'r Row<'_>, at: usize, column: ColumnType) -> Result<Val<'r>> {
    Ok(match column {
        ColumnType::Int => row.opt_int(at)?.into(),
        ColumnType::Text => row.opt_text(at)?.into(),
        ColumnType::Uuid => row.opt_uuid(at)?.into(),
        ColumnType::Bytes => row.opt_bytes(at)?.into(),
        // No truth value may be null.
        ColumnType::Bool => row.bool(at)?.into(),
    })
}

/// A statement that is made of names in the table of columns, and never of data.
struct Walk {
    sqlite: String,
    postgres: String,
}

impl Walk {
    /// Reads every row of a table. Of rows that point to others of the same table, those come last
    /// that do: there are two levels of categories, and no other such table.
    fn of(table: &Table, keys: &[ForeignKey]) -> Self {
        let names: Vec<&str> = table.columns.iter().map(|(name, _)| *name).collect();
        let own = keys.iter().find(|(from, column, to)| {
            from == table.name && to == table.name && column != "family_id"
        });
        let last = own.map(|(_, column, _)| {
            format!(" ORDER BY CASE WHEN {column} IS NULL THEN 0 ELSE 1 END")
        });
        let last = last.unwrap_or_default();
        let walk =
            |names: &[&str]| format!("SELECT {} FROM {}{last}", names.join(", "), table.name);
        let (of, counted, count) = POSTGRES_COUNT;
        let on_postgres = |name: &&'static str| {
            if (table.name, *name) == (of, counted) { count } else { *name }
        };
        let postgres: Vec<&str> = names.iter().map(on_postgres).collect();
        Self { sqlite: walk(&names), postgres: walk(&postgres) }
    }
}

impl AsSql for Walk {
    fn postgres_text(&self) -> &str {
        &self.postgres
    }

    fn sqlite_text(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.sqlite)
    }

    fn own_params(&self) -> &[Val<'_>] {
        &[]
    }
}
