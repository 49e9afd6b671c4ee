//! Much at a time: what one family asks for is bounded, and another one doesn't notice.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;

use serde_json::json;

use crate::both;
use crate::support::{Client, Family, Options, Server, until};

/// A family may have half of it: one of the answers below, and not two.
const BYTES_IN_FLIGHT: u64 = 24 * 1024 * 1024;
const LARGE: &str = "/api/v1/transactions?per_page=100";
/// Less than a large answer, and more than a network of this machine takes in before it is read.
const LARGE_BYTES_MIN: usize = 6 * 1024 * 1024;

fn bounded() -> Options {
    Options::new().env("PURSER_MAX_BYTES_IN_FLIGHT", BYTES_IN_FLIGHT)
}

/// Makes transactions with as many notes and tags as they may have.
fn fill(family: &Family) {
    let account = family.account("Checking", "depository");
    let tag = |number: usize| {
        let name = format!("{number}{}", "\u{1f600}".repeat(195));
        family.api.post("/api/v1/tags", &json!({ "name": name })).expect_status(201).id()
    };
    let tags: Vec<String> = (0..50).map(tag).collect();
    let notes = "\u{1f600}".repeat(10_000);
    for number in 0..100 {
        let transaction = json!({ "account_id": account, "date": "2026-01-12", "amount": "1",
            "name": format!("Number {number}"), "notes": notes, "tag_ids": tags });
        let body = json!({ "transaction": transaction });
        family.api.post("/api/v1/transactions", &body).expect_status(201);
    }
}

fn bytes_in_flight(server: &Server) -> u64 {
    let text = server.client().get("/metrics").expect_status(200).text();
    let line = text.lines().find_map(|line| line.strip_prefix("purser_bytes_in_flight "));
    line.expect("the metric").parse().expect("a whole number")
}

fn assert_busy(client: &Client) {
    let refused = client.get(LARGE);
    assert_eq!(refused.header("Retry-After"), Some("1"), "{}", refused.status);
    refused.expect_error(503, "unavailable");
}

/// Asks for a large answer and reads no more of it than its status.
fn ask_without_reading(server: &Server, family: &Family) -> TcpStream {
    let key = server.key(&family.email, crate::support::Scope::Read);
    let mut stream = server.connect();
    let request = format!(
        "GET {LARGE} HTTP/1.1\r\nHost: {}\r\nX-Api-Key: {key}\r\nConnection: close\r\n\r\n",
        server.address()
    );
    stream.write_all(request.as_bytes()).expect("the request is sent");
    let mut status = [0; 12];
    stream.read_exact(&mut status).expect("the answer begins");
    assert_eq!(&status, b"HTTP/1.1 200");
    stream
}

/// Reads the rest of an answer; the size of its body.
fn read_to_end(mut stream: TcpStream) -> usize {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the rest of the answer");
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("headers");
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let body = bytes.len() - head - 4;
    assert_eq!(length.and_then(|length| length.parse().ok()), Some(body), "it is whole");
    body
}

both! {
    fn answers_that_are_not_read_are_bounded_in_bytes(server = bounded()) {
        let (family, other) = (server.family(), server.family());
        fill(&family);
        let unread = ask_without_reading(&server, &family);
        assert_busy(&family.api);
        // What is small fits, and so does a large answer of another family.
        family.api.get("/api/v1/accounts").expect_status(200);
        fill(&other);
        let of_other = ask_without_reading(&server, &other);
        assert_busy(&other.api);
        let taken = bytes_in_flight(&server);
        assert!((2 * LARGE_BYTES_MIN as u64..=BYTES_IN_FLIGHT).contains(&taken), "{taken}");
        for stream in [unread, of_other] {
            assert!(read_to_end(stream) > LARGE_BYTES_MIN);
        }
        until("the memory of the answers", || (bytes_in_flight(&server) == 0).then_some(()));
        family.api.get(LARGE).expect_status(200);
    }

    fn many_large_answers_at_once_are_whole_or_refused(server = bounded()) {
        let (family, other) = (server.family(), server.family());
        fill(&family);
        let statuses: Vec<u16> = thread::scope(|scope| {
            let ask = || {
                let answer = family.api.get(LARGE);
                match answer.status {
                    200 => assert_eq!(answer.json()["transactions"].as_array().unwrap().len(), 100),
                    _ => assert_eq!(answer.header("Retry-After"), Some("1")),
                }
                answer.status
            };
            let asked: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            other.api.get("/api/v1/transactions").expect_status(200);
            other.account("Checking", "depository");
            asked.into_iter().map(|asked| asked.join().expect("an answer")).collect()
        });
        assert!(statuses.contains(&200), "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
        until("the memory of the answers", || (bytes_in_flight(&server) == 0).then_some(()));
    }

    fn a_body_that_is_not_read_yet_waits_for_its_memory(server = bounded()) {
        let family = server.family();
        // Each is larger than the part of a family, so that they are read one by one.
        let table = format!("date,base,quote,rate\n{}", " ".repeat(11 * 1024 * 1024));
        let body = json!({ "raw_file_content": table });
        thread::scope(|scope| {
            let send = || family.api.post("/api/v1/exchange_rates/import", &body);
            let sent: Vec<_> = (0..3).map(|_| scope.spawn(send)).collect();
            for answer in sent {
                let answer = answer.join().expect("an answer");
                answer.expect_error(422, "file_too_large");
            }
        });
        until("the memory of the bodies", || (bytes_in_flight(&server) == 0).then_some(()));
    }
}

both! {
    fn a_report_has_so_many_points_and_names_the_last_possible_day(server) {
        let family = server.family();
        let report = |interval: &str, end: &str| {
            let query = format!("start_date=1950-01-01&end_date={end}&interval={interval}");
            family.api.get(&format!("/api/v1/reports/net_worth?{query}"))
        };
        let refused = report("day", "2049-12-31").expect_error(422, "validation_failed");
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains("must be at most 1960-12-13 "), "{message}");
        let longest = report("day", "1960-12-13").expect_status(200).json();
        assert_eq!(longest["points"].as_array().unwrap().len(), 4_000);
        report("day", "1960-12-14").expect_error(422, "validation_failed");
        let month = report("month", "2049-12-31").expect_status(200).json();
        assert_eq!(month["points"].as_array().unwrap().len(), 1_200);
    }
}
