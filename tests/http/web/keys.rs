//! API keys made on the page.

use serde_json::json;

use crate::both;
use crate::support::{Answer, Backend, Scope, Server, Sql, until};

const PASSWORD: &str = "long enough";

/// The new key that a page shows.
fn key_on(page: &Answer) -> String {
    let text = page.text();
    let (_, rest) = text.split_once(">purser_").expect("a new key");
    format!("purser_{}", rest.split('<').next().unwrap())
}

/// Adds a member to the family of an admin and signs in.
fn member(server: &Server, of: &str, email: &str) -> super::Visitor {
    let arguments = ["user", "add", "--email", email, "--family-of", of, "--password-stdin"];
    server.run_json(&arguments, &format!("{PASSWORD}\n"));
    let visitor = server.visitor();
    visitor.sign_in(email, PASSWORD).expect_redirect("/accounts");
    visitor.get("/settings/keys").expect_status(200);
    visitor
}

both! {
    fn a_key_is_shown_once_and_works_until_it_is_revoked(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let fields = [("name", "laptop"), ("scope", "read_write"), ("access", "all")];
        let page = visitor.post("/settings/keys", &fields).expect_page(200, "only this once");
        assert_eq!(page.header("Cache-Control"), Some("no-store"));
        let key = key_on(&page);
        let api = server.client().with_key(&key);
        let made = serde_json::json!({ "name": "A", "account_type": "depository" });
        api.post("/api/v1/accounts", &made).expect_status(201);
        let page = visitor.get("/settings/keys").expect_page(200, "laptop");
        assert!(!page.text().contains(&key));
        assert!(!server.log().contains(&key[7..20]));
        // The newest comes first.
        let revoke = page.text();
        let (_, rest) = revoke.split_once("action=\"/settings/keys/").unwrap();
        let path = format!("/settings/keys/{}", rest.split('"').next().unwrap());
        visitor.post(&path, &[]).expect_redirect("/settings/keys?done=key-revoked");
        api.get("/api/v1/accounts").expect_status(401);
        visitor.get("/settings/keys?done=key-revoked").expect_page(200, "no longer works");
    }

    fn a_key_can_be_limited_in_what_it_does_and_sees_and_how_long(server) {
        let family = server.family();
        let (seen, unseen) = (family.account("Seen", "depository"), family.account("Not", "loan"));
        let visitor = server.signed_in(&family);
        let fields = [
            ("name", "limited"),
            ("scope", "read"),
            ("access", "chosen"),
            ("accounts", &*seen),
            ("last_day", "2999-01-01"),
        ];
        let page = visitor.post("/settings/keys", &fields).expect_status(200);
        let key = key_on(&page);
        let api = server.client().with_key(&key);
        api.get(&format!("/api/v1/accounts/{seen}")).expect_status(200);
        api.get(&format!("/api/v1/accounts/{unseen}")).expect_status(404);
        let made = serde_json::json!({ "name": "A", "account_type": "depository" });
        api.post("/api/v1/accounts", &made).expect_status(403);
        let page = visitor.get("/settings/keys").expect_page(200, "Chosen accounts");
        assert!(page.text().contains("ends 2 Jan 2999, 00:00"), "{}", page.text());
    }

    fn problems_are_shown_and_no_key_is_made(server) {
        let family = server.family();
        let other = server.family().account("Other", "loan");
        let own = family.account("Own", "loan");
        let visitor = server.signed_in(&family);
        let fields = [("name", " "), ("scope", "read"), ("access", "all")];
        visitor.post("/settings/keys", &fields).expect_page(422, "The name must have 1 to 200");
        let fields = [("name", "x"), ("scope", "all"), ("last_day", "tomorrow")];
        let page = visitor.post("/settings/keys", &fields).expect_page(422, "This is not a day");
        assert_eq!(page.field("name").as_deref(), Some("x"));
        let fields =
            [("name", "x"), ("scope", "read"), ("access", "all"), ("last_day", "2001-01-01")];
        visitor.post("/settings/keys", &fields).expect_page(422, "is over");
        let fields = [("name", "x"), ("scope", "read"), ("access", "chosen")];
        visitor.post("/settings/keys", &fields).expect_page(422, "Choose the accounts");
        let fields = [("name", "x"), ("scope", "read"), ("access", "chosen"), ("accounts", &other)];
        visitor.post("/settings/keys", &fields).expect_page(404, "Account not found");
        // A key that is meant for some accounts never sees all.
        let fields = [("name", "x"), ("scope", "read"), ("access", "all"), ("accounts", &own)];
        let page = visitor.post("/settings/keys", &fields).expect_page(422, "Accounts are ticked");
        assert!(page.text().contains("aria-describedby=\"accounts-problem\""));
        assert!(page.text().contains(&format!("value=\"{own}\" checked")), "{}", page.text());
        for access in ["", "some", "ALL"] {
            let fields = [("name", "x"), ("scope", "read"), ("access", access)];
            let page = visitor.post("/settings/keys", &fields);
            page.expect_page(422, "Choose which accounts the key may see");
        }
        let fields = [("name", "x"), ("scope", "read")];
        let page = visitor.post("/settings/keys", &fields);
        page.expect_page(422, "Choose which accounts the key may see");
        let keys = server.run_json(&["key", "list", "--user", &family.email], "");
        assert_eq!(keys["keys"].as_array().unwrap().len(), 1, "the one of the tests");
    }

    fn members_manage_their_own_keys_and_admins_all(server) {
        let family = server.family();
        let admin = server.signed_in(&family);
        let bob = member(&server, &family.email, "bob@example.com");
        server.key("bob@example.com", Scope::Read);
        let page = admin.get("/settings/keys").expect_page(200, "of bob");
        assert_eq!(page.text().matches("/revoke\"").count(), 2);
        let page = bob.get("/settings/keys").expect_status(200);
        assert_eq!(page.text().matches("/revoke\"").count(), 1);
        let keys = server.run_json(&["key", "list", "--user", &family.email], "");
        let of_admin = keys["keys"][0]["id"].as_str().unwrap();
        let path = format!("/settings/keys/{of_admin}/revoke");
        bob.post(&path, &[]).expect_page(404, "API key not found");
        family.api.get("/api/v1/accounts").expect_status(200);
        admin.post(&path, &[]).expect_status(303);
        family.api.get("/api/v1/accounts").expect_status(401);
    }
}

