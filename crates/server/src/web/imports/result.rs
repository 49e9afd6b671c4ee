//! What came of an import that is published.

use askama::Template;
use axum::response::Response;
use purser_app::imports::{self, Import};
use purser_core::import::mapping::MappingKind;

use super::review::Table;
use super::rows_position::RowsPosition;
use super::{Heading, counted, spec_of};
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view;

#[derive(Template)]
#[template(path = "imports/result.html")]
struct Page {
    layout: Layout,
    heading: Heading,
    table: Table,
    /// The sentence of the page.
    created: String,
    at: Option<String>,
    facts: Vec<String>,
    /// Why the undo failed.
    error: Option<String>,
    /// Where the transactions are, if it has any.
    transactions: Option<String>,
}

pub(super) async fn show(
    app: &AppState,
    who: &SignedIn,
    import: Import,
    query: &QueryParams,
) -> WebResult<Response> {
    let asked = RowsPosition::asked(query);
    let (state, zone) = (app.clone(), who.time_zone.clone());
    let layout = Layout::new(who, Section::Imports).with_notice(query);
    let page = app
        .store
        .read(who.access(), move |tx| {
            // With what belongs to it now: its account may be gone.
            let import = imports::get(tx, import.id)?;
            let mappings = imports::mappings(tx, import.id)?;
            let accounts: Vec<uuid::Uuid> = mappings
                .iter()
                .filter(|one| one.kind == MappingKind::Account)
                .filter_map(|one| one.target)
                .collect();
            let only = import.account.map(|id| id.0).or(match accounts.as_slice() {
                [only] => Some(*only),
                _ => None,
            });
            Ok(Page {
                layout,
                heading: Heading::of(tx, &import)?,
                table: Table::read(tx, &state, &import, asked, None)?,
                created: match import.created {
                    0 => match import.plan.unwrap_or_default().change {
                        0 => "Nothing was new".to_owned(),
                        count => {
                            let spec = spec_of(&import);
                            format!("{} changed", counted(count, spec.one, spec.many))
                        }
                    },
                    count => {
                        let spec = spec_of(&import);
                        format!("{} imported", counted(count, spec.one, spec.many))
                    }
                },
                at: import.completed_at.map(|at| view::time(at, &zone)),
                facts: facts(&import),
                error: import.error.clone(),
                transactions: spec_of(&import).has_account.then(|| match only {
                    Some(id) => format!("/transactions?account={id}"),
                    None => "/transactions".to_owned(),
                }),
            })
        })
        .await?;
    Ok(answer::ok(&page))
}

/// What became of the rows that are no new transaction, and which of the new ones to look at.
fn facts(import: &Import) -> Vec<String> {
    let counts = import.plan.unwrap_or_default();
    let changed = if import.created > 0 { counts.change } else { 0 };
    let parts = [
        (changed, "changed", "changed", " what was there"),
        (
            counts.possible_duplicate,
            "may be a duplicate",
            "may be duplicates",
            " of what was there",
        ),
        (counts.matched(), "was", "were", " there already"),
        (counts.deleted_before, "stays", "stay", " deleted, as a person wanted"),
        (counts.left_out, "was", "were", " left out"),
        (counts.invalid, "was", "were", " left out as unreadable"),
    ];
    let present = parts.into_iter().filter(|(count, ..)| *count > 0);
    present
        .map(|(count, one, many, what)| {
            let verb = if count == 1 { one } else { many };
            format!("{} {verb}{what}", counted(count, "row", "rows"))
        })
        .collect()
}
