//! `PATCH /imports/{id}`, `PUT /imports/{id}/file` and `PATCH /imports/{id}/rows/{n}`: edits of an
//! import that is not published.

use axum::extract::RawPathParams;
use purser_app::imports::edit::ImportEdit;
use purser_app::imports::revision::{self, Revised};
use purser_app::imports::row_change::RowChange;
use purser_app::imports::rows::{self, RowQuery};
use purser_app::{FamilyTx, imports};
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use serde::Serialize;
use utoipa::ToSchema;

use super::fields::{ConfigurationFields, RowFields};
use super::row_view::ImportRow;
use super::upload::Replacement;
use super::view::ImportDetail;
use crate::http::answer::{Answer, Json, Or};
use crate::http::body::Change;
use crate::http::call::Update;
use crate::http::describe::Description;
use crate::http::error::ApiResult;
use crate::http::openapi::StorageError;
use crate::http::path::{PathParams, describe_id, describe_number, read_id, read_number};

/// An import that can be edited. One that can't be is refused before a wrong body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Editable(ImportId);

impl PathParams for Editable {
    fn read(params: Option<&RawPathParams>) -> Result<Self> {
        read_id(params).map(Self)
    }

    fn describe(operation: &mut Description<'_>) -> bool {
        describe_id::<ImportId>(operation)
    }

    fn require(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        revision::require_configurable(&imports::get(tx, self.0)?)
    }
}

/// A row of an import that can be edited.
#[derive(Debug, Clone, Copy)]
pub(super) struct EditableRow {
    import: ImportId,
    /// The number of the row; none if what was sent is no number.
    row: Option<u64>,
}

impl PathParams for EditableRow {
    fn read(params: Option<&RawPathParams>) -> Result<Self> {
        Ok(Self { import: read_id(params)?, row: read_number(params) })
    }

    fn describe(operation: &mut Description<'_>) -> bool {
        describe_id::<ImportId>(operation);
        describe_number(operation, "The `row_number` of the row.");
        true
    }

    fn require(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.find(tx).map(drop)
    }
}

impl EditableRow {
    /// The number of the row, if there is such a row.
    fn find(self, tx: &mut FamilyTx<'_>) -> Result<u64> {
        let import = imports::get(tx, self.import)?;
        let row = self.row.filter(|row| (1..=import.rows_in_file()).contains(row));
        let row = row.ok_or(Error::NotFound { what: "Row" })?;
        revision::require_configurable(&import).map(|()| row)
    }
}

/// An import after an edit, with notes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportChangeAnswer)]
pub(super) struct EditBody {
    /// The import as it is now.
    data: ImportDetail,
    /// What else changed by the edit, as sentences.
    notes: Vec<String>,
}

/// A row after an edit, with its import and notes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportRowAnswer)]
pub(super) struct RowBody {
    /// The row; null if it is no row any more, now that its correction is taken back.
    #[schema(required)]
    data: Option<ImportRow>,
    /// The import with its counts as they are now.
    import: ImportDetail,
    /// What else changed by the edit, as sentences.
    notes: Vec<String>,
}

pub(super) async fn configure(
    call: Update<Editable, Change<ConfigurationFields>>,
) -> ApiResult<Answer<Json<EditBody>>> {
    let (app, caller, sent) = call.judged().await?;
    let edit = ImportEdit::Configuration(sent.body);
    let Revised { import, relations, notes } =
        revision::apply_edit(&app, caller.access(), sent.id.0, edit).await?;
    let data = ImportDetail::new(&import, &relations)?;
    Ok(Answer::new(&Json(EditBody { data, notes }))?)
}

pub(super) async fn replace(
    call: Update<Editable, Replacement>,
) -> ApiResult<Answer<Or<Json<EditBody>, StorageError>>> {
    let (app, caller, sent) = call.judged().await?;
    let edit = ImportEdit::Content(sent.body);
    let Revised { import, relations, notes } =
        revision::apply_edit(&app, caller.access(), sent.id.0, edit).await?;
    let data = ImportDetail::new(&import, &relations)?;
    Ok(Answer::new(&Json(EditBody { data, notes }).into())?)
}

pub(super) async fn correct(
    call: Update<EditableRow, Change<RowFields>>,
) -> ApiResult<Answer<Json<RowBody>>> {
    let (app, caller, sent) = call.judged().await?;
    let place = sent.id;
    let row = app.store.read(caller.access(), move |tx| place.find(tx)).await?;
    let RowFields { cells, choice } = sent.body;
    let edit = ImportEdit::Row(RowChange { row, cells, choice });
    let Revised { import, relations, notes } =
        revision::apply_edit(&app, caller.access(), place.import, edit).await?;
    let (files, shown) = (app.files.clone(), import.clone());
    let wanted = RowQuery { verdicts: Vec::new(), offset: row - 1, limit: 1 };
    let read = move |tx: &mut FamilyTx<'_>| rows::page(tx, &files, &shown, &wanted);
    let (shown, _) = app.store.read(caller.access(), read).await?;
    let data = shown.into_iter().next().map(|shown| ImportRow::of(place.import, shown));
    let import = ImportDetail::new(&import, &relations)?;
    Ok(Answer::new(&Json(RowBody { data, import, notes }))?)
}