/// Sends something that waits for the family; meanwhile that takes place which `change` begins.
fn sent_during(server: &Server, change: &str, send: impl FnOnce() -> Answer + Send) -> Answer {
    let (sql, other) = (Sql::open(server), Sql::open(server));
    // Until this is committed, others wait, and see what was before.
    sql.run(&format!("BEGIN; SELECT id FROM families FOR UPDATE; {change}"));
    std::thread::scope(|scope| {
        let sent = scope.spawn(send);
        until("the request to wait for the family", || {
            let waiting = "SELECT 1 FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'";
            (!other.query(waiting).is_empty()).then_some(())
        });
        sql.run("COMMIT");
        sent.join().unwrap()
    })
}

fn count(server: &Server, of: &str) -> String {
    Sql::open(server).query(&format!("SELECT CAST(COUNT(*) AS TEXT) FROM {of}"))[0][0].clone()
}

/// A form that was sent with a session is on its way to the database when that ends.
#[test]
fn a_session_that_ended_meanwhile_makes_nothing_that_outlives_it() {
    let server = Server::start(Backend::Postgres);
    let family = server.family();
    let key = [("name", "mine"), ("scope", "read_write"), ("access", "all")];
    let new = "another long one";
    let password =
        [("present_password", super::PASSWORD), ("new_password", new), ("new_password_again", new)];
    for (path, form) in [("/settings/keys", key), ("/settings/password", password)] {
        let visitor = server.signed_in(&family);
        sent_during(&server, "DELETE FROM sessions", move || visitor.post(path, &form))
            .expect_page(422, "You were signed out meanwhile");
        assert_eq!(count(&server, "sessions"), "0", "{path}");
    }
    assert_eq!(count(&server, "api_keys WHERE name = 'mine'"), "0");
    // Whatever a page writes: no handler asks for it.
    let webhook = crate::webhooks::create(&family, "https://example.org/", &["sync.failed"]);
    let account = family.account("Main", "depository");
    for (path, form) in [
        (format!("/settings/webhooks/{webhook}/active"), ("active", "false")),
        (format!("/settings/webhooks/{webhook}/test"), ("x", "")),
        (format!("/accounts/{account}/delete"), ("confirmed", "true")),
    ] {
        let visitor = server.signed_in(&family);
        let sent = &path;
        sent_during(&server, "DELETE FROM sessions", move || visitor.post(sent, &[form]))
            .expect_page(409, "You were signed out meanwhile");
    }
    assert_eq!(count(&server, "webhooks WHERE is_active"), "1");
    assert_eq!(count(&server, "webhook_deliveries"), "0");
    assert_eq!(count(&server, "accounts WHERE status = 'active'"), "1");
    server.visitor().sign_in(&family.email, super::PASSWORD).expect_redirect("/accounts");
}

/// What a key has sent is on its way to the database when the key is revoked.
#[test]
fn a_key_that_was_revoked_meanwhile_makes_nothing() {
    let server = Server::start(Backend::Postgres);
    for path in ["/api/v1/imports", "/api/v1/webhooks"] {
        let family = server.family();
        let account = family.account("Main", "depository");
        let body = match path {
            "/api/v1/webhooks" => crate::webhooks::body("https://example.org/"),
            _ => json!({ "raw_file_content": "date,amount,name\n2026-01-02,-1,A\n",
                "account_id": account, "publish": "true" }),
        };
        let revoked = "UPDATE api_keys SET revoked_at = 1";
        sent_during(&server, revoked, || family.api.post(path, &body))
            .expect_error(401, "unauthorized");
    }
    for made in ["imports", "webhooks", "files"] {
        assert_eq!(count(&server, made), "0", "{made}");
    }
    // What isn't one commit.
    let family = server.family();
    let account = family.account("Main", "depository");
    let csv = |amount: &str| format!("date,amount,name\n2026-01-02,{amount},A\n");
    let body = json!({ "raw_file_content": csv("-1"), "account_id": account });
    let import = family.api.post("/api/v1/imports", &body).expect_status(201).id();
    let path = format!("/api/v1/imports/{import}");
    let revoked = "UPDATE api_keys SET revoked_at = 1";
    let content = json!({ "raw_file_content": csv("-2") });
    sent_during(&server, revoked, || family.api.put(&format!("{path}/file"), &content))
        .expect_error(401, "unauthorized");
    assert_eq!(count(&server, "files"), "1");
    Sql::open(&server).run("UPDATE api_keys SET revoked_at = NULL");
    sent_during(&server, revoked, || {
        family.api.patch(&path, &json!({ "date_format": "%Y-%m-%d" }))
    })
    .expect_error(401, "unauthorized");
}
