//! `GET` and `POST /imports/new`: a file comes in.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::FamilyTx;
use purser_app::imports;
use purser_app::imports::recognition::proposed_type_of_upload;
use purser_app::imports::request::{Fields, Request};
use purser_app::imports::size::{native_bytes_max, statement_bytes_max};
use purser_app::imports::upload::{Retry, Upload};
use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::ImportId;
use purser_core::import::kinds::Kind;
use purser_core::import::register::Program;
use purser_core::text::size::size;
use purser_formats::pdf::limits::DOCUMENT_BYTES_MAX;

use super::sentences::for_people;
use crate::http::content::{Content, ContentLimits, receive_form};
use crate::http::pagination::QueryParams;
use crate::http::unread::Unread;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::TOKEN_FIELD;
use crate::web::layout::{Layout, Section};
use crate::web::once::{self, CreationOutcome, ONCE_FIELD, Once};
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
    /// The size of the largest CSV that is accepted.
    size_max: String,
    /// The same of a PDF.
    pdf_size_max: String,
    /// The same of files of banks and programs.
    statement_size_max: String,
    /// The same of a file in the server's own format.
    native_size_max: String,
    /// Whether the document that was sent needs a password.
    asks_password: bool,
    problems: Vec<String>,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let chosen = query.one("account").ok().flatten().unwrap_or_default().to_owned();
    let page = page(&app, &who, (String::new(), chosen), Vec::new()).await?;
    Ok(answer::ok(&page))
}

pub(super) async fn create(
    State(app): State<AppState>,
    who: SignedIn,
    body: Unread,
) -> WebResult<Response> {
    let mut fields = Fields::new();
    let limits = ContentLimits::new(app.imports.max_csv_bytes);
    let received = receive_form(body, &app, who.family, limits, &mut fields).await;
    let sent = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let chosen = (sent("type"), sent("account_id"));
    let content = match received {
        Ok(content) => content,
        Err(error) if error.status().is_client_error() => {
            let error = error.into_public();
            let mut problems = error.problems;
            if problems.is_empty() {
                problems.push(Problem::sentence(error.message));
            }
            let problems = problems.iter().map(for_people).collect();
            return Ok(answer::problems(&page(&app, &who, chosen, problems).await?));
        }
        Err(error) => return Err(error.into()),
    };
    // What came is deleted with the value that holds it.
    who.require_form_token(Some(&sent(TOKEN_FIELD)))?;
    let Some(content) = content else {
        let problems = vec!["Choose a file that is not empty.".to_owned()];
        return Ok(answer::problems(&page(&app, &who, chosen, problems).await?));
    };
    let once = once_of(&who, &fields, &content);
    match store(&app, &who, &fields, content, once).await {
        Ok(made) => Ok(answer::see_other(made.address())),
        Err(Error::Invalid { problems, .. }) => {
            let asks_password = problems.iter().any(|problem| problem.path() == Some("password"));
            let problems = problems.iter().map(for_people).collect();
            let page = page(&app, &who, chosen, problems).await?;
            Ok(answer::problems(&Page { asks_password, ..page }))
        }
        Err(error) => Err(error.into()),
    }
}

/// What makes two uploads the same form: its choices, and the content of the file.
fn once_of(who: &SignedIn, fields: &Fields, content: &Content) -> Once {
    let hash: String =
        content.stored.content.sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    let sent = fields.iter().filter(|(name, _)| name.as_str() != TOKEN_FIELD);
    let sent = sent.map(|(name, value)| (name.as_str(), value.as_str()));
    let token = fields.get(ONCE_FIELD).map(String::as_str).unwrap_or_default();
    Once::of_fields(who, token, sent.chain([("content", hash.as_str())]))
}

/// Reads the file and stores it, in a task of its own: whoever goes away doesn't break it off.
async fn store(
    app: &AppState,
    who: &SignedIn,
    fields: &Fields,
    content: Content,
    once: Once,
) -> Result<CreationOutcome> {
    let mut request = Request::read(fields, Problems::new())?;
    if fields.get("type").is_none_or(|chosen| chosen.is_empty()) {
        let (files, family) = (app.files.clone(), who.family);
        let (file, name) = (content.stored.id, content.name.clone());
        let found = tokio::task::spawn_blocking(move || {
            proposed_type_of_upload(&files, family, (file, name.as_deref()))
        });
        let found = found.await.map_err(Error::internal)??;
        request.import_type = found.unwrap_or(request.import_type);
        let has_account = Kind::of(request.import_type).spec().has_account;
        request.account = request.account.filter(|_| has_account);
    }
    // The form can't change this: on these pages nothing is published before it was looked at.
    request.publish = false;
    let (app, who) = (app.clone(), who.clone());
    let work = async move {
        let content = Some((content.stored, content.name));
        let upload = Arc::new(Upload::receive(&app, who.access(), request, content).await?);
        let storing = upload.clone();
        let store = move |tx: &mut FamilyTx<'_>| {
            let stored = storing.store(tx, Retry::default())?;
            Ok(format!("/imports/{}", stored.import.id))
        };
        let made = app.store.write(who.access(), move |tx| once.make(tx, is_there, &store)).await;
        let is_unused = matches!(made, Ok(CreationOutcome::AlreadyThere(_)));
        if is_unused || made.as_ref().is_err_and(Error::is_refusal) {
            upload.discard();
        }
        made
    };
    tokio::spawn(work).await.map_err(Error::internal)?
}

/// Whether the import at an address is still there.
fn is_there(tx: &mut FamilyTx<'_>, address: &str) -> Result<bool> {
    once::is_found(address, |id| imports::get(tx, ImportId(id)))
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
        types: std::iter::once(Choice::new("", "Whatever it is: the content shows it"))
            .chain(Kind::ALL.iter().copied().map(type_choice))
            .collect(),
        chosen_type,
        accounts: nameable.accounts.into_iter().map(account).collect(),
        chosen,
        size_max: size(app.imports.max_csv_bytes),
        pdf_size_max: size(DOCUMENT_BYTES_MAX as u64),
        statement_size_max: size(statement_bytes_max(app.imports.max_csv_bytes)),
        native_size_max: size(native_bytes_max(true, app.imports.max_csv_bytes)),
        asks_password: false,
        problems,
    })
}

/// A type of file that can be read.
fn type_choice(kind: Kind) -> Choice {
    let spec = kind.spec();
    if let Some(program) = kind.program() {
        let label = match program {
            Program::Qif => "A QIF file".to_owned(),
            program => format!("An export of {}", program.as_str()),
        };
        return Choice::new(spec.import_type.as_str(), label);
    }
    if kind == Kind::Pdf {
        return Choice::new(spec.import_type.as_str(), "A statement as a PDF document");
    }
    let mut label = spec.many.to_owned();
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Choice::new(spec.import_type.as_str(), label)
}
