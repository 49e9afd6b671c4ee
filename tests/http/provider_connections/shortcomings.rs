//! Runs that come to less than everything, and how they show it.

use jiff::civil::Date;
use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{Fault, Quirk};
use serde_json::json;

use super::banked;
use super::managing::{PATH, connect, connect_simplefin};
use super::syncing::{failures, link_all, linked, sync, synced};
use crate::support::{Backend, Banks, Family, Server, Sql};

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
    let read = watermark(&family);
    // As three days later.
    Sql::open(&server).run("UPDATE connection_accounts SET watermark = watermark - 3");
    let before = watermark(&family);
    assert_ne!(before, read);
    banks.set_quirks(&[Quirk::BankError]);
    banks.take_requests();
    let partly = sync(&family, &id);
    assert_eq!(partly["sync"]["status_summary"], "3 synced, 1 failed");
    let failed = failures(&family, &partly);
    assert!(failed.iter().all(|one| *one == ("Credit card".into(), "unavailable".into())));
    assert!(!failed.is_empty());
    assert!(banks.take_requests().iter().all(|path| !path.contains("/1002/")));
    assert_eq!(watermark(&family), before);
    banks.set_quirks(&[]);
    sync(&family, &id);
    assert_eq!(watermark(&family), read);
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
    // After 90 days such rows are not asked for again, day by day.
    let sql = Sql::open(&server);
    let watermarks = || -> Vec<Date> {
        let found = banked::found(&family, &id).into_iter();
        let read = found.filter(|one| one["name"] != "Brokerage");
        read.map(|one| one["synced_until"].as_str().unwrap().parse().unwrap()).collect()
    };
    sql.run("UPDATE connection_accounts SET watermark = watermark - 120");
    let before = watermarks();
    sync(&family, &id);
    assert_eq!(watermarks(), before, "there was a run today");
    // As on the next day.
    sql.run("UPDATE sync_plans SET created_at = created_at - 86400000000");
    sync(&family, &id);
    let later: Vec<Date> = before.iter().map(|day| day.tomorrow().unwrap()).collect();
    assert_eq!(watermarks(), later);
    sync(&family, &id);
    assert_eq!(watermarks(), later, "a day goes by with a day, not with a run");
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
    let error = &gone["sync"]["latest"]["error"];
    assert_eq!(error["code"], "provider_unavailable", "{gone}");
    let sentence = "The provider has none of the linked accounts any more. Allow or unlink them.";
    assert_eq!(error["message"], sentence);
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
    assert_eq!(noted["notices"], json!(["The provider reports a problem with Harbour Bank."]));
    let words = "Connection to Harbour Bank may need attention";
    assert!(server.log().contains(words), "for whoever keeps the server");
    assert_eq!(noted["sync"]["status_summary"], "2 synced, 2 incomplete", "{noted}");
    banks.set_quirks(&[]);
    assert_eq!(sync(&family, &id)["notices"], json!([]));
}

/// A bank that has a problem may lack rows of any day, so no day of a first answer is done with.
#[test]
fn a_first_answer_beside_a_problem_is_asked_for_again() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banked::with_pending(&banks));
    let family = server.family();
    let id = connect_simplefin(&family, &banks);
    synced(&family, &id);
    banks.set_quirks(&[Quirk::Sentences]);
    link_all(&family, &id);
    synced(&family, &id);
    let until = || -> Vec<bool> {
        banked::found(&family, &id).iter().map(|one| one["synced_until"].is_string()).collect()
    };
    let lines = || {
        let found = banked::found(&family, &id).into_iter();
        let accounts = found.map(|one| one["account_id"].as_str().expect("linked").to_owned());
        let mut lines: Vec<_> =
            accounts.flat_map(|account| banked::booked_lines(&family, &account)).collect();
        lines.sort();
        lines
    };
    assert_eq!(until().iter().filter(|is_done| !**is_done).count(), 2, "asked for again");
    let part = lines();
    banks.set_quirks(&[]);
    sync(&family, &id);
    let whole = lines();
    assert!(whole.len() > part.len() && part.iter().all(|line| whole.contains(line)));
    assert!(until().iter().all(|is_done| *is_done));
    server.run_json(&["check"], "");
}

/// Syncs leave alone what a person touched, so a person is shown what the bank never books.
#[test]
fn pending_transactions_that_the_bank_does_not_report_any_more_are_shown() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banked::with_pending(&banks));
    let (family, id) = linked(&server);
    let names = ["Credit card", "Current account", "Checking"];
    let all =
        names.map(|name| banked::transactions(&family, &banked::account_of(&family, &id, name)));
    let held = all.iter().flatten().find(|one| one["pending"] == json!(true));
    let held = held.expect("a pending row").clone();
    let path = format!("/api/v1/transactions/{}", held["id"].as_str().expect("an id"));
    family.api.patch(&path, &json!({ "notes": "Deposit" })).expect_status(200);
    let visitor = server.signed_in(&family);
    let shows = |path: &str, text: &str| visitor.get(path).expect_status(200).text().contains(text);
    assert!(!shows("/duplicates", "Not reported any more"));
    // As after two days without it.
    Sql::open(&server).run("UPDATE sync_rows SET absences = 2 WHERE pending");
    assert!(shows("/duplicates", "Not reported any more"));
    assert!(shows("/duplicates", held["id"].as_str().expect("an id")));
    let advice = "1 pending transaction that you changed is not reported by the bank any more";
    assert!(shows("/connections", advice));
}

/// A linked account keeps its currency. That the provider states another one is shown, and rows
/// without a currency wait until it is the first one again, also while no balance comes.
#[test]
fn another_currency_is_shown_and_books_nothing() {
    let banks = Banks::start();
    let server = Server::start_with(Backend::Sqlite, banks.options());
    let (family, id) = linked(&server);
    let current = |family: &Family| {
        let mut found = banked::found(family, &id).into_iter();
        found.find(|one| one["name"] == "Current account").unwrap()
    };
    let booked = |family: &Family| {
        let account = current(family)["account_id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/transactions?account_id={account}");
        family.api.get(&path).expect_status(200).json()["pagination"]["total_count"].clone()
    };
    let before = booked(&family);
    banks.set_quirks(&[Quirk::OtherCurrency, Quirk::NoCurrency]);
    banks.set_today(banks.world().today.saturating_add(jiff::ToSpan::days(4)));
    let shown = sync(&family, &id);
    assert_eq!(shown["sync"]["status_summary"], "3 synced, 1 failed", "{shown}");
    let found = current(&family);
    assert_eq!((&found["currency"], &found["other_currency"]), (&json!("EUR"), &json!("GBP")));
    let page = server.signed_in(&family).get(&format!("/connections/{id}/accounts"));
    page.expect_page(200, "states GBP, and the account is in EUR.");
    assert_eq!(booked(&family), before);
    banks.add_fault(Fault::times(3, FaultKind::Status(503), "/1001/balance"));
    sync(&family, &id);
    assert_eq!(booked(&family), before, "what it stated before holds while no balance comes");
    banks.set_quirks(&[]);
    sync(&family, &id);
    assert_eq!(current(&family)["other_currency"], json!(null));
    assert_ne!(booked(&family), before);
}
