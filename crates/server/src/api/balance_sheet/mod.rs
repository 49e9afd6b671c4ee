//! `GET /api/v1/balance_sheet`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::calendar;
use purser_app::reports::net_worth::{self, NetWorth};
use purser_core::error::{Error, Problem};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::accounts::view::AccountSummaryBody;
use super::used_rate::UsedRateBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters;
use crate::http::money_body::MoneyBody;
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::QueryParams;
use crate::state::AppState;

/// What the family owns and owes at the end of a day, in its currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BalanceSheet)]
struct BalanceSheet {
    /// Which day.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The code of the family's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// Assets less liabilities.
    net_worth: MoneyBody,
    /// What is owned.
    assets: MoneyBody,
    /// What is owed; positive.
    liabilities: MoneyBody,
    /// By type of account; what is owed is positive.
    account_types: Vec<TypeBody>,
    /// Whether every exchange rate and price that the sums need is known.
    complete: bool,
    /// The accounts of which one isn't known; without it they count as nothing, or in part.
    incomplete_accounts: Vec<AccountSummaryBody>,
    /// The exchange rates that prices and accounts were converted with, by the two currencies; none
    /// where all are in one.
    rates: Vec<UsedRateBody>,
}

/// All accounts of a type.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BalanceSheetType)]
struct TypeBody {
    /// `depository`, `loan`, …
    #[schema(example = "depository")]
    account_type: &'static str,
    /// `asset` or `liability`.
    #[schema(example = "asset")]
    classification: &'static str,
    /// Their sum.
    balance: MoneyBody,
}

/// Which day, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// The end of this day, as `YYYY-MM-DD`, which must not be in the future; today in the family's
    /// time zone if missing.
    #[param(format = Date)]
    date: Option<String>,
}

/// Show what the family owns and owes
///
/// Of accounts in sight, converted at the rates of the day.
#[utoipa::path(
    get,
    path = "/balance_sheet",
    operation_id = "show_balance_sheet",
    tag = "reports",
    params(Params),
    responses((status = 200, body = BalanceSheet), InvalidError, CommonErrors)
)]
pub(super) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let date = filters::day(&query, "date")?;
    let found = app
        .compute(caller.access(), move |tx| {
            let today = calendar::today(tx)?;
            let date = date.unwrap_or(today);
            if date > today {
                return Err(
                    Problem::field("date", format!("must not be after today, {today}")).into()
                );
            }
            net_worth::net_worth(tx, &[date])
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &body(found)?))
}

fn body(found: NetWorth) -> Result<BalanceSheet, Error> {
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
                account_type: account_type.as_str(),
                classification: account_type.classification().as_str(),
                balance: money(*amount),
            })
            .collect(),
        complete: found.incomplete.is_empty(),
        incomplete_accounts: found.incomplete.into_iter().map(Into::into).collect(),
        rates: found.rates.into_iter().map(Into::into).collect(),
    })
}
