//! `PATCH` and `PUT /api/v1/categories/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::categories;
use purser_app::labels::require_unrestricted;
use purser_core::ids::CategoryId;
use utoipa::ToSchema;

use super::shape::CategoryBody;
use crate::api::label_input;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `category`.
#[derive(Debug, ToSchema)]
#[schema(as = CategoryChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    category: RequestFields,
}

/// The fields of a category; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = CategoryChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Shown name, at most 200 characters, without a colon. Unique among those with the same
    /// parent, whatever its case: `Food: Other` and `Travel: Other` may both be there.
    #[schema(example = "Groceries", min_length = 1, max_length = 200)]
    name: Option<String>,
    /// `#rrggbb`; null: the parent's, or one that is always the same.
    #[schema(example = "#e07a3f")]
    color: Option<String>,
    /// The name of an icon.
    #[schema(example = "shopping-basket", max_length = 60)]
    icon: Option<String>,
    /// A category of the first level; null: it is of the first level itself.
    parent_id: Option<uuid::Uuid>,
}

/// Change a category
///
/// Those below it go along with a new name. A category with others below it stays on the
/// first level. Not with a key that is restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    patch,
    path = "/categories/{id}",
    operation_id = "update_category",
    tag = "categories",
    params(("id" = uuid::Uuid, Path, description = "The category's id")),
    request_body = Request,
    responses(
        (status = 200, body = CategoryBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<CategoryId>>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    // A wrong id comes before a wrong body.
    let family = caller.family;
    app.store.read(caller.access(), move |tx| categories::get(tx, family, None, id)).await?;
    let input = label_input::read(&Fields::read(body).await?, "category")?;
    let changed = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            categories::revise(tx, caller.family, accounts, actor, id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &CategoryBody::from(changed)))
}

/// Change a category (as `PATCH`)
///
/// What is missing stays here too.
#[utoipa::path(
    put,
    path = "/categories/{id}",
    operation_id = "put_category",
    tag = "categories",
    params(("id" = uuid::Uuid, Path, description = "The category's id")),
    request_body = Request,
    responses(
        (status = 200, body = CategoryBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: ApiResult<Id<CategoryId>>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
