//! `GET` and `POST /connections/{id}/accounts`: every account at the provider on one screen, with
//! what becomes of it. All choices are saved together, or none.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::FamilyTx;
use purser_app::accounts::Account;
use purser_app::connections::links::{self, LinkableAccount};
use purser_app::connections::{self};
use purser_core::connection::proposal::can_be_linked;
use purser_core::error::{Error, Problem};
use purser_core::ids::ConnectionId;
use purser_core::ledger::account::AccountType;

use super::account_rows::{AccountRow, Decision, decision};
use super::one;
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Form, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;
use crate::web::view::{self, Choice};

#[derive(Template)]
#[template(path = "connections/accounts.html")]
struct Page {
    layout: Layout,
    id: String,
    name: String,
    rows: Vec<AccountRow>,
    has_problems: bool,
    types: Vec<Choice>,
    currencies: Vec<Choice>,
}

impl Page {
    async fn new(
        app: &AppState,
        who: &SignedIn,
        id: ConnectionId,
        form: &Form,
        problems: &[Problem],
    ) -> WebResult<Self> {
        let state = one(app, who, id).await?;
        let read = move |tx: &mut FamilyTx<'_>| Ok((links::list(tx, id)?, links::candidates(tx)?));
        let (found, candidates): (Vec<LinkableAccount>, Vec<Account>) =
            app.store.read(who.access(), read).await?;
        let mut rows: Vec<AccountRow> =
            found.iter().map(|account| AccountRow::of(account, &candidates, form)).collect();
        for row in &mut rows {
            problems.iter().for_each(|problem| row.refuse(problem));
        }
        let linkable = AccountType::ALL.iter().filter(|one| can_be_linked(**one));
        let typed = |one: &AccountType| Choice::new(one.as_str(), view::account_type(*one));
        Ok(Self {
            layout: Layout::new(who, Section::Connections),
            id: id.to_string(),
            name: state.connection.name,
            rows,
            has_problems: !problems.is_empty(),
            types: linkable.map(typed).collect(),
            currencies: view::currencies(),
        })
    }
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<ConnectionId>, ApiError>,
    query: QueryParams,
    typed: Typed,
) -> WebResult<Response> {
    let Id(id) = id?;
    let (form, sentence) = typed.into_form(Form::default());
    let mut page = Page::new(&app, &who, id, &form, &[]).await?;
    page.layout = page.layout.with_notice(&query).with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn save(
    State(app): State<AppState>,
    id: Result<Id<ConnectionId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let typed = form.clone();
    let saved = app.store.write(who.access(), move |tx| decide(tx, id, &typed)).await;
    match saved {
        Ok(()) => Ok(notice::done(&format!("/connections/{id}"), "accounts-linked")),
        Err(Error::Invalid { problems, .. }) => {
            let page = Page::new(&app, &who, id, &form, &problems).await?;
            Ok(answer::problems(&page))
        }
        Err(error) => Err(error.into()),
    }
}

/// Does what each choice of the form asks for; problems of all are listed together.
fn decide(tx: &mut FamilyTx<'_>, id: ConnectionId, form: &Form) -> Result<(), Error> {
    connections::require(tx, id)?;
    let mut problems = Vec::new();
    for account in links::list(tx, id)? {
        let path = account.found.id.to_string();
        match carry_out(tx, id, &account, form) {
            Ok(()) => {}
            Err(Error::Invalid { problems: of_one, .. }) => {
                problems.extend(of_one.into_iter().map(|problem| problem.below(&path)));
            }
            // The account of the family is linked meanwhile, or by another row of the form.
            Err(Error::Conflict { message, .. }) => {
                problems.push(Problem::sentence(message).below(&path));
            }
            Err(error) => return Err(error),
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Error::invalid_list("validation_failed", problems))
    }
}

fn carry_out(
    tx: &mut FamilyTx<'_>,
    id: ConnectionId,
    account: &LinkableAccount,
    form: &Form,
) -> Result<(), Error> {
    let found = account.found.id;
    match decision(account, form)? {
        Decision::Keep => Ok(()),
        Decision::Link(target) => links::link(tx, id, found, &target).map(drop),
        Decision::Undecided => links::unlink(tx, id, found).map(drop),
        Decision::Ignore => links::ignore(tx, id, found).map(drop),
    }
}
