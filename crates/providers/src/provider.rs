//! The interface of a provider: four calls, for the connection that it was opened with.

use std::pin::Pin;

use crate::Result;
use crate::snapshot::{AccountsSnapshot, BalanceSnapshot, HoldingsSnapshot, TransactionsSnapshot};
use crate::window::Window;

/// The answer to a call, once it is there.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// Which transactions are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransactionRequest {
    /// The first and the last day.
    pub window: Window,
    /// Whether those that aren't booked yet are wanted, too.
    pub pending: bool,
}

/// A connection to a provider that is open for one run.
///
/// An implementation may keep what it has got until the run ends: a provider that reports all
/// accounts in one answer isn't asked again for each. So whoever calls opens a connection for each
/// run, and asks for the same window wherever that is possible.
///
/// Accounts are named by the ids of [`AccountsSnapshot`]. A call fails alone: the caller goes on
/// with the others, unless the error is one of the whole connection
/// ([`crate::ErrorClass::ends_the_run`]).
pub trait Provider: Send + Sync {
    /// The accounts that the credentials may see.
    fn accounts(&self) -> Reply<'_, AccountsSnapshot>;

    /// The balance of an account now.
    fn balance<'a>(&'a self, account: &'a str) -> Reply<'a, BalanceSnapshot>;

    /// The transactions of an account, none of them outside of the window.
    fn transactions<'a>(
        &'a self,
        account: &'a str,
        request: TransactionRequest,
    ) -> Reply<'a, TransactionsSnapshot>;

    /// The holdings of an account now; [`crate::ErrorClass::Unsupported`] if it can't have any.
    fn holdings<'a>(&'a self, account: &'a str) -> Reply<'a, HoldingsSnapshot>;
}
