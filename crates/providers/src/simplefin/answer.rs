//! An answer: accounts with everything, and the problems that stand beside them. Both versions of
//! the protocol are read; while bridges change over, an answer may have members of both.

use std::collections::HashMap;

use serde::Deserialize;

use super::holdings;
use super::problems::{Problem, Problems};
use super::transactions;
use crate::Result;
use crate::error::{Call, ErrorClass, ProviderError};
use crate::snapshot::{
    AccountSnapshot, AccountState, AccountsSnapshot, BalanceSnapshot, HoldingsSnapshot,
    InstitutionSnapshot, RowProblem, TransactionSnapshot, UnreadableRow,
};
use crate::wire::{Rows, Scalar, body};

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    accounts: Rows<'a>,
    /// Sentences for people, of the first version.
    #[serde(borrow, default)]
    errors: Option<Rows<'a>>,
    #[serde(borrow, default)]
    errlist: Option<Rows<'a>>,
    #[serde(borrow, default)]
    connections: Option<Rows<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "kebab-case")]
struct AccountRow<'a> {
    id: Scalar,
    name: Scalar,
    currency: Scalar,
    balance: Scalar,
    available_balance: Scalar,
    balance_date: Scalar,
    org: Option<Organisation>,
    #[serde(rename = "conn_id")]
    conn_id: Scalar,
    #[serde(borrow)]
    transactions: Option<Rows<'a>>,
    #[serde(borrow)]
    holdings: Option<Rows<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Organisation {
    domain: Scalar,
    name: Scalar,
    url: Scalar,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ConnectionRow {
    conn_id: Scalar,
    name: Scalar,
    org_name: Scalar,
    org_url: Scalar,
}

/// An account with everything that the answer has about it.
pub(super) struct Account {
    pub(super) snapshot: AccountSnapshot,
    /// None if it can't be read.
    pub(super) balance: Option<BalanceSnapshot>,
    pub(super) transactions: Vec<TransactionSnapshot>,
    pub(super) unreadable: Vec<UnreadableRow>,
    /// None if the account can't have any.
    pub(super) holdings: Option<HoldingsSnapshot>,
    /// Why its data are missing.
    pub(super) failure: Option<ErrorClass>,
    /// Whether some of its data are missing.
    pub(super) lacks_data: bool,
    /// Whether the provider reports a problem that may concern it.
    pub(super) is_doubtful: bool,
}

/// All accounts of an answer.
pub(super) struct AccountSet {
    accounts: Vec<Account>,
    unreadable: Vec<UnreadableRow>,
    notices: Vec<String>,
    /// The problems in the provider's own words, for the log.
    pub(super) sentences: Vec<String>,
}

impl AccountSet {
    /// Reads the answer; an error that concerns everything is one of the call.
    pub(super) fn read(call: Call, bytes: &[u8]) -> Result<Self> {
        let answer: Answer<'_> = body(call, bytes)?;
        let problems = Problems::read(answer.errlist.as_ref(), answer.errors.as_ref());
        if problems.refuse_everything() {
            return Err(ProviderError::new(ErrorClass::Auth, call));
        }
        let institutions = institutions(answer.connections.as_ref());
        let (mut accounts, unreadable) =
            answer.accounts.read(|row| account(row, &institutions, &problems));
        let mut ids = std::collections::HashSet::new();
        accounts.retain(|account| ids.insert(account.snapshot.id.clone()));
        let bank = |account: &Account| account.snapshot.institution.name.clone();
        let banks: Vec<String> = accounts.iter().filter_map(bank).collect();
        for account in &mut accounts {
            account.is_doubtful |= problems.may_concern(bank(account).as_deref(), &banks);
        }
        let bank_of = |id: Option<&str>, connection: Option<&str>| {
            let of_account = id.and_then(|id| {
                let found = accounts.iter().find(|account| account.snapshot.id == id);
                found.and_then(|account| account.snapshot.institution.name.as_deref())
            });
            let of_connection = || institutions.get(connection?)?.name.as_deref();
            of_account.or_else(of_connection)
        };
        let notices = problems.notices(&banks, bank_of);
        let sentences = problems.sentences().to_vec();
        Ok(Self { accounts, unreadable, notices, sentences })
    }

    /// The list without the data.
    pub(super) fn accounts_snapshot(&self) -> AccountsSnapshot {
        let accounts = self.accounts.iter().map(|account| account.snapshot.clone()).collect();
        let (unreadable, notices) = (self.unreadable.clone(), self.notices.clone());
        AccountsSnapshot { accounts, unreadable, notices }
    }

    /// An account, if the answer has its data.
    pub(super) fn account(&self, call: Call, id: &str) -> Result<&Account> {
        let account = self.accounts.iter().find(|account| account.snapshot.id == id);
        let account = account.ok_or(ProviderError::new(ErrorClass::NotFound, call))?;
        match account.failure {
            Some(class) => Err(ProviderError::new(class, call)),
            None => Ok(account),
        }
    }
}

/// The banks of connections, which the second version has apart from the accounts.
fn institutions(rows: Option<&Rows<'_>>) -> HashMap<String, InstitutionSnapshot> {
    let Some(rows) = rows else { return HashMap::new() };
    let read = |row: &ConnectionRow| {
        let id = row.conn_id.id().ok().flatten().ok_or((RowProblem::Id, None))?;
        let name = row.org_name.label().or_else(|| row.name.label());
        Ok((id, InstitutionSnapshot { name, domain: None, url: row.org_url.label() }))
    };
    rows.read(read).0.into_iter().collect()
}

fn account(
    row: &AccountRow<'_>,
    institutions: &HashMap<String, InstitutionSnapshot>,
    problems: &Problems,
) -> std::result::Result<Account, (RowProblem, Option<String>)> {
    let id = row.id.id().ok().flatten().ok_or((RowProblem::Id, None))?;
    let connection = row.conn_id.id().ok().flatten();
    let institution = match (&row.org, &connection) {
        (Some(org), _) => InstitutionSnapshot {
            name: org.name.label(),
            domain: org.domain.label(),
            url: org.url.label(),
        },
        (None, Some(connection)) => institutions.get(connection).cloned().unwrap_or_default(),
        (None, None) => InstitutionSnapshot::default(),
    };
    let problem = problems.of_account(&id, connection.as_deref());
    let state = match problem {
        Some(Problem::Consent) => AccountState::ConsentExpired,
        Some(Problem::Failed) => AccountState::Failing,
        Some(Problem::Incomplete | Problem::Noted) | None => AccountState::Active,
    };
    let failure = match problem {
        Some(Problem::Consent) => Some(ErrorClass::ConsentExpired),
        Some(Problem::Failed) => Some(ErrorClass::UpstreamUnavailable),
        Some(Problem::Incomplete | Problem::Noted) | None => None,
    };
    let currency = row.currency.currency();
    let as_of = row.balance_date.epoch();
    let balance = row.balance.decimal().map(|amount| BalanceSnapshot {
        amount,
        available: row.available_balance.decimal(),
        currency,
        as_of,
    });
    let (transactions, unreadable) = match &row.transactions {
        Some(rows) => transactions::read(rows, currency, as_of),
        None => (Vec::new(), Vec::new()),
    };
    let holdings = row.holdings.as_ref().map(holdings::read);
    let name = row.name.label();
    let snapshot = AccountSnapshot { id, name, institution, currency, state, upstream: None };
    Ok(Account {
        snapshot,
        balance,
        transactions,
        unreadable,
        holdings,
        failure,
        lacks_data: problem == Some(Problem::Incomplete),
        is_doubtful: problem == Some(Problem::Noted),
    })
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
