//! `GET /api/v1/reports/gains`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use purser_app::reports::gains::{self, Line, Year};
use purser_core::error::{Error, Problem, Problems};
use purser_core::money::Currency;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::holdings::view::SecurityBody;
use crate::api::used_rate::UsedRateBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters;
use crate::http::money_body::MoneyBody;
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::QueryParams;
use crate::state::AppState;

/// Realised gains by year.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GainsReport)]
struct Report {
    /// The code of the family's currency, which the totals are in.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The latest first; years without a sale are left out.
    years: Vec<YearBody>,
    /// The exchange rates that gains were converted with for the years: each once, by the two
    /// currencies and then by the day of the sale. A trade in another currency than its account's
    /// says itself which rate it took (`converted`).
    rates: Vec<UsedRateBody>,
}

/// A year.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GainsYear)]
struct YearBody {
    /// Which.
    #[schema(example = 2026)]
    year: i16,
    /// All gains less all losses, each converted at the rate of its sale.
    gain: MoneyBody,
    /// Whether every cost and rate that the gain needs is known.
    complete: bool,
    /// By account and security.
    lines: Vec<LineBody>,
}

/// What sales of a security in an account realised in a year, in the account's currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GainsLine)]
struct LineBody {
    /// Where.
    account: AccountSummaryBody,
    /// Of what.
    security: SecurityBody,
    /// How many sales.
    sales: u64,
    /// What was received, as far as it is known.
    proceeds: MoneyBody,
    /// What it had cost, as far as it is known.
    cost: MoneyBody,
    /// What is left; null if something isn't known.
    #[schema(required)]
    gain: Option<MoneyBody>,
}

/// Which year, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only this year; all if missing.
    #[param(example = 2026, minimum = 1900, maximum = 9999)]
    year: Option<i16>,
}

/// Report realised gains by year
///
/// Of accounts in sight. Each account finds the cost of what it sold in its own way
/// (`cost_method`).
#[utoipa::path(
    get,
    path = "/reports/gains",
    operation_id = "report_gains",
    tag = "reports",
    params(Params),
    responses((status = 200, body = Report), InvalidError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let mut problems = Problems::new();
    let year = filters::collect(year(&query), &mut problems);
    problems.into_result()?;
    let (from, to) = year.unwrap_or((Date::MIN, Date::MAX));
    let found = app.compute(caller.access(), move |tx| gains::gains(tx, from, to)).await?;
    let body = Report {
        currency: found.currency.code(),
        years: found.years.into_iter().map(|year| year_body(year, found.currency)).collect(),
        rates: found.rates.into_iter().map(Into::into).collect(),
    };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn year(query: &QueryParams) -> Result<Option<(Date, Date)>, Error> {
    let Some(text) = filters::value(query, "year")? else { return Ok(None) };
    let year = text.parse::<i16>().ok().filter(|year| (1900..=9999).contains(year));
    let first = year.and_then(|year| Date::new(year, 1, 1).ok());
    match first {
        Some(first) => Ok(Some((first, first.last_of_year()))),
        None => Err(Problem::field("year", "must be a year such as 2026").into()),
    }
}

fn year_body(year: Year, currency: Currency) -> YearBody {
    YearBody {
        year: year.year,
        gain: MoneyBody::new(year.total, currency),
        complete: year.complete,
        lines: year.lines.into_iter().map(line_body).collect(),
    }
}

fn line_body(line: Line) -> LineBody {
    let money = |amount| MoneyBody::new(amount, line.currency);
    LineBody {
        sales: line.sales,
        proceeds: money(line.proceeds),
        cost: money(line.cost),
        gain: line.gain.map(money),
        account: line.account.into(),
        security: line.security.into(),
    }
}
