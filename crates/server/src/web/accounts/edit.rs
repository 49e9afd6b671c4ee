//! `GET` and `POST /accounts/{id}/edit`, `POST /accounts/{id}/balance` and
//! `POST /accounts/{id}/delete`: everything that a person changes about an account.
//!
//! The form has each value twice, as it was and as it is typed. Only what was typed over changes,
//! so two people who change different things don't undo each other.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use jiff::civil::Date;
use purser_app::accounts::{self, Account};
use purser_app::{FamilyTx, calendar, transactions, valuations};
use purser_core::error::Error;
use purser_core::ids::AccountId;
use purser_core::ledger::account::{AccountStatus, Classification};
use purser_core::ledger::account_values::AccountValues;
use purser_core::ledger::new_valuation::{ValuationInput, ValuationValues};
use purser_core::ledger::trade::CostMethod;
use purser_core::named::Named as _;

use crate::http::error::ApiError;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{BEFORE, Filled, Form, FormField, Posted, as_sent};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;
use crate::web::view::{Amount, Choice};

const FIELDS: &[FormField] = &[
    FormField::same("name"),
    FormField::new("institution_name", "institution_name", "bank"),
    FormField::same("notes"),
    FormField::same("status"),
    FormField::new("cost_method", "cost_method", "cost-basis method"),
];
const BALANCE_FIELDS: &[FormField] = &[
    FormField::new("balance", "amount", "balance"),
    FormField::new("balance_date", "date", "day"),
];

#[derive(Template)]
#[template(path = "accounts/edit.html")]
struct Page {
    layout: Layout,
    form: Filled,
    id: String,
    name: String,
    currency: &'static str,
    balance: Amount,
    is_owed: bool,
    transactions: u64,
    statuses: Vec<Choice>,
    /// Empty for accounts that hold no shares.
    cost_methods: Vec<Choice>,
}

/// An account with what its page shows beside it.
struct AccountPage {
    account: Account,
    today: Date,
    transactions: u64,
}

impl AccountPage {
    fn read(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<Self, Error> {
        let its = transactions::Listing { accounts: Some(vec![id]), ..Default::default() };
        Ok(Self {
            account: accounts::get(tx, id)?,
            today: calendar::today(tx)?,
            transactions: transactions::list(tx, &its, 0, 0)?.1,
        })
    }

    /// What the forms show before anybody types.
    fn form(&self) -> Form {
        let one = &self.account;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        [
            ("name", one.summary.name.clone()),
            ("before_name", one.summary.name.clone()),
            ("institution_name", text(&one.institution_name)),
            ("before_institution_name", text(&one.institution_name)),
            ("notes", text(&one.notes)),
            ("before_notes", text(&one.notes)),
            ("status", one.summary.status.as_str().to_owned()),
            ("before_status", one.summary.status.as_str().to_owned()),
            ("cost_method", one.cost_method.name().to_owned()),
            ("before_cost_method", one.cost_method.name().to_owned()),
            ("balance_date", self.today.to_string()),
        ]
        .into_iter()
        .collect()
    }

    fn page(self, who: &SignedIn, form: Filled) -> Page {
        let one = self.account;
        let account_type = one.summary.account_type;
        let status = |status: AccountStatus, label| Choice::new(status.as_str(), label);
        let mut statuses = vec![
            status(AccountStatus::Active, "Open"),
            status(AccountStatus::Disabled, "Closed: kept, but counted nowhere"),
        ];
        if one.summary.status == AccountStatus::Draft {
            statuses.insert(0, status(AccountStatus::Draft, "Being set up"));
        }
        let methods = [
            (CostMethod::Average, "Average cost"),
            (CostMethod::Fifo, "First in, first out"),
            (CostMethod::Lifo, "Last in, first out"),
        ];
        let methods = methods.map(|(method, label)| Choice::new(method.name(), label));
        Page {
            layout: Layout::new(who, Section::Accounts),
            form,
            id: one.summary.id.to_string(),
            name: one.summary.name,
            currency: one.currency.code(),
            balance: Amount::new(one.balance, one.currency),
            is_owed: account_type.classification() == Classification::Liability,
            transactions: self.transactions,
            statuses,
            cost_methods: if account_type.holds_securities() { methods.into() } else { Vec::new() },
        }
    }
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<AccountId>, ApiError>,
    typed: Typed,
) -> WebResult<Response> {
    let Id(id) = id?;
    let found = app.store.read(who.access(), move |tx| AccountPage::read(tx, id)).await?;
    let (form, sentence) = typed.into_form(found.form());
    let mut page = found.page(&who, Filled::new(form));
    page.layout = page.layout.with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn save(
    State(app): State<AppState>,
    id: Result<Id<AccountId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let values = values(&form);
    let saved = app.store.write(who.access(), move |tx| accounts::revise(tx, id, &values)).await;
    match saved {
        Ok(_) => Ok(notice::done(&format!("/accounts/{id}"), "account-saved")),
        Err(error) => refused(&app, &who, id, form, (error, FIELDS)).await,
    }
}

pub(super) async fn set_balance(
    State(app): State<AppState>,
    id: Result<Id<AccountId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let typed = form.clone();
    let set = move |tx: &mut FamilyTx<'_>| {
        let currency = accounts::get(tx, id)?.currency;
        let mut problems = Vec::new();
        let amount = typed.amount("balance", "amount", currency, &mut problems);
        let date = typed.filled("balance_date").map(str::to_owned);
        let values = ValuationValues { amount, date, problems, ..ValuationValues::default() };
        valuations::set(tx, &ValuationInput::require(Some(&id.to_string()), values)?)
    };
    match app.store.write(who.access(), set).await {
        Ok(_) => Ok(notice::done(&format!("/accounts/{id}"), "balance-set")),
        Err(error) => refused(&app, &who, id, form, (error, BALANCE_FIELDS)).await,
    }
}

pub(super) async fn delete(
    State(app): State<AppState>,
    id: Result<Id<AccountId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| accounts::remove(tx, id)).await?;
    Ok(notice::done("/accounts", "account-deleted"))
}

/// The page again, with what was typed in one of its forms and why it was refused.
async fn refused(
    app: &AppState,
    who: &SignedIn,
    id: AccountId,
    form: Form,
    (error, fields): (Error, &[FormField]),
) -> WebResult<Response> {
    let found = app.store.read(who.access(), move |tx| AccountPage::read(tx, id)).await?;
    let mut filled = Filled::new(found.form().overlaid(form));
    filled.refuse(error, fields)?;
    Ok(answer::problems(&found.page(who, filled)))
}

/// What was typed over.
fn values(form: &Form) -> AccountValues {
    let typed = |name: &str| {
        let (before, now) = (form.text(&format!("{BEFORE}{name}")), form.text(name));
        // Not every account has every field.
        (form.is_on(name) && as_sent(before) != as_sent(now)).then(|| as_sent(now))
    };
    AccountValues {
        name: typed("name").map(Some),
        institution_name: typed("institution_name").map(Some),
        notes: typed("notes").map(Some),
        status: typed("status"),
        cost_method: typed("cost_method"),
        ..AccountValues::default()
    }
}
