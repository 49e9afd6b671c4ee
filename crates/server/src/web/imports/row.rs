//! `GET` and `POST /imports/{id}/rows/{row}`: one row, corrected or left out. The file stays as it
//! came.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use purser_app::imports;
use purser_app::imports::cells::cell_names;
use purser_app::imports::edit::ImportEdit;
use purser_app::imports::reading::Source;
use purser_app::imports::revision;
use purser_app::imports::row_change::RowChange;
use purser_app::imports::rows::{RowQuery, page};
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::cells::Cells;
use purser_core::import::import_type::ImportType;
use purser_core::import::layout::Layout as ReadBy;
use purser_core::import::row_edit::{RowChoice, RowEdit};
use purser_core::import::transaction::balance::directions::{asked_column, with_direction};

use super::rows::{DIRECTION, Line, MONEY_IN, MONEY_OUT, SEEN};
use super::rows_position::RowsPosition;
use super::sentences::{for_people, sentence};
use super::{Heading, layout_of};
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Form, Posted, as_sent};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;

#[derive(Template)]
#[template(path = "imports/row.html")]
struct Page {
    layout: Layout,
    heading: Heading,
    line: Line,
    cells: Vec<Cell>,
    /// The file is a document, of which the page can be shown.
    is_document: bool,
    /// The column of the amount, if only its direction is missing.
    asked_direction: Option<usize>,
    /// The amount, as it is read now, of a file without signs.
    unsigned: Option<String>,
    /// Where the person came from.
    place: RowsPosition,
    refused: Vec<String>,
}

/// One cell of the row.
struct Cell {
    /// The number of the column, from 1.
    column: usize,
    /// What the column is called where cells are corrected.
    name: String,
    header: String,
    /// The cell as the file has it.
    original: String,
    /// As it is read now.
    text: String,
}

impl Cell {
    /// A field of one line would lose the breaks.
    fn has_breaks(&self) -> bool {
        [&self.original, &self.text].iter().any(|text| text.contains(['\n', '\r']))
    }

    /// What a form changes in it.
    fn change(&self, sent: &str) -> Option<(String, Option<String>)> {
        let sent = as_sent(sent);
        let text = if sent == as_sent(&self.text) {
            return None;
        } else if sent == as_sent(&self.original) {
            None
        } else {
            Some(sent)
        };
        Some((self.name.clone(), text))
    }

    /// The cells of a row, as many as the header or the row has.
    fn all(layout: &ReadBy, cells: Cells<'_>, edit: Option<&RowEdit>) -> Vec<Self> {
        let names = cell_names(layout);
        let cell = |index: usize| {
            let original = cells.raw(index).to_owned();
            let text = edit.and_then(|edit| edit.cells.get(&index)).cloned();
            Self {
                column: index + 1,
                // Behind the header a column has but its number.
                name: names.get(index).cloned().unwrap_or_else(|| format!("#{}", index + 1)),
                header: layout.headers.get(index).cloned().unwrap_or_default(),
                text: text.unwrap_or_else(|| original.clone()),
                original,
            }
        };
        (0..layout.headers.len().max(cells.len())).map(cell).collect()
    }

    fn is_corrected(&self) -> bool {
        as_sent(&self.text) != as_sent(&self.original)
    }
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    Path((id, row)): Path<(String, String)>,
    query: QueryParams,
    typed: Typed,
) -> WebResult<Response> {
    let place = RowsPosition::asked(&query);
    let mut page = load(&app, &who, super::import_id(&id)?, number(&row)?, place).await?;
    if let Some((typed, sentence)) = typed.into_typed() {
        page.keep(&typed);
        page.layout = page.layout.with_sentence(Some(sentence));
    }
    Ok(answer::ok(&page))
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
    let place = RowsPosition::sent(&form);
    let is_money_in = match form.text(DIRECTION) {
        "" => None,
        MONEY_IN => Some(true),
        MONEY_OUT => Some(false),
        _ => return Err(Error::invalid("That is no direction").into()),
    };
    let cells = if let Some(is_money_in) = is_money_in {
        let page = load(&app, &who, id, row, place).await?;
        match page.directed(is_money_in) {
            Some(cells) => Some(page.require_seen(&form).map(|()| cells)?),
            // A button was pressed twice.
            None if page.is_directed(is_money_in) => {
                return Ok(answer::see_other(&format!("{}#row-{row}", place.address(id))));
            }
            // Somebody was faster.
            None => return Ok(notice::done(&place.address(id), "direction-known")),
        }
    } else if form.is_on("cell_column") {
        Some(load(&app, &who, id, row, place).await?.changes(&form))
    } else {
        None
    };
    let change = RowChange { row, cells: cells.map(Some), choice };
    let revised = revision::apply_edit(&app, who.access(), id, ImportEdit::Row(change)).await;
    match revised {
        Ok(_) => Ok(answer::see_other(&format!("{}#row-{row}", place.address(id)))),
        Err(Error::Invalid {
            problems: errors,
            code: "validation_failed" | "too_many_row_edits",
            ..
        }) => {
            let mut page = load(&app, &who, id, row, place).await?;
            page.keep(&form);
            page.refused = errors.iter().map(for_people).collect();
            Ok(answer::problems(&page))
        }
        // Somebody else changes the import at the same time.
        Err(Error::Conflict { code: "import_changed", message }) => {
            let mut page = load(&app, &who, id, row, place).await?;
            page.keep(&form);
            page.refused = vec![sentence(&message)];
            Ok(answer::problems(&page))
        }
        Err(error) => Err(error.into()),
    }
}

