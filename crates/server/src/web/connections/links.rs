//! `POST /connections/{id}/accounts`: what becomes of the accounts at the provider, all in one
//! form; `POST /connections/{id}/unlink`: the end of one link.

use axum::extract::State;
use axum::response::Response;
use purser_app::FamilyTx;
use purser_app::connections::links::{self, LinkTarget, LinkableAccount, NewLinkedAccount};
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::{AccountId, ConnectionId, FoundAccountId};

use super::show;
use crate::http::error::ApiError;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, Posted};
use crate::web::notice;

/// What was chosen for one account.
enum Decision {
    Link(LinkTarget),
    Ignore,
}

pub(super) async fn save(
    State(app): State<AppState>,
    id: std::result::Result<Id<ConnectionId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let sent = form.clone();
    let saved = app.store.write(who.access(), move |tx| decide(tx, id, &sent)).await;
    match saved {
        Ok(()) => Ok(notice::done(&format!("/connections/{id}"), "accounts-linked")),
        Err(error) => {
            let mut filled = Filled::new(form);
            filled.refuse(error, &[])?;
            Ok(answer::problems(&show::page(&app, &who, id, Some(filled)).await?))
        }
    }
}

/// Does what was chosen for each account, or nothing if something is refused.
fn decide(tx: &mut FamilyTx<'_>, id: ConnectionId, form: &Form) -> Result<()> {
    for account in links::list(tx, id)? {
        if account.found.account.is_some() {
            continue;
        }
        let found = account.found.id;
        let done = match decision(form, &account) {
            Ok(Some(Decision::Link(target))) => links::link(tx, id, found, &target).map(drop),
            Ok(Some(Decision::Ignore)) if account.found.is_ignored => Ok(()),
            Ok(Some(Decision::Ignore)) => links::ignore(tx, id, found).map(drop),
            Ok(None) if account.found.is_ignored => links::unlink(tx, id, found).map(drop),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        done.map_err(|error| named(error, &account.found.name))?;
    }
    Ok(())
}

fn decision(form: &Form, account: &LinkableAccount) -> Result<Option<Decision>> {
    let id = account.found.id;
    let chosen = |field: &str| form.filled(&format!("{field}-{id}")).map(str::to_owned);
    let target = match chosen("target").as_deref() {
        None => return Ok(None),
        Some("ignore") => return Ok(Some(Decision::Ignore)),
        Some("new") => LinkTarget::New(NewLinkedAccount {
            account_type: chosen("type"),
            currency: chosen("currency"),
            ..NewLinkedAccount::default()
        }),
        Some(own) => {
            let unknown = |_| Error::invalid(Problem::unknown("account_id", "account"));
            LinkTarget::Existing(own.parse::<AccountId>().map_err(unknown)?)
        }
    };
    Ok(Some(Decision::Link(target)))
}

/// A refusal with the name of the account that it is about.
fn named(error: Error, name: &str) -> Error {
    match error {
        Error::Invalid { problems, .. } => Error::invalid_list(
            "validation_failed",
            problems.into_iter().map(|problem| Problem::sentence(format!("{name}: {problem}"))),
        ),
        Error::Conflict { code, message } => {
            Error::Conflict { code, message: format!("{name}: {message}") }
        }
        other => other,
    }
}

pub(super) async fn unlink(
    State(app): State<AppState>,
    id: std::result::Result<Id<ConnectionId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let missing = |_| Error::NotFound { what: "Provider account" };
    let found: FoundAccountId = form.text("found").parse().map_err(missing)?;
    app.store.write(who.access(), move |tx| links::unlink(tx, id, found)).await?;
    Ok(notice::done(&format!("/connections/{id}"), "account-unlinked"))
}
