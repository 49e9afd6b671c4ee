//! Files that came at once: `GET /imports/several` sums up their imports, and one button publishes
//! all that need nobody's decision.

use std::collections::HashSet;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::FamilyTx;
use purser_app::imports::publish::{self, PublishOrigin};
use purser_app::imports::rejection::Facts;
use purser_app::imports::{self, Import, objections, replans};
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_core::import::verdict::Counts;

use super::{Status, counted, import_id};
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::Posted;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;

/// Files that are taken at once. The script has the same number.
const FILES_MAX: usize = 50;
/// The field, and the part of the address, with the ids of the imports.
const IDS: &str = "ids";

#[derive(Template)]
#[template(path = "imports/several.html")]
struct Page {
    layout: Layout,
    ids: String,
    items: Vec<Item>,
    /// What all of them come to.
    total: String,
    /// What is on the button; nothing if no file can be published.
    publish: Option<String>,
    /// The address of this page, to be loaded again because something is under way.
    reload: Option<String>,
}

/// A file, and what there is to know about it.
struct Item {
    id: ImportId,
    name: String,
    status: Status,
    /// What becomes, or became, of its rows.
    rows: String,
    /// Why it can't be published now, or why its publish failed.
    obstacle: Option<String>,
    counts: Counts,
    is_ready: bool,
    /// Whether a person must decide something first.
    is_waiting: bool,
    is_under_way: bool,
}

/// The imports that an address or a form names, each once, in their order.
fn ids_of(text: &str) -> Result<Vec<ImportId>> {
    let mut seen = HashSet::new();
    let ids: Result<Vec<ImportId>> = text.split(',').take(FILES_MAX).map(import_id).collect();
    Ok(ids?.into_iter().filter(|id| seen.insert(*id)).collect())
}

fn address(ids: &[ImportId]) -> String {
    format!("/imports/several?{IDS}={}", joined(ids))
}

fn joined(ids: &[ImportId]) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Those that are there still: one that was thrown away isn't missed.
fn found(tx: &mut FamilyTx<'_>, ids: &[ImportId]) -> Result<Vec<Import>> {
    let mut found = Vec::new();
    for id in ids {
        match imports::get(tx, *id) {
            Ok(import) => found.push(import),
            Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let ids = ids_of(query.one(IDS).ok().flatten().unwrap_or_default())?;
    let wanted = ids.clone();
    let (all, items) = app
        .store
        .read(who.access(), move |tx| {
            let all = found(tx, &wanted)?;
            let there: Vec<ImportId> = all.iter().map(|import| import.id).collect();
            let mut names = imports::file_names(tx, &there)?;
            let mut items = Vec::new();
            for import in &all {
                let name = names.remove(&import.id).unwrap_or_else(|| "Import".to_owned());
                items.push(item(tx, import, name)?);
            }
            Ok((all, items))
        })
        .await?;
    if items.is_empty() {
        return Err(Error::NotFound { what: "Import" }.into());
    }
    for import in &all {
        replans::set_off(&app, who.access(), import);
    }
    let ready = items.iter().filter(|item| item.is_ready).count();
    let is_under_way = items.iter().any(|item| item.is_under_way);
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Imports),
        ids: joined(&ids),
        total: total(&items),
        publish: (ready > 0).then(|| match ready {
            1 if items.len() == 1 => "Import it".to_owned(),
            all if all == items.len() => format!("Import all {all} files"),
            some => format!("Import the {} that are ready", counted(some as u64, "file", "files")),
        }),
        items,
        reload: is_under_way.then(|| address(&ids)),
    }))
}

fn item(tx: &mut FamilyTx<'_>, import: &Import, name: String) -> Result<Item> {
    let detail = import.condition().detail();
    let is_open = matches!(import.status, ImportStatus::Pending | ImportStatus::Failed);
    let obstacle = match is_open {
        true => {
            let mappings = imports::mappings(tx, import.id)?;
            let objections = objections::of_import(tx, import, &mappings)?;
            Facts::of(import, &mappings, objections)?.rejection()
        }
        false => None,
    };
    let is_planned = !is_open || import.has_current_plan() || !detail.configured;
    let is_ready = is_open && is_planned && obstacle.is_none();
    let is_waiting = obstacle.is_some();
    let counts = import.plan.unwrap_or_default();
    let rows = match import.status {
        ImportStatus::Complete => counted(import.created, "row imported", "rows imported"),
        _ if import.plan.is_some() => sentence(&counts),
        _ => counted(import.rows_in_file(), "row", "rows"),
    };
    Ok(Item {
        id: import.id,
        name,
        status: Status::of(import.status, detail.configured),
        rows,
        obstacle: import.error.clone().or(obstacle.map(|rejection| rejection.message)),
        counts,
        is_ready,
        is_waiting,
        is_under_way: matches!(import.status, ImportStatus::Importing | ImportStatus::Reverting)
            || !is_planned,
    })
}

/// What becomes of the rows of a file.
fn sentence(counts: &Counts) -> String {
    let parts = [
        (counts.created(), "new"),
        (counts.change, "changed"),
        (counts.matched(), "there already"),
        (counts.needs_choice, "to be decided"),
        (counts.invalid, "not readable"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", super::grouped(*count)))
        .collect();
    let all = counted(counts.all(), "row", "rows");
    if parts.is_empty() { all } else { format!("{all}: {}", parts.join(", ")) }
}

/// What all files come to. A row that two of them have is new in both until one is published.
fn total(items: &[Item]) -> String {
    let sum = |of: fn(&Counts) -> u64| items.iter().map(|item| of(&item.counts)).sum::<u64>();
    let ready = items.iter().filter(|item| item.is_ready).count() as u64;
    let waiting = items.iter().filter(|item| item.is_waiting).count() as u64;
    let mut parts = vec![counted(items.len() as u64, "file", "files")];
    parts.push(counted(sum(Counts::all), "row", "rows"));
    parts.extend((ready > 0).then(|| format!("{} ready", super::grouped(ready))));
    parts.extend(
        (waiting > 0).then(|| counted(waiting, "needs your decision", "need your decision")),
    );
    parts.join(" · ")
}

/// Answers `POST /imports/several`: queues the publish of each import that nothing stands in the
/// way of. The page shows what stands in the way of the others.
pub(super) async fn publish_ready(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let ids = ids_of(form.text(IDS))?;
    for id in ids.clone() {
        let queued = app
            .store
            .write(who.access(), move |tx| publish::queue(tx, id, PublishOrigin::Caller))
            .await;
        match queued {
            // Another request was faster, or threw it away.
            Ok(_) | Err(Error::NotFound { .. } | Error::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(answer::see_other(&address(&ids)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_import_is_named_once() {
        let (one, two) =
            ("0198a2c0-0000-7000-8000-000000000001", "0198a2c0-0000-7000-8000-000000000002");
        let ids = ids_of(&format!("{one},{two},{one}")).unwrap();
        assert_eq!(joined(&ids), format!("{one},{two}"));
        assert!(ids_of("").is_err() && ids_of(&format!("{one},x")).is_err());
    }

    #[test]
    fn what_becomes_of_rows_is_a_sentence() {
        let counts = Counts { create: 1_200, invalid: 1, ..Counts::default() };
        assert_eq!(sentence(&counts), "1,201 rows: 1,200 new, 1 not readable");
        assert_eq!(sentence(&Counts::default()), "0 rows");
    }
}
