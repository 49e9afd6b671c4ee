//! Runs of connections: by themselves, when they are requested, and when banks misbehave.

use jiff::{SignedDuration, Timestamp};
use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{API_KEY, Fault, Quirk};
use purser_store::system::{Clock as _, SystemClock};
use serde_json::{Value, json};

use super::banked;
use super::managing::{PATH, connect, show};
use crate::support::{Backend, Banks, Family, Server, Sql, until};

pub(super) const BACKENDS: [Backend; 2] = [Backend::Sqlite, Backend::Postgres];

/// Waits for the newest run to end; the connection then.
#[track_caller]
pub(crate) fn synced(family: &Family, id: &str) -> Value {
    until("the run to end", || {
        let connection = show(family, id);
        let is_over = connection["sync"]["latest"].is_object()
            && connection["sync"]["syncing"] == json!(false)
            && connection["sync"]["latest"]["status"] != "stale";
        is_over.then_some(connection)
    })
}

#[track_caller]
pub(crate) fn request(family: &Family, id: &str) -> Value {
    family.api.post(&format!("{PATH}/{id}/sync"), &json!({})).expect_status(202).json()
}

/// Requests a run, and waits for its end.
#[track_caller]
pub(super) fn sync(family: &Family, id: &str) -> Value {
    let run = request(family, id)["id"].clone();
    let connection = synced(family, id);
    assert_eq!(connection["sync"]["latest"]["id"], run, "no other run followed");
    connection
}

#[track_caller]
pub(super) fn link_all(family: &Family, id: &str) {
    let found = family.api.get(&format!("{PATH}/{id}/accounts")).expect_status(200).json();
    for account in found["data"].as_array().expect("a list") {
        let link = format!("{PATH}/{id}/accounts/{}/link", account["id"].as_str().unwrap());
        family.api.post(&link, &json!({})).expect_status(200);
    }
}

/// A connection with all accounts linked, after a run.
pub(super) fn linked(server: &Server) -> (Family, String) {
    let (family, id) = banked::linked(server);
    let connection = show(&family, &id);
    assert_eq!(connection["sync"]["status_summary"], "4 accounts synced", "{connection}");
    (family, id)
}

/// The failures of the newest run, by account.
pub(super) fn failures(family: &Family, connection: &Value) -> Vec<(String, String)> {
    let run = connection["sync"]["latest"]["id"].as_str().expect("a run");
    let path = format!("/api/v1/syncs/{run}/outcomes");
    let outcomes = family.api.get(&path).expect_status(200).json();
    let rows = outcomes["data"].as_array().expect("a list").iter();
    rows.filter(|row| row["succeeded"] == json!(false) && row["error"]["code"] != "unsupported")
        .map(|row| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&row["account_name"]), text(&row["error"]["code"]))
        })
        .collect()
}

#[test]
fn a_connection_is_synced_by_itself_and_planned_for_the_next_day() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let server = Server::start_with(backend, banks.options());
        let (family, id) = linked(&server);
        let connection = show(&family, &id);
        assert_eq!(connection["sync"]["latest"]["status"], "completed");
        assert_eq!(connection["status"], "good");
        let time = |value: &Value| value.as_str().unwrap().parse::<Timestamp>().unwrap();
        let next = time(&connection["sync"]["next_attempt_at"]);
        let wait = next.duration_since(time(&connection["sync"]["last_synced_at"])).as_hours();
        assert!((5..=30).contains(&wait), "{wait} hours");
        assert!(failures(&family, &connection).is_empty());
        let runs = family.api.get("/api/v1/syncs").json()["meta"]["total_count"].clone();
        // One after the connection was made, and one or two after the links.
        assert!(runs == json!(2) || runs == json!(3), "{runs}");
        let requests = banks.take_requests();
        assert!(requests.iter().any(|path| path.contains("/1001/balance")), "{requests:?}");
        server.run_json(&["check"], "");
    }
}

