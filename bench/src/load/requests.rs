//! Requests that are sent all at once, each on its own connection.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::Result;
use crate::http::BOUNDARY;

/// No answer takes longer.
const ANSWER_SECONDS_MAX: u64 = 300;
/// How often a request is sent for which there is no connection, and the pause in between.
const CONNECTIONS_MAX: u32 = 600;
const REFUSED: Duration = Duration::from_millis(200);
/// How long an answer is left unread.
const UNREAD: Duration = Duration::from_secs(5);
/// The stack of each thread is small, because there are hundreds.
const STACK_BYTES: usize = 256 * 1024;

/// A request as it is sent; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Request {
    head: String,
    body: Arc<[u8]>,
    is_read: bool,
    /// It is to be refused for what is in it.
    is_invalid: bool,
}

/// The numbers of answers by status.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// Those that succeeded, or were refused as they are to be.
    pub(super) good: usize,
    pub(super) busy: usize,
    pub(super) other: usize,
    /// Requests that got no answer.
    pub(super) none: usize,
    /// Kinds of requests of which none was good.
    pub(super) never_good: Vec<String>,
}

impl Request {
    fn new(method: &str, key: &str, path: &str, media_type: &str, body: &[u8]) -> Self {
        let head = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nHost: bench\r\nX-Api-Key: {key}\r\n\
             Content-Type: {media_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        Self { head, body: body.into(), is_read: true, is_invalid: false }
    }

    pub(super) fn get(key: &str, path: &str) -> Self {
        Self::new("GET", key, path, "text/plain", b"")
    }

    pub(super) fn post(key: &str, path: &str, body: &Value) -> Self {
        Self::new("POST", key, path, "application/json", body.to_string().as_bytes())
    }

    /// A table of exchange rates of about this size; its last row makes it invalid.
    pub(super) fn table(key: &str, bytes: usize) -> Self {
        let mut table = String::from("date,base,quote,rate\n");
        while table.len() < bytes {
            table.push_str("2024-01-02,EUR,USD,1.0956\n");
        }
        table.push_str("2024-01-02,EUR,USD,no number\n");
        let request = Self::new("POST", key, "exchange_rates/import", "text/csv", table.as_bytes());
        Self { is_invalid: true, ..request }
    }

    /// The form of an upload, to `imports` or `imports/preflight`.
    pub(super) fn upload(key: &str, path: &str, body: &[u8]) -> Self {
        let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
        Self::new("POST", key, path, &media_type, body)
    }

    /// The same request by a client that reads its answer late.
    pub(super) fn unread(self) -> Self {
        Self { is_read: false, ..self }
    }

    /// What kind it is: the first line and the length of the body.
    fn kind(&self) -> String {
        let line = self.head.lines().next().unwrap_or_default();
        format!("{} of {} bytes", line.trim_end_matches(" HTTP/1.1"), self.body.len())
    }

    fn is_good(&self, status: u16) -> bool {
        if self.is_invalid { status == 422 } else { (200..300).contains(&status) }
    }

    /// Sends it, again after a pause if its connection was refused: only so many may be open that
    /// haven't shown a key. The status of the whole answer, 0 without one.
    fn send(&self, address: &str) -> u16 {
        for _ in 0..CONNECTIONS_MAX {
            if let Ok(status) = self.send_once(address) {
                return status;
            }
            std::thread::sleep(REFUSED);
        }
        0
    }

    fn send_once(&self, address: &str) -> std::io::Result<u16> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(ANSWER_SECONDS_MAX)))?;
        stream.write_all(self.head.as_bytes())?;
        // A refusal may come before the end of the body.
        let _ = stream.write_all(&self.body);
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        if !self.is_read {
            std::thread::sleep(UNREAD);
        }
        std::io::copy(&mut stream, &mut std::io::sink())?;
        let text = String::from_utf8_lossy(&status);
        Ok(text.rsplit(' ').next().and_then(|code| code.parse().ok()).unwrap_or(0))
    }
}

/// Sends all of them at the same time and waits for every answer.
pub(super) fn send_all(address: &str, requests: Vec<Request>) -> Result<Answers> {
    let mut threads = Vec::with_capacity(requests.len());
    for request in requests {
        let address = address.to_owned();
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        threads.push(thread.spawn(move || (request.send(&address), request))?);
    }
    let mut answered = Vec::with_capacity(threads.len());
    for thread in threads {
        let (status, request) = thread.join().map_err(|_| "a request's thread panicked")?;
        answered.push((request.kind(), request.is_good(status), status));
    }
    Ok(counted(answered))
}

/// Counts answers: the kind of each request, whether the answer is a good one, and its status.
fn counted(answered: impl IntoIterator<Item = (String, bool, u16)>) -> Answers {
    let mut answers = Answers::default();
    let mut kinds: BTreeMap<String, bool> = BTreeMap::new();
    for (kind, is_good, status) in answered {
        *kinds.entry(kind).or_default() |= is_good;
        match status {
            _ if is_good => answers.good += 1,
            503 => answers.busy += 1,
            0 => answers.none += 1,
            // Among them a publish or an undo that another one was faster with.
            _ => answers.other += 1,
        }
    }
    let never_good = kinds.into_iter().filter(|(_, was_good)| !was_good);
    answers.never_good = never_good.map(|(kind, _)| kind).collect();
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_request_needs_an_answer_that_is_good() {
        let page = Request::get("key", "transactions");
        let table = Request::table("key", 100);
        let answers = |answered: &[(&Request, u16)]| {
            let of = |(request, status): &(&Request, u16)| {
                (request.kind(), request.is_good(*status), *status)
            };
            counted(answered.iter().map(of))
        };
        let fine = answers(&[(&page, 503), (&page, 200), (&table, 422), (&table, 503)]);
        assert_eq!((fine.good, fine.busy, fine.never_good.len()), (2, 2, 0));
        let refused = answers(&[(&page, 503), (&page, 422), (&table, 200), (&page, 409)]);
        assert_eq!((refused.good, refused.busy, refused.other), (0, 1, 3));
        assert_eq!(refused.never_good.len(), 2, "{refused:?}");
        assert_eq!(refused.never_good[0], "GET /api/v1/transactions of 0 bytes");
    }
}
