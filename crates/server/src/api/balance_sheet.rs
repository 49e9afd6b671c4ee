//! `/api/v1/balance_sheet`

use purser_app::calendar;
use purser_app::reports::net_worth::{self, NetWorth};
use purser_core::error::{Error, Problem, Result};
use serde::Serialize;
use utoipa::ToSchema;

use super::accounts::view::AccountSummaryBody;
use super::used_rate::UsedRateBody;
use crate::http::answer::{Answer, Json};
use crate::http::call::List;
use crate::http::error::ApiResult;
use crate::http::money_body::MoneyBody;
use crate::http::named::{AccountTypeName, ClassificationName};
use crate::http::query::{Day, Unpaged, query};
use crate::http::table::routes;

routes! { "reports":
    /// Show the balance sheet
    ///
    /// The answer has the assets and liabilities of active and draft accounts at the end of a day,
    /// converted at the rates of that day.
    GET "/balance_sheet" => show as show_balance_sheet;
}

query! {
    /// The day of a balance sheet.
    struct DayFilter {
        /// The day, which must not be in the future; today in the family's time zone if missing.
        date: Day,
    }
}

/// The assets and liabilities of the family at the end of a day, in its currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BalanceSheet)]
struct BalanceSheet {
    /// The day of the balance sheet.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The code of the family's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The assets minus the liabilities.
    net_worth: MoneyBody,
    /// The sum of the assets.
    assets: MoneyBody,
    /// The sum of the liabilities, a positive amount.
    liabilities: MoneyBody,
    /// The sums of each type of account; liabilities are positive.
    account_types: Vec<TypeBody>,
    /// Whether every exchange rate and price that the sums need is known.
    complete: bool,
    /// The accounts for which a rate or a price is unknown. They are counted in part or not at all.
    incomplete_accounts: Vec<AccountSummaryBody>,
    /// The exchange rates that prices and accounts were converted with, sorted by the two
    /// currencies; empty if nothing was converted.
    rates: Vec<UsedRateBody>,
}

/// The accounts of one type.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BalanceSheetType)]
struct TypeBody {
    /// The type of the accounts.
    account_type: AccountTypeName,
    /// Whether accounts of the type are assets or liabilities.
    classification: ClassificationName,
    /// The sum of their balances.
    balance: MoneyBody,
}

async fn show(call: List<Unpaged<DayFilter>>) -> ApiResult<Answer<Json<BalanceSheet>>> {
    call.compute(|tx, sent| {
        let today = calendar::today(tx)?;
        let date = sent.query.0.date.unwrap_or(today);
        if date > today {
            return Err(Problem::field("date", format!("must not be after today, {today}")).into());
        }
        Ok(Json(body(net_worth::net_worth(tx, &[date])?)?))
    })
    .await
}

fn body(found: NetWorth) -> Result<BalanceSheet> {
    let currency = found.currency;
    let money = |amount| MoneyBody::new(amount, currency);
    let point = found.points.into_iter().next();
    let point = point.ok_or_else(|| Error::internal("a balance sheet has no day"))?;
    Ok(BalanceSheet {
        date: point.date.to_string(),
        currency: currency.code(),
        net_worth: money(point.net()),
        assets: money(point.assets),
        liabilities: money(point.liabilities),
        account_types: point
            .by_type
            .iter()
            .map(|(account_type, amount)| TypeBody {
                account_type: (*account_type).into(),
                classification: account_type.classification().into(),
                balance: money(*amount),
            })
            .collect(),
        complete: found.incomplete.is_empty(),
        incomplete_accounts: found.incomplete.into_iter().map(Into::into).collect(),
        rates: found.rates.into_iter().map(Into::into).collect(),
    })
}
