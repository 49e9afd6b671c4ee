//! Pages of bank connections: keys that never come back, forms sent twice, links.

use purser_bank_simulator::API_KEY;
use serde_json::{Value, json};

use super::Visitor;
use crate::both;
use crate::support::{Backend, Banks, Family, Server, until};

const PATH: &str = "/api/v1/provider_connections";

/// A connection made on the page; the path of its page.
#[track_caller]
fn connect(visitor: &Visitor) -> String {
    let fields = [("provider", "lunchflow"), ("provider_secret", API_KEY), ("name", "Ours")];
    let answer = visitor.post("/connections/new", &fields).expect_status(303);
    let target = answer.header("Location").expect("an address");
    let path = target.split("/accounts?done=connection-created").next().expect("a path");
    assert!(path.starts_with("/connections/"), "{target}");
    path.to_owned()
}

fn listed(family: &Family) -> Vec<Value> {
    let body = family.api.get(PATH).expect_status(200).json();
    body["data"].as_array().expect("a list").clone()
}

/// The accounts at the provider, after the first run has found their currencies.
fn accounts(family: &Family, page: &str) -> Vec<Value> {
    let id = page.rsplit('/').next().expect("an id");
    until("the first run", || {
        let one = family.api.get(&format!("{PATH}/{id}")).expect_status(200).json();
        (one["sync"]["latest"]["status"] == "completed").then_some(())
    });
    let body = family.api.get(&format!("{PATH}/{id}/accounts")).expect_status(200).json();
    body["data"].as_array().expect("a list").clone()
}

both! {
    fn a_key_never_comes_back(server = Banks::shared().options().env("PURSER_LOG", "trace")) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        visitor.get("/connections").expect_page(200, "Connect your banks");
        visitor.get("/connections/new").expect_page(200, "Lunch Flow (api key)");
        let canary = "canary-5c1d2e";
        let fields = [("provider", "lunchflow"), ("provider_secret", canary), ("name", "Ours")];
        let page = visitor.post("/connections/new", &fields);
        let page = page.expect_page(422, "The provider rejected the credentials.");
        assert_eq!(page.field("name").as_deref(), Some("Ours"));
        assert!(!page.text().contains(canary), "{}", page.text());
        let path = connect(&visitor);
        for below in ["", "/accounts", "/edit"] {
            let page = visitor.get(&format!("{path}{below}")).expect_status(200);
            assert!(!page.text().contains(API_KEY));
        }
        let key = format!("{path}/key");
        let page = visitor.post(&key, &[("provider_secret", canary)]);
        assert!(!page.expect_page(422, "rejected the credentials").text().contains(canary));
        visitor.get(&key).expect_redirect(&format!("{path}/edit"));
        visitor.post(&key, &[("provider_secret", " ")]).expect_page(422, "The key is required");
        visitor.post(&key, &[("provider_secret", API_KEY)]).expect_status(303);
        visitor.post("/connections/new", &[("provider", "plaid")]).expect_page(422, "must be lunchflow");
        assert!(!server.log().contains(canary) && !server.log().contains(API_KEY));
    }

    fn all_choices_are_saved_or_none(server = Banks::shared().options()) {
        let family = server.family();
        let own = family.account_with(
            json!({ "name": "checking", "account_type": "depository", "currency": "USD" })
        );
        family.account_with(json!({ "name": "House", "account_type": "property", "currency": "USD" }));
        let visitor = server.signed_in(&family);
        let path = connect(&visitor);
        let found = accounts(&family, &path);
        let what: Vec<String> =
            found.iter().map(|one| format!("what_{}", one["id"].as_str().unwrap())).collect();
        let page = visitor.get(&format!("{path}/accounts")).expect_status(200).text();
        // The account of the same name is proposed; the house can't be linked.
        assert!(page.contains(&format!("<option value=\"{own}\" selected>checking (USD)")), "{page}");
        assert!(!page.contains("House"), "{page}");

        // Two can't go to one.
        let both: Vec<(&str, &str)> = what.iter().map(|name| (name.as_str(), &*own)).collect();
        let page = visitor.post(&format!("{path}/accounts"), &both);
        page.expect_page(422, "Another account at a provider is linked to this account");
        assert_eq!(listed(&family)[0]["accounts"]["linked_count"], 0);
        let mut fields: Vec<(&str, &str)> =
            what.iter().map(|name| (name.as_str(), "ignore")).collect();
        fields[0].1 = "new";
        let type_field = what[0].replace("what_", "type_");
        let wrong = [&fields[..], &[(type_field.as_str(), "property")]].concat();
        let page = visitor.post(&format!("{path}/accounts"), &wrong);
        page.expect_page(422, "can be linked");
        assert_eq!(listed(&family)[0]["pending_account_setup"], true);

        let right = [&fields[..], &[(type_field.as_str(), "loan")]].concat();
        let target = format!("{path}?done=accounts-linked");
        visitor.post(&format!("{path}/accounts"), &right).expect_redirect(&target);
        let counts = &listed(&family)[0];
        assert_eq!(counts["accounts"]["linked_count"], 1);
        assert_eq!(counts["pending_account_setup"], false);
        visitor.get(&target).expect_page(200, "Your choice is saved.");
        // And back again.
        let all: Vec<(&str, &str)> = what.iter().map(|name| (name.as_str(), "later")).collect();
        visitor.post(&format!("{path}/accounts"), &all).expect_redirect(&target);
        assert_eq!(listed(&family)[0]["accounts"]["linked_count"], 0);
        assert_eq!(listed(&family)[0]["pending_account_setup"], true);
        server.run_json(&["check"], "");
    }

    fn a_connection_is_renamed_synced_and_deleted(server = Banks::shared().options()) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let path = connect(&visitor);
        accounts(&family, &path);
        let edit = format!("{path}/edit");
        visitor.post(&edit, &[("name", " ")]).expect_page(422, "The name is required");
        visitor.post(&edit, &[("name", "Mine")])
            .expect_redirect(&format!("{path}?done=connection-saved"));
        visitor.get(&path).expect_page(200, "Mine");
        visitor.post(&format!("{path}/sync"), &[]).expect_redirect(&path);
        visitor.get(&format!("{path}/sync")).expect_redirect(&path);
        let page = visitor.get(&path).expect_page(200, "Syncs");
        let run = page.link("/connections/runs/");
        visitor.get(&run).expect_page(200, "Sync of ");
        visitor.post(&format!("{path}/delete"), &[])
            .expect_redirect("/connections?done=connection-deleted");
        until("the connection to be gone", || {
            (visitor.get(&path).status == 404).then_some(())
        });
        visitor.get("/connections").expect_page(200, "Connect your banks");
        visitor.get(&run).expect_page(404, "Sync not found");
    }
}

