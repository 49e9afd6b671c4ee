//! `GET /accounts/{id}`: one account, its balance over time, what it holds, its latest
//! transactions.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use jiff::Span;
use jiff::civil::Date;
use purser_app::{accounts, balances, calendar, transactions};
use purser_core::error::Error;
use purser_core::ids::AccountId;
use purser_core::ledger::account::Classification;

use super::holdings::{self, HeldView};
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::chart::{self, Chart};
use crate::web::error::WebResult;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::transactions::rows::{self, Day, Of};
use crate::web::view::{self, Amount};

/// Transactions on the page; the others are on the page of transactions.
const LATEST: i64 = 25;

/// How far back the chart goes: the name in the address, what is shown, months.
const RANGES: [(&str, &str, Option<i32>); 4] = [
    ("3m", "3 months", Some(3)),
    ("1y", "1 year", Some(12)),
    ("5y", "5 years", Some(60)),
    ("all", "All", None),
];
const RANGE_DEFAULT: usize = 1;

#[derive(Template)]
#[template(path = "accounts/show.html")]
struct Page {
    layout: Layout,
    id: String,
    name: String,
    detail: String,
    notes: Option<String>,
    owed: bool,
    balance: Amount,
    /// What it holds beside money.
    held: Option<HeldView>,
    chart: Option<Chart>,
    ranges: Vec<Range>,
    days: Vec<Day>,
    total: u64,
}

struct Range {
    value: &'static str,
    label: &'static str,
    chosen: bool,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<AccountId>, crate::http::error::ApiError>,
    query: QueryParams,
) -> WebResult<Response> {
    let Id(id) = id?;
    let asked = query.one("range").ok().flatten();
    let chosen =
        RANGES.iter().position(|(value, ..)| Some(*value) == asked).unwrap_or(RANGE_DEFAULT);
    let months = RANGES.get(chosen).and_then(|(.., months)| *months);
    let (account, held, points, today, (latest, total)) = app
        .store
        .read(who.access(), move |tx| {
            let account = accounts::get(tx, id)?;
            let today = calendar::today(tx)?;
            let points = balances::series(tx, id, start(today, months)?, today)?;
            let its = transactions::Listing { accounts: Some(vec![id]), ..Default::default() };
            let latest = transactions::list(tx, &its, LATEST, 0)?;
            let held = holdings::of(tx, &account)?;
            Ok((account, held, points, today, latest))
        })
        .await?;
    let mut detail = vec![view::account_type(account.summary.account_type).to_owned()];
    detail.extend(account.institution_name);
    detail.push(account.currency.code().to_owned());
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Accounts).with_notice(&query),
        id: id.to_string(),
        name: account.summary.name,
        detail: detail.join(" · "),
        notes: account.notes,
        owed: account.summary.account_type.classification() == Classification::Liability,
        balance: Amount::new(account.balance, account.currency),
        held,
        chart: chart::draw(&points, today, account.currency),
        ranges: ranges(chosen),
        days: rows::by_day(latest, Of::OneAccount, &format!("/accounts/{id}"), today),
        total,
    }))
}

fn start(today: Date, months: Option<i32>) -> Result<Option<Date>, Error> {
    let back = |months| today.checked_sub(Span::new().months(months)).map_err(Error::internal);
    months.map(back).transpose()
}

fn ranges(chosen: usize) -> Vec<Range> {
    let range = |(at, (value, label, _)): (usize, &(&'static str, &'static str, Option<i32>))| {
        Range { value, label, chosen: at == chosen }
    };
    RANGES.iter().enumerate().map(range).collect()
}
