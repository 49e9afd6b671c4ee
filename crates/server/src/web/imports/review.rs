//! What will become of each row, and the choices of a person, before anything is published.

use askama::Template;
use axum::response::Response;
use purser_app::FamilyTx;
use purser_app::imports::rejection::{Facts, Rejection};
use purser_app::imports::replans;
use purser_app::imports::rows::{RowQuery, page as page_of_rows};
use purser_app::imports::{self, Import, Mapping};
use purser_app::imports::{objections, own_balances};
use purser_core::error::Result;
use purser_core::ids::ImportId;

use purser_core::import::kind::Spec;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::verdict::Counts;

use super::list::Pages;
use super::new_account::{self, NewAccount};
use super::rows::{self, Line, Tab};
use super::rows_position::RowsPosition;
use super::{Heading, counted, grouped, layout_of, spec_of, statement};
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::Filled;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;

const PAGE_ROWS: u64 = 50;

#[derive(Template)]
#[template(path = "imports/review.html")]
struct Page {
    layout: Layout,
    heading: Heading,
    table: Table,
    /// The reason why the last publish failed.
    error: Option<String>,
    /// The problems of the request that was just refused.
    refused: Vec<String>,
    /// The reason why a publish isn't possible now.
    obstacle: Option<String>,
    /// What statements show against the accounts of the rows, if nothing else is in the way.
    objections: Vec<String>,
    /// The value of `balance_check` that answers that.
    answer: &'static str,
    /// What that answer means, as a part of a sentence.
    meaning: &'static str,
    /// An account must be chosen, on the page of the settings.
    needs_account: bool,
    /// What a person should know before the publish.
    hint: String,
    /// What the rows of the file come to, by account.
    statement: Vec<statement::Line>,
    /// Accounts that aren't listed.
    more_accounts: usize,
    /// What the file leaves out, and what its balances prove, as sentences.
    notes: Vec<String>,
    /// Accounts that the publish would create.
    new_accounts: Vec<NewAccount>,
    /// Rows that can't be read, and whether they are to be left out.
    invalid: Option<Invalid>,
    skip_invalid: bool,
    /// The address of this page, to be loaded again because the plan is being made anew.
    reload: Option<String>,
    /// What was taken over from an earlier file.
    template: Option<String>,
    /// The text of the button.
    publish: String,
}

/// What was just refused, on the way to the page.
#[derive(Default)]
pub(super) struct Refusal {
    /// The problems of the request.
    pub(super) sentences: Vec<String>,
    /// The form for a new account, with the name in the file that the account stands for.
    pub(super) account: Option<(String, Filled)>,
}

/// Rows that can't be read.
struct Invalid {
    /// The number of rows, with the noun.
    rows: String,
    /// The pronoun, `it` or `them`.
    them: &'static str,
}

/// Rows, and where in them we are.
pub(super) struct Table {
    pub(super) id: ImportId,
    pub(super) tabs: Vec<Tab>,
    pub(super) place: RowsPosition,
    pub(super) lines: Vec<Line>,
    pub(super) pages: Pages,
    /// Rows can be corrected and left out.
    pub(super) is_open: bool,
}

impl Table {
    /// The rows that the address asks for.
    pub(super) fn read(
        tx: &mut FamilyTx<'_>,
        app: &AppState,
        import: &Import,
        asked: RowsPosition,
        edits: Option<&RowEdits>,
    ) -> Result<Self> {
        let counts = import.plan.unwrap_or_default();
        let verdicts = asked.verdicts().to_vec();
        let total = match (verdicts.is_empty(), import.plan) {
            (true, None) => import.rows_in_file(),
            (true, Some(counts)) => counts.all(),
            (false, _) => verdicts.iter().map(|verdict| counts.of(*verdict)).sum(),
        };
        let pages = Pages::of(asked.page, total, PAGE_ROWS);
        let offset = (pages.page - 1) * PAGE_ROWS;
        let wanted = RowQuery { verdicts, offset, limit: PAGE_ROWS };
        let (found, _) = page_of_rows(tx, &app.files, import, &wanted)?;
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
            id: import.id,
            tabs: rows::tabs(&counts, asked.show, edits.is_none()),
            place: asked.at(pages.page),
            lines: lines.collect(),
            pages,
            is_open: edits.is_some(),
        })
    }

    /// The address of a page of the same part.
    pub(super) fn address(&self, page: u64) -> String {
        self.place.at(page).address(self.id)
    }
}

