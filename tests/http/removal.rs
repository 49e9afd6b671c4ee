//! Removing for good: deleted imports with their files, families and users after a pause.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::accounts::consistent;
use crate::both;
use crate::isolation_data::Data;
use crate::support::{Backend, Family, Scope, Server, Sql, until};

/// The number of a family, which is also the name of its files' folder.
fn number(sql: &Sql, family: &Family) -> String {
    let found = format!("SELECT family_id FROM sign_in_names WHERE email = '{}'", family.email);
    sql.query(&found)[0][0].clone()
}

/// Every table with rows of families.
fn tables(server: &Server, sql: &Sql) -> Vec<String> {
    let found = sql.query(match server.backend() {
        Backend::Sqlite => {
            "SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND EXISTS (
                SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = 'family_id')"
        }
        Backend::Postgres => {
            "SELECT c.table_name::TEXT FROM information_schema.columns c
             JOIN information_schema.tables t ON t.table_name = c.table_name
                 AND t.table_schema = c.table_schema
             WHERE c.column_name = 'family_id' AND t.table_type = 'BASE TABLE'"
        }
    });
    assert!(found.len() > 40, "{found:?}");
    found.into_iter().map(|row| row[0].clone()).collect()
}

/// The tables that have a row of the family.
fn tables_of(server: &Server, sql: &Sql, number: &str) -> Vec<String> {
    let has_rows = |table: &String| {
        let count = format!("SELECT COUNT(*) FROM {table} WHERE family_id = {number}");
        sql.query(&count)[0][0] != "0"
    };
    tables(server, sql).into_iter().filter(has_rows).collect()
}

/// The uploaded files of a family.
fn files(server: &Server, number: &str) -> Vec<PathBuf> {
    let list = |directory: &Path| -> Vec<PathBuf> {
        let found = fs::read_dir(directory).into_iter().flatten();
        found.map(|entry| entry.unwrap().path()).collect()
    };
    let databases = list(&server.data_folder().join("files"));
    databases.iter().flat_map(|database| list(&database.join(number))).collect()
}

fn delete_family(server: &Server, family: &Family, more: &[&str]) -> Value {
    let name = family.api.get("/api/v1/family_settings").expect_status(200).json();
    let name = name["name"].as_str().unwrap().to_owned();
    server.run_json(&[&["family", "delete", &name], more].concat(), "")
}

