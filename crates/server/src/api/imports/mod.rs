//! `/api/v1/imports`: uploads, what was found in them, and publishing.

mod create;
mod edit;
mod fields;
mod list_view;
mod preview_view;
mod publish;
mod question_view;
mod revert;
mod revert_view;
mod row_view;
mod same_file_view;
pub(super) mod sessions;
mod settings;
mod trade_row_view;
mod upload;
mod verification_view;
mod view;

use purser_app::FamilyTx;
use purser_app::imports::events::Watch;
use purser_app::imports::rejection::Rejection;
use purser_app::imports::{self, Listing, replans, rows};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_core::import::verdict::Verdict;

use self::create::{create, preflight};
use self::edit::{configure, correct, replace};
use self::fields::TypeName;
use self::list_view::ImportListItem;
use self::publish::publish;
use self::revert::{preview, revert};
use self::row_view::ImportRow;
use self::view::Detail;
use crate::http::answer::{Answer, Deleted, Json};
use crate::http::call::{Call, Delete, List, Show};
use crate::http::caller::Reader;
use crate::http::error::{ApiError, ApiResult};
use crate::http::event_stream::{ProgressStream, admit};
use crate::http::pagination::{DataPage, Meta};
use crate::http::path::path_id;
use crate::http::query::{Choice, Choices, Paged, query};
use crate::http::table::routes;

pub(crate) use revert_view::RevertPreview;

routes! { "imports":
    /// List imports
    ///
    /// The newest imports come first.
    GET "/imports" => list as list_imports;
    /// Create an import
    ///
    /// The content is stored and read, and the answer has what was found. With `publish`, the
    /// publish is queued at once if nothing prevents it.
    POST "/imports" => create as create_import;
    /// Preview an upload
    ///
    /// The request is that of `POST /imports`, and the answer is what would become of the upload.
    /// Nothing is stored, so an idempotency key is not needed.
    POST "/imports/preflight" => preflight as preflight_import;
    /// Show an import
    ///
    /// The answer has its status, its configuration and its counts.
    GET "/imports/{id}" => show as show_import;
    /// Configure an import
    ///
    /// The members are those of an upload without its content, and mappings of names. The whole
    /// content is read again, so all counts of the answer are final. Mappings stay as long as the
    /// rows have the names; corrections of single rows stay as long as the same lines are rows. An
    /// import that is neither `pending` nor `failed` is refused with 422 `not_configurable`. The
    /// answer is 409 `import_changed` if others keep changing the import at the same moment.
    PATCH "/imports/{id}" => configure as configure_import;
    /// Delete an import
    ///
    /// The import and its file are deleted; the transactions that it created stay, and the import
    /// can't be undone any more. While it is being published or undone, the request is refused with
    /// 409 `import_in_progress`.
    DELETE "/imports/{id}" => delete as delete_import;
    /// Watch an import
    ///
    /// The answer is a stream of server-sent events. It begins with an event `progress` with the
    /// present state, continues with one for every change, and ends with an event `done` with the
    /// last state when neither a publish nor an undo is running; after that the client should not
    /// connect again. A stream that ends without `done` was interrupted: the client should connect
    /// again, and the state is sent again. Comments keep the connection alive. The schema is that
    /// of the `data` of both events.
    GET "/imports/{id}/events" => watch as watch_import;
    /// Replace the file of an import
    ///
    /// An import without content gets its content in the same way. The settings stay, except for
    /// those that were taken over from an earlier file; mappings of names stay as long as the rows
    /// have the names; corrections of single rows are deleted. An import that is neither `pending`
    /// nor `failed` is refused with 422 `not_configurable`.
    PUT "/imports/{id}/file" => replace as replace_import_file;
    /// Publish an import
    ///
    /// The publish is queued: the answer has the status `importing`, and the import becomes
    /// `complete` or `failed`.
    POST "/imports/{id}/publish" => publish as publish_import;
    /// Preview an undo
    ///
    /// The answer is what the undo would do now: which transactions are removed, what stays and
    /// why, and what else depends on it. An import that is not published is refused with 422
    /// `not_revertable`.
    GET "/imports/{id}/revert" => preview as preview_revert;
    /// Undo an import
    ///
    /// The undo is queued: the answer has the status `reverting`, and the import becomes `pending`
    /// or `revert_failed`. What it created is removed, except for transactions that were changed
    /// since. It can be published again.
    POST "/imports/{id}/revert" => revert as revert_import;
    /// List the rows of an import
    ///
    /// The rows are in the order of the file, each with its fields or the reasons why it can't be
    /// imported, and with what becomes of it. While `plan.current` of the import is false, the
    /// verdicts are about an earlier state of the ledger, and a new plan is being made.
    GET "/imports/{id}/rows" => list_rows as list_import_rows;
    /// Correct a row of an import
    ///
    /// The file itself never changes: the corrected texts are read in place of those in the file.
    /// `{"cells": null, "choice": "plan"}` takes all corrections of the row back. The whole content
    /// is read again, so all counts of the answer are final. An import that is neither `pending`
    /// nor `failed` is refused with 422 `not_configurable`, and more than 2,000 corrected rows of
    /// an import with 422 `too_many_row_edits`.
    PATCH "/imports/{id}/rows/{n}" => correct as correct_import_row;
}

