//! One row of a result. What doesn't have the expected type is an error, never a panic.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::money::Currency;
use purser_core::named::{self, Named};
use rusqlite::types::ValueRef;
use tokio_postgres::types::{FromSql, Type};
use uuid::Uuid;

use super::days_to_date;

/// A row; columns are counted from 0.
pub struct Row<'r>(Inner<'r>);

enum Inner<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

/// An integer of any width, as literals in a query have the smallest that fits.
struct AnyInt(i64);

impl<'a> FromSql<'a> for AnyInt {
    fn from_sql(
        ty: &Type,
        raw: &'a [u8],
    ) -> std::result::Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(match *ty {
            Type::INT2 => i16::from_sql(ty, raw)?.into(),
            Type::INT4 => i32::from_sql(ty, raw)?.into(),
            _ => i64::from_sql(ty, raw)?,
        }))
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT2 | Type::INT4 | Type::INT8)
    }
}

impl<'r> Row<'r> {
    pub(crate) fn sqlite(row: &'r rusqlite::Row<'r>) -> Self {
        #[cfg(test)]
        crate::statement_count::row_read();
        Self(Inner::Sqlite(row))
    }

    pub(crate) fn postgres(row: &'r tokio_postgres::Row) -> Self {
        #[cfg(test)]
        crate::statement_count::row_read();
        Self(Inner::Postgres(row))
    }

    /// Reads an integer, which isn't null.
    pub fn int(&self, column: usize) -> Result<i64> {
        required(column, self.opt_int(column)?)
    }

    /// An integer or null.
    pub fn opt_int(&self, column: usize) -> Result<Option<i64>> {
        match self.0 {
            Inner::Sqlite(row) => match value(row, column)? {
                ValueRef::Null => Ok(None),
                ValueRef::Integer(number) => Ok(Some(number)),
                other => Err(mismatch(column, "an integer", other)),
            },
            Inner::Postgres(row) => {
                Ok(get::<Option<AnyInt>>(row, column)?.map(|AnyInt(number)| number))
            }
        }
    }

    /// Text, borrowed from the row.
    pub fn text(&self, column: usize) -> Result<&str> {
        required(column, self.opt_text(column)?)
    }

    /// Text or null, borrowed from the row.
    pub fn opt_text(&self, column: usize) -> Result<Option<&str>> {
        match self.0 {
            Inner::Sqlite(row) => match value(row, column)? {
                ValueRef::Null => Ok(None),
                ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                    Ok(text) => Ok(Some(text)),
                    Err(_) => Err(Error::internal(format!("column {column} is not UTF-8"))),
                },
                other => Err(mismatch(column, "text", other)),
            },
            Inner::Postgres(row) => get(row, column),
        }
    }

    /// Text as an owned string.
    pub fn string(&self, column: usize) -> Result<String> {
        self.text(column).map(str::to_owned)
    }

    /// Text or null as an owned string.
    pub fn opt_string(&self, column: usize) -> Result<Option<String>> {
        Ok(self.opt_text(column)?.map(str::to_owned))
    }

    /// A value out of a fixed list, stored as its name.
    pub fn named<T: Named>(&self, column: usize) -> Result<T> {
        let name = self.text(column)?;
        T::named(name)
            .ok_or_else(|| Error::internal(format!("{name} is not one of {}", named::list::<T>())))
    }

    /// A value out of a fixed list or null.
    pub fn opt_named<T: Named>(&self, column: usize) -> Result<Option<T>> {
        self.opt_text(column)?.map(|_| self.named(column)).transpose()
    }

    /// A currency, stored as its code.
    pub fn currency(&self, column: usize) -> Result<Currency> {
        let code = self.text(column)?;
        Currency::parse(code).ok_or_else(|| Error::internal(format!("unknown currency {code}")))
    }

    /// Bytes, borrowed from the row.
    pub fn bytes(&self, column: usize) -> Result<&[u8]> {
        required(column, self.opt_bytes(column)?)
    }

    /// Bytes or null, borrowed from the row.
    pub fn opt_bytes(&self, column: usize) -> Result<Option<&[u8]>> {
        match self.0 {
            Inner::Sqlite(row) => match value(row, column)? {
                ValueRef::Null => Ok(None),
                ValueRef::Blob(bytes) => Ok(Some(bytes)),
                other => Err(mismatch(column, "bytes", other)),
            },
            Inner::Postgres(row) => get(row, column),
        }
    }

    /// Reads a UUID, which isn't null.
    pub fn uuid(&self, column: usize) -> Result<Uuid> {
        required(column, self.opt_uuid(column)?)
    }

    /// A UUID or null.
    pub fn opt_uuid(&self, column: usize) -> Result<Option<Uuid>> {
        match self.0 {
            Inner::Sqlite(_) => {
                self.opt_bytes(column)?.map(Uuid::from_slice).transpose().map_err(Error::internal)
            }
            Inner::Postgres(row) => get(row, column),
        }
    }

    /// Reads an id of a type.
    pub fn id<T: From<Uuid>>(&self, column: usize) -> Result<T> {
        self.uuid(column).map(T::from)
    }

    /// A typed id or null.
    pub fn opt_id<T: From<Uuid>>(&self, column: usize) -> Result<Option<T>> {
        Ok(self.opt_uuid(column)?.map(T::from))
    }

    /// Reads a truth value.
    pub fn bool(&self, column: usize) -> Result<bool> {
        match self.0 {
            Inner::Sqlite(row) => match value(row, column)? {
                ValueRef::Integer(0) => Ok(false),
                ValueRef::Integer(1) => Ok(true),
                other => Err(mismatch(column, "0 or 1", other)),
            },
            Inner::Postgres(row) => get(row, column),
        }
    }

    /// Reads a day, stored as days since 1970.
    pub fn date(&self, column: usize) -> Result<Date> {
        self.int(column).and_then(days_to_date)
    }

    /// A day or null.
    pub fn opt_date(&self, column: usize) -> Result<Option<Date>> {
        self.opt_int(column)?.map(days_to_date).transpose()
    }

    /// Reads a time, stored as microseconds.
    pub fn timestamp(&self, column: usize) -> Result<Timestamp> {
        self.int(column).and_then(timestamp)
    }

    /// A time or null.
    pub fn opt_timestamp(&self, column: usize) -> Result<Option<Timestamp>> {
        self.opt_int(column)?.map(timestamp).transpose()
    }

    /// A number that can't be negative, such as a counter.
    pub fn count(&self, column: usize) -> Result<u64> {
        u64::try_from(self.int(column)?).map_err(Error::internal)
    }
}

fn timestamp(micros: i64) -> Result<Timestamp> {
    Timestamp::from_microsecond(micros).map_err(Error::internal)
}

fn value<'r>(row: &'r rusqlite::Row<'r>, column: usize) -> Result<ValueRef<'r>> {
    row.get_ref(column).map_err(Error::internal)
}

fn get<'r, T: FromSql<'r>>(row: &'r tokio_postgres::Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(Error::internal)
}

fn required<T>(column: usize, value: Option<T>) -> Result<T> {
    value.ok_or_else(|| Error::internal(format!("column {column} is null")))
}

/// Names the type that was found; never the value.
fn mismatch(column: usize, expected: &str, found: ValueRef<'_>) -> Error {
    let found = found.data_type();
    Error::internal(format!("column {column} is not {expected} but {found}"))
}
