//! What answers say of an account's balance on a day.

use purser_app::balances::daily::Balance;
use purser_core::ledger::daily::Half;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::used_rate::UsedRateBody;
use crate::http::money::Amount;

/// Writes the body with every amount in its three forms.
macro_rules! amounts {
    ($($(#[$doc:meta])* $text:ident, $decimal:ident, $cents:ident = $value:expr;)*) => {
        /// An account's balance at the end of a day, and what made it of the balance before:
        /// for cash, for non-cash and for both,
        /// `end = start + (inflows − outflows) · flows_factor + market + adjustments`, and `start`
        /// is the `end` of the day before.
        #[derive(Debug, Serialize, ToSchema)]
        #[schema(as = Balance)]
        pub(super) struct BalanceBody {
            /// Made of the account and the day: the same for good.
            id: Uuid,
            /// Which day.
            #[schema(format = Date, example = "2026-01-15")]
            date: String,
            /// The code of the account's currency.
            #[schema(example = "USD")]
            currency: &'static str,
            /// 1 for assets, −1 for liabilities, whose balance is debt.
            #[schema(example = 1)]
            flows_factor: i8,
            /// Whether the day has a valuation, which sets its end.
            valued: bool,
            /// Whether every exchange rate and price that the amounts need is known.
            complete: bool,
            /// The exchange rates that the prices of holdings were converted with, at the start of
            /// the day (as of the day before) and at its end; none for most accounts.
            rates: Vec<UsedRateBody>,
            /// Whose.
            account: AccountSummaryBody,
            $(
                $(#[$doc])*
                #[schema(example = "$1,234.56")]
                $text: String,
                /// The same, exact.
                #[schema(example = "1234.56")]
                $decimal: String,
                /// The same in the currency's smallest unit.
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

/// A day's halves and their sum.
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
    /// The whole at the end of the day, formatted.
    balance, balance_decimal, balance_cents =
        |day| day.cash.end.saturating_add(day.non_cash.end);
    /// Its money, formatted.
    cash_balance, cash_balance_decimal, cash_balance_cents = |day| day.cash.end;
    /// The whole at the end of the day before.
    start_balance, start_balance_decimal, start_balance_cents =
        |day| day.cash.start.saturating_add(day.non_cash.start);
    /// Its money.
    start_cash_balance, start_cash_balance_decimal, start_cash_balance_cents =
        |day| day.cash.start;
    /// Everything else.
    start_non_cash_balance, start_non_cash_balance_decimal, start_non_cash_balance_cents =
        |day| day.non_cash.start;
    /// Money that came in; positive.
    cash_inflows, cash_inflows_decimal, cash_inflows_cents = |day| day.cash.inflows;
    /// Money that went out; positive.
    cash_outflows, cash_outflows_decimal, cash_outflows_cents = |day| day.cash.outflows;
    /// Value that came into everything else; positive.
    non_cash_inflows, non_cash_inflows_decimal, non_cash_inflows_cents =
        |day| day.non_cash.inflows;
    /// Value that went out of it; positive.
    non_cash_outflows, non_cash_outflows_decimal, non_cash_outflows_cents =
        |day| day.non_cash.outflows;
    /// What prices and exchange rates did to the holdings.
    net_market_flows, net_market_flows_decimal, net_market_flows_cents =
        |day| day.non_cash.market;
    /// What no entry explains, in money.
    cash_adjustments, cash_adjustments_decimal, cash_adjustments_cents =
        |day| day.cash.adjustment;
    /// What no entry explains, in everything else.
    non_cash_adjustments, non_cash_adjustments_decimal, non_cash_adjustments_cents =
        |day| day.non_cash.adjustment;
    /// Money at the end of the day.
    end_cash_balance, end_cash_balance_decimal, end_cash_balance_cents = |day| day.cash.end;
    /// Everything else at the end of the day.
    end_non_cash_balance, end_non_cash_balance_decimal, end_non_cash_balance_cents =
        |day| day.non_cash.end;
    /// The whole at the end of the day, once more under the name of its kind.
    end_balance, end_balance_decimal, end_balance_cents =
        |day| day.cash.end.saturating_add(day.non_cash.end);
}
