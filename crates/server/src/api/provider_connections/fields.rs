//! Bodies of requests about provider connections.

use purser_app::Secret;
use purser_app::connections::links::{LinkTarget, NewLinkedAccount};
use purser_app::providers::ProviderKind;
use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{self, AccountId};
use purser_core::ledger::account::AccountType;
use purser_core::limits::{LABEL_CHARS_MAX, PROVIDER_KEY_CHARS_MAX};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

use crate::http::body::kinds::{CurrencyCode, Formed, Id, Kind, OneOf, Text};
use crate::http::body::presence::{OnlyNew, Optional, Required};
use crate::http::body::{Checked, body};
use crate::http::describe::Components;
use crate::http::fields::Json;

/// A key or a setup token of a provider, which is never printed.
pub(super) struct ProviderKey;

impl Kind for ProviderKey {
    type Output = Secret;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<Secret> {
        Text::<1, PROVIDER_KEY_CHARS_MAX>::from_json(json, field, problems).map(Secret::new)
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        let key = ObjectBuilder::new().schema_type(Type::String);
        key.min_length(Some(1)).max_length(Some(PROVIDER_KEY_CHARS_MAX)).into()
    }
}

body! {
    /// The members of a provider connection.
    pub(super) struct ConnectionFields as "ProviderConnection" in ["provider_connection"] {
        /// The provider. It can't be changed later.
        pub(super) provider: OnlyNew<Required<OneOf<ProviderKind>>>,
        /// The key or the setup token that the provider gave out. It is tried at the provider
        /// before it is stored, and is never shown again.
        #[example("simulator-key")]
        pub(super) key: Required<ProviderKey>,
        /// The name that people see; that of the provider if it is missing.
        #[example("My banks")]
        pub(super) name: Optional<Text<1, LABEL_CHARS_MAX>>,
    }
}

impl Checked for ConnectionFields {
    type Output = Self;

    fn check(self, problems: Problems) -> Result<Self> {
        problems.into_result()?;
        Ok(self)
    }
}

body! {
    /// What an account at a provider is linked to: `account_id`, or the members of a new account,
    /// which may all be missing.
    pub(super) struct LinkFields as "ProviderAccountLink" in ["link"] {
        /// An account of the family, with which nothing else is sent.
        account_id: Optional<Id>,
        /// The name of a new account; that at the provider if it is missing.
        #[example("Checking")]
        name: Optional<Text<1, LABEL_CHARS_MAX>>,
        /// The type of a new account; the proposed one if it is missing.
        account_type: Optional<OneOf<AccountType>>,
        /// A free text such as `checking`; the proposed one if it is missing.
        #[example("checking")]
        subtype: Optional<Text<1, LABEL_CHARS_MAX>>,
        /// The code of the currency of a new account, which the provider may not state.
        #[example("EUR")]
        currency: Optional<Formed<CurrencyCode>>,
    }
}

impl Checked for LinkFields {
    type Output = LinkTarget;

    fn check(self, mut problems: Problems) -> Result<LinkTarget> {
        let Self { account_id, name, account_type, subtype, currency } = self;
        let is_new =
            name.is_some() || account_type.is_some() || subtype.is_some() || currency.is_some();
        if account_id.is_some() && is_new {
            let sentence = "An account of the family has a name, a type and a currency already";
            problems.about("account_id", sentence);
        }
        problems.into_result()?;
        let Some(account) = account_id else {
            let account_type = account_type.map(|one| one.as_str().to_owned());
            return Ok(LinkTarget::New(NewLinkedAccount { name, account_type, subtype, currency }));
        };
        let account = ids::read(&account).map(AccountId);
        let unknown = |_| Error::invalid(Problem::unknown("account_id", "account"));
        account.map(LinkTarget::Existing).map_err(unknown)
    }
}
