//! JSON over HTTP: one folder per noun, one file per verb. [`mod@routes`] is the whole table.

pub(crate) mod accounts;
mod balance_sheet;
mod balances;
mod budget_categories;
mod budgets;
mod categories;
mod converted;
mod docs_page;
mod duplicates;
mod exchange_rates;
mod family_exports;
pub(crate) mod family_settings;
pub(crate) mod feeds;
mod health;
mod holdings;
pub(crate) mod import_templates;
pub(crate) mod imports;
mod merchants;
mod not_offered;
pub(crate) mod openapi;
mod provider_connections;
mod rate_leg;
mod recurring_transactions;
mod rejected_transfers;
mod reports;
mod routes;
mod rule_runs;
mod rules;
mod securities;
mod security_prices;
pub(crate) mod statements;
mod sync_changes;
mod sync_outcome;
mod syncs;
mod table_file;
mod tags;
mod trades;
mod transactions;
mod transfers;
mod usage;
mod used_rate;
mod users;
mod valuations;
mod webhooks;

use axum::Router;

use crate::state::AppState;

/// Every route of the API, its description, and what monitors ask for.
pub(crate) fn routes(app: &AppState) -> Router<AppState> {
    routes::all(app)
        .merge(openapi::routes(routes::description))
        .merge(docs_page::routes())
        .merge(health::routes())
}

#[cfg(test)]
mod router_tests;
