//! `/api/v1/security_prices`: the price of one share on a day.

use purser_app::prices::changes::{self, PriceInput};
use purser_app::prices::listing::{self, Selection};
use purser_app::prices::{self, StatedPrice, import};
use purser_core::error::{Problems, Result};
use purser_core::ids::{PriceId, SecurityId};
use purser_core::ledger::valuing::PriceSource;
use purser_core::money::decimal::{price_decimal_text, quantity_text};
use purser_core::money::format::price_text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::securities::PricedSecurityBody;
use super::table_file::{self, TableBody, TableFile};
use crate::http::answer::{Answer, Created, CreatedOrFound, Deleted, Json};
use crate::http::body::kinds::{self, CurrencyCode, Decimal, Formed};
use crate::http::body::presence::{OnlyNew, Optional, Required};
use crate::http::body::{Change, Checked, New, body};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::named::PriceSourceName;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::{self, Among, Day, Id, Paged, Values, query};
use crate::http::table::routes;
use crate::http::time::Time;
use purser_app::feeds::tables;

routes! { "securities":
    /// List prices
    ///
    /// The answer lists prices that were entered or imported, newest day first; prices of trades
    /// are listed with the trades. A key that is restricted to chosen accounts sees the prices of
    /// the securities that it may see.
    GET "/security_prices" => list as list_security_prices;
    /// Set a price
    ///
    /// There is one price for each security, day and currency: one that exists is replaced and
    /// keeps its id, and the answer is 200. The balances that follow from it are up to date when
    /// the answer arrives. A key that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/security_prices" => create as state_security_price;
    /// Import prices
    ///
    /// The file is a CSV table with the columns `date`, `ticker` (or `symbol`), `price` (or
    /// `close`) and, if wanted, `currency` (else the security's own) and `exchange_operating_mic`.
    /// The securities must exist. All rows are imported or none: `errors` names the lines that are
    /// wrong. Prices that a person entered stay. A key that is restricted to chosen accounts gets
    /// 403 `restricted_key`.
    POST "/security_prices/import" => import_table as import_security_prices;
    /// Show a price
    ///
    /// An unknown price and one that the key may not see are answered with 404 `not_found`.
    GET "/security_prices/{id}" => show as show_security_price;
    /// Change a price
    ///
    /// Members that are missing stay as they are. The price counts as entered by a person from then
    /// on. A key that is restricted to chosen accounts gets 403 `restricted_key`.
    PATCH PUT "/security_prices/{id}" => update as update_security_price;
    /// Delete a price
    ///
    /// A key that is restricted to chosen accounts gets 403 `restricted_key`.
    DELETE "/security_prices/{id}" => delete as delete_security_price;
}

path_id!(PriceId, "Security price", |tx: &mut purser_app::FamilyTx<'_>, id| prices::get(tx, id));

body! {
    /// The members of a price.
    struct PriceFields as "SecurityPrice" in ["security_price"] {
        /// The id of the security.
        security_id: OnlyNew<Required<kinds::Id>>,
        /// The day of the price, from 1900 to a year from today.
        #[example("2026-01-12")]
        date: Required<kinds::Day>,
        /// The price of one share, which is positive and has at most 18 decimals.
        #[example("260.50")]
        price: Required<Decimal>,
        /// The code of the currency; the security's own if missing.
        #[example("USD")]
        currency: Optional<Formed<CurrencyCode>>,
    }
}

impl Checked for PriceFields {
    type Output = PriceInput;

    fn check(self, problems: Problems) -> Result<PriceInput> {
        problems.into_result()?;
        let currency = self.currency.filter(|code| !code.trim().is_empty());
        let Self { security_id: security, date, price, .. } = self;
        Ok(PriceInput { security, date, currency, price })
    }
}

/// Sources of prices that were stated by themselves: prices of trades aren't listed.
struct StatedSources;

impl Values for StatedSources {
    type Value = PriceSource;
    const VALUES: &'static [PriceSource] =
        &[PriceSource::Manual, PriceSource::File, PriceSource::Provider, PriceSource::Feed];
}

query! {
    /// The filter of a list of prices.
    struct PriceFilter {
        /// Only prices of this security.
        security_id: Id<SecurityId>,
        /// Only prices in the currency with this code.
        currency: query::CurrencyCode,
        /// Only prices of this day and later ones.
        start_date: Day,
        /// Only prices of this day and earlier ones.
        end_date: Day,
        /// Only prices with this source.
        source: Among<StatedSources>,
        /// Only provisional prices, of which there are none: `true` lists nothing.
        provisional: query::StrictFlag,
    }
}

/// The price of one share of a security on a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SecurityPrice)]
struct PriceBody {
    /// The id of the price.
    id: Uuid,
    /// The day of the price.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// The price of one share, formatted.
    #[schema(example = "$260.50")]
    price: String,
    /// The exact price of one share.
    #[schema(example = "260.5")]
    price_decimal: String,
    /// The exact price of one share, with at least four decimals.
    #[schema(example = "260.5000")]
    price_amount: String,
    /// Whether a final price will replace it. It is always `false`, because prices are final.
    #[schema(example = false)]
    provisional: bool,
    /// The code of the currency of the price.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The source of the price.
    source: PriceSourceName,
    /// The security that the price is for.
    security: PricedSecurityBody,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

impl From<StatedPrice> for PriceBody {
    fn from(stated: StatedPrice) -> Self {
        let price = stated.price;
        let (security, listing, name) = (stated.security, stated.listing, stated.security_name);
        Self {
            id: stated.id.0,
            date: price.date.to_string(),
            price: price_text(price.price, price.currency),
            price_decimal: quantity_text(price.price),
            price_amount: price_decimal_text(price.price, 4),
            provisional: false,
            currency: price.currency.code(),
            source: price.source.into(),
            security: PricedSecurityBody::new(security, listing, name),
            created_at: stated.created_at.into(),
            updated_at: stated.updated_at.into(),
        }
    }
}

/// A page of prices.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SecurityPricePage)]
struct Page {
    /// The prices of the page, newest day first.
    security_prices: Vec<PriceBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(call: List<Paged<PriceFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let selection = Selection {
            security: filter.security_id,
            currency: filter.currency,
            start: filter.start_date,
            end: filter.end_date,
            source: filter.source,
        };
        let (found, total) = match filter.provisional {
            Some(true) => (Vec::new(), 0),
            _ => listing::list(tx, selection, page.limit(), page.offset())?,
        };
        let security_prices = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { security_prices, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<PriceFields>, Unrestricted>,
) -> ApiResult<Answer<CreatedOrFound<PriceBody>>> {
    call.write(|tx, sent| {
        let (price, existed) = changes::set(tx, &sent.body)?;
        Ok(CreatedOrFound { body: price.into(), existed })
    })
    .await
}

async fn import_table(
    call: Create<TableFile, Unrestricted>,
) -> ApiResult<Answer<Created<TableBody>>> {
    table_file::import(call, tables::prices, |tx, rows| import::import(tx, rows)).await
}

async fn show(call: Show<PriceId>) -> ApiResult<Answer<Json<PriceBody>>> {
    call.read(|tx, sent| Ok(Json(prices::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<PriceId, Change<PriceFields>, Unrestricted>,
) -> ApiResult<Answer<Json<PriceBody>>> {
    call.write(|tx, sent| Ok(Json(changes::revise(tx, sent.id, &sent.body)?.into()))).await
}

async fn delete(call: Delete<PriceId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| changes::remove(tx, sent.id)).await
}
