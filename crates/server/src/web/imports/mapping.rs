//! `GET` and `POST /imports/{id}/mapping`: how the file is read, and what that makes of its rows.
//!
//! A script sends the form on every change and puts the answer in place; without it there is a
//! button. Either way the import itself is changed, by the call that the API makes, and the rows
//! that are shown are read by the functions that the publish reads them with.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use purser_app::FamilyTx;
use purser_app::imports::change::Change;
use purser_app::imports::document_picture;
use purser_app::imports::edit::ImportEdit;
use purser_app::imports::revision::{self, Revised};
use purser_app::imports::rows::{self, RowQuery};
use purser_app::imports::sample;
use purser_app::imports::{self, Nameable};
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_core::money::Currency;
use uuid::Uuid;

use super::names::{self, Nameless, Names};
use super::questions::{self, QuestionView};
use super::rows::Line;
use super::sent_settings;
use super::sentences::{column_name, for_people};
use super::settings::Fields;
use super::{Heading, counted, layout_of};
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Form, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view::Choice;

/// Rows that are shown.
const ROWS: u64 = 8;
/// Records from which examples are taken.
const RECORDS: usize = 5;

#[derive(Template)]
#[template(path = "imports/mapping.html")]
struct Page {
    layout: Layout,
    shown: ConfigurationView,
    /// What was refused just now.
    refused: Vec<String>,
    /// Other remarks on the change.
    notes: Vec<String>,
}

/// The import as it is.
struct ConfigurationView {
    /// Rows go to accounts.
    has_account: bool,
    heading: Heading,
    accounts: Vec<Choice>,
    account: String,
    /// Set if there are rows without an account.
    nameless: Option<Nameless>,
    /// What it means that no account is chosen for all rows.
    no_account: &'static str,
    /// An account of an earlier file of this kind.
    suggested: Option<Choice>,
    template: Option<String>,
    fields: Fields,
    /// The columns that are used for nothing.
    unused: Option<String>,
    names: Vec<Names>,
    /// What must be decided, with the possible answers.
    questions: Vec<QuestionView>,
    /// Why the file can't be read, as far as it is shown at no control and in no question.
    problems: Vec<String>,
    rows: Vec<Line>,
    raw: Raw,
    summary: String,
    is_ready: bool,
}

/// The first records as they are in the file.
struct Raw {
    headers: Vec<String>,
    records: Vec<Vec<String>>,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    typed: Typed,
    Path(id): Path<String>,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    match load(&app, &who, id).await? {
        Some(mut shown) => {
            let typed = typed.into_typed().map(|(form, sentence)| {
                shown.overlay(&form);
                sentence.to_owned()
            });
            Ok(answer::ok(&page(&who, shown, Vec::new(), typed.into_iter().collect())))
        }
        None => Ok(answer::see_other(&format!("/imports/{id}"))),
    }
}

pub(super) async fn save(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let is_unnamed = names::is_unnamed(&form);
    let result = match change(&app, &who, id, form.clone()).await {
        Ok(change) => {
            revision::apply_edit(&app, who.access(), id, ImportEdit::Configuration(change)).await
        }
        Err(error) => Err(error),
    };
    let wants_next = form.is_on("next");
    let (mut refused, notes): (Vec<String>, _) = match result {
        Ok(Revised { import, relations, notes }) => {
            let is_open = import.condition().unassigned_mappings > 0;
            let must_choose = wants_next && is_open && !is_unnamed;
            (
                names::to_choose(&relations.mappings).filter(|_| must_choose).into_iter().collect(),
                notes,
            )
        }
        Err(Error::Invalid { problems: errors, .. }) => {
            (errors.iter().map(for_people).collect(), Vec::new())
        }
        Err(error) => return Err(error.into()),
    };
    if is_unnamed {
        refused.insert(0, "Give the new account a name.".to_owned());
    }
    if wants_next && refused.is_empty() {
        return Ok(answer::see_other(&format!("/imports/{id}")));
    }
    match load(&app, &who, id).await? {
        // Not an error of the request: a script shows the page as it is, and what was refused.
        Some(mut shown) => {
            if is_unnamed {
                shown.ask_for_name();
            }
            Ok(answer::ok(&page(&who, shown, refused, notes)))
        }
        None => Ok(answer::see_other(&format!("/imports/{id}"))),
    }
}

impl ConfigurationView {
    /// Shows what was typed before the session ended; the preview is of what is stored.
    fn overlay(&mut self, typed: &Form) {
        let account = typed.text("account_id");
        if account == names::CREATE {
            let problem = self.nameless.take().and_then(|nameless| nameless.problem);
            let new_name = typed.text("account_new").to_owned();
            self.nameless = Some(Nameless { new_name, ..Nameless::unnamed(problem) });
        } else if self.accounts.iter().any(|choice| choice.value == account) {
            account.clone_into(&mut self.account);
        }
        self.fields.overlay(typed);
        names::overlay(&mut self.names, typed);
    }

    /// Shows what was chosen, a new account, where what is stored is still something else.
    fn ask_for_name(&mut self) {
        let problem = self.nameless.take().and_then(|nameless| nameless.problem);
        self.nameless = Some(Nameless::unnamed(problem));
        self.account.clear();
    }
}

