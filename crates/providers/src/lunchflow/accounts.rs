//! The list of accounts.

use std::collections::HashSet;

use serde::Deserialize;

use crate::Result;
use crate::error::Call;
use crate::snapshot::{
    AccountSnapshot, AccountState, AccountsSnapshot, InstitutionSnapshot, RowProblem,
};
use crate::wire::{Rows, Scalar, body};

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    accounts: Rows<'a>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Row {
    id: Scalar,
    name: Scalar,
    institution_name: Scalar,
    provider: Scalar,
    currency: Scalar,
    status: Scalar,
}

/// Reads the accounts of an answer.
pub(super) fn read(bytes: &[u8]) -> Result<AccountsSnapshot> {
    let answer: Answer<'_> = body(Call::Accounts, bytes)?;
    let (mut accounts, unreadable) = answer.accounts.read(account);
    let mut ids = HashSet::new();
    accounts.retain(|account| ids.insert(account.id.clone()));
    Ok(AccountsSnapshot { accounts, unreadable, notices: Vec::new() })
}

fn account(row: &Row) -> std::result::Result<AccountSnapshot, (RowProblem, Option<String>)> {
    let id = row.id.id().ok().flatten().ok_or((RowProblem::Id, None))?;
    let name = row.institution_name.label();
    Ok(AccountSnapshot {
        id,
        name: row.name.label(),
        institution: InstitutionSnapshot { name, domain: None, url: None },
        currency: row.currency.currency(),
        state: state(row.status.label().as_deref()),
        upstream: row.provider.label(),
    })
}

/// Without a state the account works. One that isn't known means what all but two mean: no data
/// until a person has been at the provider.
fn state(text: Option<&str>) -> AccountState {
    match text.map(str::to_ascii_uppercase).as_deref() {
        None | Some("ACTIVE") => AccountState::Active,
        Some("ERROR") => AccountState::Failing,
        Some(_) => AccountState::ConsentExpired,
    }
}

#[cfg(test)]
mod tests {
    use purser_core::money::Currency;

    use super::*;
    use crate::snapshot::StatedCurrency;

    #[test]
    fn accounts_are_read_whatever_is_missing() {
        let snapshot = read(
            br#"{"total":6,"accounts":[
                {"id":17,"connection_id":3,"name":"Current","institution_name":"Bank",
                 "institution_logo":null,"provider":"gocardless","currency":"eur","status":"ACTIVE"},
                {"id":"18","name":"Card","status":"DISCONNECTED"},
                {"id":19,"status":"ERROR","currency":"PTS"},
                {"name":"no id"},
                {"id":17,"name":"again"},
                "text"
            ]}"#,
        )
        .unwrap();
        let states: Vec<_> = snapshot.accounts.iter().map(|a| (a.id.as_str(), a.state)).collect();
        assert_eq!(
            states,
            [
                ("17", AccountState::Active),
                ("18", AccountState::ConsentExpired),
                ("19", AccountState::Failing),
            ]
        );
        let first = &snapshot.accounts[0];
        assert_eq!(first.currency, StatedCurrency::Known(Currency::EUR));
        assert_eq!(first.institution.name.as_deref(), Some("Bank"));
        assert_eq!(first.upstream.as_deref(), Some("gocardless"));
        assert_eq!(snapshot.accounts[1].currency, StatedCurrency::Absent);
        assert_eq!(snapshot.accounts[2].currency, StatedCurrency::Unknown);
        let problems: Vec<_> =
            snapshot.unreadable.iter().map(|row| (row.position, row.problem)).collect();
        assert_eq!(problems, [(3, RowProblem::Id), (5, RowProblem::Shape)]);
    }

    #[test]
    fn no_accounts_are_no_error_and_no_list_is_one() {
        assert_eq!(read(br#"{"accounts":[],"total":0}"#), Ok(AccountsSnapshot::default()));
        for wrong in ["", "[]", "null", "<html>", r#"{"accounts":null}"#, r#"{"error":"x"}"#] {
            assert!(read(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert!(read(b"\xff").is_err());
    }
}
