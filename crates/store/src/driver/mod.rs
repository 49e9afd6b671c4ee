//! The driver: one [`Tx`] over SQLite and PostgreSQL, and the only place that knows which it is.
//!
//! Statements are constants of type [`Sql`], declared with `statements!`; queries with filters are
//! built by [`Filter`] from constant fragments. Both carry `$1…$n`, in order of first appearance.
//! Parameters are [`Val`]s, results come as [`Row`]s, many rows of one table go in through an
//! [`Inserter`], and many keys are looked up by [`Tx::lookup`]. No statement text is ever put
//! together from data.
//!
//! A transaction in which a statement failed can only be rolled back, on both databases: the
//! error may be handled, but nothing of that transaction is committed.

mod bulk;
mod checkpoint;
mod copy;
mod damage;
mod database;
mod directory_lock;
mod error;
mod file_watch;
mod filter;
mod new_database;
mod pg_database;
mod pool;
mod postgres;
mod read_limit;
mod row;
mod row_scope;
mod sql;
mod sqlite;
mod tx;
mod val;

pub use bulk::{Bulk, ColumnType, Inserter};
pub(crate) use damage::is_of_damaged_copy;
pub(crate) use database::{Database, Lane, Work, WritePermit};
pub use directory_lock::DirectoryLock;
#[cfg(test)]
pub(crate) use error::database_error;
pub use error::{DatabaseError, is_foreign_key_violation, is_time_limit, is_unique_violation};
pub(crate) use error::{Kind, is_conflict};
pub(crate) use file_watch::beside;
pub use filter::{Filter, Query};
pub(crate) use new_database::NewDatabase;
pub(crate) use pg_database::{ASIDE_CONNECTIONS, PgDatabase};
pub(crate) use pool::{Permit, block_on, block_on_within};
pub(crate) use postgres::Accepted;
#[cfg(test)]
pub(crate) use postgres::key_by_key;
pub(crate) use read_limit::ReadLimit;
pub use row::Row;
pub(crate) use row_scope::RowScope;
pub(crate) use sql::statements;
pub use sql::{AsSql, Sql, for_sqlite, text_of};
pub(crate) use tx::Dialect;
pub use tx::Tx;
pub(crate) use val::vals;
pub use val::{Val, date_to_days, days_to_date, micros};
