//! `POST /api/v1/exchange_rates`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::rates::own;
use purser_core::error::{Error, Problems};
use purser_core::rates::RateInput;
use utoipa::ToSchema;

use super::shape::RateBody;
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::{Fields, FieldsBody};
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /exchange_rates";

/// One unit of the base is worth so many of the quote. The fields may also stand inside of
/// `exchange_rate`.
#[derive(Debug, ToSchema)]
#[schema(as = NewExchangeRate)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The code of the one currency.
    #[schema(example = "EUR")]
    base: String,
    /// The code of the other.
    #[schema(example = "USD")]
    quote: String,
    /// On this day: from 1900 to a year from today.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// Positive, with at most 18 decimals: a number, or a plain decimal as text; read exactly.
    #[schema(value_type = AmountSchema, example = "1.0844")]
    rate: (),
}

/// State an exchange rate
///
/// There is one for each pair and day: one that exists is replaced, keeps its id, and the answer is
/// 200. Amounts that are better converted by it, and the balances that follow from them, are right
/// when the answer arrives; where thousands of amounts are to be looked at, some moments later, and
/// until then each amount names the rate that it is booked by. Not with a key that is restricted to chosen accounts.
#[utoipa::path(
    post,
    path = "/exchange_rates",
    operation_id = "state_exchange_rate",
    tag = "exchange_rates",
    params(IdempotencyParams),
    request_body = Request,
    responses(
        (status = 201, body = RateBody),
        (status = 200, body = RateBody, description = "There was one of this pair and day"),
        BodyErrors, ConflictError, CommonErrors
    )
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
    let input = input(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let (status, body) = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let (rate, existed) = own::set(tx, caller.family, accounts, actor, &input)?;
            let status = if existed { StatusCode::OK } else { StatusCode::CREATED };
            let body = serde_json::to_string(&RateBody::from(rate)).map_err(Error::internal)?;
            saving.save(tx, status, &body)?;
            Ok((status, body))
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(status, body))
}

fn input(body: &Fields) -> Result<RateInput, Error> {
    let wrapped = body.object("exchange_rate")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut text =
        |name: &str| fields.text(name, &mut problems).filter(|text| !text.trim().is_empty());
    let (base, quote, date) = (text("base"), text("quote"), text("date"));
    problems.into_result()?;
    Ok(RateInput { base, quote, date, rate: fields.amount("rate") })
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    #[test]
    fn a_rate_is_read_with_and_without_its_wrapper() {
        let read = |json: &str| input(&serde_json::from_str(json).unwrap());
        let fields = r#"{"base": "EUR", "quote": " ", "date": null, "rate": 1.10}"#;
        let rate = read(fields).unwrap();
        assert_eq!(rate.rate, Some(AmountText::JsonNumber("1.10".into())));
        assert_eq!(
            (rate.base.as_deref(), rate.quote, rate.date.as_deref()),
            (Some("EUR"), None, None)
        );
        let wrapped = read(&format!(r#"{{"exchange_rate": {fields}}}"#)).unwrap();
        assert_eq!(wrapped.base.as_deref(), Some("EUR"));
        assert!(read(r#"{"base": 5, "date": []}"#).is_err());
    }
}
