//! A feed on a port of its own, which answers each path with the result of a function.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A server that lives as long as the test's process.
pub(crate) struct FeedServer {
    address: String,
    asked: Arc<AtomicU32>,
}

impl FeedServer {
    /// Starts it. The function gets the path with its query and gives a status and a body; a status
    /// of 302 makes the body the address to go to.
    pub(crate) fn start(answer: impl Fn(&str) -> (u16, String) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(AtomicU32::new(0));
        let counter = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut first = String::new();
                if reader.read_line(&mut first).is_err() {
                    continue;
                }
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
                    line.clear();
                }
                counter.fetch_add(1, Ordering::SeqCst);
                let path = first.split(' ').nth(1).unwrap_or_default();
                let (status, body) = answer(path);
                let location =
                    if status == 302 { format!("Location: {body}\r\n") } else { String::new() };
                let head = format!(
                    "HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{location}Connection: close\r\n\r\n",
                    body.len()
                );
                // Whoever has seen enough may have gone.
                let _ = stream
                    .write_all(head.as_bytes())
                    .and_then(|()| stream.write_all(body.as_bytes()));
            }
        });
        Self { address, asked }
    }

    /// Host and port, as in a URL.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// How often it was asked.
    pub(crate) fn asked(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }
}
