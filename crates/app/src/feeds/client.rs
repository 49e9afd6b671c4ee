//! Asking over HTTP: the one place that makes clients.
//!
//! Answers are limited in size and time. Redirects are followed a few times, only to HTTP and HTTPS
//! and never from HTTPS to HTTP. What failed for a reason that may pass is tried again after a
//! pause. Reasons are sentences without the address, which may hold a key.

use std::time::Duration;

use purser_core::error::{Error, Result};
use purser_core::text::size::size;
use purser_formats::feeds::BYTES_MAX;
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, StatusCode, Url};

use crate::limits::{FEED_CONNECT_TIME, FEED_PAUSES, FEED_TIME};

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
    /// A client with its limits.
    pub(super) fn new() -> Result<Self> {
        // Fails if there is one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        #[expect(clippy::disallowed_methods, reason = "the one place that makes clients")]
        let builder = Client::builder();
        let client = builder
            .user_agent(concat!("purser/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(FEED_CONNECT_TIME)
            .timeout(FEED_TIME)
            .redirect(Policy::custom(redirect))
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
    let from_https = attempt.previous().last().is_some_and(|url| url.scheme() == "https");
    let is_allowed = match attempt.url().scheme() {
        "https" => true,
        "http" => !from_https,
        _ => false,
    };
    if !is_allowed {
        return attempt.error("a redirect to another kind of address");
    }
    if attempt.previous().len() > REDIRECTS_MAX {
        return attempt.error("too many redirects");
    }
    attempt.follow()
}

/// What went wrong, without the address.
fn failure(error: reqwest::Error) -> Failure {
    let error = error.without_url();
    let reason = if error.is_redirect() {
        return Failure::Lasting("The feed redirects to where it must not.".to_owned());
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
