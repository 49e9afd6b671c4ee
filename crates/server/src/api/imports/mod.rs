//! `/api/v1/imports`: uploads, what was found in them, and publishing.

mod create;
mod edit;
mod fields;
mod preview_view;
mod publish;
mod revert;
mod revert_view;
mod row_view;
mod settings;
mod upload;
mod view;

use purser_app::FamilyTx;
use purser_app::imports::events::Watch;
use purser_app::imports::rejection::Rejection;
use purser_app::imports::{self, Import, Listing, replans, rows};
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_core::import::verdict::Verdict;

use self::create::{create, preflight};
use self::edit::{configure, correct, replace};
use self::fields::TypeName;
use self::publish::publish;
use self::revert::{preview, revert};
use self::row_view::ImportRow;
use self::view::{Detail, ImportListItem};
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
    /// Newest first.
    GET "/imports" => list as list_imports;
    /// Create an import
    ///
    /// Stores the content, reads it, and answers what was found. With `publish` it is queued at
    /// once if nothing stands in the way.
    POST "/imports" => create as create_import;
    /// Try an upload
    ///
    /// Takes what `POST /imports` takes, reads it, and answers what would become of it. Nothing is
    /// stored, so there is nothing to make idempotent either.
    POST "/imports/preflight" => preflight as preflight_import;
    /// Show an import
    ///
    /// Its status, its configuration and its counts.
    GET "/imports/{id}" => show as show_import;
    /// Configure an import
    ///
    /// Takes what an upload takes but for the content, and choices for names. The content is read
    /// again, whole: all counts of the answer are final. Choices for names stay as long as the rows
    /// name them; corrections of single rows stay as long as the same lines are rows. Only while
    /// the import is `pending` or `failed`, else 422 `not_configurable`. 409 `import_changed` when
    /// others keep changing it at the same moment.
    PATCH "/imports/{id}" => configure as configure_import;
    /// Delete an import
    ///
    /// Its record and its file go; the transactions that it created stay. It can't be undone after
    /// that. Refused with 409 `import_in_progress` while it is published or undone.
    DELETE "/imports/{id}" => delete as delete_import;
    /// Watch an import
    ///
    /// Server-sent events. At once an event `progress` with the state as it is now, then one for
    /// every change, and when neither a publish nor an undo is running (any more) an event `done`
    /// with the last state; after that the stream ends, and the client should not come back. A
    /// stream that ends without `done` was broken off: come back, and the state is sent again.
    /// Comments keep the connection alive. The schema is that of the `data` of both events.
    GET "/imports/{id}/events" => watch as watch_import;
    /// Replace the file of an import
    ///
    /// Or gives content to an import that has none. The settings stay, but for those that were
    /// taken over from an earlier file; choices for names stay as long as the rows name them;
    /// corrections of single rows go. Only while the import is `pending` or `failed`, else 422
    /// `not_configurable`.
    PUT "/imports/{id}/file" => replace as replace_import_file;
    /// Publish an import
    ///
    /// Queues it: the answer has the status `importing`, and the import becomes `complete` or
    /// `failed`.
    POST "/imports/{id}/publish" => publish as publish_import;
    /// Preview an undo
    ///
    /// What `POST` would do now: which transactions go, what stays and why, and what else depends
    /// on it. 422 `not_revertable` for an import that is not published.
    GET "/imports/{id}/revert" => preview as preview_revert;
    /// Undo an import
    ///
    /// Queues it: the answer has the status `reverting`, and the import becomes `pending` or
    /// `revert_failed`. What it created goes, but for transactions that were changed since;
    /// publishing it again works.
    POST "/imports/{id}/revert" => revert as revert_import;
    /// List the rows of an import
    ///
    /// In the order of the file, each with its fields or why it can't be imported, and what is to
    /// become of it. While the import's `plan.current` is false, that is of an earlier state of the
    /// ledger; a new plan is under way.
    GET "/imports/{id}/rows" => list_rows as list_import_rows;
    /// Correct a row of an import
    ///
    /// The file stays as it came: the corrected texts are read in place of those in the file.
    /// `{"cells": null, "choice": "plan"}` makes the row what it was. The content is read again,
    /// whole: all counts of the answer are final. Only while the import is `pending` or `failed`,
    /// else 422 `not_configurable`; at most 2,000 rows of an import, else 422 `too_many_row_edits`.
    PATCH "/imports/{id}/rows/{n}" => correct as correct_import_row;
}

path_id!(ImportId, "Import", visible);

query! {
    /// Which imports are listed.
    struct ImportFilter {
        /// Only imports with this status.
        status: Choice<ImportStatus>,
        /// Only imports of this type. `SureImport` means `NativeImport`.
        r#type: TypeName,
    }
}

query! {
    /// Which rows are listed.
    struct RowFilter {
        /// Only rows with this verdict; several are separated by commas.
        verdict: Choices<Verdict>,
    }
}

/// An import that the caller may see. A key that is restricted to accounts sees the imports that
/// go into one of them.
fn visible(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Import> {
    let import = imports::get(tx, id)?;
    let accounts = tx.accounts();
    let is_visible = accounts
        .only()
        .is_none_or(|accounts| import.account.is_some_and(|id| accounts.contains(&id)));
    if is_visible { Ok(import) } else { Err(Error::NotFound { what: "Import" }) }
}

/// A refused publish or undo; the import stays as it is.
fn rejected(rejection: Rejection, id: ImportId) -> ApiError {
    let Rejection { code, message, errors } = rejection;
    let status = http::StatusCode::UNPROCESSABLE_ENTITY;
    ApiError::new(status, code, message).with_problems(errors).with_import_id(id)
}

async fn list(
    call: List<Paged<ImportFilter>>,
) -> ApiResult<Answer<Json<DataPage<ImportListItem>>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let ImportFilter { status, r#type: import_type } = filter;
        let accounts = tx.accounts().only().map(<[_]>::to_vec);
        let listing = Listing { status, import_type, accounts };
        let (limit, offset) = (page.limit().unsigned_abs(), page.offset().unsigned_abs());
        let (found, total) = imports::list(tx, &listing, limit, offset)?;
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
        let import = visible(tx, id)?;
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
        let import = visible(tx, id)?;
        let rows = rows::page(tx, &files, &import, &wanted)?;
        Ok((import, rows))
    };
    let (import, (shown, total)) = app.store.read(caller.access(), read).await?;
    replans::set_off(&app, caller.access(), &import);
    let data = shown.into_iter().map(ImportRow::from).collect();
    Ok(Answer::new(&Json(DataPage { data, meta: Meta::new(page, total) }))?)
}

async fn delete(call: Delete<ImportId>) -> ApiResult<Answer<Deleted>> {
    call.write(|tx, sent| {
        visible(tx, sent.id)?;
        imports::remove(tx, sent.id)?;
        Ok(Deleted)
    })
    .await
}

async fn watch(call: Show<ImportId>) -> ApiResult<ProgressStream> {
    let (app, caller, sent) = call.judged().await?;
    let id = sent.id;
    let slot = admit(&app, caller.key.id.0)?;
    let read = move |tx: &mut FamilyTx<'_>| {
        visible(tx, id)?;
        imports::progress(tx, id)
    };
    let now = app.store.read(caller.access(), read).await?;
    Ok(ProgressStream(Watch::new(app.app.clone(), caller.access(), id, now, slot)))
}
