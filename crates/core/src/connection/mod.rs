//! Connections to bank-data providers: their states and the sentences that describe them.
//!
//! The answer of a provider is never shown. An error is one of a fixed set of codes, and each code
//! has one sentence that names the cause and what to do.
//!
//! * [`condition`]: the most urgent of what is true of a connection.
//! * [`outcome`]: what came of each step of a run, and of the run as a whole.
//! * [`proposal`]: the type that a newly found account probably has.
//! * [`schedule`]: when a connection is synced next.

pub mod condition;
pub mod holdings;
pub mod outcome;
pub mod proposal;
pub mod schedule;

use crate::named::text_enum;

text_enum! {
    /// Whether a connection works.
    ConnectionStatus {
        /// The connection can be used.
        Good = "good",
        /// A person must renew the consent or the key.
        RequiresUpdate = "requires_update",
    }
}

text_enum! {
    /// Whether the bank still gives data about an account that was found at a provider.
    FoundAccountState {
        /// The connection of the account works.
        Active = "active",
        /// A person must renew the consent at the provider.
        ConsentExpired = "consent_expired",
        /// The account has a failure that may pass.
        Failing = "failing",
    }
}

text_enum! {
    /// The state of one run of a synchronisation.
    SyncStatus {
        /// The run waits for a worker.
        Pending = "pending",
        /// The run is in progress.
        Syncing = "syncing",
        /// The run ended without an error.
        Completed = "completed",
        /// The run ended in an error.
        Failed = "failed",
        /// The run was given up because it never ended.
        Stale = "stale",
    }
}

text_enum! {
    /// How far the undo of a run is.
    RevertStatus {
        /// It is under way, in several commits.
        Reverting = "reverting",
        /// It was given up; undone again it goes on.
        Failed = "failed",
        /// It is done in every account.
        Reverted = "reverted",
    }
}

text_enum! {
    /// Why a run failed.
    SyncErrorCode {
        /// The provider refuses the key.
        CredentialsRejected = "credentials_rejected",
        /// The bank asks for a new consent.
        ConsentExpired = "consent_expired",
        /// The provider refused the requests because there were too many.
        RateLimited = "rate_limited",
        /// The provider can't be reached or has a failure.
        ProviderUnavailable = "provider_unavailable",
        /// The answer doesn't have the form that the provider documents.
        AnswerNotUnderstood = "answer_not_understood",
        /// The provider lists none of the linked accounts any more.
        AccountsGone = "accounts_gone",
        /// The run was stopped before its end.
        Interrupted = "interrupted",
    }
}

text_enum! {
    /// Why a run failed, as clients get it: the interface has these codes and no others.
    PublishedErrorCode {
        /// The provider refuses the key.
        CredentialsRejected = "credentials_rejected",
        /// The bank asks for a new consent.
        ConsentExpired = "consent_expired",
        /// The provider refused the requests because there were too many.
        RateLimited = "rate_limited",
        /// The provider can't be reached, has a failure, or gives no data of the accounts.
        ProviderUnavailable = "provider_unavailable",
        /// The answer doesn't have the form that the provider documents.
        AnswerNotUnderstood = "answer_not_understood",
        /// The run was stopped before its end.
        Interrupted = "interrupted",
    }
}

impl SyncStatus {
    /// Whether the run hasn't ended yet.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Pending | Self::Syncing)
    }

    /// The code of a run that ended badly; a run that left no code was interrupted.
    pub fn error(self, code: Option<SyncErrorCode>) -> Option<SyncErrorCode> {
        matches!(self, Self::Failed | Self::Stale)
            .then(|| code.unwrap_or(SyncErrorCode::Interrupted))
    }
}

impl SyncErrorCode {
    /// The code that clients get. The sentence names the cause.
    pub fn published(self) -> PublishedErrorCode {
        match self {
            Self::CredentialsRejected => PublishedErrorCode::CredentialsRejected,
            Self::ConsentExpired => PublishedErrorCode::ConsentExpired,
            Self::RateLimited => PublishedErrorCode::RateLimited,
            Self::ProviderUnavailable | Self::AccountsGone => {
                PublishedErrorCode::ProviderUnavailable
            }
            Self::AnswerNotUnderstood => PublishedErrorCode::AnswerNotUnderstood,
            Self::Interrupted => PublishedErrorCode::Interrupted,
        }
    }

