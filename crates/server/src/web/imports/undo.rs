//! `GET` and `POST /imports/{id}/undo`: what an undo will do, and doing it.

use std::collections::HashMap;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use purser_app::imports::revert;
use purser_app::imports::{self, Survey};
use uuid::Uuid;

use super::{Heading, counted, spec_of};
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::Posted;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;
use crate::web::view::{self, Amount};

#[derive(Template)]
#[template(path = "imports/undo.html")]
struct Page {
    layout: Layout,
    heading: Heading,
    /// How many transactions go, if it created any.
    removed: Option<String>,
    /// The other things that it does, as sentences.
    facts: Vec<String>,
    kept: Vec<KeptEntry>,
    more_kept: u64,
}

/// A transaction that stays.
struct KeptEntry {
    entry: String,
    day: String,
    name: String,
    amount: Amount,
    why: String,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    Path(id): Path<String>,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let found = app
        .store
        .read(who.access(), move |tx| {
            let import = imports::get(tx, id)?;
            let preview = revert::preview(tx, &import)?;
            let categories: HashMap<_, _> = imports::nameable(tx)?.categories.into_iter().collect();
            let has_entries = spec_of(&import).has_account;
            Ok((Heading::of(tx, &import)?, preview, categories, has_entries))
        })
        .await?;
    let (heading, Ok(preview), categories, has_entries) = found else {
        return Ok(answer::see_other(&format!("/imports/{id}")));
    };
    let mut facts = preview.notes();
    let survey = preview.survey;
    facts.extend(self::facts(&survey, &categories));
    let more_kept = survey.kept.saturating_sub(survey.kept_first.len() as u64);
    let kept = survey.kept_first.into_iter().map(|kept| KeptEntry {
        entry: kept.entry.to_string(),
        day: view::day(kept.date),
        name: kept.name,
        amount: Amount::of_entry(kept.amount, kept.currency),
        why: revert::why_kept(&kept.changed),
    });
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Imports),
        heading,
        removed: has_entries.then(|| counted(survey.removed, "transaction", "transactions")),
        facts,
        kept: kept.collect(),
        more_kept,
    }))
}

pub(super) async fn undo(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    app.store.write(who.access(), move |tx| revert::queue(tx, id)).await?;
    // Refused because another request was faster; the page shows the present state. The sentence is
    // shown once the undo is at its end.
    Ok(notice::done(&format!("/imports/{id}"), "import-undone"))
}

/// `categories` are the whole names: several can be called alike below different ones.
fn facts(survey: &Survey, categories: &HashMap<Uuid, String>) -> Vec<String> {
    let mut facts = Vec::new();
    let transactions = |count| counted(count, "transaction", "transactions");
    if survey.deleted > 0 {
        facts.push(format!("{} deleted since stay deleted.", transactions(survey.deleted)));
    }
    if survey.fills.taken_back > 0 {
        facts.push(format!(
            "{} lose what the import filled in.",
            transactions(survey.fills.taken_back)
        ));
    }
    if survey.fills.kept > 0 {
        facts.push(format!(
            "{} keep what was filled in, because it was changed since.",
            transactions(survey.fills.kept)
        ));
    }
    let name_of = |id: Uuid, name: &str| categories.get(&id).map_or(name, |path| path).to_owned();
    facts.extend(revert::record_sentences(survey, |_| true, name_of));
    facts
}
