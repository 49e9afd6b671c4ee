//! What runs book: the ledger has what the banks have, whatever happens in between.

use jiff::ToSpan;
use purser_bank_simulator::Fault;
use purser_bank_simulator::misbehaviour::FaultKind;
use serde_json::json;

use super::banked::{
    Line, account_of, bank_lines, booked_lines, changes, found, linked, transactions, with_pending,
};
use super::managing::{PATH, connect};
use super::syncing::{BACKENDS, request, sync, synced};
use crate::support::{Banks, Server, Sql, State, until};

/// The accounts with transactions.
const NAMES: [&str; 3] = ["Current account", "Credit card", "Checking"];

#[test]
fn the_ledger_has_what_the_banks_have_while_days_pass() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let today = banks.world().today;
        banks.set_today(today.saturating_sub(6.days()));
        let server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let accounts = NAMES.map(|name| account_of(&family, &id, name));
        let same = |what: &str| {
            for (name, account) in NAMES.iter().zip(&accounts) {
                let bank = bank_lines(&banks, name, true, today);
                assert_eq!(booked_lines(&family, account), bank, "{what}: {name}");
            }
        };
        same("the first sync");
        let pending = |account: &String| {
            booked_lines(&family, account).iter().filter(|line| line.3).count() as u64
        };
        let pending_before: u64 = accounts.iter().map(pending).sum();
        assert!(pending_before > 0, "a pending row");
        let balance = |account: &str| {
            let shown = family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200);
            shown.json()["balance_cents"].as_i64().expect("a number")
        };
        let bank = banks.world();
        let at_bank = |name| bank.balance(super::banked::at_bank(name));
        assert_eq!(balance(&accounts[0]), at_bank(NAMES[0]));
        assert_eq!(balance(&accounts[1]), -at_bank(NAMES[1]), "what is owed");

        let before = accounts.each_ref().map(|account| transactions(&family, account));
        sync(&family, &id);
        let after = accounts.each_ref().map(|account| transactions(&family, account));
        assert_eq!(before, after, "nothing was written");
        let counts = changes(&family, &accounts[0])["counts"].clone();
        assert_eq!((&counts["added"], &counts["corrected"]), (&json!(0), &json!(0)));
        assert!(counts["known"].as_u64().unwrap() > 0, "the last days were asked for again");

        let mut booked = 0;
        for days in [3, 0] {
            banks.set_today(today.saturating_sub(days.days()));
            sync(&family, &id);
            same("days later");
            for account in &accounts {
                booked += changes(&family, account)["counts"]["booked"].as_u64().unwrap();
            }
        }
        assert!(booked >= pending_before, "{booked} of {pending_before}");
        server.run_json(&["check"], "");
    }
}

/// What a run writes about itself.
/// Accounts at the provider have the time of the list that had them last.
const RUN_TABLES: [&str; 5] =
    ["connections", "connection_accounts", "syncs", "sync_outcomes", "sync_plans"];

#[test]
fn a_sync_that_finds_nothing_new_writes_nothing_but_its_run() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let settled = || {
            let sql = Sql::open(&server);
            until("jobs", || sql.query("SELECT id FROM jobs").is_empty().then_some(()));
            State::read(&sql).without(&RUN_TABLES)
        };
        sync(&family, &id);
        let before = settled();
        sync(&family, &id);
        settled().assert_is(&before, "a sync without news");
    }
}

#[test]
fn what_people_did_stays() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let today = banks.world().today;
        banks.set_today(today.saturating_sub(3.days()));
        let server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let account = account_of(&family, &id, "Current account");
        let entries = transactions(&family, &account);
        let path =
            |at: usize| format!("/api/v1/transactions/{}", entries[at]["id"].as_str().unwrap());
        let at = entries.iter().position(|one| one["pending"] == json!(false)).expect("booked");
        family.api.delete(&path(at)).expect_status(200);
        family.api.patch(&path(at + 1), &json!({ "name": "Mine" })).expect_status(200);
        let before = booked_lines(&family, &account);

        banks.set_today(today);
        sync(&family, &id);
        let after = booked_lines(&family, &account);
        let deleted = &entries[at];
        let is_deleted =
            |line: &&Line| line.0 == deleted["date"] && line.1 == deleted["signed_amount_cents"];
        let count = |lines: &[Line]| lines.iter().filter(is_deleted).count();
        assert_eq!(count(&after), count(&before), "what was deleted stays away");
        assert!(after.iter().any(|line| line.2 == "Mine"));
        assert_eq!(after.len() + 1, bank_lines(&banks, "Current account", true, today).len());
        assert!(changes(&family, &account)["counts"]["deleted_before"].as_u64().unwrap() > 0);

        // A link that ends and begins anew asks for everything again, and knows it.
        let one = found(&family, &id).into_iter().find(|one| one["account_id"] == account);
        let link = format!("{PATH}/{id}/accounts/{}", one.unwrap()["id"].as_str().unwrap());
        family.api.post(&format!("{link}/unlink"), &json!({})).expect_status(200);
        sync(&family, &id);
        let mut stays = after.clone();
        stays.retain(|line| !line.3);
        assert_eq!(booked_lines(&family, &account), stays, "what is booked stays");
        let target = json!({ "account_id": account });
        let again = family.api.post(&format!("{link}/link"), &target).expect_status(200).json();
        assert_eq!(again["synced_until"], json!(null));
        synced(&family, &id);
        assert_eq!(booked_lines(&family, &account), after);
        server.run_json(&["check"], "");
    }
}

