//! `PATCH /imports/{id}/rows/{n}`

use std::collections::BTreeMap;

use axum::extract::{RawPathParams, State};
use axum::response::Response;
use http::StatusCode;
use purser_app::imports::revision::{self, ImportEdit};
use purser_app::imports::row_change::RowChange;
use purser_app::imports::rows::{self, Wanted};
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::ImportId;
use purser_core::import::row_edit::RowChoice;
use serde::Serialize;
use utoipa::ToSchema;

use super::configure::configurable;
use super::rows::ImportRow;
use super::view::{Detail, ImportDetail};
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes in the row; what is missing stays. The fields may also stand inside of `row`.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRowChange {
    /// Texts by the header or the number of the column (counted from 1). A null takes the
    /// correction of that cell back, null instead of the object that of all cells.
    #[schema(example = json!({ "Amount": "-12.50", "3": null }))]
    cells: Option<BTreeMap<String, Option<String>>>,
    /// `plan`: what the plan finds. `leave_out`: nothing, and it isn't counted. `create`: a new
    /// transaction, even if it resembles or equals one.
    #[schema(example = "leave_out")]
    choice: Option<String>,
}

/// A row after a change, and its import.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportRowAnswer)]
struct RowAnswer {
    /// The row. Null if it is none any more, now that its correction is taken back.
    data: Option<ImportRow>,
    /// The import with its counts as they are now.
    import: ImportDetail,
    /// What else changed by it, as sentences.
    notes: Vec<String>,
}

/// Correct a row of an import
///
/// The file stays as it came: the corrected texts are read as if it said so. `{"cells": null,
/// "choice": "plan"}` makes the row what it was. The content is read again, whole: all counts of
/// the answer are final. Only while the import is `pending` or `failed`, else 422
/// `not_configurable`; at most 2,000 rows of an import, else 422 `too_many_row_edits`.
#[utoipa::path(
    patch,
    path = "/imports/{id}/rows/{n}",
    operation_id = "correct_import_row",
    tag = "imports",
    params(
        ("id" = uuid::Uuid, Path, description = "The import"),
        ("n" = u64, Path, minimum = 1, description = "The row's `row_number`"),
    ),
    request_body = ImportRowChange,
    responses(
        (status = 200, body = RowAnswer),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn correct(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<ImportId>,
    path: RawPathParams,
    body: Unread,
) -> ApiResult<Response> {
    let look = caller.clone();
    let row = app
        .store
        .read(look.access(), move |tx| {
            let import = super::visible(tx, &look, id)?;
            let row = number(&path).filter(|row| (1..=import.rows_in_file()).contains(row));
            let row = row.ok_or(Error::NotFound { what: "Row" })?;
            configurable(tx, &look, id)?;
            Ok(row)
        })
        .await?;
    let change = read(row, &Fields::read(body).await?)?;
    let revised = revision::apply_edit(&app, caller.access(), id, ImportEdit::Row(change)).await?;
    let files = app.files.clone();
    let import = revised.import.clone();
    let wanted = Wanted { verdicts: Vec::new(), offset: row - 1, limit: 1 };
    let (shown, _) =
        app.store.read(caller.access(), move |tx| rows::page(tx, &files, &import, &wanted)).await?;
    let answer = RowAnswer {
        data: shown.into_iter().next().map(ImportRow::from),
        import: Detail::new(&revised.import, &revised.mappings)?.into_data(),
        notes: revised.notes,
    };
    Ok(crate::http::json(StatusCode::OK, &answer))
}

fn number(path: &RawPathParams) -> Option<u64> {
    let (_, text) = path.iter().find(|(name, _)| *name == "n")?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn read(row: u64, body: &Fields) -> Result<RowChange> {
    let wrapped = body.object("row")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let choice = fields.text("choice", &mut problems).and_then(|text| {
        let choice = RowChoice::parse(&text);
        if choice.is_none() {
            let allowed: Vec<&str> = RowChoice::ALL.iter().map(|one| one.as_str()).collect();
            problems.field("choice", format!("must be one of {}", allowed.join(", ")));
        }
        choice
    });
    let cells = match fields.object("cells") {
        Ok(Some(cells)) => Some(Some(texts(&cells, &mut problems))),
        Ok(None) => fields.has("cells").then_some(None),
        Err(error) => {
            problems.extend(error.into_problems());
            None
        }
    };
    problems.into_result()?;
    Ok(RowChange { row, cells, choice })
}

fn texts(cells: &Fields, problems: &mut Problems) -> BTreeMap<String, Option<String>> {
    let text = |name: &str| {
        let mut own = Problems::new();
        let text = cells.nullable_text(name, &mut own);
        own.into_list().into_iter().for_each(|problem| problems.push(format!("cells: {problem}")));
        Some((name.to_owned(), text?))
    };
    cells.names().filter_map(text).collect()
}
