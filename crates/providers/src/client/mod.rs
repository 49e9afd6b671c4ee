//! Requests to providers: permitted hosts, limits, pace, further tries, raw log lines.
//!
//! * [`Environment`]: the clock, waiting, chance; tests bring their own.
//! * [`permitted`]: which hosts may be asked at all.
//! * [`pace`]: how many requests of one key may follow each other.
//! * [`retry`]: which failures are tried again, and after what pause.
//! * [`hints`]: times to wait, as providers write them.
//! * [`classes`]: what the status of an answer means.
//! * [`raw_log`]: answers in the log, for who develops or reports a problem.
//!
//! The order of a call: host permitted → turn of the key → pace of the key → request → class →
//! pause and again, or the end.

pub mod classes;
mod environment;
pub mod hints;
pub mod pace;
pub mod permitted;
pub mod raw_log;
pub mod retry;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use purser_core::secret::Secret;
use purser_outbound::network::Network;
use purser_outbound::origin::Origin;
use purser_outbound::{Client as HttpClient, ClientError, Failure, Limits, Request, Url};

pub use environment::{Environment, SystemEnvironment};

use crate::error::{Call, ErrorClass, ProviderError};
use crate::registry::ProviderKind;
use pace::{Lane, Lanes};
use permitted::PermittedHosts;
use raw_log::RawLine;

/// How long connecting may take.
const CONNECT_TIME: Duration = Duration::from_secs(10);
/// How long an answer may take: some banks are asked while the request waits.
const ANSWER_TIME: Duration = Duration::from_secs(120);
/// The largest answer that is read, in bytes.
pub const BODY_BYTES_MAX: usize = 10 * 1024 * 1024;
/// What is read of an answer that reports an error.
const ERROR_BYTES_MAX: usize = 64 * 1024;

/// Requests of one key to `lunchflow` in a minute, if an operator names no number.
pub const LUNCHFLOW_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// What an operator may change about requests to providers.
#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// Hosts that may be asked beside the providers' own.
    pub hosts: Vec<Origin>,
    /// Inner networks that names of hosts may lead to.
    pub networks: Vec<Network>,
    /// The address of the provider `lunchflow`, if it isn't the provider's own.
    pub lunchflow_base: Option<Url>,
    /// How many requests of one key the provider `lunchflow` answers in a minute.
    pub lunchflow_per_minute: NonZeroU32,
    /// Whether raw answers are written to the log.
    pub debug_raw: bool,
    /// How long requests may take.
    pub limits: Limits,
}

impl Default for ClientSettings {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            networks: Vec::new(),
            lunchflow_base: None,
            lunchflow_per_minute: LUNCHFLOW_PER_MINUTE,
            debug_raw: false,
            limits: Limits { connect: CONNECT_TIME, total: ANSWER_TIME },
        }
    }
}

/// Makes the requests of every connection to every provider.
pub struct Client {
    http: HttpClient,
    environment: Arc<dyn Environment>,
    permitted: PermittedHosts,
    lanes: Lanes,
    settings: ClientSettings,
}

