//! What programs that already exist send and read: their exact bodies, and the members that they
//! would stumble over.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::both;
use crate::ledger::{post_text, text};
use crate::support::Scope;

const EXAMPLE_ID: &str = "01900000-0000-7000-8000-000000000000";

both! {
    /// A command line that writes amounts as text and `upsert` on the top level.
    fn a_command_line_records_valuations(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let body = format!(
            r#"{{"valuation":{{"account_id":"{house}","amount":"770639.10",
            "date":"2026-01-12","notes":"n"}}}}"#
        );
        let made = post_text(&family.api, "/api/v1/valuations", &body).expect_status(201).json();
        let again = format!(
            r#"{{"upsert":true,"valuation":{{"account_id":"{house}","amount":"770700",
            "date":"2026-01-12"}},"format":"json","source":"cli"}}"#
        );
        let again = post_text(&family.api, "/api/v1/valuations", &again).expect_status(200).json();
        assert_eq!(again["id"], made["id"]);
        assert_eq!(again["notes"], "n");
    }

    /// A typed library: it knows three kinds, parses formatted dollars, and wants times of RFC
    /// 3339 with an offset.
    fn a_typed_library_reads_a_valuation(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let body = json!({ "valuation": { "account_id": house, "amount": "770639.10",
            "date": "2026-01-12", "notes": "n" } });
        let made = family.api.post("/api/v1/valuations", &body).expect_status(201).json();
        assert_eq!(made["amount"], "$770,639.10");
        assert!(
            ["reconciliation", "opening_anchor", "current_anchor"]
                .contains(&made["kind"].as_str().unwrap())
        );
        for name in ["created_at", "updated_at"] {
            text(&made, name).parse::<Timestamp>().unwrap();
        }
        for name in ["id", "name", "account_type"] {
            assert!(made["account"][name].is_string(), "{name}");
        }
        let page = family.api.get("/api/v1/valuations?page=1&per_page=100").json();
        assert_eq!(page["valuations"][0], made);
        for name in ["page", "per_page", "total_count", "total_pages"] {
            assert!(page["pagination"][name].is_u64(), "{name}");
        }
    }

    /// Importers that correct the balance with a number and then look for it in the accounts.
    fn an_importer_settles_a_balance_and_finds_it_at_once(server) {
        let family = server.family();
        let account = family.account("Leumi", "depository");
        family.import(&account, "Date,Description,Amount\n2026-01-05,Shop,-12.5\n");
        let body = format!(
            r#"{{"valuation":{{"account_id":"{account}","date":"2026-01-12","amount":8432.17}}}}"#
        );
        post_text(&family.api, "/api/v1/valuations", &body).expect_status(201);
        let page = family.api.get("/api/v1/accounts?page=1&per_page=100").json();
        let found = page["accounts"].as_array().unwrap().iter().find(|one| one["id"] == *account);
        let found = found.unwrap();
        assert_eq!(found["balance"], "$8,432.17");
        assert_eq!(found["balance_cents"], 843_217);
        assert_eq!(
            (&found["classification"], &found["status"]),
            (&json!("asset"), &json!("active"))
        );
        let page = family.api.get("/api/v1/transactions?search=Shop&per_page=100").json();
        let transaction = &page["transactions"][0];
        for name in ["id", "date", "amount", "currency", "name", "classification"] {
            assert!(transaction[name].is_string(), "{name}: {transaction}");
        }
        assert!(transaction["account"]["id"].is_string() && transaction["tags"].is_array());
        assert_eq!(page["pagination"]["total_pages"], 1);
    }

    /// A home dashboard: it offers gzip and can't read answers in chunks.
    fn a_dashboard_reads_answers_with_their_length(server) {
        let family = server.family();
        for number in 0..40 {
            family.account(&format!("Account {number}"), "depository");
        }
        let key = server.key(&family.email, Scope::Read);
        for path in ["accounts?per_page=100", "transactions", "valuations", "provider_connections"]
        {
            for encoding in ["gzip, deflate, br", "identity"] {
                let headers = [("X-Api-Key", key.as_str()), ("Accept-Encoding", encoding)];
                let answer = server.get_raw(&format!("/api/v1/{path}"), &headers);
                assert_eq!(answer.status, 200, "{path}");
                assert_eq!(answer.header("transfer-encoding"), None, "{path}");
                let length = answer.body.len().to_string();
                assert_eq!(answer.header("content-length"), Some(length.as_str()), "{path}");
                let long = path.starts_with("accounts") && encoding.starts_with("gzip");
                assert_eq!(answer.header("content-encoding"), long.then_some("gzip"), "{path}");
            }
        }
    }

    /// Lists of accounts as `account_ids[]=`, as text in several places of the query.
    fn a_command_line_filters_by_accounts(server) {
        let family = server.family();
        let (one, two) = (family.account("One", "depository"), family.account("Two", "depository"));
        family.import(&one, "Date,Description,Amount\n2026-01-05,a,1\n");
        family.import(&two, "Date,Description,Amount\n2026-01-05,b,1\n");
        let query = format!("account_ids%5B%5D={one}&account_ids%5B%5D={two}&page=1&per_page=25");
        let page =
            family.api.get(&format!("/api/v1/transactions?{query}")).expect_status(200).json();
        assert_eq!(page["pagination"]["total_count"], 2);
        // Or with commas; an error names what was sent.
        let count = |query: &str| {
            let page = family.api.get(&format!("/api/v1/transactions?{query}"));
            page.expect_status(200).json()["pagination"]["total_count"].clone()
        };
        assert_eq!(count(&format!("account_ids={one},{two}")), 2);
        assert_eq!(count(&format!("account_ids={one}%2C")), 1);
        for (query, name) in [
            (format!("account_ids={one},7"), "account_ids"),
            (format!("account_ids[]={one}&account_ids[]=7"), "account_ids[]"),
            (format!("account_id={one},{two}"), "account_id"),
            ("tag_ids=7".to_owned(), "tag_ids"),
        ] {
            let refused = family.api.get(&format!("/api/v1/transactions?{query}"));
            let message = &refused.expect_error(422, "validation_failed")["message"];
            let expected = format!("The {name} must be an id such as {EXAMPLE_ID}");
            assert_eq!(*message, expected);
        }
    }

    /// What a client shows its user when something fails: the status alone, or the first text of
    /// `message`, `error`, `errors`.
    fn errors_have_what_clients_show(server) {
        let family = server.family();
        let body = json!({ "valuation": { "account_id": "", "amount": "1" } });
        let refused: Value = family.api.post("/api/v1/valuations", &body).expect_status(422).json();
        assert_eq!(
            refused,
            json!({
                "error": "validation_failed",
                "message": "Account ID is required",
                "errors": ["Account ID is required"],
            })
        );
        let list = family.api.get("/api/v1/provider_connections").expect_status(200).json();
        assert_eq!(list, json!({ "data": [] }));
        let holding = "/api/v1/holdings/01900000-0000-7000-8000-000000000000";
        family.api.get(holding).expect_error(404, "not_found");
    }

    /// Programs that let people choose an icon, and show the user of the key.
    fn icons_and_the_user_of_the_key_are_listed(server) {
        let family = server.family();
        let listed = family.api.get("/api/v1/categories/icons").expect_status(200).json();
        let icons = listed["icons"].as_array().expect("a list");
        assert!(icons.contains(&listed["default"]));
        let defaults = family.api.post("/api/v1/categories/bootstrap", &json!({}));
        for category in defaults.expect_status(201).json()["categories"].as_array().unwrap() {
            assert!(icons.contains(&category["icon"]), "{category}");
        }
        let picked = json!({ "name": "Pets", "icon": icons.last() });
        let made = family.api.post("/api/v1/categories", &picked).expect_status(201).json();
        assert_eq!(made["icon"], *icons.last().unwrap());

        let user = family.api.get("/api/v1/users/me").expect_status(200).json();
        assert_eq!([&user["email"], &user["role"]], [family.email.as_str(), "admin"]);
        let settings = family.api.get("/api/v1/family_settings").expect_status(200).json();
        let expected = json!({ "id": settings["id"], "name": settings["name"] });
        assert_eq!(user["family"], expected);
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        assert_eq!(reader.get("/api/v1/users/me").expect_status(200).json(), user);
        // The address is half of what signs somebody in, and isn't in any account.
        let account = family.account("Shown", "depository");
        let made = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "one", "--account", &account],
            "",
        );
        let restricted = server.client().with_key(made["key"].as_str().unwrap());
        let shown = restricted.get("/api/v1/users/me").expect_status(200).json();
        assert_eq!(shown["id"], user["id"]);
        assert_eq!([&shown["email"], &shown["name"]], [&Value::Null; 2]);
        server.client().get("/api/v1/users/me").expect_error(401, "unauthorized");
    }

    /// What this server leaves out is answered with what to do instead, and changes nothing.
    fn what_is_left_out_is_explained(server) {
        let family = server.family();
        family.account("Main", "depository");
        for (method, path, instead) in [
            ("GET", "chats", "/api/docs"),
            ("POST", "chats", "/api/docs"),
            ("PATCH", "chats/1", "/api/docs"),
            ("POST", "chats/1/messages/retry", "/api/docs"),
            ("POST", "users/reset", "purser family delete"),
            ("DELETE", "users/reset", "purser family delete"),
            ("GET", "users/reset/status", "purser family delete"),
            ("DELETE", "users/me", "purser user deactivate"),
            ("POST", "auth/login", "X-Api-Key"),
            ("POST", "auth/signup", "X-Api-Key"),
        ] {
            let path = format!("/api/v1/{path}");
            let body = Some(("application/json", &b"{}"[..]));
            let refused = family.api.request(method, &path, body);
            let refused = refused.expect_error(403, "feature_disabled");
            let message = refused["message"].as_str().unwrap();
            assert!(message.contains(instead), "{message}");
            let stranger = server.client().request(method, &path, body);
            // Whoever would sign in has no key.
            match path.contains("/auth/") {
                true => stranger.expect_error(403, "feature_disabled"),
                false => stranger.expect_error(401, "unauthorized"),
            };
        }
        let accounts = family.api.get("/api/v1/accounts").expect_status(200).json();
        assert_eq!(accounts["pagination"]["total_count"], 1);
        family.api.get("/api/v1/users/me").expect_status(200);
        family.api.get("/api/v1/users").expect_error(404, "not_found");
        family.api.get("/api/v1/auth").expect_error(404, "not_found");
    }
}
