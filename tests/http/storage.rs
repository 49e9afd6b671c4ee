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
