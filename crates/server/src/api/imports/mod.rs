//! `/imports`: uploads, what was found in them, and publishing.

pub(super) mod configure;
pub(super) mod create;
pub(super) mod events;
pub(super) mod file;
mod form;
pub(super) mod list;
pub(super) mod preflight;
pub(super) mod publish;
pub(super) mod remove;
pub(super) mod revert;
mod revert_view;
pub(super) mod row_edit;
pub(super) mod rows;
pub(super) mod show;
mod view;

use axum::response::Response;
use http::StatusCode;
use purser_app::FamilyTx;
use purser_app::imports::rejection::Rejection;
use purser_app::imports::{self, Import};
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;

use crate::http::caller::Caller;
use crate::http::error::ApiError;

pub(crate) use revert_view::RevertPreview;

/// An import that the caller may see. A key that is restricted to accounts sees the imports that
/// go into one of them.
fn visible(tx: &mut FamilyTx<'_>, caller: &Caller, id: ImportId) -> Result<Import> {
    let import = imports::get(tx, id)?;
    let allowed = caller
        .accounts()
        .is_none_or(|accounts| import.account.is_some_and(|id| accounts.contains(&id)));
    if allowed { Ok(import) } else { Err(Error::NotFound { what: "Import" }) }
}

/// A refused publish; the import stays as it is.
fn rejected(rejection: Rejection, id: ImportId) -> ApiError {
    let Rejection { code, message, errors } = rejection;
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
        .with_errors(errors)
        .with_import_id(id)
}

/// An import as the answer of a request.
fn answer(status: StatusCode, detail: &view::Detail) -> Response {
    crate::http::json(status, detail)
}
