//! Accounts that an import would create, and `POST /imports/{id}/account`: making one of them right
//! away, with its type, currency and opening balance.
//!
//! Without this the publish makes a bank account that opens with the balance before the file. The
//! undo removes either, if nothing else uses it.

use axum::extract::{Path, State};
use axum::response::Response;
use purser_app::imports::change::{Change, MappingChange};
use purser_app::imports::edit::ImportEdit;
use purser_app::imports::{self, Import, Mapping, revision};
use purser_app::{FamilyTx, accounts};
use purser_core::error::{Error, Result};
use purser_core::ids::{self, AccountId};
use purser_core::import::layout::Layout as FileLayout;
use purser_core::import::mapping::{Choice as Chosen, MappingKind};
use purser_core::import::transaction::balance::Sense;
use purser_core::ledger::account::AccountType;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_account::AccountInput;
use purser_core::money::Currency;
use purser_core::money::Money;
use purser_core::money::decimal::amount_text;
use purser_core::money::format::money_text;
use purser_core::text::label::name_key;

use super::review::{self, Refusal};
use super::{counted, layout_of};
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField, Posted};
use crate::web::notice;
use crate::web::once::{self, Once};
use crate::web::view::{self, Choice};

/// New accounts that are offered to be made; files with more name other people's accounts.
const OFFERED: usize = 5;

const FIELDS: &[FormField] = &[
    FormField::same("name"),
    FormField::new("account_type", "account_type", "account type"),
    FormField::same("currency"),
    FormField::new("opening_balance", "opening_balance", "opening balance"),
];

/// An account that the publish would create, as a form to make it now.
pub(super) struct NewAccount {
    /// The name in the file; blank if the file names no account.
    pub(super) value: String,
    pub(super) name: String,
    /// The number of its rows, with the noun.
    pub(super) rows: String,
    /// What the publish would make of it.
    pub(super) otherwise: String,
    pub(super) form: Filled,
    pub(super) types: Vec<Choice>,
    pub(super) currencies: Vec<Choice>,
    /// What a blank opening balance means.
    pub(super) opening_hint: String,
    /// The form was refused.
    pub(super) is_open: bool,
}

/// The balance before the first row of an account, in the sense of the file.
struct Stated {
    opening: i64,
    currency: Currency,
    sense: Sense,
}

impl Stated {
    fn find(layout: &FileLayout, value: &str) -> Option<Self> {
        let balance = layout.account_balance()?;
        let key = name_key(value);
        let mut its = balance.ends.iter().filter(|ends| name_key(&ends.account) == key);
        // Several chains of one account: none is known to be the first.
        let (Some(ends), None) = (its.next(), its.next()) else { return None };
        Some(Self { opening: ends.opening?, currency: ends.currency, sense: balance.sense })
    }

    /// As an account of this type counts it.
    fn in_account(&self, account_type: AccountType) -> Option<i64> {
        self.sense.in_account(self.opening, account_type.classification())
    }
}

/// The accounts of an import that would be created. `refused` is the form for one of them that was
/// sent and couldn't be taken.
pub(super) fn offered(
    layout: &FileLayout,
    mappings: &[Mapping],
    refused: Option<&(String, Filled)>,
) -> Vec<NewAccount> {
    let accounts = mappings.iter().filter(|one| one.kind == MappingKind::Account && one.creates);
    let new = accounts.filter(|one| one.target.is_none() && one.problem.is_none());
    let single = new.filter_map(|one| match (&one.choice, one.currencies.as_slice()) {
        (Some(Chosen::PerCurrency { .. } | Chosen::Existing(_)), _) => None,
        (choice, [currency]) => Some((one, choice, *currency)),
        _ => None,
    });
    let offered = single.take(OFFERED).map(|(one, choice, currency)| {
        let name = match choice {
            Some(Chosen::Create { name: Some(name) }) => name.clone(),
            _ => one.value.clone(),
        };
        let form = refused.filter(|(value, _)| *value == one.value).map(|(_, form)| form.clone());
        let stated = Stated::find(layout, &one.value);
        let account_type = match &stated {
            Some(Stated { sense: Sense::Debt, .. }) => AccountType::CreditCard,
            _ => AccountType::Depository,
        };
        // What the publish would open it with.
        let opening = stated.as_ref().and_then(|stated| stated.in_account(AccountType::Depository));
        let opening = money_text(Money::new(opening.unwrap_or(0), currency));
        NewAccount {
            value: one.value.clone(),
            rows: counted(one.rows, "row", "rows"),
            otherwise: format!("a bank account in {} that opens with {opening}", currency.code()),
            is_open: form.is_some(),
            form: form.unwrap_or_else(|| {
                Filled::new(Form::of([
                    ("name", name.as_str()),
                    ("account_type", account_type.as_str()),
                    ("currency", currency.code()),
                ]))
            }),
            name,
            types: view::account_types(),
            currencies: currencies(layout, currency),
            opening_hint: match &stated {
                Some(_) => "Blank: the balance before the first row of the file. What is owed is \
                            positive for debts."
                    .to_owned(),
                None => "Blank: nothing. What is owed is positive for debts.".to_owned(),
            },
        }
    });
    offered.collect()
}

