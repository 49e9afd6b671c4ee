//! Every address of the server: the API, the pages, and the request edge around both.

use axum::Router;
use axum::middleware::from_fn_with_state;

use crate::edge::untrusted_proxy;
use crate::state::AppState;
use crate::web::fallback::{no_method, no_route};
use crate::{api, edge, web};

/// The router of all routes and their middleware.
pub(crate) fn router(app: AppState) -> Router {
    let bytes_in_flight = app.bytes_in_flight.clone();
    let routes = api::routes(&app)
        .merge(web::routes(&app))
        // Set after the routes have their key check, so that an unknown method is refused before a
        // key is required.
        .method_not_allowed_fallback(no_method)
        .fallback(no_route)
        .layer(from_fn_with_state(app.clone(), untrusted_proxy::layer))
        .with_state(app);
    edge::around(routes, bytes_in_flight)
}