impl Page {
    /// The correction that states which way its money went, if that is missing.
    fn directed(&self, is_money_in: bool) -> Option<BTreeMap<String, Option<String>>> {
        let cell = self.cells.get(self.asked_direction?)?;
        let text = with_direction(&cell.text, is_money_in);
        Some(BTreeMap::from([(cell.name.clone(), Some(text))]))
    }

    /// Whether the amount has the sign of a direction already.
    fn is_directed(&self, is_money_in: bool) -> bool {
        self.unsigned.as_ref().is_some_and(|text| *text == with_direction(text, is_money_in))
    }

    /// Refuses the answer of a person who saw another row in its place.
    fn require_seen(&self, form: &Form) -> Result<()> {
        match as_sent(form.text(SEEN)) == as_sent(&self.line.seen()) {
            true => Ok(()),
            false => Err(Error::invalid("This row has changed meanwhile: look at it again")),
        }
    }

    /// What a form changes in the cells.
    fn changes(&self, form: &Form) -> BTreeMap<String, Option<String>> {
        let sent = texts(form);
        let change = |cell: &Cell| cell.change(sent.get(&cell.column)?);
        self.cells.iter().filter_map(change).collect()
    }

    /// Shows what was typed, not what is stored.
    fn keep(&mut self, form: &Form) {
        let sent = texts(form);
        for cell in &mut self.cells {
            if let Some(text) = sent.get(&cell.column) {
                cell.text = as_sent(text);
            }
        }
    }
}

/// The texts of a form by their column.
fn texts(form: &Form) -> BTreeMap<usize, &str> {
    let texts = form.all("cell_column").zip(form.all("cell_text"));
    texts.filter_map(|(column, text)| Some((column.parse().ok()?, text))).collect()
}

fn number(text: &str) -> Result<u64> {
    text.parse().map_err(|_| Error::NotFound { what: "Row" })
}

async fn load(
    app: &AppState,
    who: &SignedIn,
    id: ImportId,
    row: u64,
    place: RowsPosition,
) -> Result<Page> {
    let files = app.files.clone();
    let layout = Layout::new(who, Section::Imports);
    app.store
        .read(who.access(), move |tx| {
            let missing = || Error::NotFound { what: "Row" };
            let import = imports::get(tx, id)?;
            revision::require_configurable(&import)?;
            if !import.condition().detail().configured {
                return Err(missing());
            }
            let offset = row.checked_sub(1).ok_or_else(missing)?;
            let wanted = RowQuery { verdicts: Vec::new(), offset, limit: 1 };
            let (mut found, _) = page(tx, &files, &import, &wanted)?;
            let shown = found.pop().ok_or_else(missing)?;
            let edits = imports::row_edits(tx, id)?;
            let edit = edits.get(&row);
            let layout_read = layout_of(&import)?.ok_or_else(missing)?;
            let mut cells = Vec::new();
            Source::open(tx, &files, &import)?.visit_page(row, 1, |visited| {
                cells = Cell::all(&layout_read, visited.cells, edit);
                Ok(())
            })?;
            let asked = shown.asks_direction.then(|| asked_column(&layout_read, row)).flatten();
            let amount = layout_read.unsigned_column().and_then(|column| cells.get(column));
            Ok(Page {
                layout,
                asked_direction: asked,
                unsigned: amount.map(|cell: &Cell| cell.text.clone()),
                heading: Heading::of(tx, &import)?,
                line: Line::of(shown, Some(edit)),
                cells,
                is_document: import.import_type == ImportType::Pdf,
                place,
                refused: Vec::new(),
            })
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(original: &str, text: &str) -> Cell {
        let (name, header) = ("Notes".to_owned(), "Notes".to_owned());
        Cell { column: 1, name, header, original: original.into(), text: text.into() }
    }

    #[test]
    fn only_what_was_touched_changes() {
        let change = |original, text, sent| cell(original, text).change(sent).map(|(_, text)| text);
        for breaks in ["a\nb", "a\r\nb", "a\rb"] {
            assert_eq!(change(breaks, breaks, "a\r\nb"), None, "{breaks:?}");
            assert_eq!(change(breaks, "ab", "a\r\nb"), Some(None), "{breaks:?}");
            assert_eq!(change(breaks, breaks, "a\r\nc"), Some(Some("a\nc".into())));
            assert!(cell(breaks, "ab").has_breaks() && cell("ab", breaks).has_breaks());
        }
        assert_eq!(change("x", "y", "y"), None);
        assert_eq!(change("x", "y", "x"), Some(None));
        assert_eq!(change("x\0", "x\0", "x\u{fffd}"), None);
        assert!(!cell("a\r\nb", "a\nb").is_corrected());
    }
}
