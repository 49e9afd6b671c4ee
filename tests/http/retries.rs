//! `Idempotency-Key` of requests that die with their server, or that take long.

use jiff::SignedDuration;
use purser_store::system::{Clock as _, SystemClock};
use serde_json::json;

use crate::both;
use crate::imports::IMPORTS;
use crate::support::{Backend, Server, Sql, sql, until};

const CSV: &str = "date,amount,name\n2026-01-02,-3.50,Coffee\n";
/// How long a claim lasts without renewal.
const LEASE: SignedDuration = SignedDuration::from_secs(15);

both! {
    fn the_key_of_a_request_that_died_is_taken_up(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let client = family.api.with_header("Idempotency-Key", "died");
        let upload = json!({ "raw_file_content": CSV, "account_id": account });
        let post = || client.post(IMPORTS, &upload);
        let first = post().expect_status(201).id();
        // As if the first commit had been made, and neither the second nor the answer.
        let lease = SystemClock.now() + LEASE;
        Sql::open(&server).run(&format!(
            "UPDATE idempotency_keys SET status = NULL, body = NULL, claimed_until = {}",
            lease.as_microsecond()
        ));
        post().expect_error(409, "idempotency_key_in_use");
        server.kill();
        server.start_again();
        let again = match server.backend() {
            // No other server can have the claim.
            Backend::Sqlite => post(),
            Backend::Postgres => until("the end of the lease", || {
                let answer = post();
                (answer.status != 409).then_some(answer)
            }),
        };
        assert_eq!(again.expect_status(201).id(), first);
        assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM imports"), "1");
    }
}

/// A request that waits for a lock, longer than a claim lasts without renewal.
#[test]
fn a_claim_is_renewed_while_its_request_runs() {
    let mut server = Server::start(Backend::Postgres);
    let family = server.family();
    let client = family.api.with_header("Idempotency-Key", "long");
    let body = json!({ "name": "Savings", "account_type": "depository" });
    let lock = Sql::open(&server);
    lock.run("BEGIN; LOCK TABLE accounts IN SHARE MODE");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| client.try_post("/api/v1/accounts", &body));
        let claimed_until = || {
            let found = lock.query("SELECT claimed_until FROM idempotency_keys");
            found.first().map(|row| row[0].clone())
        };
        let first = until("the claim", claimed_until);
        until("its renewal", || claimed_until().filter(|later| *later > first));
        server.kill();
        assert!(waiting.join().expect("the request").is_none(), "nobody is left to answer");
    });
    lock.run("ROLLBACK");
    server.start_again();
    let client = family.api.with_header("Idempotency-Key", "long");
    until("the end of the lease", || {
        let answer = client.post("/api/v1/accounts", &body);
        assert!([201, 409].contains(&answer.status), "{}", answer.text());
        (answer.status == 201).then_some(())
    });
    assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM accounts"), "1");
}
