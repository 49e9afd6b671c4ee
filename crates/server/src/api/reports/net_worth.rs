//! `/api/v1/reports/net_worth`

use jiff::civil::Date;
use purser_app::calendar;
use purser_app::reports::net_worth::{NetWorth, net_worth};
use purser_core::error::{Error, Problem};
use purser_core::limits::REPORT_POINTS_MAX;
use purser_core::periods::Interval;
use serde::Serialize;
use utoipa::ToSchema;

use super::span::Span;
use crate::api::accounts::view::AccountSummaryBody;
use crate::api::used_rate::UsedRateBody;
use crate::http::answer::{Answer, Json};
use crate::http::call::List;
use crate::http::error::ApiResult;
use crate::http::money_body::MoneyBody;
use crate::http::named::IntervalName;
use crate::http::query::{Choice, Unpaged, query};
use crate::http::table::routes;

routes! { "reports":
    /// Report net worth over time
    ///
    /// The report covers active and draft accounts, and each day is converted at its own rates. It
    /// has at most 4,000 points and 10,000 exchange rates; more are refused with 422.
    GET "/reports/net_worth" => show as report_net_worth;
}

query! {
    /// The distance between the points of the report.
    struct IntervalFilter {
        /// The distance between the days of the report; `month` if missing. A `week` ends on
        /// Sunday.
        interval: Choice<Interval>,
    }
}

/// Net worth over time, in the family's currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetWorthReport)]
struct Report {
    /// The code of the family's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The distance between the points.
    interval: IntervalName,
    /// The last day of each interval, and the last day of the report.
    points: Vec<PointBody>,
    /// Whether every exchange rate and price that the sums need is known.
    complete: bool,
    /// The accounts for which a rate or a price is unknown on one of these days.
    incomplete_accounts: Vec<AccountSummaryBody>,
    /// The exchange rates that prices and accounts were converted with, sorted by the two
    /// currencies and the day; empty if nothing was converted.
    rates: Vec<UsedRateBody>,
}

/// The net worth at the end of a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetWorthPoint)]
struct PointBody {
    /// The day of the point.
    #[schema(format = Date, example = "2026-01-31")]
    date: String,
    /// The assets minus the liabilities.
    net_worth: MoneyBody,
    /// The sum of the assets.
    assets: MoneyBody,
    /// The sum of the liabilities, a positive amount.
    liabilities: MoneyBody,
}

async fn show(call: List<Unpaged<(Span, IntervalFilter)>>) -> ApiResult<Answer<Json<Report>>> {
    call.compute(|tx, sent| {
        let Unpaged((span, filter)) = sent.query;
        let interval = filter.interval.unwrap_or(Interval::Month);
        let (start, end) = span.days(calendar::today(tx)?)?;
        let days: Vec<Date> = interval.points(start, end).take(REPORT_POINTS_MAX + 1).collect();
        match days.get(REPORT_POINTS_MAX - 1) {
            Some(last) if days.len() > REPORT_POINTS_MAX => Err(too_many(interval, start, *last)),
            _ => Ok(Json(body(net_worth(tx, &days)?, interval))),
        }
    })
    .await
}

/// The refusal of a report with too many points; from the first day it can have those up to `last`.
fn too_many(interval: Interval, first: Date, last: Date) -> Error {
    let interval = interval.as_str();
    Error::invalid(Problem::field(
        "end_date",
        format!(
            "must be at most {last} for a report from {first} by {interval}, which has at most \
             {REPORT_POINTS_MAX} points; ask for a shorter time or a longer interval"
        ),
    ))
}

fn body(found: NetWorth, interval: Interval) -> Report {
    let currency = found.currency;
    let money = |amount| MoneyBody::new(amount, currency);
    Report {
        currency: currency.code(),
        interval: interval.into(),
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
