//! The condition of a connection in one word: the most urgent of what is true of it.

use jiff::{SignedDuration, Timestamp};

use super::{ConnectionStatus, SyncErrorCode, SyncStatus};
use crate::named::text_enum;

/// How long before its end a consent is shown as ending.
pub const CONSENT_WARNING: SignedDuration = SignedDuration::from_hours(14 * 24);
/// How long after its planned time a run counts as overdue.
pub const OVERDUE_AFTER: SignedDuration = SignedDuration::from_hours(2);

text_enum! {
    /// The condition of a connection, the most urgent first.
    ConnectionCondition {
        /// Its deletion was given up before the end, because of errors on the server.
        DeletionFailed = "deletion_failed",
        /// The connection is being deleted.
        Deleting = "deleting",
        /// The server can't decrypt the stored key.
        KeyUnreadable = "key_unreadable",
        /// The provider refuses the stored key.
        KeyRefused = "key_refused",
        /// The bank asks for a new consent.
        ConsentExpired = "consent_expired",
        /// Some accounts need a new consent or another key.
        AccountsRefused = "accounts_refused",
        /// The latest run failed, and the next one may succeed.
        Failing = "failing",
        /// The latest run was completed, but some accounts failed.
        AccountsFailing = "accounts_failing",
        /// The latest run was completed, but of some accounts something is missing or unreadable.
        AccountsIncomplete = "accounts_incomplete",
        /// No run has begun at its planned time.
        Overdue = "overdue",
        /// The bank's consent ends soon.
        ConsentEnding = "consent_ending",
        /// Accounts were found that nobody has decided about.
        SetupNeeded = "setup_needed",
        /// No run has been completed yet.
        New = "new",
        /// Everything works as it should.
        Working = "working",
    }
}

/// What the condition of a connection follows from.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionFacts {
    /// Whether the connection is being deleted.
    pub is_deleting: bool,
    /// Whether its deletion was given up before the end.
    pub is_deletion_given_up: bool,
    /// Whether the server can decrypt the stored key.
    pub is_key_readable: bool,
    /// What the latest run that ended has found out about the key and the consent.
    pub status: ConnectionStatus,
    /// The state of the latest run, with the reason of its failure.
    pub latest: Option<(SyncStatus, Option<SyncErrorCode>)>,
    /// Whether a run was ever completed.
    pub is_synced_once: bool,
    /// The number of accounts that failed in the newest completed run.
    pub failed: u64,
    /// The number of accounts of which that run got less than everything.
    pub incomplete: u64,
    /// When the next run is planned.
    pub next_attempt_at: Option<Timestamp>,
    /// When the bank's consent ends.
    pub consent_expires_at: Option<Timestamp>,
    /// The number of accounts that wait for a person to decide.
    pub undecided: u64,
}

impl ConnectionCondition {
    /// The condition at a time.
    pub fn of(facts: &ConnectionFacts, now: Timestamp) -> Self {
        let is_over = |end: Timestamp, wait| end.checked_add(wait).is_ok_and(|end| end <= now);
        let code = facts.latest.and_then(|(status, code)| status.error(code));
        let is_running = facts.latest.is_some_and(|(status, _)| status.is_running());
        let is_overdue = facts.next_attempt_at.is_some_and(|at| is_over(at, OVERDUE_AFTER));
        let consent_left = facts.consent_expires_at.map(|end| end.duration_since(now));
        if facts.is_deleting && facts.is_deletion_given_up {
            Self::DeletionFailed
        } else if facts.is_deleting {
            Self::Deleting
        } else if !facts.is_key_readable {
            Self::KeyUnreadable
        } else if facts.status == ConnectionStatus::RequiresUpdate {
            match code {
                Some(SyncErrorCode::CredentialsRejected) => Self::KeyRefused,
                Some(SyncErrorCode::ConsentExpired) => Self::ConsentExpired,
                _ => Self::AccountsRefused,
            }
        } else if consent_left.is_some_and(|left| left <= SignedDuration::ZERO) {
            Self::ConsentExpired
        } else if code.is_some() {
            Self::Failing
        } else if is_overdue && !is_running {
            Self::Overdue
        } else if facts.failed > 0 {
            Self::AccountsFailing
        } else if facts.incomplete > 0 {
            Self::AccountsIncomplete
        } else if consent_left.is_some_and(|left| left <= CONSENT_WARNING) {
            Self::ConsentEnding
        } else if facts.undecided > 0 {
            Self::SetupNeeded
        } else if facts.is_synced_once {
            Self::Working
        } else {
            Self::New
        }
    }

