//! The paid provider of banks all over the world: four GET calls with a key.
//!
//! `accounts`, `balance`, `transactions`, `holdings`: what its answers are read into. This file
//! makes the requests. Facts about the interface that aren't documented, and that this client
//! relies on or guards against, are in `docs/providers.md`.

mod accounts;
mod balance;
mod holdings;
mod transactions;

use std::sync::Arc;

use purser_core::secret::Secret;
use purser_outbound::Url;

use crate::Result;
use crate::client::{Client, Query};
use crate::error::{Call, ErrorClass, ProviderError};
use crate::provider::{Provider, Reply, TransactionRequest};
use crate::registry::ProviderKind;
use crate::snapshot::{AccountsSnapshot, BalanceSnapshot, HoldingsSnapshot, TransactionsSnapshot};
use crate::window::{Splitter, Window};

/// The host without `www` redirects, which would send the key to another host.
const BASE: &str = "https://www.lunchflow.app/api/v1";

/// A connection that is open for one run.
#[derive(Debug)]
pub(crate) struct Lunchflow {
    client: Arc<Client>,
    base: Url,
    key: Secret,
}

impl Lunchflow {
    /// With the key of an API destination.
    pub(crate) fn open(client: Arc<Client>, key: &Secret) -> Result<Self> {
        let base = match &client.settings().lunchflow_base {
            Some(base) => base.clone(),
            None => {
                let unusable = |_| ProviderError::new(ErrorClass::Config, Call::Accounts);
                Url::parse(BASE).map_err(unusable)?
            }
        };
        Ok(Self { client, base, key: key.clone() })
    }

    async fn get(
        &self,
        call: Call,
        template: &'static str,
        account: Option<&str>,
        parameters: &[(&str, &str)],
    ) -> Result<Vec<u8>> {
        let unusable = ProviderError::new(ErrorClass::Config, call);
        let mut url = self.base.clone();
        {
            let mut path = url.path_segments_mut().map_err(|()| unusable)?;
            path.pop_if_empty();
            for step in template.split('/').filter(|step| !step.is_empty()) {
                // Whatever an id holds is one step of the path.
                path.push(if step == "{id}" { account.unwrap_or_default() } else { step });
            }
        }
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        let credentials = ("x-api-key", &self.key);
        let provider = ProviderKind::Lunchflow;
        self.client.get(Query { provider, call, template, url, credentials }).await
    }

    async fn window(
        &self,
        account: &str,
        window: Window,
        pending: bool,
    ) -> Result<crate::window::Part> {
        let (from, to) = (window.from().to_string(), window.to().to_string());
        let pending = if pending { "true" } else { "false" };
        // `from` and `to` are what the provider documents; other names are ignored silently.
        let parameters =
            [("from", from.as_str()), ("to", to.as_str()), ("include_pending", pending)];
        let template = "/accounts/{id}/transactions";
        let body = self.get(Call::Transactions, template, Some(account), &parameters).await?;
        transactions::read(&body)
    }
}

impl Provider for Lunchflow {
    fn accounts(&self) -> Reply<'_, AccountsSnapshot> {
        Box::pin(async {
            let body = self.get(Call::Accounts, "/accounts", None, &[]).await?;
            accounts::read(&body)
        })
    }

    fn balance<'a>(&'a self, account: &'a str) -> Reply<'a, BalanceSnapshot> {
        Box::pin(async move {
            let template = "/accounts/{id}/balance";
            let body = self.get(Call::Balance, template, Some(account), &[]).await?;
            balance::read(&body)
        })
    }

    fn transactions<'a>(
        &'a self,
        account: &'a str,
        request: TransactionRequest,
    ) -> Reply<'a, TransactionsSnapshot> {
        Box::pin(async move {
            let mut splitter = Splitter::new(request.window);
            while let Some(window) = splitter.next_window() {
                let mut part = match self.window(account, window, request.pending).await {
                    Err(error)
                        if error.class == ErrorClass::TooLarge && splitter.add_too_large() =>
                    {
                        continue;
                    }
                    answer => answer?,
                };
                if !request.pending {
                    let all = part.rows.len();
                    part.rows.retain(|row| !row.pending);
                    part.unwanted = all - part.rows.len();
                }
                splitter.add(part);
            }
            Ok(splitter.finish())
        })
    }

    fn holdings<'a>(&'a self, account: &'a str) -> Reply<'a, HoldingsSnapshot> {
        Box::pin(async move {
            let template = "/accounts/{id}/holdings";
            let body = self.get(Call::Holdings, template, Some(account), &[]).await?;
            holdings::read(&body)
        })
    }
}
