//! Clients that are slow, silent or too many, and a server that stops. Once on SQLite: none of it
//! reaches the database.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Backend, Options, Scope, Server, until};

/// Headers must be complete after ten seconds; a busy machine may need a moment more.
const HEADER_SECONDS: std::ops::Range<u64> = 9..20;

#[test]
fn a_silent_client_and_half_a_header_are_closed() {
    let server = Server::start(Backend::Sqlite);
    let half = "GET /healthz HTTP/1.1\r\nHost: h\r\nX-Slow: ";
    let idle = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n";
    thread::scope(|scope| {
        for sent in ["", half, idle] {
            let server = &server;
            scope.spawn(move || {
                let start = Instant::now();
                let mut stream = server.connect();
                stream.write_all(sent.as_bytes()).unwrap();
                let answer = read_to_end(&mut stream);
                let seconds = start.elapsed().as_secs();
                assert!(HEADER_SECONDS.contains(&seconds), "{sent:?}: closed after {seconds} s");
                assert_eq!(answer.starts_with("HTTP/1.1 200"), sent == idle, "{answer}");
            });
        }
        // A byte now and then doesn't help: the whole header must come in time.
        scope.spawn(|| {
            let start = Instant::now();
            let mut stream = server.connect();
            stream.write_all(half.as_bytes()).unwrap();
            while stream.write_all(b"x").is_ok() {
                assert!(start.elapsed().as_secs() < HEADER_SECONDS.end, "still open");
                thread::sleep(Duration::from_millis(200));
            }
        });
    });
    server.client().get("/healthz").expect_status(200);
}

#[test]
fn a_slow_upload_ends_in_a_timeout_and_leaves_nothing() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let key = server.key(&family.email, Scope::ReadWrite);
    let head = format!(
        "POST /api/v1/imports HTTP/1.1\r\nHost: h\r\nX-Api-Key: {key}\r\n\
         Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n\
         {{\"raw_file_content\": \"da"
    );
    let start = Instant::now();
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).unwrap();
    let answer = read_to_end(&mut stream);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("\"error\":\"request_timeout\""), "{answer}");
    assert!(start.elapsed().as_secs() < 25, "{:?}", start.elapsed());
    assert_eq!(family.api.get("/api/v1/imports").json()["meta"]["total_count"], 0);
    until("an empty folder of files", || (files(&server) == 0).then_some(()));
}

#[test]
fn a_client_that_goes_away_in_the_middle_leaves_nothing() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let key = server.key(&family.email, Scope::ReadWrite);
    let head = format!(
        "POST /api/v1/imports HTTP/1.1\r\nHost: h\r\nX-Api-Key: {key}\r\n\
         Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n\
         {{\"raw_file_content\": \""
    );
    for _ in 0..5 {
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&[b'x'; 300_000]).unwrap();
        drop(stream);
    }
    family.api.get("/api/v1/usage").expect_status(200);
    assert_eq!(family.api.get("/api/v1/imports").json()["meta"]["total_count"], 0);
    until("an empty folder of files", || (files(&server) == 0).then_some(()));
}

#[test]
fn a_client_that_never_reads_is_dropped() {
    let server = Server::start(Backend::Sqlite);
    let mut stream = server.connect();
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: h\r\n\r\n".repeat(200);
    let start = Instant::now();
    // Until the buffers of both sides are full, and then until the server has had enough.
    loop {
        match stream.write_all(request.as_bytes()) {
            Ok(()) => {}
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) => {}
            Err(_) => break,
        }
        assert!(start.elapsed().as_secs() < 40, "still open");
    }
    server.client().get("/healthz").expect_status(200);
}

#[test]
fn an_answer_before_the_end_of_the_request_announces_that_the_connection_ends() {
    let server = Server::start(Backend::Sqlite);
    let key = server.key(&server.family().email, Scope::ReadWrite);
    let body = json!({ "name": "A", "account_type": "depository" }).to_string();
    for (path, key, length, status, closes) in [
        ("/api/v1/accounts", "", 1_000_000, 401, true),
        ("/api/v1/nothing", "", 1_000_000, 404, true),
        ("/api/v1/usage", "", 1_000_000, 405, true),
        ("/api/v1/accounts", key.as_str(), 2_000_000, 413, true),
        ("/api/v1/accounts", &key, body.len(), 201, false),
    ] {
        let mut stream = server.connect();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: h\r\nX-Api-Key: {key}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let head = read_head(&mut stream);
        assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{head}");
        assert_eq!(head.contains("connection: close\r\n"), closes, "{path} {status}: {head}");
    }
}

