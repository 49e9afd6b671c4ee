//! Many rows into one table.
//!
//! SQLite is fastest with one prepared INSERT per row. PostgreSQL is fastest with columns: rows are
//! buffered and sent as arrays, `ROWS_PER_BATCH` at a time.
//!
//! The last rows are sent by [`Inserter::flush`]; a transaction with rows that were not flushed is
//! refused. Rows that others point to must be flushed before those are pushed.

use purser_core::error::{Error, Result};
use uuid::Uuid;

use super::{Tx, Val};

/// Rows per statement on PostgreSQL.
const ROWS_PER_BATCH: usize = 5_000;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// An integer, written as `{int}`.
    Int,
    /// A text, written as `{text}`.
    Text,
    /// An id, written as `{uuid}`.
    Uuid,
    /// Bytes, written as `{bytes}`.
    Bytes,
    /// A truth value, written as `{bool}`.
    Bool,
}

/// A table and the columns that an [`Inserter`] fills; a constant.
#[derive(Debug)]
pub struct Bulk {
    /// The name of the table.
    pub table: &'static str,
    /// Names and types, in the order of the values.
    pub columns: &'static [(&'static str, ColumnType)],
}

impl Bulk {
    /// The statement for one row.
    pub fn sqlite_text(&self) -> String {
        let numbers: Vec<String> = (1..=self.columns.len()).map(|n| format!("?{n}")).collect();
        format!("{} VALUES ({})", self.insert_into(), numbers.join(", "))
    }

    /// The statement for a batch of columns.
    pub fn postgres_text(&self) -> String {
        let arrays: Vec<String> = (1..)
            .zip(self.columns)
            .map(|(number, (_, column))| format!("${number}::{}[]", column.postgres_name()))
            .collect();
        format!("{} SELECT * FROM UNNEST({})", self.insert_into(), arrays.join(", "))
    }

    fn insert_into(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        format!("INSERT INTO {} ({})", self.table, names.join(", "))
    }
}

impl ColumnType {
    fn postgres_name(self) -> &'static str {
        match self {
            Self::Int => "int8",
            Self::Text => "text",
            Self::Uuid => "uuid",
            Self::Bytes => "bytea",
            Self::Bool => "bool",
        }
    }

    fn buffer(self) -> Column {
        match self {
            Self::Int => Column::Int(Vec::new()),
            Self::Text => Column::Text(Vec::new()),
            Self::Uuid => Column::Uuid(Vec::new()),
            Self::Bytes => Column::Bytes(Vec::new()),
            Self::Bool => Column::Bool(Vec::new()),
        }
    }
}

/// The buffered values of one column.
enum Column {
    Int(Vec<Option<i64>>),
    Text(Vec<Option<String>>),
    Uuid(Vec<Option<Uuid>>),
    Bytes(Vec<Option<Vec<u8>>>),
    Bool(Vec<Option<bool>>),
}

impl Column {
    fn push(&mut self, value: Val<'_>) -> Result<()> {
        match (self, value) {
            (Self::Int(values), Val::Null) => values.push(None),
            (Self::Int(values), Val::Int(value)) => values.push(Some(value)),
            (Self::Text(values), Val::Null) => values.push(None),
            (Self::Text(values), Val::Text(value)) => values.push(Some(value.to_owned())),
            (Self::Uuid(values), Val::Null) => values.push(None),
            (Self::Uuid(values), Val::Uuid(value)) => values.push(Some(value)),
            (Self::Bytes(values), Val::Null) => values.push(None),
            (Self::Bytes(values), Val::Bytes(value)) => values.push(Some(value.to_owned())),
            (Self::Bool(values), Val::Null) => values.push(None),
            (Self::Bool(values), Val::Bool(value)) => values.push(Some(value)),
            _ => return Err(Error::internal("a value has another type than its column")),
        }
        Ok(())
    }

    fn clear(&mut self) {
        match self {
            Self::Int(values) => values.clear(),
            Self::Text(values) => values.clear(),
            Self::Uuid(values) => values.clear(),
            Self::Bytes(values) => values.clear(),
            Self::Bool(values) => values.clear(),
        }
    }

    fn param(&self) -> &(dyn tokio_postgres::types::ToSql + Sync) {
        match self {
            Self::Int(values) => values,
            Self::Text(values) => values,
            Self::Uuid(values) => values,
            Self::Bytes(values) => values,
            Self::Bool(values) => values,
        }
    }
}

/// Inserts rows into one table within one transaction.
pub struct Inserter {
    bulk: &'static Bulk,
    buffered: Vec<Column>,
    buffered_rows: usize,
    unflushed: u64,
    total: u64,
}

impl Inserter {
    /// An inserter without any rows.
    pub fn new(bulk: &'static Bulk) -> Self {
        Self { bulk, buffered: Vec::new(), buffered_rows: 0, unflushed: 0, total: 0 }
    }

    /// Takes one row, with a value for each column.
    pub fn push(&mut self, tx: &mut Tx<'_>, row: &[Val<'_>]) -> Result<()> {
        if row.len() != self.bulk.columns.len() {
            return Err(Error::internal(format!("{}: wrong number of values", self.bulk.table)));
        }
        if tx.sends_in_batches() {
            self.buffer(row)?;
        } else {
            tx.insert_row(self.bulk, row)?;
        }
        tx.note_pushed();
        self.unflushed += 1;
        self.total += 1;
        if self.buffered_rows == ROWS_PER_BATCH { self.send(tx) } else { Ok(()) }
    }

    /// Whether the next row sends a batch: what it points to must be sent before.
    pub fn is_batch_due(&self) -> bool {
        self.buffered_rows + 1 == ROWS_PER_BATCH
    }

    /// Sends what is buffered and returns how many rows were inserted altogether.
    pub fn flush(&mut self, tx: &mut Tx<'_>) -> Result<u64> {
        self.send(tx)?;
        Ok(self.total)
    }

    fn buffer(&mut self, row: &[Val<'_>]) -> Result<()> {
        if self.buffered.is_empty() {
            self.buffered = self.bulk.columns.iter().map(|(_, column)| column.buffer()).collect();
        }
        for (column, value) in self.buffered.iter_mut().zip(row) {
            column.push(*value)?;
        }
        self.buffered_rows += 1;
        Ok(())
    }

    fn send(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        if self.buffered_rows > 0 {
            let params: Vec<_> = self.buffered.iter().map(Column::param).collect();
            let sent = tx.insert_columns(&self.bulk.postgres_text(), &params)?;
            if sent != self.buffered_rows as u64 {
                return Err(Error::internal(format!("{}: {sent} rows arrived", self.bulk.table)));
            }
            self.buffered.iter_mut().for_each(Column::clear);
            self.buffered_rows = 0;
        }
        tx.note_flushed(self.unflushed);
        self.unflushed = 0;
        Ok(())
    }
}
