//! `PATCH` and `PUT /api/v1/tags/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::tags;
use purser_core::ids::TagId;
use utoipa::ToSchema;

use super::shape::TagBody;
use crate::api::label_input;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `tag`.
#[derive(Debug, ToSchema)]
#[schema(as = TagChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    tag: RequestFields,
}

/// The fields of a tag; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = TagChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Shown name, at most 200 characters; unique.
    #[schema(example = "Holiday", min_length = 1, max_length = 200)]
    name: Option<String>,
    /// `#rrggbb`; null: one that is always the same.
    #[schema(example = "#2f7fc1")]
    color: Option<String>,
}

/// Change a tag
///
/// Not with a key that is restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    patch,
    path = "/tags/{id}",
    operation_id = "update_tag",
    tag = "tags",
    params(("id" = uuid::Uuid, Path, description = "The tag's id")),
    request_body = Request,
    responses(
        (status = 200, body = TagBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<TagId>>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    // A wrong id comes before a wrong body.
    let family = caller.family;
    app.store.read(caller.access(), move |tx| tags::get(tx, family, None, id)).await?;
    let input = label_input::read(&Fields::read(body).await?, "tag")?;
    let changed = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            tags::revise(tx, caller.family, accounts, actor, id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &TagBody::from(changed)))
}

/// Change a tag (as `PATCH`)
///
/// What is missing stays here too.
#[utoipa::path(
    put,
    path = "/tags/{id}",
    operation_id = "put_tag",
    tag = "tags",
    params(("id" = uuid::Uuid, Path, description = "The tag's id")),
    request_body = Request,
    responses(
        (status = 200, body = TagBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: ApiResult<Id<TagId>>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
