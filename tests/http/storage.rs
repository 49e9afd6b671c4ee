//! A database that takes no writes for a while: reads go on, writes are refused with 503, and the
//! server isn't ready.

use serde_json::json;

use crate::imports::{IMPORTS, post};
use crate::support::{Backend, Options, Server, Sql, sql, until};

/// What SQLite needs to open its log, and not much more.
const FULL_BYTES: u64 = 40 * 1024;
const CSV: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n";

/// Changes a setting of the database and ends every session that has the old one.
fn set(server: &Server, sql: &Sql, setting: &str) {
    let url = server.database_url().expect("PostgreSQL");
    let (_, database) = url.rsplit_once('/').expect("a name");
    sql.run(&format!("ALTER DATABASE {database} {setting}"));
    end_sessions(sql);
}

/// Ends every session but the test's own.
fn end_sessions(sql: &Sql) {
    sql.query(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = current_user
                AND pid <> pg_backend_pid()",
    );
}

/// A page of a table of which another page is whole.
#[test]
fn a_damaged_page_stops_writes_and_is_named_once() {
    let mut server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    let row = |row| format!("2024-01-{:02},-0.01,Row {row}\n", 1 + row % 28);
    let csv = format!("Date,Amount,Name\n{}", (0..2_000).map(row).collect::<String>());
    family.import(&account, &csv);
    assert!(server.stop().success());
    damage(&server.data_folder().join("purser.db"));
    server.start_again();
    let refused = family.api.get("/api/v1/transactions?per_page=100");
    let refused = refused.expect_error(503, "unavailable");
    assert!(refused["message"].as_str().expect("text").contains("`purser check`"), "{refused}");
    let valuation = json!({ "valuation": {
        "account_id": account, "amount": "1.00", "date": "2024-01-05",
    } });
    family.api.post("/api/v1/valuations", &valuation).expect_error(503, "unavailable");
    server.client().get("/readyz").expect_error(503, "unavailable");
    family.api.get(IMPORTS).expect_status(200);
    family.api.get("/api/v1/transactions?per_page=100").expect_error(503, "unavailable");
    assert_eq!(server.log().matches("nothing is written any more").count(), 1);
    let checked = server.run(&["check"], "");
    assert!(!checked.status.success());
}

/// Overwrites the pages in which most of the entries are.
fn damage(database: &std::path::Path) {
    const PAGE_BYTES: usize = 4096;
    let mut content = std::fs::read(database).expect("the database");
    let entries = |page: &[u8]| page.windows(4).filter(|text| text == b"Row ").count();
    let mut found = 0;
    for page in content.chunks_mut(PAGE_BYTES).filter(|page| entries(page) > 5) {
        page.fill(0xFF);
        found += 1;
    }
    assert!(found > 0, "no page with entries");
    std::fs::write(database, content).expect("the database");
}

/// A server that died had a job, which can't be taken up before there is room again.
#[test]
fn a_start_on_a_full_disk_serves_reads() {
    let mut server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    let sql = Sql::open(&server);
    sql::refuse(&server, "entries");
    let id = post(&family.api, CSV, &json!({ "account_id": account, "publish": "true" }))
        .expect_status(201)
        .id();
    until("a job that waits", || {
        let waiting = "SELECT id FROM jobs WHERE state = 'queued' AND attempts > 0";
        (!sql.query(waiting).is_empty()).then_some(())
    });
    server.kill();
    // The log has more than fits, and is not moved while the test has the database open.
    sql.run(&format!(
        "UPDATE jobs SET state = 'running', lease_owner = 'dead', lease_until = run_at;
         DROP TRIGGER refuse_entries;
         CREATE TABLE filling (bytes BLOB); INSERT INTO filling VALUES (zeroblob({FULL_BYTES}));
         DROP TABLE filling"
    ));
    let options = Options::new().env("PURSER_RATE_LIMIT", "0");
    server.start_again_with(options.limit_files(FULL_BYTES));
    server.wait_for_log("jobs wait until something can be written");
    family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200);
    let import = format!("{IMPORTS}/{id}");
    let import = family.api.get(&import).expect_status(200).json()["data"].clone();
    assert_eq!(import["status"], "importing");
    post(&family.api, CSV, &json!({ "account_id": account })).expect_error(503, "unavailable");
    server.limit_files(None);
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
}

/// A connection that was lost is made again; it is no defect if a request notices it first.
#[test]
fn lost_connections_are_no_defect() {
    let server = Server::start(Backend::Postgres);
    let family = server.family();
    let account = format!("/api/v1/accounts/{}", family.account("Main", "depository"));
    let sql = Sql::open(&server);
    for _ in 0..10 {
        family.api.get(&account).expect_status(200);
        end_sessions(&sql);
        let read = family.api.get(&account);
        assert!(read.status == 200 || read.status == 503, "{}", read.text());
    }
}

/// As a standby is.
#[test]
fn a_read_only_postgres_serves_reads_and_is_not_ready() {
    let server = Server::start(Backend::Postgres);
    let family = server.family();
    let account = family.account("Main", "depository");
    let sql = Sql::open(&server);
    set(&server, &sql, "SET default_transaction_read_only = on");
    let ready = || server.client().get("/readyz");
    until("the server to be not ready", || (ready().status == 503).then_some(()));
    let reason = until("the reason", || {
        let reason = ready().expect_error(503, "unavailable");
        (reason["message"] == "The database takes no writes just now").then_some(reason)
    });
    assert_eq!(reason["error"], "unavailable");
    family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200);
    family.api.get(IMPORTS).expect_status(200);
    let refused = post(&family.api, CSV, &json!({ "account_id": account }));
    refused.expect_error(503, "unavailable");
    set(&server, &sql, "RESET default_transaction_read_only");
    until("the server to be ready", || (ready().status == 200).then_some(()));
    until("a write", || {
        let written = post(&family.api, CSV, &json!({ "account_id": account }));
        (written.status == 201).then_some(())
    });
}

#[test]
fn a_superuser_of_postgresql_is_refused_with_what_to_do_unless_accepted() {
    let server = Server::start(Backend::Postgres);
    let url = server.superuser_url();
    let check = |switch: &str| {
        let mut command = server.command();
        command.arg("check").env("PURSER_DATABASE_URL", format!("{url}?sslmode=disable"));
        command.env("PURSER_DATABASE_ALLOW_SUPERUSER", switch);
        let output = command.output().expect("the program runs");
        (output.status.success(), String::from_utf8(output.stderr).expect("text"))
    };
    for switch in ["", "off"] {
        let (done, errors) = check(switch);
        assert!(
            !done && errors.contains("The PostgreSQL role postgres is a superuser"),
            "{errors}"
        );
        assert!(errors.contains("CREATE ROLE purser LOGIN"), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    let (done, errors) = check("on");
    assert!(done && errors.contains("row-level security doesn't keep families apart"), "{errors}");
}
