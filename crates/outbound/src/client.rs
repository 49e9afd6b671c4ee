//! A client with limits: the only one that asks others over HTTP.
//!
//! Redirects are followed a few times and only on the host that was asked, never from HTTPS to
//! HTTP: the library takes `Authorization` off a request that goes elsewhere, but no header of
//! another name. Names don't lead to inner addresses (`resolver`). An answer is read piece by piece
//! up to a limit, and isn't decompressed, so a small one can't grow. A [`Failure`] names neither
//! the address, which may hold a key, nor anything of the answer.

use std::error::Error as _;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use purser_core::secret::Secret;
use reqwest::dns::Resolve;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Method, Response, Url};

use crate::network::Network;
use crate::resolver::{LeadsInside, Resolver};
use crate::upload::FileBody;

/// Redirects that are followed.
const REDIRECTS_MAX: usize = 5;

/// How long a request may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The time to connect.
    pub connect: Duration,
    /// The time of the whole request, the body of the answer included.
    pub total: Duration,
}

/// The client that makes requests.
#[derive(Debug, Clone)]
pub struct Client {
    inner: reqwest::Client,
}

/// The client can't be made on this machine.
#[derive(Debug, thiserror::Error)]
#[error("no HTTP client can be made")]
pub struct ClientError(#[source] reqwest::Error);

/// A request to others.
#[derive(Debug)]
pub struct Request {
    inner: reqwest::Request,
    /// How much of the body was sent, of one that takes long.
    sent: Option<Arc<AtomicU64>>,
}

/// An answer with a body that isn't read yet.
#[derive(Debug)]
pub struct Answer {
    inner: Response,
}

/// Why there is no answer, or only a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// No connection could be made.
    Unreachable,
    /// The answer didn't come in time.
    TimedOut,
    /// The connection ended in the middle.
    BrokenOff,
    /// The body is larger than the limit.
    TooLarge,
    /// The answer redirects to another host or from HTTPS to HTTP, or too often.
    Redirected,
    /// The name leads to this machine or to a network behind it.
    LeadsInside,
    /// The request can't be sent as it is: a header has characters that headers can't have.
    Unsendable,
}

impl Request {
    fn of(method: Method, url: Url) -> Self {
        Self { inner: reqwest::Request::new(method, url), sent: None }
    }

    /// With a `Content-Length` of 0.
    fn of_nothing(method: Method, url: Url) -> Self {
        let mut request = Self::of(method, url);
        let headers = request.inner.headers_mut();
        headers.insert(reqwest::header::CONTENT_LENGTH, HeaderValue::from_static("0"));
        request
    }

    /// Asks for what is at an address.
    pub fn get(url: Url) -> Self {
        Self::of(Method::GET, url)
    }

    /// Asks for the headers of what is at an address.
    pub fn head(url: Url) -> Self {
        Self::of(Method::HEAD, url)
    }

    /// Asks for the removal of what is at an address.
    pub fn delete(url: Url) -> Self {
        Self::of(Method::DELETE, url)
    }

    /// Puts nothing at an address: the headers have everything.
    pub fn put_nothing(url: Url) -> Self {
        Self::of_nothing(Method::PUT, url)
    }

    /// Puts the first bytes of a file at an address.
    pub fn put_file(url: Url, file: File, bytes: u64) -> Self {
        let mut inner = reqwest::Request::new(Method::PUT, url);
        let (body, sent) = FileBody::new(file, bytes);
        *inner.body_mut() = Some(reqwest::Body::wrap(body));
        Self { inner, sent: Some(sent) }
    }

    /// Posts nothing to an address; the request has a `Content-Length` of 0.
    pub fn post_nothing(url: Url) -> Self {
        Self::of_nothing(Method::POST, url)
    }

    /// Posts JSON to an address.
    pub fn post_json(url: Url, body: Vec<u8>) -> Self {
        let mut inner = reqwest::Request::new(Method::POST, url);
        let json = HeaderValue::from_static("application/json");
        inner.headers_mut().insert(reqwest::header::CONTENT_TYPE, json);
        *inner.body_mut() = Some(body.into());
        Self { inner, sent: None }
    }

