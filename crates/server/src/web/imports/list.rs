//! `GET /imports`

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::imports::{self, Listing};
use purser_core::ids::ImportId;

use super::{Status, counted};
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view;

const PAGE_ITEMS: u64 = 25;

#[derive(Template)]
#[template(path = "imports/list.html")]
struct Page {
    layout: Layout,
    items: Vec<Item>,
    pages: Pages,
}

struct Item {
    id: ImportId,
    name: String,
    status: Status,
    rows: String,
    at: String,
    error: Option<String>,
}

/// Where a list is, of how many pages.
#[derive(Debug, Clone)]
pub(in crate::web) struct Pages {
    /// The number of the page, from 1.
    pub(in crate::web) page: u64,
    /// The number of the last page, at least 1.
    pub(in crate::web) last: u64,
}

impl Pages {
    /// The page that the address asks for; the last one for whoever asks for more.
    pub(in crate::web) fn of(page: u64, total: u64, per_page: u64) -> Self {
        let last = total.div_ceil(per_page).max(1);
        Self { page: page.clamp(1, last), last }
    }

    /// The number in the address. Anything else is the first page: a person typed it.
    pub(in crate::web) fn asked(query: &QueryParams) -> u64 {
        query.one("page").ok().flatten().and_then(|text| text.parse().ok()).unwrap_or(1)
    }
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let zone = who.time_zone.clone();
    let asked = Pages::asked(&query).max(1);
    let (items, pages) = app
        .store
        .read(who.access(), move |tx| {
            let listing = Listing::default();
            let offset = (asked - 1).saturating_mul(PAGE_ITEMS);
            let (mut found, total) = imports::list(tx, listing, PAGE_ITEMS, offset)?;
            let pages = Pages::of(asked, total, PAGE_ITEMS);
            if pages.page != asked {
                let offset = (pages.page - 1) * PAGE_ITEMS;
                found = imports::list(tx, listing, PAGE_ITEMS, offset)?.0;
            }
            let ids: Vec<ImportId> = found.iter().map(|one| one.id).collect();
            let mut names = imports::file_names(tx, &ids)?;
            let item = |one: imports::Listed| Item {
                id: one.id,
                name: names.remove(&one.id).unwrap_or_else(|| "Import".to_owned()),
                status: Status::of(one.condition.status, one.condition.detail().configured),
                rows: counted(one.condition.rows, "row", "rows"),
                at: view::time(one.created_at, &zone),
                error: one.error,
            };
            Ok((found.into_iter().map(item).collect(), pages))
        })
        .await?;
    let layout = Layout::new(&who, Section::Imports).with_notice(&query);
    Ok(answer::ok(&Page { layout, items, pages }))
}
