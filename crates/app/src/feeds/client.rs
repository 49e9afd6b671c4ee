//! Asking a feed: what failed for a reason that may pass is tried again after a pause. Reasons are
//! sentences without the address, which may hold a key, and without anything of the answer.

use std::time::Duration;

use purser_core::error::{Error, Result};
use purser_core::text::size::size;
use purser_formats::feeds::BYTES_MAX;
use purser_outbound::{Client, Limits, Request, Url};

use crate::limits::{FEED_CONNECT_TIME, FEED_PAUSES, FEED_TIME};
use crate::network::Network;

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
        let limits = Limits { connect: FEED_CONNECT_TIME, total: FEED_TIME };
        let client = Client::new(limits, networks).map_err(Error::internal)?;
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
        let answer = self.client.send(Request::get(url.clone())).await.map_err(failure)?;
        match answer.status() {
            200 => answer.body(BYTES_MAX).await.map_err(failure),
            status => {
                let reason = format!("The feed answered with status {status}.");
                let passes = status >= 500 || [429, 408].contains(&status);
                Err(if passes { Failure::Passing(reason) } else { Failure::Lasting(reason) })
            }
        }
    }
}

/// The sentence about a failure, and whether it may pass.
fn failure(failure: purser_outbound::Failure) -> Failure {
    use purser_outbound::Failure as Outbound;
    let reason = match failure {
        Outbound::Redirected => "The feed redirects to where it must not.",
        Outbound::LeadsInside => "The feed's name leads to an inner address.",
        Outbound::Unsendable => "The address of the feed can't be asked.",
        Outbound::TooLarge => {
            let reason = format!("The answer is larger than {}.", size(BYTES_MAX as u64));
            return Failure::Lasting(reason);
        }
        Outbound::TimedOut => {
            return Failure::Passing("The feed didn't answer in time.".to_owned());
        }
        Outbound::Unreachable => return Failure::Passing("The feed can't be reached.".to_owned()),
        Outbound::BrokenOff => return Failure::Passing("The feed's answer broke off.".to_owned()),
    };
    Failure::Lasting(reason.to_owned())
}
