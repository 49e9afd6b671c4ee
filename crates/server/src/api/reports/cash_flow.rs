//! `/api/v1/reports/cash_flow`

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_app::cash_flow::{CashFlow, CashFlowFilter, Line, Missing, cash_flow};
use purser_app::labels::{self, CategoryPath};
use purser_app::{calendar, families};
use purser_core::ids::{AccountId, CategoryId};
use purser_core::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::span::Span;
use crate::api::used_rate::UsedRateBody;
use crate::http::answer::{Answer, Json};
use crate::http::call::List;
use crate::http::error::ApiResult;
use crate::http::money_body::MoneyBody;
use crate::http::query::{Ids, Unpaged, query};
use crate::http::table::routes;

routes! { "reports":
    /// Report income and expenses
    ///
    /// The report is by month and category. Confirmed transfers between the family's own accounts,
    /// valuations, purchases and sales of securities, and excluded entries are neither income nor
    /// expense.
    GET "/reports/cash_flow" => show as report_cash_flow;
}

query! {
    /// The accounts that a report is about.
    struct AccountFilter {
        /// Only entries of this account.
        account_id: Ids<AccountId>,
    }
}

/// Income and expenses by month and category, in the family's currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CashFlowReport)]
struct Report {
    /// The code of the family's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The months, the earliest first; those without income or expenses are left out. They begin on
    /// the family's `month_start_day`.
    months: Vec<MonthBody>,
    /// Whether every exchange rate that the sums need is known, and every converted amount is small
    /// enough to be counted.
    complete: bool,
    /// The amounts that could not be counted.
    missing: Vec<MissingBody>,
    /// The exchange rates that accounts in other currencies were converted with, sorted by the two
    /// currencies and the day. An entry in another currency than its account's shows its rate as
    /// `converted`.
    rates: Vec<UsedRateBody>,
}

/// The income and the expenses of a month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CashFlowMonth)]
struct MonthBody {
    /// The first day of the month.
    #[schema(format = Date, example = "2026-01-01")]
    month: String,
    /// The income, a positive amount.
    income: MoneyBody,
    /// The expenses, a positive amount.
    expense: MoneyBody,
    /// The income minus the expenses.
    net: MoneyBody,
    /// The categories of the month, by their paths; entries without a category come first.
    categories: Vec<LineBody>,
}

/// The income and the expenses of a category in a month. A refund is income and doesn't lower the
/// expenses.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CashFlowLine)]
struct LineBody {
    /// The id of the category, of either level; null for entries without a category.
    #[schema(required)]
    category_id: Option<Uuid>,
    /// The name of the category after that of its parent; null for entries without a category.
    #[schema(required, example = "Food: Groceries")]
    category: Option<String>,
    /// The id of the parent; null on the first level.
    #[schema(required)]
    parent_id: Option<Uuid>,
    /// The income, a positive amount.
    income: MoneyBody,
    /// The expenses, a positive amount.
    expense: MoneyBody,
}

/// Amounts for which no exchange rate is known, or which are too large once they are converted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MissingRate)]
struct MissingBody {
    /// The code of the currency of the amounts.
    #[schema(example = "EUR")]
    from: &'static str,
    /// The code of the currency that they would be counted in.
    #[schema(example = "USD")]
    to: &'static str,
    /// The first day with such an amount.
    #[schema(format = Date)]
    first_date: String,
    /// The last day with such an amount.
    #[schema(format = Date)]
    last_date: String,
    /// The number of entries.
    entries: u64,
}

async fn show(call: List<Unpaged<(Span, AccountFilter)>>) -> ApiResult<Answer<Json<Report>>> {
    call.compute(|tx, sent| {
        let Unpaged((span, AccountFilter { account_id: accounts })) = sent.query;
        let family = families::get(tx)?;
        let (first, last) = span.days(calendar::today(tx)?)?;
        let filter = CashFlowFilter {
            first,
            last,
            currency: family.currency,
            month_start_day: family.preferences.month_start_day,
            accounts: (!accounts.is_empty()).then_some(&accounts),
        };
        let flow = cash_flow(tx, &filter)?;
        Ok(Json(body(flow, labels::categories(tx)?)))
    })
    .await
}

fn body(flow: CashFlow, categories: Vec<CategoryPath>) -> Report {
    let known: HashMap<CategoryId, CategoryPath> =
        categories.into_iter().map(|category| (category.id, category)).collect();
    let mut months: BTreeMap<Date, Vec<&Line>> = BTreeMap::new();
    for line in &flow.lines {
        months.entry(line.month).or_default().push(line);
    }
    let months = months.into_iter().map(|(month, lines)| {
        // All lines together are within what a sum holds.
        let income: i128 = lines.iter().map(|line| line.income).sum();
        let expense: i128 = lines.iter().map(|line| line.expense).sum();
        let money = |sum| MoneyBody::new(sum, flow.currency);
        let categories = lines.iter().map(|line| line_body(line, &known, flow.currency));
        let mut categories: Vec<LineBody> = categories.collect();
        categories.sort_by(|one, other| {
            (&one.category, one.category_id).cmp(&(&other.category, other.category_id))
        });
        MonthBody {
            month: month.to_string(),
            income: money(income),
            expense: money(expense),
            net: money(income - expense),
            categories,
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
    line: &Line,
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
