//! The pages `GET` and `POST /transactions/{id}`, and `POST /transactions/{id}/delete`.
//!
//! The form carries the time of the last change: if somebody else changed the transaction while the
//! page was open, nothing is overwritten, and the page reports it.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::labels::CategoryPath;
use purser_app::transactions as changes;
use purser_app::transactions::{self, Tag, Transaction};
use purser_app::{FamilyTx, labels};
use purser_core::error::{Error, Problem};
use purser_core::ledger::input::AmountText;
use purser_core::ledger::nature::Nature;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::money::Currency;
use purser_core::named::Named as _;
use purser_core::text::number::amount_to_type;

use super::TransactionId;
use super::statements::{self, StatementView};
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField, Posted, as_sent};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::origin::return_path;
use crate::web::session::SignedIn;
use crate::web::view::{self, Amount, Choice};

const FIELDS: &[FormField] = &[
    FormField::same("name"),
    FormField::same("date"),
    FormField::same("amount"),
    FormField::same("notes"),
    FormField::new("category", "category_id", "category"),
    FormField::new("tags", "tag_ids", "tags"),
];
const LIST: &str = "/transactions";
const CHANGED_MEANWHILE: &str = "Somebody changed this transaction while the page was open, so \
    nothing of yours was saved. What you typed is still here; where the transaction differs, its \
    field shows what it is now. Save once more to have yours.";
/// Fields that are compared with what somebody else saved, with their words.
const CHANGEABLE: [(&str, &str); 6] = [
    ("name", "name"),
    ("date", "date"),
    ("amount", "amount"),
    ("direction", "direction"),
    ("notes", "text of the notes"),
    ("category", "category"),
];

#[derive(Template)]
#[template(path = "transactions/edit.html")]
struct Page {
    layout: Layout,
    form: Filled,
    id: String,
    title: String,
    account: String,
    currency: &'static str,
    amount: Amount,
    added: String,
    /// Authorised, not yet posted.
    pending: bool,
    source: Option<String>,
    back: String,
    directions: [Choice; 2],
    categories: Vec<Choice>,
    tags: Vec<Choice>,
    /// The bank statements that have it.
    statements: Vec<StatementView>,
}

/// A transaction and what can be chosen for it.
struct TransactionPage {
    transaction: Transaction,
    categories: Vec<CategoryPath>,
    tags: Vec<Tag>,
    statements: Vec<StatementView>,
}

impl TransactionPage {
    fn read(tx: &mut FamilyTx<'_>, id: TransactionId) -> Result<Self, Error> {
        Ok(Self {
            transaction: transactions::get(tx, id.0)?,
            categories: labels::categories(tx)?,
            tags: labels::tags(tx)?,
            statements: statements::of(tx, id.0)?,
        })
    }

    /// What the form shows before anybody changes it.
    fn form(&self) -> Form {
        let one = &self.transaction;
        let text = |text: &str| text.to_owned();
        let mut fields = vec![
            ("version", version(one)),
            ("name", text(&one.name)),
            ("date", one.date.to_string()),
            ("direction", text(if one.amount < 0 { "income" } else { "expense" })),
            ("amount", amount_to_type(one.amount.saturating_abs(), one.currency)),
            ("notes", one.notes.clone().unwrap_or_default()),
        ];
        fields.extend(one.category.as_ref().map(|category| ("category", category.id.to_string())));
        fields.extend(one.tags.iter().map(|tag| ("tags", tag.id.to_string())));
        fields.into_iter().collect()
    }

    /// A value of the form as people read it.
    fn shown(&self, name: &str, value: &str) -> String {
        let category = || self.categories.iter().find(|category| category.id.to_string() == value);
        match (name, value) {
            ("category", _) => category().map(|one| one.path.clone()).unwrap_or_default(),
            ("direction", "income") => "Money in".to_owned(),
            ("direction", _) => "Money out".to_owned(),
            _ => value.to_owned(),
        }
    }

    fn page(self, who: &SignedIn, form: Filled, back: &str) -> Page {
        let one = self.transaction;
        let category = |category: CategoryPath| Choice::new(category.id.to_string(), category.path);
        Page {
            layout: Layout::new(who, Section::Transactions),
            form,
            id: one.id.to_string(),
            title: one.name,
            account: one.account.name,
            currency: one.currency.code(),
            amount: Amount::of_entry(one.amount, one.currency),
            added: view::time(one.created_at, &who.time_zone),
            pending: one.pending,
            source: one.source,
            back: back.to_owned(),
            directions: [Choice::new("expense", "Money out"), Choice::new("income", "Money in")],
            categories: std::iter::once(Choice::new("", "No category"))
                .chain(self.categories.into_iter().map(category))
                .collect(),
            tags: self
                .tags
                .into_iter()
                .map(|tag| Choice::new(tag.id.to_string(), tag.name))
                .collect(),
            statements: self.statements,
        }
    }
}

