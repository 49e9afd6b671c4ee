//! Families are spread over machines, and one of those is gone or hangs: the connections of
//! families on the others are synced, and their webhooks are sent.
//!
//! There is no such database here. A policy of PostgreSQL answers for the machine that is gone: it
//! fails with its error whenever a transaction for the family, or for all families, comes to a row
//! of the family. One that hangs is a lock that nobody gives back.

use serde_json::{Value, json};

use crate::provider_connections::{PATH, connect, request, show, synced};
use crate::support::{Backend, Banks, Family, Server, Sql, until};
use crate::webhooks::receiver::Receiver;
use crate::webhooks::{create, deliveries};

/// A family with a connection that was synced, and a webhook that was sent that.
struct Member {
    family: Family,
    number: String,
    connection: String,
    webhook: String,
}

impl Member {
    fn new(server: &Server, receiver: &Receiver) -> Self {
        let family = server.family();
        let webhook = create(&family, &receiver.origin, &["sync.finished"]);
        let connection = connect(&family);
        synced(&family, &connection);
        let number = Sql::open(server).query(&format!(
            "SELECT family_id FROM sign_in_names WHERE email = '{}'",
            family.email
        ));
        let member = Self { family, number: number[0][0].clone(), connection, webhook };
        member.until_sent();
        member
    }

    /// Waits until all deliveries were accepted; how many those are.
    fn until_sent(&self) -> usize {
        until("the deliveries", || {
            let all = deliveries(&self.family, &self.webhook);
            let is_sent = |one: &Value| one["status"] == "delivered";
            (!all.is_empty() && all.iter().all(is_sent)).then_some(all.len())
        })
    }

    /// Requests a run, and waits for it and its delivery.
    fn sync_and_send(&self) {
        let before = self.until_sent();
        let run = request(&self.family, &self.connection)["id"].clone();
        let connection = synced(&self.family, &self.connection);
        assert_eq!(connection["sync"]["latest"]["id"], run);
        assert_eq!(connection["sync"]["latest"]["status"], "completed");
        until("another delivery", || (self.until_sent() > before).then_some(()));
    }

    /// The connection and a delivery are due since long ago.
    fn make_due(&self) -> String {
        let number = &self.number;
        format!(
            "UPDATE connections SET next_attempt_at = 1 WHERE family_id = {number};
             UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = 1,
                completed_at = NULL WHERE family_id = {number};
             INSERT INTO due VALUES ({number}, 'sync', 1, 0), ({number}, 'webhook', 1, 0)
                ON CONFLICT (family_id, kind) DO UPDATE SET due_at = 1;"
        )
    }

    /// Waits until the server has tried in vain to sync the connection and to send the delivery.
    fn until_put_off(&self, sql: &Sql) {
        let query =
            format!("SELECT kind FROM due WHERE attempts > 0 AND family_id = {}", self.number);
        until("the server to put the family off", || (sql.query(&query).len() == 2).then_some(()));
    }

    fn newest_run(&self) -> Value {
        show(&self.family, &self.connection)["sync"]["latest"]["id"].clone()
    }
}

/// Two families, with what makes the rows of the first unreachable, and what ends that.
fn check_others_go_on(strike: impl Fn(&Server, &[Member; 2]) -> Sql, heal: &str) {
    let banks = Banks::start();
    let receiver = Receiver::start(Vec::new());
    let options = banks.options().env("PURSER_WEBHOOK_HOSTS", receiver.origin.clone());
    let server = Server::start_with(Backend::Postgres, options);
    let members = [(); 2].map(|()| Member::new(&server, &receiver));
    let [lost, other] = &members;
    let before = lost.newest_run();

    let fault = strike(&server, &members);
    other.sync_and_send();
    lost.until_put_off(&Sql::open(&server));
    other.sync_and_send();

    fault.run(heal);
    let after = until("the connection that waited", || {
        let connection = show(&lost.family, &lost.connection);
        let latest = connection["sync"]["latest"].clone();
        (latest["id"] != before && latest["status"] == "completed").then_some(latest)
    });
    assert_eq!(after["error"], json!(null));
    lost.until_sent();
    other.sync_and_send();
    server.run_json(&["check"], "");
}

