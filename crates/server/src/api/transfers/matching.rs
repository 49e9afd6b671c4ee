//! `POST /api/v1/transfers/match`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::transfers::{self, Scope};
use purser_core::error::Error;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::idempotency::{Begun, Fingerprint, IdempotencyKey, begin};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /transfers/match";

/// What was begun.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransferMatching)]
struct Body {
    /// Always `queued`.
    #[schema(example = "queued")]
    status: &'static str,
    /// A sentence for people.
    message: &'static str,
}

/// Look for transfers
///
/// Queues a matching over all days; new transactions are matched by themselves. Fails with 409
/// `transfer_matching_off` if the family doesn't want any. Not with a key that is restricted to
/// chosen accounts.
#[utoipa::path(
    post,
    path = "/transfers/match",
    operation_id = "match_transfers",
    tag = "transfers",
    params(IdempotencyParams),
    responses((status = 202, body = Body), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn start(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    if caller.accounts().is_some() {
        return Err(Error::Forbidden {
            code: "restricted_key",
            message: "A key that is restricted to chosen accounts can't match all of them".into(),
        }
        .into());
    }
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
            if !transfers::queue(tx, caller.family, Scope::All)? {
                return Err(Error::Conflict {
                    code: "transfer_matching_off",
                    message: "The family has switched the matching of transfers off".to_owned(),
                });
            }
            let message = "Transfers are being looked for.";
            let body = serde_json::to_string(&Body { status: "queued", message });
            let body = body.map_err(Error::internal)?;
            saving.save(tx, StatusCode::ACCEPTED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::ACCEPTED, body))
}
