//! `/imports/templates`: what is kept of files, for the next ones with the same header.
//!
//! Every template of the list has a form; the one that was refused keeps what was typed, with the
//! problem beside it.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use purser_app::FamilyTx;
use purser_app::imports::template_changes;
use purser_app::imports::{self, Template as Kept};
use purser_core::error::Error;
use purser_core::ids::{self, TemplateId};

use super::list::Pages;
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField, Posted};
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;
use crate::web::view;

const PAGE_ITEMS: u64 = 25;
const LIST: &str = "/imports/templates";

#[derive(Template)]
#[template(path = "imports/templates.html")]
struct Page {
    layout: Layout,
    items: Vec<Item>,
    pages: Pages,
    /// The problems of a template that is not on this page any more.
    problems: Filled,
}

struct Item {
    id: String,
    name: String,
    problem: Option<String>,
    settings: Vec<String>,
    used: String,
}

impl Page {
    async fn read(app: &AppState, who: &SignedIn, asked: u64) -> WebResult<Self> {
        let (found, pages) = app.store.read(who.access(), move |tx| a_page(tx, asked)).await?;
        Ok(Self {
            layout: Layout::new(who, Section::Imports),
            items: found.into_iter().map(|one| Item::of(one, &who.time_zone)).collect(),
            pages,
            problems: Filled::default(),
        })
    }
}

impl Item {
    fn of(one: Kept, zone: &str) -> Self {
        let chosen = one.choices.len() as u64;
        let set = one.settings.fields().into_iter();
        let mut settings: Vec<String> =
            set.map(|(name, value)| format!("{}: {value}", people(name))).collect();
        if chosen > 0 {
            settings.push(super::counted(chosen, "chosen name", "chosen names"));
        }
        Self {
            id: one.id.to_string(),
            name: one.name,
            problem: None,
            settings,
            used: view::time(one.used_at, zone),
        }
    }
}

/// A page of templates; the last one for whoever asks for more.
fn a_page(tx: &mut FamilyTx<'_>, asked: u64) -> Result<(Vec<Kept>, Pages), Error> {
    let mut read = |page: u64| {
        let offset = (page - 1).saturating_mul(PAGE_ITEMS);
        imports::templates(tx, PAGE_ITEMS, offset)
    };
    let (found, total) = read(asked)?;
    let pages = Pages::of(asked, total, PAGE_ITEMS);
    let found = if pages.page == asked { found } else { read(pages.page)?.0 };
    Ok((found, pages))
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let mut page = Page::read(&app, &who, Pages::asked(&query).max(1)).await?;
    page.layout = page.layout.with_notice(&query);
    Ok(answer::ok(&page))
}

/// `GET /imports/templates/{id}`: the list; a refusal leaves this address in the browser.
pub(super) async fn redirect_to_list() -> Response {
    answer::see_other(LIST)
}

/// Answers `POST /imports/templates/{id}`: renames the template.
pub(super) async fn rename(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let id = template_id(&id)?;
    let name = match template_changes::checked_name(form.text("name")) {
        Ok(name) => name,
        Err(error) => return refused(&app, &who, id, &form, error).await,
    };
    app.store.write(who.access(), move |tx| template_changes::rename(tx, id, &name)).await?;
    Ok(notice::done(&back(&form), "template-saved"))
}

/// Answers `POST /imports/templates/{id}/delete`: removes the template.
pub(super) async fn delete(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let id = template_id(&id)?;
    app.store.write(who.access(), move |tx| template_changes::remove(tx, id)).await?;
    Ok(notice::done(&back(&form), "template-removed"))
}

/// The list again, with what was typed and what is wrong with it.
async fn refused(
    app: &AppState,
    who: &SignedIn,
    id: TemplateId,
    form: &Form,
    error: Error,
) -> WebResult<Response> {
    app.store.read(who.access(), move |tx| imports::template_get(tx, id).map(drop)).await?;
    let mut page = Page::read(app, who, page_number(form)).await?;
    let mut filled = Filled::default();
    filled.refuse(error, &[FormField::same("name")])?;
    let id = id.to_string();
    match page.items.iter_mut().find(|item| item.id == id) {
        Some(item) => {
            item.name = form.text("name").to_owned();
            item.problem = filled.problem("name").map(str::to_owned);
        }
        None => page.problems.general.extend(filled.problem("name").map(str::to_owned)),
    }
    Ok(answer::problems(&page))
}

/// The page of the list that had the form.
fn page_number(form: &Form) -> u64 {
    form.text("page").parse().unwrap_or(1).max(1)
}

fn back(form: &Form) -> String {
    match page_number(form) {
        1 => LIST.to_owned(),
        page => format!("{LIST}?page={page}"),
    }
}

fn template_id(text: &str) -> Result<TemplateId, Error> {
    ids::read(text).map(TemplateId).map_err(|_| Error::NotFound { what: "Import template" })
}

/// What people call a setting.
fn people(name: &str) -> String {
    let words = name.trim_end_matches("_col_label").replace('_', " ");
    match words.as_str() {
        "col sep" => "separator".to_owned(),
        "amount type strategy" => "direction".to_owned(),
        "amount type inflow value" => "money in is".to_owned(),
        "entity type" => "direction column".to_owned(),
        "signage convention" => "sign".to_owned(),
        _ => words,
    }
}
