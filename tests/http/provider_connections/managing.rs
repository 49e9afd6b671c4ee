//! Connections are made, changed and deleted, and their keys stay secret.

use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{API_KEY, Fault};
use serde_json::{Value, json};

use super::put::list;
use crate::both;
use crate::support::{Backend, Banks, Family, Scope, Server, Sql, sql, until};

pub(crate) const PATH: &str = "/api/v1/provider_connections";

/// A connection to simulated banks; its id.
#[track_caller]
pub(crate) fn connect(family: &Family) -> String {
    let body = json!({ "provider": "lunchflow", "key": API_KEY, "name": "Banks" });
    family.api.post(PATH, &body).expect_status(201).id()
}

/// The same through the open protocol.
#[track_caller]
pub(super) fn connect_simplefin(family: &Family, banks: &Banks) -> String {
    let body = json!({ "provider": "simplefin", "key": banks.setup_token(), "name": "Bridge" });
    family.api.post(PATH, &body).expect_status(201).id()
}

#[track_caller]
pub(crate) fn show(family: &Family, id: &str) -> Value {
    family.api.get(&format!("{PATH}/{id}")).expect_status(200).json()
}

/// The API and the command line list the providers that there are.
#[test]
fn providers_are_listed() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let listed = family.api.get("/api/v1/providers").expect_status(200).json();
    let expected = json!([
        { "provider": "lunchflow", "provider_type": "aggregator", "title": "Lunch Flow",
          "entered": "API key", "is_entered_once": false },
        { "provider": "simplefin", "provider_type": "aggregator", "title": "SimpleFIN",
          "entered": "Setup token", "is_entered_once": true },
    ]);
    assert_eq!(listed["data"], expected);
    assert_eq!(server.run_json(&["providers"], "")["providers"], expected);
    let shown = server.run(&["providers"], "").stdout;
    assert!(shown.contains("Setup token, which works once"), "{shown}");
}

/// The stored keys of all connections, in hexadecimal digits.
fn stored_keys(server: &Server) -> Vec<String> {
    let column = match server.database_url() {
        Some(_) => "encode(credentials, 'hex')",
        None => "lower(hex(credentials))",
    };
    let rows = Sql::open(server).query(&format!("SELECT {column} FROM connections"));
    assert!(!rows.is_empty());
    rows.into_iter().flatten().collect()
}

/// Whether a text is anywhere among the stored keys and answers.
fn is_stored(server: &Server, text: &str) -> bool {
    let hexadecimal: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    let answers = Sql::open(server).query("SELECT COALESCE(body, '') FROM idempotency_keys");
    stored_keys(server).iter().any(|stored| stored.contains(&hexadecimal))
        || answers.iter().flatten().any(|body| body.contains(text))
}

