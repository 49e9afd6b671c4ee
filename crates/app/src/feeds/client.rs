//! Asking over HTTP: the one place that makes clients.
//!
//! Answers are limited in size and time. Redirects are followed a few times and only on the host
//! that the operator named, never from HTTPS to HTTP; names don't lead to inner addresses
//! (`resolver`). What failed for a reason that may pass is tried again after a pause. Reasons are
//! sentences without the address, which may hold a key, and without anything of the answer.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use purser_core::error::{Error, Result};
use purser_core::text::size::size;
use purser_formats::feeds::BYTES_MAX;
use reqwest::dns::Resolve;
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, StatusCode, Url};

use super::resolver::{LeadsInside, Resolver};
use crate::limits::{FEED_CONNECT_TIME, FEED_PAUSES, FEED_TIME};
use crate::network::Network;

/// Redirects that are followed.
const REDIRECTS_MAX: usize = 5;

/// The client that fetches from feeds.
pub(super) struct Fetcher {
    client: Client,
    pauses: &'static [Duration],
}

/// Why nothing came, as a sentence.
#[derive(Debug)]
pub(super) enum Failure {
    /// It may be otherwise in a moment: the feed can't be reached or is in trouble.
    Passing(String),
    /// It will be the same: that is its answer.
    Lasting(String),
}

impl Failure {
    /// The sentence about the failure.
    pub(super) fn into_reason(self) -> String {
        match self {
            Self::Passing(reason) | Self::Lasting(reason) => reason,
        }
    }
}

impl Fetcher {
    /// A client with its limits; `networks` are the inner ones that names may lead to.
    pub(super) fn new(networks: &[Network]) -> Result<Self> {
        Self::with_resolver(Resolver { allowed: networks.into() })
    }

    fn with_resolver(resolver: impl Resolve + 'static) -> Result<Self> {
        // Fails if there is one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        #[expect(clippy::disallowed_methods, reason = "the one place that makes clients")]
        let builder = Client::builder();
        let client = builder
            .user_agent(concat!("purser/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(FEED_CONNECT_TIME)
            .timeout(FEED_TIME)
            .redirect(Policy::custom(redirect))
            .dns_resolver(Arc::new(resolver))
            .no_proxy()
            .build()
            .map_err(Error::internal)?;
        Ok(Self { client, pauses: &FEED_PAUSES })
    }

    /// The body of an answer, or why there is none.
    pub(super) async fn fetch(&self, url: &Url) -> std::result::Result<Vec<u8>, Failure> {
        let mut pauses = self.pauses.iter();
        loop {
            let failure = match self.fetch_once(url).await {
                Ok(body) => return Ok(body),
                Err(failure) => failure,
            };
            match pauses.next().filter(|_| matches!(failure, Failure::Passing(_))) {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(failure),
            }
        }
    }

    async fn fetch_once(&self, url: &Url) -> std::result::Result<Vec<u8>, Failure> {
        let mut response = self.client.get(url.clone()).send().await.map_err(failure)?;
        let status = response.status();
        if status != StatusCode::OK {
            let reason = format!("The feed answered with status {}.", status.as_u16());
            let passes = status.is_server_error()
                || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status);
            return Err(if passes { Failure::Passing(reason) } else { Failure::Lasting(reason) });
        }
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(failure)? {
            if body.len() + piece.len() > BYTES_MAX {
                let reason = format!("The answer is larger than {}.", size(BYTES_MAX as u64));
                return Err(Failure::Lasting(reason));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
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

/// Whether the name of the feed leads to an inner address.
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
    let reason = if error.is_redirect() {
        return Failure::Lasting("The feed redirects to where it must not.".to_owned());
    } else if leads_inside(&error) {
        return Failure::Lasting("The feed's name leads to an inner address.".to_owned());
    } else if error.is_timeout() {
        "The feed didn't answer in time."
    } else if error.is_connect() {
        "The feed can't be reached."
    } else {
        "The feed's answer broke off."
    };
    tracing::debug!(cause = ?error, "a feed failed");
    Failure::Passing(reason.to_owned())
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
    async fn a_name_that_leads_inside_is_a_lasting_failure() {
        let fetcher = Fetcher::with_resolver(Inside).unwrap();
        let url = Url::parse("http://feed.example/").unwrap();
        let Err(Failure::Lasting(reason)) = fetcher.fetch(&url).await else { panic!() };
        assert_eq!(reason, "The feed's name leads to an inner address.");
    }
}
