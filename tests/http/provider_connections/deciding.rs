//! What people look at before a sync, take back after it, and decide about.

use jiff::ToSpan;
use jiff::civil::Date;
use purser_bank_simulator::Fault;
use purser_bank_simulator::misbehaviour::FaultKind;
use serde_json::{Value, json};

use super::banked::{
    Line, account_of, bank_lines, booked_lines, changes, found, linked, transactions, with_pending,
};
use super::managing::{PATH, connect};
use super::syncing::{BACKENDS, sync, synced};
use super::undoing::until_reverted;
use crate::support::{Banks, Family, Scope, Server, Sql};

const CURRENT: &str = "Current account";

#[track_caller]
fn plan(family: &Family, id: &str) -> Vec<Value> {
    let body = family.api.get(&format!("{PATH}/{id}/plan")).expect_status(200).json();
    body["data"].as_array().expect("a list").clone()
}

#[test]
fn a_preview_shows_what_a_sync_does_and_an_undo_takes_it_back() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let today = banks.world().today;
        banks.set_today(today.saturating_sub(5.days()));
        let server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let account = account_of(&family, &id, CURRENT);
        let before = booked_lines(&family, &account);
        let until = |family: &Family| {
            let found = found(family, &id);
            found.iter().find(|one| one["name"] == CURRENT).unwrap()["synced_until"].clone()
        };
        let known_until = until(&family);

        banks.set_today(today);
        let planned = plan(&family, &id);
        assert_eq!(planned.len(), 4);
        assert_eq!(booked_lines(&family, &account), before, "nothing is written");
        let planned = planned.iter().find(|one| one["account_id"] == account).unwrap();
        let added = planned["counts"]["added"].as_u64().unwrap();
        assert!(added > 0, "{planned}");
        let news = planned["changes"].as_array().unwrap().iter();
        assert_eq!(news.filter(|one| one["reason"] == "new").count() as u64, added);
        let run = sync(&family, &id)["sync"]["latest"]["id"].as_str().unwrap().to_owned();
        assert_eq!(changes(&family, &account)["counts"], planned["counts"]);
        let after = booked_lines(&family, &account);
        let again = plan(&family, &id);
        assert!(again.iter().all(|one| one["changes"] == json!([])), "{again:?}");

        let undo = format!("/api/v1/syncs/{run}/revert");
        let shown = family.api.get(&undo).expect_status(200).json();
        assert!(shown["removed_count"].as_u64().unwrap() >= added);
        let once = family.api.with_header("Idempotency-Key", "once");
        let undone = once.post(&undo, &json!({})).expect_status(200).json();
        assert_eq!(undone["removed_count"], shown["removed_count"]);
        assert_eq!(once.post(&undo, &json!({})).expect_status(200).json(), undone);
        until_reverted(&family, &run);
        assert_eq!(booked_lines(&family, &account), before);
        assert_eq!(until(&family), known_until, "the same days are asked for again");
        assert!(changes(&family, &account)["undone_at"].is_string());
        let nothing = json!({ "removed_count": 0, "restored_count": 0, "kept_count": 0,
            "status": "reverted" });
        assert_eq!(family.api.post(&undo, &json!({})).expect_status(200).json(), nothing);
        sync(&family, &id);
        assert_eq!(booked_lines(&family, &account), after);
        server.run_json(&["check"], "");
    }
}

#[test]
fn only_the_newest_sync_is_undone_and_only_those_who_see_it_can() {
    let banks = Banks::start();
    let today = banks.world().today;
    banks.set_today(today.saturating_sub(5.days()));
    let server = Server::start_with(BACKENDS[0], banks.options());
    let (family, id) = linked(&server);
    let first = sync(&family, &id)["sync"]["latest"]["id"].clone();
    let listed = family.api.get("/api/v1/syncs").expect_status(200).json();
    let runs = listed["data"].as_array().unwrap();
    let oldest = runs.iter().rev().find(|run| run["id"] != first).unwrap();
    banks.set_today(today);
    sync(&family, &id);
    let undo = |run: &Value| format!("/api/v1/syncs/{}/revert", run.as_str().unwrap());
    // Runs that changed nothing have nothing to take back; the one that booked has later ones.
    let booked =
        runs.iter().map(|run| &run["id"]).find(|run| family.api.get(&undo(run)).status == 409);
    let booked = booked.expect("the run that booked first");
    family.api.post(&undo(booked), &json!({})).expect_error(409, "sync_not_newest");
    family.api.get(&undo(&oldest["id"])).expect_status(200);
    let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
    reader.post(&undo(booked), &json!({})).expect_error(403, "insufficient_scope");
    let other = server.family();
    other.api.post(&undo(booked), &json!({})).expect_error(404, "not_found");
    other.api.get(&format!("{PATH}/{id}/plan")).expect_error(404, "not_found");
    reader.get(&format!("{PATH}/{id}/plan")).expect_status(200);

    banks.add_fault(Fault::always(FaultKind::NotJson, "/1001/transactions"));
    let partly = plan(&family, &id);
    let current = partly.iter().find(|one| one["account_name"] == CURRENT).unwrap();
    assert_eq!(current["steps"][1]["error"]["code"], "invalid_response", "{current}");
    assert_eq!(current["changes"], json!([]));
    banks.add_fault(Fault::times(1, FaultKind::Status(401), "/accounts"));
    let refused = family.api.get(&format!("{PATH}/{id}/plan"));
    refused.expect_error(422, "credentials_rejected");
    server.run_json(&["check"], "");
}

/// Rows of the bank that are the only ones with their amount, some days ago.
fn unmistakable(bank: &[Line], today: Date) -> Vec<&Line> {
    let recent = today.saturating_sub(10.days()).to_string();
    let is_single = |line: &&Line| bank.iter().filter(|one| one.1 == line.1).count() == 1;
    bank.iter().filter(|line| line.0 < recent && line.1 < 0).filter(is_single).collect()
}

