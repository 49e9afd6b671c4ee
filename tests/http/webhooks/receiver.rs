//! A receiver of webhooks, by hand: it answers with the statuses that it is given, in their order.

use std::io::{BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A request that came.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) signature: String,
    pub(crate) body: String,
}

pub(crate) struct Receiver {
    pub(crate) origin: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Receiver {
    /// Answers with these heads, then with 200.
    pub(crate) fn start(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let received = Arc::new(Mutex::new(Vec::new()));
        let noted = received.clone();
        std::thread::spawn(move || {
            let mut answers = answers.into_iter();
            for stream in listener.incoming() {
                let mut stream = stream.expect("a request");
                noted.lock().expect("a list").push(read(&mut BufReader::new(&stream)));
                let answer = answers.next().unwrap_or_else(|| "200 OK".to_owned());
                let head =
                    format!("HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                let _ = stream.write_all(head.as_bytes());
            }
        });
        Self { origin, received }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().expect("a list").clone()
    }
}

fn read(stream: &mut impl std::io::BufRead) -> Received {
    let (mut signature, mut length) = (String::new(), 0);
    let mut line = String::new();
    while stream.read_line(&mut line).expect("a line") > 2 {
        let (name, value) = line.trim_end().split_once(": ").unwrap_or((line.trim_end(), ""));
        match name.to_ascii_lowercase().as_str() {
            "purser-signature" => signature = value.to_owned(),
            "content-length" => length = value.parse().expect("a length"),
            _ => {}
        }
        line.clear();
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).expect("a body");
    Received { signature, body: String::from_utf8(body).expect("text") }
}
