//! SQL for SQLite and PostgreSQL, the job queue, and uploaded files.
//!
//! [`Store`] runs closures in transactions; the functions of the nouns take the [`FamilyTx`] that
//! the closure gets, those of directories the [`Tx`]. Which database it is, only [`driver`] knows.
//!
//! ```text
//! store.write(access, move |tx| valuations::set(tx, &draft)).await
//! ```

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod access;
pub mod accounts;
pub mod audit;
pub mod backup;
pub mod balances;
pub mod bank_statements;
pub mod books;
pub mod budgets;
pub mod calendar;
pub mod cash_flow;
pub mod categories;
pub mod check;
pub mod connections;
pub mod distribution;
pub mod driver;
pub mod due;
pub mod export;
pub mod families;
pub mod family_exports;
pub mod files;
pub mod guesses;
pub mod holdings;
pub mod idempotency;
pub mod imports;
mod installation;
pub mod jobs;
pub mod keys;
pub mod labels;
pub mod ledger;
pub mod lock;
pub mod merchants;
mod migrations;
pub mod prices;
pub mod rates;
pub mod recurring;
pub mod reports;
pub mod reserve;
pub mod restoring;
pub mod rules;
pub mod securities;
pub mod sessions;
pub mod shares;
pub mod statement_count;
mod store;
pub mod sync_holdings;
mod sync_others;
pub mod sync_outcomes;
pub mod sync_plans;
pub mod sync_rows;
pub mod sync_suggestions;
pub mod sync_unreported;
pub mod syncs;
pub mod system;
pub mod tags;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod trades;
pub mod transactions;
pub mod transfers;
pub mod users;
pub mod valuations;
pub mod webhooks;

pub use access::{Access, FamilyTx, VisibleAccounts};
pub use driver::{Row, Tx, Val};
pub use families::FamilyId;
use purser_core::secret;
pub use secret::Secret;
pub use store::{Store, StoreOptions, Target, is_busy};

use driver::{Bulk, Query, Sql};

