//! Undoing an import: what goes, what stays and why, and that publishing again works.

use serde_json::{Value, json};

use super::{all, balance, both_whole, merged, path, publish, text, transactions, upload};
use crate::support::{Client, Family, Sql, until};

/// Sends the wish and waits until the undo has ended; the import.
#[track_caller]
pub(crate) fn undo(api: &Client, import: &Value) -> Value {
    let queued = api.request("POST", &path(import, "/revert"), None).expect_status(202);
    assert_eq!(queued.json()["data"]["status"], "reverting");
    let undone = until("the end of the undo", || {
        let import = api.get(&path(import, "")).expect_status(200).json()["data"].clone();
        (import["status"] != "reverting").then_some(import)
    });
    assert_eq!(undone["status"], "pending", "{undone}");
    undone
}

/// Publishes an import that is there; the import at its end.
#[track_caller]
pub(crate) fn publish_again(api: &Client, import: &Value) -> Value {
    api.request("POST", &path(import, "/publish"), None).expect_status(202);
    let import = api.wait_for_import(text(&import["id"]));
    assert_eq!(import["status"], "complete", "{import}");
    import
}

/// What an undo would do.
#[track_caller]
pub(super) fn preview(api: &Client, import: &Value) -> Value {
    api.get(&path(import, "/revert")).expect_status(200).json()["data"].clone()
}

/// The path of the only transaction that is called so.
#[track_caller]
fn found(family: &Family, name: &str) -> String {
    let listed = all(&family.api, &format!("/api/v1/transactions?search={name}"), "transactions");
    assert_eq!(listed.len(), 1, "{listed:?}");
    format!("/api/v1/transactions/{}", text(&listed[0]["id"]))
}

fn names(things: &Value) -> Vec<&str> {
    things.as_array().unwrap().iter().map(|one| text(&one["name"])).collect()
}

const CSV: &str = "Date,Amount,Name,Category,Tags,Account\n\
    2024-01-02,-1.00,Apples,Food:Fruit,home,Giro\n\
    2024-01-03,-2.00,Books,Fun,,Giro\n\
    2024-01-04,-3.00,Cider,Food:Drink,\"home,party\",Cash\n\
    2024-01-05,+9.00,Dues,,,Cash\n";

