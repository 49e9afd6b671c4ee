//! Pages of a document as pictures: `GET /imports/{id}/document/{lines}`, the page that lines of
//! its table are from, with these rows marked, and `GET /imports/{id}/pages/{page}`, with all of
//! them.

use std::collections::BTreeSet;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, header};
use purser_app::imports::document_picture::{PictureOf, draw};
use purser_core::error::Error;
use purser_core::ids::ImportId;

use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::session::SignedIn;

/// Lines that are marked at once at most; a question shows a few.
const LINES_MAX: usize = 100;

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    Path((id, lines)): Path<(String, String)>,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let lines: Result<BTreeSet<u64>, _> = lines.split(',').map(str::parse).collect();
    let lines = lines.ok().filter(|lines| lines.len() <= LINES_MAX);
    let lines = lines.ok_or(Error::NotFound { what: "Row" })?.into_iter().collect();
    picture(&app, &who, id, PictureOf::Lines(lines)).await
}

pub(super) async fn show_page(
    State(app): State<AppState>,
    who: SignedIn,
    Path((id, page)): Path<(String, String)>,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let page = page.parse().map_err(|_| Error::NotFound { what: "Page" })?;
    picture(&app, &who, id, PictureOf::Page(page)).await
}

async fn picture(
    app: &AppState,
    who: &SignedIn,
    id: ImportId,
    shown: PictureOf,
) -> WebResult<Response> {
    let picture = draw(app, who.access(), id, shown).await?;
    let svg = [(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"))];
    Ok((svg, picture).into_response())
}
