//! `PATCH` and `PUT /api/v1/transfers/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::transfers::{self, changes};
use purser_core::error::Error;
use purser_core::ids::TransferId;
use utoipa::ToSchema;

use super::shape::TransferBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What a person says to a transfer. The field may also stand inside of `transfer`.
#[derive(Debug, ToSchema)]
#[schema(as = TransferChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// `confirmed` or `rejected`.
    #[schema(example = "confirmed")]
    status: String,
}

/// What is to become of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Confirmed,
    Rejected,
}

/// Confirm or reject a transfer
///
/// A confirmed one takes the other proposals of its transactions with it. A rejected one is gone,
/// and the pair is not proposed again: see `/rejected_transfers`. Confirming fails with 409
/// `already_in_transfer` if one of the transactions is in another confirmed transfer.
#[utoipa::path(
    patch,
    path = "/transfers/{id}",
    operation_id = "update_transfer",
    tag = "transfers",
    params(("id" = uuid::Uuid, Path, description = "The transfer's id")),
    request_body = Request,
    responses(
        (status = 200, body = TransferBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<TransferId>,
    body: Unread,
) -> ApiResult<Response> {
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| transfers::get(tx, reader.family, reader.accounts(), id))
        .await?;
    let wanted = wanted(&Fields::read(body).await?)?;
    let body =
        app.store
            .write(caller.access(), move |tx| {
                let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
                match wanted {
                    Wanted::Confirmed => changes::confirm(tx, caller.family, accounts, actor, id)
                        .map(TransferBody::from),
                    Wanted::Rejected => changes::reject(tx, caller.family, accounts, actor, id)
                        .map(TransferBody::rejected),
                }
            })
            .await?;
    Ok(crate::http::json(StatusCode::OK, &body))
}

/// Confirm or reject a transfer (as `PATCH`)
#[utoipa::path(
    put,
    path = "/transfers/{id}",
    operation_id = "put_transfer",
    tag = "transfers",
    params(("id" = uuid::Uuid, Path, description = "The transfer's id")),
    request_body = Request,
    responses(
        (status = 200, body = TransferBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: Id<TransferId>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}

fn wanted(body: &Fields) -> Result<Wanted, Error> {
    let wrapped = body.object("transfer")?;
    match wrapped.as_ref().unwrap_or(body).written("status").as_deref() {
        Some("confirmed") => Ok(Wanted::Confirmed),
        Some("rejected") => Ok(Wanted::Rejected),
        _ => Err(Error::invalid("status must be confirmed or rejected")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_things_can_be_said() {
        let read = |json: &str| wanted(&serde_json::from_str(json).unwrap()).ok();
        assert_eq!(read(r#"{"status": "confirmed"}"#), Some(Wanted::Confirmed));
        assert_eq!(read(r#"{"transfer": {"status": "rejected"}}"#), Some(Wanted::Rejected));
        for wrong in [r#"{}"#, r#"{"status": "pending"}"#, r#"{"status": 1}"#, r#"{"transfer": 1}"#]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
