//! `GET` and `POST /settings`: the family.

use std::net::IpAddr;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::families as store;
use purser_app::people::families::{self, Changes};
use purser_core::transfers::Matching;

use super::Tab;
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;
use crate::web::view::{self, Choice};

#[derive(Template)]
#[template(path = "settings/family.html")]
struct Page {
    layout: Layout,
    tab: Tab,
    form: Filled,
    currency: &'static str,
    zones: Vec<String>,
    matchings: [Choice; 3],
    /// For admins: where a proxy seems to be that the settings don't name.
    untrusted_proxy: Option<IpAddr>,
}

impl Page {
    fn new(app: &AppState, who: &SignedIn, form: Filled) -> Self {
        Self {
            layout: Layout::new(who, Section::Settings),
            tab: Tab::Family,
            form,
            currency: who.family_currency.code(),
            zones: view::time_zones(),
            matchings: [
                (Matching::Automatic, "Make the certain ones, propose others"),
                (Matching::Propose, "Propose all"),
                (Matching::Off, "Don’t look for any"),
            ]
            .map(|(matching, label)| Choice::new(matching.as_str(), label)),
            untrusted_proxy: app.untrusted_proxy.address().filter(|_| who.is_admin()),
        }
    }
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
    typed: Typed,
) -> WebResult<Response> {
    let family = app.store.read(who.access(), store::get).await?;
    let form = Form::of([
        ("family", family.name.as_str()),
        ("time_zone", &family.time_zone),
        ("transfer_matching", family.transfer_matching.as_str()),
    ]);
    let (form, sentence) = typed.into_form(form);
    let mut page = Page::new(&app, &who, Filled::new(form));
    page.layout = page.layout.with_notice(&query).with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn save(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let mut filled = Filled::new(form.clone());
    let zone = families::time_zone(form.text("time_zone"));
    if zone.is_none() {
        filled.add("time_zone", "Choose a time zone of the list, such as Europe/Berlin");
    }
    let matching = Matching::parse(form.text("transfer_matching"));
    if matching.is_none() {
        filled.add("transfer_matching", "Choose one of the list");
    }
    if !filled.is_fine() {
        return Ok(answer::problems(&Page::new(&app, &who, filled)));
    }
    let saved = app.store.write(who.access(), move |tx| {
        let changes = Changes {
            name: Some(form.text("family")),
            time_zone: zone.as_deref(),
            transfer_matching: matching,
            ..Changes::default()
        };
        families::configure(tx, changes)
    });
    match saved.await {
        Ok(_) => Ok(notice::done("/settings", "family-saved")),
        Err(error) => {
            filled.refuse(error, &[FormField::new("family", "name", "family name")])?;
            Ok(answer::problems(&Page::new(&app, &who, filled)))
        }
    }
}
