//! `PATCH` and `PUT /api/v1/recurring_transactions/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::recurring::{self, changes};
use purser_core::ids::RecurringId;
use utoipa::ToSchema;

use super::input::{self, RequestFields};
use super::shape::RecurringBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `recurring_transaction`.
#[derive(Debug, ToSchema)]
#[schema(as = RecurringTransactionChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change; what is missing stays.
    recurring_transaction: RequestFields,
}

/// Change a transaction that comes every month
///
/// An inactive one isn't followed, and isn't found again. Of one account, name, merchant and amount
/// there is one: 409 `conflict`.
#[utoipa::path(
    patch,
    path = "/recurring_transactions/{id}",
    operation_id = "update_recurring_transaction",
    tag = "recurring_transactions",
    params(("id" = uuid::Uuid, Path, description = "The recurring transaction's id")),
    request_body = Request,
    responses(
        (status = 200, body = RecurringBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<RecurringId>,
    body: Unread,
) -> ApiResult<Response> {
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| recurring::get(tx, reader.family, reader.accounts(), id))
        .await?;
    let input = input::read(&Fields::read(body).await?)?;
    let changed = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            changes::revise(tx, caller.family, accounts, actor, id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &RecurringBody::from(changed)))
}

/// Change a transaction that comes every month (as `PATCH`)
///
/// What is missing stays here too.
#[utoipa::path(
    put,
    path = "/recurring_transactions/{id}",
    operation_id = "put_recurring_transaction",
    tag = "recurring_transactions",
    params(("id" = uuid::Uuid, Path, description = "The recurring transaction's id")),
    request_body = Request,
    responses(
        (status = 200, body = RecurringBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: Id<RecurringId>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