#[test]
fn a_key_that_is_revoked_needs_a_person_until_it_works_again() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let server = Server::start_with(backend, banks.options());
        let (family, id) = linked(&server);
        banks.add_fault(Fault::times(1, FaultKind::Status(401), "/accounts"));
        let refused = sync(&family, &id);
        assert_eq!(refused["status"], "requires_update");
        assert_eq!(refused["sync"]["latest"]["status"], "failed");
        assert_eq!(refused["sync"]["latest"]["error"]["code"], "credentials_rejected");
        assert!(refused["sync"]["last_synced_at"].is_string(), "what was before stays");
        let well = sync(&family, &id);
        assert_eq!(
            (&well["status"], &well["sync"]["latest"]["error"]),
            (&json!("good"), &Value::Null)
        );
    }
}

#[test]
fn r1796_r1873_r3129_one_failed_account_hides_neither_itself_nor_the_others() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let (family, id) = linked(&server);
    banks.set_quirks(&[Quirk::ConsentExpired]);
    let partly = sync(&family, &id);
    assert_eq!(partly["sync"]["latest"]["status"], "completed");
    assert_eq!(partly["sync"]["status_summary"], "3 synced, 1 failed");
    assert_eq!(partly["status"], "requires_update", "a person must renew the consent");
    let failed = failures(&family, &partly);
    assert!(failed.iter().all(|one| *one == ("Credit card".into(), "consent_expired".into())));
    assert!(!failed.is_empty());

    banks.set_quirks(&[Quirk::AccountRemoved]);
    let removed = sync(&family, &id);
    assert_eq!(removed["status"], "good", "the consent is there again");
    assert_eq!(removed["sync"]["status_summary"], "3 synced, 1 failed");
    let failed = failures(&family, &removed);
    assert!(failed.iter().all(|one| *one == ("Checking".into(), "not_found".into())), "{failed:?}");
    assert_eq!(removed["accounts"]["linked_count"], 4, "a link stays");

    banks.set_quirks(&[]);
    banks.add_fault(Fault::always(FaultKind::NotJson, "/accounts/"));
    let failed = sync(&family, &id);
    assert_eq!(failed["sync"]["latest"]["status"], "failed", "nothing came of any account");
    assert_eq!(failed["sync"]["latest"]["error"]["code"], "answer_not_understood");
}

#[test]
fn r193_r299_r1046_every_failure_has_a_reason() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let (family, id) = linked(&server);
    let elsewhere = FaultKind::Redirect("http://127.0.0.1:9/".to_owned());
    for (kind, code) in [
        (FaultKind::Status(401), "credentials_rejected"),
        (FaultKind::Status(402), "credentials_rejected"),
        (FaultKind::NotJson, "answer_not_understood"),
        (FaultKind::Echo, "provider_unavailable"),
        (elsewhere, "provider_unavailable"),
    ] {
        banks.add_fault(Fault::times(3, kind.clone(), "/accounts"));
        let failed = sync(&family, &id);
        banks.clear_faults();
        let error = &failed["sync"]["latest"]["error"];
        assert_eq!(error["code"], code, "{kind:?}: {error}");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.ends_with('.') && message.contains(' '), "{kind:?}: {message}");
        assert!(!message.contains("127.0.0.1"), "{message}");
    }
}

#[test]
fn r1861_an_account_that_is_gone_needs_no_setup() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let family = server.family();
    let id = connect(&family);
    synced(&family, &id);
    assert_eq!(show(&family, &id)["accounts"]["unlinked_count"], 4);
    banks.set_quirks(&[Quirk::AccountRemoved]);
    sync(&family, &id);
    assert_eq!(show(&family, &id)["accounts"]["unlinked_count"], 3, "it isn't asked about");
    link_all(&family, &id);
    let connection = synced(&family, &id);
    assert_eq!(connection["pending_account_setup"], false, "{connection}");
}

