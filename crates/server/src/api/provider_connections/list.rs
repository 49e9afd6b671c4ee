//! `GET /api/v1/provider_connections`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::connections;
use serde::Serialize;
use utoipa::ToSchema;

use super::shape::ConnectionBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::CommonErrors;
use crate::state::AppState;

/// All connections of the family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderConnections)]
struct Connections {
    /// Newest first.
    data: Vec<ConnectionBody>,
}

/// List provider connections
///
/// What may be known of the family's connections to bank-data providers: never credentials, never
/// what a provider answered. A key that is restricted to chosen accounts sees none, because a
/// connection tells about accounts beyond them.
#[utoipa::path(
    get,
    path = "/provider_connections",
    operation_id = "list_provider_connections",
    tag = "provider_connections",
    responses((status = 200, body = Connections), CommonErrors)
)]
pub(crate) async fn list(State(app): State<AppState>, caller: Reader) -> ApiResult<Response> {
    let found = match caller.accounts() {
        Some(_) => Vec::new(),
        None => app.store.read(caller.access(), connections::list).await?,
    };
    let data = found.into_iter().map(ConnectionBody::from).collect();
    Ok(crate::http::json(StatusCode::OK, &Connections { data }))
}
