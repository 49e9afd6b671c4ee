//! `GET /accounts`: what the family owns, what it owes, and what is left, in its currency: the
//! figures of `GET /api/v1/balance_sheet`.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::accounts::{self, Account};
use purser_app::reports::net_worth::net_worth;
use purser_app::{FamilyTx, calendar};
use purser_core::ledger::account::{AccountStatus, Classification};
use purser_core::rates::UsedRate;

use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view::{self, Amount};

/// Decimals of a rate that are shown.
const RATE_DECIMALS: u32 = 6;

#[derive(Template)]
#[template(path = "accounts/list.html")]
struct Page {
    layout: Layout,
    /// What is left of what is owned.
    worth: Amount,
    /// What amounts in other currencies were converted with.
    rates: Vec<String>,
    /// Accounts that are counted in part or not at all, because a rate or a price isn't known.
    incomplete: Vec<String>,
    groups: Vec<Group>,
    /// Accounts that are kept, but counted nowhere.
    closed: Vec<AccountView>,
    /// Accounts that were deleted, of which the server has given the rest up.
    half_deleted: Vec<AccountView>,
}

/// What is owned, or what is owed.
struct Group {
    title: &'static str,
    total: Amount,
    accounts: Vec<AccountView>,
}

struct AccountView {
    id: String,
    name: String,
    detail: String,
    balance: Amount,
}

pub(super) async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let read = |tx: &mut FamilyTx<'_>| {
        let listing = accounts::Listing { include_disabled: true };
        let today = calendar::today(tx)?;
        let listed = accounts::list(tx, listing, i64::MAX, 0)?.0;
        let is_going = |one: &Account| one.summary.status == AccountStatus::PendingDeletion;
        let (mut going, found): (Vec<Account>, Vec<Account>) =
            listed.into_iter().partition(is_going);
        let mut stays = Vec::new();
        for one in &going {
            stays.push(accounts::is_removal_given_up(tx, one.summary.id)?);
        }
        let mut stays = stays.into_iter();
        going.retain(|_| stays.next() == Some(true));
        Ok((found, going, net_worth(tx, &[today])?))
    };
    let (found, half_deleted, sheet) = app.store.read(who.access(), read).await?;
    let (closed, open): (Vec<Account>, Vec<Account>) =
        found.into_iter().partition(|account| account.summary.status == AccountStatus::Disabled);
    let (owned, owed): (Vec<Account>, Vec<Account>) = open.into_iter().partition(is_asset);
    let money = |sum: i128| Amount::of_sum(sum, sheet.currency);
    let point = sheet.points.first();
    let sums = point.map_or((0, 0), |point| (point.assets, point.liabilities));
    let groups = [("Assets", owned, sums.0), ("Debts", owed, sums.1)]
        .into_iter()
        .filter(|(_, accounts, _)| !accounts.is_empty())
        .map(|(title, accounts, sum)| Group {
            title,
            total: money(sum),
            accounts: accounts.into_iter().map(shown).collect(),
        })
        .collect();
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Accounts).with_notice(&query),
        worth: money(point.map_or(0, |point| point.net())),
        rates: sheet.rates.iter().filter_map(rate).collect(),
        incomplete: sheet.incomplete.iter().map(|account| account.name.clone()).collect(),
        groups,
        closed: closed.into_iter().map(shown).collect(),
        half_deleted: half_deleted.into_iter().map(shown).collect(),
    }))
}

fn is_asset(account: &Account) -> bool {
    account.summary.account_type.classification() == Classification::Asset
}

/// A rate and the day that it was stated for.
fn rate(used: &UsedRate) -> Option<String> {
    let number = used.rate.decimal(RATE_DECIMALS)?.normalize();
    let day = used.rate.legs().iter().map(|leg| leg.date).min().map(view::day)?;
    Some(format!("1 {} = {number} {} of {day}", used.from.code(), used.to.code()))
}

fn shown(account: Account) -> AccountView {
    let mut detail = vec![view::account_type(account.summary.account_type).to_owned()];
    detail.extend(account.subtype);
    detail.extend(account.institution_name);
    if account.summary.status == AccountStatus::Draft {
        detail.push("being set up".to_owned());
    }
    AccountView {
        id: account.summary.id.to_string(),
        name: account.summary.name,
        detail: detail.join(" · "),
        balance: Amount::new(account.balance, account.currency),
    }
}