    /// Adds a header that everybody may see.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &'static str) -> Self {
        let name = HeaderName::from_static(name);
        self.inner.headers_mut().insert(name, HeaderValue::from_static(value));
        self
    }

    /// Adds a header that everybody may see, of which the value is made.
    pub fn made_header(mut self, name: &'static str, value: &str) -> Result<Self, Failure> {
        let value = HeaderValue::from_str(value).map_err(|_| Failure::Unsendable)?;
        self.inner.headers_mut().insert(HeaderName::from_static(name), value);
        Ok(self)
    }

    /// Adds a header that is a secret: it is never printed.
    pub fn secret_header(mut self, name: &'static str, value: &Secret) -> Result<Self, Failure> {
        let mut value = HeaderValue::from_str(value.reveal()).map_err(|_| Failure::Unsendable)?;
        value.set_sensitive(true);
        self.inner.headers_mut().insert(HeaderName::from_static(name), value);
        Ok(self)
    }
}

impl Client {
    /// A client with its limits; `networks` are the inner ones that names may lead to.
    pub fn new(limits: Limits, networks: &[Network]) -> Result<Self, ClientError> {
        let resolver = Resolver { allowed: networks.into() };
        Self::with_resolver(limits, resolver, Policy::custom(redirect))
    }

    /// A client for one address that the operator has named, wherever it is. A redirect is an
    /// answer like any other and isn't followed.
    pub fn of_operator(limits: Limits) -> Result<Self, ClientError> {
        let resolver = Resolver { allowed: Network::everywhere().into() };
        Self::with_resolver(limits, resolver, Policy::none())
    }

