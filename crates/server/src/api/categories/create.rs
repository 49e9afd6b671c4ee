//! `POST /api/v1/categories`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::categories;
use purser_app::labels::require_unrestricted;
use purser_core::error::Error;
use utoipa::ToSchema;

use super::shape::CategoryBody;
use crate::api::label_input;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /categories";

/// A new category. The fields may also stand outside of `category`.
#[derive(Debug, ToSchema)]
#[schema(as = NewCategory)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The category.
    category: RequestFields,
}

/// The fields of a new category.
#[derive(Debug, ToSchema)]
#[schema(as = NewCategoryFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Shown name, at most 200 characters, without a colon. Unique among those with the same
    /// parent, whatever its case: `Food: Other` and `Travel: Other` may both be there.
    #[schema(example = "Groceries", min_length = 1, max_length = 200)]
    name: String,
    /// `#rrggbb`; null or missing: the parent's, or one that is always the same.
    #[schema(example = "#e07a3f")]
    color: Option<String>,
    /// The name of an icon.
    #[schema(example = "shopping-basket", max_length = 60)]
    icon: Option<String>,
    /// A category of the first level; null: it is of the first level itself.
    parent_id: Option<uuid::Uuid>,
}

/// Create a category
///
/// Its name is unique among the categories with the same parent (on the first level among those
/// without one), not in the family: 422 if one of them has it. Not with a key that is restricted to
/// chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    post,
    path = "/categories",
    operation_id = "create_category",
    tag = "categories",
    params(IdempotencyParams),
    request_body = Request,
    responses((status = 201, body = CategoryBody), BodyErrors, ConflictError, CommonErrors)
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
    let input = label_input::read(&fields, "category")?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let made = categories::create(tx, caller.family, accounts, actor, &input)?;
            let body = serde_json::to_string(&CategoryBody::from(made)).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
