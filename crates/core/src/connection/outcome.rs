//! What came of each step of a run, and of the run as a whole.
//!
//! A step is one call for one account. Each has its own outcome, so that a failure of one hides
//! neither the others nor itself.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::SyncErrorCode;
use crate::named::text_enum;

text_enum! {
    /// What a run asks for about an account.
    SyncStep {
        /// The balance of the account.
        Balance = "balance",
        /// The transactions in the window.
        Transactions = "transactions",
        /// The positions of securities.
        Holdings = "holdings",
    }
}

text_enum! {
    /// Why a step failed.
    StepFailure {
        /// The credentials are wrong, used up or revoked.
        Auth = "auth",
        /// The subscription at the provider has ended.
        PaymentRequired = "payment_required",
        /// The bank asks for a new consent.
        ConsentExpired = "consent_expired",
        /// The account was removed, or these credentials may not see it any more.
        NotFound = "not_found",
        /// There were too many requests.
        RateLimited = "rate_limited",
        /// The account has nothing of the kind, such as holdings.
        Unsupported = "unsupported",
        /// The provider or the bank behind it has a failure.
        Unavailable = "unavailable",
        /// No whole answer came in time.
        Network = "network",
        /// The answer doesn't have the documented form.
        InvalidResponse = "invalid_response",
        /// The answer is larger than the limit.
        TooLarge = "too_large",
        /// The address isn't permitted, or redirects elsewhere.
        Config = "config",
        /// The answer came, but the ledger could not take it.
        NotBooked = "not_booked",
    }
}

impl StepFailure {
    /// Whether it is a failure at all: an account without holdings has none to report.
    pub fn counts(self) -> bool {
        self != Self::Unsupported
    }

    /// Whether a person must do something before the next run can succeed.
    pub fn needs_a_person(self) -> bool {
        matches!(self, Self::Auth | Self::PaymentRequired | Self::ConsentExpired)
    }

    /// What a run that failed by it shows.
    pub fn code(self) -> SyncErrorCode {
        match self {
            Self::Auth | Self::PaymentRequired => SyncErrorCode::CredentialsRejected,
            Self::ConsentExpired => SyncErrorCode::ConsentExpired,
            Self::NotFound => SyncErrorCode::AccountsGone,
            Self::RateLimited => SyncErrorCode::RateLimited,
            Self::Unavailable | Self::Network | Self::Config | Self::Unsupported => {
                SyncErrorCode::ProviderUnavailable
            }
            Self::InvalidResponse | Self::TooLarge => SyncErrorCode::AnswerNotUnderstood,
            Self::NotBooked => SyncErrorCode::Interrupted,
        }
    }

    /// The cause, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Auth => "The provider rejected the credentials.",
            Self::PaymentRequired => "The provider asks for a paid subscription.",
            Self::ConsentExpired => "The bank asks for a new consent.",
            Self::NotFound => "The provider doesn't have the account any more.",
            Self::RateLimited => "The provider allows no more requests for now.",
            Self::Unsupported => "The provider doesn't report this for the account.",
            Self::Unavailable => "The provider or the bank has a failure.",
            Self::Network => "The provider could not be reached in time.",
            Self::InvalidResponse => "The provider's answer could not be understood.",
            Self::TooLarge => "The provider's answer is too large.",
            Self::Config => "The provider's address is not permitted or redirects elsewhere.",
            Self::NotBooked => "The answer could not be booked because of an error on the server.",
        }
    }
}

/// What came of one step for one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepOutcome {
    /// The account that was found at the provider.
    pub account: Uuid,
    /// What was asked for.
    pub step: SyncStep,
    /// Why it failed, if it did.
    pub failure: Option<StepFailure>,
    /// The rows that came.
    pub rows: u64,
    /// The rows that could not be read.
    pub unreadable: u64,
}

/// What came of a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunResult {
    /// Why the run failed; `None` if it was completed.
    pub error: Option<SyncErrorCode>,
    /// Accounts of which everything came that was asked for.
    pub accounts_synced: u64,
    /// Accounts of which something failed.
    pub accounts_failed: u64,
    /// Accounts of which nothing failed, but of which something is missing or could not be used.
    pub accounts_incomplete: u64,
    /// Whether a person must do something before the next run can succeed.
    pub requires_update: bool,
}

impl RunResult {
    /// The result of a run that could not even list the accounts.
    pub fn without_accounts(failure: StepFailure) -> Self {
        Self {
            error: Some(failure.code()),
            accounts_synced: 0,
            accounts_failed: 0,
            accounts_incomplete: 0,
            requires_update: failure.needs_a_person(),
        }
    }

    /// The result of a run that was broken off.
    pub fn interrupted() -> Self {
        Self {
            error: Some(SyncErrorCode::Interrupted),
            accounts_synced: 0,
            accounts_failed: 0,
            accounts_incomplete: 0,
            requires_update: false,
        }
    }

