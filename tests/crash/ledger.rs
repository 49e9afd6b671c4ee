//! What the clients were told, and whether the server kept its word.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::Value;

use super::uploads::{CENTS, ROWS};
use crate::support::{Client, Server};

/// What a client was told about an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// 201, with this id.
    Acknowledged(String),
    /// Another answer.
    Refused(u16, String),
    /// No answer: the connection died.
    Unknown,
}

/// Every upload by the name of its rows.
#[derive(Debug, Default)]
pub(super) struct Ledger(Mutex<BTreeMap<String, Outcome>>);

impl Ledger {
    pub(super) fn note(&self, name: &str, outcome: Outcome) {
        self.0.lock().expect("the ledger").insert(name.to_owned(), outcome);
    }

    pub(super) fn summary(&self) -> String {
        let outcomes = self.0.lock().expect("the ledger");
        let count = |wanted: fn(&Outcome) -> bool| outcomes.values().filter(|o| wanted(o)).count();
        format!(
            "{} acknowledged, {} refused, {} unknown",
            count(|outcome| matches!(outcome, Outcome::Acknowledged(_))),
            count(|outcome| matches!(outcome, Outcome::Refused(..))),
            count(|outcome| *outcome == Outcome::Unknown),
        )
    }

    /// Compares with what the server has now that everything has settled.
    pub(super) fn verify(&self, server: &Server, api: &Client, account: &str) {
        let outcomes = self.0.lock().expect("the ledger").clone();
        let refused: Vec<_> = outcomes
            .iter()
            .filter(|(_, outcome)| matches!(outcome, Outcome::Refused(..)))
            .collect();
        assert!(refused.is_empty(), "refused without a reason: {refused:?}");
        let acknowledged = |outcome: &&Outcome| matches!(outcome, Outcome::Acknowledged(_));
        assert!(outcomes.values().any(|outcome| acknowledged(&outcome)), "nothing was tried");

        let imports = all(api, "/api/v1/imports?", "data");
        for import in &imports {
            assert_eq!(import["status"], "complete", "stuck or failed: {import}");
        }
        for (name, outcome) in &outcomes {
            let Outcome::Acknowledged(id) = outcome else { continue };
            assert!(imports.iter().any(|import| import["id"] == **id), "{name} ({id}) is lost");
        }

        let rows = rows_by_upload(api);
        for (name, count) in &rows {
            assert_eq!(*count, ROWS, "{name} is half there or doubled");
            assert!(outcomes.contains_key(name), "{name} was never sent");
        }
        for (name, outcome) in &outcomes {
            if matches!(outcome, Outcome::Acknowledged(_)) {
                assert!(rows.contains_key(name), "{name} was acknowledged and has no rows");
            }
        }
        assert_eq!(imports.len(), rows.len(), "each import has its rows");

        let balance = api.get(&format!("/api/v1/accounts/{account}")).expect_status(200).json();
        let cents = rows.values().sum::<u64>() * CENTS;
        assert_eq!(balance["balance_cents"], cents, "the balance is what the rows add up to");
        let checked = server.run(&["check"], "");
        assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
    }
}

/// How many rows each upload has in the ledger.
fn rows_by_upload(api: &Client) -> BTreeMap<String, u64> {
    let mut rows = BTreeMap::new();
    for transaction in all(api, "/api/v1/transactions?", "transactions") {
        let name = transaction["name"].as_str().expect("a name");
        let (upload, _) = name.split_once(' ').expect("upload and row");
        *rows.entry(upload.to_owned()).or_insert(0) += 1;
    }
    rows
}

/// Every page of a list.
fn all(api: &Client, path: &str, items: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for page in 1.. {
        let answer = api.get(&format!("{path}per_page=100&page={page}")).expect_status(200).json();
        let part = answer[items].as_array().expect("items").clone();
        if part.is_empty() {
            break;
        }
        found.extend(part);
    }
    found
}