/// Labels both sides of a pair: what somebody made of the one that goes is kept where the other one
/// has nothing of its own. The category, the merchant and the tag.
fn label(family: &Family, pair: &Value) -> [Value; 3] {
    let path = |side: &str| format!("/api/v1/transactions/{}", pair[side]["id"].as_str().unwrap());
    let new = |kind: &str, name: &str| {
        let body = json!({ "name": name });
        json!(family.api.post(&format!("/api/v1/{kind}"), &body).expect_status(201).id())
    };
    let ids = [new("categories", "Sweets"), new("merchants", "Shop"), new("tags", "Trip")];
    let [category, merchant, tag] = &ids;
    let labels = json!({ "category_id": category, "tag_ids": [tag], "merchant_id": merchant,
        "notes": "theirs", "name": "Named" });
    family.api.patch(&path("duplicate"), &labels).expect_status(200);
    family.api.patch(&path("transaction"), &json!({ "notes": "mine" })).expect_status(200);
    ids
}

/// The page of pairs has the badge of each pending side.
#[track_caller]
fn require_badges(server: &Server, family: &Family, sides: usize) {
    let (sql, visitor) = (Sql::open(server), server.signed_in(family));
    for (pending, badges) in [(true, sides), (false, 0)] {
        sql.run(&format!("UPDATE entries SET pending = {}", sql.flag(pending)));
        let page = visitor.get("/duplicates").expect_status(200).text();
        assert_eq!(page.matches(r#"<span class="tag">Pending</span>"#).count(), badges);
    }
}

#[test]
fn what_may_be_one_transaction_is_merged_or_dismissed_by_a_person() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let today = banks.world().today;
        let server = Server::start_with(backend, banks.options());
        let family = server.family();
        let account = family.account_with(
            json!({ "name": "Giro", "account_type": "depository", "currency": "EUR" }),
        );
        let bank = bank_lines(&banks, CURRENT, false, today);
        let rows = unmistakable(&bank, today).into_iter().take(2);
        let two_days_later = |(day, cents, name, _): &Line| {
            let day = day.parse::<Date>().unwrap().saturating_add(2.days());
            format!("{day},-{}.{:02},{name}\n", -cents / 100, -cents % 100)
        };
        let csv: Vec<String> = rows.map(two_days_later).collect();
        family.import(&account, &format!("date,amount,name\n{}", csv.concat()));
        let typed: Vec<Value> =
            transactions(&family, &account).iter().map(|one| one["id"].clone()).collect();

        let id = connect(&family);
        synced(&family, &id);
        let one = found(&family, &id).into_iter().find(|one| one["name"] == CURRENT).unwrap();
        let link = format!("{PATH}/{id}/accounts/{}/link", one["id"].as_str().unwrap());
        family.api.post(&link, &json!({ "account_id": account })).expect_status(200);
        synced(&family, &id);
        assert_eq!(changes(&family, &account)["counts"]["suggested"], 2);
        let listed = family.api.get("/api/v1/duplicates").expect_status(200).json();
        let pairs = listed["duplicates"].as_array().expect("a list");
        assert_eq!(pairs.len(), 2, "{listed}");
        for pair in pairs {
            assert_eq!(pair["reason"], "resembles");
            assert!(typed.contains(&pair["transaction"]["id"]), "{pair}");
            assert_eq!(pair["duplicate"]["source"], "lunchflow");
        }
        require_badges(&server, &family, 4);
        let none = format!("/api/v1/duplicates?account_id={}", family.account("X", "depository"));
        assert_eq!(family.api.get(&none).expect_status(200).json()["duplicates"], json!([]));
        let path = |pair: &Value| format!("/api/v1/duplicates/{}", pair["id"].as_str().unwrap());
        let (merge, other) = (format!("{}/merge", path(&pairs[0])), server.family());
        other.api.post(&merge, &json!({})).expect_error(404, "not_found");
        other.api.delete(&path(&pairs[0])).expect_error(404, "not_found");
        let labels = label(&family, &pairs[0]);
        let before = transactions(&family, &account).len();
        assert_eq!(before, bank.len() + 2);
        let once = family.api.with_header("Idempotency-Key", "once");
        let merged = once.post(&merge, &json!({})).expect_status(200).json();
        assert_eq!(merged["id"], pairs[0]["transaction"]["id"]);
        let kept = [&merged["category"], &merged["merchant"], &merged["tags"][0]];
        assert_eq!(kept.map(|one| one["id"].clone()), labels, "{merged}");
        assert_eq!((&merged["name"], &merged["notes"]), (&json!("Named"), &json!("mine")));
        assert_eq!(once.post(&merge, &json!({})).expect_status(200).json(), merged);
        family.api.post(&merge, &json!({})).expect_error(404, "not_found");
        family.api.delete(&path(&pairs[1])).expect_status(200);
        let listed = family.api.get("/api/v1/duplicates").expect_status(200).json();
        assert_eq!(listed["duplicates"], json!([]));
        assert_eq!(transactions(&family, &account).len(), before - 1, "one is merged");
        let gone = pairs[0]["duplicate"]["id"].as_str().unwrap();
        family.api.get(&format!("/api/v1/transactions/{gone}")).expect_error(404, "not_found");

        // The bank reports both again: they are known.
        let after = booked_lines(&family, &account);
        let target = link.replace("/link", "/unlink");
        family.api.post(&target, &json!({})).expect_status(200);
        family.api.post(&link, &json!({ "account_id": account })).expect_status(200);
        synced(&family, &id);
        assert_eq!(booked_lines(&family, &account), after);
        server.run_json(&["check"], "");
    }
}
