//! `GET /api/v1/reports/net_worth`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use purser_app::calendar;
use purser_app::reports::net_worth::{NetWorth, net_worth};
use purser_core::error::{Error, Problem, Problems};
use purser_core::periods::Interval;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::span::{Span, SpanParams};
use crate::api::accounts::view::AccountSummaryBody;
use crate::api::used_rate::UsedRateBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::money_body::MoneyBody;
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::QueryParams;
use crate::state::AppState;

/// Net worth over time, in the family's currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetWorthReport)]
struct Report {
    /// The code of the family's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// How far apart the points are.
    #[schema(example = "month")]
    interval: &'static str,
    /// The end of each stretch, and the last day.
    points: Vec<PointBody>,
    /// Whether every exchange rate and price that the sums need is known.
    complete: bool,
    /// The accounts of which one isn't known at one of the points at least.
    incomplete_accounts: Vec<AccountSummaryBody>,
    /// The exchange rates that prices and accounts were converted with at the points: each once, by
    /// the two currencies and then by day; none where all are in one.
    rates: Vec<UsedRateBody>,
}

/// What the family has at the end of a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetWorthPoint)]
struct PointBody {
    /// Which day.
    #[schema(format = Date, example = "2026-01-31")]
    date: String,
    /// Assets less liabilities.
    net_worth: MoneyBody,
    /// What is owned.
    assets: MoneyBody,
    /// What is owed; positive.
    liabilities: MoneyBody,
}

/// The interval, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// `day`, `week` (ending on Sunday), `month`, `quarter` or `year`.
    #[param(example = "month")]
    interval: Option<String>,
}

/// Report net worth over time
///
/// Of accounts in sight, each day converted at its own rates.
#[utoipa::path(
    get,
    path = "/reports/net_worth",
    operation_id = "report_net_worth",
    tag = "reports",
    params(SpanParams, Params),
    responses((status = 200, body = Report), InvalidError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let mut problems = Problems::new();
    let span = Span::from_query(&query, &mut problems);
    let interval = collect(interval(&query), &mut problems).unwrap_or(Interval::Month);
    problems.into_result()?;
    let found = app
        .compute(caller.access(), move |tx| {
            let today = calendar::today(tx)?;
            let (start, end) = span.days(today)?;
            let days: Vec<Date> = interval.points(start, end).collect();
            net_worth(tx, &days)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &body(found, interval)))
}

fn interval(query: &QueryParams) -> Result<Option<Interval>, Error> {
    let Some(text) = filters::value(query, "interval")? else { return Ok(None) };
    match Interval::parse(text) {
        Some(interval) => Ok(Some(interval)),
        None => {
            let predicate = "must be one of day, week, month, quarter, year";
            Err(Problem::field("interval", predicate).into())
        }
    }
}

fn body(found: NetWorth, interval: Interval) -> Report {
    let currency = found.currency;
    let money = |amount| MoneyBody::new(amount, currency);
    Report {
        currency: currency.code(),
        interval: interval.as_str(),
        points: found
            .points
            .iter()
            .map(|point| PointBody {
                date: point.date.to_string(),
                net_worth: money(point.net()),
                assets: money(point.assets),
                liabilities: money(point.liabilities),
            })
            .collect(),
        complete: found.incomplete.is_empty(),
        incomplete_accounts: found.incomplete.into_iter().map(Into::into).collect(),
        rates: found.rates.into_iter().map(Into::into).collect(),
    }
}
