//! Publishes and undos that are cut up: on SQLite, where the writer is shared by all families.
//!
//! Parts are made small here. A test that wants to look at the middle takes the writer's lock: then
//! the job stands still between two of its commits, and readers go on.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::{
    IMPORTS, all, assert_whole, balance, merged, path, post, publish, text, transactions, upload,
};
use crate::support::{Backend, Family, Options, Server, Sql, until};

const ROWS: u64 = 3_000;
/// So that there are hundreds of commits to look between.
const PART_ROWS: u64 = 10;
/// In a row, for a lock that is free for an instant.
const LOOKS: usize = 10_000;
const NEW_ACCOUNT: &str = "Found in the file";

pub(super) fn server() -> Server {
    let options =
        Options::new().env("PURSER_RATE_LIMIT", "0").env("PURSER_PUBLISH_PART_ROWS", PART_ROWS);
    Server::start_with(Backend::Sqlite, options)
}

/// Rows of 0.25 going out, each with new names.
fn csv(rows: u64) -> String {
    let mut csv = "Date,Amount,Name,Category,Tags,Account\n".to_owned();
    for row in 0..rows {
        let (day, number) = (1 + row % 28, row % 7);
        csv.push_str(&format!(
            "2024-01-{day:02},-0.25,Row {row},Top:Below {number},tag{number},{NEW_ACCOUNT}\n"
        ));
    }
    csv
}

fn cents(cents: u64) -> String {
    format!("-{}.{:02}", cents / 100, cents % 100)
}

pub(super) fn count(sql: &Sql, what: &str) -> u64 {
    sql.query(&format!("SELECT COUNT(*) FROM {what}"))[0][0].parse().expect("a number")
}

/// Stops the job in the middle of a publish or an undo, looks, and lets it go on.
pub(super) fn in_the_middle<T>(server: &Server, action: &str, look: impl FnOnce(&Sql) -> T) -> T {
    let sql = Sql::open(server);
    let hidden = format!(
        "hidden_entries h WHERE action = '{action}' AND EXISTS (SELECT 1 FROM entries e
            WHERE e.id BETWEEN h.first_id AND h.last_id)"
    );
    until("the job to be in the middle", || {
        // The lock is free for an instant between two commits: whoever pauses between two looks
        // would hardly meet it.
        let has_lock = (0..LOOKS).any(|_| sql.try_run("BEGIN IMMEDIATE"));
        let is_there = has_lock && count(&sql, &hidden) == 1;
        if has_lock && !is_there {
            sql.run("ROLLBACK");
        }
        is_there.then_some(())
    });
    let seen = look(&sql);
    sql.run("ROLLBACK");
    seen
}

pub(super) fn begin(family: &Family, csv: &str, fields: &Value) -> String {
    let fields = merged(fields, &json!({ "publish": "true" }));
    post(&family.api, csv, &fields).expect_status(201).id()
}

pub(super) fn show(family: &Family, id: &str) -> Value {
    family.api.get(&format!("{IMPORTS}/{id}")).expect_status(200).json()["data"].clone()
}

/// What a reader sees of the ledger.
pub(super) fn seen(family: &Family) -> (Vec<String>, Vec<(String, String)>) {
    let accounts = all(&family.api, "/api/v1/accounts", "accounts");
    let of = |account: &Value| {
        (text(&account["name"]).to_owned(), text(&account["balance_decimal"]).to_owned())
    };
    (transactions(family), accounts.iter().map(of).collect())
}

/// Nothing is left of a publish.
fn assert_nothing(server: &Server, family: &Family) {
    let sql = Sql::open(server);
    for table in ["hidden_entries", "entries", "entry_tags", "categories", "tags", "import_created"]
    {
        assert_eq!(count(&sql, table), 0, "{table}");
    }
    assert_eq!(seen(family), (vec![], vec![]));
    assert_whole(server);
}

fn assert_all(server: &Server, family: &Family) {
    let (transactions, accounts) = seen(family);
    assert_eq!(transactions.len() as u64, ROWS);
    assert_eq!(accounts, [(NEW_ACCOUNT.to_owned(), cents(25 * ROWS))]);
    let sql = Sql::open(server);
    assert_eq!((count(&sql, "hidden_entries"), count(&sql, "jobs")), (0, 0));
    assert_eq!((count(&sql, "categories"), count(&sql, "tags")), (8, 7));
    assert_whole(server);
}

