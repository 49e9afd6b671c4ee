//! `POST /api/v1/security_prices/import`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::blocking::blocking;
use purser_app::calendar;
use purser_app::feeds::tables;
use purser_app::labels::require_unrestricted;
use purser_app::prices::import;
use purser_core::error::Error;

use crate::api::table_file::{self, TableBody, TableJson, TableUpload};
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /security_prices/import";

/// State the prices of a file
///
/// A CSV table with the columns `date`, `ticker` (or `symbol`), `price` (or `close`) and, if it
/// likes, `currency` (else the security's own) and `exchange_operating_mic`. The securities must be
/// there. All or none: `errors` names the lines that are wrong. What a person stated stays. Not
/// with a key that is restricted to chosen accounts.
#[utoipa::path(
    post,
    path = "/security_prices/import",
    operation_id = "import_security_prices",
    tag = "securities",
    params(IdempotencyParams),
    request_body(content(
        (TableJson = "application/json"),
        (TableUpload = "multipart/form-data"),
        (String = "text/csv")
    )),
    responses((status = 201, body = TableBody), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn import(
    State(app): State<AppState>,
    caller: Writer,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    require_unrestricted(caller.accounts())?;
    let key = key?;
    let (file, fingerprint) = table_file::read(body).await?;
    // Not inside of it: who waits for the database on a thread that may block keeps those from one
    // who have the database already.
    let family = caller.family;
    let today = app.store.read(caller.access(), move |tx| calendar::today(tx, family)).await?;
    let rows = blocking(move || tables::prices(&file, today)).await?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let imported = import::import(tx, caller.family, accounts, actor, &rows)?;
            let body = serde_json::to_string(&TableBody::from(imported));
            let body = body.map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
