//! How providers of bank data are asked, and what of it an operator may change.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use purser_core::error::{Error, Result};
use purser_outbound::Url;
use purser_providers::client::{Client, SystemEnvironment};
use purser_store::Store;

use crate::secrets::SecretKeys;
use crate::sync::{Planner, reconcile};

pub use purser_outbound::origin::Origin;
pub use purser_providers::ProviderKind;
pub use purser_providers::client::{ClientSettings, LUNCHFLOW_PER_MINUTE};

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
#[derive(Clone)]
pub struct Providers {
    lazy: Arc<LazyClient>,
    /// Encrypts the keys for providers.
    pub keys: Arc<SecretKeys>,
    /// Whether transactions that aren't booked yet are wanted.
    pub include_pending: bool,
    first_days: u32,
    planner: Planner,
}

/// The days of a first sync, if an operator names no number, and at most.
pub const FIRST_DAYS: u32 = 90;
/// The most days of a first sync.
pub const FIRST_DAYS_MAX: u32 = 730;

/// A client that is made when it is needed first: it loads the certificates of the system, and a
/// server that asks nobody must start without any.
struct LazyClient {
    store: Store,
    settings: ClientSettings,
    client: OnceLock<Arc<Client>>,
}

impl Providers {
    /// With the clock of the store. No client is made yet.
    pub fn new(
        store: &Store,
        keys: SecretKeys,
        settings: ClientSettings,
        include_pending: bool,
    ) -> Self {
        if settings.debug_raw {
            tracing::warn!(
                "raw answers of providers, with names and amounts, are written to the log at level \
                 debug"
            );
        }
        let lazy = LazyClient { store: store.clone(), settings, client: OnceLock::new() };
        let (lazy, keys) = (Arc::new(lazy), Arc::new(keys));
        Self { lazy, keys, include_pending, first_days: FIRST_DAYS, planner: reconcile }
    }

    /// With another number of days of a first sync.
    #[must_use]
    pub fn with_first_days(self, first_days: u32) -> Self {
        Self { first_days, ..self }
    }

    /// Whether pending transactions are wanted, the days of a first sync, and what makes the plans.
    pub(crate) fn planning(&self) -> (bool, u32, Planner) {
        (self.include_pending, self.first_days, self.planner)
    }

    /// With a client of the test's own, and perhaps with a planner that has a defect.
    #[cfg(test)]
    pub(crate) fn with(self, client: Client, planner: Planner) -> Self {
        assert!(self.lazy.client.set(Arc::new(client)).is_ok(), "no client was made yet");
        Self { planner, ..self }
    }

    /// Asks the providers over HTTP.
    pub(crate) fn client(&self) -> Result<Arc<Client>> {
        if let Some(client) = self.lazy.client.get() {
            return Ok(client.clone());
        }
        let store = self.lazy.store.clone();
        let environment = Arc::new(SystemEnvironment::new(move || store.now()));
        let made = Client::new(self.lazy.settings.clone(), environment).map_err(|error| {
            Error::Unavailable {
                message: "The server can't ask providers of bank data".to_owned(),
                cause: error.into(),
            }
        })?;
        Ok(self.lazy.client.get_or_init(|| Arc::new(made)).clone())
    }
}
