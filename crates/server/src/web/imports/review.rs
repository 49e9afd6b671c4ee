//! What will become of each row, and what a person says to it, before anything is published.

use askama::Template;
use axum::response::Response;
use purser_core::error::Result;
use purser_core::import::row_edit::RowEdits;
use purser_store::imports::{self, Import};
use purser_store::{FamilyId, Tx};

use super::list::Pages;
use super::rows::{self, Line, Tab};
use super::{Heading, counted, layout_of};
use crate::api::pagination::QueryParams;
use crate::imports::rejection::Facts;
use crate::imports::replans;
use crate::imports::rows::{Wanted, page as page_of_rows};
use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::layout::{self, Layout, Section};
use crate::web::session::SignedIn;

const PAGE_ROWS: u64 = 50;

#[derive(Template)]
#[template(path = "imports/review.html")]
struct Page {
    layout: Layout,
    heading: Heading,
    table: Table,
    /// Why the last publish failed.
    error: Option<String>,
    /// What was refused just now.
    refused: Vec<String>,
    /// What stands in the way.
    obstacle: Option<String>,
    /// Rows that can't be read, and whether they are to be left out.
    invalid: Option<String>,
    skip_invalid: bool,
    /// The plan is being made anew.
    is_outdated: bool,
    /// What was taken over from an earlier file.
    template: Option<String>,
    /// On the button.
    publish: String,
}

/// Rows, and where in them we are.
pub(super) struct Table {
    pub(super) id: String,
    pub(super) tabs: Vec<Tab>,
    pub(super) show: String,
    pub(super) lines: Vec<Line>,
    pub(super) pages: Pages,
    /// Rows can be corrected and left out.
    pub(super) is_open: bool,
}

impl Table {
    /// The rows that the address asks for.
    pub(super) fn read(
        tx: &mut Tx<'_>,
        app: &AppState,
        family: FamilyId,
        import: &Import,
        (show, page): (&str, u64),
        edits: Option<&RowEdits>,
    ) -> Result<Self> {
        let counts = import.plan.unwrap_or_default();
        let verdicts = rows::asked(show).to_vec();
        let total = match (verdicts.is_empty(), import.plan) {
            (true, None) => import.rows_in_file(),
            (true, Some(counts)) => counts.all(),
            (false, _) => verdicts.iter().map(|verdict| counts.of(*verdict)).sum(),
        };
        let pages = Pages::of(page, total, PAGE_ROWS);
        let offset = (pages.page - 1) * PAGE_ROWS;
        let wanted = Wanted { verdicts, offset, limit: PAGE_ROWS };
        let (found, _) = page_of_rows(tx, &app.files, family, import, &wanted)?;
        let lines = found.into_iter().map(|shown| {
            let verdict = shown.verdict;
            match edits {
                Some(edits) => {
                    let edit = edits.get(&shown.row);
                    Line::of(shown, Some(edit))
                }
                None => Line::of(shown, None).done(verdict),
            }
        });
        Ok(Self {
            id: import.id.to_string(),
            tabs: rows::tabs(&counts, show, edits.is_none()),
            show: show.to_owned(),
            lines: lines.collect(),
            pages,
            is_open: edits.is_some(),
        })
    }

    /// The address of a page of the same part.
    pub(super) fn address(&self, page: u64) -> String {
        format!("/imports/{}?show={}&page={page}", self.id, self.show)
    }
}

/// The page of an import that can be published, or could if nothing stood in the way.
pub(super) async fn show(
    app: &AppState,
    who: &SignedIn,
    import: Import,
    query: &QueryParams,
    refused: Vec<String>,
) -> WebResult<Response> {
    replans::set_off(app, who.family, &import);
    let show = query.one("show").ok().flatten().unwrap_or_default().to_owned();
    let asked = Pages::asked(query);
    let (family, state) = (who.family, app.clone());
    let layout = Layout::new(who, Section::Imports).with_notice(query);
    let is_refused = !refused.is_empty();
    let page = app
        .store
        .read(move |tx| {
            let edits = imports::row_edits(tx, family, import.id)?;
            let mappings = imports::mappings(tx, family, import.id)?;
            let counts = import.plan.unwrap_or_default();
            Ok(Page {
                layout,
                heading: Heading::of(tx, family, &import)?,
                table: Table::read(tx, &state, family, &import, (&show, asked), Some(&edits))?,
                obstacle: Facts::of(&import, &mappings)?.rejection().map(|one| one.message),
                template: layout_of(&import)?.and_then(|one| one.template).map(|one| one.name),
                error: import.error.clone(),
                invalid: Some(import.invalid_rows)
                    .filter(|count| *count > 0)
                    .map(|count| counted(count, "row", "rows")),
                skip_invalid: import.skip_invalid,
                is_outdated: !import.has_current_plan(),
                publish: match counts.created() {
                    0 => "Finish: nothing is new".to_owned(),
                    count => format!("Import {}", counted(count, "transaction", "transactions")),
                },
                refused,
            })
        })
        .await?;
    Ok(if is_refused { layout::problems(&page) } else { layout::ok(&page) })
}
