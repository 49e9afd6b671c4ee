//! `GET /accounts/new`, `POST /accounts`

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::{FamilyTx, accounts};
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::ledger::new_account::AccountInput;
use purser_core::money::Currency;

use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::once::{self, Once};
use crate::web::session::SignedIn;
use crate::web::view::{self, Choice};

const FIELDS: &[FormField] = &[
    FormField::same("name"),
    FormField::new("account_type", "account_type", "account type"),
    FormField::same("currency"),
    FormField::new("opening_balance", "opening_balance", "opening balance"),
    FormField::new("opening_date", "opening_date", "opening date"),
    FormField::new("institution_name", "institution_name", "institution name"),
];

#[derive(Template)]
#[template(path = "accounts/new.html")]
struct Page {
    layout: Layout,
    form: Filled,
    types: Vec<Choice>,
    currencies: Vec<Choice>,
}

impl Page {
    fn new(who: &SignedIn, form: Filled) -> Self {
        Self {
            layout: Layout::new(who, Section::Accounts),
            form,
            types: view::account_types(),
            currencies: view::currencies(),
        }
    }
}

pub(super) async fn show(who: SignedIn, typed: Typed) -> WebResult<Response> {
    let currency = ("currency", who.family_currency.code());
    let form = Form::of([currency, ("account_type", "depository")]);
    let (form, sentence) = typed.into_form(form);
    let mut page = Page::new(&who, Filled::new(form));
    page.layout = page.layout.with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn create(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let text = |name| form.filled(name).map(str::to_owned);
    let currency = Currency::parse(form.text("currency")).unwrap_or(who.family_currency);
    let mut problems = Vec::new();
    let opening = form.amount("opening_balance", "opening_balance", currency, &mut problems);
    let input = AccountInput {
        name: text("name"),
        account_type: text("account_type"),
        currency: text("currency"),
        opening_balance: opening,
        opening_date: text("opening_date"),
        institution_name: text("institution_name"),
        problems,
        ..AccountInput::default()
    };
    let once = Once::of(&who, &form);
    let make = move |tx: &mut FamilyTx<'_>| {
        let account = accounts::create(tx, &input)?;
        Ok(format!("/accounts/{}", account.summary.id))
    };
    let made = app.store.write(who.access(), move |tx| once.make(tx, is_there, &make)).await;
    match made {
        Ok(made) => Ok(made.done("account-created")),
        Err(error) => {
            let mut filled = Filled::new(form);
            filled.refuse(error, FIELDS)?;
            Ok(answer::problems(&Page::new(&who, filled)))
        }
    }
}

/// Whether the account at an address is still there.
pub(crate) fn is_there(tx: &mut FamilyTx<'_>, address: &str) -> Result<bool> {
    once::is_found(address, |id| accounts::get(tx, AccountId(id)))
}
