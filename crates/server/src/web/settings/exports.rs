//! `GET` and `POST /settings/exports`, `GET …/{id}/download`: files with everything that the family
//! has.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use purser_app::FamilyTx;
use purser_app::exports::{self, FamilyExport};
use purser_core::export::{ExportFormat, ExportStatus};
use purser_core::ids::FamilyExportId;
use purser_core::text::size::size;

use super::Tab;
use crate::http::error::ApiError;
use crate::http::file_answer::FileAnswer;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::once::Once;
use crate::web::session::SignedIn;
use crate::web::view::{self, Choice};

const PATH: &str = "/settings/exports";
/// More than are kept.
const ROWS_MAX: i64 = 20;

#[derive(Template)]
#[template(path = "settings/exports.html")]
struct Page {
    layout: Layout,
    tab: Tab,
    form: Filled,
    formats: Vec<Choice>,
    exports: Vec<ExportRow>,
    /// Whether one waits or is being written.
    is_busy: bool,
}

struct ExportRow {
    format: &'static str,
    detail: String,
    class: &'static str,
    state: &'static str,
    /// The address of the file, if there is one.
    file: Option<String>,
}

impl ExportRow {
    fn of(export: &FamilyExport, who: &SignedIn) -> Self {
        let (class, state) = match export.status {
            ExportStatus::Pending => ("busy", "Waiting"),
            ExportStatus::Processing => ("busy", "Being written"),
            ExportStatus::Completed => ("done", "Ready"),
            ExportStatus::Failed => ("bad", "Failed"),
        };
        let until = export.expires_at();
        let until = until.map(|at| format!("kept until {}", view::time(at, &who.time_zone)));
        let parts = [
            Some(view::time(export.created_at, &who.time_zone)),
            export.bytes.map(|bytes| size(bytes.next_multiple_of(1024))),
            until,
            export.error.clone(),
        ];
        let is_there = export.status == ExportStatus::Completed;
        Self {
            format: format_title(export.format),
            detail: parts.into_iter().flatten().collect::<Vec<_>>().join(" · "),
            class,
            state,
            file: is_there.then(|| format!("{PATH}/{}/download", export.id)),
        }
    }
}

/// What people call a format.
fn format_title(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::CsvZip => "Tables for spreadsheets, and the Purser file (ZIP)",
        ExportFormat::Ndjson => "Purser file (NDJSON)",
        ExportFormat::Hledger => "Journal for hledger",
        ExportFormat::Beancount => "Journal for Beancount",
    }
}

async fn page(app: &AppState, who: &SignedIn, form: Filled) -> WebResult<Page> {
    let read = |tx: &mut FamilyTx<'_>| exports::list(tx, ROWS_MAX, 0);
    let (found, _) = app.store.read(who.access(), read).await?;
    let is_under_way =
        |one: &FamilyExport| matches!(one.status, ExportStatus::Pending | ExportStatus::Processing);
    let formats = [
        ExportFormat::CsvZip,
        ExportFormat::Ndjson,
        ExportFormat::Hledger,
        ExportFormat::Beancount,
    ];
    Ok(Page {
        layout: Layout::new(who, Section::Settings),
        tab: Tab::Exports,
        form,
        formats: formats.map(|one| Choice::new(one.as_str(), format_title(one))).to_vec(),
        is_busy: found.iter().any(is_under_way),
        exports: found.iter().map(|one| ExportRow::of(one, who)).collect(),
    })
}

pub(super) async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
    typed: Typed,
) -> WebResult<Response> {
    let form = Form::of([("format", ExportFormat::CsvZip.as_str())]);
    let (form, sentence) = typed.into_form(form);
    let mut page = page(&app, &who, Filled::new(form)).await?;
    page.layout = page.layout.with_notice(&query).with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn create(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Some(format) = ExportFormat::parse(form.text("format")) else {
        let mut filled = Filled::new(form);
        filled.add("format", "Choose one of the list");
        return Ok(answer::problems(&page(&app, &who, filled).await?));
    };
    let once = Once::of(&who, &form);
    let request = move |tx: &mut FamilyTx<'_>| {
        let request = |tx: &mut FamilyTx<'_>| exports::request(tx, format).map(|_| PATH.to_owned());
        once.make(tx, |_, _| Ok(true), request)
    };
    Ok(app.store.write(who.access(), request).await?.done("export-requested"))
}

pub(super) async fn download(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<FamilyExportId>, ApiError>,
) -> WebResult<Response> {
    let Id(id) = id?;
    let files = app.files.clone();
    let file = app.store.read(who.access(), move |tx| exports::download(tx, &files, id)).await?;
    Ok(FileAnswer(file).into_response())
}
