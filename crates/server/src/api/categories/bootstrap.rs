//! `POST /api/v1/categories/bootstrap`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::categories;
use purser_app::labels::require_unrestricted;
use purser_core::error::Error;
use serde::Serialize;
use utoipa::ToSchema;

use super::shape::CategoryBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::idempotency::{Begun, Fingerprint, IdempotencyKey, begin};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /categories/bootstrap";

/// What was added.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CategoryBootstrap)]
struct Body {
    /// Those that are new, by path.
    categories: Vec<CategoryBody>,
}

/// Add the usual categories
///
/// Those of a first set that the family has none of the same name of; what there is stays as it is.
/// Not with a key that is restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    post,
    path = "/categories/bootstrap",
    operation_id = "bootstrap_categories",
    tag = "categories",
    params(IdempotencyParams),
    responses((status = 201, body = Body), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn bootstrap(
    State(app): State<AppState>,
    caller: Writer,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before what is wrong with the request.
    require_unrestricted(caller.accounts())?;
    let key = key?;
    body.nothing().await?;
    let fingerprint = Fingerprint::default().finish();
    let guard = match begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let made = categories::bootstrap(tx, caller.family, accounts, actor)?;
            let categories = made.into_iter().map(CategoryBody::from).collect();
            let body = serde_json::to_string(&Body { categories }).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
