//! Families are spread over machines, and one of those hangs: whoever comes to a row on it waits.
//! Requests of the families on the others are answered meanwhile.
//!
//! There is no such database here. A policy of PostgreSQL answers for the machine that hangs: it
//! waits for a lock whenever a transaction for the family, or for all families, comes to a row of
//! the family. The statement runs meanwhile, as on a machine that doesn't answer.

use std::thread::{Scope, ScopedJoinHandle};

use serde_json::json;

use crate::support::{Backend, Family, Options, Server, Sql, until};
use crate::trades;
use crate::web::{PASSWORD, Visitor};

/// Connections to the database, and how many of them families may have that ask for many: the first
/// one, and the next ones, of which two are kept back for those that have none.
const CONNECTIONS: usize = 8;
const PARTS: [usize; 3] = [3, 2, 1];
const LOCK: &str = "7075727365";

/// The machine that hangs.
struct Hanging {
    sql: Sql,
    lock: Sql,
}

impl Hanging {
    /// It has these families, and of their rows those in the tables that a condition selects.
    fn of(server: &Server, families: &[String], tables: &str) -> Self {
        let (sql, lock) = (Sql::open(server), Sql::open(server));
        lock.run(&format!("SELECT pg_advisory_lock({LOCK})"));
        sql.run(&format!(
            "BEGIN;
             CREATE FUNCTION hangs(family bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                IF family IN ({families})
                    AND current_setting('purser.family', TRUE) IN ('all', family::text)
                THEN PERFORM pg_advisory_xact_lock_shared({LOCK});
                END IF;
                RETURN TRUE;
             END $$;
             DO $$ DECLARE one text; BEGIN
                FOR one IN SELECT tablename FROM pg_policies WHERE tablename NOT IN
                    ('due', 'jobs', 'sessions', 'sign_in_names', 'key_hashes') AND {tables}
                LOOP EXECUTE format('CREATE POLICY hangs ON %I AS RESTRICTIVE USING (hangs(%s))',
                    one, CASE one WHEN 'families' THEN 'id' ELSE 'family_id' END);
                END LOOP;
             END $$;
             COMMIT",
            families = families.join(", "),
        ));
        Self { sql, lock }
    }

    /// The transactions that wait for it.
    fn waiting(&self) -> Vec<String> {
        let rows = self.sql.query(
            "SELECT CAST(pid AS TEXT) || ' ' || CAST(xact_start AS TEXT) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event = 'advisory' ORDER BY 1",
        );
        rows.into_iter().map(|row| row[0].clone()).collect()
    }

    /// Waits until so many transactions wait for it.
    fn until_waiting(&self, count: usize) -> Vec<String> {
        until("transactions that hang", || {
            let waiting = self.waiting();
            (waiting.len() >= count).then_some(waiting)
        })
    }

    /// All that waited then still waits, so nothing since then has waited for their end.
    fn assert_still_waiting(&self, earlier: &[String]) {
        let waiting = self.waiting();
        assert!(earlier.iter().all(|one| waiting.contains(one)), "{earlier:?}, now {waiting:?}");
    }

    /// Lets it answer again.
    fn heal(&self) {
        self.lock.run(&format!("SELECT pg_advisory_unlock({LOCK})"));
    }
}

fn number(server: &Server, family: &Family) -> String {
    let query = format!("SELECT family_id FROM sign_in_names WHERE email = '{}'", family.email);
    Sql::open(server).query(&query)[0][0].clone()
}

/// Requests of a family that hang; the statuses of their answers.
fn ask<'s>(
    scope: &'s Scope<'s, '_>,
    family: &'s Family,
    count: usize,
) -> Vec<ScopedJoinHandle<'s, u16>> {
    (0..count).map(|_| scope.spawn(|| family.api.get("/api/v1/accounts").status)).collect()
}

