//! Imports: from a file that is dropped to transactions, and back.
//!
//! One address per import shows what there is to do: settings that are missing ([`mapping`]), what
//! will become of each row ([`review`]), a publish or an undo that runs ([`running`]), and what
//! came of it ([`result`]). Files that came at once have a page together ([`several`]). Everything
//! is done by the calls that the API makes.

mod document;
mod events;
mod list;
mod mapping;
mod names;
mod new;
mod new_account;
mod publish;
mod questions;
mod result;
mod review;
mod row;
mod rows;
mod rows_position;
mod running;
mod sent_settings;
mod sentences;
mod settings;
mod several;
mod show;
mod statement;
mod templates;
mod undo;

use axum::Router;
use axum::routing::{get, post};

pub(in crate::web) use list::Pages;
use purser_app::FamilyTx;
use purser_app::imports::{self, Import, same_file};
use purser_core::error::{Error, Result};
use purser_core::ids::{self, ImportId};
use purser_core::import::kind::Spec;
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Layout;
use purser_core::import::status::ImportStatus;

use super::view::{day, grouped};
use crate::state::AppState;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/imports", get(list::show))
        .route("/imports/new", get(new::show).post(new::create))
        .route("/imports/several", get(several::show).post(several::publish_ready))
        .route("/imports/templates", get(templates::show))
        .route("/imports/templates/{id}", get(templates::redirect_to_list).post(templates::rename))
        .route("/imports/templates/{id}/delete", post(templates::delete))
        .route("/imports/{id}", get(show::show))
        .route("/imports/{id}/events", get(events::watch))
        .route("/imports/{id}/document/{lines}", get(document::show))
        .route("/imports/{id}/pages/{page}", get(document::show_page))
        .route("/imports/{id}/mapping", get(mapping::show).post(mapping::save))
        .route("/imports/{id}/rows/{row}", get(row::show).post(row::save))
        .route("/imports/{id}/account", get(publish::show).post(new_account::create))
        .route("/imports/{id}/skip", get(publish::show).post(publish::skip))
        .route("/imports/{id}/publish", get(publish::show).post(publish::publish))
        .route("/imports/{id}/undo", get(undo::show).post(undo::undo))
        .route("/imports/{id}/delete", get(publish::show).post(publish::delete))
}

/// The import that an address names. What is no id names none.
fn import_id(text: &str) -> Result<ImportId> {
    ids::read(text).map(ImportId).map_err(|_| Error::NotFound { what: "Import" })
}

/// Other imports of the same file that are listed.
const SAME_FILE_SHOWN: usize = 2;

/// What every page of an import has above it.
#[derive(Debug, Clone)]
struct Heading {
    id: ImportId,
    /// The name of the file.
    name: String,
    /// Where its rows go, if all go to one account.
    account: Option<String>,
    /// What the file is: its format, and the sheet that is read.
    format: Option<String>,
    /// What a line of the file is called, with a capital.
    line_word: &'static str,
    status: Status,
    /// Other imports of the same file, and what became of them, while it isn't imported.
    same_file: Vec<(ImportId, String)>,
    /// How many more there are, with the noun.
    more_of_same_file: Option<String>,
}

/// The status of an import, for people.
#[derive(Debug, Clone, Copy)]
struct Status {
    text: &'static str,
    /// `open`, `busy`, `done` or `bad`.
    class: &'static str,
}

impl Status {
    fn of(status: ImportStatus, configured: bool) -> Self {
        let (text, class) = match status {
            ImportStatus::Pending if configured => ("To be looked at", "open"),
            ImportStatus::Pending => ("Settings missing", "open"),
            ImportStatus::Importing => ("Importing", "busy"),
            ImportStatus::Complete => ("Imported", "done"),
            ImportStatus::Failed => ("Failed", "bad"),
            ImportStatus::Reverting => ("Being undone", "busy"),
            ImportStatus::RevertFailed => ("Undo failed", "bad"),
        };
        Self { text, class }
    }
}

impl Heading {
    fn of(tx: &mut FamilyTx<'_>, import: &Import) -> Result<Self> {
        let name = imports::file_names(tx, &[import.id])?.remove(&import.id);
        let account = match import.account {
            Some(id) => Some(purser_app::accounts::get(tx, id)?.summary.name),
            None => None,
        };
        let file = layout_of(import)?.map(|layout| layout.file).unwrap_or_default();
        let configured = import.condition().detail().configured;
        let is_open = matches!(import.status, ImportStatus::Pending | ImportStatus::Failed);
        let mut same_file = if is_open { same_file::of_import(tx, import)? } else { Vec::new() };
        // What is imported matters more than what only waits.
        same_file.sort_by_key(|same| same.status != ImportStatus::Complete);
        let more = same_file.len().saturating_sub(SAME_FILE_SHOWN) as u64;
        let more = (more > 0).then(|| counted(more, "more import of it", "more imports of it"));
        let same_file = same_file.iter().take(SAME_FILE_SHOWN);
        let same_file = same_file.map(|same| (same.id, same_file::sentence(same, day)));
        Ok(Self {
            id: import.id,
            name: name.unwrap_or_else(|| "Import".to_owned()),
            account,
            line_word: if file.sheet.is_some() { "Row" } else { "Line" },
            format: file.sentence(),
            status: Status::of(import.status, configured),
            same_file: same_file.collect(),
            more_of_same_file: more,
        })
    }
}

/// What is fixed for the rows of an import.
fn spec_of(import: &Import) -> &'static Spec {
    Kind::of(import.import_type).spec()
}

/// What is in effect for a stored import.
fn layout_of(import: &Import) -> Result<Option<Layout>> {
    import.layout.as_deref().map(serde_json::from_str).transpose().map_err(Error::internal)
}

/// `1 row`, `2 rows`.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// A text of at most so many characters, cut if it has more.
fn shortened(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_for_people() {
        assert_eq!(counted(1, "row", "rows"), "1 row");
        assert_eq!(counted(2_000, "row", "rows"), "2,000 rows");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened(&"ä".repeat(40), 24).chars().count(), 25);
    }
}
