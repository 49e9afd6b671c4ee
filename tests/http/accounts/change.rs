//! Changing and deleting accounts.

use serde_json::{Value, json};

use super::balances::consistent;
use crate::both;
use crate::imports::assert_whole;
use crate::ledger::{account, balance, text, today, unlimited, value};
use crate::support::{Client, Multipart, Sql, State, until};

const PATH: &str = "/api/v1/accounts";

fn path(id: &str) -> String {
    format!("{PATH}/{id}")
}

#[track_caller]
fn change(api: &Client, id: &str, fields: &Value) -> Value {
    let changed = api.patch(&path(id), &json!({ "account": fields })).expect_status(200).json();
    assert_eq!(account(api, id), changed);
    changed
}

both! {
    fn what_is_sent_changes_and_the_rest_stays(server = unlimited()) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "investment",
            "subtype": "brokerage", "institution_name": "Bank", "opening_balance": "5" }));
        let before = account(&family.api, &id);
        let owner = family.api.get("/api/v1/usage").expect_status(200);
        assert!(owner.json().is_object());
        for (field, value) in [
            ("name", json!("New name")),
            ("subtype", json!(null)),
            ("status", json!("draft")),
            ("institution_name", json!(null)),
            ("institution_domain", json!("bank.example")),
            ("notes", json!("Joint account\nsince 2020")),
            ("notes", json!(null)),
            ("cost_method", json!("fifo")),
        ] {
            let earlier = account(&family.api, &id);
            let changed = change(&family.api, &id, &json!({ field: value }));
            assert_eq!(changed[field], value);
            for (name, kept) in earlier.as_object().unwrap() {
                if name != field && name != "updated_at" {
                    assert_eq!(&changed[name], kept, "{name} when {field} changes");
                }
            }
        }
        assert_eq!(account(&family.api, &id)["created_at"], before["created_at"]);
        let plain = family.api.put(&path(&id), &json!({ "name": "Bare" })).expect_status(200);
        assert_eq!(plain.json()["name"], "Bare");
        let nothing = family.api.patch(&path(&id), &json!({ "account": {} })).expect_status(200);
        assert_eq!(nothing.json()["name"], "Bare");
    }

    fn a_balance_is_that_of_today(server) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "opening_balance": "1234.5" }));
        family.import(&id, "Date,Description,Amount\n2026-01-02,a,-34.50\n");
        let valuations = || {
            let found = family.api.get(&format!("/api/v1/valuations?account_id={id}"));
            found.expect_status(200).json()["valuations"].as_array().unwrap().clone()
        };
        for same in [json!("1200"), json!(1200.0), json!("$1,200.00"), json!(null), json!("")] {
            let fields = json!({ "name": format!("{same}."), "balance": same });
            assert_eq!(change(&family.api, &id, &fields)["balance_decimal"], "1200.00");
        }
        assert!(valuations().is_empty(), "what is sent back sets nothing");
        for (sent, balance) in [(json!("1234.51"), "1234.51"), (json!(30.299999999999997), "30.30")] {
            let fields = json!({ "name": "Set", "balance": sent });
            assert_eq!(change(&family.api, &id, &fields)["balance_decimal"], balance);
        }
        let set = valuations();
        assert_eq!((set.len(), &set[0]["amount_decimal"]), (1, &json!("30.30")));
        assert_eq!((&set[0]["kind"], &set[0]["date"]),
            (&json!("reconciliation"), &json!(today(&family).to_string())));
        let day = format!("/api/v1/balances?account_id={id}&end_date=2026-01-02&start_date=2026-01-02");
        let day = family.api.get(&day).expect_status(200).json();
        assert_eq!(day["balances"][0]["balance_decimal"], "1200.00", "earlier days stay");
        for wrong in [json!("$1,234.51"), json!("much")] {
            let fields = json!({ "name": "Other", "balance": wrong });
            let refused = family.api.patch(&path(&id), &fields);
            let refused = refused.expect_error(422, "validation_failed");
            assert!(text(&refused, "message").contains("balance"), "{refused}");
        }
        assert_eq!(account(&family.api, &id)["name"], "Set");
        crate::imports::assert_whole(&server);
    }

    fn a_hidden_account_is_kept(server) {
        let family = server.family();
        let id = family.account("A", "depository");
        family.import(&id, "Date,Description,Amount\n2026-01-02,a,5\n");
        change(&family.api, &id, &json!({ "status": "disabled" }));
        let list = family.api.get(PATH).expect_status(200).json();
        assert_eq!(list["accounts"], json!([]));
        let found = family.api.get("/api/v1/transactions").expect_status(200).json();
        assert_eq!(found["pagination"]["total_count"], 0);
        change(&family.api, &id, &json!({ "status": "active" }));
        let found = family.api.get("/api/v1/transactions").expect_status(200).json();
        assert_eq!(found["pagination"]["total_count"], 1);
    }

    fn the_opening_can_be_changed(server = unlimited()) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "opening_balance": "100" }));
        family.import(&id, "Date,Description,Amount\n2026-01-05,a,10\n");
        let changed = |fields: Value| text(&change(&family.api, &id, &fields), "balance_decimal");
        assert_eq!(changed(json!({ "opening_balance": "200" })), "210.00");
        assert_eq!(changed(json!({ "opening_date": "2026-01-01" })), "210.00");
        assert_eq!(changed(json!({ "opening_balance": "300" })), "310.00");
        assert_eq!(
            changed(json!({ "opening_balance": "50", "opening_date": "2026-01-04" })),
            "60.00"
        );
        let valuations = family.api.get(&format!("/api/v1/valuations?account_id={id}"));
        let valuations = valuations.expect_status(200).json();
        assert_eq!(valuations["valuations"].as_array().unwrap().len(), 1);
        assert_eq!(valuations["valuations"][0]["kind"], "opening_anchor");
        assert_eq!(valuations["valuations"][0]["date"], "2026-01-04");
        let late = json!({ "account": { "opening_date": "2026-01-05" } });
        let error = family.api.patch(&path(&id), &late).expect_error(422, "validation_failed");
        assert_eq!(
            error["errors"],
            json!(["The opening_date must be before the account's first entry of 2026-01-05"])
        );
        assert_eq!(changed(json!({ "opening_date": null })), "60.00");
        family.import(&id, "Date,Description,Amount\n2020-01-05,b,1\n");
        assert_eq!(balance(&family.api, &id), "61.00");
        consistent(&server);
    }

    fn nonsense_is_refused_and_changes_nothing(server) {
        let family = server.family();
        let id = family.account("A", "depository");
        let before = account(&family.api, &id);
        let fields = json!({ "name": "", "subtype": 5, "status": "pending_deletion",
            "owner_id": "0190f5f0-7c00-7a10-8000-00000000000", "cost_method": "hifo",
            "opening_balance": "x", "opening_date": "soon", "current_balance": "1.00001" });
        let error = family.api.patch(&path(&id), &json!({ "account": fields }));
        let error = error.expect_error(422, "validation_failed");
        assert_eq!(error["errors"].as_array().unwrap().len(), 8, "{error}");
        let unknown = json!({ "owner_id": "0190f5f0-7c00-7a10-8000-00000000000a" });
        let error = family.api.patch(&path(&id), &unknown).expect_error(422, "validation_failed");
        assert_eq!(error["errors"], json!(["The owner_id is not a user of this family"]));
        assert_eq!(account(&family.api, &id), before);
        family.api.patch(&path("1"), &json!({})).expect_error(404, "not_found");
    }

    fn deleting_takes_everything_along(server = unlimited()) {
        let family = server.family();
        let kept = family.account("Kept", "depository");
        family.import(&kept, "Date,Description,Amount,Tags\n2026-01-02,a,-50,x\n");
        let sql = Sql::open(&server);
        let before = State::read(&sql);
        let gone = family.account_with(json!({ "name": "Gone", "account_type": "depository",
            "opening_balance": "7", "opening_date": "2025-01-01" }));
        family.import(
            &gone,
            "Date,Description,Amount,Tags\n2026-01-02,b,50,x\n2026-01-03,c,-5,x\n2026-01-04,d,9,\n",
        );
        value(&family.api, &gone, "2026-02-01", "12");
        let list = format!("/api/v1/transactions?account_id={gone}");
        let transactions = family.api.get(&list).expect_status(200).json();
        let [first, second] = [0, 1].map(|at| text(&transactions["transactions"][at], "id"));
        let renamed = json!({ "transaction": { "name": "Renamed" } });
        family.api.patch(&format!("/api/v1/transactions/{first}"), &renamed).expect_status(200);
        family.api.delete(&format!("/api/v1/transactions/{second}")).expect_status(200);

        family.api.delete(&path(&gone)).expect_status(200);
        family.api.get(&path(&gone)).expect_error(404, "not_found");
        family.api.delete(&path(&gone)).expect_error(404, "not_found");
        let found = family.api.get("/api/v1/transactions").expect_status(200).json();
        assert_eq!(found["pagination"]["total_count"], 1);
        consistent(&server);
        // Left is what was there, but for the record of the import and of what was done.
        let after = State::read(&sql);
        let history = ["audit_events", "families", "files", "imports", "import_mappings",
            "import_offsets", "import_plan_blocks", "import_templates", "import_created",
            "api_keys", "jobs", "categories", "tags", "accounts"];
        after.without(&history).assert_is(&before.without(&history), "what the account left");
    }

    fn an_account_of_which_a_bank_reported_holdings_goes(server = unlimited()) {
        let family = server.family();
        let id = crate::trades::broker(&family, "Depot", "100");
        let security = json!({ "ticker": "ACME" });
        family.api.post("/api/v1/securities", &security).expect_status(201);
        let sql = Sql::open(&server);
        sql.run(
            "INSERT INTO sync_holdings (family_id, account_id, source, clues, security_id)
             SELECT s.family_id, a.id, 'lunchflow', '{}', s.id
             FROM securities s JOIN accounts a ON a.family_id = s.family_id",
        );
        family.api.delete(&path(&id)).expect_status(200);
        until("the account is gone", || {
            (sql.query("SELECT COUNT(*) FROM accounts") == [["0"]]).then_some(())
        });
        assert_eq!(sql.query("SELECT COUNT(*) FROM sync_holdings"), [["0"]]);
        consistent(&server);
    }

    fn a_large_account_goes_in_the_background(server = unlimited()) {
        let family = server.family();
        let id = family.account("Large", "depository");
        let lines: String = (0..6_000)
            .map(|row| format!("2026-01-{:02},Row {row},+{}\n", row % 28 + 1, row + 1))
            .collect();
        let form = Multipart::new()
            .text("account_id", &id)
            .text("publish", "true")
            .file("file", "large.csv", "text/csv", format!("Date,Description,Amount\n{lines}").as_bytes());
        let import = family.api.post_form("/api/v1/imports", &form).expect_status(201);
        let import = text(&import.json()["data"], "id");
        family.api.wait_for_import(&import);
        family.api.delete(&path(&id)).expect_status(200);
        let found = family.api.get("/api/v1/transactions").expect_status(200).json();
        assert_eq!(found["pagination"]["total_count"], 0, "at once");
        until("the account is gone", || {
            (family.api.get(&path(&id)).status == 404).then_some(())
        });
        consistent(&server);
    }

    fn an_account_that_is_going_can_not_be_brought_back(server = unlimited()) {
        let family = server.family();
        let id = family.account("Going", "depository");
        let sql = Sql::open(&server);
        // As it stands while the job is at work: that one begins later.
        let job = "INSERT INTO jobs (id, family_id, kind, payload, dedupe_key, state, run_at,
                attempts, attempts_max, lease_token, created_at)
            SELECT id, family_id, 'account.remove', '{}', ";
        sql.run(&format!(
            "UPDATE accounts SET status = 'pending_deletion' WHERE id = {key};
             {job} 'account.remove:{id}', 'queued', created_at + 100000000, 0, 6, 0, 0
             FROM accounts WHERE id = {key}",
            key = sql.uuid(&id)
        ));
        family.api.patch(&path(&id), &json!({ "status": "active" })).expect_error(404, "not_found");
        family.api.delete(&path(&id)).expect_error(404, "not_found");
        let page = server.signed_in(&family).get("/accounts").expect_status(200);
        assert!(!page.text().contains("Going"), "a job is at work: {}", page.text());
        let valuation = json!({ "account_id": id, "amount": 1, "date": "2026-01-02" });
        let valuation = json!({ "valuation": valuation });
        family.api.post("/api/v1/valuations", &valuation).expect_error(404, "not_found");
        let entered = json!({ "account_id": id, "amount": 1, "date": "2026-01-02", "name": "x" });
        family.api.post("/api/v1/transactions", &entered).expect_error(422, "validation_failed");

        // The job was given up: whoever deletes the account again has it go on.
        sql.run("UPDATE jobs SET state = 'failed', payload = '{}' WHERE kind = 'account.remove'");
        let checked = server.run(&["check"], "");
        let named = format!("the deletion of account {id} waits for a job, but there is none");
        assert!(checked.stdout.contains(&named), "{}", checked.stdout);
        let visitor = server.signed_in(&family);
        let page = visitor.get("/accounts").expect_page(200, "Not deleted whole");
        let again = format!("/accounts/{id}/delete");
        let text = page.text();
        assert!(text.contains("Going") && text.contains(&format!("action=\"{again}\"")), "{text}");
        visitor.post(&again, &[]).expect_redirect("/accounts?done=account-deleted");
        let noted = "SELECT CAST(COUNT(*) AS TEXT) FROM audit_events
            WHERE action = 'account.remove'";
        assert_eq!(sql.query(noted)[0][0], "1", "the trail has who did it");
        until("the account to be gone", || {
            let left = "SELECT 1 FROM accounts WHERE status = 'pending_deletion'";
            sql.query(left).is_empty().then_some(())
        });
        assert!(!visitor.get("/accounts").expect_status(200).text().contains("Not deleted whole"));
        assert_whole(&server);
    }

    fn a_key_for_some_accounts_changes_those(server) {
        let family = server.family();
        let (own, other) = (family.account("Own", "depository"), family.account("O", "depository"));
        let made = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "own", "--scope", "read_write",
                "--account", &own],
            "",
        );
        let api = server.client().with_key(&text(&made, "key"));
        api.patch(&path(&own), &json!({ "name": "Mine" })).expect_status(200);
        api.patch(&path(&other), &json!({ "name": "Mine" })).expect_error(404, "not_found");
        api.delete(&path(&other)).expect_error(404, "not_found");
        api.delete(&path(&own)).expect_status(200);
        // It is a key for no account now, and not one for all.
        let list = api.get(PATH).expect_status(200).json();
        assert_eq!(list["accounts"], json!([]));
    }
}
