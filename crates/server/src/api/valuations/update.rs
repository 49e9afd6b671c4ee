//! `PATCH` and `PUT /api/v1/valuations/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::valuations;
use utoipa::ToSchema;

use super::create::AmountSchema;
use super::shape::ValuationBody;
use super::{ValuationId, input};
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `valuation`.
#[derive(Debug, ToSchema)]
#[schema(as = ValuationChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    valuation: RequestFields,
}

/// The fields of a valuation; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = ValuationChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// A number, or a plain decimal as text; read exactly.
    #[schema(value_type = Option<AmountSchema>, example = 770_639.10)]
    amount: (),
    /// Another day, which must have no valuation yet.
    #[schema(format = Date, example = "2026-01-12")]
    date: Option<String>,
    /// Free text. Left alone when missing, cleared by null.
    #[schema(max_length = 10_000)]
    notes: Option<String>,
}

/// Change a valuation
///
/// Its id and kind stay. Moving it onto a day that has a valuation is refused with 422.
#[utoipa::path(
    patch,
    path = "/valuations/{id}",
    operation_id = "update_valuation",
    tag = "valuations",
    params(("id" = uuid::Uuid, Path, description = "The valuation's id")),
    request_body = Request,
    responses((status = 200, body = ValuationBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(ValuationId(id)): Id<ValuationId>,
    body: Unread,
) -> ApiResult<Response> {
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| valuations::get(tx, reader.family, reader.accounts(), id))
        .await?;
    let fields = Fields::read(body).await?;
    let values = input::changes(&fields)?;
    let valuation = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            valuations::revise(tx, caller.family, accounts, actor, id, &values)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &ValuationBody::from(valuation)))
}

/// Change a valuation (as `PATCH`)
///
/// What is missing stays here too.
#[utoipa::path(
    put,
    path = "/valuations/{id}",
    operation_id = "put_valuation",
    tag = "valuations",
    params(("id" = uuid::Uuid, Path, description = "The valuation's id")),
    request_body = Request,
    responses((status = 200, body = ValuationBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: Id<ValuationId>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