/// Where the file states the currency of its rows, their account can have no other.
fn currencies(layout: &FileLayout, its: Currency) -> Vec<Choice> {
    if layout.amount_currency.is_some() || layout.columns.currency.is_some() {
        return vec![Choice::new(its.code(), its.code())];
    }
    view::currencies()
}

/// Answers `POST /imports/{id}/account`: makes the account, and has the rows go there.
pub(super) async fn create(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let address = format!("/imports/{id}");
    let once = Once::of(&who, &form);
    let (typed, family_currency) = (form.clone(), who.family_currency);
    let make = move |tx: &mut FamilyTx<'_>| {
        let import = imports::get(tx, id)?;
        let input = input(&import, &typed, family_currency)?;
        let account = accounts::create(tx, &input)?.summary.id;
        imports::note_made_account(tx, id, account)?;
        Ok(account.to_string())
    };
    let made = app.store.write(who.access(), move |tx| once.make(tx, is_there, &make)).await;
    let account = match made {
        Ok(made) => AccountId(ids::read(made.address()).map_err(Error::internal)?),
        Err(error) => {
            let import = app.store.read(who.access(), move |tx| imports::get(tx, id)).await?;
            let value = form.text("value").to_owned();
            let mut filled = Filled::new(form);
            filled.refuse(error, FIELDS)?;
            let refusal = Refusal { account: Some((value, filled)), ..Refusal::default() };
            return review::show(&app, &who, import, &QueryParams::default(), refusal).await;
        }
    };
    let edit = ImportEdit::Configuration(change(form.text("value"), account));
    match revision::apply_edit(&app, who.access(), id, edit).await {
        Ok(_) => Ok(notice::done(&address, "account-created")),
        // The account is there all the same, and can be chosen.
        Err(Error::Invalid { problems, .. }) => {
            let import = app.store.read(who.access(), move |tx| imports::get(tx, id)).await?;
            let sentences = problems.iter().map(super::sentences::for_people).collect();
            let refusal = Refusal { sentences, ..Refusal::default() };
            review::show(&app, &who, import, &QueryParams::default(), refusal).await
        }
        Err(error) => Err(error.into()),
    }
}

/// The rows of a name go to the account; without a name all of them.
fn change(value: &str, account: AccountId) -> Change {
    if value.is_empty() {
        return Change { account: Some(Some(account)), ..Change::default() };
    }
    let choice = Some(Chosen::Existing(account.0));
    let mapping = MappingChange { kind: MappingKind::Account, name: value.to_owned(), choice };
    Change { mappings: vec![mapping], ..Change::default() }
}

/// The account that was asked for; with the balance of the file if no other opening was typed.
fn input(import: &Import, form: &Form, family_currency: Currency) -> Result<AccountInput> {
    let text = |name| form.filled(name).map(str::to_owned);
    let currency = Currency::parse(form.text("currency")).unwrap_or(family_currency);
    let mut problems = Vec::new();
    let typed = form.amount("opening_balance", "opening_balance", currency, &mut problems);
    let layout = layout_of(import)?;
    let stated = layout.and_then(|layout| Stated::find(&layout, form.text("value")));
    let of_file = || {
        let stated = stated.filter(|stated| stated.currency == currency)?;
        let amount = stated.in_account(AccountType::parse(form.text("account_type"))?)?;
        Some(AmountText::Text(amount_text(amount, currency)))
    };
    Ok(AccountInput {
        name: text("name"),
        account_type: text("account_type"),
        currency: text("currency"),
        opening_balance: typed.or_else(of_file),
        problems,
        ..AccountInput::default()
    })
}

/// Whether the account with an id is still there.
fn is_there(tx: &mut FamilyTx<'_>, id: &str) -> Result<bool> {
    once::is_found(id, |id| accounts::get(tx, AccountId(id)))
}