#[test]
fn nobody_sees_half_of_a_publish_and_others_can_write_meanwhile() {
    let server = server();
    let family = server.family();
    let other = server.family();
    let id = begin(&family, &csv(ROWS), &json!({}));
    in_the_middle(&server, "publish", |sql| {
        assert!(count(sql, "categories") > 0 && count(sql, "tags") > 0);
        assert_eq!(count(sql, "accounts"), 1);
        assert_eq!(count(sql, "balances"), 0, "they are folded at the end");
        assert_eq!(seen(&family), (vec![], vec![]));
        let account = &sql.query("SELECT lower(hex(id)) FROM accounts")[0][0];
        let path = format!("/api/v1/accounts/{}", uuid::Uuid::parse_str(account).unwrap());
        family.api.get(&path).expect_error(404, "not_found");
        assert_eq!(show(&family, &id)["status"], "importing");
        // What is not there yet can't be taken for what a row stands for.
        let checked = server.run(&["check"], "");
        assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
    });
    let account = other.account("Main", "depository");
    assert_eq!(show(&family, &id)["status"], "importing", "the other family did not wait for it");
    assert_eq!(balance(&other, &account), "0.00");
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    assert_all(&server, &family);
    let plan = upload(&family.api, &csv(ROWS), &json!({}));
    assert_eq!(plan["plan"]["create_count"], 0, "{}", plan["plan"]);
}

/// How long rules take depends on the texts that they look into, not on the number of rows.
#[test]
fn rules_with_much_to_look_into_cut_a_publish_up() {
    let options = Options::new().env("PURSER_RATE_LIMIT", "0");
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let conditions = json!([{
        "condition_type": "transaction_notes", "operator": "not_like", "value": "nothing like it"
    }]);
    let actions = json!([{ "action_type": "set_transaction_name", "value": "Renamed" }]);
    let rule = json!({ "rule": { "conditions": conditions, "actions": actions } });
    family.api.post("/api/v1/rules", &rule).expect_status(201);
    // A character that is 33 bytes long when it is looked into: two dozen rows make a part.
    let notes = "\u{FDFA}".repeat(5_000);
    let mut csv = "Date,Amount,Name,Notes,Account\n".to_owned();
    for row in 1..=60 {
        csv.push_str(&format!("2024-01-01,-1,Row {row},{notes},{NEW_ACCOUNT}\n"));
    }
    let id = begin(&family, &csv, &json!({}));
    in_the_middle(&server, "publish", |_| assert_eq!(seen(&family), (vec![], vec![])));
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    let listed = all(&family.api, "/api/v1/transactions", "transactions");
    assert_eq!(listed.len(), 60);
    assert!(listed.iter().all(|one| one["name"] == "Renamed"));
    let runs = family.api.get("/api/v1/rule_runs").expect_status(200).json()["data"].clone();
    assert_eq!(runs.as_array().map(Vec::len), Some(1), "{runs}");
    let counted = (&runs[0]["transactions_processed"], &runs[0]["transactions_modified"]);
    assert_eq!(counted, (&json!(60), &json!(60)));
    assert_whole(&server);
}

#[test]
fn a_kill_in_the_middle_of_a_publish_leaves_it_whole_and_once() {
    let mut server = server();
    let family = server.family();
    let id = begin(&family, &csv(ROWS), &json!({}));
    for _ in 0..3 {
        let sql = Sql::open(&server);
        in_the_middle(&server, "publish", |_| server.signal("KILL"));
        drop(sql);
        server.kill();
        assert_whole(&server);
        server.start_again();
        assert!(!matches!(text(&show(&family, &id)["status"]), "failed" | "complete"));
    }
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    assert_all(&server, &family);
}

#[test]
fn a_failure_in_the_middle_leaves_nothing() {
    let server = server();
    let family = server.family();
    crate::support::sql::refuse_where(&server, "entries", "NEW.name = 'Row 1234'");
    let id = begin(&family, &csv(ROWS), &json!({}));
    server.wait_for_log("job failed");
    until("the job to be given back", || {
        (crate::support::sql::value(&server, "SELECT state FROM jobs") == "queued").then_some(())
    });
    assert_nothing(&server, &family);
    crate::support::sql::allow(&server, "entries");
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    assert_all(&server, &family);
}