    /// Whether nothing goes on before a person does something.
    pub fn needs_a_person(self) -> bool {
        matches!(
            self,
            Self::DeletionFailed
                | Self::KeyUnreadable
                | Self::KeyRefused
                | Self::ConsentExpired
                | Self::AccountsRefused
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConnectionCondition as Condition;

    const DAY: i64 = 24 * 60 * 60;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + second).unwrap()
    }

    fn working() -> ConnectionFacts {
        ConnectionFacts {
            is_deleting: false,
            is_deletion_given_up: false,
            is_key_readable: true,
            status: ConnectionStatus::Good,
            latest: Some((SyncStatus::Completed, None)),
            is_synced_once: true,
            failed: 0,
            incomplete: 0,
            next_attempt_at: Some(at(DAY)),
            consent_expires_at: None,
            undecided: 0,
        }
    }

    #[test]
    fn a_deletion_that_was_given_up_waits_for_a_person() {
        let given_up =
            ConnectionFacts { is_deleting: true, is_deletion_given_up: true, ..working() };
        assert_eq!(Condition::of(&given_up, at(0)), Condition::DeletionFailed);
        assert!(Condition::DeletionFailed.needs_a_person());
    }

    #[test]
    fn the_most_urgent_counts() {
        use SyncErrorCode::ProviderUnavailable;
        use SyncStatus::{Failed, Stale, Syncing};
        let failed = |code| Some((Failed, Some(code)));
        let cases: [(ConnectionFacts, Condition); 13] = [
            (working(), Condition::Working),
            (ConnectionFacts { is_synced_once: false, latest: None, ..working() }, Condition::New),
            (ConnectionFacts { undecided: 1, ..working() }, Condition::SetupNeeded),
            (ConnectionFacts { failed: 1, undecided: 1, ..working() }, Condition::AccountsFailing),
            (ConnectionFacts { failed: 1, incomplete: 1, ..working() }, Condition::AccountsFailing),
            (
                ConnectionFacts { incomplete: 1, undecided: 1, ..working() },
                Condition::AccountsIncomplete,
            ),
            (
                ConnectionFacts {
                    consent_expires_at: Some(at(13 * DAY)),
                    undecided: 1,
                    ..working()
                },
                Condition::ConsentEnding,
            ),
            (
                ConnectionFacts { consent_expires_at: Some(at(15 * DAY)), ..working() },
                Condition::Working,
            ),
            (
                ConnectionFacts { consent_expires_at: Some(at(0)), ..working() },
                Condition::ConsentExpired,
            ),
            (ConnectionFacts { next_attempt_at: Some(at(-DAY)), ..working() }, Condition::Overdue),
            (
                ConnectionFacts {
                    next_attempt_at: Some(at(-DAY)),
                    latest: Some((Syncing, None)),
                    ..working()
                },
                Condition::Working,
            ),
            (
                ConnectionFacts { latest: failed(ProviderUnavailable), ..working() },
                Condition::Failing,
            ),
            (ConnectionFacts { latest: Some((Stale, None)), ..working() }, Condition::Failing),
        ];
        for (facts, expected) in cases {
            assert_eq!(Condition::of(&facts, at(0)), expected, "{facts:?}");
        }
    }

    #[test]
    fn what_needs_a_person_comes_first() {
        use SyncErrorCode::{ConsentExpired, CredentialsRejected};
        use SyncStatus::{Failed, Pending};
        let failed = |code| Some((Failed, Some(code)));
        let update = ConnectionStatus::RequiresUpdate;
        let cases: [(ConnectionFacts, Condition); 5] = [
            (
                ConnectionFacts {
                    status: update,
                    latest: failed(CredentialsRejected),
                    ..working()
                },
                Condition::KeyRefused,
            ),
            (
                ConnectionFacts { status: update, latest: failed(ConsentExpired), ..working() },
                Condition::ConsentExpired,
            ),
            (
                ConnectionFacts { status: update, latest: Some((Pending, None)), ..working() },
                Condition::AccountsRefused,
            ),
            (
                ConnectionFacts { is_key_readable: false, status: update, ..working() },
                Condition::KeyUnreadable,
            ),
            (
                ConnectionFacts { is_deleting: true, is_key_readable: false, ..working() },
                Condition::Deleting,
            ),
        ];
        for (facts, expected) in cases {
            assert_eq!(Condition::of(&facts, at(0)), expected, "{facts:?}");
        }
    }
}
