//! SQL for SQLite and PostgreSQL, the job queue, and uploaded files.
//!
//! [`Store`] runs closures in transactions; the functions of the nouns take the [`Tx`] that the
//! closure gets. Which database it is, only [`driver`] knows.
//!
//! ```text
//! store.write(family, move |tx| valuations::set(tx, family, &draft)).await
//! ```

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod accounts;
pub mod audit;
pub mod balances;
pub mod calendar;
pub mod check;
pub mod connections;
pub mod driver;
pub mod families;
pub mod files;
pub mod holdings;
pub mod idempotency;
pub mod imports;
mod installation;
pub mod jobs;
pub mod keys;
pub mod labels;
pub mod ledger;
pub mod lock;
mod migrations;
mod secret;
pub mod sessions;
mod store;
pub mod system;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod transactions;
pub mod transfers;
mod turns;
pub mod users;
pub mod valuations;

pub use driver::{Row, Tx, Val};
pub use families::FamilyId;
pub use secret::Secret;
pub use store::{Store, StoreOptions, Target};

use driver::{Bulk, Query, Sql};

/// Every constant statement, by module: a test prepares them all on both databases.
pub fn statements() -> Vec<(&'static str, &'static [(&'static str, Sql)])> {
    let mut all = check::statements();
    all.extend([
        ("accounts", accounts::STATEMENTS),
        ("audit", audit::STATEMENTS),
        ("balances", balances::STATEMENTS),
        ("connections", connections::STATEMENTS),
        ("families", families::STATEMENTS),
        ("files", files::STATEMENTS),
        ("holdings", holdings::STATEMENTS),
        ("idempotency", idempotency::STATEMENTS),
        ("imports", imports::STATEMENTS),
        ("imports::candidates", imports::candidates::STATEMENTS),
        ("imports::created", imports::created::STATEMENTS),
        ("imports::configuration", imports::configuration::STATEMENTS),
        ("imports::labels", imports::labels::STATEMENTS),
        ("imports::lifecycle", imports::lifecycle::STATEMENTS),
        ("imports::mappings", imports::mappings::STATEMENTS),
        ("imports::plan", imports::plan::STATEMENTS),
        ("imports::resolutions", imports::resolutions::STATEMENTS),
        ("imports::progress", imports::progress::STATEMENTS),
        ("imports::removal", imports::removal::STATEMENTS),
        ("imports::revert", imports::revert::STATEMENTS),
        ("imports::revert::created", imports::revert::created::STATEMENTS),
        ("imports::revert::fills", imports::revert::fills::STATEMENTS),
        ("imports::revert::others", imports::revert::others::STATEMENTS),
        ("imports::revert::survey", imports::revert::survey::STATEMENTS),
        ("imports::revert::unsaid", imports::revert::unsaid::STATEMENTS),
        ("imports::row_edits", imports::row_edits::STATEMENTS),
        ("imports::templates", imports::templates::STATEMENTS),
        ("installation", installation::STATEMENTS),
        ("jobs", jobs::STATEMENTS),
        ("keys", keys::STATEMENTS),
        ("labels", labels::STATEMENTS),
        ("ledger", ledger::STATEMENTS),
        ("ledger::accounts", ledger::accounts::STATEMENTS),
        ("ledger::balances", ledger::balances::STATEMENTS),
        ("ledger::creations", ledger::creations::STATEMENTS),
        ("ledger::fills", ledger::fills::STATEMENTS),
        ("ledger::edits", ledger::edits::STATEMENTS),
        ("ledger::hidden", ledger::hidden::STATEMENTS),
        ("ledger::origins", ledger::origins::STATEMENTS),
        ("ledger::undo", ledger::undo::STATEMENTS),
        ("ledger::valuations", ledger::valuations::STATEMENTS),
        ("migrations", migrations::STATEMENTS),
        ("sessions", sessions::STATEMENTS),
        ("store", store::STATEMENTS),
        ("transactions", transactions::STATEMENTS),
        ("transactions::change", transactions::change::STATEMENTS),
        ("transfers", transfers::STATEMENTS),
        ("transfers::changes", transfers::changes::STATEMENTS),
        ("transfers::matching", transfers::matching::STATEMENTS),
        ("transfers::rejected", transfers::rejected::STATEMENTS),
        ("transfers::sides", transfers::sides::STATEMENTS),
        ("users", users::STATEMENTS),
        ("valuations", valuations::STATEMENTS),
    ]);
    all
}

/// The widest queries with filters of every module, for the same test.
pub fn query_examples() -> Vec<Query<'static>> {
    [
        audit::query_examples(),
        files::query_examples(),
        imports::labels::query_examples(),
        imports::listing::query_examples(),
        imports::templates::query_examples(),
        imports::referred::query_examples(),
        transactions::query_examples(),
        transfers::query_examples(),
        valuations::query_examples(),
    ]
    .concat()
}

/// Every table that is filled in bulk, for the same test.
pub fn bulks() -> Vec<&'static Bulk> {
    vec![
        &ledger::balances::BALANCES,
        &imports::plan::BLOCKS_BULK,
        &ledger::fills::FILLS,
        &ledger::transactions::ENTRIES,
        &ledger::transactions::ENTRY_TAGS,
    ]
}
