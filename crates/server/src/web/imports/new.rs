//! `GET` and `POST /imports/new`: a file comes in.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_formats::json_upload::Scalar;
use purser_store::Tx;
use purser_store::imports;

use crate::api::imports::{Content, ContentLimits, Received, receive};
use crate::api::pagination::QueryParams;
use crate::blocking::blocking;
use crate::edge::body::Unread;
use crate::imports::reading::Ground;
use crate::imports::request::Request;
use crate::imports::upload::{Retry, Upload};
use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::form::TOKEN_FIELD;
use crate::web::layout::{self, Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view::Choice;

#[derive(Template)]
#[template(path = "imports/new.html")]
struct Page {
    layout: Layout,
    accounts: Vec<Choice>,
    chosen: String,
    mebibytes: u64,
    problems: Vec<String>,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let chosen = query.one("account").ok().flatten().unwrap_or_default().to_owned();
    let page = page(&app, &who, chosen, Vec::new()).await?;
    Ok(layout::ok(&page))
}

pub(super) async fn create(
    State(app): State<AppState>,
    who: SignedIn,
    body: Unread,
) -> WebResult<Response> {
    let limits = ContentLimits::new(app.imports.max_csv_bytes);
    let received = match receive(body, &app, who.family, limits).await {
        Ok(received) => received,
        Err(error) if error.status().is_client_error() => {
            let problems = vec![error.into_public().message.to_string()];
            return Ok(layout::problems(&page(&app, &who, String::new(), problems).await?));
        }
        Err(error) => return Err(error.into()),
    };
    let sent = |name: &str| match received.fields.get(name) {
        Some(Scalar::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    // What came is deleted with the value that holds it.
    who.require_form_token(sent(TOKEN_FIELD))?;
    let chosen = sent("account_id").unwrap_or_default().to_owned();
    if received.content.is_none() {
        let problems = vec!["Choose a file that is not empty.".to_owned()];
        return Ok(layout::problems(&page(&app, &who, chosen, problems).await?));
    }
    match store(&app, &who, received).await {
        Ok(id) => Ok(layout::see_other(&format!("/imports/{id}"))),
        Err(Error::Invalid { errors, .. }) => {
            Ok(layout::problems(&page(&app, &who, chosen, errors).await?))
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads the file and stores it, in a task of its own: whoever goes away doesn't break it off.
async fn store(app: &AppState, who: &SignedIn, received: Received) -> Result<ImportId> {
    let Received { fields, content } = received;
    let request = Request::read(&fields)?;
    let (app, family, actor) = (app.clone(), who.family, who.actor());
    let account = request.account;
    let work = async move {
        let ground = app.store.read(move |tx| Ground::of_upload(tx, family, account)).await?;
        let content = content.map(|Content { stored, name }| (stored, name));
        let (store, files) = (app.store.clone(), app.files.clone());
        let reading = app.readings.acquire().await.map_err(Error::internal)?;
        let upload =
            blocking(move || Upload::read(request, content, &ground, &store, &files)).await?;
        drop(reading);
        let upload = Arc::new(upload);
        let storing = upload.clone();
        let stored = app
            .store
            .write(family, move |tx| storing.store(tx, family, actor, Retry::default()))
            .await;
        if matches!(stored, Err(Error::Invalid { .. } | Error::NotFound { .. })) {
            upload.discard();
        }
        stored.map(|stored| stored.import.id)
    };
    tokio::spawn(work).await.map_err(Error::internal)?
}

async fn page(
    app: &AppState,
    who: &SignedIn,
    chosen: String,
    problems: Vec<String>,
) -> Result<Page> {
    let family = who.family;
    let nameable = app.store.read(move |tx: &mut Tx<'_>| imports::nameable(tx, family)).await?;
    let account = |(id, name, currency): (uuid::Uuid, String, purser_core::money::Currency)| {
        Choice::new(id.to_string(), format!("{name} ({})", currency.code()))
    };
    Ok(Page {
        layout: Layout::new(who, Section::Imports),
        accounts: nameable.accounts.into_iter().map(account).collect(),
        chosen,
        mebibytes: app.imports.max_csv_bytes.div_ceil(1024 * 1024),
        problems,
    })
}