    /// The result of a run that listed the accounts. It failed if nothing came of any account that
    /// was asked for; accounts that aren't linked don't count. `incomplete` has the accounts of
    /// which an answer lacked something, or had what could not be used.
    pub fn of(outcomes: &[StepOutcome], incomplete: &BTreeSet<Uuid>) -> Self {
        let mut accounts: BTreeMap<Uuid, Vec<&StepOutcome>> = BTreeMap::new();
        for outcome in outcomes {
            accounts.entry(outcome.account).or_default().push(outcome);
        }
        let failure_of = |steps: &[&StepOutcome]| {
            steps.iter().filter_map(|step| step.failure).find(|failure| failure.counts())
        };
        let failed = accounts.values().filter(|steps| failure_of(steps).is_some()).count();
        let is_incomplete = |(account, steps): &(&Uuid, &Vec<&StepOutcome>)| {
            failure_of(steps).is_none() && incomplete.contains(*account)
        };
        let lacking = accounts.iter().filter(is_incomplete).count();
        let any_came = outcomes.iter().any(|outcome| outcome.failure.is_none());
        let failures = || outcomes.iter().filter_map(|outcome| outcome.failure);
        let worst = failures()
            .find(|failure| failure.needs_a_person())
            .or_else(|| failures().find(|failure| failure.counts()));
        Self {
            error: worst.filter(|_| !any_came).map(StepFailure::code),
            accounts_synced: (accounts.len() - failed) as u64,
            accounts_failed: failed as u64,
            accounts_incomplete: lacking as u64,
            requires_update: failures().any(StepFailure::needs_a_person),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(account: u128, step: SyncStep, failure: Option<StepFailure>) -> StepOutcome {
        StepOutcome { account: Uuid::from_u128(account), step, failure, rows: 0, unreadable: 0 }
    }

    fn result(error: Option<SyncErrorCode>, synced: u64, failed: u64, person: bool) -> RunResult {
        RunResult {
            error,
            accounts_synced: synced,
            accounts_failed: failed,
            accounts_incomplete: 0,
            requires_update: person,
        }
    }

    #[test]
    fn a_run_fails_only_if_nothing_came() {
        use StepFailure::{ConsentExpired, Network, RateLimited, Unsupported};
        use SyncStep::{Balance, Holdings, Transactions};
        let code = |failure: StepFailure| Some(failure.code());
        let cases: [(Vec<StepOutcome>, RunResult); 7] = [
            (vec![], result(None, 0, 0, false)),
            (
                vec![outcome(1, Balance, None), outcome(1, Holdings, Some(Unsupported))],
                result(None, 1, 0, false),
            ),
            (
                vec![outcome(1, Balance, None), outcome(1, Transactions, Some(Network))],
                result(None, 0, 1, false),
            ),
            (
                vec![outcome(1, Balance, Some(Network)), outcome(2, Balance, None)],
                result(None, 1, 1, false),
            ),
            (
                vec![outcome(1, Balance, Some(Network)), outcome(2, Balance, Some(RateLimited))],
                result(code(Network), 0, 2, false),
            ),
            (
                vec![outcome(1, Balance, Some(Network)), outcome(2, Balance, Some(ConsentExpired))],
                result(code(ConsentExpired), 0, 2, true),
            ),
            (
                vec![outcome(1, Balance, None), outcome(2, Balance, Some(ConsentExpired))],
                result(None, 1, 1, true),
            ),
        ];
        for (outcomes, expected) in cases {
            assert_eq!(RunResult::of(&outcomes, &BTreeSet::new()), expected, "{outcomes:?}");
        }
    }

    #[test]
    fn accounts_that_lack_something_are_counted_unless_they_failed() {
        use SyncStep::Balance;
        let outcomes = [
            outcome(1, Balance, None),
            outcome(2, Balance, Some(StepFailure::Network)),
            outcome(3, Balance, None),
        ];
        let incomplete = [1, 2, 4].map(Uuid::from_u128).into();
        let expected = RunResult { accounts_incomplete: 1, ..result(None, 2, 1, false) };
        assert_eq!(RunResult::of(&outcomes, &incomplete), expected);
    }

    #[test]
    fn accounts_that_are_gone_are_no_expired_consent() {
        let gone = outcome(1, SyncStep::Balance, Some(StepFailure::NotFound));
        let run = RunResult::of(&[gone], &BTreeSet::new());
        assert_eq!(run, result(Some(SyncErrorCode::AccountsGone), 0, 1, false));
    }

    #[test]
    fn a_run_without_accounts_failed_by_its_first_call() {
        let run = RunResult::without_accounts;
        assert_eq!(
            run(StepFailure::Auth),
            result(Some(SyncErrorCode::CredentialsRejected), 0, 0, true)
        );
        assert_eq!(
            run(StepFailure::Network),
            result(Some(SyncErrorCode::ProviderUnavailable), 0, 0, false)
        );
    }
}
