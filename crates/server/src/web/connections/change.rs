//! `POST /connections/{id}`: name and key; its syncs, and its end.

use axum::extract::State;
use axum::response::Response;
use purser_app::connections::{self, setup};
use purser_app::{FamilyTx, Secret};
use purser_core::error::{Error, Result};
use purser_core::ids::ConnectionId;

use super::{FIELDS, readable, show};
use crate::http::error::ApiError;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, Posted};
use crate::web::notice;
use crate::web::session::SignedIn;

pub(super) async fn save(
    State(app): State<AppState>,
    id: std::result::Result<Id<ConnectionId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    match try_and_save(&app, &who, id, &form).await {
        Ok(()) => Ok(notice::done(&format!("/connections/{id}"), "connection-saved")),
        Err(error) => {
            let mut filled = Filled::new(form);
            filled.refuse(readable(error), FIELDS)?;
            Ok(answer::problems(&show::page(&app, &who, id, Some(filled)).await?))
        }
    }
}

async fn try_and_save(
    app: &AppState,
    who: &SignedIn,
    id: ConnectionId,
    form: &Form,
) -> Result<()> {
    let read = move |tx: &mut FamilyTx<'_>| setup::provider_of(tx, id);
    let provider = app.store.read(who.access(), read).await?;
    let entered = form.filled("provider_password").map(Secret::new);
    let name = form.text("name").to_owned();
    let (app, access) = (app.clone(), who.access());
    let work = async move {
        let tried = match &entered {
            Some(entered) => Some(setup::try_key(&app, access.clone(), provider, entered).await?),
            None => None,
        };
        let keys = app.providers.keys.clone();
        let save = move |tx: &mut FamilyTx<'_>| {
            setup::rename(tx, id, &name)?;
            tried.as_ref().map_or(Ok(()), |tried| setup::change_key(tx, &keys, id, tried))
        };
        app.store.write(access, save).await
    };
    tokio::spawn(work).await.map_err(Error::internal)?
}

pub(super) async fn sync(
    State(app): State<AppState>,
    id: std::result::Result<Id<ConnectionId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| connections::request_sync(tx, id)).await?;
    Ok(notice::done(&format!("/connections/{id}"), "sync-queued"))
}

pub(super) async fn delete(
    State(app): State<AppState>,
    id: std::result::Result<Id<ConnectionId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| connections::remove(tx, id)).await?;
    Ok(notice::done("/connections", "connection-deleted"))
}