path_id!(ImportId, "Import", imports::get);

query! {
    /// The filter of a list of imports.
    struct ImportFilter {
        /// Only imports with this status.
        status: Choice<ImportStatus>,
        /// Only imports of this type. `SureImport` is an alias of `NativeImport`.
        r#type: TypeName,
    }
}

query! {
    /// The filter of a list of rows.
    struct RowFilter {
        /// Only rows with this verdict; several are separated by commas.
        verdict: Choices<Verdict>,
    }
}

/// A refused publish or undo; the import stays as it is.
fn rejected(rejection: Rejection, id: ImportId) -> ApiError {
    refused(rejection).with_import_id(id)
}

/// A refused publish of what is no import yet.
fn refused(rejection: Rejection) -> ApiError {
    let Rejection { code, message, errors } = rejection;
    let status = http::StatusCode::UNPROCESSABLE_ENTITY;
    ApiError::new(status, code, message).with_problems(errors)
}

async fn list(
    call: List<Paged<ImportFilter>>,
) -> ApiResult<Answer<Json<DataPage<ImportListItem>>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing { status: filter.status, import_type: filter.r#type };
        let (limit, offset) = (page.limit().unsigned_abs(), page.offset().unsigned_abs());
        let (found, total) = imports::list(tx, listing, limit, offset)?;
        let data = found.into_iter().map(ImportListItem::from).collect();
        Ok(Json(DataPage { data, meta: Meta::new(page, total) }))
    })
    .await
}

async fn show(call: Show<ImportId>) -> ApiResult<Answer<Json<Detail>>> {
    let (app, caller, sent) = call.judged().await?;
    let id = sent.id;
    let here = app.progress.rows_done(id);
    let read = move |tx: &mut FamilyTx<'_>| {
        let import = imports::get(tx, id)?;
        let progress = imports::progress(tx, id)?;
        let detail = Detail::of(tx, &import)?.with_progress(progress, here);
        Ok((import, detail))
    };
    let (import, detail) = app.store.read(caller.access(), read).await?;
    replans::set_off(&app, caller.access(), &import);
    Ok(Answer::new(&Json(detail))?)
}

async fn list_rows(
    call: Call<Reader, ImportId, Paged<RowFilter>>,
) -> ApiResult<Answer<Json<DataPage<ImportRow>>>> {
    let (app, caller, sent) = call.judged().await?;
    let Paged { page, filter } = sent.query;
    let (id, files) = (sent.id, app.files.clone());
    let (limit, offset) = (u64::from(page.per_page), page.offset().unsigned_abs());
    let wanted = rows::RowQuery { verdicts: filter.verdict, offset, limit };
    let read = move |tx: &mut FamilyTx<'_>| {
        let import = imports::get(tx, id)?;
        let rows = rows::page(tx, &files, &import, &wanted)?;
        Ok((import, rows))
    };
    let (import, (shown, total)) = app.store.read(caller.access(), read).await?;
    replans::set_off(&app, caller.access(), &import);
    let data = shown.into_iter().map(|shown| ImportRow::of(id, shown)).collect();
    Ok(Answer::new(&Json(DataPage { data, meta: Meta::new(page, total) }))?)
}

async fn delete(call: Delete<ImportId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| {
        imports::get(tx, sent.id)?;
        imports::remove(tx, sent.id)
    })
    .await
}

async fn watch(call: Show<ImportId>) -> ApiResult<ProgressStream> {
    let (app, caller, sent) = call.judged().await?;
    let id = sent.id;
    let slot = admit(&app, caller.key.id.0)?;
    let read = move |tx: &mut FamilyTx<'_>| {
        imports::get(tx, id)?;
        imports::progress(tx, id)
    };
    let now = app.store.read(caller.access(), read).await?;
    Ok(ProgressStream(Watch::new(app.app.clone(), caller.access(), id, now, slot)))
}
