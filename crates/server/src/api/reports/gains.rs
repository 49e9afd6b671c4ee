//! `/api/v1/reports/gains`

use jiff::civil::Date;
use purser_app::reports::gains::{self, Line, Year};
use purser_core::error::Result;
use purser_core::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::holdings::view::SecurityBody;
use crate::api::used_rate::UsedRateBody;
use crate::http::answer::{Answer, Json};
use crate::http::call::List;
use crate::http::error::ApiResult;
use crate::http::filters;
use crate::http::money_body::MoneyBody;
use crate::http::pagination::QueryParams;
use crate::http::query::{Parameter, Unpaged, query};
use crate::http::table::routes;

routes! { "reports":
    /// Report realised gains by year
    ///
    /// The report covers active and draft accounts. The cost of what an account sold follows from
    /// its `cost_method`.
    GET "/reports/gains" => show as report_gains;
}

query! {
    /// The years of the report.
    struct YearFilter {
        /// Only gains of this year.
        year: CalendarYear,
    }
}

/// A year, as its first and its last day.
struct CalendarYear;

impl CalendarYear {
    const FIRST: i16 = 1900;
    const LAST: i16 = 9999;
}

impl Parameter for CalendarYear {
    type Value = Option<(Date, Date)>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        let Some(text) = filters::value(params, name)? else { return Ok(None) };
        let year = text.parse().ok().filter(|year| (Self::FIRST..=Self::LAST).contains(year));
        match year.and_then(|year| Date::new(year, 1, 1).ok()) {
            Some(first) => Ok(Some((first, first.last_of_year()))),
            None => Err(filters::invalid(name, "must be a year such as 2026")),
        }
    }

    fn schema() -> RefOr<Schema> {
        let year = ObjectBuilder::new().schema_type(Type::Integer);
        year.minimum(Some(Self::FIRST)).maximum(Some(Self::LAST)).into()
    }
}

/// Realised gains by year.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GainsReport)]
struct Report {
    /// The code of the family's currency, in which the gains of the years are.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The years, the latest first; those without a sale are left out.
    years: Vec<YearBody>,
    /// The exchange rates that the gains of the years were converted with, sorted by the two
    /// currencies and the day of the sale. A trade in another currency than its account's shows its
    /// rate as `converted`.
    rates: Vec<UsedRateBody>,
}

/// The realised gains of a year.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GainsYear)]
struct YearBody {
    /// The calendar year of the sales.
    #[schema(example = 2026)]
    year: i16,
    /// The gains minus the losses, each converted at the rate of the day of its sale.
    gain: MoneyBody,
    /// Whether every cost and every exchange rate that the gain needs is known.
    complete: bool,
    /// The gains of each security in each account.
    lines: Vec<LineBody>,
}

/// The realised gains of a security in an account in a year, in the account's currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GainsLine)]
struct LineBody {
    /// The account that sold.
    account: AccountSummaryBody,
    /// The security that was sold.
    security: SecurityBody,
    /// The number of sales.
    sales: u64,
    /// The proceeds of the sales, as far as they are known.
    proceeds: MoneyBody,
    /// The cost of what was sold, as far as it is known.
    cost: MoneyBody,
    /// The proceeds minus the cost; null if a part of them is unknown.
    #[schema(required)]
    gain: Option<MoneyBody>,
}

async fn show(call: List<Unpaged<YearFilter>>) -> ApiResult<Answer<Json<Report>>> {
    call.compute(|tx, sent| {
        let (from, to) = sent.query.0.year.unwrap_or((Date::MIN, Date::MAX));
        let found = gains::gains(tx, from, to)?;
        Ok(Json(Report {
            currency: found.currency.code(),
            years: found.years.into_iter().map(|year| year_body(year, found.currency)).collect(),
            rates: found.rates.into_iter().map(Into::into).collect(),
        }))
    })
    .await
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
