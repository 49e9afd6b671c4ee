//! `GET /imports/{id}/events`: how far a publish or an undo is, for the page that shows it.

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use purser_app::imports;
use purser_app::imports::events::Watch;

use crate::http::event_stream::{self, ProgressStream};
use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::session::SignedIn;

pub(super) async fn watch(
    State(app): State<AppState>,
    who: SignedIn,
    Path(id): Path<String>,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let slot = event_stream::admit(&app, who.user.0)?;
    let now = app.store.read(who.access(), move |tx| imports::progress(tx, id)).await?;
    let watch = Watch::new(app.app.clone(), who.access(), id, now, slot);
    Ok(ProgressStream(watch).into_response())
}
