//! One file of the inbox: read, judged, stored.

use std::collections::BTreeMap;
use std::fs::File;
use std::time::Instant;

use purser_core::error::{Error, Problems, Result, texts};
use purser_core::ids::{AccountId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_core::import::status::ImportStatus;
use purser_store::audit::Actor;
use purser_store::families::Family;
use purser_store::files::io_failed;
use purser_store::{Access, FamilyTx, imports};

use super::decision;
use super::folder::Dropped;
use super::written_on::cuts_a_row;
use crate::blocking::blocking;
use crate::imports::local::Local;
use crate::imports::publish::{self, PublishOrigin};
use crate::imports::recognition::proposed_type;
use crate::imports::request::Request;
use crate::imports::same_file;
use crate::imports::stored::Stored;
use crate::imports::upload::{Retry, Upload};
use crate::limits::{INBOX_PUBLISH_LOOK, INBOX_PUBLISH_WAIT};
use crate::{App, naming};

/// What became of a file.
pub(super) enum Outcome {
    /// It was published, now or before.
    Imported(ImportId),
    /// It is stored as an import that a person has to look at.
    Waits(ImportId, String),
    /// Nothing of it is stored.
    Refused(String),
}

impl Outcome {
    /// Why a person has to look at it.
    pub(super) fn reason(&self) -> Option<&str> {
        match self {
            Self::Imported(_) => None,
            Self::Waits(_, reason) | Self::Refused(reason) => Some(reason),
        }
    }

    pub(super) fn import(&self) -> Option<ImportId> {
        match self {
            Self::Imported(import) | Self::Waits(import, _) => Some(*import),
            Self::Refused(_) => None,
        }
    }
}

/// Imports a file, or finds out why not. An error is one of the server: the file is tried again.
pub(super) async fn take(app: &App, family: &Family, file: &Dropped) -> Result<Outcome> {
    match try_take(app, family.access(Actor::System), file).await {
        Err(error @ (Error::Unavailable { .. } | Error::Internal { .. })) => Err(error),
        Err(refusal) => Ok(Outcome::Refused(texts(&refusal.into_problems()).join("\n"))),
        Ok(outcome) => Ok(outcome),
    }
}

async fn try_take(app: &App, access: Access, file: &Dropped) -> Result<Outcome> {
    let request = request(app, &access, file).await?;
    let Some(stored) = copy(app, &access, file).await? else {
        return Err(Error::invalid("The file has nothing but blanks"));
    };
    match known(app, &access, &stored, request.account).await? {
        Some(Outcome::Imported(id)) => return settled(app, &access, id).await,
        Some(outcome) => return Ok(outcome),
        None => {}
    }
    let name = file.name.clone();
    let was_imported = file.was_imported || goes_on(app, &access, &stored).await?;
    let mut upload =
        Upload::receive(app, access.clone(), request, Some((stored, Some(name)))).await?;
    let has_template = upload.has_template();
    let (obstacle, upload) = app
        .store
        .read(access.clone(), move |tx| {
            let obstacle = decision::obstacle(&upload.preview(tx)?, has_template);
            let obstacle = match was_imported {
                true => Some(decision::written_on(obstacle)),
                false => obstacle,
            };
            if obstacle.is_some() {
                upload.forget_publish();
            }
            Ok((obstacle, upload))
        })
        .await?;
    let id = app
        .store
        .write(access.clone(), move |tx| Ok(upload.store(tx, Retry::default())?.import.id))
        .await?;
    if let Some(reason) = obstacle {
        return Ok(Outcome::Waits(id, reason));
    }
    // If this fails, a job publishes it: the wish was stored with the upload.
    let queue = move |tx: &mut FamilyTx<'_>| publish::queue(tx, id, PublishOrigin::Upload);
    if let Err(error) = app.store.write(access.clone(), queue).await {
        tracing::warn!(cause = ?error, import = %id, "a publish is left for later");
    }
    settled(app, &access, id).await
}

/// What became of a publish. The file stays where it is until then, so that a person finds it where
/// it belongs if the publish fails.
async fn settled(app: &App, access: &Access, id: ImportId) -> Result<Outcome> {
    let until = Instant::now() + INBOX_PUBLISH_WAIT;
    loop {
        let import = app.store.read(access.clone(), move |tx| imports::get(tx, id)).await?;
        match import.status {
            ImportStatus::Complete => return Ok(Outcome::Imported(id)),
            ImportStatus::Importing => {}
            ImportStatus::Pending if import.publish_wanted => {}
            _ => {
                let reason = import.error.unwrap_or_else(|| "It was not published.".to_owned());
                return Ok(Outcome::Waits(id, reason));
            }
        }
        if Instant::now() > until || *app.stopping.borrow() {
            let message = "The publish of a file of the inbox is still under way".to_owned();
            return Err(Error::Unavailable { message, cause: format!("import {id}").into() });
        }
        tokio::time::sleep(INBOX_PUBLISH_LOOK).await;
    }
}

/// As a request of the interface would be: with the type that the content shows, and the account
/// that the folder names.
async fn request(app: &App, access: &Access, file: &Dropped) -> Result<Request> {
    let (path, name) = (file.path.clone(), file.name.clone());
    let proposed = blocking(move || {
        let content = File::open(path).map_err(io_failed)?;
        proposed_type(content, Some(&name))
    })
    .await?;
    let mut fields = BTreeMap::from([("publish".to_owned(), "true".to_owned())]);
    fields.extend(proposed.map(|found| ("type".to_owned(), found.as_str().to_owned())));
    if let Some(text) = file.account.clone() {
        let account = app.store.read(access.clone(), move |tx| naming::account(tx, &text)).await?;
        fields.insert("account_id".to_owned(), account.summary.id.to_string());
    }
    Request::read(&fields, Problems::new())
}

/// Copies the file to those that were uploaded; `None` if it is blank.
async fn copy(app: &App, access: &Access, file: &Dropped) -> Result<Option<Stored>> {
    let (app, access, path) = (app.clone(), access.clone(), file.path.clone());
    blocking(move || {
        let mut source = File::open(path).map_err(io_failed)?;
        let local = Local { store: &app.store, files: &app.files, access };
        // What type it is for shows later, and the server's own format may be no larger here.
        local.copy(&mut source, ImportType::Transaction, app.imports.max_csv_bytes)
    })
    .await
}

/// Whether an imported file was a part of this one that ended within a row.
async fn goes_on(app: &App, access: &Access, stored: &Stored) -> Result<bool> {
    let (bytes, id, family) = (stored.content.bytes, stored.id, access.family());
    let smaller = move |tx: &mut FamilyTx<'_>| imports::smaller_imported(tx, bytes);
    let imported = app.store.read(access.clone(), smaller).await?;
    let files = app.files.clone();
    blocking(move || cuts_a_row(files.read(family, id)?, imported)).await
}

/// What became of the same bytes before: a file is never imported twice, also if the process ended
/// between its import and its move.
async fn known(
    app: &App,
    access: &Access,
    stored: &Stored,
    account: Option<AccountId>,
) -> Result<Option<Outcome>> {
    let sha256 = stored.content.sha256;
    let look = move |tx: &mut FamilyTx<'_>| {
        let mut same = imports::same_file(tx, &sha256, None)?;
        // Two accounts can have equal files.
        same.retain(|import| account.is_none() || import.account == account);
        for import in &same {
            let is_imported =
                matches!(import.status, ImportStatus::Importing | ImportStatus::Complete);
            if is_imported || imports::get(tx, import.id)?.publish_wanted {
                return Ok(Some(Outcome::Imported(import.id)));
            }
        }
        let first = same.first();
        Ok(first.map(|import| {
            let sentence = same_file::sentence(import, |day| day.to_string());
            Outcome::Waits(import.id, format!("{sentence}."))
        }))
    };
    app.store.read(access.clone(), look).await
}
