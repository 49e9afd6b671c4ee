//! `POST /api/v1/tags`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::tags;
use purser_core::error::Error;
use utoipa::ToSchema;

use super::shape::TagBody;
use crate::api::label_input;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /tags";

/// A new tag. The fields may also stand outside of `tag`.
#[derive(Debug, ToSchema)]
#[schema(as = NewTag)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The tag.
    tag: RequestFields,
}

/// The fields of a new tag.
#[derive(Debug, ToSchema)]
#[schema(as = NewTagFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Shown name, at most 200 characters; unique.
    #[schema(example = "Holiday", min_length = 1, max_length = 200)]
    name: String,
    /// `#rrggbb`; null or missing: one that is always the same.
    #[schema(example = "#2f7fc1")]
    color: Option<String>,
}

/// Create a tag
///
/// Not with a key that is restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    post,
    path = "/tags",
    operation_id = "create_tag",
    tag = "tags",
    params(IdempotencyParams),
    request_body = Request,
    responses((status = 201, body = TagBody), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before what is wrong with the request.
    require_unrestricted(caller.accounts())?;
    let key = key?;
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let input = label_input::read(&fields, "tag")?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let made = tags::create(tx, caller.family, accounts, actor, &input)?;
            let body = serde_json::to_string(&TagBody::from(made)).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
