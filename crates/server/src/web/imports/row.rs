//! `GET` and `POST /imports/{id}/rows/{row}`: one row, corrected or left out. The file stays as it
//! came.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::row_edit::RowChoice;
use purser_store::imports;

use super::rows::Line;
use super::{Heading, layout_of};
use crate::api::pagination::QueryParams;
use crate::imports::reading::Source;
use crate::imports::revision::{self, Saying};
use crate::imports::row_change::RowChange;
use crate::imports::rows::{Wanted, page};
use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::form::{Form, Posted};
use crate::web::layout::{self, Layout, Section};
use crate::web::session::SignedIn;

#[derive(Template)]
#[template(path = "imports/row.html")]
struct Page {
    layout: Layout,
    heading: Heading,
    line: Line,
    cells: Vec<Cell>,
    back: String,
    refused: Vec<String>,
}

/// One cell of the row.
struct Cell {
    /// Counted from 1.
    column: usize,
    header: String,
    /// As the file says it.
    original: String,
    /// As it is read now.
    text: String,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    Path((id, row)): Path<(String, String)>,
    query: QueryParams,
) -> WebResult<Response> {
    let back = query.one("back").ok().flatten().unwrap_or_default().to_owned();
    let page = look(&app, &who, super::import_id(&id)?, number(&row)?, back).await?;
    Ok(layout::ok(&page))
}

pub(super) async fn save(
    State(app): State<AppState>,
    Path((id, row)): Path<(String, String)>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let (id, row) = (super::import_id(&id)?, number(&row)?);
    let choice = match form.text("choice") {
        "" => None,
        text => Some(RowChoice::parse(text).ok_or_else(|| Error::invalid("That is no choice"))?),
    };
    let change = RowChange { row, cells: cells(&form), choice };
    let said = revision::say(&app, super::who(&who), id, Saying::Row(change)).await;
    let back = form.text("back").to_owned();
    match said {
        Ok(_) => {
            let anchor = if back.is_empty() { String::new() } else { format!("?{back}") };
            Ok(layout::see_other(&format!("/imports/{id}{anchor}#row-{row}")))
        }
        Err(Error::Invalid {
            errors, code: "validation_failed" | "too_many_row_edits", ..
        }) => {
            let mut page = look(&app, &who, id, row, back).await?;
            page.refused = errors;
            Ok(layout::problems(&page))
        }
        Err(error) => Err(error.into()),
    }
}

/// The texts that differ from the file; one that is as it came takes a correction back.
fn cells(form: &Form) -> Option<Option<BTreeMap<String, Option<String>>>> {
    let columns = form.all("cell_column");
    let texts = form.all("cell_original").zip(form.all("cell_text"));
    let cells: BTreeMap<String, Option<String>> = columns
        .zip(texts)
        .map(|(column, (original, text))| {
            (column.to_owned(), (text != original).then(|| text.to_owned()))
        })
        .collect();
    (!cells.is_empty()).then_some(Some(cells))
}

fn number(text: &str) -> Result<u64> {
    text.parse().map_err(|_| Error::NotFound { what: "Row" })
}

async fn look(
    app: &AppState,
    who: &SignedIn,
    id: ImportId,
    row: u64,
    back: String,
) -> Result<Page> {
    let (family, files) = (who.family, app.files.clone());
    let layout = Layout::new(who, Section::Imports);
    app.store
        .read(move |tx| {
            let missing = || Error::NotFound { what: "Row" };
            let import = imports::get(tx, family, id)?;
            revision::require_configurable(&import)?;
            if !import.condition().detail().configured {
                return Err(missing());
            }
            let offset = row.checked_sub(1).ok_or_else(missing)?;
            let wanted = Wanted { verdicts: Vec::new(), offset, limit: 1 };
            let (mut found, _) = page(tx, &files, family, &import, &wanted)?;
            let shown = found.pop().ok_or_else(missing)?;
            let edits = imports::row_edits(tx, family, id)?;
            let edit = edits.get(&row);
            let headers = layout_of(&import)?.map(|layout| layout.headers).unwrap_or_default();
            let mut cells = Vec::new();
            Source::open(tx, &files, family, &import)?.visit_page(row, 1, |visited| {
                cells = (0..headers.len().max(visited.cells.len()))
                    .map(|column| {
                        let original = visited.cells.raw(column).to_owned();
                        let text = edit.and_then(|edit| edit.cells.get(&column));
                        Cell {
                            column: column + 1,
                            header: headers.get(column).cloned().unwrap_or_default(),
                            text: text.cloned().unwrap_or_else(|| original.clone()),
                            original,
                        }
                    })
                    .collect();
                Ok(())
            })?;
            Ok(Page {
                layout,
                heading: Heading::of(tx, family, &import)?,
                line: Line::of(shown, Some(edit)),
                cells,
                back,
                refused: Vec::new(),
            })
        })
        .await
}
