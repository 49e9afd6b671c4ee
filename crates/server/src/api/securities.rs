//! `/api/v1/securities`: the securities that are traded.

use purser_app::securities::{self, Security, Selection};
use purser_core::error::{Problems, Result};
use purser_core::ids::SecurityId;
use purser_core::ledger::security::{Listing, SecurityInput, SecurityKind, TICKER_CHARS_MAX};
use purser_core::limits::LABEL_CHARS_MAX;
use purser_core::named::Named as _;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::answer::{Answer, Created, Deleted, Json};
use crate::http::body::kinds::{self, CurrencyCode, Form, Formed, OneOf, Text};
use crate::http::body::presence::{NonNull, Nullable, Optional};
use crate::http::body::{Change, Checked, New, body};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::named::SecurityKindName;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::{Choice, Flag, Paged, Word, query};
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "securities":
    /// List securities
    ///
    /// They are sorted by ticker. A key that is restricted to chosen accounts sees the securities
    /// that its accounts hold, held or traded.
    GET "/securities" => list as list_securities;
    /// Create a security
    ///
    /// Trades create the securities that they name, so this is not needed before a trade. A ticker
    /// that another security has on this market is refused with 422. A key that is restricted to
    /// chosen accounts gets 403 `restricted_key`.
    POST "/securities" => create as create_security;
    /// Show a security
    ///
    /// An unknown security and one that the key may not see are answered with 404 `not_found`.
    GET "/securities/{id}" => show as show_security;
    /// Change a security
    ///
    /// Members that are missing stay as they are, and null clears a member. A key that is
    /// restricted to chosen accounts gets 403 `restricted_key`.
    PATCH PUT "/securities/{id}" => update as update_security;
    /// Delete a security
    ///
    /// Its prices are deleted with it. The request fails with 409 `security_in_use` if it has
    /// trades or holdings. A key that is restricted to chosen accounts gets 403 `restricted_key`.
    DELETE "/securities/{id}" => delete as delete_security;
}

