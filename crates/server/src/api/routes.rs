//! The whole table of `/api/v1`. Each handler names its method and its path in its
//! `#[utoipa::path]`, so that the table and the description can't differ.
//!
//! Everything here needs a key: the check is put around the table, not around single routes.

use axum::middleware::from_fn_with_state;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    accounts, holdings, imports, openapi, provider_connections, transactions, usage, valuations,
};
use crate::edge::auth;
use crate::state::AppState;

/// The path that everything here is below.
const PREFIX: &str = "/api/v1";

pub(super) fn all(app: &AppState) -> OpenApiRouter<AppState> {
    let routes = OpenApiRouter::new()
        .routes(routes!(accounts::list::list, accounts::create::create))
        .routes(routes!(accounts::show::show))
        .routes(routes!(holdings::show::show))
        .routes(routes!(imports::list::list, imports::create::create))
        .routes(routes!(imports::show::show))
        .routes(routes!(imports::rows::list))
        .routes(routes!(imports::publish::publish))
        .routes(routes!(provider_connections::list::list))
        .routes(routes!(transactions::list::list))
        .routes(routes!(transactions::show::show))
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