/// One request of a call.
pub(crate) struct Query<'a> {
    /// The provider that is asked.
    pub(crate) provider: ProviderKind,
    /// What is asked for.
    pub(crate) call: Call,
    /// The path without ids, for logs.
    pub(crate) template: &'static str,
    /// The address with everything in it.
    pub(crate) url: Url,
    /// The header with the credentials.
    pub(crate) credentials: (&'static str, &'a Secret),
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// A client for all connections of a process.
    pub fn new(
        settings: ClientSettings,
        environment: Arc<dyn Environment>,
    ) -> Result<Self, ClientError> {
        let http = HttpClient::new(settings.limits, &settings.networks)?;
        let permitted = PermittedHosts::new(&settings);
        if settings.debug_raw {
            tracing::warn!("raw answers of providers are written to the log at level debug");
        }
        let lanes = Lanes::new(&settings);
        Ok(Self { http, environment, permitted, lanes, settings })
    }

    /// What the operator has changed.
    pub(crate) fn settings(&self) -> &ClientSettings {
        &self.settings
    }

    /// The clock and chance.
    pub(crate) fn environment(&self) -> &dyn Environment {
        self.environment.as_ref()
    }

    /// Whether a provider may be asked at an address.
    pub(crate) fn is_permitted(&self, provider: ProviderKind, url: &Url) -> bool {
        self.permitted.permits(provider, url)
    }

    /// The body of the answer, after further tries where they may help.
    pub(crate) async fn get(&self, query: Query<'_>) -> crate::Result<Vec<u8>> {
        if !self.is_permitted(query.provider, &query.url) {
            return Err(ProviderError::new(ErrorClass::Config, query.call));
        }
        let now = self.environment.uptime();
        let lane = self.lanes.of(query.provider, query.credentials.1, now);
        let _turn = lane.turn().await;
        let mut tries = 1;
        loop {
            self.keep_pace(&lane, query.call).await?;
            let error = match self.get_once(&query).await {
                Ok(body) => return Ok(body),
                Err(error) => error,
            };
            if error.class == ErrorClass::RateLimited && error.status == Some(429) {
                lane.hold(self.environment.uptime(), error.retry_after);
            }
            tracing::debug!(
                provider = query.provider.as_str(), call = query.call.as_str(), tries,
                class = ?error.class, status = error.status, "a call failed"
            );
            match retry::pause(tries, &error, self.environment.chance()) {
                Some(pause) => self.environment.pause(pause).await,
                None => return Err(error),
            }
            tries += 1;
        }
    }

    /// Exchanges a token that is used once. Never tried again: it would be used up.
    pub(crate) async fn claim(&self, provider: ProviderKind, url: Url) -> crate::Result<Vec<u8>> {
        let call = Call::Enrolment;
        if !self.is_permitted(provider, &url) {
            return Err(ProviderError::new(ErrorClass::Config, call));
        }
        let sent = self.http.send(Request::post_nothing(url)).await;
        let answer = sent.map_err(|failure| self.failed(call, failure))?;
        let status = answer.status();
        if status == 200 {
            return answer
                .body(ERROR_BYTES_MAX)
                .await
                .map_err(|failure| self.failed(call, failure));
        }
        let class = classes::of_status(call, status);
        Err(ProviderError { status: Some(status), ..ProviderError::new(class, call) })
    }

    /// Waits until the key may ask again, or fails if that takes too long.
    async fn keep_pace(&self, lane: &Lane, call: Call) -> crate::Result<()> {
        while let Err(wait) = lane.take(self.environment.uptime()) {
            if wait > retry::PAUSE_MAX {
                let error = ProviderError::new(ErrorClass::RateLimited, call);
                return Err(ProviderError { retry_after: Some(wait), ..error });
            }
            self.environment.pause(wait).await;
        }
        Ok(())
    }

    async fn get_once(&self, query: &Query<'_>) -> crate::Result<Vec<u8>> {
        let call = query.call;
        let failed = |failure| self.failed(call, failure);
        let (header, secret) = query.credentials;
        let request = Request::get(query.url.clone())
            .header("accept", "application/json")
            .secret_header(header, secret)
            .map_err(failed)?;
        let answer = self.http.send(request).await.map_err(failed)?;
        let status = answer.status();
        let line = RawLine { provider: query.provider, call, template: query.template, status };
        if status == 200 {
            let body = answer.body(BODY_BYTES_MAX).await.map_err(failed)?;
            self.log_raw(line, &body, secret);
            return Ok(body);
        }
        let header = |name| answer.header(name).map(str::to_owned);
        let (retry_after, date) = (header("retry-after"), header("date"));
        let body = answer.beginning(ERROR_BYTES_MAX).await;
        self.log_raw(line, &body, secret);
        let text = String::from_utf8_lossy(&body);
        let class = classes::of_answer(call, status, &text);
        let retry_after = (class.may_pass())
            .then(|| {
                hints::of_header(retry_after.as_deref(), date.as_deref(), self.environment.now())
                    .or_else(|| hints::of_text(&text))
            })
            .flatten();
        Err(ProviderError { class, call, status: Some(status), retry_after })
    }

    fn log_raw(&self, line: RawLine, body: &[u8], secret: &Secret) {
        if self.settings.debug_raw {
            tracing::debug!(target: raw_log::TARGET, "{}", line.text(body, secret));
        }
    }

    /// The class of a request to which no whole answer came.
    fn failed(&self, call: Call, failure: Failure) -> ProviderError {
        let class = match failure {
            Failure::Unreachable | Failure::TimedOut | Failure::BrokenOff => ErrorClass::Network,
            Failure::TooLarge => ErrorClass::TooLarge,
            Failure::Redirected | Failure::LeadsInside => ErrorClass::Config,
            // The credentials can't stand in a header, so they aren't any of this provider.
            Failure::Unsendable => ErrorClass::Auth,
        };
        ProviderError::new(class, call)
    }
}
