//! A database that takes no writes for a while: reads go on, writes are refused with 503, and the
//! server isn't ready.

use serde_json::json;

use crate::imports::{IMPORTS, post};
use crate::support::{Backend, Server, Sql, until};

const CSV: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n";

/// Changes a setting of the database and ends every session that has the old one.
fn set(server: &Server, sql: &Sql, setting: &str) {
    let url = server.database_url().expect("PostgreSQL");
    let (_, database) = url.rsplit_once('/').expect("a name");
    sql.run(&format!("ALTER DATABASE {database} {setting}"));
    sql.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()",
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
        (reason["message"] == "The database takes no writes just now.").then_some(reason)
    });
    assert_eq!(reason["error"], "unavailable");
    family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200);
    family.api.get(IMPORTS).expect_status(200);
    let refused = post(&family.api, CSV, &json!({ "account_id": account }));
    refused.expect_error(503, "unavailable");
    set(&server, &sql, "RESET default_transaction_read_only");
    until("the server to be ready", || (ready().status == 200).then_some(()));
    family.import(&account, CSV);
}
