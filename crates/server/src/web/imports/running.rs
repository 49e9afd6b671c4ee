//! A publish or an undo that runs: its progress. A script watches the events; without it the page
//! loads itself again.

use askama::Template;
use axum::response::Response;
use purser_app::imports::progress::State;
use purser_app::imports::{self, Import};
use purser_core::import::status::ImportStatus;

use super::{Heading, grouped};
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;

#[derive(Template)]
#[template(path = "imports/running.html")]
struct Page {
    layout: Layout,
    heading: Heading,
    is_undo: bool,
    done: u64,
    total: u64,
    text: String,
}

pub(super) async fn show(app: &AppState, who: &SignedIn, import: Import) -> WebResult<Response> {
    let id = import.id;
    let here = app.progress.rows_done(id);
    let (heading, stored) = app
        .store
        .read(who.access(), move |tx| Ok((Heading::of(tx, &import)?, imports::progress(tx, id)?)))
        .await?;
    let State { status, rows_done, rows_total } = State::new(stored, here);
    let page = Page {
        layout: Layout::new(who, Section::Imports),
        heading,
        is_undo: status == ImportStatus::Reverting,
        done: rows_done,
        total: rows_total.max(1),
        text: format!("{} of {}", grouped(rows_done), grouped(rows_total)),
    };
    Ok(answer::ok(&page))
}