/// Moves with every change.
fn version(transaction: &Transaction) -> String {
    transaction.updated_at.as_microsecond().to_string()
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<TransactionId>, ApiError>,
    query: QueryParams,
    typed: Typed,
) -> WebResult<Response> {
    let Id(id) = id?;
    let reader = who.clone();
    let found = app.store.read(reader.access(), move |tx| TransactionPage::read(tx, id)).await?;
    let back = way_back(query.one("back").ok().flatten().unwrap_or_default());
    let (form, sentence) = typed.into_form(found.form());
    let mut page = found.page(&who, Filled::new(form), back);
    page.layout = page.layout.with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn save(
    State(app): State<AppState>,
    id: Result<Id<TransactionId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let (typed, seen) = (form.clone(), form.text("version").to_owned());
    let saved = app
        .store
        .write(who.access(), move |tx| {
            let before = transactions::get(tx, id.0)?;
            if version(&before) != seen {
                return Ok(false);
            }
            changes::revise(tx, id.0, &values(&typed, before.currency)).map(|_| true)
        })
        .await;
    let back = way_back(form.text("back")).to_owned();
    if let Ok(true) = saved {
        return Ok(notice::done(&back, "transaction-saved"));
    }
    let reader = who.clone();
    let found = app.store.read(reader.access(), move |tx| TransactionPage::read(tx, id)).await?;
    let filled = match saved {
        Err(error) => {
            let mut filled = Filled::new(form);
            filled.refuse(error, FIELDS)?;
            filled
        }
        Ok(_) => beside_the_change(&found, form),
    };
    Ok(answer::problems(&found.page(&who, filled, &back)))
}

/// What was typed, for the transaction as it is by now, with what it has instead at each field.
fn beside_the_change(found: &TransactionPage, typed: Form) -> Filled {
    let now = found.form();
    let current = now.text("version").to_owned();
    let typed =
        Form::of([("version", current.as_str())]).overlaid(typed.without(|name| name == "version"));
    let mut filled = Filled::new(typed);
    for (name, label) in CHANGEABLE {
        let (now, typed) = (as_sent(now.text(name)), as_sent(filled.value(name)));
        if now == typed {
            continue;
        }
        filled.add(
            name,
            match found.shown(name, &now) {
                shown if shown.is_empty() => format!("The {label} is blank now"),
                shown => format!("The {label} is \u{201c}{shown}\u{201d} now"),
            },
        );
    }
    filled.general.push(CHANGED_MEANWHILE.to_owned());
    filled
}

pub(super) async fn delete(
    State(app): State<AppState>,
    id: Result<Id<TransactionId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(TransactionId(id)) = id?;
    app.store.write(who.access(), move |tx| changes::remove(tx, id)).await?;
    Ok(notice::done(way_back(form.text("back")), "transaction-deleted"))
}

fn values(form: &Form, currency: Currency) -> TransactionValues {
    let text = |name| form.text(name).to_owned();
    // Browsers send line breaks of two characters, whatever was in the field.
    let notes = form.text("notes").replace("\r\n", "\n");
    let nature = Nature::named(form.text("direction"));
    let wrong_nature = || Problem::field("nature", "must be income or expense");
    let mut problems: Vec<Problem> = nature.is_none().then(wrong_nature).into_iter().collect();
    let amount = form.amount("amount", "amount", currency, &mut problems);
    // A blank field is no amount, and refused as such.
    let amount = amount.unwrap_or_else(|| AmountText::Text(String::new()));
    TransactionValues {
        date: Some(text("date")),
        amount: Some(amount),
        nature,
        name: Some(Some(text("name"))),
        notes: Some(Some(notes)),
        category: Some(form.filled("category").map(str::to_owned)),
        tags: Some(form.all("tags").map(str::to_owned).collect()),
        problems,
        ..TransactionValues::default()
    }
}

/// The list that the page was opened from.
fn way_back(back: &str) -> &str {
    return_path(back).unwrap_or(LIST)
}
