//! The whole table of `/api/v1`. Each handler names its method and its path in its
//! `#[utoipa::path]`, so that the table and the description can't differ.
//!
//! Everything here needs a key: the check is put around the table, not around single routes.

use axum::middleware::from_fn_with_state;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    accounts, family_settings, holdings, import_templates, imports, openapi, provider_connections,
    rejected_transfers, transactions, transfers, usage, valuations,
};
use crate::edge::auth;
use crate::state::AppState;

/// The path that everything here is below.
const PREFIX: &str = "/api/v1";

pub(super) fn all(app: &AppState) -> OpenApiRouter<AppState> {
    let routes = OpenApiRouter::new()
        .routes(routes!(accounts::list::list, accounts::create::create))
        .routes(routes!(accounts::show::show))
        .routes(routes!(family_settings::show::show, family_settings::update::update))
        .routes(routes!(holdings::show::show))
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
        .routes(routes!(provider_connections::list::list))
        .routes(routes!(rejected_transfers::list::list))
        .routes(routes!(rejected_transfers::show::show, rejected_transfers::remove::remove))
        .routes(routes!(transactions::list::list))
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
            transfers::remove::remove
        ))
        .routes(routes!(usage::show))
        .routes(routes!(valuations::list::list, valuations::create::create))
        .routes(routes!(
            valuations::show::show,
            valuations::update::update,
            valuations::remove::remove
        ));
    let routes = routes.route_layer(from_fn_with_state(app.clone(), auth::layer));
    OpenApiRouter::with_openapi(openapi::Description::openapi()).nest(PREFIX, routes)
}
