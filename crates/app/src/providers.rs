//! How providers of bank data are asked, and what of it an operator may change.

use std::str::FromStr;
use std::sync::Arc;

use purser_core::error::{Error, Result};
use purser_outbound::Url;
use purser_providers::client::{Client, SystemEnvironment};
use purser_store::Store;

use crate::secrets::SecretKeys;

pub use purser_outbound::origin::Origin;
pub use purser_providers::ProviderKind;
pub use purser_providers::client::ClientSettings;

/// The address of a provider, on the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderUrl(pub Url);

impl FromStr for ProviderUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let url = Url::parse(text.trim()).ok().filter(|url| Origin::of(url).is_some());
        url.map(Self).ok_or("must be an address such as https://bridge.example/api/v1")
    }
}

/// The client for all providers, and what the operator has set.
#[derive(Debug, Clone)]
pub struct Providers {
    /// Asks the providers over HTTP.
    pub(crate) client: Arc<Client>,
    /// Encrypts the keys for providers.
    pub keys: Arc<SecretKeys>,
    /// Whether transactions that aren't booked yet are wanted.
    pub include_pending: bool,
}

impl Providers {
    /// With the clock of the store.
    pub fn new(
        store: &Store,
        keys: SecretKeys,
        client: ClientSettings,
        include_pending: bool,
    ) -> Result<Self> {
        let store = store.clone();
        let environment = Arc::new(SystemEnvironment::new(move || store.now()));
        let client = Client::new(client, environment).map_err(Error::internal)?;
        Ok(Self { client: Arc::new(client), keys: Arc::new(keys), include_pending })
    }
}