#[test]
fn one_address_has_so_many_connections_and_no_more() {
    let options = Options::new().env("PURSER_MAX_CONNECTIONS_PER_IP", "4");
    let server = Server::start_with(Backend::Sqlite, options);
    let mut open: Vec<TcpStream> = (0..4).map(|_| kept_alive(&server)).collect();
    let mut fifth = server.connect();
    let refused = read_to_end(&mut fifth);
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    let body = refused.split("\r\n\r\n").nth(1).unwrap();
    let length = refused.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    assert_eq!(length.parse(), Ok(body.len()));
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["error"], "unavailable");
    assert!(body["message"].is_string());
    assert!(refused.contains("retry-after: 1\r\n"));
    // One that goes makes room for one that comes.
    drop(open.pop());
    until("a free connection", || {
        let mut stream = server.connect();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").ok()?;
        read_to_end(&mut stream).starts_with("HTTP/1.1 200").then_some(())
    });
}

#[test]
fn connections_that_show_nothing_leave_half_of_the_slots() {
    let options = Options::new().env("PURSER_MAX_CONNECTIONS", "8");
    let server = Server::start_with(Backend::Sqlite, options);
    let key = server.key(&server.family().email, Scope::Read);
    let get = |path: &str| {
        let mut stream = server.connect();
        let request = format!("GET {path} HTTP/1.1\r\nHost: h\r\nX-Api-Key: {key}\r\n\r\n");
        stream.write_all(request.as_bytes()).ok()?;
        let mut start = [0; 12];
        stream.read_exact(&mut start).ok()?;
        (&start == b"HTTP/1.1 200").then_some(stream)
    };
    // With a key, one address may have more than a quarter.
    let _in_use: Vec<TcpStream> =
        (0..4).map(|_| until("a slot", || get("/api/v1/usage"))).collect();
    let _shown_nothing: Vec<TcpStream> =
        (0..2).map(|_| until("a slot", || get("/healthz"))).collect();
    let mut third = server.connect();
    let refused = read_to_end(&mut third);
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
}

#[test]
fn a_stop_lets_a_request_in_flight_finish() {
    let mut server = Server::start(Backend::Sqlite);
    let family = server.family();
    let key = server.key(&family.email, Scope::ReadWrite);
    let body = json!({ "name": "Last", "account_type": "depository" }).to_string();
    let (first, rest) = body.split_at(10);
    let head = format!(
        "POST /api/v1/accounts HTTP/1.1\r\nHost: h\r\nX-Api-Key: {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{first}",
        body.len()
    );
    let mut idle = kept_alive(&server);
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).unwrap();
    // Once the request before it on another connection is answered, this one was read too.
    family.api.get("/api/v1/usage").expect_status(200);
    let (address, start) = (server.address().to_owned(), Instant::now());
    thread::scope(|scope| {
        let stop = scope.spawn(|| server.stop());
        until("a closed door", || TcpStream::connect(&address).is_err().then_some(()));
        assert_eq!(read_to_end(&mut idle), "", "an idle connection is closed");
        stream.write_all(rest.as_bytes()).unwrap();
        let answer = read_to_end(&mut stream);
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        assert!(stop.join().unwrap().success());
    });
    assert!(start.elapsed().as_secs() < 4, "{:?}: who waited for whom?", start.elapsed());
    server.start_again();
    let accounts = family.api.get("/api/v1/accounts").json();
    assert_eq!(accounts["accounts"][0]["name"], "Last");
}

#[test]
fn a_second_server_on_the_same_folder_is_refused_in_one_line() {
    let server = Server::start(Backend::Sqlite);
    let mut second = server.command();
    second.args(["serve", "--listen", "127.0.0.1:0"]).stdin(Stdio::null());
    let output = second.output().unwrap();
    assert!(!output.status.success());
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    let folder = server.data_folder();
    assert!(text.contains(folder.to_str().unwrap()), "{text}");
    server.client().get("/readyz").expect_status(200);
}

/// A connection that has had an answer and stays.
fn kept_alive(server: &Server) -> TcpStream {
    let mut stream = server.connect();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(br#"{"status":"ok"}"#) {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        answer.push(byte[0]);
    }
    stream
}

/// Status line and headers.
fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    String::from_utf8(head).unwrap()
}

/// What still comes until the server closes, one way or the other.
fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How many files the server keeps.
fn files(server: &Server) -> usize {
    fn count(folder: &std::path::Path) -> usize {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
    }
    count(&server.data_folder().join("files"))
}