#[test]
fn a_provider_that_wants_a_rest_gets_it() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let (family, id) = linked(&server);
    banks.add_fault(Fault::times(1, FaultKind::WrappedTooMany(7_200), "/1001/balance"));
    let limited = sync(&family, &id);
    assert_eq!(limited["sync"]["status_summary"], "3 synced, 1 failed");
    let time = |value: &Value| value.as_str().unwrap().parse::<Timestamp>().unwrap();
    let next = time(&limited["sync"]["next_attempt_at"]);
    let ended = time(&limited["sync"]["last_synced_at"]);
    assert!(next.duration_since(ended).as_secs() >= 7_200);
    // Not even a person changes that, nor does anybody who looks at what a sync would change.
    banks.take_requests();
    let refused = family.api.get(&format!("{PATH}/{id}/plan")).expect_status(409).json();
    assert_eq!(refused["error"], "provider_rests", "{refused}");
    let same = json!({ "key": API_KEY });
    let refused = family.api.patch(&format!("{PATH}/{id}"), &same).expect_status(409).json();
    assert_eq!(refused["error"], "provider_rests", "{refused}");
    assert!(banks.take_requests().is_empty());
    let queued = request(&family, &id);
    assert_eq!(queued["status"], "pending");
    assert_eq!(request(&family, &id)["id"], queued["id"], "one run waits");
    let waiting = show(&family, &id);
    assert_eq!(waiting["sync"]["syncing"], true);
    let next = time(&waiting["sync"]["next_attempt_at"]);
    assert!(next.duration_since(ended).as_secs() >= 7_200, "{waiting}");
}

#[test]
fn r2257_r2680_a_run_that_dies_with_its_server_begins_anew() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let mut server = Server::start_with(backend, banks.options());
        let (family, id) = linked(&server);
        banks.take_requests();
        banks.add_fault(Fault::times(1, FaultKind::Silent, "/accounts"));
        let run = request(&family, &id)["id"].clone();
        until("the run to ask", || (!banks.take_requests().is_empty()).then_some(()));
        assert_eq!(show(&family, &id)["sync"]["latest"]["status"], "syncing");
        assert_eq!(request(&family, &id)["id"], run, "the run under way is the answer");
        server.kill();
        server.start_again_with(banks.options());
        let after = until("another run", || {
            let connection = show(&family, &id);
            (connection["sync"]["latest"]["status"] == "completed").then_some(connection)
        });
        assert_ne!(after["sync"]["latest"]["id"], run);
        let path = format!("/api/v1/syncs/{}", run.as_str().unwrap());
        let died = family.api.get(&path).expect_status(200).json();
        assert_eq!(died["data"]["status"], "stale");
        assert_eq!(died["data"]["error"]["code"], "interrupted");
    }
}

#[test]
fn two_nodes_run_a_connection_once() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Postgres, banks.options());
    let _node = server.start_beside();
    let family = server.family();
    let id = connect(&family);
    synced(&family, &id);
    let runs = family.api.get("/api/v1/syncs").json()["meta"]["total_count"].clone();
    assert_eq!(runs, 1);
    let lists = banks.take_requests().iter().filter(|path| path.ends_with("/accounts")).count();
    assert_eq!(lists, 2, "one to try the key, one of the run");
}

#[test]
fn a_sync_of_the_family_is_one_of_each_connection() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let family = server.family();
    let ids = [connect(&family), connect(&family)];
    for id in &ids {
        synced(&family, id);
    }
    let answer = family.api.request("POST", "/api/v1/sync", None).expect_status(202).json();
    assert_eq!(answer["message"], "Syncs of 2 provider connections are queued.");
    for id in &ids {
        let connection = synced(&family, id);
        assert_eq!(connection["sync"]["latest"]["status"], "completed");
    }
    let all = family.api.get("/api/v1/syncs").json();
    assert_eq!(all["meta"]["total_count"], 5);
}

#[test]
fn a_run_that_died_under_a_clock_ahead_begins_again_at_the_start() {
    let banks = Banks::start();
    let mut server = Server::start_with(Backend::Sqlite, banks.options());
    let (family, id) = linked(&server);
    let before = synced(&family, &id)["sync"]["latest"]["id"].clone();
    server.kill();
    let ahead = SystemClock.now() + SignedDuration::from_hours(24);
    let ahead = ahead.as_microsecond();
    Sql::open(&server).run(&format!(
        "UPDATE connections SET run_owner = 'dead', run_until = {ahead};
         UPDATE due SET due_at = {ahead} WHERE kind = 'sync'"
    ));
    server.start_again();
    let after = until("another run", || {
        let latest = synced(&family, &id)["sync"]["latest"].clone();
        (latest["id"] != before).then_some(latest)
    });
    assert_eq!(after["status"], "completed");
}