both_whole! {
    fn everything_that_it_made_goes(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let shown = preview(&family.api, &import);
        assert_eq!(shown["import_id"], import["id"]);
        assert_eq!(
            shown["transactions"],
            json!({ "removed_count": 4, "kept_count": 0, "deleted_count": 0, "kept": [] })
        );
        assert_eq!(names(&shown["accounts"]["removed"]).len(), 2);
        assert_eq!(names(&shown["tags"]["removed"]).len(), 2);
        assert_eq!(names(&shown["categories"]["removed"]).len(), 4, "both levels: {shown}");
        let undone = undo(&family.api, &import);
        assert!(transactions(&family).is_empty());
        let detail = &undone["status_detail"];
        assert_eq!(
            (&detail["publishable"], &detail["revertable"], &detail["terminal"]),
            (&json!(true), &json!(false), &json!(false))
        );
        let sql = Sql::open(&server);
        for table in [
            "accounts", "categories", "tags", "entries", "entry_tags", "balances", "entry_origins",
            "import_created", "import_fills",
        ] {
            let rows = sql.query(&format!("SELECT COUNT(*) FROM {table}"));
            assert_eq!(rows, [["0"]], "{table}");
        }
        let import = &sql.query(
            "SELECT created_count, first_entry_id IS NULL, last_entry_id IS NULL,
                completed_at IS NULL FROM imports",
        )[0];
        assert_eq!(import[0], "0");
        assert!(import[1..].iter().all(|is_null| ["1", "t"].contains(&is_null.as_str())));
    }

    fn publishing_again_gives_the_same_ledger(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let before = transactions(&family);
        for _ in 0..2 {
            undo(&family.api, &import);
            assert!(transactions(&family).is_empty());
            publish_again(&family.api, &import);
            assert_eq!(transactions(&family), before);
        }
    }

    fn what_was_changed_since_stays_and_is_recognised(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let apples = found(&family, "Apples");
        let change = json!({ "name": "Pears", "amount": "1.50" });
        family.api.patch(&apples, &change).expect_status(200);
        let noted = json!({ "notes": "paid" });
        family.api.patch(&found(&family, "Dues"), &noted).expect_status(200);
        let before = transactions(&family);
        let shown = preview(&family.api, &import);
        assert_eq!(shown["transactions"]["removed_count"], 2);
        assert_eq!(shown["transactions"]["kept_count"], 2);
        let kept = &shown["transactions"]["kept"][0];
        assert_eq!(
            (&kept["name"], &kept["amount_decimal"], &kept["date"], &kept["reason"]),
            (
                &json!("Pears"),
                &json!("1.50"),
                &json!("2024-01-02"),
                &json!("Its amount and name were changed since the import")
            )
        );
        let reason = &shown["transactions"]["kept"][1]["reason"];
        assert_eq!(reason, "It was changed since the import");
        assert_eq!(names(&shown["accounts"]["removed"]), Vec::<&str>::new());
        assert_eq!(shown["accounts"]["kept"][0]["reason"], "it has other transactions");
        let mut stay = names(&shown["categories"]["kept"]);
        stay.sort_unstable();
        assert_eq!(stay, ["Food", "Fruit"]);
        undo(&family.api, &import);
        assert_eq!(
            transactions(&family),
            ["2024-01-02 -1.50 USD Pears #Fruit [home] @Giro", "2024-01-05 9.00 USD Dues @Cash"]
        );
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), before);
        // What stayed is no longer the import's own, and was changed besides.
        undo(&family.api, &import);
        assert_eq!(transactions(&family).len(), 2);
    }

    fn what_was_deleted_stays_deleted(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-02,-1.00,A\n2024-01-03,-1.00,B\n";
        let fields = json!({ "account_id": account });
        let import = publish(&family.api, csv, &fields);
        family.api.delete(&found(&family, "B")).expect_status(200);
        let twice = all(&family.api, "/api/v1/transactions?search=A", "transactions");
        let one = format!("/api/v1/transactions/{}", text(&twice[0]["id"]));
        family.api.delete(&one).expect_status(200);
        let left = ["2024-01-02 -1.00 USD A @Main"];
        assert_eq!(transactions(&family), left);
        // The same file again brings nothing, nor does a larger one bring them back.
        publish(&family.api, csv, &fields);
        assert_eq!(transactions(&family), left);
        let shown = preview(&family.api, &import);
        assert_eq!(
            (&shown["transactions"]["removed_count"], &shown["transactions"]["deleted_count"]),
            (&json!(1), &json!(2))
        );
        undo(&family.api, &import);
        assert!(transactions(&family).is_empty());
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), left);
        assert_eq!(balance(&family, &account), "-1.00");
    }

    fn fills_are_taken_back_unless_changed(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let plain = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-03,-2.00,B\n2024-01-04,+3,C\n";
        publish(&family.api, plain, &fields);
        let before = transactions(&family);
        let rich = "Date,Amount,Name,Category,Tags,Notes\n\
            2024-01-02,-1.00,A,Food,home,n\n2024-01-03,-2.00,B,Fun,,m\n2024-01-04,+3,C,Pay,x,o\n";
        let import = publish(&family.api, rich, &fields);
        let filled = transactions(&family);
        assert_eq!(filled[0], "2024-01-02 -1.00 USD A #Food [home] @Main");
        assert_eq!(preview(&family.api, &import)["fills"]["taken_back_count"], 3);
        undo(&family.api, &import);
        assert_eq!(transactions(&family), before);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), filled);
        let b = found(&family, "B");
        family.api.patch(&b, &json!({ "notes": "mine" })).expect_status(200);
        let shown = preview(&family.api, &import);
        assert_eq!(shown["fills"]["taken_back_count"], 3, "of B the category");
        assert_eq!(shown["fills"]["kept_count"], 1);
        assert_eq!(shown["fills"]["kept"][0]["fields"], json!(["notes"]));
        undo(&family.api, &import);
        assert_eq!(transactions(&family), before);
        assert_eq!(family.api.get(&b).json()["notes"], "mine");
        assert!(all(&family.api, "/api/v1/transactions?search=mine", "transactions").len() == 1);
    }

    fn what_others_use_stays(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let more = "Date,Amount,Name,Category,Tags,Account\n2024-02-01,-5,E,Fun,party,Cash\n";
        publish(&family.api, more, &json!({}));
        undo(&family.api, &import);
        assert_eq!(
            transactions(&family),
            ["2024-02-01 -5.00 USD E #Fun [party] @Cash"]
        );
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        assert_eq!(accounts.iter().map(|one| text(&one["name"])).collect::<Vec<_>>(), ["Cash"]);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family).len(), 5);
    }

    fn accounts_that_somebody_uses_stay(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        let id = |name: &str| {
            let found = accounts.iter().find(|one| one["name"] == name);
            text(&found.unwrap()["id"]).to_owned()
        };
        let valued = json!({ "valuation": { "account_id": id("Cash"), "amount": "7",
            "date": "2024-01-09" } });
        family.api.post("/api/v1/valuations", &valued).expect_status(201);
        let other = upload(
            &family.api,
            "Date,Amount,Name\n2024-03-01,+1,X\n",
            &json!({ "account_id": id("Giro") }),
        );
        let shown = preview(&family.api, &import);
        let kept = shown["accounts"]["kept"].as_array().unwrap();
        let reason = |name: &str| {
            let found = kept.iter().find(|one| one["name"] == name);
            text(&found.unwrap()["reason"]).to_owned()
        };
        assert_eq!(reason("Cash"), "it has valuations");
        assert_eq!(reason("Giro"), "another import goes into it");
        undo(&family.api, &import);
        assert_eq!(all(&family.api, "/api/v1/accounts", "accounts").len(), 2);
        assert_eq!(balance(&family, &id("Cash")), "7.00");
        assert_eq!(balance(&family, &id("Giro")), "0.00");
        publish_again(&family.api, &other);
    }

    fn transfers_go_with_their_sides(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off'");
        let import = publish(&family.api, CSV, &json!({}));
        let older = publish(
            &family.api,
            "Date,Amount,Name,Account\n2024-03-01,+1,X,Giro\n2024-03-01,-1,Y,Cash\n",
            &json!({}),
        );
        let sql = Sql::open(&server);
        let id = |name| {
            let path = found(&family, name);
            sql.uuid(path.rsplit('/').next().unwrap())
        };
        let [apples, dues, x, y] = ["Apples", "Dues", "X", "Y"].map(id);
        let of = "(SELECT MAX(family_id) FROM accounts)";
        let mine = sql.uuid("0190f5f0-7c00-7a10-8000-00000000beef");
        for (id, out, inn) in [(&apples, &apples, &dues), (&x, &y, &x), (&mine, &apples, &x)] {
            sql.run(&format!(
                "INSERT INTO transfers
                 VALUES ({of}, {id}, {out}, {inn}, 'pending', 'matching', 50, '[]', 1, 1, NULL)"
            ));
        }
        family.api.patch(&found(&family, "Dues"), &json!({ "notes": "n" })).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(sql.query("SELECT COUNT(*) FROM transfers"), [["1"]]);
        undo(&family.api, &older);
        assert_eq!(sql.query("SELECT COUNT(*) FROM transfers"), [["0"]]);
    }

    fn only_what_is_published_can_be_undone(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-01-02,-1.00,A\n";
        let import = upload(&family.api, csv, &json!({ "account_id": account }));
        let refuse = || {
            let refused = family
                .api
                .request("POST", &path(&import, "/revert"), None)
                .expect_error(422, "not_revertable");
            assert_eq!(refused["import_id"], import["id"]);
            assert_eq!(refused["message"], "The import is pending");
            family.api.get(&path(&import, "/revert")).expect_error(422, "not_revertable");
        };
        refuse();
        publish_again(&family.api, &import);
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let revert = || family.api.request("POST", &path(&import, "/revert"), None).status;
            let threads: Vec<_> = (0..6).map(|_| scope.spawn(revert)).collect();
            threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 202).count(), 1, "{statuses:?}");
        until("the end of the undo", || {
            let import = family.api.get(&path(&import, "")).json()["data"].clone();
            (import["status"] == "pending").then_some(())
        });
        refuse();
        assert!(transactions(&family).is_empty());
    }

    fn a_failed_undo_is_shown_and_can_be_tried_again(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let before = transactions(&family);
        // An entry of the import that no undo knows about: a foreign key is in the way of its tag.
        let sql = Sql::open(&server);
        sql.run(
            "UPDATE jobs SET attempts_max = 1;
             CREATE TABLE planted (family_id BIGINT NOT NULL, tag_id BLOB_OR_UUID NOT NULL,
                FOREIGN KEY (family_id, tag_id) REFERENCES tags (family_id, id));
             INSERT INTO planted SELECT family_id, id FROM tags"
                .replace("BLOB_OR_UUID", match &sql {
                    Sql::Sqlite(_) => "BLOB",
                    Sql::Postgres(_) => "UUID",
                })
                .as_str(),
        );
        family.api.request("POST", &path(&import, "/revert"), None).expect_status(202);
        until("the job to be on its last try", || {
            sql.run("UPDATE jobs SET attempts_max = 1, run_at = 0");
            let import = family.api.get(&path(&import, "")).json()["data"].clone();
            (import["status"] == "revert_failed").then_some(())
        });
        let failed = family.api.get(&path(&import, "")).json()["data"].clone();
        assert!(text(&failed["error"]).starts_with("The import could not be undone"), "{failed}");
        assert_eq!(failed["status_detail"]["revertable"], true);
        assert_eq!(transactions(&family), before);
        sql.run("DROP TABLE planted");
        undo(&family.api, &import);
        assert!(transactions(&family).is_empty());
    }

    fn a_deleted_import_leaves_the_ledger(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let before = transactions(&family);
        family.api.delete(&path(&import, "")).expect_status(200);
        family.api.get(&path(&import, "")).expect_error(404, "not_found");
        family.api.delete(&path(&import, "")).expect_error(404, "not_found");
        family.api.get(&path(&import, "/revert")).expect_error(404, "not_found");
        assert_eq!(transactions(&family), before);
        let sql = Sql::open(&server);
        for table in [
            "imports", "files", "import_offsets", "import_mappings", "import_created",
            "import_fills", "import_plan_blocks", "import_row_edits", "import_statements",
        ] {
            let rows = sql.query(&format!("SELECT COUNT(*) FROM {table}"));
            assert_eq!(rows, [["0"]], "{table}");
        }
        // Its rows are still recognised.
        publish(&family.api, CSV, &json!({}));
        assert_eq!(transactions(&family), before);
    }

    fn what_is_at_work_can_not_be_deleted(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let sql = Sql::open(&server);
        for status in ["importing", "reverting"] {
            sql.run(&format!("UPDATE imports SET status = '{status}'"));
            family.api.delete(&path(&import, "")).expect_error(409, "import_in_progress");
        }
        sql.run("UPDATE imports SET status = 'complete'");
        let pending = upload(&family.api, CSV, &merged(&json!({}), &json!({})));
        family.api.delete(&path(&pending, "")).expect_status(200);
        undo(&family.api, &import);
    }

    fn the_command_line_undoes_beside_the_server_and_without_it(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let id = text(&import["id"]);
        let listed = server.run_json(&["imports", "--status", "complete"], "");
        assert_eq!(listed["imports"][0]["id"], import["id"]);
        let shown = server.run(&["undo", id, "--dry-run"], "");
        assert!(shown.status.success(), "{}", shown.stderr);
        assert!(shown.stdout.starts_with("4 transactions go\n"), "{}", shown.stdout);
        assert_eq!(transactions(&family).len(), 4);
        let undone = server.run_json(&["undo", id], "");
        assert_eq!(undone["status"], "pending");
        assert!(transactions(&family).is_empty());
        let again = server.run(&["undo", id], "");
        assert!(!again.status.success());
        assert!(again.stderr.contains("The import is pending"), "{}", again.stderr);
        publish_again(&family.api, &import);
        server.stop();
        let undone = server.run(&["undo", id], "");
        assert!(undone.status.success(), "{}", undone.stderr);
        assert!(undone.stdout.starts_with("4 transactions of the import"), "{}", undone.stdout);
        let table = server.run(&["imports"], "");
        assert!(table.stdout.contains("pending"), "{}", table.stdout);
        let wrong = server.run(&["undo", "x"], "");
        assert!(wrong.stderr.contains("Import not found"), "{}", wrong.stderr);
    }
}
