//! `GET` and `POST /settings/keys`, `POST /settings/keys/{id}/revoke`: API keys.
//!
//! Everybody sees and ends their own keys; an admin, who manages people, those of all. A new key is
//! in the answer to its form and nowhere else, and no cache keeps that answer.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::api_key::ApiKey;
use purser_app::keys::{self, Key, Scope};
use purser_app::people;
use purser_app::people::keys::Wish;
use purser_app::users::{self, User};
use purser_app::{FamilyTx, accounts, calendar};
use purser_core::error::Error;
use purser_core::ids::{AccountId, KeyId};
use purser_core::ledger::input::calendar_date;
use purser_core::named::Named as _;

use super::Tab;
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::once::Once;
use crate::web::session::SignedIn;
use crate::web::view::{self, Choice};

const FIELDS: &[FormField] =
    &[FormField::same("name"), FormField::new("last_day", "last_day", "last day")];

#[derive(Template)]
#[template(path = "settings/keys.html")]
struct Page {
    layout: Layout,
    tab: Tab,
    form: Filled,
    /// Just made: the only time that it is shown.
    new: Option<String>,
    keys: Vec<KeyRow>,
    ended: u64,
    today: String,
    scopes: [Choice; 2],
    accounts: Vec<Choice>,
}

struct KeyRow {
    id: String,
    name: String,
    /// The owner of the key, if it is another user.
    owner: Option<String>,
    scope: &'static str,
    accounts: &'static str,
    created: String,
    expires: Option<String>,
    last_used: Option<String>,
}

/// What the page needs of the database.
struct FamilyKeys {
    keys: Vec<(Key, User)>,
    accounts: Vec<Choice>,
    today: String,
}

impl FamilyKeys {
    fn read(tx: &mut FamilyTx<'_>, who: &SignedIn) -> Result<Self, Error> {
        let people = users::list(tx)?;
        let mut found = Vec::new();
        for key in keys::list(tx)?.into_iter().filter(|key| may_end(who, key)) {
            let user = people::users::get(&people, key.user)?.clone();
            found.push((key, user));
        }
        let all = accounts::list(tx, accounts::Listing::default(), i64::MAX, 0)?.0;
        let choice = |account: accounts::Account| {
            Choice::new(account.summary.id.to_string(), account.summary.name)
        };
        Ok(Self {
            keys: found,
            accounts: all.into_iter().map(choice).collect(),
            today: calendar::today(tx)?.to_string(),
        })
    }
}

/// Whether the person sees a key, and may end it.
fn may_end(who: &SignedIn, key: &Key) -> bool {
    key.user == who.user || who.is_admin()
}

async fn page(
    app: &AppState,
    who: &SignedIn,
    form: Filled,
    new: Option<String>,
) -> WebResult<Page> {
    let reader = who.clone();
    let found = app.store.read(reader.access(), move |tx| FamilyKeys::read(tx, &reader)).await?;
    let now = app.store.now();
    let active = |(key, user): &&(Key, User)| people::keys::state(key, user, now) == "active";
    let keys: Vec<KeyRow> =
        found.keys.iter().rev().filter(active).map(|(key, user)| shown(who, key, user)).collect();
    Ok(Page {
        layout: Layout::new(who, Section::Settings),
        tab: Tab::Keys,
        form,
        new,
        ended: (found.keys.len() - keys.len()) as u64,
        keys,
        today: found.today,
        scopes: [
            Choice::new(Scope::Read.name(), "Read only"),
            Choice::new(Scope::ReadWrite.name(), "Read and write"),
        ],
        accounts: found.accounts,
    })
}

fn shown(who: &SignedIn, key: &Key, user: &User) -> KeyRow {
    let time = |time| view::time(time, &who.time_zone);
    KeyRow {
        id: key.id.to_string(),
        name: key.name.clone(),
        owner: (key.user != who.user).then(|| user.name.clone()),
        scope: if key.scope == Scope::Read { "Read only" } else { "Read and write" },
        accounts: if key.all_accounts { "All accounts" } else { "Chosen accounts" },
        created: time(key.created_at),
        expires: key.expires_at.map(time),
        last_used: key.last_used_at.map(time),
    }
}