/// Lines as a file of the bank.
fn file_of(lines: &[Line]) -> String {
    let row = |(date, cents, name, _): &Line| {
        let sign = if *cents < 0 { "-" } else { "" };
        let cents = cents.unsigned_abs();
        format!("{date},{sign}{}.{:02},{name}\n", cents / 100, cents % 100)
    };
    format!("date,amount,name\n{}", lines.iter().map(row).collect::<String>())
}

#[test]
fn what_was_deleted_while_pending_does_not_come_back_with_a_file() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let today = banks.world().today;
        banks.set_today(today.saturating_sub(6.days()));
        let server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let account = account_of(&family, &id, "Current account");
        let pending = transactions(&family, &account);
        let pending = pending.iter().find(|one| one["pending"] == json!(true));
        let deleted = pending.expect("a pending row");
        let path = format!("/api/v1/transactions/{}", deleted["id"].as_str().unwrap());
        family.api.delete(&path).expect_status(200);

        banks.set_today(today);
        sync(&family, &id);
        let before = booked_lines(&family, &account);
        let bank = bank_lines(&banks, "Current account", false, today);
        let is_booked =
            |line: &&Line| line.1 == deleted["signed_amount_cents"] && line.2 == deleted["name"];
        let booked = bank.iter().find(is_booked).expect("a booked row");
        assert_ne!(deleted["date"], json!(booked.0), "another day than that of the pending row");
        family.import(&account, &file_of(&bank));
        assert_eq!(booked_lines(&family, &account), before);
        server.run_json(&["check"], "");
    }
}

#[test]
fn entries_of_files_are_claimed_and_rules_run_on_new_ones() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let today = banks.world().today;
        let server = Server::start_with(backend, banks.options());
        let family = server.family();
        family.api.post("/api/v1/categories", &json!({ "name": "Sweets" })).expect_status(201);
        let rule = json!({ "rule": {
            "name": "Bakeries",
            "conditions": [
                { "condition_type": "transaction_name", "operator": "like", "value": "Bakery" }
            ],
            "actions": [
                { "action_type": "set_transaction_category", "value": "Sweets" },
                { "action_type": "set_transaction_name", "value": "Baker" },
            ],
        } });
        family.api.post("/api/v1/rules", &rule).expect_status(201);
        let account = family.account_with(
            json!({ "name": "Giro", "account_type": "depository", "currency": "EUR" }),
        );
        let bank = bank_lines(&banks, "Current account", false, today);
        let grocer = bank.iter().filter(|line| line.2 == "Green Grocer");
        let lines: Vec<Line> = grocer.take(3).cloned().collect();
        assert_eq!(lines.len(), 3, "there are grocers in each history");
        let import = family.import(&account, &file_of(&lines));

        let id = connect(&family);
        synced(&family, &id);
        let one = found(&family, &id).into_iter().find(|one| one["name"] == "Current account");
        let link = format!("{PATH}/{id}/accounts/{}/link", one.unwrap()["id"].as_str().unwrap());
        family.api.post(&link, &json!({ "account_id": account })).expect_status(200);
        synced(&family, &id);
        assert_eq!(changes(&family, &account)["counts"]["claimed"], 3);
        let renamed = |lines: Vec<Line>| {
            let name =
                |name: String| if name.contains("Bakery") { "Baker".to_owned() } else { name };
            let mut lines: Vec<_> = lines
                .into_iter()
                .map(|(day, cents, text, flag)| (day, cents, name(text), flag))
                .collect();
            lines.sort();
            lines
        };
        let expected = renamed(bank);
        assert_eq!(booked_lines(&family, &account), expected);
        let ruled = transactions(&family, &account);
        let ruled: Vec<_> = ruled.iter().filter(|one| one["name"] == "Baker").collect();
        assert!(!ruled.is_empty());
        assert!(ruled.iter().all(|one| one["category"]["name"] == "Sweets"));
        // The bank has them, too: an undo of the file leaves them.
        let undo = format!("/api/v1/imports/{}/revert", import["id"].as_str().unwrap());
        family.api.post(&undo, &json!({})).expect_status(202);
        until("the undo", || {
            let path = undo.trim_end_matches("/revert");
            let import = family.api.get(path).expect_status(200).json();
            (import["data"]["status"] == "pending").then_some(())
        });
        sync(&family, &id);
        assert_eq!(booked_lines(&family, &account), expected);
        server.run_json(&["check"], "");
    }
}

