//! The whole table of `/api/v1`. Each handler names its method and its path in its
//! `#[utoipa::path]`, so that the table and the description can't differ.
//!
//! Everything here needs a key: the check is put around the table, not around single routes.

use axum::middleware::from_fn_with_state;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    accounts, balance_sheet, balances, budget_categories, budgets, categories, exchange_rates,
    family_settings, feeds, holdings, import_templates, imports, merchants, openapi,
    provider_connections, recurring_transactions, rejected_transfers, reports, rule_runs, rules,
    securities, security_prices, tags, trades, transactions, transfers, usage, valuations,
};
use crate::edge::auth;
use crate::state::AppState;

/// The path that everything here is below.
const PREFIX: &str = "/api/v1";

pub(super) fn all(app: &AppState) -> OpenApiRouter<AppState> {
    let routes = OpenApiRouter::new()
        .routes(routes!(accounts::list::list, accounts::create::create))
        .routes(routes!(
            accounts::show::show,
            accounts::update::update,
            accounts::update::put,
            accounts::remove::remove
        ))
        .routes(routes!(balance_sheet::show))
        .routes(routes!(balances::list::list))
        .routes(routes!(balances::show::show))
        .routes(routes!(budget_categories::list::list, budget_categories::create::create))
        .routes(routes!(
            budget_categories::show::show,
            budget_categories::update::update,
            budget_categories::update::put,
            budget_categories::remove::remove
        ))
        .routes(routes!(budgets::list::list, budgets::create::create))
        .routes(routes!(
            budgets::show::show,
            budgets::update::update,
            budgets::update::put,
            budgets::remove::remove
        ))
        .routes(routes!(categories::list::list, categories::create::create))
        .routes(routes!(categories::bootstrap::bootstrap))
        .routes(routes!(
            categories::show::show,
            categories::update::update,
            categories::update::put,
            categories::remove::remove
        ))
        .routes(routes!(exchange_rates::list::list, exchange_rates::create::create))
        .routes(routes!(exchange_rates::import::import))
        .routes(routes!(exchange_rates::lookup::lookup))
        .routes(routes!(exchange_rates::show::show, exchange_rates::remove::remove))
        .routes(routes!(
            family_settings::show::show,
            family_settings::update::update,
            family_settings::update::put
        ))
        .routes(routes!(feeds::show))
        .routes(routes!(holdings::list::list))
        .routes(routes!(holdings::show::show, holdings::update::update, holdings::update::put))
        .routes(routes!(imports::list::list, imports::create::create))
        .routes(routes!(imports::preflight::preflight))
        .routes(routes!(
            imports::show::show,
            imports::configure::configure,
            imports::remove::remove
        ))
        .routes(routes!(imports::rows::list))
        .routes(routes!(imports::row_edit::correct))
        .routes(routes!(imports::file::replace))
        .routes(routes!(import_templates::list::list))
        .routes(routes!(import_templates::update::update, import_templates::remove::remove))
        .routes(routes!(imports::events::watch))
        .routes(routes!(imports::publish::publish))
        .routes(routes!(imports::revert::preview, imports::revert::revert))
        .routes(routes!(merchants::list::list, merchants::create::create))
        .routes(routes!(merchants::merge::merge))
        .routes(routes!(
            merchants::show::show,
            merchants::update::update,
            merchants::update::put,
            merchants::remove::remove
        ))
        .routes(routes!(provider_connections::list::list))
        .routes(routes!(recurring_transactions::list::list, recurring_transactions::create::create))
        .routes(routes!(recurring_transactions::detect::detect))
        .routes(routes!(
            recurring_transactions::show::show,
            recurring_transactions::update::update,
            recurring_transactions::update::put,
            recurring_transactions::remove::remove
        ))
        .routes(routes!(reports::cash_flow::show))
        .routes(routes!(reports::gains::show))
        .routes(routes!(reports::net_worth::show))
        .routes(routes!(rejected_transfers::list::list))
        .routes(routes!(rejected_transfers::show::show, rejected_transfers::remove::remove))
        .routes(routes!(tags::list::list, tags::create::create))
        .routes(routes!(
            tags::show::show,
            tags::update::update,
            tags::update::put,
            tags::remove::remove
        ))
        .routes(routes!(rule_runs::list::list))
        .routes(routes!(rule_runs::show::show))
        .routes(routes!(rules::list::list, rules::create::create))
        .routes(routes!(rules::preview::of_body))
        .routes(routes!(rules::run::run_all))
        .routes(routes!(
            rules::show::show,
            rules::update::update,
            rules::update::put,
            rules::remove::remove
        ))
        .routes(routes!(rules::preview::of_rule))
        .routes(routes!(rules::run::run))
        .routes(routes!(securities::list::list, securities::create::create))
        .routes(routes!(
            securities::show::show,
            securities::update::update,
            securities::update::put,
            securities::remove::remove
        ))
        .routes(routes!(security_prices::list::list, security_prices::create::create))
        .routes(routes!(security_prices::import::import))
        .routes(routes!(
            security_prices::show::show,
            security_prices::update::update,
            security_prices::update::put,
            security_prices::remove::remove
        ))
        .routes(routes!(trades::list::list, trades::create::create))
        .routes(routes!(
            trades::show::show,
            trades::update::update,
            trades::update::put,
            trades::remove::remove
        ))
        .routes(routes!(transactions::list::list, transactions::create::create))
        .routes(routes!(
            transactions::split::show,
            transactions::split::create,
            transactions::split::remove
        ))
        .routes(routes!(
            transactions::show::show,
            transactions::update::update,
            transactions::update::put,
            transactions::remove::remove
        ))
        .routes(routes!(transfers::list::list, transfers::create::create))
        .routes(routes!(transfers::matching::start))
        .routes(routes!(
            transfers::show::show,
            transfers::update::update,
            transfers::update::put,
            transfers::remove::remove
        ))
        .routes(routes!(usage::show))
        .routes(routes!(valuations::list::list, valuations::create::create))
        .routes(routes!(
            valuations::show::show,
            valuations::update::update,
            valuations::update::put,
            valuations::remove::remove
        ));
    let routes = routes.route_layer(from_fn_with_state(app.clone(), auth::layer));
    OpenApiRouter::with_openapi(openapi::Description::openapi()).nest(PREFIX, routes)
}
