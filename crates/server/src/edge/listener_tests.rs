//! The listener over real sockets, with short time limits.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::routing::{get, post};
use clap::Parser as _;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::*;

#[derive(clap::Parser)]
struct Program {
    #[command(flatten)]
    server: Server,
}

struct Running {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    connections: Connections,
    held: Arc<Gate>,
}

/// A request to `/held` notifies `arrived`, and waits for `released`.
#[derive(Default)]
struct Gate {
    arrived: Notify,
    released: Notify,
}

impl Running {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    async fn ask(&self, request: &[u8]) -> String {
        let mut stream = self.connect().await;
        stream.write_all(request).await.unwrap();
        read_to_end(&mut stream).await
    }
}

const HEADER_LIMIT: Duration = Duration::from_millis(300);
const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

fn times() -> TimeLimits {
    TimeLimits {
        header: HEADER_LIMIT,
        write_stall: Duration::from_millis(300),
        write_bytes_min: 64 * 1024,
        linger: Duration::from_millis(500),
        drain: Duration::from_secs(2),
        ..TimeLimits::default()
    }
}

async fn start(arguments: &[&str]) -> Running {
    let held = Arc::new(Gate::default());
    let holding = held.clone();
    let router = Router::new()
        .route("/", get(|| async { "hello" }))
        .route(
            "/held",
            get(async move || {
                holding.arrived.notify_one();
                holding.released.notified().await;
                "released"
            }),
        )
        .route("/large", get(|| async { vec![b'x'; 64 * 1024 * 1024] }))
        .route("/refuse", post(|| async { http::StatusCode::UNAUTHORIZED }));
    let arguments = ["purser"].iter().chain(arguments);
    let settings = Arc::new(Program::parse_from(arguments).server);
    let (stop, stopping) = watch::channel(false);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let edge = Edge::new(router, settings, times(), stopping);
    let connections = edge.connections.clone();
    Running { address, stop, task: tokio::spawn(edge.run(listener)), connections, held }
}

async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    // A reset after the answer counts as its end.
    let _ = tokio::time::timeout(Duration::from_secs(5), read).await.unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn a_request_is_answered() {
    let server = start(&[]).await;
    let answer = server.ask(GET).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("content-length: 5"), "{answer}");
    assert!(answer.ends_with("hello"), "{answer}");
}

#[tokio::test]
async fn silent_and_slow_connections_are_closed() {
    let server = start(&[]).await;
    let start = Instant::now();
    let mut silent = server.connect().await;
    assert_eq!(read_to_end(&mut silent).await, "");
    assert!(start.elapsed() >= HEADER_LIMIT);

    let start = Instant::now();
    let mut slow = server.connect().await;
    let (mut reader, mut writer) = slow.split();
    let trickle = async {
        for byte in GET.iter().cycle() {
            if writer.write_all(std::slice::from_ref(byte)).await.is_err() {
                break;
            }
            // The pace of the client is what is tested.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let closed = async {
        let mut buffer = [0; 1];
        matches!(reader.read(&mut buffer).await, Ok(0) | Err(_))
    };
    tokio::select! {
        () = trickle => {}
        closed = closed => assert!(closed),
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[tokio::test]
async fn an_idle_connection_is_closed_after_its_answer() {
    let server = start(&[]).await;
    let start = Instant::now();
    let answer = server.ask(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(answer.ends_with("hello"), "{answer}");
    assert!(start.elapsed() >= HEADER_LIMIT);
}

#[tokio::test]
async fn a_peer_that_does_not_read_is_dropped() {
    let server = start(&[]).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut bytes = vec![0];
    stream.read_exact(&mut bytes).await.unwrap();
    let dropped = server.connections.all_closed();
    tokio::time::timeout(Duration::from_secs(5), dropped).await.unwrap();
    let _ = stream.read_to_end(&mut bytes).await;
    assert!(bytes.len() < 64 * 1024 * 1024, "{}", bytes.len());
}

#[tokio::test]
async fn oversized_headers_are_refused() {
    let server = start(&[]).await;
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(HEADER_FIELDS_MAX + 1));
    let answer = server.ask(many.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    let long = format!("GET / HTTP/1.1\r\na: {}\r\n\r\n", "x".repeat(HEADER_BYTES_MAX));
    let answer = server.ask(long.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn ambiguous_framing_is_refused_or_ends_the_connection() {
    let server = start(&[]).await;
    let two_lengths = b"POST /refuse HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab";
    assert!(server.ask(two_lengths).await.starts_with("HTTP/1.1 400"));
    let smuggled = b"POST /refuse HTTP/1.1\r\ncontent-length: 5\r\n\
        transfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n";
    let answer = server.ask(smuggled).await;
    assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
}

#[tokio::test]
async fn connections_over_the_caps_are_turned_away() {
    let server = start(&["--max-connections-per-ip=2"]).await;
    let first = server.connect().await;
    let _second = server.connect().await;
    let mut third = server.connect().await;
    let answer = read_to_end(&mut third).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 503") && head.contains("retry-after: 1"), "{head}");
    assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["error"], "unavailable");
    drop(first);
    let is_admitted = async { while !server.ask(GET).await.ends_with("hello") {} };
    tokio::time::timeout(Duration::from_secs(5), is_admitted).await.unwrap();
}

#[tokio::test]
async fn an_early_answer_arrives_although_the_client_is_still_sending() {
    let server = start(&[]).await;
    let mut stream = server.connect().await;
    let head = b"POST /refuse HTTP/1.1\r\nhost: x\r\ncontent-length: 8000000\r\n\r\n";
    stream.write_all(head).await.unwrap();
    for _ in 0..8 {
        stream.write_all(&vec![0; 1_000_000]).await.unwrap();
    }
    let answer = read_to_end(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}

#[tokio::test]
async fn a_stop_lets_requests_in_flight_finish() {
    let server = start(&[]).await;
    let mut busy = server.connect().await;
    let request = b"GET /held HTTP/1.1\r\nhost: x\r\n\r\n";
    busy.write_all(request).await.unwrap();
    server.held.arrived.notified().await;
    let mut idle = server.connect().await;
    idle.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"hello") {
        answer.push(idle.read_u8().await.unwrap());
    }

    let stopped = Instant::now();
    server.stop.send_replace(true);
    assert_eq!(read_to_end(&mut idle).await, "");
    assert!(stopped.elapsed() < Duration::from_millis(300), "{:?}", stopped.elapsed());
    server.held.released.notify_one();
    let answer = read_to_end(&mut busy).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("released"), "{answer}");
    server.task.await.unwrap();
    assert!(stopped.elapsed() < Duration::from_millis(1500), "{:?}", stopped.elapsed());
    assert!(TcpStream::connect(server.address).await.is_err());
}
