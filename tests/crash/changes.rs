//! Changes of imports before they are published: settings, single rows, another file, deletion. A
//! change that was acknowledged holds after the kill; one without an answer holds or not, whole.
//!
//! All of it is in a family of its own, in which nothing is published meanwhile, so at the end each
//! import must be what an upload of the same is, down to the counts of its plan.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

use super::Dice;
use super::ledger::all;
use crate::support::{Client, Server};

const IMPORTS: &str = "/api/v1/imports";
/// Imports that are changed, one in each round.
const DRAFTS: usize = 4;
const FILES: u64 = 3;
const ROWS: u64 = 12;
/// What is in the ledger from the start, with another header, so that it is nobody's template.
const PUBLISHED: &str = "Day,Sum,What\n2024-04-01,-3.00,N1\n2024-04-02,-3.00,N1\n";
const SIGNAGES: [&str; 2] = ["inflows_positive", "inflows_negative"];
const CHOICES: [&str; 3] = ["plan", "leave_out", "create"];

/// What an import should be.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Draft {
    file: u64,
    signage: &'static str,
    /// Choice and the text for the amount, by row.
    rows: BTreeMap<u64, (&'static str, Option<String>)>,
    is_deleted: bool,
}

/// What is known of an import.
#[derive(Debug)]
struct ExpectedImport {
    id: String,
    is: Draft,
    /// What it may be instead, after a change that was not answered.
    or: Option<Draft>,
}

/// The imports that are changed; cheap to clone.
#[derive(Clone)]
pub(super) struct Drafts {
    api: Client,
    account: String,
    known: Arc<Vec<Mutex<ExpectedImport>>>,
    acknowledged: Arc<Mutex<BTreeMap<&'static str, u64>>>,
}

/// One change: what it is called, the request, and what the import is after it.
struct Change {
    name: &'static str,
    method: &'static str,
    path: String,
    body: Option<Value>,
    after: Draft,
}

impl Draft {
    fn new() -> Self {
        Self { file: 0, signage: SIGNAGES[0], rows: BTreeMap::new(), is_deleted: false }
    }

    fn csv(&self) -> String {
        let mut csv = "Date,Amount,Name\n".to_owned();
        for row in 0..ROWS {
            csv.push_str(&self.cells(row).join(","));
            csv.push('\n');
        }
        csv
    }

    /// Some rows are in the ledger, some can't be read.
    fn cells(&self, row: u64) -> [String; 3] {
        let amount = if row % 5 == 4 { "oops".to_owned() } else { format!("-{}.00", 2 + row % 3) };
        [format!("2024-04-{:02}", 1 + row % 4), amount, format!("N{}", self.file + row % 2)]
    }

    /// As the interface should show it.
    fn expected(&self) -> Value {
        let row = |row: u64| {
            let [date, amount, name] = self.cells(row - 1);
            let (choice, corrected) = self.rows.get(&row).cloned().unwrap_or(("plan", None));
            json!({
                "cells": { "Date": date, "Amount": amount, "Name": name },
                "corrected_cells":
                    corrected.map_or_else(|| json!({}), |amount| json!({ "Amount": amount })),
                "choice": choice,
            })
        };
        json!({ "signage": self.signage, "rows": (1..=ROWS).map(row).collect::<Vec<_>>() })
    }

    fn row_body((choice, amount): &(&'static str, Option<String>)) -> Value {
        json!({ "choice": choice, "cells": { "Amount": amount } })
    }

    fn change(&self, id: &str, dice: &mut Dice) -> Change {
        let mut after = self.clone();
        let path = format!("{IMPORTS}/{id}");
        match dice.between(0, 10) {
            0..5 => {
                let row = dice.between(1, ROWS + 1);
                let amount = [None, Some("-3.00".to_owned()), Some("what".to_owned())];
                let edit = (
                    CHOICES[usize::try_from(dice.between(0, 3)).expect("one")],
                    amount[usize::try_from(dice.between(0, 3)).expect("one")].clone(),
                );
                let body = Some(Self::row_body(&edit));
                after.rows.insert(row, edit);
                let path = format!("{path}/rows/{row}");
                Change { name: "row", method: "PATCH", path, body, after }
            }
            5..8 => {
                after.signage = SIGNAGES[usize::from(self.signage == SIGNAGES[0])];
                let body = Some(json!({ "signage_convention": after.signage }));
                Change { name: "settings", method: "PATCH", path, body, after }
            }
            8 => {
                after.file = (self.file + 1) % FILES;
                after.rows.clear();
                let csv = after.csv();
                let body = Some(json!({ "raw_file_content": csv, "use_template": "false" }));
                let path = format!("{path}/file");
                Change { name: "file", method: "PUT", path, body, after }
            }
            _ => {
                after.is_deleted = true;
                Change { name: "deletion", method: "DELETE", path, body: None, after }
            }
        }
    }
}

impl Drafts {
    pub(super) fn new(server: &Server) -> Self {
        let family = server.family();
        let account = family.account("Drafts", "depository");
        family.import(&account, PUBLISHED);
        let api = family.api;
        let known = |_| {
            let is = Draft::new();
            Mutex::new(ExpectedImport { id: upload(&api, &account, &is), is, or: None })
        };
        let known = Arc::new((0..DRAFTS).map(known).collect());
        Self { api, account, known, acknowledged: Arc::default() }
    }