    fn with_resolver(
        limits: Limits,
        resolver: impl Resolve + 'static,
        redirects: Policy,
    ) -> Result<Self, ClientError> {
        // Fails if there is one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        #[expect(clippy::disallowed_methods, reason = "the one place that makes clients")]
        let builder = reqwest::Client::builder();
        let inner = builder
            .user_agent(concat!("purser/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(limits.connect)
            .timeout(limits.total)
            .redirect(redirects)
            .referer(false)
            .dns_resolver(Arc::new(resolver))
            .no_proxy()
            .build()
            .map_err(ClientError)?;
        Ok(Self { inner })
    }

    /// Makes a request and waits for the head of the answer, whatever its status.
    pub async fn send(&self, request: Request) -> Result<Answer, Failure> {
        let inner = self.inner.execute(request.inner).await.map_err(failure)?;
        Ok(Answer { inner })
    }

    /// As [`Client::send`]; it has timed out when neither a part of the body was sent nor an answer
    /// came for so long, however much time the whole takes.
    pub async fn send_unless_stalled(
        &self,
        request: Request,
        stall: Duration,
    ) -> Result<Answer, Failure> {
        let sent = request.sent.clone().unwrap_or_default();
        let mut answer = std::pin::pin!(self.send(request));
        let mut before = 0;
        loop {
            if let Ok(answer) = tokio::time::timeout(stall, &mut answer).await {
                return answer;
            }
            let now = sent.load(Ordering::Relaxed);
            if now == before {
                return Err(Failure::TimedOut);
            }
            before = now;
        }
    }
}

impl Answer {
    /// The status of the answer.
    pub fn status(&self) -> u16 {
        self.inner.status().as_u16()
    }

    /// A header of the answer, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.inner.headers().get(name)?.to_str().ok()
    }

    /// The next piece of the body; none at its end. It has timed out when nothing came for so long.
    pub async fn piece(&mut self, stall: Duration) -> Result<Option<Bytes>, Failure> {
        let piece = tokio::time::timeout(stall, self.inner.chunk()).await;
        piece.map_err(|_| Failure::TimedOut)?.map_err(failure)
    }

    /// The body, if it has at most so many bytes.
    pub async fn body(mut self, bytes_max: usize) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        while let Some(piece) = self.inner.chunk().await.map_err(failure)? {
            if body.len() + piece.len() > bytes_max {
                return Err(Failure::TooLarge);
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    /// As much of the beginning of the body as comes, for answers that report an error.
    pub async fn beginning(mut self, bytes_max: usize) -> Vec<u8> {
        let mut body = Vec::new();
        while let Ok(Some(piece)) = self.inner.chunk().await {
            body.extend_from_slice(&piece);
            if body.len() >= bytes_max {
                body.truncate(bytes_max);
                break;
            }
        }
        body
    }
}

fn redirect(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    if !attempt.previous().last().is_some_and(|from| may_redirect(from, attempt.url())) {
        return attempt.error("a redirect to another host or kind of address");
    }
    if attempt.previous().len() > REDIRECTS_MAX {
        return attempt.error("too many redirects");
    }
    attempt.follow()
}

/// On the same host and port, and not from HTTPS to HTTP. From HTTP to HTTPS both have their usual
/// port.
fn may_redirect(from: &Url, to: &Url) -> bool {
    let is_same_host = from.host() == to.host() && from.port() == to.port();
    let is_as_safe = to.scheme() == "https" || (from.scheme(), to.scheme()) == ("http", "http");
    is_same_host && is_as_safe
}

/// Whether the name leads to an inner address.
fn leads_inside(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        if error.is::<LeadsInside>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// What went wrong, without the address.
fn failure(error: reqwest::Error) -> Failure {
    let error = error.without_url();
    if error.is_redirect() {
        return Failure::Redirected;
    }
    if leads_inside(&error) {
        return Failure::LeadsInside;
    }
    tracing::debug!(cause = ?error, "a request failed");
    if error.is_timeout() {
        Failure::TimedOut
    } else if error.is_connect() {
        Failure::Unreachable
    } else {
        Failure::BrokenOff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every name leads inside.
    struct Inside;

    impl Resolve for Inside {
        fn resolve(&self, _: reqwest::dns::Name) -> reqwest::dns::Resolving {
            Box::pin(async { Err(LeadsInside.into()) })
        }
    }

    #[test]
    fn redirects_stay_on_their_host() {
        let may = |from: &str, to: &str| {
            may_redirect(&Url::parse(from).unwrap(), &Url::parse(to).unwrap())
        };
        assert!(may("https://feed.example/a", "https://feed.example/b?c"));
        assert!(may("http://feed.example/a", "https://feed.example/a"));
        assert!(may("http://127.0.0.1:1/a", "http://127.0.0.1:1/b"));
        for (from, to) in [
            ("https://feed.example/", "http://feed.example/"),
            ("https://feed.example/", "https://other.example/"),
            ("https://feed.example/", "https://feed.example.org/"),
            ("https://feed.example/", "https://feed.example:8443/"),
            ("http://feed.example/", "http://127.0.0.1/"),
            ("http://feed.example/", "http://[::1]/"),
            ("http://feed.example/", "ftp://feed.example/"),
        ] {
            assert!(!may(from, to), "{from} to {to}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_asked() {
        let second = Duration::from_secs(1);
        let limits = Limits { connect: second, total: second };
        let client = Client::with_resolver(limits, Inside, Policy::none()).unwrap();
        let url = Url::parse("http://feed.example/").unwrap();
        let failure = client.send(Request::get(url)).await.err();
        assert_eq!(failure, Some(Failure::LeadsInside));
    }

    #[test]
    fn secrets_of_requests_are_not_printed() {
        let url = Url::parse("http://feed.example/").unwrap();
        let request = Request::get(url).secret_header("x-api-key", &Secret::new("open sesame"));
        assert!(!format!("{request:?}").contains("sesame"));
        let url = Url::parse("http://feed.example/").unwrap();
        let request = Request::get(url).secret_header("x-api-key", &Secret::new("two\nlines"));
        assert_eq!(request.err(), Some(Failure::Unsendable));
    }
}
