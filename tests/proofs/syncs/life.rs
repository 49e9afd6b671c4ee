//! Living through a history over HTTP.

use std::collections::HashSet;
use std::time::Duration;

use jiff::ToSpan;
use purser_bank_simulator::API_KEY;
use purser_bank_simulator::histories::{Deed, History, Line, Step, count};
use purser_bank_simulator::misbehaviour::{Fault, FaultKind, Quirk};
use purser_bank_simulator::world::Account;
use serde_json::{Value, json};

use super::Setting;
use crate::shim::Shimmed;
use crate::support::{Banks, Client, Dice, Family, Node, Options, within};

const PATH: &str = "/api/v1/provider_connections";
const DAY_SECONDS: i64 = 86_400;
/// Longer than a process owns a connection without a sign of life.
const LEASE_SECONDS: i64 = 20;
/// How long a run may take, with the pauses between tries.
const RUN_TIME: Duration = Duration::from_secs(40);
/// Quiet days until what the banks did has come to rest, at most.
const QUIET_DAYS_MAX: u32 = 12;
/// Days on which everything must have come.
const GOOD_DAYS: u32 = 3;
/// The same where rows without ids can't be read.
const GOOD_DAYS_HIDDEN: u32 = 5;
/// The pause that a provider asks for. Its key rests by a clock that no test moves, so days that
/// pass in a second are no pause.
const REST_SECONDS: u64 = 1;

/// An account at both ends.
pub(super) struct Link {
    pub(super) at_bank: &'static Account,
    pub(super) found: String,
    pub(super) account: String,
}

pub(super) struct Life {
    pub(super) history: History,
    pub(super) banks: Banks,
    /// Before the server, which must outlive it.
    node: Option<Node>,
    pub(super) shimmed: Shimmed,
    pub(super) family: Family,
    connection: String,
    pub(super) links: Vec<Link>,
    pub(super) touched: HashSet<String>,
    /// Entries that a person deleted because the bank has the transaction less often.
    pub(super) doubles: HashSet<String>,
    pub(super) is_pending_wanted: bool,
    dice: Dice,
    seconds: i64,
    requests: u64,
}

/// Lives through a history, and lets the banks be quiet.
pub(super) fn live(setting: Setting, history: &History) -> Life {
    let mut life = Life::begin(setting, history);
    for step in &history.steps {
        life.step(step);
    }
    life.quiet();
    life
}

fn options(banks: &Banks, pending: bool) -> Options {
    let options = banks.options().env("PURSER_RATE_LIMIT", "0");
    let options = options.env("PURSER_PUBLISH_PART_ROWS", "3");
    options.env("PROVIDER_INCLUDE_PENDING", if pending { "1" } else { "0" })
}

