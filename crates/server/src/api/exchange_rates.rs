//! `/api/v1/exchange_rates`: rates that the family entered, and the rate that counts on a day.

use jiff::civil::Date;
use purser_app::rates::listing::{self, Selection};
use purser_app::rates::own::{self, OwnRate};
use purser_app::{calendar, rates};
use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::RateId;
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use purser_core::rates::{Leg, RateInput, Source};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use super::table_file::{self, TableBody, TableFile};
use crate::http::answer::{Answer, Created, CreatedOrFound, Deleted, Json};
use crate::http::body::kinds::{self, CurrencyCode, Decimal, Formed};
use crate::http::body::presence::Required;
use crate::http::body::{Checked, New, body};
use crate::http::call::{Create, Delete, List, Show};
use crate::http::describe::Description;
use crate::http::error::ApiResult;
use crate::http::filters;
use crate::http::named::RateSourceName;
use crate::http::pagination::{Pagination, QueryParams};
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::{self, Among, Day, Paged, Parameter, Unpaged, Values, query};
use crate::http::table::routes;
use crate::http::time::Time;
use purser_app::feeds::tables;

/// Decimals that a rate is shown with; conversions are made with all that it has.
const RATE_DECIMALS: u32 = 18;

routes! { "exchange_rates":
    /// List exchange rates
    ///
    /// The answer lists the rates that the family entered or imported, newest day first. Rates of
    /// the feed are found by `/exchange_rates/lookup`.
    GET "/exchange_rates" => list as list_exchange_rates;
    /// Set an exchange rate
    ///
    /// There is one rate for each pair of currencies and day: one that exists is replaced and keeps
    /// its id, and the answer is 200. The amounts for which this rate is the best, and the balances
    /// that follow from them, are up to date when the answer arrives. If thousands of amounts have
    /// to be converted, they are up to date shortly after, and until then each amount shows the
    /// rate that it is booked with. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    POST "/exchange_rates" => create as state_exchange_rate;
    /// Import exchange rates
    ///
    /// The file is a CSV table with the columns `date`, `base`, `quote` and `rate`, or a table of
    /// the European Central Bank. All rows are imported or none: `errors` names the lines that are
    /// wrong. Rates that a person entered stay. A key that is restricted to chosen accounts gets
    /// 403 `restricted_key`.
    POST "/exchange_rates/import" => import_table as import_exchange_rates;
    /// Look up the rate of a day
    ///
    /// A rate of the very day is used, else the nearest earlier one, else the nearest later one;
    /// each directly, inverted, or through a third currency. The family's own rates come before
    /// those of the feed. `origin` lists the rates that were used.
    GET "/exchange_rates/lookup" => lookup as look_up_exchange_rate;
    /// Show an exchange rate
    GET "/exchange_rates/{id}" => show as show_exchange_rate;
    /// Delete an exchange rate
    ///
    /// Amounts that were converted by it are converted again by the best rate that remains. A key
    /// that is restricted to chosen accounts gets 403 `restricted_key`.
    DELETE "/exchange_rates/{id}" => delete as delete_exchange_rate;
}

path_id!(RateId, "Exchange rate", |tx: &mut purser_app::FamilyTx<'_>, id| own::get(tx, id));

body! {
    /// The members of an exchange rate: one unit of the base currency is worth `rate` units of the
    /// quote currency.
    struct RateFields as "ExchangeRate" in ["exchange_rate"] {
        /// The code of the base currency.
        #[example("EUR")]
        base: Required<Formed<CurrencyCode>>,
        /// The code of the quote currency.
        #[example("USD")]
        quote: Required<Formed<CurrencyCode>>,
        /// The day of the rate, from 1900 to a year from today.
        #[example("2026-01-12")]
        date: Required<kinds::Day>,
        /// The rate, which is positive and has at most 18 decimals.
        #[example("1.0844")]
        rate: Required<Decimal>,
    }
}

impl Checked for RateFields {
    type Output = RateInput;

    fn check(self, problems: Problems) -> Result<RateInput> {
        problems.into_result()?;
        let filled = |code: Option<String>| code.filter(|code| !code.trim().is_empty());
        let (base, quote) = (filled(self.base), filled(self.quote));
        Ok(RateInput { base, quote, date: self.date, rate: self.rate })
    }
}

/// The sources of rates that belong to the family.
struct OwnSources;

impl Values for OwnSources {
    type Value = Source;
    const VALUES: &'static [Source] = &[Source::Manual, Source::File];
}

query! {
    /// The filter of a list of exchange rates.
    struct RateFilter {
        /// Only rates with this base currency.
        base: query::CurrencyCode,
        /// Only rates with this quote currency.
        quote: query::CurrencyCode,
        /// Only rates of this day and later ones.
        start_date: Day,
        /// Only rates of this day and earlier ones.
        end_date: Day,
        /// Only rates with this source.
        source: Among<OwnSources>,
    }
}

/// The code of a currency that must be given.
struct RequiredCurrency;

impl Parameter for RequiredCurrency {
    type Value = Option<Currency>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        match filters::currency(params, name)? {
            None => Err(Error::invalid(Problem::required(name))),
            found => Ok(found),
        }
    }

    fn describe(operation: &mut Description<'_>, name: &'static str, description: String) {
        operation.required_parameter(name, description, Self::schema());
    }

    fn schema() -> RefOr<Schema> {
        query::CurrencyCode::schema()
    }
}

