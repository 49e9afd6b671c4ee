//! `GET /transactions`: filtered, by day, in pages.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::labels::CategoryPath;
use purser_app::transactions::Transaction;
use purser_app::{FamilyTx, accounts, calendar, labels, transactions, transfers};
use purser_core::error::Error;

use super::filter::{self, FIELDS, NO_CATEGORY};
use super::rows::{self, Day, Of};
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField};
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::transfers::PROPOSED;
use crate::web::view::{Choice, grouped};

const PER_PAGE: u64 = 50;
/// What a number of a page may be, so that its offset fits.
const PAGE_MAX: u64 = 1_000_000_000;

#[derive(Template)]
#[template(path = "transactions/list.html")]
struct Page {
    layout: Layout,
    form: Filled,
    filtered: bool,
    /// Whether it is filtered by more than a text.
    narrowed: bool,
    directions: [Choice; 3],
    accounts: Vec<Choice>,
    categories: Vec<Choice>,
    days: Vec<Day>,
    total: u64,
    newer: Option<String>,
    older: Option<String>,
    position: String,
    /// Transfers that wait for a yes or no.
    proposals: u64,
}

pub(super) async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let mut form = fields(&query);
    let (asked, asked_page) = (query.clone(), page_number(&query));
    let (choices, today, found, proposals) = app
        .store
        .read(who.access(), move |tx| {
            let categories = labels::categories(tx)?;
            let listing = filter::listing(&asked, &categories);
            let found = match listing {
                Ok(listing) => Ok(a_page(tx, &listing, asked_page)?),
                Err(problem) => Err(problem),
            };
            let all = accounts::list(tx, accounts::Listing::default(), i64::MAX, 0)?.0;
            let proposals = transfers::list(tx, PROPOSED, 1, 0)?.1;
            Ok(((all, categories), calendar::today(tx)?, found, proposals))
        })
        .await?;
    let (found, total, page) = found.or_else(|problem: Error| {
        form.refuse(problem, &[FormField::same("from"), FormField::same("to")])
            .map(|()| (Vec::new(), 0, 1))
    })?;
    let address = address(&query);
    let at = |page: u64| with_page(&address, page);
    let is_set = |name: &&str| !form.value(name).trim().is_empty();
    let filtered = FIELDS.iter().any(&is_set);
    let narrowed = FIELDS.iter().filter(|name| **name != "q").any(is_set);
    let (accounts, categories) = choices;
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Transactions).with_notice(&query),
        filtered,
        narrowed,
        directions: [("", "In and out"), ("in", "Money in"), ("out", "Money out")]
            .map(|(value, label)| Choice::new(value, label)),
        accounts: account_choices(accounts),
        categories: category_choices(&categories),
        newer: (page > 1).then(|| at(page - 1)),
        older: (page * PER_PAGE < total).then(|| at(page + 1)),
        position: position(page, found.len(), total),
        days: rows::by_day(found, Of::AnyAccount, &at(page), today),
        total,
        proposals,
        form,
    }))
}

/// A page of the list, how many there are in all, and which page it is: the last one for whoever
/// asks for more.
fn a_page(
    tx: &mut FamilyTx<'_>,
    listing: &transactions::Listing,
    asked: u64,
) -> Result<(Vec<Transaction>, u64, u64), Error> {
    let mut read = |page: u64| {
        let offset = ((page - 1) * PER_PAGE).cast_signed();
        transactions::list(tx, listing, PER_PAGE.cast_signed(), offset)
    };
    let (found, total) = read(asked)?;
    let page = asked.min(total.div_ceil(PER_PAGE).max(1));
    match page == asked {
        true => Ok((found, total, page)),
        false => Ok((read(page)?.0, total, page)),
    }
}

/// The filter as it was typed, for the form.
fn fields(query: &QueryParams) -> Filled {
    let value = |name| query.one(name).ok().flatten().unwrap_or_default();
    Filled::new(Form::of(FIELDS.map(|name| (name, value(name)))))
}

fn page_number(query: &QueryParams) -> u64 {
    let number = query.one("page").ok().flatten().and_then(|text| text.parse().ok());
    number.unwrap_or(1).clamp(1, PAGE_MAX)
}

/// The address of this filter, without a page.
fn address(query: &QueryParams) -> String {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    for name in FIELDS {
        if let Some(value) = query.one(name).ok().flatten().filter(|value| !value.is_empty()) {
            pairs.append_pair(name, value);
        }
    }
    match pairs.finish() {
        pairs if pairs.is_empty() => "/transactions".to_owned(),
        pairs => format!("/transactions?{pairs}"),
    }
}

fn with_page(address: &str, page: u64) -> String {
    match (page, address.contains('?')) {
        (1, _) => address.to_owned(),
        (_, true) => format!("{address}&page={page}"),
        (_, false) => format!("{address}?page={page}"),
    }
}

/// The range that is shown, such as `51–100 of 1,234`.
fn position(page: u64, shown: usize, total: u64) -> String {
    let first = (page - 1) * PER_PAGE;
    let (from, to) = (grouped(first + 1), grouped(first + shown as u64));
    format!("{from}–{to} of {}", grouped(total))
}

fn account_choices(accounts: Vec<accounts::Account>) -> Vec<Choice> {
    let any = Choice::new("", "All accounts");
    let one = |account: accounts::Account| {
        Choice::new(account.summary.id.to_string(), account.summary.name)
    };
    std::iter::once(any).chain(accounts.into_iter().map(one)).collect()
}

fn category_choices(categories: &[CategoryPath]) -> Vec<Choice> {
    let fixed = [Choice::new("", "All categories"), Choice::new(NO_CATEGORY, "No category")];
    let one = |category: &CategoryPath| Choice::new(category.id.to_string(), &*category.path);
    fixed.into_iter().chain(categories.iter().map(one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> QueryParams {
        QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap()
    }

    #[test]
    fn addresses_of_pages_keep_the_filter_and_nothing_else() {
        let filtered = address(&query("q=a+%26+b&account=&other=1&from=2024-01-01&page=3"));
        assert_eq!(filtered, "/transactions?q=a+%26+b&from=2024-01-01");
        assert_eq!(with_page(&filtered, 2), format!("{filtered}&page=2"));
        assert_eq!(with_page(&address(&query("")), 2), "/transactions?page=2");
        assert_eq!(with_page("/transactions", 1), "/transactions");
    }

    #[test]
    fn any_number_of_a_page_is_some_page() {
        for (text, page) in [("", 1), ("page=0", 1), ("page=x", 1), ("page=7", 7)] {
            assert_eq!(page_number(&query(text)), page, "{text}");
        }
        assert_eq!(page_number(&query(&format!("page={}", u64::MAX))), PAGE_MAX);
        assert_eq!(position(2, 50, 1234), "51–100 of 1,234");
    }
}
