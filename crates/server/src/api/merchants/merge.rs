//! `POST /api/v1/merchants/{id}/merge`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::merchants;
use purser_core::error::Error;
use purser_core::ids::MerchantId;
use utoipa::ToSchema;

use super::shape::MerchantBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::{Fields, FieldsBody};
use crate::http::idempotency::{self, Begun, Fingerprint, IdempotencyKey};
use crate::http::openapi::{
    BodyErrors, CommonErrors, ConflictError, IdempotencyParams, NotFoundError,
};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /merchants/{id}/merge";

/// Which merchant takes its place.
#[derive(Debug, ToSchema)]
#[schema(as = MerchantMerge)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The id of another merchant.
    into_id: uuid::Uuid,
}

/// Merge a merchant into another
///
/// Transactions and rules that have it get the other one; it is gone then. Answers the other one.
/// Fails with 409 `import_running` while a large import is being published or undone. Not with a
/// key that is restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    post,
    path = "/merchants/{id}/merge",
    operation_id = "merge_merchant",
    tag = "merchants",
    params(("id" = uuid::Uuid, Path, description = "The merchant's id"), IdempotencyParams),
    request_body = Request,
    responses(
        (status = 200, body = MerchantBody),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn merge(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<MerchantId>>,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before what is wrong with the request.
    require_unrestricted(caller.accounts())?;
    let body = FieldsBody::read(body).await;
    let Id(id) = id?;
    let (key, FieldsBody { fields, fingerprint }) = match (key, body) {
        (Ok(key), Ok(body)) => (key, body),
        (Err(error), _) | (_, Err(error)) => {
            // A wrong id comes before a wrong header or body.
            let family = caller.family;
            app.store.read(caller.access(), move |tx| merchants::get(tx, family, None, id)).await?;
            return Err(error);
        }
    };
    let mut whole = Fingerprint::default();
    whole.add(id.0.as_bytes());
    whole.add(&fingerprint);
    // An answer that is kept outlives the merchant.
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, whole.finish()).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            // What is wrong with the body comes after a wrong id.
            merchants::get(tx, caller.family, None, id)?;
            let into = into(&fields)?;
            let merged = merchants::merge(tx, caller.family, accounts, actor, id, into)?;
            let body =
                serde_json::to_string(&MerchantBody::from(merged)).map_err(Error::internal)?;
            saving.save(tx, StatusCode::OK, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::OK, body))
}

fn into(body: &Fields) -> Result<MerchantId, Error> {
    let wrapped = body.object("merchant")?;
    let text = wrapped.as_ref().unwrap_or(body).written("into_id");
    let text = text.filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| Error::invalid("into_id is required"))?;
    // As for an id that nothing has.
    text.parse().map_err(|_| Error::invalid("into_id is not the id of another merchant"))
}