pub(super) async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
    typed: Typed,
) -> WebResult<Response> {
    let (form, sentence) = typed.into_form(Form::of([("scope", Scope::Read.name())]));
    let mut page = page(&app, &who, Filled::new(form), None).await?;
    page.layout = page.layout.with_notice(&query).with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn create(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let mut filled = Filled::new(form.clone());
    let scope = Scope::named(form.text("scope"));
    if scope.is_none() {
        filled.add("scope", "Choose what the key may do");
    }
    let last_day = form.filled("last_day").map(calendar_date);
    if last_day == Some(None) {
        filled.add("last_day", "This is not a day such as 2026-01-31");
    }
    let accounts: Option<Vec<AccountId>> = form.all("accounts").map(|id| id.parse().ok()).collect();
    let chosen = form.text("access") == "chosen";
    refuse_unclear_access(&form, &mut filled, accounts.is_some());
    if filled.is_fine()
        && let (Some(scope), Some(accounts)) = (scope, accounts)
    {
        let accounts = chosen.then_some(accounts);
        match issue(&app, &who, &form, scope, accounts, last_day.flatten()).await {
            Ok(key) => {
                let fresh = Filled::new(Form::of([("scope", Scope::Read.name())]));
                let page = page(&app, &who, fresh, Some(key.reveal().to_owned())).await?;
                return Ok(answer::ok(&page));
            }
            Err(error) => filled.refuse(error, FIELDS)?,
        }
    }
    Ok(answer::problems(&page(&app, &who, filled, None).await?))
}

/// Boxes that are ticked are meant: a key for some accounts may not become one for all.
fn refuse_unclear_access(form: &Form, filled: &mut Filled, are_ids: bool) {
    let ticked = form.is_on("accounts");
    match form.text("access") {
        "all" if ticked => filled.add(
            "accounts",
            "Accounts are ticked: choose \u{201c}Only these\u{201d}, or untick them",
        ),
        "chosen" if !ticked || !are_ids => {
            filled.add("accounts", "Choose the accounts that the key may see");
        }
        "all" | "chosen" => {}
        _ => filled.general.push("Choose which accounts the key may see.".to_owned()),
    }
}

async fn issue(
    app: &AppState,
    who: &SignedIn,
    form: &Form,
    scope: Scope,
    accounts: Option<Vec<AccountId>>,
    last_day: Option<jiff::civil::Date>,
) -> Result<ApiKey, Error> {
    let once = Once::of(who, form);
    // The same form shows the same key, which nothing stores: it follows from the form's token.
    let key = match once.secret("API key") {
        Some(secret) => ApiKey::from_random(&secret),
        None => ApiKey::generate()?,
    };
    let (who, name, made) = (who.clone(), form.text("name").to_owned(), key.clone());
    app.store
        .write(who.access(), move |tx| {
            let issue = |tx: &mut FamilyTx<'_>| {
                let people = users::list(tx)?;
                let user = people::users::get(&people, who.user)?;
                let wish = Wish { name: &name, scope, accounts: accounts.as_deref(), last_day };
                people::keys::issue(tx, user, &wish, &made)?;
                Ok("/settings/keys".to_owned())
            };
            // A key that was revoked meanwhile is not made again.
            once.make(tx, |_, _| Ok(true), issue)
        })
        .await?;
    Ok(key)
}

pub(super) async fn revoke(
    State(app): State<AppState>,
    id: Result<Id<KeyId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store
        .write(who.access(), move |tx| {
            let all = keys::list(tx)?;
            let key = all.iter().find(|key| key.id == id && may_end(&who, key));
            let key = key.ok_or(Error::NotFound { what: "API key" })?;
            people::keys::revoke(tx, key)
        })
        .await?;
    Ok(notice::done("/settings/keys", "key-revoked"))
}