impl Life {
    fn begin(setting: Setting, history: &History) -> Self {
        let banks = Banks::start();
        banks.set_world(history.world(banks.world().today));
        let shimmed = Shimmed::start(setting.backend(), options(&banks, true));
        let family = shimmed.server.family_in("EUR");
        shimmed.server.run_json(&["family", "set", "--time-zone", history.zone], "");
        let node = (setting == Setting::Two).then(|| shimmed.server.start_beside());
        let body = json!({ "provider": "lunchflow", "key": API_KEY });
        let connection = family.api.post(PATH, &body).expect_status(201).id();
        let accounts = format!("{PATH}/{connection}/accounts");
        let found = family.api.get(&accounts).expect_status(200).json();
        let link = |at_bank: &'static Account| {
            let found = found["data"].as_array().expect("a list").iter();
            let one = found.into_iter().find(|one| one["name"] == at_bank.name);
            let found = text(&one.expect("an account")["id"]);
            let path = format!("{accounts}/{found}/link");
            let made = family.api.post(&path, &json!({ "currency": at_bank.currency }));
            let account = text(&made.expect_status(200).json()["account_id"]);
            Link { at_bank, found, account }
        };
        let links = history.linked().map(link).collect();
        Self {
            history: history.clone(),
            banks,
            node,
            shimmed,
            family,
            connection,
            links,
            touched: HashSet::new(),
            doubles: HashSet::new(),
            is_pending_wanted: true,
            dice: Dice::with_seed(history.seed),
            seconds: 0,
            requests: 0,
        }
    }

    /// A client of either node.
    fn api(&mut self) -> Client {
        self.requests += 1;
        let other = self.node.as_ref().filter(|_| self.requests.is_multiple_of(2));
        let client = other.map_or_else(|| self.shimmed.server.client(), Node::client);
        client.with_same_headers(&self.family.api)
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Days(days) => {
                self.pass(i64::from(*days) * DAY_SECONDS);
                let today = self.banks.world().today;
                self.banks.set_today(today.saturating_add(i64::from(*days).days()));
            }
            Step::Misbehave(moods) => {
                self.banks.set_quirks(&[&self.history.nature[..], moods].concat());
            }
            Step::Meet(fault) => self.banks.add_fault(endurable(fault)),
            Step::Sync => self.sync(),
            Step::Die(_) => self.die(),
            Step::Sleep(_) if self.node.is_some() => self.fall_asleep(),
            Step::Sleep(_) => self.die(),
            Step::Pending(is_wanted) => {
                self.is_pending_wanted = *is_wanted;
                self.shimmed.server.kill();
                self.start_again();
            }
            // Which transactions a sync knows is a matter of the histories in one process.
            Step::Person(deed, which) | Step::PersonBefore(deed, which) => {
                self.meddle(*deed, usize::from(*which));
            }
            Step::Import(days) => self.import(i64::from(*days)),
            Step::Decide => self.decide(),
            Step::Undo => self.undo(),
            Step::Relink => self.relink(),
        }
    }

    /// Moves the clock of all processes.
    fn pass(&mut self, seconds: i64) {
        self.seconds += seconds;
        self.shimmed.move_clock(self.seconds);
    }

    fn request(&mut self) {
        let path = format!("{PATH}/{}/sync", self.connection);
        self.api().post(&path, &json!({})).expect_status(202);
    }

    fn shown(&mut self) -> Value {
        let path = format!("{PATH}/{}", self.connection);
        self.api().get(&path).expect_status(200).json()["sync"].clone()
    }

    /// One run to its end, unless the provider wants a rest.
    pub(super) fn sync(&mut self) {
        self.request();
        within(RUN_TIME, || {
            let sync = self.shown();
            let status = sync["latest"]["status"].as_str().unwrap_or_default();
            let waits = status == "pending" && self.is_later(&sync["next_attempt_at"]);
            (waits || sync["syncing"] == json!(false)).then_some(())
        });
    }

    /// Whether a time is later than the clock of the server.
    fn is_later(&self, time: &Value) -> bool {
        let time: Option<jiff::Timestamp> = time.as_str().and_then(|time| time.parse().ok());
        let now = now().saturating_add(jiff::SignedDuration::from_secs(self.seconds + 5));
        time.is_some_and(|time| now.is_ok_and(|now| time > now))
    }

    /// A process is killed at any moment of a run.
    fn die(&mut self) {
        self.request();
        self.dice.pause(0, 1_300_000);
        if self.node.is_some() && self.dice.coin() {
            self.node.take().expect("a node").kill();
            self.node = Some(self.shimmed.server.start_beside());
            return;
        }
        self.shimmed.server.kill();
        self.start_again();
    }

    fn start_again(&mut self) {
        self.pass(LEASE_SECONDS);
        let has_node = self.node.take().is_some();
        self.shimmed.start_again_with(options(&self.banks, self.is_pending_wanted));
        self.node = has_node.then(|| self.shimmed.server.start_beside());
    }

    /// A node sleeps past its lease amid a run, and another one takes over.
    fn fall_asleep(&mut self) {
        self.request();
        self.dice.pause(0, 1_300_000);
        self.node.as_ref().expect("a node").signal("STOP");
        self.pass(LEASE_SECONDS);
        let (path, api) = (format!("{PATH}/{}", self.connection), self.family.api.clone());
        within(RUN_TIME, || {
            let shown = api.get(&path).expect_status(200).json();
            (shown["sync"]["syncing"] == json!(false)).then_some(())
        });
        self.node.as_ref().expect("a node").signal("CONT");
    }

    fn transactions(&mut self) -> Vec<Value> {
        let mut all = Vec::new();
        for page in 1.. {
            let path = format!("/api/v1/transactions?per_page=100&page={page}");
            let body = self.api().get(&path).expect_status(200).json();
            let part = body["transactions"].as_array().expect("a list").clone();
            if part.is_empty() {
                break;
            }
            all.extend(part);
        }
        all
    }

    fn meddle(&mut self, deed: Deed, which: usize) {
        let all = self.transactions();
        let Some(one) = all.get(which % all.len().max(1)) else { return };
        let id = text(&one["id"]);
        let path = format!("/api/v1/transactions/{id}");
        let change = match deed {
            Deed::Delete => None,
            Deed::Rename => Some(json!({ "name": "Mine" })),
            Deed::Note => Some(json!({ "notes": "Mine" })),
            Deed::Amount => Some(json!({ "amount": "12.34" })),
            Deed::Move => {
                let mut links = self.links.iter();
                let Some(other) = links.find(|link| json!(link.account) != one["account"]["id"])
                else {
                    return;
                };
                Some(json!({ "account_id": other.account }))
            }
        };
        let entry = id.replace('-', "");
        let is_double = deed == Deed::Delete && self.is_double(&entry);
        let api = self.api();
        let answer = match change {
            None => api.delete(&path),
            Some(change) => api.patch(&path, &change),
        };
        assert!(answer.status < 500, "{}", answer.text());
        self.doubles.extend(is_double.then(|| entry.clone()));
        self.touched.insert(entry);
    }

    /// Whether a transaction is known more often than the bank has it.
    fn is_double(&self, entry: &str) -> bool {
        let world = self.history.truth(&self.banks.world());
        self.links.iter().any(|link| {
            let known = self.known(link);
            let Some(one) = known.iter().find(|one| one.entry == entry) else { return false };
            let lines: Vec<Line> = known.iter().map(|one| one.line.line.clone()).collect();
            let at_bank = self.history.lines(&world, link.at_bank, true);
            let number = |lines| count(lines).get(&one.line.line).copied().unwrap_or(0);
            number(&lines) > number(&at_bank)
        })
    }

    fn import(&mut self, days: i64) {
        let world = self.banks.world();
        let first = world.today.saturating_sub(days.days());
        for at in 0..self.links.len() {
            let Link { at_bank, account, .. } = &self.links[at];
            let mut lines = self.history.lines(&world, at_bank, false);
            lines.retain(|line| line.date >= first);
            let fields = json!({ "raw_file_content": csv(&lines), "account_id": account,
                "publish": "true", "signage_convention": "inflows_positive" });
            if lines.is_empty() {
                continue;
            }
            let made = self.api().post("/api/v1/imports", &fields);
            assert!(made.status < 500, "{}", made.text());
            if made.status == 201 && made.json()["data"]["status"] == "importing" {
                self.api().wait_for_import(&made.id());
            }
        }
    }

    fn undo(&mut self) {
        let latest = self.api().get("/api/v1/syncs/latest").expect_status(200).json();
        let Some(id) = latest["data"]["id"].as_str() else { return };
        let undone = self.api().post(&format!("/api/v1/syncs/{id}/revert"), &json!({}));
        assert!([200, 409].contains(&undone.status), "{}", undone.text());
    }

    pub(super) fn relink(&mut self) {
        for at in 0..self.links.len() {
            let Link { found, account, .. } = &self.links[at];
            let path = format!("{PATH}/{}/accounts/{found}", self.connection);
            let target = json!({ "account_id": account });
            self.api().post(&format!("{path}/unlink"), &json!({})).expect_status(200);
            self.api().post(&format!("{path}/link"), &target).expect_status(200);
        }
    }

    /// A person looks at the bank and decides on each pair.
    pub(super) fn decide(&mut self) {
        let world = self.history.truth(&self.banks.world());
        loop {
            let body = self.api().get("/api/v1/duplicates").expect_status(200).json();
            let Some(pair) = body["duplicates"].as_array().expect("a list").first().cloned() else {
                return;
            };
            let entry = text(&pair["transaction"]["id"]).replace('-', "");
            let mut is_too_often = false;
            for link in &self.links {
                let at_bank = self.history.lines(&world, link.at_bank, true);
                let mut known = self.known(link);
                known.retain(|one| !self.doubles.contains(&one.entry));
                let Some(one) = known.iter().find(|one| one.entry == entry) else { continue };
                let lines: Vec<Line> = known.iter().map(|one| one.line.line.clone()).collect();
                let number = |lines| count(lines).get(&one.line.line).copied().unwrap_or(0);
                is_too_often = number(&lines) > number(&at_bank);
            }
            let path = format!("/api/v1/duplicates/{}", text(&pair["id"]));
            let merged =
                is_too_often && self.api().post(&format!("{path}/merge"), &json!({})).status < 300;
            if !merged {
                self.api().delete(&path);
            }
        }
    }

    /// The banks do nothing any more, and behave; days pass until everything has come.
    fn quiet(&mut self) {
        self.banks.clear_faults();
        self.banks.set_quirks(&self.history.nature);
        let hides_rows = self.history.nature.contains(&Quirk::BrokenRows);
        let wanted = if hides_rows { GOOD_DAYS_HIDDEN } else { GOOD_DAYS };
        let mut good_days = 0;
        for _ in 0..QUIET_DAYS_MAX {
            self.pass(DAY_SECONDS);
            self.sync();
            self.decide();
            let sync = self.shown();
            let is_good = sync["latest"]["status"] == "completed"
                && !sync["status_summary"].as_str().unwrap_or("failed").contains("failed");
            good_days += u32::from(is_good);
            if good_days == wanted {
                return;
            }
        }
        panic!("the banks behave, and something doesn't come: {}\n{}", self.shown(), self.history);
    }
}

/// A fault for which no test waits.
fn endurable(fault: &Fault) -> Fault {
    let kind = match &fault.kind {
        FaultKind::TooMany(Some(_)) => FaultKind::TooMany(Some(REST_SECONDS)),
        FaultKind::TooManyUntil(_) => FaultKind::TooManyUntil(REST_SECONDS),
        FaultKind::WrappedTooMany(_) => FaultKind::WrappedTooMany(REST_SECONDS),
        FaultKind::Silent | FaultKind::Slow => FaultKind::Broken,
        other => other.clone(),
    };
    Fault { kind, ..fault.clone() }
}

fn csv(lines: &[Line]) -> String {
    let rows = lines.iter().map(|Line { date, amount, name, .. }| {
        let sign = if *amount < 0 { "-" } else { "" };
        let cents = amount.unsigned_abs();
        format!("{date},{sign}{}.{:02},{name}\n", cents / 100, cents % 100)
    });
    format!("date,amount,name\n{}", rows.collect::<String>())
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

#[expect(clippy::disallowed_methods, reason = "a test has no other clock")]
fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}