/// The statements about who comes in.
fn people() -> [(&'static str, &'static [(&'static str, Sql)]); 4] {
    [
        ("guesses", guesses::STATEMENTS),
        ("keys", keys::STATEMENTS),
        ("sessions", sessions::STATEMENTS),
        ("users", users::STATEMENTS),
    ]
}

/// The statements about imports, their plans and their undo.
fn of_imports() -> [(&'static str, &'static [(&'static str, Sql)]); 30] {
    [
        ("bank_statements", bank_statements::STATEMENTS),
        ("bank_statements::positions", bank_statements::positions::STATEMENTS),
        ("bank_statements::writing", bank_statements::writing::STATEMENTS),
        ("imports", imports::STATEMENTS),
        ("imports::candidates", imports::candidates::STATEMENTS),
        ("imports::changes", imports::changes::STATEMENTS),
        ("imports::configuration", imports::configuration::STATEMENTS),
        ("imports::found_statements", imports::found_statements::STATEMENTS),
        ("imports::pages", imports::pages::STATEMENTS),
        ("imports::labels", imports::labels::STATEMENTS),
        ("imports::lifecycle", imports::lifecycle::STATEMENTS),
        ("imports::made_accounts", imports::made_accounts::STATEMENTS),
        ("imports::mappings", imports::mappings::STATEMENTS),
        ("imports::offsets", imports::offsets::STATEMENTS),
        ("imports::plan", imports::plan::STATEMENTS),
        ("imports::progress", imports::progress::STATEMENTS),
        ("imports::removal", imports::removal::STATEMENTS),
        ("imports::resolutions", imports::resolutions::STATEMENTS),
        ("imports::revert", imports::revert::STATEMENTS),
        ("imports::revert::created", imports::revert::created::STATEMENTS),
        ("imports::revert::fills", imports::revert::fills::STATEMENTS),
        ("imports::revert::others", imports::revert::others::STATEMENTS),
        ("imports::revert::reset_mappings", imports::revert::reset_mappings::STATEMENTS),
        ("imports::revert::survey", imports::revert::survey::STATEMENTS),
        ("imports::row_edits", imports::row_edits::STATEMENTS),
        ("imports::same_file", imports::same_file::STATEMENTS),
        ("imports::sessions", imports::sessions::STATEMENTS),
        ("imports::sessions::chunks", imports::sessions::chunks::STATEMENTS),
        ("imports::templates", imports::templates::STATEMENTS),
        ("imports::verification", imports::verification::STATEMENTS),
    ]
}

/// The statements of the executor and of what follows from entries.
fn of_the_ledger() -> [(&'static str, &'static [(&'static str, Sql)]); 24] {
    [
        ("ledger", ledger::STATEMENTS),
        ("ledger::account_edits", ledger::account_edits::STATEMENTS),
        ("ledger::account_removal", ledger::account_removal::STATEMENTS),
        ("ledger::accounts", ledger::accounts::STATEMENTS),
        ("ledger::balances", ledger::balances::STATEMENTS),
        ("ledger::conversions", ledger::conversions::STATEMENTS),
        ("ledger::creations", ledger::creations::STATEMENTS),
        ("ledger::derived_openings", ledger::derived_openings::STATEMENTS),
        ("ledger::edits", ledger::edits::STATEMENTS),
        ("ledger::fills", ledger::fills::STATEMENTS),
        ("ledger::hidden", ledger::hidden::STATEMENTS),
        ("ledger::labels", ledger::labels::STATEMENTS),
        ("ledger::labels::entries", ledger::labels::entries::STATEMENTS),
        ("ledger::origins", ledger::origins::STATEMENTS),
        ("ledger::record_hashes", ledger::record_hashes::STATEMENTS),
        ("ledger::restored", ledger::restored::STATEMENTS),
        ("ledger::restored_rows", ledger::restored_rows::STATEMENTS),
        ("ledger::revaluation", ledger::revaluation::STATEMENTS),
        ("ledger::rules", ledger::rules::STATEMENTS),
        ("ledger::sources", ledger::sources::STATEMENTS),
        ("ledger::splits", ledger::splits::STATEMENTS),
        ("ledger::trades", ledger::trades::STATEMENTS),
        ("ledger::undo", ledger::undo::STATEMENTS),
        ("ledger::valuations", ledger::valuations::STATEMENTS),
    ]
}

/// The statements about runs of connections and what they report.
fn of_syncs() -> [(&'static str, &'static [(&'static str, Sql)]); 12] {
    [
        ("sync_holdings", sync_holdings::STATEMENTS),
        ("sync_plans::securities", sync_plans::securities::STATEMENTS),
        ("sync_plans", sync_plans::STATEMENTS),
        ("sync_plans::facts", sync_plans::facts::STATEMENTS),
        ("sync_plans::undo", sync_plans::undo::STATEMENTS),
        ("sync_plans::undo::taking_back", sync_plans::undo::taking_back::STATEMENTS),
        ("sync_rows", sync_rows::STATEMENTS),
        ("sync_suggestions", sync_suggestions::STATEMENTS),
        ("sync_unreported", sync_unreported::STATEMENTS),
        ("sync_others", sync_others::STATEMENTS),
        ("sync_outcomes", sync_outcomes::STATEMENTS),
        ("syncs", syncs::STATEMENTS),
    ]
}

/// Every constant statement, by module: a test prepares them all on both databases.
pub fn statements() -> Vec<(&'static str, &'static [(&'static str, Sql)])> {
    let mut all = check::statements();
    all.extend(jobs::statements().into_iter().chain(families::statements()));
    all.extend(users::removal::statements());
    all.extend(ledger::records::statements());
    all.extend(ledger::position_statements());
    all.extend(people().into_iter().chain(of_imports()));
    all.extend(of_the_ledger());
    all.extend(connections::statements().into_iter().chain(webhooks::statements()));
    all.extend(of_syncs());
    all.extend(transfers::statements());
    all.extend(export::statements().into_iter().chain(books::statements()));
    all.extend([
        ("accounts", accounts::STATEMENTS),
        ("accounts::change", accounts::change::STATEMENTS),
        ("accounts::removal", accounts::removal::STATEMENTS),
        ("audit", audit::STATEMENTS),
        ("balances", balances::STATEMENTS),
        ("balances::daily", balances::daily::STATEMENTS),
        ("budgets", budgets::STATEMENTS),
        ("budgets::lines", budgets::lines::STATEMENTS),
        ("cash_flow", cash_flow::STATEMENTS),
        ("categories::tree", categories::tree::STATEMENTS),
        ("due", due::STATEMENTS),
        ("files", files::STATEMENTS),
        ("holdings::change", holdings::change::STATEMENTS),
        ("holdings::positions", holdings::positions::STATEMENTS),
        ("holdings::values", holdings::values::STATEMENTS),
        ("idempotency", idempotency::STATEMENTS),
        ("installation", installation::STATEMENTS),
        ("labels", labels::STATEMENTS),
        ("labels::visibility", labels::visibility::STATEMENTS),
        ("merchants", merchants::STATEMENTS),
        ("migrations", migrations::STATEMENTS),
        ("prices", prices::STATEMENTS),
        ("prices::changes", prices::changes::STATEMENTS),
        ("prices::feed", prices::feed::STATEMENTS),
        ("prices::import", prices::import::STATEMENTS),
        ("prices::record", prices::record::STATEMENTS),
        ("rates", rates::STATEMENTS),
        ("rates::applying", rates::applying::STATEMENTS),
        ("rates::effects", rates::effects::STATEMENTS),
        ("rates::feed", rates::feed::STATEMENTS),
        ("rates::own", rates::own::STATEMENTS),
        ("rates::record", rates::record::STATEMENTS),
        ("securities", securities::STATEMENTS),
        ("securities::record", securities::record::STATEMENTS),
        ("securities::visibility", securities::visibility::STATEMENTS),
        ("reports::gains", reports::gains::STATEMENTS),
        ("reports::net_worth", reports::net_worth::STATEMENTS),
        ("rules", rules::STATEMENTS),
        ("rules::record", rules::record::STATEMENTS),
        ("rules::facts", rules::facts::STATEMENTS),
        ("rules::runs", rules::runs::STATEMENTS),
        ("recurring", recurring::STATEMENTS),
        ("recurring::detection", recurring::detection::STATEMENTS),
        ("recurring::following", recurring::following::STATEMENTS),
        ("recurring::keeping", recurring::keeping::STATEMENTS),
        ("recurring::record", recurring::record::STATEMENTS),
        ("tags", tags::STATEMENTS),
        ("trades", trades::STATEMENTS),
        ("transactions", transactions::STATEMENTS),
        ("transactions::change", transactions::change::STATEMENTS),
        ("transactions::conversions", transactions::conversions::STATEMENTS),
        ("transactions::create", transactions::create::STATEMENTS),
        ("transactions::rows", transactions::rows::STATEMENTS),
        ("valuations", valuations::STATEMENTS),
    ]);
    all
}

/// The widest queries with filters of every module, for the same test.
pub fn query_examples() -> Vec<Query<'static>> {
    [
        audit::query_examples(),
        bank_statements::query_examples(),
        budgets::query_examples(),
        files::query_examples(),
        imports::labels::query_examples(),
        imports::listing::query_examples(),
        imports::templates::query_examples(),
        imports::referred::query_examples(),
        prices::listing::query_examples(),
        rates::listing::query_examples(),
        securities::query_examples(),
        rules::runs::query_examples(),
        trades::query_examples(),
        transactions::query_examples(),
        transfers::query_examples(),
        valuations::query_examples(),
    ]
    .concat()
}

/// Every table that is filled in bulk, for the same test.
pub fn bulks() -> Vec<&'static Bulk> {
    vec![
        &bank_statements::writing::MATCHES,
        &bank_statements::writing::POSITIONS,
        &bank_statements::writing::STATEMENTS_BULK,
        &ledger::balances::BALANCES,
        &ledger::conversions::CONVERSIONS,
        &imports::plan::BLOCKS_BULK,
        &ledger::fills::FILLS,
        &ledger::new_trades::TRADES,
        &ledger::rules::ORIGINS,
        &ledger::segments::SEGMENTS,
        &ledger::checkpoints::CHECKPOINTS,
        &ledger::transactions::ENTRIES,
        &ledger::added_splits::PARTS_ADDED,
        &ledger::transactions::ENTRY_TAGS,
        &transfers::stated::TRANSFERS,
        &prices::record::PRICES,
        &rates::feed::FEED_RATES,
        &rates::record::OWN_RATES,
        &recurring::record::SERIES,
        &sync_rows::ROWS,
    ]
}
