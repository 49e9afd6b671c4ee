//! `GET /api/v1/exchange_rates/lookup`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use purser_app::{calendar, rates};
use purser_core::error::{Error, Problems};
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::LegBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::QueryParams;
use crate::state::AppState;

/// Decimals that a rate is shown with; conversions are made with all that it has.
const RATE_DECIMALS: u32 = 18;

/// What is asked, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// The code of the one currency. Required.
    #[param(example = "USD")]
    from: Option<String>,
    /// The code of the other. Required.
    #[param(example = "EUR")]
    to: Option<String>,
    /// The day, as `YYYY-MM-DD`; today if missing.
    #[param(format = Date)]
    date: Option<String>,
}

/// The rate that counts on a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeRateFound)]
struct Body {
    /// One unit of it
    #[schema(example = "USD")]
    from: &'static str,
    /// is worth so many of these
    #[schema(example = "EUR")]
    to: &'static str,
    /// on this day.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// How many, with at most 18 decimals; null when no rate leads from the one to the other.
    #[schema(required, example = "0.922168941350055330")]
    rate: Option<String>,
    /// Every stated rate that it is made of, in the order in which an amount passes through; empty
    /// when there is none, or when both currencies are one.
    origin: Vec<LegBody>,
}

/// Look up the rate of a day
///
/// A rate of the very day, else the nearest earlier, else the nearest later one; each directly, as
/// the inverse, or through a third currency; the family's own before the feed's. `origin` says
/// which they were.
#[utoipa::path(
    get,
    path = "/exchange_rates/lookup",
    operation_id = "look_up_exchange_rate",
    tag = "exchange_rates",
    params(Params),
    responses((status = 200, body = Body), InvalidError, CommonErrors)
)]
pub(crate) async fn lookup(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let (from, to, date) = asked(&query)?;
    let (date, rate) = app
        .store
        .read_directory(move |tx| {
            let date = match date {
                Some(date) => date,
                None => calendar::today(tx, caller.family)?,
            };
            Ok((date, rates::find(tx, caller.family, from, to, date)?))
        })
        .await?;
    let legs = rate.iter().flat_map(|rate| rate.legs());
    let number = rate.as_ref().and_then(|rate| rate.decimal(RATE_DECIMALS));
    let body = Body {
        from: from.code(),
        to: to.code(),
        date: date.to_string(),
        rate: number.map(quantity_text),
        origin: legs.map(LegBody::from).collect(),
    };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn asked(query: &QueryParams) -> Result<(Currency, Currency, Option<Date>), Error> {
    let mut problems = Problems::new();
    let mut currency = |name: &str| {
        let found = filters::currency(query, name);
        let missing = matches!(found, Ok(None));
        if missing {
            problems.push(format!("{name} is required"));
        }
        collect(found, &mut problems)
    };
    let (from, to) = (currency("from"), currency("to"));
    let date = collect(filters::day(query, "date"), &mut problems);
    problems.into_result()?;
    match (from, to) {
        (Some(from), Some(to)) => Ok((from, to, date)),
        _ => Err(Error::internal("a lookup without a currency was let through")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_currencies_are_required() {
        let read = |text: &str| {
            asked(&QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap())
        };
        let day = jiff::civil::date(2026, 1, 2);
        let expected = (Currency::EUR, Currency::USD, Some(day));
        assert_eq!(read("from=eur&to=USD&date=2026-01-02").unwrap(), expected);
        let Err(Error::Invalid { problems: errors, .. }) = read("to=x&date=5") else {
            panic!("accepted")
        };
        assert_eq!(errors.len(), 3, "{errors:?}");
    }
}