/// Everything that begins with a directory works for the other family.
fn assert_served(server: &Server, family: &Family, visitor: &Visitor) {
    family.api.get("/api/v1/accounts").expect_status(200);
    family.api.post("/api/v1/tags", &json!({ "name": "Holidays" })).expect_status(201);
    visitor.get("/accounts").expect_status(200);
    let elsewhere = server.visitor();
    elsewhere.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
    server.client().with_key("nobody's").get("/api/v1/accounts").expect_status(401);
    server.client().get("/readyz").expect_status(200);
}

#[test]
fn keys_sessions_and_passwords_of_others_are_found() {
    let server = Server::start(Backend::Postgres);
    let (lost, other) = (server.family(), server.family());
    let (lost_visitor, visitor) = (server.signed_in(&lost), server.signed_in(&other));
    let copies = [(); 3].map(|()| lost_visitor.copy());
    let hanging = Hanging::of(&server, &[number(&server, &lost)], "TRUE");
    std::thread::scope(|scope| {
        let mut answers = ask(scope, &lost, CONNECTIONS);
        answers.extend(copies.map(|copy| scope.spawn(move || copy.get("/accounts").status)));
        let (server, email) = (&server, &lost.email);
        answers.push(scope.spawn(move || server.visitor().sign_in(email, PASSWORD).status));
        let waiting = hanging.until_waiting(PARTS[0]);
        assert_eq!(waiting.len(), PARTS[0]);
        assert_served(server, &other, &visitor);
        hanging.assert_still_waiting(&waiting);
        hanging.heal();
        for answer in answers {
            let status = answer.join().unwrap();
            assert!([200, 303, 503].contains(&status), "{status}");
        }
    });
    assert_served(&server, &lost, &lost_visitor);
}

#[test]
fn three_families_that_hang_leave_connections_to_others() {
    let server = Server::start(Backend::Postgres);
    let families = [(); 4].map(|()| server.family());
    let [hanging_ones @ .., other] = &families;
    let visitor = server.signed_in(other);
    let lost = hanging_ones.each_ref().map(|family| number(&server, family));
    for family in &families {
        family.account("Main", "depository");
    }
    // Who calls is known; only what they ask for hangs.
    let hanging = Hanging::of(&server, &lost, "tablename = 'accounts'");
    std::thread::scope(|scope| {
        let (mut answers, mut count) = (Vec::new(), 0);
        for (family, part) in hanging_ones.iter().zip(PARTS) {
            answers.extend(ask(scope, family, CONNECTIONS));
            count += part;
            hanging.until_waiting(count);
        }
        let waiting = hanging.waiting();
        assert_eq!(waiting.len(), count);
        assert_served(&server, other, &visitor);
        hanging.assert_still_waiting(&waiting);
        hanging.heal();
        for answer in answers {
            let status = answer.join().unwrap();
            assert!([200, 503].contains(&status), "{status}");
        }
    });
    families[0].api.get("/api/v1/accounts").expect_status(200);
}

#[test]
fn a_family_that_is_being_made_holds_up_no_other() {
    let options = Options::new().env("PURSER_SIGNUP", "open");
    let server = Server::start_with(Backend::Postgres, options);
    let other = server.family();
    let next: i64 = number(&server, &other).parse().unwrap();
    let visitor = server.signed_in(&other);
    let hanging = Hanging::of(&server, &[(next + 1).to_string()], "TRUE");
    let sign_up = |email: &str| {
        let visitor = server.visitor();
        visitor.get("/welcome").expect_status(200);
        let fields = [
            ("family", "The Smiths"),
            ("currency", "EUR"),
            ("time_zone", "Europe/Berlin"),
            ("name", "Ann"),
            ("email", email),
            ("password", PASSWORD),
            ("password_again", PASSWORD),
        ];
        visitor.post("/welcome", &fields)
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| sign_up("first@example.org").status);
        let waiting = hanging.until_waiting(1);
        sign_up("second@example.org").expect_redirect("/accounts");
        assert_served(&server, &other, &visitor);
        hanging.assert_still_waiting(&waiting);
        hanging.heal();
        assert_eq!(first.join().unwrap(), 303);
    });
    let numbers = Sql::open(&server).query("SELECT id FROM families ORDER BY id");
    let numbers: Vec<&str> = numbers.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(numbers[1..], [(next + 1).to_string(), (next + 2).to_string()]);
}

