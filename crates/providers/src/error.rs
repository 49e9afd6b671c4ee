//! Why a call failed: a class that decides what happens next, and nothing of the answer.
//!
//! Texts of providers may contain account numbers, addresses or worse, so an error has none. What a
//! person needs to know is in the sentences of [`ErrorClass`] and of
//! [`purser_core::connection::SyncErrorCode`].

use std::fmt;
use std::time::Duration;

use purser_core::connection::SyncErrorCode;

/// How long a provider is left alone that refuses more requests and doesn't name a time.
const REST_AFTER_REFUSAL: Duration = Duration::from_secs(60 * 60);

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Call {
    /// Credentials in exchange for what a person entered.
    Enrolment,
    /// The list of accounts.
    Accounts,
    /// The balance of an account.
    Balance,
    /// The transactions of an account.
    Transactions,
    /// The holdings of an account.
    Holdings,
}

impl Call {
    /// Whether it is about one account.
    pub fn is_of_one_account(self) -> bool {
        matches!(self, Self::Balance | Self::Transactions | Self::Holdings)
    }

    /// The name of the call, for logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enrolment => "enrolment",
            Self::Accounts => "accounts",
            Self::Balance => "balance",
            Self::Transactions => "transactions",
            Self::Holdings => "holdings",
        }
    }
}

/// The kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// The credentials are wrong, used up or revoked.
    Auth,
    /// The subscription at the provider has ended.
    PaymentRequired,
    /// The bank asks for a new consent.
    ConsentExpired,
    /// The account was removed, or these credentials may not see it any more.
    NotFound,
    /// There were too many requests.
    RateLimited,
    /// The account has nothing of the kind, such as holdings.
    Unsupported,
    /// The provider or the bank behind it has a failure.
    UpstreamUnavailable,
    /// No answer came: name, connection, encryption, time.
    Network,
    /// The answer doesn't have the documented form.
    InvalidResponse,
    /// The answer is larger than the limit.
    TooLarge,
    /// The address isn't permitted, redirects elsewhere, or can't be asked.
    Config,
}

impl ErrorClass {
    /// Whether another try a moment later may succeed.
    pub fn may_pass(self) -> bool {
        matches!(self, Self::RateLimited | Self::UpstreamUnavailable | Self::Network)
    }

    /// Whether further calls with the same credentials are useless until a person has acted.
    pub fn ends_the_run(self) -> bool {
        matches!(self, Self::Auth | Self::PaymentRequired | Self::Config)
    }

    /// What a run that failed by it shows; `None` if it concerns one account or one call, and the
    /// run as such is well.
    pub fn code(self) -> Option<SyncErrorCode> {
        match self {
            Self::Auth | Self::PaymentRequired => Some(SyncErrorCode::CredentialsRejected),
            Self::ConsentExpired => Some(SyncErrorCode::ConsentExpired),
            Self::RateLimited => Some(SyncErrorCode::RateLimited),
            Self::UpstreamUnavailable | Self::Network | Self::Config => {
                Some(SyncErrorCode::ProviderUnavailable)
            }
            Self::InvalidResponse | Self::TooLarge => Some(SyncErrorCode::AnswerNotUnderstood),
            Self::NotFound | Self::Unsupported => None,
        }
    }

    /// The cause, for people and logs.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Auth => "The provider rejected the credentials.",
            Self::PaymentRequired => "The provider asks for a paid subscription.",
            Self::ConsentExpired => "The bank asks for a new consent.",
            Self::NotFound => "The provider doesn't have the account any more.",
            Self::RateLimited => "The provider allows no more requests for now.",
            Self::Unsupported => "The provider doesn't report this for the account.",
            Self::UpstreamUnavailable => "The provider or the bank has a failure.",
            Self::Network => "The provider could not be reached in time.",
            Self::InvalidResponse => "The provider's answer could not be understood.",
            Self::TooLarge => "The provider's answer is too large.",
            Self::Config => "The provider's address is not permitted or redirects elsewhere.",
        }
    }
}

/// A call that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct ProviderError {
    /// The kind of the failure.
    pub class: ErrorClass,
    /// What was asked for.
    pub call: Call,
    /// The status of the answer, if one came.
    pub status: Option<u16>,
    /// How long the provider wants to be left alone, if it named a time.
    pub retry_after: Option<Duration>,
}

impl ProviderError {
    /// A failure without more than its kind.
    pub fn new(class: ErrorClass, call: Call) -> Self {
        Self { class, call, status: None, retry_after: None }
    }

    /// How long to wait before the connection is used again; `None` leaves it to the schedule.
    pub fn rest(&self) -> Option<Duration> {
        (self.class == ErrorClass::RateLimited)
            .then(|| self.retry_after.unwrap_or(REST_AFTER_REFUSAL))
    }
}

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.call.as_str(), self.class.sentence())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_names_no_time_is_left_alone_for_an_hour() {
        let mut error = ProviderError::new(ErrorClass::RateLimited, Call::Balance);
        assert_eq!(error.rest(), Some(Duration::from_secs(3600)));
        error.retry_after = Some(Duration::from_secs(37));
        assert_eq!(error.rest(), Some(Duration::from_secs(37)));
        assert_eq!(ProviderError::new(ErrorClass::Network, Call::Balance).rest(), None);
        assert_eq!(error.to_string(), "balance: The provider allows no more requests for now.");
    }

    #[test]
    fn an_account_that_is_gone_is_no_failure_of_the_run() {
        assert_eq!(ErrorClass::NotFound.code(), None);
        assert_eq!(ErrorClass::Unsupported.code(), None);
        assert!(!ErrorClass::NotFound.ends_the_run());
        assert!(!ErrorClass::ConsentExpired.ends_the_run(), "other banks go on");
        assert!(ErrorClass::Auth.ends_the_run());
    }
}
