//! `POST /api/v1/transfers`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::transfers::changes;
use purser_core::error::{Error, Problems};
use purser_core::ids::EntryId;
use utoipa::ToSchema;

use super::shape::TransferBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::{Fields, FieldsBody};
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /transfers";

/// Two transactions that are one transfer. The fields may also stand outside of `transfer`.
#[derive(Debug, ToSchema)]
#[schema(as = NewTransfer)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The transfer.
    transfer: RequestFields,
}

/// The two sides.
#[derive(Debug, ToSchema)]
#[schema(as = NewTransferFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Where the money went out.
    outflow_transaction_id: uuid::Uuid,
    /// Where it came in.
    inflow_transaction_id: uuid::Uuid,
}

/// Make a transfer
///
/// Of two transactions in different accounts, at most 30 days apart, neither of them pending, with
/// equal and opposite amounts of one currency, or with amounts in two currencies, one out and one
/// in. It is confirmed at once; a proposal of the same
/// pair becomes it. Fails with 409 `already_in_transfer` if one of them is in a confirmed transfer.
#[utoipa::path(
    post,
    path = "/transfers",
    operation_id = "create_transfer",
    tag = "transfers",
    params(IdempotencyParams),
    request_body = Request,
    responses((status = 201, body = TransferBody), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let pair = pair(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let transfer = changes::create(tx, caller.family, accounts, actor, pair)?;
            let body = serde_json::to_string(&TransferBody::from(transfer));
            let body = body.map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}

/// The two ids, out and in.
fn pair(body: &Fields) -> Result<(EntryId, EntryId), Error> {
    let wrapped = body.object("transfer")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut read = |name: &str, noun: &str| {
        let Some(text) = fields.written(name).filter(|text| !text.trim().is_empty()) else {
            problems.push(format!("{noun} transaction ID is required"));
            return None;
        };
        let id = text.parse::<EntryId>().ok();
        if id.is_none() {
            // As for an id that nothing has.
            problems.push(format!("{noun} transaction not found"));
        }
        id
    };
    let outflow = read("outflow_transaction_id", "Outflow");
    let inflow = read("inflow_transaction_id", "Inflow");
    problems.into_result()?;
    outflow.zip(inflow).ok_or_else(|| Error::internal("a pair without a side was let through"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUT: &str = "0190f5f0-7c00-7a10-8000-00000000000a";
    const IN: &str = "0190f5f0-7c00-7a10-8000-00000000000b";

    fn read(json: &str) -> Result<(EntryId, EntryId), Vec<String>> {
        pair(&serde_json::from_str(json).unwrap()).map_err(|error| match error {
            Error::Invalid { problems, .. } => purser_core::error::texts(&problems),
            other => panic!("{other}"),
        })
    }

    #[test]
    fn a_pair_is_read_with_and_without_its_wrapper() {
        let fields =
            format!(r#"{{"outflow_transaction_id": "{OUT}", "inflow_transaction_id": "{IN}"}}"#);
        let expected = Ok((OUT.parse().unwrap(), IN.parse().unwrap()));
        assert_eq!(read(&fields), expected);
        assert_eq!(read(&format!(r#"{{"transfer": {fields}}}"#)), expected);
    }

    #[test]
    fn every_missing_side_is_reported() {
        let required = ["Outflow transaction ID is required", "Inflow transaction ID is required"];
        assert_eq!(read("{}").unwrap_err(), required);
        let wrong = r#"{"outflow_transaction_id": 7, "inflow_transaction_id": " "}"#;
        let errors = read(wrong).unwrap_err();
        assert_eq!(errors, ["Outflow transaction not found", "Inflow transaction ID is required"]);
    }
}