/// Commands for all families do what they can, name the family that they can't reach, and fail.
fn check_commands(server: &Server, lost: &Member, other: &Member) {
    let extra =
        server.run_json(&["key", "add", "--user", &other.family.email, "--name", "extra"], "");
    let fails = |arguments: &[&str]| {
        let outcome = server.run(&[&["--json"], arguments].concat(), "");
        assert!(!outcome.status.success(), "{outcome:?}");
        let named = format!("The family of {} can't be reached", lost.family.email);
        assert!(outcome.stderr.contains(&named), "{outcome:?}");
        outcome
    };
    let listed = fails(&["key", "list"]).json();
    let users = listed["keys"].as_array().unwrap().iter().map(|key| &key["user"]);
    assert!(users.clone().count() >= 2, "{listed}");
    assert!(users.clone().all(|user| *user == json!(other.family.email)), "{listed}");

    let id = extra["id"].as_str().unwrap();
    assert_eq!(server.run_json(&["key", "revoke", id], "")["state"], "revoked");
    // By now no directory knows it, but its family is found.
    let again = server.run(&["--json", "key", "revoke", id], "");
    assert_eq!((again.status.success(), again.json()["state"].clone()), (true, json!("revoked")));
    fails(&["key", "revoke", "00000000-0000-7000-8000-000000000000"]);

    let rotated = fails(&["secrets", "rotate"]).json();
    assert_eq!((&rotated["unreached_families"], &rotated["resealed"]), (&json!(1), &json!(2)));
    // The secrets of the family that wasn't reached still need the first key.
    fails(&["secrets", "rotate"]);
    let keys = std::fs::read_to_string(server.data_folder().join("secret.key")).unwrap();
    assert_eq!(keys.lines().filter(|line| !line.starts_with('#')).count(), 3, "none is gone");
}

#[test]
fn a_machine_that_is_gone_keeps_no_other_family_waiting() {
    check_others_go_on(
        |server, [lost, other]| {
            let sql = Sql::open(server);
            sql.run(&format!(
                "BEGIN; {}
                 CREATE FUNCTION gone(family bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                    IF family = {number}
                        AND current_setting('purser.family', TRUE) IN ('all', '{number}')
                    THEN RAISE EXCEPTION USING ERRCODE = 'XX000', MESSAGE =
                        'failure on connection marked as essential: worker-2:5432';
                    END IF;
                    RETURN TRUE;
                 END $$;
                 DO $$ DECLARE one text; BEGIN
                    FOR one IN SELECT tablename FROM pg_policies WHERE tablename NOT IN
                        ('due', 'jobs', 'sessions', 'sign_in_names', 'key_hashes')
                    LOOP EXECUTE format('CREATE POLICY gone ON %I AS RESTRICTIVE USING (gone(%s))',
                        one, CASE one WHEN 'families' THEN 'id' ELSE 'family_id' END);
                    END LOOP;
                 END $$;
                 COMMIT",
                lost.make_due(),
                number = lost.number,
            ));
            // It is the machine with the family that fails, and nothing else.
            lost.family.api.get(PATH).expect_status(503);
            check_commands(server, lost, other);
            sql
        },
        "DROP FUNCTION gone CASCADE",
    );
}

#[test]
fn a_machine_that_hangs_keeps_no_other_family_waiting() {
    check_others_go_on(
        |server, [lost, _]| {
            let lock = Sql::open(server);
            lock.run(&format!("BEGIN; UPDATE families SET name = name WHERE id = {}", lost.number));
            Sql::open(server).run(&lost.make_due());
            lock
        },
        "ROLLBACK",
    );
}
