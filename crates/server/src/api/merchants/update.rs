//! `PATCH` and `PUT /api/v1/merchants/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::merchants;
use purser_core::ids::MerchantId;
use utoipa::ToSchema;

use super::shape::MerchantBody;
use crate::api::label_input;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `merchant`.
#[derive(Debug, ToSchema)]
#[schema(as = MerchantChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    merchant: RequestFields,
}

/// The fields of a merchant; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = MerchantChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Shown name, at most 200 characters; unique.
    #[schema(example = "Corner Shop", min_length = 1, max_length = 200)]
    name: Option<String>,
    /// `#rrggbb`; null: one that is always the same.
    #[schema(example = "#2f7fc1")]
    color: Option<String>,
    /// A domain, or an address that starts with `https://`.
    #[schema(example = "shop.example", max_length = 200)]
    website: Option<String>,
}

/// Change a merchant
///
/// Not with a key that is restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    patch,
    path = "/merchants/{id}",
    operation_id = "update_merchant",
    tag = "merchants",
    params(("id" = uuid::Uuid, Path, description = "The merchant's id")),
    request_body = Request,
    responses(
        (status = 200, body = MerchantBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<MerchantId>>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    // A wrong id comes before a wrong body.
    let family = caller.family;
    app.store.read(caller.access(), move |tx| merchants::get(tx, family, None, id)).await?;
    let input = label_input::read(&Fields::read(body).await?, "merchant")?;
    let changed = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            merchants::revise(tx, caller.family, accounts, actor, id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &MerchantBody::from(changed)))
}

/// Change a merchant (as `PATCH`)
///
/// What is missing stays here too.
#[utoipa::path(
    put,
    path = "/merchants/{id}",
    operation_id = "put_merchant",
    tag = "merchants",
    params(("id" = uuid::Uuid, Path, description = "The merchant's id")),
    request_body = Request,
    responses(
        (status = 200, body = MerchantBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: ApiResult<Id<MerchantId>>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