both! {
    fn a_deleted_import_takes_its_file_and_no_other(server) {
        let family = server.family();
        let number = number(&Sql::open(&server), &family);
        let account = family.account("Giro", "depository");
        let first = family.import(&account, "date,amount,name\n2026-01-02,-1,A\n");
        // This one is kept a second time, as UTF-8.
        let second = family.import(&account, "date,amount,name\n2026-01-02,-1,B\n");
        let before = files(&server, &number).len();
        family.api.delete(&format!("/api/v1/imports/{}", first["id"].as_str().unwrap()))
            .expect_status(200);
        until("the file to go", || (files(&server, &number).len() == before - 1).then_some(()));
        let rows = format!("/api/v1/imports/{}/rows", second["id"].as_str().unwrap());
        family.api.get(&rows).expect_status(200);
        consistent(&server);
    }

    fn a_removed_family_leaves_nothing(server) {
        let (ours, theirs) = (server.family(), server.family());
        let our_data = Data::fill(&server, &ours, "opal");
        let kept = Data::fill(&server, &theirs, "amber");
        let sql = Sql::open(&server);
        let number = number(&sql, &ours);
        ours.api.delete(&format!("/api/v1/transactions/{}", our_data.transaction)).expect_status(200);
        assert!(tables_of(&server, &sql, &number).len() > 30);
        assert!(!files(&server, &number).is_empty());
        let before = kept.state(&theirs.api);

        let made = delete_family(&server, &ours, &["--after", "12h"]);
        assert!(made["deletion_at"].is_string(), "{made}");
        ours.api.get("/api/v1/accounts").expect_error(401, "unauthorized");
        let listed = server.run_json(&["user", "list", "--user", &ours.email], "");
        assert_eq!(listed["users"][0]["deletion_at"], made["deletion_at"]);
        let name = made["name"].as_str().unwrap();
        server.run_json(&["family", "undelete", name], "");
        ours.api.get("/api/v1/accounts").expect_status(200);

        delete_family(&server, &ours, &["--now"]);
        ours.api.get("/api/v1/accounts").expect_error(401, "unauthorized");
        until("the family to be gone", || {
            let left = format!("SELECT COUNT(*) FROM families WHERE id = {number}");
            (sql.query(&left)[0][0] == "0").then_some(())
        });
        assert_eq!(tables_of(&server, &sql, &number), [""; 0]);
        until("its files to be gone", || files(&server, &number).is_empty().then_some(()));
        assert_eq!(kept.state(&theirs.api), before);
        assert!(!server.run(&["family", "undelete", name], "").status.success());
        consistent(&server);
    }

    fn a_removal_that_was_given_up_waits_for_the_operator(server) {
        let mut server = server;
        let family = server.family();
        let sql = Sql::open(&server);
        let number = number(&sql, &family);
        delete_family(&server, &family, &["--after", "12h"]);
        let job = "01a225db-d2b9-74c9-852b-f062ff4d8764";
        let id = sql.uuid(job);
        sql.run(&format!(
            "INSERT INTO jobs (id, family_id, kind, payload, dedupe_key, state, run_at, attempts,
                    attempts_max, lease_token, created_at)
                VALUES ({id}, {number}, 'family.remove', '{{}}', 'family.remove', 'failed', 1, 6,
                    6, 0, 1);
             UPDATE families SET deletion_at = 1 WHERE id = {number};
             UPDATE due SET due_at = 1 WHERE family_id = {number} AND kind = 'family'"
        ));
        let looked = format!("SELECT 1 FROM due WHERE family_id = {number} AND due_at > 1");
        // At the start, and then once a minute.
        server.kill();
        server.start_again();
        until("the family to be looked at", || (!sql.query(&looked).is_empty()).then_some(()));
        // No second job that fails as the first did, every few minutes and for ever.
        let jobs = format!("SELECT state FROM jobs WHERE family_id = {number}");
        assert_eq!(sql.query(&jobs), [["failed"]]);
        let checked = server.run(&["check"], "");
        let finding = format!("the deletion of family {number} was given up");
        assert!(checked.stdout.contains(&finding), "{}", checked.stdout);
        assert_eq!(server.run_json(&["jobs", "retry", job], "")["queued"], true);
        until("the family to be gone", || {
            (sql.query("SELECT COUNT(*) FROM families")[0][0] == "0").then_some(())
        });
        consistent(&server);
    }

    fn no_family_gets_the_number_of_a_removed_one(server) {
        let gone = server.family();
        let sql = Sql::open(&server);
        let before: i64 = number(&sql, &gone).parse().unwrap();
        delete_family(&server, &gone, &["--now"]);
        until("the family to be gone", || {
            (sql.query("SELECT COUNT(*) FROM families")[0][0] == "0").then_some(())
        });
        let after: i64 = number(&sql, &server.family()).parse().unwrap();
        assert!(after > before, "{after}");
    }

    fn a_removed_user_is_gone_but_for_what_the_user_did(server) {
        let family = server.family();
        let email = "bob@example.org";
        let add = ["user", "add", "--email", email, "--password-stdin"];
        let made = server.run_json(&add, "correct horse battery staple\n");
        let user = made["id"].as_str().unwrap().to_owned();
        let account = family.account_with(
            json!({ "name": "Giro", "account_type": "depository", "owner_id": user }),
        );
        let key = server.client().with_key(&server.key(email, Scope::ReadWrite));
        let valuation = json!({ "account_id": account, "amount": "5", "date": "2026-01-02" });
        key.post("/api/v1/valuations", &valuation).expect_status(201);

        server.run_json(&["user", "delete", email, "--after", "1d"], "");
        key.get("/api/v1/accounts").expect_error(401, "unauthorized");
        server.run_json(&["user", "undelete", email], "");
        key.get("/api/v1/accounts").expect_status(200);
        server.run_json(&["user", "delete", email, "--now"], "");
        key.get("/api/v1/accounts").expect_error(401, "unauthorized");
        let sql = Sql::open(&server);
        let id = sql.uuid(&user);
        for (table, column) in
            [("users", "id"), ("sign_in_names", "user_id"), ("api_keys", "user_id"),
             ("sessions", "user_id"), ("accounts", "owner_id")]
        {
            let left = format!("SELECT COUNT(*) FROM {table} WHERE {column} = {id}");
            assert_eq!(sql.query(&left)[0][0], "0", "{table}");
        }
        let valued = family.api.get("/api/v1/valuations").expect_status(200).json();
        assert_eq!(valued["pagination"]["total_count"], 1);
        // The name is free again, and the family keeps somebody who can manage it.
        server.run_json(&add, "correct horse battery staple\n");
        let refused = server.run(&["user", "delete", &family.email, "--now"], "");
        assert!(!refused.status.success() && refused.stderr.contains("last active admin"));
        consistent(&server);
    }
}
