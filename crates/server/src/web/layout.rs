//! What every page has around it.
//!
//! A page is an askama template that extends `app.html` (with navigation, for who is signed in) or
//! `plain.html` (without).

use super::notice::notice;
use super::once;
use super::session::SignedIn;
use crate::http::pagination::QueryParams;

/// A part of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Accounts and their balances.
    Accounts,
    /// The pages of the ledger.
    Transactions,
    /// The pages of imported files.
    Imports,
    /// The pages of bank connections.
    Connections,
    /// The pages of the family, the profile and keys.
    Settings,
}

/// What the navigation shows. Field `layout` of every template that extends `app.html`.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Where we are, if it is in a part of the navigation.
    pub(crate) section: Option<Section>,
    /// The name of the family.
    pub(crate) family: String,
    /// The name of the user.
    pub(crate) user: String,
    /// For the forms of the page.
    pub(crate) form_token: String,
    /// For forms of the page that make something.
    pub(crate) once: String,
    /// What was done just before, as one sentence.
    pub(crate) notice: Option<&'static str>,
}

impl Layout {
    /// For a page of a section.
    pub(crate) fn new(who: &SignedIn, section: Section) -> Self {
        Self { section: Some(section), ..Self::without_section(who) }
    }

    /// For a page of no section.
    pub(super) fn without_section(who: &SignedIn) -> Self {
        Self {
            section: None,
            family: who.family_name.clone(),
            user: who.user_name.clone(),
            form_token: who.token_of_forms(),
            once: once::new_token(),
            notice: None,
        }
    }

    /// With the sentence that the address asks for: see [`done`](super::notice::done).
    pub(crate) fn with_notice(mut self, query: &QueryParams) -> Self {
        self.notice = notice(query);
        self
    }

    /// With another sentence, if there is one.
    pub(crate) fn with_sentence(mut self, sentence: Option<&'static str>) -> Self {
        self.notice = sentence.or(self.notice);
        self
    }

    /// `page` for the link of the section that we are in, for `aria-current`.
    pub(crate) fn current(&self, section: &str) -> bool {
        self.section.is_some_and(|current| current.name() == section)
    }
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Self::Accounts => "accounts",
            Self::Transactions => "transactions",
            Self::Imports => "imports",
            Self::Connections => "connections",
            Self::Settings => "settings",
        }
    }
}
