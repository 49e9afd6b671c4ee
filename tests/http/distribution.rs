//! `purser distribute`, with stand-ins for the functions of Citus: they move nothing, but refuse
//! what Citus refuses.

use serde_json::json;

use crate::imports::{assert_whole, publish, sql};
use crate::support::{Backend, Options, Server};

const STAND_INS: &str = include_str!("../../crates/store/src/distribution/stand_ins.sql");
const CSV: &str = "date,amount,name\n2026-01-02,-3.50,Coffee\n";

#[test]
fn a_database_in_use_is_spread_and_goes_on() {
    let mut server = Server::start(Backend::Postgres);
    let family = server.family();
    let account = family.account("Main", "depository");
    let fields = json!({ "account_id": account });
    publish(&family.api, CSV, &fields);
    let refused = |server: &Server, problem: &str| {
        let outcome = server.run(&["distribute"], "");
        assert!(!outcome.status.success() && outcome.stderr.contains(problem), "{outcome:?}");
    };
    refused(&server, "CREATE EXTENSION citus");
    sql::run(&server, STAND_INS);
    refused(&server, "stop every server");
    assert!(server.stop().success());
    let done = server.run(&["distribute"], "");
    assert!(done.status.success() && done.stdout.contains("Spread by family"), "{done:?}");
    refused(&server, "already");

    server.start_again();
    let later = "date,amount,name\n2026-01-03,-4.00,Tea\n";
    publish(&family.api, later, &fields);
    let listed = family.api.get("/api/v1/transactions").expect_status(200).json();
    assert_eq!(listed["pagination"]["total_count"], 2);
    assert_whole(&server);

    // A backup of it is one of any database.
    let backup = server.data_folder().with_file_name("backup.tar.gz");
    let backup = backup.to_str().unwrap();
    assert!(server.run(&["backup", backup], "").status.success());
    let restored = Server::prepared(Backend::Sqlite, Options::new());
    assert!(restored.run(&["restore", backup], "").status.success());
    assert_whole(&restored);

    // A table that isn't spread is no server's.
    assert!(server.stop().success());
    sql::run(
        &server,
        "DELETE FROM stand_ins.pg_dist_partition WHERE logicalrel = 'entries'::regclass",
    );
    let start = server.run(&["serve", "--listen", "127.0.0.1:0"], "");
    assert!(!start.status.success(), "{start:?}");
    assert!(start.stderr.contains("its table entries isn't spread by family"), "{start:?}");
}

#[test]
fn sqlite_is_not_spread() {
    let mut server = Server::start(Backend::Sqlite);
    assert!(server.stop().success());
    let outcome = server.run(&["distribute"], "");
    assert!(!outcome.status.success() && outcome.stderr.contains("one of SQLite"), "{outcome:?}");
}
