//! `GET /imports/{id}/events`: how far a publish is, while it is, for whoever asks and asks again.
//!
//! Triggers make publishes slow, so that there is something to watch.

use serde_json::{Value, json};

use super::{both_whole, path, post, publish, sql, text, upload};
use crate::support::{Backend, Event, EventStream, Options, Server, until};

const ROWS: u64 = 12_000;
const GOOD: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-03,-2.00,B\n";

fn csv() -> String {
    let rows = (0..ROWS).map(|row| format!("2024-01-{:02},-0.01,Row {row}\n", 1 + row % 28));
    format!("Date,Amount,Name\n{}", rows.collect::<String>())
}

/// Adding an entry takes about a tenth of a millisecond more, or a statement a second.
fn slow_down(server: &Server) {
    sql::run(
        server,
        match server.backend() {
            Backend::Sqlite => {
                "CREATE TRIGGER slow BEFORE INSERT ON entries BEGIN
                    SELECT COUNT(*) FROM (WITH RECURSIVE counted(n) AS
                        (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000)
                        SELECT n FROM counted);
                END"
            }
            Backend::Postgres => {
                "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
                CREATE TRIGGER slow BEFORE INSERT ON entries
                    FOR EACH STATEMENT EXECUTE FUNCTION slow()"
            }
        },
    );
}

/// A publish that takes a while; its import.
fn slow_publish(server: &Server, family: &crate::support::Family) -> Value {
    let account = family.account("Main", "depository");
    slow_down(server);
    let fields = json!({ "account_id": account, "publish": "true" });
    post(&family.api, &csv(), &fields).expect_status(201).json()["data"].clone()
}

fn events(family: &crate::support::Family, import: &Value) -> EventStream {
    family.api.events(&path(import, "/events")).expect("a stream")
}

fn state(event: &Event) -> (&str, u64, u64) {
    let number = |name: &str| event.data[name].as_u64().expect("a number");
    (text(&event.data["status"]), number("rows_done"), number("rows_total"))
}