both! {
    fn a_key_is_tried_before_it_is_stored(
        server = Banks::shared().options().env("PURSER_LOG", "trace")
    ) {
        let family = server.family();
        let create = |body: Value| family.api.post(PATH, &body);
        let wrong = create(json!({ "provider": "lunchflow", "key": "wrong" }));
        let refused = wrong.expect_error(422, "credentials_rejected");
        assert_eq!(refused["errors"], json!(["The provider rejected the credentials"]));
        create(json!({ "provider": "plaid", "key": "x" })).expect_error(422, "validation_failed");
        create(json!({ "provider": "lunchflow" })).expect_error(422, "validation_failed");
        create(json!({ "provider": "lunchflow", "key": "  " })).expect_error(422, "validation_failed");
        assert!(list(&family).is_empty());

        let once = family.api.with_header("Idempotency-Key", "once");
        let body = json!({ "provider": "lunchflow", "key": API_KEY });
        let made = once.post(PATH, &body).expect_status(201).json();
        assert_eq!(once.post(PATH, &body).expect_status(201).json(), made);
        assert_eq!(made["name"], "Lunch Flow", "that of the provider");
        assert_eq!(made["credentials_configured"], true);
        assert_eq!(made["status"], "good");
        assert_eq!(made["pending_account_setup"], true);
        assert_eq!(
            made["accounts"],
            json!({ "total_count": 4, "linked_count": 0, "unlinked_count": 4 })
        );
        assert_eq!(list(&family).len(), 1);
        assert!(!is_stored(&server, API_KEY), "it is encrypted");
        assert!(!server.log().contains(API_KEY) && !made.to_string().contains(API_KEY));
    }

    fn who_may_make_and_see_connections(server = Banks::shared().options()) {
        let (family, other) = (server.family(), server.family());
        let path = format!("{PATH}/{}", connect(&family));
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        let body = json!({ "provider": "lunchflow", "key": API_KEY });
        reader.post(PATH, &body).expect_error(403, "insufficient_scope");
        reader.get(&path).expect_status(200);
        for below in ["", "/accounts"] {
            other.api.get(&format!("{path}{below}")).expect_error(404, "not_found");
        }
        let accounts = reader.get(&format!("{path}/accounts")).expect_status(200).json();
        let account = accounts["data"][0]["id"].as_str().unwrap();
        // Whoever knows the id of an account needs its connection, too.
        let own = connect(&other);
        for verb in ["link", "unlink", "ignore"] {
            for connection in [&path, &format!("{PATH}/{own}")] {
                let path = format!("{connection}/accounts/{account}/{verb}");
                other.api.post(&path, &json!({})).expect_error(404, "not_found");
            }
        }
        other.api.patch(&path, &json!({ "name": "taken" })).expect_error(404, "not_found");
        other.api.delete(&path).expect_error(404, "not_found");
        assert_eq!(show(&family, path.rsplit('/').next().unwrap())["name"], "Banks");
    }

    fn a_name_and_a_key_are_changed(server = Banks::shared().options()) {
        let family = server.family();
        let path = format!("{PATH}/{}", connect(&family));
        let change = |body: Value| family.api.patch(&path, &body);
        assert_eq!(change(json!({ "name": "Ours" })).expect_status(200).json()["name"], "Ours");
        change(json!({ "key": "wrong" })).expect_error(422, "credentials_rejected");
        change(json!({ "provider": "simplefin" })).expect_error(422, "validation_failed");
        let same = json!({ "provider": "lunchflow", "key": API_KEY });
        let changed = change(same).expect_status(200).json();
        assert_eq!((&changed["name"], &changed["status"]), (&json!("Ours"), &json!("good")));
        assert_eq!(changed["accounts"]["total_count"], 4);
    }

    fn a_deleted_connection_is_listed_until_it_is_gone(server = Banks::shared().options()) {
        let family = server.family();
        let id = connect(&family);
        let path = format!("{PATH}/{id}");
        until("the first sync", || {
            (show(&family, &id)["sync"]["latest"]["status"] == "completed").then_some(())
        });
        family.api.delete(&path).expect_status(200);
        let gone = |family: &Family| family.api.get(&path).status == 404;
        if let Some(connection) = list(&family).first() {
            assert_eq!(connection["scheduled_for_deletion"], true);
            assert_eq!(connection["credentials_configured"], false, "the key is gone at once");
        }
        until("the connection to be gone", || gone(&family).then_some(()));
        assert!(list(&family).is_empty());
        server.run_json(&["check"], "");
    }

    fn a_deletion_that_was_given_up_goes_on_when_somebody_asks(
        server = Banks::shared().options()
    ) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let sql = Sql::open(&server);
        let jobs = || server.run_json(&["jobs", "list"], "")["jobs"].clone();
        for (number, by) in ["request", "page", "operator"].into_iter().enumerate() {
            let id = connect(&family);
            let path = format!("{PATH}/{id}");
            until("the first sync", || {
                (show(&family, &id)["sync"]["latest"]["status"] == "completed").then_some(())
            });
            sql::refuse_removal(&server, "connections");
            family.api.delete(&path).expect_status(200);
            let given_up = until("the last try", || {
                sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
                let jobs = jobs();
                let jobs = jobs.as_array().unwrap();
                let failed = jobs.iter().filter(|job| job["state"] == "failed").count();
                let newest = jobs.iter().max_by_key(|job| job["id"].to_string()).cloned();
                newest.filter(|_| failed == number + 1)
            });
            assert_eq!(given_up["kind"], "connection.remove");
            assert_eq!(show(&family, &id)["scheduled_for_deletion"], true);
            let checked = server.run(&["check"], "");
            let named = format!("the deletion of connection {id} waits for a job");
            assert!(checked.stdout.contains(&named), "{}", checked.stdout);
            let page = visitor.get("/connections").expect_status(200).text();
            assert!(page.contains("Not deleted") && page.contains("Delete again"), "{page}");
            sql::allow(&server, "connections");
            match by {
                "request" => drop(family.api.delete(&path).expect_status(200)),
                "page" => {
                    let pressed = visitor.post(&format!("/connections/{id}/delete"), &[]);
                    pressed.expect_status(303);
                }
                _ => {
                    let retry = ["jobs", "retry", given_up["id"].as_str().unwrap()];
                    assert_eq!(server.run_json(&retry, "")["queued"], true);
                }
            }
            until("the connection to be gone", || {
                (family.api.get(&path).status == 404).then_some(())
            });
            server.run_json(&["check"], "");
        }
        // What another request did by now is nobody's wish any more.
        let jobs = jobs();
        assert_eq!(jobs.as_array().unwrap().len(), 2, "{jobs}");
        for job in jobs.as_array().unwrap() {
            let retry = ["jobs", "retry", job["id"].as_str().unwrap()];
            assert_eq!(server.run_json(&retry, "")["queued"], false);
        }
    }

    fn keys_are_encrypted_anew_beside_the_server(server = Banks::shared().options()) {
        let family = server.family();
        let id = connect(&family);
        let before = stored_keys(&server);
        let rotated = server.run_json(&["secrets", "rotate"], "");
        assert_eq!(
            rotated,
            json!({
                "resealed": 1, "current": 0, "unreadable": 0, "unreached_families": 0,
                "new_key": true,
            })
        );
        assert_ne!(stored_keys(&server), before);
        // The running server reads the new key.
        assert_eq!(show(&family, &id)["credentials_configured"], true);
        connect(&family);
        assert_eq!(server.run_json(&["secrets", "rotate"], "")["resealed"], 2);

        // A server with another key can't use what is there, and shows so.
        let options = Banks::shared().options();
        let another = "0123456789abcdef0123456789abcdef";
        assert!(server.stop().success());
        server.start_again_with(options.env("PURSER_SECRET_KEY", another));
        let connection = show(&family, &id);
        assert_eq!(connection["credentials_configured"], false);
        assert_eq!(connection["status"], "requires_update");
        let again = json!({ "key": API_KEY });
        let path = format!("{PATH}/{id}");
        let changed = family.api.patch(&path, &again).expect_status(200).json();
        assert_eq!((&changed["credentials_configured"], &changed["status"]), (&json!(true), &json!("good")));
    }
}

/// A token of the open protocol works once, and is used up by the connection that it makes.
mod token {
    use super::*;
    use crate::support::Backend;

    #[test]
    fn is_used_once_even_if_the_list_does_not_come() {
        let banks = Banks::start();
        let server = Server::start_with(Backend::Sqlite, banks.options());
        let family = server.family();
        let body = json!({ "provider": "simplefin", "key": banks.setup_token() });
        banks.add_fault(Fault::times(1, FaultKind::NotJson, "/accounts"));
        let made = family.api.post(PATH, &body).expect_status(201).json();
        assert_eq!(made["accounts"]["total_count"], 0, "the token is used up: the first run asks");
        family.api.post(PATH, &body).expect_error(422, "credentials_rejected");
        let id = made["id"].as_str().unwrap();
        until("the first sync", || {
            (show(&family, id)["accounts"]["total_count"] == 4).then_some(())
        });
        // A key that could not be tried isn't stored.
        banks.add_fault(Fault::always(FaultKind::Status(403), "/api/v1/accounts"));
        let body = json!({ "provider": "lunchflow", "key": API_KEY });
        family.api.post(PATH, &body).expect_error(422, "credentials_rejected");
        assert_eq!(list(&family).len(), 1);
    }
}