fn page(
    who: &SignedIn,
    shown: ConfigurationView,
    refused: Vec<String>,
    notes: Vec<String>,
) -> Page {
    Page { layout: Layout::new(who, Section::Imports), shown, refused, notes }
}

/// What the form changes.
async fn change(app: &AppState, who: &SignedIn, id: ImportId, form: Form) -> Result<Change> {
    let has_typed = names::has_typed(&form);
    let read = move |tx: &mut FamilyTx<'_>| {
        let nameable = if has_typed { imports::nameable(tx)? } else { Nameable::default() };
        Ok((imports::mappings(tx, id)?, nameable))
    };
    let (mappings, nameable) = app.store.read(who.access(), read).await?;
    let account = match (form.is_on("account_id"), form.filled("account_id")) {
        (false, _) => None,
        // What was chosen before stays until the new account has a name.
        _ if names::is_unnamed(&form) => None,
        (true, None | Some(names::CREATE)) => Some(None),
        (true, Some(id)) => {
            Some(Some(id.parse().map_err(|_| Problem::unknown("account_id", "account"))?))
        }
    };
    let to_one = account.flatten().is_some();
    let mut mappings = names::sent(&form, &mappings, &nameable)?;
    // With one account for all rows, names of accounts mean nothing any more.
    mappings
        .retain(|one| !(to_one && one.kind == purser_core::import::mapping::MappingKind::Account));
    let settings = sent_settings::sent(&form);
    Ok(Change { settings, account, mappings, ..Change::default() })
}

/// The import as it is; nothing if it can't be configured any more.
async fn load(app: &AppState, who: &SignedIn, id: ImportId) -> Result<Option<ConfigurationView>> {
    let mut shown = load_view(app, who, id).await?;
    if let Some(shown) = shown.as_mut().filter(|shown| !shown.questions.is_empty()) {
        // Questions can be answered without pictures.
        let pages = document_picture::pages(app, who.access(), id).await.unwrap_or_else(|error| {
            tracing::warn!(import = %id, cause = ?error, "the pages of a document can't be shown");
            Vec::new()
        });
        shown.questions.iter_mut().for_each(|question| question.show_pages(&pages));
    }
    Ok(shown)
}

async fn load_view(
    app: &AppState,
    who: &SignedIn,
    id: ImportId,
) -> Result<Option<ConfigurationView>> {
    let files = app.files.clone();
    app.store
        .read(who.access(), move |tx| {
            let import = imports::get(tx, id)?;
            if !matches!(import.status, ImportStatus::Pending | ImportStatus::Failed) {
                return Ok(None);
            }
            let Some(layout) = layout_of(&import)? else { return Ok(None) };
            let sample = sample::records(tx, &files, &import, &layout, RECORDS)?;
            let mappings = imports::mappings(tx, id)?;
            let nameable = imports::nameable(tx)?;
            let rows = if layout.is_readable() {
                let wanted = RowQuery { limit: ROWS, ..RowQuery::default() };
                let (rows, _) = rows::page(tx, &files, &import, &wanted)?;
                rows.into_iter().map(|row| Line::of(row, None)).collect()
            } else {
                Vec::new()
            };
            let accounts: Vec<Choice> = nameable.accounts.iter().map(choice).collect();
            let suggestion = layout.template.as_ref().and_then(|one| one.account_id);
            let suggested = suggestion.and_then(|id| {
                accounts.iter().find(|choice| choice.value == id.to_string()).cloned()
            });
            let is_ready = import.condition().detail().configured;
            let mut fields = Fields::of(&import, &layout, &sample)?;
            let asked = imports::questions::of_import(tx, &files, &import, &layout)?;
            let questions = questions::of(&asked);
            let problems = fields.place(&layout.problems, &questions);
            Ok(Some(ConfigurationView {
                has_account: layout.kind.spec().has_account,
                heading: Heading::of(tx, &import)?,
                account: import.account.map(|id| id.to_string()).unwrap_or_default(),
                nameless: names::nameless(&mappings),
                no_account: match layout.columns.account {
                    Some(_) => "what the file says",
                    None => "choose…",
                },
                suggested: suggested.filter(|_| import.account.is_none()),
                template: layout.template.as_ref().map(|one| one.name.clone()),
                fields,
                unused: layout.unused_text(),
                names: names::of(&mappings, &nameable),
                questions,
                problems,
                raw: Raw {
                    headers: (0..layout.headers.len())
                        .map(|at| column_name(&layout.header(at)))
                        .collect(),
                    records: sample,
                },
                summary: match is_ready {
                    true => {
                        summary(import.valid_rows, import.invalid_rows, layout.longer_rows.count)
                    }
                    false => "The rows can't be read yet.".to_owned(),
                },
                is_ready,
                accounts,
                rows,
            }))
        })
        .await
}

fn choice((id, name, currency): &(Uuid, String, Currency)) -> Choice {
    Choice::new(id.to_string(), format!("{name} ({})", currency.code()))
}

fn summary(valid: u64, invalid: u64, longer: u64) -> String {
    let read = counted(valid, "row can be read", "rows can be read");
    let rows = match invalid {
        0 => format!("{read}."),
        _ => format!("{read}, {} can't.", super::grouped(invalid)),
    };
    match longer {
        0 => rows,
        _ => {
            let longer = counted(longer, "row has", "rows have");
            format!("{rows} {longer} more cells than the header, which are left out.")
        }
    }
}
