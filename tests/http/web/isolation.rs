//! One family never sees or changes what is another's: its ids are answered as ids of nothing.

use purser_bank_simulator::API_KEY;
use serde_json::json;

use super::Visitor;
use crate::both;
use crate::support::{Banks, Family, Server, until};

const NOTHING: &str = "0190f5f0-7c00-7a10-8000-00000000000a";

/// An account with a transaction, and the transaction's id.
fn data(family: &Family) -> (String, String) {
    let account = family.account("Secret account", "depository");
    family.import(&account, "Date,Description,Amount\n2024-01-02,Secret shop,-5.00\n");
    let listed = family.api.get("/api/v1/transactions").expect_status(200).json();
    (account, listed["transactions"][0]["id"].as_str().unwrap().to_owned())
}

fn key_of(server: &Server, family: &Family) -> String {
    let keys = server.run_json(&["key", "list", "--user", &family.email], "");
    keys["keys"][0]["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn same(visitor: &Visitor, post: bool, path: &str, id: &str) {
    let ask = |id: &str| {
        let path = path.replace("ID", id);
        let answer = if post { visitor.post(&path, &[]) } else { visitor.get(&path) };
        answer.expect_status(404).text()
    };
    let (of_other, of_nobody) = (ask(id), ask(NOTHING));
    assert_eq!(of_other, of_nobody, "{path}");
    assert_eq!(ask("nonsense"), of_nobody, "{path}");
}

both! {
    fn ids_of_another_family_are_ids_of_nothing(server) {
        let (own, other) = (server.family(), server.family());
        let (account, transaction) = data(&other);
        let key = key_of(&server, &other);
        let visitor = server.signed_in(&own);
        same(&visitor, false, "/accounts/ID", &account);
        same(&visitor, false, "/accounts/ID/edit", &account);
        same(&visitor, true, "/accounts/ID/edit", &account);
        same(&visitor, true, "/accounts/ID/balance", &account);
        same(&visitor, true, "/accounts/ID/delete", &account);
        same(&visitor, false, "/transactions/ID", &transaction);
        same(&visitor, true, "/transactions/ID", &transaction);
        same(&visitor, true, "/transactions/ID/delete", &transaction);
        same(&visitor, true, "/settings/keys/ID/revoke", &key);
        same(&visitor, true, "/transfers/ID/confirm", &transaction);
        same(&visitor, true, "/transfers/ID/reject", &transaction);
        other.api.get(&format!("/api/v1/transactions/{transaction}")).expect_status(200);
    }

    fn connections_of_another_family_are_nothing(server = Banks::shared().options()) {
        let (own, other) = (server.family(), server.family());
        let body = json!({ "provider": "lunchflow", "key": API_KEY, "name": "Secret banks" });
        let made = other.api.post("/api/v1/provider_connections", &body).expect_status(201);
        let id = made.id();
        let run = until("a run", || {
            let runs = other.api.get("/api/v1/syncs").json();
            runs["data"][0]["id"].as_str().map(str::to_owned)
        });
        let visitor = server.signed_in(&own);
        same(&visitor, false, "/connections/runs/ID", &run);
        for below in ["", "/accounts", "/edit"] {
            same(&visitor, false, &format!("/connections/ID{below}"), &id);
        }
        for below in ["accounts", "edit", "sync", "delete"] {
            same(&visitor, true, &format!("/connections/ID/{below}"), &id);
        }
        same(&visitor, true, "/connections/ID/key", &id);
        let text = visitor.get("/connections").expect_status(200).text();
        assert!(!text.contains("Secret"), "{text}");
        server.signed_in(&other).get("/connections").expect_page(200, "Secret banks");
    }

    fn no_page_shows_anything_of_another_family(server) {
        let (own, other) = (server.family(), server.family());
        let (account, _) = data(&other);
        let visitor = server.signed_in(&own);
        let filtered = format!("/transactions?account={account}");
        for path in
            ["/accounts", "/transactions", "/transfers", "/settings", "/settings/keys", &filtered]
        {
            let text = visitor.get(path).expect_status(200).text();
            assert!(!text.contains("Secret") && !text.contains(&other.email), "{path}");
        }
        let theirs = server.signed_in(&other);
        theirs.get("/accounts").expect_page(200, "Secret account");
        theirs.get(&filtered).expect_page(200, "Secret shop");
    }
}
