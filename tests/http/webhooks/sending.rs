//! What has happened is sent: signed, at least once, again after failures, and bounded.

use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{API_KEY, Fault};
use serde_json::{Value, json};

use super::receiver::{Received, Receiver};
use super::{SECRET, create, deliveries};
use crate::support::{Backend, Banks, Options, Scope, Server, Sql, until};

const BACKENDS: [Backend; 2] = [Backend::Sqlite, Backend::Postgres];

fn server(backend: Backend, receiver: &Receiver) -> Server {
    let options = Options::new().env("PURSER_WEBHOOK_HOSTS", receiver.origin.clone());
    Server::start_with(backend, options)
}

/// HMAC-SHA256, as a receiver would compute it.
fn signed(secret: &str, text: &str) -> String {
    use sha2::{Digest as _, Sha256};
    let mut key = [0_u8; 64];
    key[..secret.len()].copy_from_slice(secret.as_bytes());
    let pad = |by: u8| key.map(|byte| byte ^ by);
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(text).finalize();
    let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[track_caller]
fn assert_signed(received: &Received) {
    let (time, signature) = received.signature.split_once(",v1=").expect("a signature");
    let time = time.strip_prefix("t=").expect("a time");
    assert_eq!(signature, signed(SECRET, &format!("{time}.{}", received.body)));
}

#[test]
fn an_import_is_reported_signed_and_again_until_it_is_accepted() {
    for backend in BACKENDS {
        let receiver = Receiver::start(vec!["500 Broken".to_owned()]);
        let server = server(backend, &receiver);
        let family = server.family();
        let id = create(&family, &format!("{}/hook", receiver.origin), &["import.finished"]);
        create(&family, &format!("{}/other", receiver.origin), &["sync.failed"]);
        let account = family.account("Main", "depository");
        family.import(&account, "Date,Amount,Name\n2024-01-01,-5.00,Bread\n");
        let failed = until("a failed attempt", || {
            deliveries(&family, &id).into_iter().find(|one| one["attempts"] == 1)
        });
        until("its result", || (deliveries(&family, &id)[0]["failure"] == "refused").then_some(()));
        let waiting = &deliveries(&family, &id)[0];
        assert_eq!(waiting["status"], "pending");
        assert_eq!(waiting["response_status"], 500);
        assert!(waiting["next_attempt_at"].is_string(), "{waiting}");
        // A minute later, which nobody waits for here.
        Sql::open(&server).run(
            "UPDATE webhook_deliveries SET next_attempt_at = 1;
             UPDATE due SET due_at = 1 WHERE kind = 'webhook'",
        );
        let accepted = until("an answer", || {
            deliveries(&family, &id).into_iter().find(|one| one["status"] == "delivered")
        });
        assert_eq!((&accepted["attempts"], &accepted["id"]), (&json!(2), &failed["id"]));
        assert_eq!(accepted["failure"], Value::Null);
        let received = receiver.received();
        assert_eq!(received.len(), 2, "one webhook wants it");
        assert_eq!(received[0].body, received[1].body, "the same delivery again");
        let body: Value = serde_json::from_str(&received[1].body).unwrap();
        assert_eq!((&body["event"], &body["id"]), (&json!("import.finished"), &failed["id"]));
        assert_eq!(body["data"]["created"], 1);
        assert_eq!(body["data"]["import_id"], failed["subject_id"]);
        assert_signed(&received[1]);
        server.run_json(&["check"], "");
    }
}

#[test]
fn a_test_is_sent_once_signed_and_its_result_is_shown() {
    for backend in BACKENDS {
        let receiver = Receiver::start(vec!["500 Broken".to_owned()]);
        let server = server(backend, &receiver);
        let family = server.family();
        let id = create(&family, &receiver.origin, &["sync.failed"]);
        let path = format!("{}/{id}", super::PATH);
        let request = || family.api.post(&format!("{path}/test"), &json!({}));
        let test = || request().expect_status(202).json();
        let ends_as = |status: &str| {
            until("the result", || {
                deliveries(&family, &id).into_iter().find(|one| one["status"] == status)
            })
        };
        let first = test();
        assert_eq!(first["event"], "webhook.test");
        assert_eq!(first["subject_id"], json!(id));
        let failed = ends_as("failed");
        assert_eq!((&failed["id"], &failed["attempts"]), (&first["id"], &json!(1)), "once only");
        assert_eq!(failed["failure"], "refused");
        assert_eq!(failed["response_status"], 500);
        assert_eq!(failed["next_attempt_at"], Value::Null);
        let second = test();
        let accepted = ends_as("delivered");
        assert_eq!(accepted["id"], second["id"]);
        assert_eq!(deliveries(&family, &id).len(), 1, "it took the place of the first one");
        let received = receiver.received();
        assert_eq!(received.len(), 2);
        assert_signed(&received[1]);
        let body: Value = serde_json::from_str(&received[1].body).unwrap();
        assert_eq!((&body["event"], &body["id"]), (&json!("webhook.test"), &second["id"]));
        assert_eq!(body["data"], json!({ "webhook_id": id }));

        // While one waits there is no other, also if the webhook is switched off meanwhile.
        let sql = Sql::open(&server);
        sql.run(
            "UPDATE webhook_deliveries SET status = 'pending', completed_at = NULL,
                next_attempt_at = 4000000000000000",
        );
        assert_eq!(test()["id"], second["id"]);
        family.api.patch(&path, &json!({ "active": false })).expect_status(200);
        assert_eq!(deliveries(&family, &id)[0]["failure"], "switched_off");
        request().expect_error(409, "webhook_switched_off");
        let subscribed = json!({ "events": ["webhook.test"] });
        family.api.patch(&path, &subscribed).expect_error(422, "validation_failed");
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        reader.post(&format!("{path}/test"), &json!({})).expect_error(403, "insufficient_scope");
        let other = server.family();
        other.api.post(&format!("{path}/test"), &json!({})).expect_error(404, "not_found");
        server.run_json(&["check"], "");
    }
}

#[test]
fn what_becomes_of_a_connection_is_reported() {
    let receiver = Receiver::start(Vec::new());
    let banks = Banks::start();
    let options = banks.options().env("PURSER_WEBHOOK_HOSTS", receiver.origin.clone());
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let events = ["sync.finished", "sync.failed", "connection.needs_attention"];
    create(&family, &receiver.origin, &events);
    let body = json!({ "provider": "lunchflow", "key": API_KEY });
    let path = "/api/v1/provider_connections";
    let connection = family.api.post(path, &body).expect_status(201).id();
    let events = || -> Vec<String> {
        let bodies = receiver.received().into_iter().map(|received| received.body);
        let bodies = bodies.map(|body| serde_json::from_str::<Value>(&body).unwrap());
        bodies.map(|body| body["event"].as_str().unwrap().to_owned()).collect()
    };
    until("the first sync", || (events() == ["sync.finished"]).then_some(()));
    banks.add_fault(Fault::always(FaultKind::Status(401), "/accounts"));
    let sync = format!("{path}/{connection}/sync");
    family.api.post(&sync, &json!({})).expect_status(202);
    until("the failure", || {
        let failed = ["sync.finished", "sync.failed", "connection.needs_attention"];
        (events() == failed).then_some(())
    });
    family.api.post(&sync, &json!({})).expect_status(202);
    // It needed attention before.
    until("the second failure", || {
        (events().iter().filter(|event| *event == "sync.failed").count() == 2).then_some(())
    });
    assert_eq!(events().len(), 4);
    // A failure of another kind between changes nothing about that.
    let fail = |fault: Fault, count: usize| {
        banks.clear_faults();
        banks.add_fault(fault);
        family.api.post(&sync, &json!({})).expect_status(202);
        until("another failure", || (events().len() == count).then_some(()));
    };
    fail(Fault::always(FaultKind::Status(410), "/accounts"), 5);
    fail(Fault::always(FaultKind::Status(401), "/accounts"), 6);
    assert_eq!(events().iter().filter(|event| *event == "connection.needs_attention").count(), 1);
}

#[test]
fn a_receiver_that_redirects_or_never_answers_fills_nothing() {
    let elsewhere = Receiver::start(Vec::new());
    let redirect = format!("302 Found\r\nLocation: {}/stolen", elsewhere.origin);
    let receiver = Receiver::start(vec![redirect]);
    let server = server(Backend::Sqlite, &receiver);
    let family = server.family();
    let id = create(&family, &receiver.origin, &["import.finished"]);
    let account = family.account("Main", "depository");
    family.import(&account, "Date,Amount,Name\n2024-01-01,-5.00,Bread\n");
    until("the attempt", || (deliveries(&family, &id)[0]["failure"] == "redirected").then_some(()));
    assert!(elsewhere.received().is_empty());
    // As if it had never answered before: what waits stays, as far as it isn't very much.
    let sql = Sql::open(&server);
    let copy = "INSERT INTO webhook_deliveries (family_id, id, webhook_id, event, subject_id, body,
            status, attempts, next_attempt_at, created_at)
        SELECT family_id, randomblob(16), webhook_id, event, subject_id, body, 'pending', 1,
            4000000000000000, 1 FROM webhook_deliveries";
    for _ in 0..7 {
        sql.run(copy);
    }
    family.import(&account, "Date,Amount,Name\n2024-01-02,-6.00,Butter\n");
    assert_eq!(deliveries(&family, &id).len(), 129, "what was never sent waits on");
    for _ in 0..4 {
        sql.run(copy);
    }
    family.import(&account, "Date,Amount,Name\n2024-01-02,-6.50,Jam\n");
    let kept = deliveries(&family, &id);
    let waiting = kept.iter().filter(|one| one["status"] == "pending").count();
    assert!((1_999..=2_000).contains(&waiting), "{waiting}");
    let crowded = kept.iter().filter(|one| one["failure"] == "crowded").count();
    let webhook = family.api.get(&format!("{}/{id}", super::PATH)).expect_status(200).json();
    let dropped = webhook["dropped_count"].as_u64().expect("a number");
    let inserted = &sql.query("SELECT COUNT(*) FROM webhook_deliveries")[0][0];
    let inserted: u64 = inserted.parse().expect("a number");
    assert_eq!((dropped, crowded as u64), (inserted - 2_000, inserted - 2_000));
    // Switched off, it is sent nothing any more.
    let path = format!("{}/{id}", super::PATH);
    family.api.patch(&path, &json!({ "active": false })).expect_status(200);
    assert!(deliveries(&family, &id).iter().all(|one| one["status"] != "pending"));
    family.import(&account, "Date,Amount,Name\n2024-01-03,-7.00,Cheese\n");
    assert!(deliveries(&family, &id).iter().all(|one| one["status"] != "pending"));
}
