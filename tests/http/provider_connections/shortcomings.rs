//! Runs that come to less than everything, and how they show it.

use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{Fault, Quirk};
use serde_json::json;

use super::banked;
use super::managing::{PATH, connect, connect_simplefin};
use super::syncing::{failures, link_all, linked, sync, synced};
use crate::support::{Backend, Banks, Family, Server};

/// A failure that isn't about the key leaves what was found out about it.
#[test]
fn a_refused_key_stays_refused_while_the_provider_has_a_failure() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let (family, id) = linked(&server);
    banks.add_fault(Fault::times(1, FaultKind::Status(401), "/accounts"));
    assert_eq!(sync(&family, &id)["status"], "requires_update");
    banks.add_fault(Fault::times(3, FaultKind::Status(503), "/accounts"));
    let unreachable = sync(&family, &id);
    assert_eq!(unreachable["sync"]["latest"]["error"]["code"], "provider_unavailable");
    assert_eq!(unreachable["status"], "requires_update", "{unreachable}");
    let well = sync(&family, &id);
    assert_eq!(well["status"], "good");
}

#[test]
fn a_bank_with_a_failure_gives_nothing_new() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let (family, id) = linked(&server);
    let watermark = |family: &Family| {
        let found = banked::found(family, &id);
        found.iter().find(|one| one["name"] == "Credit card").unwrap()["synced_until"].clone()
    };
    let before = watermark(&family);
    banks.set_quirks(&[Quirk::BankError]);
    banks.take_requests();
    let partly = sync(&family, &id);
    assert_eq!(partly["sync"]["status_summary"], "3 synced, 1 failed");
    let failed = failures(&family, &partly);
    assert!(failed.iter().all(|one| *one == ("Credit card".into(), "unavailable".into())));
    assert!(!failed.is_empty());
    assert!(banks.take_requests().iter().all(|path| !path.contains("/1002/")));
    assert_eq!(watermark(&family), before);
}

/// Answers of which nothing can be read are failures, and those with gaps are no plain success.
#[test]
fn what_cannot_be_read_is_no_success() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let (family, id) = linked(&server);
    banks.set_quirks(&[Quirk::NoReadableRows]);
    let unreadable = sync(&family, &id);
    // The fourth account has no rows.
    assert_eq!(unreadable["sync"]["status_summary"], "1 synced, 3 failed", "{unreadable}");
    let failed = failures(&family, &unreadable);
    assert!(failed.iter().all(|one| one.1 == "invalid_response"), "{failed:?}");
    banks.set_quirks(&[Quirk::Truncated, Quirk::IgnoredWindow]);
    let partial = sync(&family, &id);
    assert_eq!(partial["sync"]["latest"]["status"], "completed");
    assert_eq!(partial["sync"]["status_summary"], "1 synced, 3 incomplete", "{partial}");
    banks.set_quirks(&[]);
    assert_eq!(sync(&family, &id)["sync"]["status_summary"], "4 accounts synced");
}

/// What is pending goes with the link, and comes back with another one.
#[test]
fn pending_transactions_go_with_the_link() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banked::with_pending(&banks));
    let (family, id) = linked(&server);
    let account = banked::account_of(&family, &id, "Credit card");
    let lines = |is_pending: bool| {
        let mut lines = banked::booked_lines(&family, &account);
        lines.retain(|line| line.3 == is_pending);
        lines.len()
    };
    let before = (lines(false), lines(true));
    let found = banked::found(&family, &id);
    let card = found.iter().find(|one| one["name"] == "Credit card").expect("an account");
    let path = format!("{PATH}/{id}/accounts/{}", card["id"].as_str().expect("an id"));
    family.api.post(&format!("{path}/unlink"), &json!({})).expect_status(200);
    assert_eq!((lines(false), lines(true)), (before.0, 0));
    family.api.post(&format!("{path}/link"), &json!({ "account_id": account })).expect_status(200);
    synced(&family, &id);
    assert_eq!((lines(false), lines(true)), before);
    family.api.delete(&format!("{PATH}/{id}")).expect_status(200);
    assert_eq!((lines(false), lines(true)), (before.0, 0));
    server.run_json(&["check"], "");
}

/// Other forms of the same, and a list without accounts.
#[test]
fn other_forms_of_answers_are_read() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let family = server.family();
    banks.set_quirks(&[Quirk::TextIds, Quirk::FlatBalance, Quirk::NoNames, Quirk::NoIds]);
    let id = connect(&family);
    synced(&family, &id);
    link_all(&family, &id);
    let connection = synced(&family, &id);
    assert_eq!(connection["sync"]["status_summary"], "4 accounts synced", "{connection}");
    let again = sync(&family, &id);
    let run = again["sync"]["latest"]["id"].as_str().expect("a run");
    let shown = family.api.get(&format!("/api/v1/syncs/{run}")).expect_status(200).json();
    let changes = shown["data"]["changes"].as_array().expect("a list");
    assert!(changes.iter().all(|one| one["counts"]["added"] == 0), "{shown}");
    banks.set_quirks(&[Quirk::NoAccounts]);
    let gone = sync(&family, &id);
    assert_eq!(gone["sync"]["latest"]["error"]["code"], "accounts_gone", "{gone}");
    assert_eq!((&gone["status"], &gone["accounts"]["linked_count"]), (&json!("good"), &json!(4)));
}

#[test]
fn what_a_provider_reports_in_words_is_shown() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let family = server.family();
    let id = connect_simplefin(&family, &banks);
    synced(&family, &id);
    link_all(&family, &id);
    assert_eq!(synced(&family, &id)["notices"], json!([]));
    banks.set_quirks(&[Quirk::Sentences]);
    let noted = sync(&family, &id);
    assert_eq!(noted["notices"], json!(["Connection to Harbour Bank may need attention"]));
    assert_eq!(noted["sync"]["status_summary"], "2 synced, 2 incomplete", "{noted}");
    banks.set_quirks(&[]);
    assert_eq!(sync(&family, &id)["notices"], json!([]));
}
