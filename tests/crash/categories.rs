//! Imports of categories, which create, change and give back other records than entries. Each file
//! has three categories of its own and gives one that is always there another color.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

use super::SETTLING;
use super::ledger::all;
use super::support::{Client, Server, until_within};

const IMPORTS: &str = "/api/v1/imports";
/// The category that every file changes.
const SHARED: &str = "Shared";
/// Categories that a file creates.
const CREATED: usize = 3;

/// A family into which categories are imported.
#[derive(Debug, Clone)]
pub(super) struct Categories {
    api: Client,
    acknowledged: Arc<Mutex<BTreeSet<String>>>,
    /// Imports that somebody tried to undo.
    undone: Arc<Mutex<BTreeSet<String>>>,
}

impl Categories {
    pub(super) fn new(server: &Server) -> Self {
        let api = server.family().api;
        let category = json!({ "category": { "name": SHARED, "color": "#010101" } });
        api.post("/api/v1/categories", &category).expect_status(201);
        Self { api, acknowledged: Arc::default(), undone: Arc::default() }
    }

    /// Imports files one after the other, and undoes every second one once it is published.
    pub(super) fn start(&self, round: u32, stop: &Arc<AtomicBool>) -> JoinHandle<()> {
        let (own, stop) = (self.clone(), Arc::clone(stop));
        thread::spawn(move || {
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                if own.send(round, number).is_none() {
                    return;
                }
                number += 1;
            }
        })
    }

    fn send(&self, round: u32, number: u32) -> Option<()> {
        let name = format!("r{round}n{number}");
        let color = (round * 1_000 + number) % 0x0100_0000;
        let csv = format!(
            "name,parent,color\n{name}a,{name},\n{name},,\n{name}b,{name},\n\
             {SHARED},,#{color:06x}\n"
        );
        let body = json!({ "type": "CategoryImport", "publish": true, "raw_file_content": csv });
        let answer = self.api.try_post(IMPORTS, &body)?;
        assert_eq!(answer.status, 201, "{}", answer.text());
        let id = answer.id();
        self.acknowledged.lock().expect("the imports").insert(id.clone());
        if number % 2 == 1 {
            self.undone.lock().expect("the imports").insert(id.clone());
            let answer = self.api.try_post(&format!("{IMPORTS}/{id}/revert"), &json!({}))?;
            // It may not be published yet.
            assert!([202, 422].contains(&answer.status), "{}", answer.text());
        }
        Some(())
    }

    /// Every file's categories are there whole or not at all, as the import reports it.
    pub(super) fn verify(&self) {
        let listed = |path: &str, items: &str| all(&self.api, path, items);
        until_within(SETTLING, "every import of categories to settle", || {
            let imports = listed(&format!("{IMPORTS}?"), "data");
            let undone = self.undone.lock().expect("the imports");
            // What is pending and was never undone is still to be published.
            let is_busy = |import: &Value| match import["status"].as_str().expect("a status") {
                "pending" => !undone.contains(import["id"].as_str().expect("an id")),
                status => ["importing", "reverting"].contains(&status),
            };
            (!imports.iter().any(is_busy)).then_some(())
        });
        let there: BTreeSet<String> = listed("/api/v1/categories?", "categories")
            .iter()
            .map(|one| one["path"].as_str().expect("a path").to_owned())
            .collect();
        let mut acknowledged = self.acknowledged.lock().expect("the imports").clone();
        let (mut published, mut expected) = (0, 1);
        for import in listed(&format!("{IMPORTS}?"), "data") {
            let id = import["id"].as_str().expect("an id");
            acknowledged.remove(id);
            let rows = listed(&format!("{IMPORTS}/{id}/rows?"), "data");
            let parent = rows[1]["fields"]["name"].as_str().expect("a name");
            let paths =
                [parent.to_owned(), format!("{parent}: {parent}a"), format!("{parent}: {parent}b")];
            let found = paths.iter().filter(|path| there.contains(*path)).count();
            match import["status"].as_str() {
                Some("complete") => {
                    assert_eq!(found, CREATED, "{import}");
                    published += 1;
                    expected += CREATED;
                }
                Some("pending") => assert_eq!(found, 0, "{import}"),
                _ => panic!("{import}"),
            }
        }
        assert!(acknowledged.is_empty(), "lost: {acknowledged:?}");
        assert_eq!(there.len(), expected, "{there:?}");
        eprintln!("{published} imports of categories are published");
    }
}