query! {
    /// The pair of currencies and the day of a lookup.
    struct Lookup {
        /// The code of the currency to convert from.
        from: RequiredCurrency,
        /// The code of the currency to convert to.
        to: RequiredCurrency,
        /// The day of the rate; today if missing.
        date: Day,
    }
}

/// A rate that the family entered or imported: one unit of the base currency is worth `rate` units
/// of the quote currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeRate)]
struct RateBody {
    /// The id of the rate.
    id: Uuid,
    /// The code of the base currency.
    #[schema(example = "EUR")]
    base: &'static str,
    /// The code of the quote currency.
    #[schema(example = "USD")]
    quote: &'static str,
    /// The day of the rate.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// The exact value of one unit of the base currency in the quote currency.
    #[schema(example = "1.0844")]
    rate: String,
    /// The source of the rate: `manual` or `file`.
    source: RateSourceName,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

impl From<OwnRate> for RateBody {
    fn from(rate: OwnRate) -> Self {
        let stated = rate.stated;
        Self {
            id: rate.id.0,
            base: stated.base.code(),
            quote: stated.quote.code(),
            date: stated.date.to_string(),
            rate: quantity_text(stated.rate),
            source: rate.source.into(),
            created_at: rate.created_at.into(),
            updated_at: rate.updated_at.into(),
        }
    }
}

/// A page of exchange rates.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeRatePage)]
struct Page {
    /// The rates of the page, newest day first.
    exchange_rates: Vec<RateBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

/// The rate that is used on a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeRateFound)]
struct LookupBody {
    /// The code of the currency to convert from.
    #[schema(example = "USD")]
    from: &'static str,
    /// The code of the currency to convert to.
    #[schema(example = "EUR")]
    to: &'static str,
    /// The day of the lookup.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// The value of one unit of `from` in `to`, with at most 18 decimals; null if no rate leads
    /// from one to the other.
    #[schema(required, example = "0.922168941350055330")]
    rate: Option<String>,
    /// The rates that were used, in the order in which they were applied; empty if there is none,
    /// or if both currencies are the same.
    origin: Vec<LegBody>,
}

/// A stated rate that was used to find another one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeRateLeg)]
struct LegBody {
    /// The code of the base currency.
    #[schema(example = "EUR")]
    base: &'static str,
    /// The code of the quote currency.
    #[schema(example = "USD")]
    quote: &'static str,
    /// The day of the stated rate.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// The exact value of one unit of the base currency in the quote currency.
    #[schema(example = "1.0844")]
    rate: String,
    /// The source of the rate; `given` came with the entry itself.
    source: RateSourceName,
    /// Whether it is used inverted: from the quote currency to the base currency.
    inverted: bool,
}

impl From<&Leg> for LegBody {
    fn from(leg: &Leg) -> Self {
        Self {
            base: leg.base.code(),
            quote: leg.quote.code(),
            date: leg.date.to_string(),
            rate: quantity_text(leg.rate),
            source: leg.source.into(),
            inverted: leg.inverted,
        }
    }
}

async fn list(call: List<Paged<RateFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let selection = Selection {
            base: filter.base,
            quote: filter.quote,
            start: filter.start_date,
            end: filter.end_date,
            source: filter.source,
        };
        let (found, total) = listing::list(tx, selection, page.limit(), page.offset())?;
        let exchange_rates = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { exchange_rates, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<RateFields>, Unrestricted>,
) -> ApiResult<Answer<CreatedOrFound<RateBody>>> {
    call.write(|tx, sent| {
        let (rate, existed) = own::set(tx, &sent.body)?;
        Ok(CreatedOrFound { body: rate.into(), existed })
    })
    .await
}

async fn import_table(
    call: Create<TableFile, Unrestricted>,
) -> ApiResult<Answer<Created<TableBody>>> {
    table_file::import(call, tables::rates, |tx, rows| own::import(tx, rows)).await
}

async fn lookup(call: List<Unpaged<Lookup>>) -> ApiResult<Answer<Json<LookupBody>>> {
    call.read(|tx, sent| {
        let Unpaged(Lookup { from, to, date }) = sent.query;
        let (Some(from), Some(to)) = (from, to) else {
            return Err(Error::internal("a lookup without a currency was accepted"));
        };
        let date: Date = match date {
            Some(date) => date,
            None => calendar::today(tx)?,
        };
        let rate = rates::find(tx, from, to, date)?;
        let number = rate.as_ref().and_then(|rate| rate.decimal(RATE_DECIMALS));
        Ok(Json(LookupBody {
            from: from.code(),
            to: to.code(),
            date: date.to_string(),
            rate: number.map(quantity_text),
            origin: rate.iter().flat_map(|rate| rate.legs()).map(LegBody::from).collect(),
        }))
    })
    .await
}

async fn show(call: Show<RateId>) -> ApiResult<Answer<Json<RateBody>>> {
    call.read(|tx, sent| Ok(Json(own::get(tx, sent.id)?.into()))).await
}

async fn delete(call: Delete<RateId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| own::remove(tx, sent.id)).await
}
