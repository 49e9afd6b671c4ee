//! SimpleFIN: an open protocol with one call, which reports all accounts at once.
//!
//! So the four calls of the interface are answered from what one run has got: the list and the
//! balances from an answer without transactions, transactions and holdings from answers for parts
//! of the window, each asked for once for all accounts. The bridge allows few requests a day.
//!
//! * `access`: setup tokens, and the access address with its credentials.
//! * `answer`: what an answer is read into; `problems`: the errors that stand beside the accounts.

mod access;
mod answer;
mod holdings;
mod problems;
mod transactions;

use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_core::secret::Secret;
use purser_outbound::Url;
use tokio::sync::Mutex;

pub(crate) use access::enrol;

use crate::Result;
use crate::client::{Client, Query};
use crate::error::{Call, ErrorClass, ProviderError};
use crate::provider::{Provider, Reply, TransactionRequest};
use crate::registry::ProviderKind;
use crate::snapshot::{
    AccountsSnapshot, BalanceSnapshot, Completeness, HoldingsSnapshot, TransactionsSnapshot,
};
use crate::window::{Collected, Window, earlier, later};
use access::Access;
use answer::{Account, AccountSet};

/// Days of one request; the bridge refuses more than 90.
const PART_DAYS: u32 = 60;

/// A connection that is open for one run.
pub(crate) struct Simplefin {
    client: Arc<Client>,
    access: Access,
    /// What was asked for in this run, and the answers. Held while asking, so that two calls don't
    /// ask for the same.
    answers: Mutex<Vec<(Asking, Arc<AccountSet>)>>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    /// Accounts and balances without anything else.
    Balances,
    /// Everything, with transactions of a window.
    Days { window: Window, pending: bool },
}

impl Simplefin {
    /// With the access address that [`enrol`] returned.
    pub(crate) fn open(client: Arc<Client>, credentials: &Secret) -> Result<Self> {
        let access = Access::read(credentials)
            .ok_or(ProviderError::new(ErrorClass::Auth, Call::Accounts))?;
        Ok(Self { client, access, answers: Mutex::new(Vec::new()) })
    }

    /// The answer to a question, asked once in a run.
    async fn answer(&self, call: Call, asking: Asking) -> Result<Arc<AccountSet>> {
        let mut answers = self.answers.lock().await;
        if let Some((_, answer)) = answers.iter().find(|(asked, _)| *asked == asking) {
            return Ok(answer.clone());
        }
        let url = self.url(asking).ok_or(ProviderError::new(ErrorClass::Config, call))?;
        let credentials = ("authorization", &self.access.authorization);
        let (provider, template) = (ProviderKind::Simplefin, "/accounts");
        let body = self.client.get(Query { provider, call, template, url, credentials }).await?;
        let answer = Arc::new(AccountSet::read(call, &body)?);
        answers.push((asking, answer.clone()));
        Ok(answer)
    }

    /// The newest answer of this run that was asked for like this.
    async fn known(&self, is_wanted: impl Fn(&Asking) -> bool) -> Option<Arc<AccountSet>> {
        let answers = self.answers.lock().await;
        answers.iter().rev().find(|(asked, _)| is_wanted(asked)).map(|(_, answer)| answer.clone())
    }

    fn url(&self, asking: Asking) -> Option<Url> {
        let mut url = self.access.base.clone();
        url.path_segments_mut().ok()?.pop_if_empty().push("accounts");
        {
            let mut query = url.query_pairs_mut();
            query.append_pair("version", "2");
            match asking {
                Asking::Balances => {
                    query.append_pair("balances-only", "1");
                }
                Asking::Days { window, pending } => {
                    // Days of banks aren't days in UTC, so one day more at each end is asked for;
                    // the end is exclusive.
                    query.append_pair("start-date", &seconds(earlier(window.from(), 1))?);
                    query.append_pair("end-date", &seconds(later(window.to(), 2))?);
                    // Looked at for presence only: `pending=0` would mean the opposite.
                    if pending {
                        query.append_pair("pending", "1");
                    }
                }
            }
        }
        Some(url)
    }

    async fn collect(&self, id: &str, request: TransactionRequest) -> Result<TransactionsSnapshot> {
        let call = Call::Transactions;
        let (mut collected, mut snapshot) = (Collected::default(), TransactionsSnapshot::default());
        for window in request.window.parts(PART_DAYS) {
            let asking = Asking::Days { window, pending: request.pending };
            let set = self.answer(call, asking).await?;
            let account = set.account(call, id)?;
            let rows = account.transactions.iter().filter(|row| {
                request.window.contains(row.date) && (request.pending || !row.pending)
            });
            collected.add(rows.cloned().collect());
            snapshot.unreadable.extend(account.unreadable.iter().cloned());
            if account.lacks_data {
                snapshot.completeness = Completeness::Partial;
            } else if account.is_doubtful && snapshot.completeness == Completeness::Whole {
                snapshot.completeness = Completeness::Doubtful;
            }
        }
        snapshot.rows = collected.into_rows();
        Ok(snapshot)
    }
}

impl Provider for Simplefin {
    fn accounts(&self) -> Reply<'_, AccountsSnapshot> {
        Box::pin(async {
            let set = self.answer(Call::Accounts, Asking::Balances).await?;
            for sentence in &set.sentences {
                let sentence = problems::shown(sentence, &self.access.authorization);
                tracing::info!(provider = "simplefin", sentence, "a provider reports a problem");
            }
            Ok(set.accounts_snapshot())
        })
    }

    fn balance<'a>(&'a self, account: &'a str) -> Reply<'a, BalanceSnapshot> {
        Box::pin(async move {
            let call = Call::Balance;
            let set = match self.known(|_| true).await {
                Some(set) => set,
                None => self.answer(call, Asking::Balances).await?,
            };
            let unreadable = ProviderError::new(ErrorClass::InvalidResponse, call);
            set.account(call, account)?.balance.ok_or(unreadable)
        })
    }

    fn transactions<'a>(
        &'a self,
        account: &'a str,
        request: TransactionRequest,
    ) -> Reply<'a, TransactionsSnapshot> {
        Box::pin(self.collect(account, request))
    }

    fn holdings<'a>(&'a self, account: &'a str) -> Reply<'a, HoldingsSnapshot> {
        Box::pin(async move {
            let call = Call::Holdings;
            let set = match self.known(|asked| matches!(asked, Asking::Days { .. })).await {
                Some(set) => set,
                None => {
                    let today = self.client.environment().now().to_zoned(TimeZone::UTC).date();
                    let window = Window::new(today, today)
                        .ok_or(ProviderError::new(ErrorClass::Config, call))?;
                    self.answer(call, Asking::Days { window, pending: false }).await?
                }
            };
            let Account { holdings, lacks_data, is_doubtful, .. } = set.account(call, account)?;
            let unsupported = ProviderError::new(ErrorClass::Unsupported, call);
            let mut holdings = holdings.clone().ok_or(unsupported)?;
            if *lacks_data {
                holdings.completeness = Completeness::Partial;
            } else if *is_doubtful && holdings.completeness == Completeness::Whole {
                holdings.completeness = Completeness::Doubtful;
            }
            Ok(holdings)
        })
    }
}

/// The beginning of a day in UTC, as seconds since 1970.
fn seconds(date: Date) -> Option<String> {
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second().to_string())
}
