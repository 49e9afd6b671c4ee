//! The answers about the balance of an account on a day.

use purser_app::balances::daily::Balance;
use purser_core::ledger::daily::Half;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::used_rate::UsedRateBody;
use crate::http::money::Amount;
use crate::http::time::Time;

/// Writes the body with every amount in its three forms.
macro_rules! amounts {
    ($($(#[$doc:meta])* $text:ident, $decimal:ident, $cents:ident = $value:expr;)*) => {
        /// The balance of an account at the end of a day, and how it follows from the balance of
        /// the day before. For cash, for non-cash and for both, `end = start + (inflows − outflows)
        /// · flows_factor + market + adjustments`, and `start` is the `end` of the day before.
        #[derive(Debug, Serialize, ToSchema)]
        #[schema(as = Balance)]
        pub(super) struct BalanceBody {
            /// The id of the balance. It follows from the account and the day and never changes.
            id: Uuid,
            /// The day of the balance.
            #[schema(format = Date, example = "2026-01-15")]
            date: String,
            /// The code of the account's currency.
            #[schema(example = "USD")]
            currency: &'static str,
            /// 1 for assets; −1 for liabilities, because their balance is debt.
            #[schema(example = 1)]
            flows_factor: i8,
            /// Whether the account has a valuation on the day, which sets the balance at its end.
            valued: bool,
            /// Whether every exchange rate and price that the amounts need is known.
            complete: bool,
            /// The exchange rates that the prices of holdings were converted with, at the start of
            /// the day (those of the day before) and at its end; empty for most accounts.
            rates: Vec<UsedRateBody>,
            /// The account of the balance.
            account: AccountSummaryBody,
            /// The time at which the account was created.
            created_at: Time,
            /// The time of the latest change of the account or of its entries, of whatever day.
            updated_at: Time,
            $(
                $(#[$doc])*
                #[schema(example = "$1,234.56")]
                $text: String,
                /// The exact amount of the member with this name without `_decimal`.
                #[schema(example = "1234.56")]
                $decimal: String,
                /// The amount of the member with this name without `_cents`, in the smallest unit
                /// of the currency.
                #[schema(example = 123_456)]
                $cents: i64,
            )*
        }

        impl From<Balance> for BalanceBody {
            fn from(balance: Balance) -> Self {
                let sides = Sides::of(&balance);
                let currency = balance.currency;
                $(
                    let value: fn(&Sides) -> i64 = $value;
                    let $text = Amount::new(value(&sides), currency);
                )*
                Self {
                    id: balance.id,
                    date: balance.day.date.to_string(),
                    currency: currency.code(),
                    flows_factor: sides.factor,
                    valued: balance.valued.is_some(),
                    complete: balance.complete,
                    rates: balance.rates.into_iter().map(Into::into).collect(),
                    account: balance.account.into(),
                    created_at: balance.created_at.into(),
                    updated_at: balance.updated_at.into(),
                    $(
                        $text: $text.text,
                        $decimal: $text.decimal,
                        $cents: $text.minor_units,
                    )*
                }
            }
        }
    };
}

/// The two halves of a day, and the factor of their flows.
struct Sides {
    factor: i8,
    cash: Half,
    non_cash: Half,
}

impl Sides {
    fn of(balance: &Balance) -> Self {
        let classification = balance.account.account_type.classification();
        let factor = if classification.sign() < 0 { 1 } else { -1 };
        Self { factor, cash: balance.day.cash, non_cash: balance.day.non_cash }
    }
}

// A half is zero or far from the ends of 64 bits, so the sums of both hold.
amounts! {
    /// The balance at the end of the day, formatted.
    balance, balance_decimal, balance_cents =
        |day| day.cash.end.saturating_add(day.non_cash.end);
    /// The part of the balance that is money at the end of the day, formatted.
    cash_balance, cash_balance_decimal, cash_balance_cents = |day| day.cash.end;
    /// The balance at the end of the day before, formatted.
    start_balance, start_balance_decimal, start_balance_cents =
        |day| day.cash.start.saturating_add(day.non_cash.start);
    /// The part of the balance that is money at the end of the day before, formatted.
    start_cash_balance, start_cash_balance_decimal, start_cash_balance_cents =
        |day| day.cash.start;
    /// The part of the balance that is not money at the end of the day before, formatted.
    start_non_cash_balance, start_non_cash_balance_decimal, start_non_cash_balance_cents =
        |day| day.non_cash.start;
    /// The money that came in on the day, a positive amount, formatted.
    cash_inflows, cash_inflows_decimal, cash_inflows_cents = |day| day.cash.inflows;
    /// The money that went out on the day, a positive amount, formatted.
    cash_outflows, cash_outflows_decimal, cash_outflows_cents = |day| day.cash.outflows;
    /// The value other than money that came in on the day, a positive amount, formatted.
    non_cash_inflows, non_cash_inflows_decimal, non_cash_inflows_cents =
        |day| day.non_cash.inflows;
    /// The value other than money that went out on the day, a positive amount, formatted.
    non_cash_outflows, non_cash_outflows_decimal, non_cash_outflows_cents =
        |day| day.non_cash.outflows;
    /// The market movement of the day, formatted: the change of the value of holdings by prices and
    /// exchange rates.
    net_market_flows, net_market_flows_decimal, net_market_flows_cents =
        |day| day.non_cash.market;
    /// The adjustment of the money, formatted: the part of its change that no entry explains.
    cash_adjustments, cash_adjustments_decimal, cash_adjustments_cents =
        |day| day.cash.adjustment;
    /// The adjustment of what is not money, formatted: the part of its change that no entry
    /// explains.
    non_cash_adjustments, non_cash_adjustments_decimal, non_cash_adjustments_cents =
        |day| day.non_cash.adjustment;
    /// The part of the balance that is money at the end of the day, formatted; the same as
    /// `cash_balance`.
    end_cash_balance, end_cash_balance_decimal, end_cash_balance_cents = |day| day.cash.end;
    /// The part of the balance that is not money at the end of the day, formatted.
    end_non_cash_balance, end_non_cash_balance_decimal, end_non_cash_balance_cents =
        |day| day.non_cash.end;
    /// The balance at the end of the day, formatted; the same as `balance`.
    end_balance, end_balance_decimal, end_balance_cents =
        |day| day.cash.end.saturating_add(day.non_cash.end);
}
