//! The records of an export, with their fields in the order in which they are written. What has no
//! value is left out.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::money::Currency;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::line::Amount;

/// The form in which rules are written.
const RULE_VERSION: u8 = 1;

/// A record with a line of its own.
pub(super) trait Kind: Serialize {
    /// The type of the line.
    const NAME: &'static str;
    /// The version of the form of its fields, if it has one.
    const VERSION: Option<u8> = None;
}

/// Declares records: the fields that are always there, and after a semicolon those that are left
/// out if they have no value.
macro_rules! records {
    ($(
        $(#[$doc:meta])*
        $name:ident $(<$life:lifetime>)? {
            $($field:ident: $type:ty,)*;
            $($option:ident: $of:ty,)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Serialize)]
        pub(super) struct $name $(<$life>)? {
            $(pub(super) $field: $type,)*
            $(
                #[serde(skip_serializing_if = "Option::is_none")]
                pub(super) $option: Option<$of>,
            )*
        }
    )*};
}

/// Gives records their types.
macro_rules! kinds {
    ($($name:ident $(<$life:lifetime>)?,)*) => {
        $(impl Kind for $name $(<$life>)? {
            const NAME: &'static str = stringify!($name);
        })*
    };
}

kinds! {
    Family<'_>, Account<'_>, Category<'_>, Tag<'_>, Merchant<'_>, Security<'_>,
    SecurityPrice<'_>, ExchangeRate<'_>, Transaction<'_>, Valuation<'_>, Trade<'_>, Tombstone<'_>,
    Holding<'_>, HoldingCost<'_>, Transfer<'_>, RejectedTransfer, Budget, BudgetCategory,
    RecurringTransaction<'_>,
}

impl Kind for Rule<'_> {
    const NAME: &'static str = "Rule";
    const VERSION: Option<u8> = Some(RULE_VERSION);
}