#[test]
fn what_is_refused_in_the_middle_leaves_nothing() {
    let server = server();
    let family = server.family();
    // No account can hold both of them on one day.
    let huge = |name| format!("2024-01-01,-900000000000000,{name},Top,tag,{NEW_ACCOUNT}\n");
    let mut csv = csv(200);
    for number in 0..12 {
        csv.push_str(&huge(format!("Huge {number}")));
    }
    let id = begin(&family, &csv, &json!({}));
    let failed = family.api.wait_for_import(&id);
    assert_eq!(failed["status"], "failed", "{failed}");
    assert_nothing(&server, &family);
}

#[test]
fn fills_come_with_the_end_and_what_was_deleted_meanwhile_is_not_filled() {
    let server = server();
    let family = server.family();
    let account = family.account(NEW_ACCOUNT, "depository");
    let plain: String = csv(40)
        .lines()
        .map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    publish(&family.api, &plain, &json!({ "account_id": account }));
    let listed = all(&family.api, "/api/v1/transactions", "transactions");
    let gone = listed.iter().find(|one| one["name"] == "Row 7").expect("it is there");
    let gone = format!("/api/v1/transactions/{}", text(&gone["id"]));

    let id = begin(&family, &csv(ROWS), &json!({}));
    in_the_middle(&server, "publish", |sql| {
        assert_eq!(count(sql, "import_fills"), 0);
        assert!(transactions(&family).iter().all(|line| !line.contains('#')));
    });
    family.api.delete(&gone).expect_status(200);
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    let lines = transactions(&family);
    assert_eq!(lines.len() as u64, ROWS - 1);
    assert!(lines.iter().all(|line| line.contains('#') && line.contains("[tag")), "all filled");
    assert_eq!(balance(&family, &account), cents(25 * (ROWS - 1)));
    assert_whole(&server);
    let import = show(&family, &id);
    undo(&family.api, &import);
    let lines = transactions(&family);
    assert_eq!(lines.len(), 39);
    assert!(lines.iter().all(|line| !line.contains('#') && !line.contains('[')), "{lines:?}");
    assert_whole(&server);
}

#[test]
fn an_undo_in_parts_goes_on_after_a_kill() {
    let mut server = server();
    let family = server.family();
    let import = publish(&family.api, &csv(ROWS), &json!({}));
    let listed = all(&family.api, "/api/v1/transactions", "transactions");
    let kept = listed.iter().find(|one| one["name"] == "Row 1500").expect("it is there");
    let kept = format!("/api/v1/transactions/{}", text(&kept["id"]));
    let renamed = json!({ "transaction": { "name": "Mine" } });
    family.api.patch(&kept, &renamed).expect_status(200);

    let queued = family.api.request("POST", &path(&import, "/revert"), None).expect_status(202);
    assert_eq!(queued.json()["data"]["status"], "reverting");
    let is_left = |family: &Family| {
        let (lines, accounts) = seen(family);
        assert!(lines.len() == 1 && lines[0].contains("Mine"), "{lines:?}");
        assert_eq!(accounts, [(NEW_ACCOUNT.to_owned(), cents(25))]);
    };
    for _ in 0..2 {
        in_the_middle(&server, "undo", |_| {
            is_left(&family);
            server.signal("KILL");
        });
        server.kill();
        assert_whole(&server);
        server.start_again();
    }
    until("the end of the undo", || {
        (show(&family, text(&import["id"]))["status"] == "pending").then_some(())
    });
    is_left(&family);
    let sql = Sql::open(&server);
    assert_eq!((count(&sql, "entries"), count(&sql, "hidden_entries")), (1, 0));
    // What the one that stays has, stays.
    assert_eq!((count(&sql, "categories"), count(&sql, "tags")), (2, 1));
    let event = "audit_events WHERE action = 'import.revert' AND details LIKE '%\"removed\":2999%'";
    assert_eq!(count(&sql, event), 1);
    assert_whole(&server);
    publish_again(&family.api, &import);
    let (lines, accounts) = seen(&family);
    assert_eq!(lines.len() as u64, ROWS);
    assert_eq!(accounts, [(NEW_ACCOUNT.to_owned(), cents(25 * ROWS))]);
    assert_whole(&server);
}
