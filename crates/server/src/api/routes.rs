//! The whole table of `/api/v1`: every noun with its operations, each declared by `routes!`.
//!
//! Everything here needs a key: the check is put around the table, not around single routes.

use axum::Router;
use axum::middleware::from_fn_with_state;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;

use super::{
    accounts, balance_sheet, balances, budget_categories, budgets, categories, duplicates,
    exchange_rates, family_exports, family_settings, feeds, holdings, import_templates, imports,
    merchants, not_offered, openapi, provider_connections, recurring_transactions,
    rejected_transfers, reports, rule_runs, rules, securities, security_prices, statements, syncs,
    tags, trades, transactions, transfers, usage, users, valuations, webhooks,
};
use crate::edge::auth;
use crate::http::table::{PREFIX, Table};
use crate::state::AppState;

/// Every route, behind the check of keys.
pub(super) fn all(app: &AppState) -> Router<AppState> {
    let mut table = Table::router();
    nouns(&mut table);
    let router = table.into_router().merge(not_offered::to_keys());
    let router = router.route_layer(from_fn_with_state(app.clone(), auth::layer));
    Router::new().nest(PREFIX, router.merge(not_offered::to_everybody()))
}

/// The description of every route. It takes some ten MiB to put together.
pub(super) fn description() -> OpenApi {
    let mut document = Table::document(openapi::Description::openapi());
    nouns(&mut document);
    document.into_document().unwrap_or_default()
}

/// Every noun with its operations.
fn nouns(table: &mut Table) {
    let nouns = [
        accounts::routes,
        balance_sheet::routes,
        balances::routes,
        budget_categories::routes,
        budgets::routes,
        categories::routes,
        duplicates::routes,
        exchange_rates::routes,
        family_exports::routes,
        family_settings::routes,
        feeds::routes,
        holdings::routes,
        import_templates::routes,
        imports::routes,
        imports::sessions::routes,
        merchants::routes,
        provider_connections::routes,
        recurring_transactions::routes,
        rejected_transfers::routes,
        reports::cash_flow::routes,
        reports::gains::routes,
        reports::net_worth::routes,
        rule_runs::routes,
        rules::routes,
        securities::routes,
        security_prices::routes,
        statements::routes,
        syncs::routes,
        tags::routes,
        trades::routes,
        transactions::routes,
        transfers::routes,
        usage::routes,
        users::routes,
        valuations::routes,
        webhooks::routes,
    ];
    for routes in nouns {
        routes(table);
    }
}
