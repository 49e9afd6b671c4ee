//! The answers that clients got, and whether the server kept its promises.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use serde_json::Value;

use super::uploads::{CENTS, ROWS};
use crate::support::{Client, Server};

/// The answer to an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// 201, with this id.
    Acknowledged(String),
    /// The server refused the upload.
    Refused(u16, String),
    /// No answer: the connection died.
    Unknown,
}

/// The answer to an undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undo {
    /// The server answered 202.
    Acknowledged,
    /// No answer: the connection died.
    Unknown,
}

/// Every upload and every undo by the name of the rows.
#[derive(Debug, Default)]
pub(super) struct Ledger(Mutex<BTreeMap<String, Outcome>>, Mutex<BTreeMap<String, Undo>>);

impl Ledger {
    pub(super) fn note(&self, name: &str, outcome: Outcome) {
        self.0.lock().expect("the ledger").insert(name.to_owned(), outcome);
    }

    /// What was acknowledged once stays so, whatever is not known of a later try.
    pub(super) fn note_undo(&self, name: &str, undo: Undo) {
        let mut undone = self.1.lock().expect("the ledger");
        if undo == Undo::Acknowledged || !undone.contains_key(name) {
            undone.insert(name.to_owned(), undo);
        }
    }

    /// Name and import of an acknowledged upload without an undo so far; `pick` selects one of
    /// them.
    pub(super) fn to_undo(&self, pick: u64) -> Option<(String, String)> {
        let (outcomes, undone) = (self.0.lock().expect("it"), self.1.lock().expect("it"));
        let published: Vec<(&String, &String)> = outcomes
            .iter()
            .filter_map(|(name, outcome)| match outcome {
                Outcome::Acknowledged(id) if !undone.contains_key(name) => Some((name, id)),
                _ => None,
            })
            .collect();
        let at = pick.checked_rem(published.len() as u64)?;
        let (name, id) = published.get(usize::try_from(at).ok()?)?;
        Some(((*name).clone(), (*id).clone()))
    }

    /// Imports that somebody tried to undo.
    pub(super) fn undone_ids(&self) -> BTreeSet<String> {
        let (outcomes, undone) = (self.0.lock().expect("it"), self.1.lock().expect("it"));
        let ids = undone.keys().filter_map(|name| match outcomes.get(name) {
            Some(Outcome::Acknowledged(id)) => Some(id.clone()),
            _ => None,
        });
        ids.collect()
    }

    pub(super) fn summary(&self) -> String {
        let outcomes = self.0.lock().expect("the ledger");
        let count = |wanted: fn(&Outcome) -> bool| outcomes.values().filter(|o| wanted(o)).count();
        let undone = self.1.lock().expect("the ledger");
        let undos = |wanted| undone.values().filter(|undo| **undo == wanted).count();
        format!(
            "{} acknowledged, {} refused, {} unknown; {} undone, {} perhaps",
            count(|outcome| matches!(outcome, Outcome::Acknowledged(_))),
            count(|outcome| matches!(outcome, Outcome::Refused(..))),
            count(|outcome| *outcome == Outcome::Unknown),
            undos(Undo::Acknowledged),
            undos(Undo::Unknown),
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
        let undone = self.1.lock().expect("the ledger").clone();
        assert!(undone.values().any(|undo| *undo == Undo::Acknowledged), "nothing was undone");
        let touched = self.undone_ids();
        for import in &imports {
            let is_undone = import["status"] == "pending"
                && touched.contains(import["id"].as_str().expect("an id"));
            assert!(import["status"] == "complete" || is_undone, "stuck or failed: {import}");
        }
        let rows = rows_by_upload(api);
        for (name, count) in &rows {
            assert_eq!(*count, ROWS, "{name} is half there or doubled");
            assert!(outcomes.contains_key(name), "{name} was never sent");
        }
        for (name, outcome) in &outcomes {
            let Outcome::Acknowledged(id) = outcome else { continue };
            let import = imports.iter().find(|import| import["id"] == **id);
            let import = import.unwrap_or_else(|| panic!("{name} ({id}) is lost"));
            let is_there = rows.contains_key(name);
            assert_eq!(import["status"] == "complete", is_there, "{name}: {import}");
            match undone.get(name) {
                None => assert!(is_there, "{name} was acknowledged and has no rows"),
                Some(Undo::Acknowledged) => assert!(!is_there, "{name} was undone"),
                Some(Undo::Unknown) => {}
            }
        }
        let complete = imports.iter().filter(|import| import["status"] == "complete").count();
        assert_eq!(complete, rows.len(), "each import has its rows");

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
pub(super) fn all(api: &Client, path: &str, items: &str) -> Vec<Value> {
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
