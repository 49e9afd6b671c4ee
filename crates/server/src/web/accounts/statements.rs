//! `GET /accounts/{id}/statements`: the bank statements of an account, beside what the ledger has.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::accounts;
use purser_app::bank_statements::{self, BankStatement, Listing};
use purser_core::bank_statement::{PositionComparison, PositionsComparison};
use purser_core::ids::AccountId;

use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::imports::Pages;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view::{self, Amount};

const PAGE_ITEMS: u64 = 25;
/// Positions of a statement that are shown.
const POSITIONS_SHOWN: usize = 10;

#[derive(Template)]
#[template(path = "accounts/statements.html")]
struct Page {
    layout: Layout,
    id: String,
    name: String,
    items: Vec<Item>,
    total: u64,
    pages: Pages,
}

/// A statement as the page shows it.
struct Item {
    period: String,
    /// What it is, and the file that it is from.
    detail: String,
    import: Option<String>,
    opening: Option<Amount>,
    closing: Option<Amount>,
    /// What the ledger has, if that is something else.
    ledger: Option<Amount>,
    state: String,
    class: &'static str,
    gap: Option<String>,
    /// Positions that the ledger has otherwise, and how many more there are.
    positions: Vec<String>,
    more_positions: u64,
}

pub(super) async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<AccountId>, crate::http::error::ApiError>,
    query: QueryParams,
) -> WebResult<Response> {
    let Id(id) = id?;
    let asked = Pages::asked(&query).max(1);
    let (account, found, total, pages) = app
        .store
        .read(who.access(), move |tx| {
            let account = accounts::get(tx, id)?;
            let listing = Listing { account: Some(id), ..Listing::default() };
            let page = |page: u64| {
                i64::try_from((page - 1).saturating_mul(PAGE_ITEMS)).unwrap_or(i64::MAX)
            };
            let limit = PAGE_ITEMS.cast_signed();
            let (mut found, total) = bank_statements::list(tx, &listing, limit, page(asked))?;
            let pages = Pages::of(asked, total, PAGE_ITEMS);
            if pages.page != asked {
                found = bank_statements::list(tx, &listing, limit, page(pages.page))?.0;
            }
            Ok((account, found, total, pages))
        })
        .await?;
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Accounts).with_notice(&query),
        id: id.to_string(),
        name: account.summary.name,
        items: found.into_iter().map(Item::from).collect(),
        total,
        pages,
    }))
}

/// A position that the ledger has otherwise, as a sentence without a full stop.
fn position(one: &PositionComparison) -> String {
    let [stated, ledger] = [one.stated, one.ledger].map(|quantity| quantity.normalize());
    format!("{}: {stated} by the statement, {ledger} in the account", one.name)
}

impl From<BankStatement> for Item {
    fn from(one: BankStatement) -> Self {
        let currency = one.currency;
        let amount = |amount: Option<i64>| amount.map(|amount| Amount::new(amount, currency));
        let comparison = one.comparison;
        let differs = comparison.difference().is_some_and(|difference| difference != 0);
        let mut detail: Vec<String> = Vec::new();
        detail.extend(one.file_name);
        detail.extend(one.bank);
        detail.extend(one.holder);
        detail.extend(one.last_four.map(|last| format!("•••• {last}")));
        detail.extend(one.number.map(|number| format!("No. {number}")));
        detail.push(match one.lines {
            1 => "1 line".to_owned(),
            lines => format!("{} lines", view::grouped(lines)),
        });
        let positions = one.positions.unwrap_or_else(|| PositionsComparison::of(one.closing_day));
        let shown = positions.differing.iter().take(POSITIONS_SHOWN);
        Self {
            period: format!("{} – {}", view::day(one.ends.first_day), view::day(one.ends.last_day)),
            detail: detail.join(" · "),
            import: one.import.map(|id| id.to_string()),
            opening: amount(one.ends.opening),
            closing: amount(one.ends.closing),
            ledger: amount(comparison.ledger.filter(|_| differs)),
            class: match (comparison.is_reconciled(), comparison.difference()) {
                (true, _) => "done",
                (false, None) if comparison.missing_lines == 0 => "",
                _ => "open",
            },
            state: comparison.text(currency),
            gap: one.gap.map(|gap| gap.text(currency, view::day)),
            more_positions: positions.differing_count.saturating_sub(shown.len() as u64),
            positions: shown.map(position).collect(),
        }
    }
}