/// A token works once, and however often its form is sent one connection is made of it.
#[test]
fn a_form_that_is_sent_twice_makes_one_connection() {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let banks = Banks::start();
        let server = Server::start_with(backend, banks.options());
        let family = server.family();
        let visitor = server.signed_in(&family);
        let once = visitor.get("/connections/new").expect_status(200).field("once").unwrap();
        let token = banks.setup_token();
        let fields = [
            ("provider", "simplefin"),
            ("provider_secret", token.as_str()),
            ("name", ""),
            ("once", &*once),
        ];
        let first = visitor.post("/connections/new", &fields).expect_status(303);
        let again = visitor.post("/connections/new", &fields).expect_status(303);
        assert_eq!(again.header("Location"), first.header("Location"));
        assert_eq!(listed(&family).len(), 1);
        let other = [fields[0], fields[1], fields[2]];
        visitor.post("/connections/new", &other).expect_page(422, "rejected the credentials");
        let page: &str = first.header("Location").unwrap();
        visitor.get(page).expect_page(200, "The provider accepts the key.");
        let closed = Server::start_with(
            backend,
            banks.options().env("PURSER_LUNCHFLOW_URL", "http://127.0.0.1:9/"),
        );
        let visitor = closed.signed_in(&closed.family());
        let fields = [("provider", "lunchflow"), ("provider_secret", API_KEY), ("name", "Kept")];
        let page = visitor.post("/connections/new", &fields);
        assert!((422..=503).contains(&page.status), "{}", page.text());
        assert_eq!(page.field("name").as_deref(), Some("Kept"));
    }
}