/// The page of an import that can be published, or could if nothing prevented it.
pub(super) async fn show(
    app: &AppState,
    who: &SignedIn,
    import: Import,
    query: &QueryParams,
    refusal: Refusal,
) -> WebResult<Response> {
    replans::set_off(app, who.access(), &import);
    let asked = RowsPosition::asked(query);
    let state = app.clone();
    let layout = Layout::new(who, Section::Imports).with_notice(query);
    let Refusal { sentences: refused, account: refused_account } = refusal;
    let is_refused = !refused.is_empty() || refused_account.is_some();
    let is_outdated = !import.has_current_plan();
    let mut page = app
        .store
        .read(who.access(), move |tx| {
            // With what belongs to it now: its account may be gone.
            let import = imports::get(tx, import.id)?;
            let edits = imports::row_edits(tx, import.id)?;
            let mappings = imports::mappings(tx, import.id)?;
            let objections = objections::of_import(tx, &import, &mappings)?;
            let rejection = Facts::of(&import, &mappings, objections.clone())?.rejection();
            let is_only = rejection.as_ref().is_some_and(|it| it.code == "not_proven");
            let (answer, meaning) = objections::answer_to(&objections);
            let its = layout_of(&import)?;
            let own = own_balances::of_import(tx, &import, &mappings)?;
            let (statement, more_accounts) = match &its {
                Some(its) => statement::lines(tx, &import, its, &mappings)?,
                None => (Vec::new(), 0),
            };
            let new_accounts = its
                .as_ref()
                .map(|its| new_account::offered(its, &mappings, refused_account.as_ref()));
            Ok(Page {
                layout,
                statement,
                more_accounts,
                new_accounts: new_accounts.unwrap_or_default(),
                heading: Heading::of(tx, &import)?,
                table: Table::read(tx, &state, &import, asked, Some(&edits))?,
                needs_account: import.condition().unassigned_mappings > 0
                    && spec_of(&import).has_account,
                objections: if is_only { objections } else { Vec::new() },
                answer: answer.as_str(),
                meaning,
                obstacle: rejection.map(|rejection| obstacle(rejection, &mappings)),
                hint: hint(&import),
                notes: its.as_ref().map(|its| statement::notes(its, &own)).unwrap_or_default(),
                template: its.and_then(|one| one.template).map(|one| one.name),
                error: import.error.clone(),
                invalid: Some(import.invalid_rows).filter(|count| *count > 0).map(|count| {
                    Invalid {
                        rows: counted(count, "row", "rows"),
                        them: if count == 1 { "it" } else { "them" },
                    }
                }),
                skip_invalid: import.skip_invalid,
                reload: None,
                publish: publish(spec_of(&import), import.plan.as_ref()),
                refused,
            })
        })
        .await?;
    if is_outdated {
        page.reload = Some(notice::kept(&page.table.address(page.table.place.page), query));
    }
    Ok(if is_refused { answer::problems(&page) } else { answer::ok(&page) })
}

/// What prevents it, for people.
fn obstacle(rejection: Rejection, mappings: &[Mapping]) -> String {
    let mut open = mappings.iter().filter_map(|mapping| mapping.problem.as_deref());
    match (rejection.code, open.next(), open.count()) {
        ("unassigned_mappings", Some(only), 0) => format!("{only}."),
        ("unassigned_mappings", Some(_), more) => {
            let count = u64::try_from(more).unwrap_or(u64::MAX).saturating_add(1);
            format!("{} must be chosen first.", counted(count, "name", "names"))
        }
        _ => format!("{}.", rejection.message),
    }
}

/// What to know before the button is pressed.
fn hint(import: &Import) -> String {
    let known = import.plan.map(|counts| (counts.all(), counts.matched()));
    match known {
        Some((1, 1)) => "The row is there already.".to_owned(),
        Some((all, matched)) if all > 1 && all == matched => {
            format!("All {} are there already.", counted(all, "row", "rows"))
        }
        _ => {
            "Nothing is imported yet. Rows that are there already aren't imported twice.".to_owned()
        }
    }
}

/// What is on the button.
fn publish(spec: &Spec, plan: Option<&Counts>) -> String {
    match plan.map(|counts| (counts.created(), counts.change, counts.needs_choice)) {
        Some((0, 0, 0)) => "Finish: nothing is new".to_owned(),
        // Nobody knows yet.
        None | Some((0, 0, _)) => "Import".to_owned(),
        Some((0, count, _)) => format!("Change {}", counted(count, spec.one, spec.many)),
        Some((count, 0, _)) => format!("Import {}", counted(count, spec.one, spec.many)),
        Some((count, changed, _)) => {
            format!("Import {}, change {}", counted(count, spec.one, spec.many), grouped(changed))
        }
    }
}

#[cfg(test)]
mod tests {
    use purser_core::import::kinds::Kind;

    use super::*;

    #[test]
    fn the_button_promises_what_is_known() {
        let spec = Kind::Transaction.spec();
        let with = |create, needs_choice| Counts { create, needs_choice, ..Counts::default() };
        assert_eq!(publish(spec, None), "Import");
        assert_eq!(publish(spec, Some(&with(0, 0))), "Finish: nothing is new");
        assert_eq!(publish(spec, Some(&with(0, 3))), "Import");
        assert_eq!(publish(spec, Some(&with(1, 3))), "Import 1 transaction");
        let categories = Counts { create: 2, change: 1, ..Counts::default() };
        let button = publish(Kind::Category.spec(), Some(&categories));
        assert_eq!(button, "Import 2 categories, change 1");
    }
}