#[test]
fn one_step_that_fails_moves_no_watermark_and_stops_nothing_else() {
    let banks = Banks::start();
    let today = banks.world().today;
    let server = Server::start_with(BACKENDS[0], banks.options());
    let family = server.family();
    let id = connect(&family);
    synced(&family, &id);
    banks.add_fault(Fault::always(FaultKind::NotJson, "/1001/transactions"));
    super::syncing::link_all(&family, &id);
    let connection = synced(&family, &id);
    assert_eq!(connection["sync"]["latest"]["status"], "completed");
    assert_eq!(connection["sync"]["status_summary"], "3 synced, 1 failed");
    let failed = super::syncing::failures(&family, &connection);
    assert_eq!(failed, [("Current account".to_owned(), "invalid_response".to_owned())]);
    let accounts = found(&family, &id);
    for one in &accounts {
        assert_eq!(one["synced_until"].is_null(), one["name"] == "Current account", "{one}");
        assert!(one["reported_balance"].is_string(), "the other step came");
    }
    let (current, card) =
        (account_of(&family, &id, "Current account"), account_of(&family, &id, "Credit card"));
    assert!(booked_lines(&family, &current).is_empty());
    assert_eq!(booked_lines(&family, &card), bank_lines(&banks, "Credit card", false, today));
    let shown = family.api.get(&format!("/api/v1/accounts/{current}")).expect_status(200).json();
    let bank = banks.world();
    let balance = bank.balance(super::banked::at_bank("Current account"));
    assert_eq!(shown["balance_cents"], balance, "the balance came");

    // The balance fails now: nothing becomes zero.
    banks.clear_faults();
    banks.add_fault(Fault::always(FaultKind::Status(400), "/1001/balance"));
    sync(&family, &id);
    assert_eq!(
        booked_lines(&family, &current),
        bank_lines(&banks, "Current account", false, today)
    );
    let shown = family.api.get(&format!("/api/v1/accounts/{current}")).expect_status(200).json();
    assert_eq!(shown["balance_cents"], balance);
    server.run_json(&["check"], "");
}

#[test]
fn r840_pending_transactions_that_are_not_wanted_go_unless_somebody_touched_them() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let mut server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let accounts = NAMES.map(|name| account_of(&family, &id, name));
        let pending: Vec<_> = accounts
            .iter()
            .flat_map(|account| transactions(&family, account))
            .filter(|one| one["pending"] == json!(true))
            .collect();
        assert!(!pending.is_empty());
        let path = format!("/api/v1/transactions/{}", pending[0]["id"].as_str().unwrap());
        family.api.patch(&path, &json!({ "notes": "hotel" })).expect_status(200);
        server.kill();
        server.start_again_with(banks.options());
        sync(&family, &id);
        let left: Vec<_> = accounts
            .iter()
            .flat_map(|account| transactions(&family, account))
            .filter(|one| one["pending"] == json!(true))
            .map(|one| one["id"].clone())
            .collect();
        assert_eq!(left, [pending[0]["id"].clone()]);
        server.run_json(&["check"], "");
    }
}

#[test]
fn a_sync_is_booked_whole_while_people_write() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let today = banks.world().today;
        let options = with_pending(&banks).env("PURSER_PUBLISH_PART_ROWS", "2");
        let server = Server::start_with(backend, options);
        let (family, id) = linked(&server);
        let wallet = family.account("Wallet", "depository");
        let account = account_of(&family, &id, "Current account");
        let one = found(&family, &id).into_iter().find(|one| one["account_id"] == account);
        let link = format!("{PATH}/{id}/accounts/{}", one.unwrap()["id"].as_str().unwrap());
        family.api.post(&format!("{link}/unlink"), &json!({})).expect_status(200);
        let new = family.api.post(&format!("{link}/link"), &json!({})).expect_status(200).json();
        let account = new["account_id"].as_str().unwrap().to_owned();
        let mut written = 0;
        until("the run to end", || {
            let body = json!({ "account_id": wallet, "date": today.to_string(), "amount": "1.00",
                "name": "Coffee", "nature": "expense" });
            family.api.post("/api/v1/transactions", &body).expect_status(201);
            written += 1;
            let connection = super::managing::show(&family, &id);
            (connection["sync"]["syncing"] == json!(false)).then_some(())
        });
        let expected = bank_lines(&banks, "Current account", true, today);
        assert_eq!(booked_lines(&family, &account), expected, "{written} others");
        assert_eq!(changes(&family, &account)["counts"]["added"], expected.len());
        assert_eq!(transactions(&family, &wallet).len(), written);
        request(&family, &id);
        synced(&family, &id);
        assert_eq!(changes(&family, &account)["counts"]["added"], 0);
        server.run_json(&["check"], "");
    }
}
