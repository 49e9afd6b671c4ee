//! `DELETE /api/v1/categories/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::categories;
use purser_app::labels::require_unrestricted;
use purser_core::ids::CategoryId;
use utoipa::IntoParams;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::filters;
use crate::http::openapi::{CommonErrors, ConflictError, InvalidError, NotFoundError};
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;

/// What is to be in its place, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// The category that takes its place.
    replacement_id: Option<uuid::Uuid>,
}

/// Delete a category
///
/// Transactions, budgets and rules that have it get the replacement. Without one, transactions have
/// no category, budgets no line for it, and rules that name it are switched off. Categories below
/// it go below the replacement, or beside it if it is of the second level itself; without one they
/// move up to the first level. Where a name is taken there, nothing is done. Fails with 409
/// `import_running` while a large import is being published or undone. Not with a key that is
/// restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    delete,
    path = "/categories/{id}",
    operation_id = "delete_category",
    tag = "categories",
    params(("id" = uuid::Uuid, Path, description = "The category's id"), Params),
    responses(
        (status = 204, description = "It is gone"),
        NotFoundError, InvalidError, ConflictError, CommonErrors
    )
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<CategoryId>>,
    query: QueryParams,
) -> ApiResult<StatusCode> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    let family = caller.family;
    app.store.read(caller.access(), move |tx| categories::get(tx, family, None, id)).await?;
    let replacement = filters::id(&query, "replacement_id")?;
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            categories::remove(tx, caller.family, accounts, actor, id, replacement)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