both_whole! {
    fn an_import_that_rests_is_reported_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let pending = upload(&family.api, GOOD, &fields);
        let complete = publish(&family.api, GOOD, &fields);
        for (import, expected) in [(&pending, ("pending", 0, 2)), (&complete, ("complete", 2, 2))] {
            let heard: Vec<Event> = events(&family, import).collect();
            let names: Vec<&str> = heard.iter().map(|event| event.name.as_str()).collect();
            assert_eq!(names, ["progress", "done"]);
            assert!(heard.iter().all(|event| state(event) == expected), "{heard:?}");
            let shown = family.api.get(&path(import, "")).json();
            assert_eq!(shown["data"]["progress"], Value::Null);
        }
    }

    fn a_publish_is_watched_to_its_end_and_again_from_the_middle(server) {
        let family = server.family();
        let import = slow_publish(&server, &family);
        let mut first = events(&family, &import);
        let begun = first.next().expect("an event at once");
        assert_eq!((begun.name.as_str(), state(&begun).0), ("progress", "importing"));
        let moved = first.by_ref().find(|event| state(event).1 > 0).expect("progress");
        assert_eq!((moved.name.as_str(), state(&moved).0), ("progress", "importing"), "{moved:?}");
        // The connection is lost; whoever comes back hears where it stands now.
        drop(first);
        let heard: Vec<Event> = events(&family, &import).collect();
        assert!(state(&heard[0]).1 >= state(&moved).1, "{moved:?} {heard:?}");
        let (last, before) = heard.split_last().expect("events");
        assert_eq!((last.name.as_str(), state(last)), ("done", ("complete", ROWS, ROWS)));
        assert!(before.iter().all(|event| event.name == "progress"), "{heard:?}");
        assert!(heard.windows(2).all(|pair| state(&pair[0]).1 <= state(&pair[1]).1), "{heard:?}");
        assert!(heard.windows(2).all(|pair| pair[0] != pair[1]), "{heard:?}");
        assert!(heard.iter().all(|event| state(event).2 == ROWS), "{heard:?}");
    }

    fn the_import_itself_shows_how_far_it_is(server) {
        let family = server.family();
        let import = slow_publish(&server, &family);
        assert_eq!(import["progress"]["rows_total"], ROWS);
        let middle = until("some rows to be done", || {
            let shown = family.api.get(&path(&import, "")).expect_status(200).json();
            let progress = shown["data"]["progress"].clone();
            (progress["rows_done"].as_u64()? > 0).then_some(progress)
        });
        assert_eq!(middle["status"], "importing");
        assert!(middle["rows_done"].as_u64().unwrap() <= ROWS);
        let shown = family.api.wait_for_import(text(&import["id"]));
        assert_eq!(shown["progress"], Value::Null);
    }

    fn a_stopping_server_ends_its_streams(server) {
        let family = server.family();
        let import = slow_publish(&server, &family);
        let mut stream = events(&family, &import);
        assert_eq!(stream.next().expect("an event").name, "progress");
        server.stop();
        assert!(stream.all(|event| event.name == "progress"), "nothing is done");
        sql::run(&server, match server.backend() {
            Backend::Sqlite => "DROP TRIGGER slow",
            Backend::Postgres => "DROP TRIGGER slow ON entries",
        });
        server.start_again();
        let last = events(&family, &import).last().expect("events");
        assert_eq!((last.name.as_str(), state(&last)), ("done", ("complete", ROWS, ROWS)));
    }

    fn only_so_many_streams_are_open_at_a_time(server) {
        let family = server.family();
        let import = slow_publish(&server, &family);
        let events_path = path(&import, "/events");
        let open = || -> Result<EventStream, u16> {
            let mut stream = family.api.events(&events_path)?;
            stream.next().expect("an event");
            Ok(stream)
        };
        let mut streams: Vec<EventStream> = (0..8).map_while(|_| open().ok()).collect();
        assert_eq!(streams.len(), 8);
        family.api.get(&events_path).expect_error(429, "too_many_streams");
        streams.pop();
        streams.push(until("a slot", || match open() {
            Ok(stream) => Some(stream),
            Err(status) => {
                assert_eq!(status, 429);
                None
            }
        }));
        for stream in streams {
            assert_eq!(stream.last().expect("events").name, "done");
        }
    }

    fn streams_are_neither_compressed_nor_kept(server) {
        let family = server.family();
        let import = upload(&family.api, GOOD, &json!({}));
        let client = family.api.with_header("Accept-Encoding", "gzip");
        let stream = client.events(&path(&import, "/events")).expect("a stream");
        let header = |name: &str| {
            stream.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        assert_eq!(header("content-type"), Some("text/event-stream"));
        assert_eq!(header("cache-control"), Some("no-store"));
        for absent in ["content-encoding", "content-length", "etag"] {
            assert_eq!(header(absent), None, "{absent}");
        }
        assert_eq!(stream.count(), 2);
    }

    fn nobody_watches_what_they_may_not_see(server) {
        let (ours, theirs) = (server.family(), server.family());
        let import = upload(&theirs.api, GOOD, &json!({}));
        ours.api.get(&path(&import, "/events")).expect_error(404, "not_found");
        ours.api.get("/api/v1/imports/x/events").expect_error(404, "not_found");
        server.client().get(&path(&import, "/events")).expect_error(401, "unauthorized");
    }
}

#[test]
fn another_node_hears_of_the_progress() {
    let options = Options::new().env("PURSER_RATE_LIMIT", "0");
    let server = Server::start_with(Backend::Postgres, options);
    let mut node = server.start_beside();
    let family = server.family();
    let import = slow_publish(&server, &family);
    let key = server.key(&family.email, crate::support::Scope::Read);
    for client in [&family.api, &node.client().with_key(&key)] {
        let stream = client.events(&path(&import, "/events")).expect("a stream");
        let heard: Vec<Event> = stream.collect();
        assert_eq!(state(heard.last().expect("events")), ("complete", ROWS, ROWS));
    }
    // Either of the two may have done the work; the progress came through the database.
    assert_ne!(sql::value(&server, "SELECT rows_done FROM imports"), "0");
    node.kill();
}
