//! `GET /accounts`: what the family owns, what it owes, and what is left.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::accounts::{self, Account};
use purser_core::ledger::account::{AccountStatus, Classification};
use purser_core::money::Currency;

use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view::{self, Amount};

#[derive(Template)]
#[template(path = "accounts/list.html")]
struct Page {
    layout: Layout,
    /// What is left, of each currency; the family's own first.
    worth: Vec<Amount>,
    groups: Vec<Group>,
    /// Accounts that are kept, but counted nowhere.
    closed: Vec<AccountView>,
}

/// What is owned, or what is owed.
struct Group {
    title: &'static str,
    totals: Vec<Amount>,
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
    let listing = accounts::Listing { include_disabled: true };
    let (mut found, _) =
        app.store.read(who.access(), move |tx| accounts::list(tx, listing, i64::MAX, 0)).await?;
    found.retain(|account| account.summary.status != AccountStatus::PendingDeletion);
    let (closed, open): (Vec<Account>, Vec<Account>) =
        found.into_iter().partition(|account| account.summary.status == AccountStatus::Disabled);
    let (owned, owed): (Vec<Account>, Vec<Account>) =
        open.into_iter().partition(|account| sign(account) == 1);
    let own = who.family_currency;
    let all = || owned.iter().chain(&owed);
    let worth = totals(own, all().map(|one| (one.currency, sign(one) * i128::from(one.balance))));
    let groups = [("Assets", owned), ("Debts", owed)]
        .into_iter()
        .filter(|(_, accounts)| !accounts.is_empty())
        .map(|(title, accounts)| Group {
            title,
            totals: totals(own, accounts.iter().map(|one| (one.currency, one.balance.into()))),
            accounts: accounts.into_iter().map(shown).collect(),
        })
        .collect();
    let layout = Layout::new(&who, Section::Accounts).with_notice(&query);
    let closed = closed.into_iter().map(shown).collect();
    Ok(answer::ok(&Page { layout, worth, groups, closed }))
}

/// How a balance counts for what is left.
fn sign(account: &Account) -> i128 {
    match account.summary.account_type.classification() {
        Classification::Asset => 1,
        Classification::Liability => -1,
    }
}

/// Sums by currency, never across; the family's own first, then by code.
fn totals(own: Currency, amounts: impl Iterator<Item = (Currency, i128)>) -> Vec<Amount> {
    let mut sums: BTreeMap<(bool, &str), (Currency, i128)> = BTreeMap::new();
    for (currency, amount) in amounts {
        sums.entry((currency != own, currency.code())).or_insert((currency, 0)).1 += amount;
    }
    sums.into_values().map(|(currency, sum)| Amount::of_sum(sum, currency)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_are_never_added_to_each_other() {
        let (usd, eur) = (Currency::USD, Currency::EUR);
        let sums = totals(eur, [(usd, 10_000), (eur, 20_000), (usd, -30_000)].into_iter());
        let texts: Vec<&str> = sums.iter().map(|sum| sum.text.as_str()).collect();
        assert_eq!(texts, ["\u{20ac}2.00", "\u{2212}$2.00"]);
        assert!(totals(eur, std::iter::empty()).is_empty());
    }
}
