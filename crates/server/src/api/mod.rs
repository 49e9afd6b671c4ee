//! JSON over HTTP: one folder per noun, one file per verb. [`mod@routes`] is the whole table.

pub(crate) mod accounts;
mod balance_sheet;
mod balances;
mod budget_categories;
mod budgets;
mod categories;
mod converted;
pub(crate) mod error;
mod exchange_rates;
pub(crate) mod family_settings;
pub(crate) mod feeds;
pub(crate) mod fields;
pub(crate) mod filters;
mod health;
mod holdings;
pub(crate) mod import_templates;
pub(crate) mod imports;
mod label_input;
mod merchants;
pub(crate) mod money;
pub(crate) mod money_body;
pub(crate) mod openapi;
pub(crate) mod pagination;
pub(crate) mod path;
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
mod table_file;
mod tags;
pub(crate) mod time;
mod trades;
mod transactions;
mod transfers;
mod usage;
mod used_rate;
mod valuations;

use axum::Router;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::state::AppState;
use error::ApiError;

/// Every route of the API, its description, and what monitors ask for.
pub(crate) fn routes(app: &AppState) -> Router<AppState> {
    routes::all(app).merge(openapi::routes()).merge(health::routes())
}

/// An answer in JSON, of known length.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => json_bytes(status, bytes),
        // Only maps with odd keys can't be written, and no answer has one.
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// An answer in JSON that is written already.
pub(crate) fn json_bytes(status: StatusCode, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let media_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}

#[cfg(test)]
mod router_tests;
