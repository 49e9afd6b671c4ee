//! `/imports/templates`: what is kept of files, for the next ones with the same header.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use purser_core::error::{Error, Problems};
use purser_core::ids::{self, TemplateId};
use purser_core::ledger::input::required_label;
use purser_store::imports;

use super::list::Pages;
use crate::api::pagination::QueryParams;
use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::form::Posted;
use crate::web::layout::{self, Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view;

const PAGE_ITEMS: u64 = 25;

#[derive(Template)]
#[template(path = "imports/templates.html")]
struct Page {
    layout: Layout,
    items: Vec<Item>,
    pages: Pages,
}

struct Item {
    id: String,
    name: String,
    settings: Vec<String>,
    used: String,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let (family, zone) = (who.family, who.time_zone.clone());
    let asked = Pages::asked(&query).max(1);
    let (items, pages) = app
        .store
        .read(move |tx| {
            let offset = (asked - 1).saturating_mul(PAGE_ITEMS);
            let (found, total) = imports::templates(tx, family, None, PAGE_ITEMS, offset)?;
            let item = |one: imports::Template| {
                let set = one.settings.fields().into_iter();
                let chosen = one.choices.len() as u64;
                let mut settings: Vec<String> =
                    set.map(|(name, value)| format!("{}: {value}", people(name))).collect();
                if chosen > 0 {
                    settings.push(super::counted(chosen, "chosen name", "chosen names"));
                }
                Item {
                    id: one.id.to_string(),
                    name: one.name,
                    settings,
                    used: view::time(one.used_at, &zone),
                }
            };
            let pages = Pages::of(asked, total, PAGE_ITEMS);
            Ok((found.into_iter().map(item).collect(), pages))
        })
        .await?;
    let layout = Layout::new(&who, Section::Imports).with_notice(&query);
    Ok(layout::ok(&Page { layout, items, pages }))
}

/// `POST /imports/templates/{id}`
pub(super) async fn rename(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let (family, id) = (who.family, template_id(&id)?);
    let mut problems = Problems::new();
    let name = required_label("Name", form.text("name"), &mut problems).to_owned();
    problems.into_result()?;
    app.store
        .write(family, move |tx| {
            imports::template_get(tx, family, None, id)?;
            imports::template_rename(tx, family, id, &name)
        })
        .await?;
    Ok(layout::done("/imports/templates", "template-saved"))
}

/// `POST /imports/templates/{id}/delete`
pub(super) async fn delete(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let (family, id) = (who.family, template_id(&id)?);
    app.store
        .write(family, move |tx| {
            imports::template_get(tx, family, None, id)?;
            imports::template_delete(tx, family, id)
        })
        .await?;
    Ok(layout::done("/imports/templates", "template-removed"))
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