/// A statement was ended by its time limit, and so is each of those that would give the job back by
/// way of the family.
#[test]
fn a_job_is_handed_back_in_its_directory_and_uses_up_no_try() {
    let server = Server::start(Backend::Postgres);
    let (lost, other) = (server.family(), server.family());
    let numbers = [&lost, &other].map(|family| number(&server, family));
    let sql = Sql::open(&server);
    let job = |family: &str| {
        format!(
            "INSERT INTO jobs (id, family_id, kind, payload, state, run_at, attempts, attempts_max,
                lease_token, created_at)
             VALUES (gen_random_uuid(), {family}, 'transfers.match', '{{\"scope\":\"all\"}}',
                'queued', 1, 0, 6, 0, 1);"
        )
    };
    sql.run(&format!(
        "BEGIN;
         CREATE FUNCTION slow(family bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
            IF family = {number}
                AND current_setting('purser.family', TRUE) IN ('all', '{number}')
            THEN RAISE EXCEPTION USING ERRCODE = '57014',
                MESSAGE = 'canceling statement due to statement timeout';
            END IF;
            RETURN TRUE;
         END $$;
         CREATE POLICY slow ON families AS RESTRICTIVE USING (slow(id));
         {jobs}
         COMMIT",
        number = numbers[0],
        jobs = job(&numbers[0]) + &job(&numbers[1]),
    ));
    until("the job to wait", || {
        let jobs = states(&sql, &numbers[0]);
        assert_eq!(jobs[0][1], "0", "no try is used up: {jobs:?}");
        (jobs[0][0] == "queued" && jobs[0][3].contains("busy")).then_some(())
    });
    until("the other family's job", || states(&sql, &numbers[1]).is_empty().then_some(()));
    sql.run("DROP FUNCTION slow CASCADE; UPDATE jobs SET run_at = 1");
    until("the job to be done", || states(&sql, &numbers[0]).is_empty().then_some(()));
}

/// The jobs of a family: state, tries, time limits in a row, reason.
fn states(sql: &Sql, family: &str) -> Vec<Vec<String>> {
    sql.query(&format!(
        "SELECT state, CAST(attempts AS TEXT), CAST(time_limits AS TEXT), COALESCE(last_error, '')
         FROM jobs WHERE family_id = {family}"
    ))
}

/// Makes every statement of publishes fail with a code.
fn stop_publishes(sql: &Sql, code: &str) {
    sql.run(&format!(
        "CREATE OR REPLACE FUNCTION stops() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION USING ERRCODE = '{code}', MESSAGE = 'stopped';
         END $$;
         DROP TRIGGER IF EXISTS stops ON entries;
         CREATE TRIGGER stops BEFORE INSERT ON entries EXECUTE FUNCTION stops()"
    ));
}

