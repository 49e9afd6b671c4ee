//! `GET` and `POST /imports/new`: a file comes in.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::imports;
use purser_app::imports::request::{Fields, Request};
use purser_app::imports::upload::{Retry, Upload};
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::kind::Spec;
use purser_core::import::kinds::Kind;
use purser_formats::json_upload::Scalar;

use super::grouped;
use super::sentences::for_people;
use crate::http::content::{Content, ContentLimits, receive_form};
use crate::http::pagination::QueryParams;
use crate::http::unread::Unread;
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
    types: Vec<Choice>,
    chosen_type: String,
    accounts: Vec<Choice>,
    chosen: String,
    /// The size of the largest file that is accepted.
    size_max: String,
    problems: Vec<String>,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let chosen = query.one("account").ok().flatten().unwrap_or_default().to_owned();
    let page = page(&app, &who, (String::new(), chosen), Vec::new()).await?;
    Ok(layout::ok(&page))
}

pub(super) async fn create(
    State(app): State<AppState>,
    who: SignedIn,
    body: Unread,
) -> WebResult<Response> {
    let bytes_max = app.imports.max_csv_bytes;
    let mut fields = Fields::new();
    let limits = ContentLimits::new(bytes_max);
    let received = receive_form(body, &app, who.family, limits, &mut fields).await;
    let sent = |name: &str| match fields.get(name) {
        Some(Scalar::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let chosen = (sent("type"), sent("account_id"));
    let content = match received {
        Ok(content) => content,
        Err(error) if error.status().is_client_error() => {
            let error = error.into_public();
            let problems = vec![refused(error.code, &error.message, bytes_max)];
            return Ok(layout::problems(&page(&app, &who, chosen, problems).await?));
        }
        Err(error) => return Err(error.into()),
    };
    // What came is deleted with the value that holds it.
    who.require_form_token(Some(&sent(TOKEN_FIELD)))?;
    let Some(content) = content else {
        let problems = vec!["Choose a file that is not empty.".to_owned()];
        return Ok(layout::problems(&page(&app, &who, chosen, problems).await?));
    };
    match store(&app, &who, &fields, content).await {
        Ok(id) => Ok(layout::see_other(&format!("/imports/{id}"))),
        Err(Error::Invalid { code, problems: errors, .. }) => {
            let sentences =
                errors.iter().map(|error| refused(code, &error.to_string(), bytes_max)).collect();
            Ok(layout::problems(&page(&app, &who, chosen, sentences).await?))
        }
        Err(error) => Err(error.into()),
    }
}

/// Why an upload was refused. The API counts bytes.
fn refused(code: &str, message: &str, bytes_max: u64) -> String {
    match code {
        "file_too_large" | "content_too_large" => {
            format!("The file is larger than {}.", size(bytes_max))
        }
        _ => for_people(message),
    }
}

/// A number of bytes in the largest unit in which it is a whole number.
fn size(bytes: u64) -> String {
    const KIB: u64 = 1024;
    const MIB: u64 = 1024 * KIB;
    match bytes {
        0 => "0 bytes".to_owned(),
        _ if bytes.is_multiple_of(MIB) => format!("{} MiB", grouped(bytes / MIB)),
        _ if bytes.is_multiple_of(KIB) => format!("{} KiB", grouped(bytes / KIB)),
        _ => format!("{} bytes", grouped(bytes)),
    }
}

/// Reads the file and stores it, in a task of its own: whoever goes away doesn't break it off.
async fn store(
    app: &AppState,
    who: &SignedIn,
    fields: &Fields,
    content: Content,
) -> Result<ImportId> {
    let mut request = Request::read(fields)?;
    // The form can't change this: on these pages nothing is published before it was looked at.
    request.publish = false;
    let (app, who) = (app.clone(), who.clone());
    let work = async move {
        let content = Some((content.stored, content.name));
        let upload = Arc::new(Upload::receive(&app, who.access(), request, content).await?);
        let storing = upload.clone();
        let stored =
            app.store.write(who.access(), move |tx| storing.store(tx, Retry::default())).await;
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
    (chosen_type, chosen): (String, String),
    problems: Vec<String>,
) -> Result<Page> {
    let nameable = app.store.read(who.access(), imports::nameable).await?;
    let account = |(id, name, currency): (uuid::Uuid, String, purser_core::money::Currency)| {
        Choice::new(id.to_string(), format!("{name} ({})", currency.code()))
    };
    Ok(Page {
        layout: Layout::new(who, Section::Imports),
        types: Kind::ALL.iter().map(|kind| kind.spec()).map(type_choice).collect(),
        chosen_type,
        accounts: nameable.accounts.into_iter().map(account).collect(),
        chosen,
        size_max: size(app.imports.max_csv_bytes),
        problems,
    })
}

/// A type of file that can be read.
fn type_choice(spec: &Spec) -> Choice {
    let mut label = spec.many.to_owned();
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Choice::new(spec.import_type.as_str(), label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_exactly() {
        let texts = [10_485_760, 1_536_000, 1_023, 0].map(size);
        assert_eq!(texts, ["10 MiB", "1,500 KiB", "1,023 bytes", "0 bytes"]);
    }

    #[test]
    fn refusals_are_for_people() {
        let sentence = |code| refused(code, "The file is sent twice", 1024);
        assert_eq!(sentence("file_too_large"), "The file is larger than 1 KiB.");
        assert_eq!(sentence("content_too_large"), "The file is larger than 1 KiB.");
        assert_eq!(sentence("validation_failed"), "One file at a time.");
    }
}
