//! Requests byte by byte, for what a well-behaved client never sends.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use super::server::Server;

/// A server that sends nothing for this long has forgotten the connection.
const SILENCE_SECONDS_MAX: u64 = 60;

/// An answer as it came over the wire.
#[derive(Debug)]
pub(crate) struct RawAnswer {
    /// Status code, 0 if the connection closed without an answer.
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// Not decompressed, chunks not joined.
    pub(crate) body: Vec<u8>,
}

impl RawAnswer {
    /// A header's value, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let Some(end) = end else {
            return Self { status: 0, headers: Vec::new(), body: bytes.to_vec() };
        };
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let headers = lines.filter_map(|line| line.split_once(':'));
        Self {
            status: status.unwrap_or(0),
            headers: headers
                .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
                .collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }
}

impl Server {
    /// Opens a connection; reads and writes on it are bounded.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).expect("a connection");
        let bound = Some(Duration::from_secs(SILENCE_SECONDS_MAX));
        stream.set_read_timeout(bound).expect("a bound");
        stream.set_write_timeout(bound).expect("a bound");
        stream
    }

    /// Sends the bytes and reads until the server closes. The request should have the header
    /// `Connection: close`, or be one after which the server closes anyway.
    #[track_caller]
    pub(crate) fn send_raw(&self, request: &[u8]) -> RawAnswer {
        let mut stream = self.connect();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let ended = stream.read_to_end(&mut bytes);
        let _ = stream.shutdown(Shutdown::Both);
        if let Err(error) = ended {
            assert!(!bytes.is_empty(), "no answer: {error}");
        }
        RawAnswer::parse(&bytes)
    }

    /// A bodyless request with the headers, and its answer as it came.
    #[track_caller]
    pub(crate) fn get_raw(&self, path: &str, headers: &[(&str, &str)]) -> RawAnswer {
        let mut request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.address());
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("Connection: close\r\n\r\n");
        self.send_raw(request.as_bytes())
    }
}
