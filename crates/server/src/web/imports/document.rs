//! `GET /imports/{id}/document/{line}`: the page of a document that a line of its table is from, as
//! a picture with the row marked.

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, header};
use purser_app::imports::document_picture::of_line;
use purser_core::error::Error;

use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::session::SignedIn;

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    Path((id, line)): Path<(String, String)>,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let line = line.parse().map_err(|_| Error::NotFound { what: "Row" })?;
    let picture = of_line(&app, who.access(), id, line).await?;
    let svg = [(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"))];
    Ok((svg, picture).into_response())
}
