//! A publish or an undo that runs: its progress. A script watches the events; without it the page
//! loads itself again.

use askama::Template;
use axum::response::Response;
use purser_app::imports::progress::{State, waits_for};
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
    waits_for: Option<&'static str>,
}

pub(super) async fn show(app: &AppState, who: &SignedIn, import: Import) -> WebResult<Response> {
    let id = import.id;
    // Its progress is read later, when the undo may be at its end.
    let is_undo = import.status == ImportStatus::Reverting;
    let here = app.progress.rows_done(id);
    let (heading, stored, waits_for) = app
        .store
        .read(who.access(), move |tx| {
            // With what belongs to it now: an undo may have ended, and its account may be gone.
            let import = imports::get(tx, id)?;
            let waits_for = waits_for(tx, &import)?;
            Ok((Heading::of(tx, &import)?, imports::progress(tx, id)?, waits_for))
        })
        .await?;
    let State { rows_done, rows_total, .. } = State::new(stored, here);
    let page = Page {
        layout: Layout::new(who, Section::Imports),
        heading,
        is_undo,
        done: rows_done,
        total: rows_total.max(1),
        text: format!("{} of {}", grouped(rows_done), grouped(rows_total)),
        waits_for,
    };
    Ok(answer::ok(&page))
}