    /// The cause and what to do, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::CredentialsRejected => {
                "The provider rejected the stored key. Enter a valid one to go on."
            }
            Self::ConsentExpired => {
                "The bank's consent has expired. Renew it at the provider to go on."
            }
            Self::RateLimited => {
                "The provider allows no more requests for now. The next try comes by itself."
            }
            Self::ProviderUnavailable => {
                "The provider could not be reached. The next try comes by itself."
            }
            Self::AnswerNotUnderstood => {
                "The provider's answer could not be understood. Nothing was changed."
            }
            Self::AccountsGone => {
                "The provider has none of the linked accounts any more. Allow or unlink them."
            }
            Self::Interrupted => {
                "The sync was interrupted before it was done. The next try comes by itself."
            }
        }
    }
}

/// How many of a connection's discovered accounts are linked, and the result of its last run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// The number of accounts that were discovered at the provider.
    pub total: u64,
    /// The number of those that are linked to accounts of the family.
    pub linked: u64,
    /// The number of those that a person wants to be left alone.
    pub ignored: u64,
    /// The number of accounts that failed in the newest completed run.
    pub failed: u64,
    /// The number of accounts of which that run got less than everything.
    pub incomplete: u64,
    /// The number of linked accounts that it came to.
    pub covered: u64,
    /// Whether any run was completed.
    pub synced_once: bool,
}

impl Coverage {
    /// The number of discovered accounts that are not linked.
    pub fn unlinked(&self) -> u64 {
        self.total.saturating_sub(self.linked)
    }

    /// The number of those that wait for a person to decide.
    pub fn undecided(&self) -> u64 {
        self.unlinked().saturating_sub(self.ignored)
    }

    /// One sentence: what is synced, what failed or lacks something, what has been linked since,
    /// what needs to be set up.
    pub fn summary(&self) -> String {
        if self.total == 0 {
            return "No accounts found".to_owned();
        }
        // Before the first completed run nothing is synced, whatever is linked.
        let covered = if self.synced_once { self.linked.min(self.covered) } else { 0 };
        let waiting = if self.synced_once { self.linked - covered } else { 0 };
        let failed = self.failed.min(covered);
        let incomplete = self.incomplete.min(covered - failed);
        let synced = covered - failed - incomplete;
        let unlinked = self.undecided();
        if failed + incomplete + waiting + unlinked == 0 {
            return format!("{synced} {} synced", if synced == 1 { "account" } else { "accounts" });
        }
        let mut parts = vec![format!("{synced} synced")];
        if failed > 0 {
            parts.push(format!("{failed} failed"));
        }
        if incomplete > 0 {
            parts.push(format!("{incomplete} incomplete"));
        }
        if waiting > 0 {
            parts.push(format!("{waiting} not synced yet"));
        }
        if unlinked > 0 {
            parts.push(format!("{unlinked} need setup"));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_what_failed_and_what_is_to_be_done() {
        let summary = |total, linked, failed| {
            let covered = linked;
            let known = Coverage { total, linked, failed, covered, ..Coverage::default() };
            Coverage { synced_once: true, ..known }.summary()
        };
        assert_eq!(summary(0, 0, 0), "No accounts found");
        assert_eq!(summary(1, 1, 0), "1 account synced");
        assert_eq!(summary(3, 3, 0), "3 accounts synced");
        assert_eq!(summary(3, 1, 0), "1 synced, 2 need setup");
        assert_eq!(summary(3, 3, 1), "2 synced, 1 failed");
        assert_eq!(summary(4, 3, 1), "2 synced, 1 failed, 1 need setup");
        assert_eq!(summary(2, 0, 5), "0 synced, 2 need setup");
        let ignoring = Coverage {
            total: 4,
            linked: 2,
            ignored: 1,
            covered: 2,
            synced_once: true,
            ..Coverage::default()
        };
        assert_eq!(ignoring.summary(), "2 synced, 1 need setup");
        assert_eq!(Coverage { total: 3, ..ignoring }.summary(), "2 accounts synced");
        let lacking = Coverage { total: 3, failed: 1, incomplete: 1, ..ignoring };
        assert_eq!(lacking.summary(), "0 synced, 1 failed, 1 incomplete");
        let linked_since = Coverage { total: 3, covered: 1, ..ignoring };
        assert_eq!(linked_since.summary(), "1 synced, 1 not synced yet");
        let before_the_first = Coverage { total: 2, linked: 2, ..Coverage::default() };
        assert_eq!(before_the_first.summary(), "0 accounts synced");
    }

    #[test]
    fn only_runs_that_ended_badly_have_an_error() {
        assert_eq!(SyncStatus::Completed.error(Some(SyncErrorCode::RateLimited)), None);
        assert_eq!(SyncStatus::Stale.error(None), Some(SyncErrorCode::Interrupted));
        let code = Some(SyncErrorCode::ConsentExpired);
        assert_eq!(SyncStatus::Failed.error(code), code);
    }
}
