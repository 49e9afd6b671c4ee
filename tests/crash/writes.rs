//! Small writes, as many as there is time for: transactions of which those of each life of the
//! process are compared with the answers after its death, and all of them in the end.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use jiff::ToSpan as _;
use jiff::civil::date;
use serde_json::json;

use super::SETTLING;
use super::ledger::all;
use super::support::{Client, Server, within};

const WRITERS: u64 = 2;
/// Days of the past, one for each life.
const DAYS_MAX: u32 = 12_000;

/// A family in which transactions are made; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Writes {
    api: Client,
    account: String,
    /// How many were acknowledged, and how many are there.
    acknowledged: Arc<AtomicU64>,
    there: Arc<AtomicU64>,
    /// Those of this life.
    names: Arc<Mutex<Names>>,
}

#[derive(Debug, Default)]
struct Names {
    acknowledged: BTreeSet<String>,
    unanswered: BTreeSet<String>,
}

impl Writes {
    pub(super) fn new(server: &Server) -> Self {
        let family = server.family();
        let account = family.account("Small", "depository");
        let (acknowledged, there, names) = Default::default();
        Self { api: family.api, account, acknowledged, there, names }
    }

    pub(super) fn start(&self, round: u32, stop: &Arc<AtomicBool>) -> Vec<JoinHandle<()>> {
        let begin = |writer| {
            let (own, stop) = (self.clone(), Arc::clone(stop));
            thread::spawn(move || own.write(round, writer, &stop))
        };
        (0..WRITERS).map(begin).collect()
    }

    /// Makes one transaction after the other, up to the first without an answer.
    fn write(&self, round: u32, writer: u64, stop: &AtomicBool) {
        for number in 0.. {
            let name = format!("w{round}c{writer}n{number}");
            let body = json!({ "account_id": self.account, "date": day(round), "amount": "-0.01",
                "name": name });
            let answer = self.api.try_post("/api/v1/transactions", &body);
            let mut names = self.names.lock().expect("the names");
            let Some(answer) = answer else {
                names.unanswered.insert(name);
                return;
            };
            assert_eq!(answer.status, 201, "{}", answer.text());
            names.acknowledged.insert(name);
            self.acknowledged.fetch_add(1, Ordering::Relaxed);
            if stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// How many were acknowledged so far.
    pub(super) fn acknowledged(&self) -> u64 {
        self.acknowledged.load(Ordering::Relaxed)
    }

    /// Waits until so many more than before are acknowledged.
    pub(super) fn wait_for(&self, more: u64) {
        let until = self.acknowledged() + more;
        let waited = within(SETTLING, || (self.acknowledged() >= until).then_some(()));
        waited.expect("acknowledged writes");
    }

    /// What was acknowledged in this life is there once, and nothing else but what nobody got an
    /// answer to.
    pub(super) fn verify(&self, round: u32) {
        let names = std::mem::take(&mut *self.names.lock().expect("the names"));
        let of_life = format!("w{round}c");
        if !names.unanswered.is_empty() {
            self.wait_for_open_commits();
        }
        let path = format!(
            "/api/v1/transactions?account_id={0}&start_date={1}&end_date={1}&",
            self.account,
            day(round)
        );
        let listed = all(&self.api, &path, "transactions").into_iter();
        let listed = listed.map(|one| one["name"].as_str().expect("a name").to_owned());
        let found: Vec<String> = listed.filter(|name| name.starts_with(&of_life)).collect();
        let once: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(once.len(), found.len(), "doubled: {found:?}");
        let lost: Vec<_> = names.acknowledged.difference(&once).collect();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
        let known =
            |name: &&String| names.acknowledged.contains(*name) || names.unanswered.contains(*name);
        let strange: Vec<_> = once.iter().filter(|name| !known(name)).collect();
        assert!(strange.is_empty(), "never sent: {strange:?}");
        self.there.fetch_add(found.len() as u64, Ordering::Relaxed);
    }

    /// A write in this family waits for the ones that a killed process left under way.
    fn wait_for_open_commits(&self) {
        let body = json!({ "notes": null });
        self.api.patch(&format!("/api/v1/accounts/{}", self.account), &body).expect_status(200);
    }

    /// What was there after each death still is, and the balance is its sum.
    pub(super) fn verify_all(&self) {
        let there = self.there.load(Ordering::Relaxed);
        let listed = self.api.get("/api/v1/transactions?per_page=1").expect_status(200).json();
        assert_eq!(listed["pagination"]["total_count"], there, "transactions that were there");
        let path = format!("/api/v1/accounts/{}", self.account);
        let account = self.api.get(&path).expect_status(200).json();
        assert_eq!(account["balance_cents"], there, "the balance is what they add up to");
        eprintln!("{} small writes acknowledged, {there} there", self.acknowledged());
    }
}

fn day(round: u32) -> String {
    (date(1985, 1, 1) + i64::from(round % DAYS_MAX).days()).to_string()
}
