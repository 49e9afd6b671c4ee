//! Tests over the whole crate. All run on both databases but those of one database's own ways.

mod bulk;
mod catalogue;
mod copies;
mod edge;
mod guesses;
mod histories;
mod log;
mod lookup;
mod migrations;
mod people;
mod postgres;
mod reads;
mod row_security;
mod sessions;
mod shards;
mod sqlite;
mod statements;
mod sweeps;
mod transactions;
mod waiting_callers;
