//! The whole table of `/api/v1`. Each handler names its method and its path in its
//! `#[utoipa::path]`, so that the table and the description can't differ.
//!
//! Everything here needs a key: the check is put around the table, not around single routes.

use axum::Router;
use axum::middleware::from_fn_with_state;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use super::{
    accounts, balance_sheet, balances, budget_categories, budgets, categories, exchange_rates,
    family_settings, feeds, holdings, import_templates, imports, merchants, openapi,
    provider_connections, recurring_transactions, rejected_transfers, reports, rule_runs, rules,
    securities, security_prices, tags, trades, transactions, transfers, usage, valuations,
};
use crate::edge::auth;
use crate::http::table::{PREFIX, Table};
use crate::state::AppState;

/// Every route, behind the check of keys.
pub(super) fn all(app: &AppState) -> Router<AppState> {
    let mut router = Router::new();
    each(&mut |(_, paths, handlers)| {
        for path in paths.paths.keys() {
            router = std::mem::take(&mut router).route(path, handlers.clone());
        }
    });
    let mut table = Table::router();
    nouns(&mut table);
    let router = router.merge(table.into_router());
    Router::new().nest(PREFIX, router.route_layer(from_fn_with_state(app.clone(), auth::layer)))
}

/// The description of every route. It takes some ten MiB to put together.
pub(super) fn description() -> OpenApi {
    let mut table = OpenApiRouter::<AppState>::new();
    each(&mut |entry| table = std::mem::take(&mut table).routes(entry));
    let router = OpenApiRouter::with_openapi(openapi::Description::openapi());
    let mut document = Table::document(router.nest(PREFIX, table).into_openapi());
    nouns(&mut document);
    document.into_document().unwrap_or_default()
}

/// Every noun with its operations.
fn nouns(table: &mut Table) {
    let nouns = [
        balances::routes,
        rule_runs::routes,
        rules::routes,
        family_settings::routes,
        accounts::routes,
        rejected_transfers::routes,
        transfers::routes,
        recurring_transactions::routes,
        budget_categories::routes,
        budgets::routes,
        categories::routes,
        exchange_rates::routes,
        holdings::routes,
        merchants::routes,
        securities::routes,
        security_prices::routes,
        tags::routes,
        trades::routes,
        transactions::routes,
        valuations::routes,
        import_templates::routes,
        imports::routes,
    ];
    for routes in nouns {
        routes(table);
    }
}

/// The table: a path and its methods at a time, so that nothing of the descriptions is kept where
/// only the handlers are wanted.
fn each(add: &mut dyn FnMut(UtoipaMethodRouter<AppState>)) {
    add(routes!(balance_sheet::show));
    add(routes!(feeds::show));
    add(routes!(provider_connections::list::list));
    add(routes!(reports::cash_flow::show));
    add(routes!(reports::gains::show));
    add(routes!(reports::net_worth::show));
    add(routes!(usage::show));
}