    /// Changes one of the imports over and over, until it is stopped or gets no answer.
    pub(super) fn start(&self, round: u32, seed: u64, stop: &Arc<AtomicBool>) -> JoinHandle<()> {
        let (drafts, stop) = (self.clone(), Arc::clone(stop));
        thread::spawn(move || {
            let mut dice = Dice::with_seed(seed);
            let mut known = drafts.known[round as usize % DRAFTS].lock().expect("a draft");
            while !stop.load(Ordering::Relaxed) && !known.is.is_deleted {
                let change = known.is.change(&known.id, &mut dice);
                let sent = drafts.api.try_send(change.method, &change.path, change.body.as_ref());
                let Some(answer) = sent else {
                    known.or = Some(change.after);
                    return;
                };
                assert!(answer.status < 300, "{}: {}", change.name, answer.text());
                known.is = change.after;
                let mut acknowledged = drafts.acknowledged.lock().expect("the counts");
                *acknowledged.entry(change.name).or_default() += 1;
            }
        })
    }

    /// Every import has the state that was acknowledged.
    pub(super) fn verify(&self) {
        for known in self.known.iter() {
            let mut known = known.lock().expect("a draft");
            let shown = shown(&self.api, &known.id);
            let fits = |draft: &Draft| match &shown {
                None => draft.is_deleted,
                Some(shown) => !draft.is_deleted && *shown == draft.expected(),
            };
            let or = known.or.take();
            if let Some(or) = or.filter(fits) {
                known.is = or;
            } else {
                assert!(fits(&known.is), "{known:?} is {shown:?}");
            }
            if known.is.is_deleted {
                known.is = Draft::new();
                known.id = upload(&self.api, &self.account, &known.is);
            }
        }
    }

    /// Every import is what an upload of the same is.
    pub(super) fn assert_as_uploaded(&self) {
        let acknowledged = self.acknowledged.lock().expect("the counts");
        eprintln!("changes: {acknowledged:?}");
        assert!(!acknowledged.is_empty(), "nothing was changed");
        for known in self.known.iter() {
            let known = known.lock().expect("a draft");
            let fresh = upload(&self.api, &self.account, &known.is);
            for (row, edit) in &known.is.rows {
                let path = format!("{IMPORTS}/{fresh}/rows/{row}");
                self.api.patch(&path, &Draft::row_body(edit)).expect_status(200);
            }
            let essence = |id: &str| {
                let import = self.api.get(&format!("{IMPORTS}/{id}")).expect_status(200).json();
                let keys = ["status", "status_detail", "configuration", "stats", "plan"];
                let facts: Vec<Value> =
                    keys.iter().map(|key| import["data"][*key].clone()).collect();
                assert_eq!(facts[4]["current"], true, "{import}");
                let mut rows = all(&self.api, &format!("{IMPORTS}/{id}/rows?"), "data");
                // The id of a row follows from that of its import.
                rows.iter_mut().for_each(|row| assert!(row["id"].take().is_string(), "{row}"));
                (facts, rows)
            };
            assert_eq!(essence(&known.id), essence(&fresh), "{known:?}");
        }
    }
}

fn upload(api: &Client, account: &str, draft: &Draft) -> String {
    let body = json!({
        "account_id": account,
        "raw_file_content": draft.csv(),
        "signage_convention": draft.signage,
        "use_template": "false",
    });
    api.post(IMPORTS, &body).expect_status(201).id()
}

/// What the interface shows of an import, if it is there.
fn shown(api: &Client, id: &str) -> Option<Value> {
    let path = format!("{IMPORTS}/{id}");
    // A write waits for what a killed process left under way on PostgreSQL; it changes nothing.
    let answer = api.patch(&path, &json!({ "skip_invalid": false }));
    if answer.status == 404 {
        return None;
    }
    let import = answer.expect_status(200).json()["data"].clone();
    let rows: Vec<Value> = all(api, &format!("{path}/rows?"), "data")
        .iter()
        .map(|row| {
            json!({
                "cells": row["cells"],
                "corrected_cells": row["corrected_cells"],
                "choice": row["choice"],
            })
        })
        .collect();
    Some(json!({ "signage": import["configuration"]["signage_convention"], "rows": rows }))
}