records! {
    /// The settings of the family. An import goes into a family that has its own, so they are
    /// there to be read by people.
    Family<'r> {
        id: Uuid, name: &'r str, currency: Currency, time_zone: &'r str, locale: &'r str,
        date_format: &'r str, month_start_day: i8, transfer_matching: &'static str,;
        country: &'r str,
    }

    /// An account with its balance of the day of the export, which follows from the other records.
    Account<'r> {
        id: Uuid, name: &'r str, accountable_type: String, currency: Currency, balance: Amount,
        opening_balance: Amount, status: &'static str, cost_method: &'static str,;
        subtype: &'r str, institution_name: &'r str, institution_domain: &'r str, notes: &'r str,
        owner: &'r str,
    }

    /// A category, which may be below another one.
    Category<'r> {
        id: Uuid, name: &'r str,;
        parent_id: Uuid, color: &'r str, lucide_icon: &'r str,
    }

    /// A tag of transactions.
    Tag<'r> { id: Uuid, name: &'r str,; color: &'r str, }

    /// A merchant of transactions.
    Merchant<'r> { id: Uuid, name: &'r str,; color: &'r str, website_url: &'r str, }

    /// A security that is traded or that has prices.
    Security<'r> {
        id: Uuid, ticker: &'r str, kind: &'r str,;
        exchange_operating_mic: &'r str, name: &'r str, isin: &'r str, country_code: &'r str,
        currency: &'r str, offline: bool, feed_symbol: &'r str,
    }

    /// The price of a security on a day.
    SecurityPrice<'r> {
        security_id: Uuid, date: Date, currency: &'r str, price: &'r str, source: &'r str,;
    }

    /// An exchange rate that the family stated: the worth of one unit of the first currency.
    ExchangeRate<'r> {
        from_currency: &'r str, to_currency: &'r str, date: Date, rate: &'r str, source: &'r str,;
    }

    /// A transaction. A positive amount is money out.
    Transaction<'r> {
        id: Uuid, account_id: Uuid, date: Date, amount: Amount, currency: Currency,
        name: &'r str,;
        notes: &'r str, category_id: Uuid, merchant_id: Uuid, tag_ids: &'r [Uuid], excluded: bool,
        pending: bool, source: &'r str, external_id: &'r str, locked_fields: Vec<&'static str>,
        exchange_rate: &'r str, origin: &'r Origin, split_lines: Vec<SplitLine<'r>>,
    }

    /// A part of a split transaction.
    SplitLine<'r> {
        id: Uuid, amount: Amount, name: &'r str,;
        notes: &'r str, category_id: Uuid, merchant_id: Option<Uuid>, tag_ids: &'r [Uuid],
        excluded: bool, locked_fields: Vec<&'static str>,
    }

    /// What the source of a transaction reported, where that was changed since.
    Origin {
        account_id: Uuid, date: Date, amount: Amount, currency: Currency, name: String,;
        source: String, external_id: String,
    }

    /// The value of an account at the end of a day.
    Valuation<'r> {
        id: Uuid, account_id: Uuid, date: Date, amount: Amount, currency: Currency,
        kind: &'static str,;
        name: &'r str, notes: &'r str, source: &'r str, external_id: &'r str,
    }

    /// A trade of a security. A positive quantity comes into the account.
    Trade<'r> {
        id: Uuid, account_id: Uuid, security_id: Uuid, ticker: &'r str, date: Date,
        trade_type: &'r str, qty: &'r str, price: &'r str, amount: Amount, currency: Currency,;
        exchange_operating_mic: &'r str, fee: Amount, cost: Amount, split_to: i64, split_from: i64,
        recorded_at: Timestamp, counterpart_id: Uuid, lots: &'r RawValue, exchange_rate: &'r str,
        name: &'r str, notes: &'r str, excluded: bool, source: &'r str, external_id: &'r str,
    }

    /// What a deleted entry leaves behind, so that the same row doesn't come again.
    Tombstone<'r> {
        id: Uuid, kind: &'static str, account_id: Uuid, date: Date, amount: Amount,
        currency: Currency, name: &'r str, deleted_at: Timestamp,;
        source: &'r str, external_id: &'r str,
    }

    /// A position as a provider reported it for a day.
    Holding<'r> {
        account_id: Uuid, security_id: Uuid, ticker: &'r str, date: Date, qty: &'r str,
        currency: &'r str,;
        exchange_operating_mic: &'r str, price: &'r str, cost_total: Amount, cost_qty: &'r str,
    }

    /// What a person stated about the cost of a position.
    HoldingCost<'r> {
        account_id: Uuid, security_id: Uuid, ticker: &'r str, cost_total: Amount, date: Date,
        stated_at: Timestamp,;
        exchange_operating_mic: &'r str, cost_qty: &'r str, locked: bool,
    }

    /// Two entries that are one movement of money.
    Transfer<'r> {
        id: Uuid, outflow_transaction_id: Uuid, inflow_transaction_id: Uuid, status: &'r str,
        made_by: &'r str, score: i64, reasons: &'r RawValue,;
    }

    /// Two entries that a person stated to be no transfer.
    RejectedTransfer {
        id: Uuid, outflow_transaction_id: Uuid, inflow_transaction_id: Uuid,;
    }

    /// The plan for the money of a month.
    Budget {
        id: Uuid, start_date: Date, end_date: Date, currency: Currency,;
        budgeted_spending: Amount, expected_income: Amount,
    }

    /// The plan for one category.
    BudgetCategory {
        id: Uuid, budget_id: Uuid, category_id: Uuid, budgeted_spending: Amount,
        currency: Currency,;
    }

    /// Transactions that come every month.
    RecurringTransaction<'r> {
        id: Uuid, name: &'r str, amount: Amount, currency: Currency, expected_day_of_month: i64,
        last_occurrence_date: Date, next_expected_date: Date, status: &'r str,
        occurrence_count: i64, manual: bool,;
        account_id: Uuid, merchant_id: Uuid, category_id: Uuid,
    }

    /// A rule. What it names is there by its id and by its name.
    Rule<'r> {
        id: Uuid, resource_type: &'static str, active: bool, position: i64, conditions: Value,
        actions: Value,;
        name: &'r str, effective_date: Date,
    }
}
