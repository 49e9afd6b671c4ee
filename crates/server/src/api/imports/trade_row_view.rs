//! Rows of trades as the API shows them.

use purser_app::imports::row_content::PlainContent;
use serde::Serialize;
use utoipa::ToSchema;

/// The values of a row of trades. What belongs to no security becomes a transaction and has no
/// type.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportedTrade {
    /// The day of the trade.
    #[schema(required, format = Date)]
    date: Option<String>,
    /// The type of the trade; null if the row becomes a transaction.
    #[schema(required, example = "buy")]
    r#type: Option<String>,
    /// The ticker as the file has it; null if the row has none.
    #[schema(required, example = "VTI")]
    ticker: Option<String>,
    /// The code of the market; null if the row has none.
    #[schema(required, example = "ARCX")]
    exchange_operating_mic: Option<String>,
    /// The ISIN; null if the row has none.
    #[schema(required, example = "US9229087690")]
    isin: Option<String>,
    /// The name of the security; null if the row has none.
    #[schema(required)]
    security_name: Option<String>,
    /// The number of shares; positive into the account, negative out of it. Null if none move.
    #[schema(required, example = "10.0")]
    qty: Option<String>,
    /// The price of one share; null if there is none. If the row states a total, it is the price
    /// by which the total is exact.
    #[schema(required, example = "151.25")]
    price: Option<String>,
    /// Fees and taxes together, which the amount includes; null if there are none.
    #[schema(required, example = "1.00")]
    fee: Option<String>,
    /// The exact amount of money; positive for money out.
    #[schema(required, example = "1513.50")]
    amount_decimal: Option<String>,
    /// What shares cost that come in without money; null for other types, and if it isn't known.
    #[schema(required, example = "1200.00")]
    cost: Option<String>,
    /// The code of the currency of price, fee, amount and cost.
    #[schema(required, example = "USD")]
    currency: Option<String>,
    /// What one unit of the currency is worth in the account's, if the file states it; else null.
    #[schema(required)]
    exchange_rate: Option<String>,
    /// The ratio of a share split; null for other types.
    #[schema(required, example = "4:1")]
    split_ratio: Option<String>,
    /// The name; null if the row has none.
    #[schema(required)]
    name: Option<String>,
    /// The notes; null if there are none.
    #[schema(required)]
    notes: Option<String>,
    /// The id that the broker gave it; null if there is none.
    #[schema(required)]
    external_id: Option<String>,
}

impl ImportedTrade {
    /// The values of a row.
    pub(super) fn of(content: &PlainContent) -> Self {
        let field = |name: &str| content.field(name).map(str::to_owned);
        Self {
            date: field("date"),
            r#type: field("type"),
            ticker: field("ticker"),
            exchange_operating_mic: field("exchange_operating_mic"),
            isin: field("isin"),
            security_name: field("security_name"),
            qty: field("qty"),
            price: field("price"),
            fee: field("fee"),
            amount_decimal: field("amount"),
            cost: field("cost"),
            currency: field("currency"),
            exchange_rate: field("exchange_rate"),
            split_ratio: field("split_ratio"),
            name: field("name"),
            notes: field("notes"),
            external_id: field("external_id"),
        }
    }
}