/// A statement that takes too long each time is the job's own, whatever the machine does: the
/// family would wait for it for ever. A lock, or a connection that is lost, is nobody's fault.
#[test]
fn a_job_that_always_takes_too_long_is_given_up_in_the_end() {
    let server = Server::start(Backend::Postgres);
    let family = server.family();
    let number = number(&server, &family);
    let account = family.account("Main", "depository");
    let sql = Sql::open(&server);
    let nine_times = "UPDATE jobs SET time_limits = 9, last_error = NULL, run_at = 1
        WHERE state = 'queued'";
    stop_publishes(&sql, "57014");
    let csv = "date,amount,name\n2026-01-02,-1,A\n";
    let body = json!({ "raw_file_content": csv, "account_id": account, "publish": "true" });
    let import = family.api.post("/api/v1/imports", &body).expect_status(201).id();
    let status = || {
        let answer = family.api.get(&format!("/api/v1/imports/{import}")).expect_status(200);
        answer.json()["data"]["status"].as_str().unwrap().to_owned()
    };
    let waits = || {
        until("the job to wait", || {
            let job = states(&sql, &number).pop().unwrap();
            (job[0] == "queued" && !job[3].is_empty()).then_some(job)
        })
    };
    assert_eq!(waits()[1..3], ["0", "1"]);
    assert_eq!(status(), "importing");
    for code in ["55P03", "08006"] {
        stop_publishes(&sql, code);
        sql.run(nine_times);
        assert_eq!(waits()[1..3], ["0", "0"], "{code}");
    }
    stop_publishes(&sql, "57014");
    // Giving up can't be written at once: whatever could be written later, it isn't given up.
    sql.run(&format!(
        "CREATE FUNCTION slow(family bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
            IF family = {number} AND current_setting('statement_timeout') = '2s'
            THEN PERFORM pg_sleep(3);
            END IF;
            RETURN TRUE;
         END $$;
         CREATE POLICY slow ON families AS RESTRICTIVE USING (slow(id));
         {nine_times}"
    ));
    assert_eq!(waits()[1..3], ["0", "10"]);
    assert_eq!(status(), "importing");
    sql.run("DROP FUNCTION slow CASCADE");
    sql.run(nine_times);
    until("the import to fail", || (status() == "failed").then_some(()));
    let given_up = states(&sql, &number).pop().unwrap();
    assert_eq!(given_up[0], "failed");
    assert_eq!(given_up[3], "a statement took too long, 10 times in a row");
    sql.run("DROP FUNCTION stops CASCADE");
    let jobs = server.run_json(&["jobs", "list"], "");
    let id = jobs["jobs"][0]["id"].as_str().unwrap();
    assert_eq!(server.run_json(&["jobs", "retry", id], "")["queued"], true);
    until("the publish", || (status() == "complete").then_some(()));
}

/// What each try does once more is no reason to forget the limits before: the job gets no further.
#[test]
fn time_limits_add_up_while_each_try_does_the_same_again() {
    let server = Server::start(Backend::Postgres);
    let family = server.family();
    let number = number(&server, &family);
    let settings = json!({ "transfer_matching": "propose" });
    family.api.patch("/api/v1/family_settings", &settings).expect_status(200);
    let [main, savings] = ["Main", "Savings"].map(|name| family.account(name, "depository"));
    family.import(&savings, "Date,Amount,Name\n2024-01-03,+2.00,Move\n");
    family.import(&main, "Date,Amount,Name\n2024-01-03,-2.00,Move to savings\n");
    let depot = family.account("Depot", "investment");
    trades::exchange(&family.api, &depot, "buy", "2024-01-02", "1", "1");
    let sql = Sql::open(&server);
    until("no jobs", || states(&sql, &number).is_empty().then_some(()));
    assert_eq!(sql.query("SELECT status FROM transfers"), [["pending"]]);
    // All parts can be written, but the end of a job can't.
    sql.run(
        "CREATE FUNCTION stops() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION USING ERRCODE = '57014', MESSAGE = 'stopped';
         END $$;
         CREATE TRIGGER stops BEFORE DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION stops()",
    );
    for (kind, payload) in [("transfers.match", r#"{"scope":"all"}"#), ("positions.refold", "{}")] {
        sql.run(&format!(
            "INSERT INTO jobs (id, family_id, kind, payload, state, run_at, attempts, attempts_max,
                lease_token, created_at, time_limits)
             VALUES (gen_random_uuid(), {number}, '{kind}', '{payload}', 'queued', 1, 0, 6, 0, 1,
                3)"
        ));
        let limits = until("the job to wait", || {
            let waits = format!(
                "SELECT CAST(time_limits AS TEXT) FROM jobs
                 WHERE kind = '{kind}' AND state = 'queued' AND last_error IS NOT NULL"
            );
            sql.query(&waits).pop()
        });
        assert_eq!(limits, ["4"], "{kind}");
    }
}
