//! A client with limits: the only one that asks others over HTTP.
//!
//! Redirects are followed a few times and only on the host that was asked, never from HTTPS to
//! HTTP: the library takes `Authorization` off a request that goes elsewhere, but no header of
//! another name. Names don't lead to inner addresses (`resolver`). An answer is read piece by piece
//! up to a limit, and isn't decompressed, so a small one can't grow. A [`Failure`] names neither
//! the address, which may hold a key, nor anything of the answer.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use purser_core::secret::Secret;
use reqwest::dns::Resolve;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Method, Response, Url};

use crate::network::Network;
use crate::resolver::{LeadsInside, Resolver};

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
    /// Asks for what is at an address.
    pub fn get(url: Url) -> Self {
        Self { inner: reqwest::Request::new(Method::GET, url) }
    }

    /// Posts nothing to an address; the request has a `Content-Length` of 0.
    pub fn post_nothing(url: Url) -> Self {
        let mut inner = reqwest::Request::new(Method::POST, url);
        inner.headers_mut().insert(reqwest::header::CONTENT_LENGTH, HeaderValue::from_static("0"));
        Self { inner }
    }

    /// Posts JSON to an address.
    pub fn post_json(url: Url, body: Vec<u8>) -> Self {
        let mut inner = reqwest::Request::new(Method::POST, url);
        let json = HeaderValue::from_static("application/json");
        inner.headers_mut().insert(reqwest::header::CONTENT_TYPE, json);
        *inner.body_mut() = Some(body.into());
        Self { inner }
    }

    /// Adds a header that everybody may see.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &'static str) -> Self {
        let name = HeaderName::from_static(name);
        self.inner.headers_mut().insert(name, HeaderValue::from_static(value));
        self
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
        Self::with_resolver(limits, Resolver { allowed: networks.into() })
    }

    fn with_resolver(
        limits: Limits,
        resolver: impl Resolve + 'static,
    ) -> Result<Self, ClientError> {
        // Fails if there is one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        #[expect(clippy::disallowed_methods, reason = "the one place that makes clients")]
        let builder = reqwest::Client::builder();
        let inner = builder
            .user_agent(concat!("purser/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(limits.connect)
            .timeout(limits.total)
            .redirect(Policy::custom(redirect))
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
        let client = Client::with_resolver(limits, Inside).unwrap();
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
