//! `GET /api/v1/reports/cash_flow`

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use purser_app::cash_flow::{CashFlow, Missing, Wanted, cash_flow};
use purser_app::labels::{self, CategoryPath};
use purser_app::{calendar, families};
use purser_core::error::Problems;
use purser_core::ids::{AccountId, CategoryId};
use purser_core::money::Currency;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::span::{Span, SpanParams};
use crate::api::used_rate::UsedRateBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::money_body::MoneyBody;
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::QueryParams;
use crate::state::AppState;

/// What came in and went out, in the family's currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CashFlowReport)]
struct Report {
    /// The code of the family's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// In order; months without any are left out. They begin on the family's `month_start_day`.
    months: Vec<MonthBody>,
    /// Whether every exchange rate that the sums need is known; false too when amounts are so
    /// large, once they are converted, that no sum holds them.
    complete: bool,
    /// What could not be counted.
    missing: Vec<MissingBody>,
    /// The exchange rates that accounts in other currencies were converted with: each once, by the
    /// two currencies and then by day. An entry in another currency than its account's says itself
    /// which rate it took (`converted`).
    rates: Vec<UsedRateBody>,
}

/// A month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CashFlowMonth)]
struct MonthBody {
    /// Its first day.
    #[schema(format = Date, example = "2026-01-01")]
    month: String,
    /// Money in; positive.
    income: MoneyBody,
    /// Money out; positive.
    expense: MoneyBody,
    /// Income less expense.
    net: MoneyBody,
    /// By category; entries without any come first.
    categories: Vec<LineBody>,
}

/// A category in a month. A refund is money in beside the money out.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CashFlowLine)]
struct LineBody {
    /// The category, of either level; null for entries without any.
    #[schema(required)]
    category_id: Option<Uuid>,
    /// Its name, with that of the category above; null for entries without any.
    #[schema(required, example = "Food: Groceries")]
    category: Option<String>,
    /// The category above; null on the first level.
    #[schema(required)]
    parent_id: Option<Uuid>,
    /// Money in; positive.
    income: MoneyBody,
    /// Money out; positive.
    expense: MoneyBody,
}

/// Amounts that no exchange rate is known for, or that no sum holds once they are converted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MissingRate)]
struct MissingBody {
    /// Their currency.
    #[schema(example = "EUR")]
    from: &'static str,
    /// What they would be counted in.
    #[schema(example = "USD")]
    to: &'static str,
    /// The first day with one.
    #[schema(format = Date)]
    first_date: String,
    /// The last day with one.
    #[schema(format = Date)]
    last_date: String,
    /// How many entries.
    entries: u64,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only this account.
    account_id: Option<Uuid>,
    /// Only these accounts.
    #[param(rename = "account_ids[]")]
    account_ids: Option<Vec<Uuid>>,
}

/// Report what came in and went out
///
/// By month and category. Confirmed transfers between the family's own accounts, valuations,
/// purchases and sales of securities, and excluded entries are neither income nor expense.
#[utoipa::path(
    get,
    path = "/reports/cash_flow",
    operation_id = "report_cash_flow",
    tag = "reports",
    params(SpanParams, Params),
    responses((status = 200, body = Report), InvalidError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let mut problems = Problems::new();
    let span = Span::from_query(&query, &mut problems);
    let named: Vec<AccountId> =
        collect(filters::ids(&query, "account_id", "account_ids"), &mut problems);
    problems.into_result()?;
    let (flow, categories) = app
        .compute(caller.access(), move |tx| {
            let family = families::get(tx)?;
            let (first, last) = span.days(calendar::today(tx)?)?;
            let wanted = Wanted {
                first,
                last,
                currency: family.currency,
                month_start_day: family.preferences.month_start_day,
                accounts: (!named.is_empty()).then_some(&named),
                restriction: caller.accounts(),
            };
            let flow = cash_flow(tx, &wanted)?;
            Ok((flow, labels::categories(tx)?))
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &body(flow, categories)))
}

fn body(flow: CashFlow, categories: Vec<CategoryPath>) -> Report {
    let known: HashMap<CategoryId, CategoryPath> =
        categories.into_iter().map(|category| (category.id, category)).collect();
    let mut months: BTreeMap<Date, Vec<&purser_app::cash_flow::Line>> = BTreeMap::new();
    for line in &flow.lines {
        months.entry(line.month).or_default().push(line);
    }
    let months = months.into_iter().map(|(month, lines)| {
        // All lines together are within what a sum holds.
        let income: i128 = lines.iter().map(|line| line.income).sum();
        let expense: i128 = lines.iter().map(|line| line.expense).sum();
        let money = |sum| MoneyBody::new(sum, flow.currency);
        MonthBody {
            month: month.to_string(),
            income: money(income),
            expense: money(expense),
            net: money(income - expense),
            categories: lines.iter().map(|line| line_body(line, &known, flow.currency)).collect(),
        }
    });
    Report {
        currency: flow.currency.code(),
        months: months.collect(),
        complete: flow.missing.is_empty(),
        missing: flow.missing.iter().map(missing_body).collect(),
        rates: flow.rates.into_iter().map(Into::into).collect(),
    }
}

fn line_body(
    line: &purser_app::cash_flow::Line,
    known: &HashMap<CategoryId, CategoryPath>,
    currency: Currency,
) -> LineBody {
    let category = line.category.and_then(|id| known.get(&id));
    LineBody {
        category_id: line.category.map(|id| id.0),
        category: category.map(|category| category.path.clone()),
        parent_id: category.and_then(|category| category.parent).map(|id| id.0),
        income: MoneyBody::new(line.income, currency),
        expense: MoneyBody::new(line.expense, currency),
    }
}

fn missing_body(missing: &Missing) -> MissingBody {
    MissingBody {
        from: missing.from.code(),
        to: missing.to.code(),
        first_date: missing.first.to_string(),
        last_date: missing.last.to_string(),
        entries: missing.entries,
    }
}