path_id!(SecurityId, "Security", |tx: &mut purser_app::FamilyTx<'_>, id| securities::get(tx, id));

/// The code of a market (ISO 10383).
pub(in crate::api) struct MarketCode;

impl Form for MarketCode {
    const PATTERN: &'static str = "^ *([A-Za-z0-9]{4})? *$";
}

struct Isin;

impl Form for Isin {
    const PATTERN: &'static str = "^ *([A-Za-z]{2}[A-Za-z0-9]{9}[0-9])? *$";
}

struct CountryCode;

impl Form for CountryCode {
    const PATTERN: &'static str = "^ *([A-Za-z]{2})? *$";
}

body! {
    /// The members of a security.
    struct SecurityFields as "Security" in ["security"] {
        /// The symbol that it is traded under, unique on its market.
        #[example("VTI")]
        ticker: NonNull<Text<1, TICKER_CHARS_MAX>>,
        /// The code of the market (ISO 10383).
        #[example("ARCX")]
        exchange_operating_mic: Nullable<Formed<MarketCode>>,
        /// The name that people see.
        #[example("Vanguard Total Stock Market")]
        name: Nullable<Text<0, LABEL_CHARS_MAX>>,
        /// The kind of the security; `standard` if missing.
        kind: Optional<OneOf<SecurityKind>>,
        /// The international number (ISO 6166) with its check digit.
        #[example("US9229087690")]
        isin: Nullable<Formed<Isin>>,
        /// The country as two letters (ISO 3166).
        #[example("US")]
        country_code: Nullable<Formed<CountryCode>>,
        /// The code of the currency that it is traded in.
        #[example("USD")]
        currency: Nullable<Formed<CurrencyCode>>,
        /// Whether it is left out of the requests to the feed of prices; `false` if missing.
        offline: Optional<kinds::Flag>,
        /// The symbol that the feed of prices knows it by. Null stands for its ticker.
        feed_symbol: Nullable<Text<0, TICKER_CHARS_MAX>>,
    }
}

impl Checked for SecurityFields {
    type Output = SecurityInput;

    fn check(self, problems: Problems) -> Result<SecurityInput> {
        Ok(SecurityInput {
            ticker: self.ticker.map(Option::unwrap_or_default),
            exchange_operating_mic: self.exchange_operating_mic,
            name: self.name,
            kind: self.kind.map(|kind| kind.name().to_owned()),
            isin: self.isin,
            country_code: self.country_code,
            currency: self.currency,
            offline: self.offline,
            feed_symbol: self.feed_symbol,
            problems: problems.into_list(),
        })
    }
}

query! {
    /// The filter of a list of securities.
    struct SecurityFilter {
        /// Only securities with this ticker, in any case.
        ticker: Word,
        /// Only securities on the market with this code, in any case.
        exchange_operating_mic: Word,
        /// Only securities of this kind.
        kind: Choice<SecurityKind>,
        /// Only securities that are left out of the requests to the feed (`true`), or only the
        /// others (`false`).
        offline: Flag,
    }
}

/// A security that is traded.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Security)]
struct SecurityBody {
    /// The id of the security.
    id: Uuid,
    /// The symbol that it is traded under, in upper case.
    #[schema(example = "VTI")]
    ticker: String,
    /// The code of the market (ISO 10383); null if it is unknown.
    #[schema(required, example = "ARCX")]
    exchange_operating_mic: Option<String>,
    /// The name that people see; null if it is unknown.
    #[schema(required)]
    name: Option<String>,
    /// The kind of the security.
    kind: SecurityKindName,
    /// The international number (ISO 6166); null if it is unknown.
    #[schema(required)]
    isin: Option<String>,
    /// The country as two letters (ISO 3166); null if it is unknown.
    #[schema(required)]
    country_code: Option<String>,
    /// The code of the currency that it is traded in; null if it is unknown.
    #[schema(required, example = "USD")]
    currency: Option<&'static str>,
    /// Whether it is left out of the requests to the feed of prices.
    offline: bool,
    /// The symbol that the feed of prices knows it by; null if that is its ticker.
    #[schema(required)]
    feed_symbol: Option<String>,
    /// The time of the latest request to the feed for it; null if there was none.
    #[schema(required)]
    feed_at: Option<Time>,
    /// The reason why that request brought no prices; null if it did.
    #[schema(required)]
    feed_error: Option<String>,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

impl From<Security> for SecurityBody {
    fn from(security: Security) -> Self {
        let values = security.values;
        Self {
            id: security.id.0,
            ticker: values.listing.ticker,
            exchange_operating_mic: non_empty(values.listing.exchange_operating_mic),
            name: values.name,
            kind: values.kind.into(),
            isin: values.isin,
            country_code: values.country_code,
            currency: values.currency.map(|currency| currency.code()),
            offline: values.offline,
            feed_symbol: values.feed_symbol,
            feed_at: security.feed_at.map(Time),
            feed_error: security.feed_error,
            created_at: security.created_at.into(),
            updated_at: security.updated_at.into(),
        }
    }
}

/// The security that a price belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PricedSecurity)]
pub(in crate::api) struct PricedSecurityBody {
    /// The id of the security.
    id: Uuid,
    /// The symbol that it is traded under.
    #[schema(example = "VTI")]
    ticker: String,
    /// The code of the market (ISO 10383); null if it is unknown.
    #[schema(required)]
    exchange_operating_mic: Option<String>,
    /// The name that people see; null if it is unknown.
    #[schema(required)]
    name: Option<String>,
}

impl PricedSecurityBody {
    /// A security from what is stored of it.
    pub(in crate::api) fn new(id: SecurityId, listing: Listing, name: Option<String>) -> Self {
        let exchange_operating_mic = non_empty(listing.exchange_operating_mic);
        Self { id: id.0, ticker: listing.ticker, exchange_operating_mic, name }
    }
}

fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// A page of securities.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SecurityPage)]
struct Page {
    /// The securities of the page, by ticker.
    securities: Vec<SecurityBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(call: List<Paged<SecurityFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let upper = |text: Option<String>| text.map(|text| text.to_uppercase());
        let (ticker, market) = (upper(filter.ticker), upper(filter.exchange_operating_mic));
        let selection = Selection {
            ticker: ticker.as_deref(),
            exchange_operating_mic: market.as_deref(),
            kind: filter.kind,
            offline: filter.offline,
        };
        let (found, total) = securities::list(tx, selection, page.limit(), page.offset())?;
        let securities = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { securities, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<SecurityFields>, Unrestricted>,
) -> ApiResult<Answer<Created<SecurityBody>>> {
    call.write(|tx, sent| Ok(Created(securities::create(tx, &sent.body)?.into()))).await
}

async fn show(call: Show<SecurityId>) -> ApiResult<Answer<Json<SecurityBody>>> {
    call.read(|tx, sent| Ok(Json(securities::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<SecurityId, Change<SecurityFields>, Unrestricted>,
) -> ApiResult<Answer<Json<SecurityBody>>> {
    call.write(|tx, sent| Ok(Json(securities::update(tx, sent.id, &sent.body)?.into()))).await
}

async fn delete(call: Delete<SecurityId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| securities::remove(tx, sent.id)).await
}
