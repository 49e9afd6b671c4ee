//! A typed HTTP client: every status is an answer, none is an error.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::{HeaderMap, Method, Request};

use super::multipart::Multipart;
use super::{secrets, sentences, wait};

/// No answer of the program takes this long, even on a busy machine.
const SECONDS_MAX: u64 = 60;
/// Larger answers than this are a defect.
const ANSWER_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A client of one server, with or without a key. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    agent: Agent,
    address: String,
    headers: Vec<(String, String)>,
}

/// What the server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The status code of the answer.
    pub(crate) status: u16,
    /// The headers of the answer.
    pub(crate) headers: HeaderMap,
    /// The body of the answer, decompressed.
    pub(crate) bytes: Vec<u8>,
    /// What was asked, for messages.
    request: String,
}

impl Client {
    pub(super) fn new(address: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(SECONDS_MAX)))
            .build();
        Self { agent: config.into(), address: address.to_owned(), headers: Vec::new() }
    }

    /// The same client with a key.
    pub(crate) fn with_key(&self, key: &str) -> Self {
        self.with_header("X-Api-Key", key)
    }

    /// The same client with one more header on every request.
    pub(crate) fn with_header(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// With the headers of another client, such as its key.
    pub(crate) fn with_same_headers(mut self, other: &Self) -> Self {
        self.headers.clone_from(&other.headers);
        self
    }

    /// Host and port, as in a URL.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// What every request has.
    pub(super) fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// Sends a GET request.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, None)
    }

    /// Sends a DELETE request.
    #[track_caller]
    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.request("DELETE", path, None)
    }

    /// Sends a POST request with a JSON body.
    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.json("POST", path, body)
    }

    /// Sends JSON; `None` when the connection dies before the whole answer is there.
    pub(crate) fn try_post(&self, path: &str, body: &Value) -> Option<Answer> {
        self.try_send("POST", path, Some(body))
    }

    /// As [`Client::try_post`], with any method, and perhaps no body.
    pub(crate) fn try_send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Option<Answer> {
        let bytes = body.map(Value::to_string);
        let body = bytes.as_ref().map(|bytes| ("application/json", bytes.as_bytes()));
        self.try_request(method, path, body).ok()
    }

    /// Sends a PUT request with a JSON body.
    #[track_caller]
    pub(crate) fn put(&self, path: &str, body: &Value) -> Answer {
        self.json("PUT", path, body)
    }

    /// Sends a PATCH request with a JSON body.
    #[track_caller]
    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answer {
        self.json("PATCH", path, body)
    }

    /// Sends a form with files.
    #[track_caller]
    pub(crate) fn post_form(&self, path: &str, form: &Multipart) -> Answer {
        let (content_type, body) = form.encode();
        self.request("POST", path, Some((&content_type, &body)))
    }

    /// As [`Client::post_form`]; none if the connection dies.
    pub(crate) fn try_post_form(&self, path: &str, form: &Multipart) -> Option<Answer> {
        let (content_type, body) = form.encode();
        self.try_request("POST", path, Some((&content_type, &body))).ok()
    }

    /// Sends any method and, with its content type, any body.
    #[track_caller]
    pub(crate) fn request(&self, method: &str, path: &str, body: Option<(&str, &[u8])>) -> Answer {
        self.try_request(method, path, body)
            .unwrap_or_else(|error| panic!("{method} {path}: no whole answer: {error}"))
    }

    fn try_request(
        &self,
        method: &str,
        path: &str,
        body: Option<(&str, &[u8])>,
    ) -> Result<Answer, ureq::Error> {
        let method: Method = method.parse().expect("a method");
        let mut request =
            Request::builder().method(&method).uri(format!("http://{}{path}", self.address));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let sent = match body {
            None => self.agent.run(request.body(()).expect("a request")),
            Some((content_type, bytes)) => {
                let request = request.header("Content-Type", content_type);
                self.agent.run(request.body(bytes).expect("a request"))
            }
        };
        let mut response = sent?;
        let bytes = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec()?;
        if !path.ends_with("/openapi.json") {
            // Its example is a key that the simulator takes.
            secrets::require_none(&format!("the answer to {method} {path}"), &bytes);
        }
        let answer = Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            bytes,
            request: format!("{method} {path}"),
        };
        if path.starts_with("/api/") {
            answer.judge_sentences();
        }
        Ok(answer)
    }

    /// Waits until the import is at an end, good or bad, and returns its detail.
    #[track_caller]
    pub(crate) fn wait_for_import(&self, id: &str) -> Value {
        let path = format!("/api/v1/imports/{id}");
        wait::until(&format!("the end of import {id}"), || {
            let import = self.get(&path).expect_status(200).json()["data"].clone();
            (import["status_detail"]["terminal"] == true).then_some(import)
        })
    }

    #[track_caller]
    fn json(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.request(method, path, Some(("application/json", body.to_string().as_bytes())))
    }
}

impl Answer {
    /// The answer itself, if it has the status; a panic that shows the body, if not.
    #[track_caller]
    pub(crate) fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.request, self.text());
        self
    }

    /// An error body with the status and the code; its JSON.
    #[track_caller]
    pub(crate) fn expect_error(self, status: u16, code: &str) -> Value {
        let answer = self.expect_status(status);
        assert_eq!(answer.header("Content-Type"), Some("application/json"), "{}", answer.request);
        let body = answer.json();
        assert_eq!(body["error"], code, "{}: {body}", answer.request);
        assert!(body["message"].is_string(), "{}: {body}", answer.request);
        body
    }

    /// Whatever is refused, the reason is well worded.
    fn judge_sentences(&self) {
        let is_json = self.header("Content-Type") == Some("application/json");
        if self.status >= 400 && is_json && !self.bytes.is_empty() {
            let judged = sentences::judge(&self.json());
            judged.unwrap_or_else(|problem| panic!("{}: {problem}", self.request));
        }
    }

    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{}: {error} in {:?}", self.request, self.text()))
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header in ASCII"))
    }

    /// The `id` of the body, at its top or below `data`.
    #[track_caller]
    pub(crate) fn id(&self) -> String {
        let body = self.json();
        let id = body["data"]["id"].as_str().or(body["id"].as_str());
        id.unwrap_or_else(|| panic!("{}: no id in {body}", self.request)).to_owned()
    }
}
