//! Server-sent events as a client reads them: one by one, while they come.

use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;

use super::client::Client;

/// A stream without any event for this long is stuck: keep-alive comments come more often.
const SILENCE_SECONDS_MAX: u64 = 60;

/// An open stream of server-sent events.
pub(crate) struct EventStream {
    lines: BufReader<Box<dyn Read + Send>>,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
}

/// One event: its name and its data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Client {
    /// Opens a stream; the status if it isn't 200.
    pub(crate) fn events(&self, path: &str) -> Result<EventStream, u16> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_recv_body(Some(Duration::from_secs(SILENCE_SECONDS_MAX)))
            .build();
        let mut request = Request::builder().uri(format!("http://{}{path}", self.address()));
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        let agent: Agent = config.into();
        let response = agent.run(request.body(()).expect("a request")).expect("an answer");
        if response.status().as_u16() != 200 {
            return Err(response.status().as_u16());
        }
        let (parts, body) = response.into_parts();
        let headers = parts.headers.iter().map(|(name, value)| {
            (name.as_str().to_owned(), value.to_str().expect("ASCII").to_owned())
        });
        Ok(EventStream {
            headers: headers.collect(),
            lines: BufReader::new(Box::new(body.into_reader())),
        })
    }
}

impl Iterator for EventStream {
    type Item = Event;

    /// The next event; `None` when the stream has ended, in order or not.
    fn next(&mut self) -> Option<Event> {
        let (mut name, mut data) = (String::new(), String::new());
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            match line.trim_end().split_once(':') {
                None if name.is_empty() => {}
                None => return Some(Event { name, data: serde_json::from_str(&data).ok()? }),
                Some(("event", value)) => name = value.trim().to_owned(),
                Some(("data", value)) => data.push_str(value.trim_start()),
                Some(_) => {}
            }
        }
    }
}
