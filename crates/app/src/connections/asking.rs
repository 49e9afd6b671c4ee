//! What a provider is asked about one account, step by step, and what came of each step.

use std::time::Duration;

use purser_core::connection::FoundAccountState;
use purser_core::connection::outcome::{StepFailure, StepOutcome, SyncStep};
use purser_providers::snapshot::{HoldingsSnapshot, TransactionsSnapshot};
use purser_providers::{ErrorClass, Provider, ProviderError};
use purser_store::connections::found::FoundAccount;

use super::booking::AccountAnswers;
use super::questions::Questions;

/// What came of an account.
pub(super) struct StepResults {
    /// What came, for the plan.
    pub(super) answers: AccountAnswers,
    /// What came of each step.
    pub(super) outcomes: Vec<StepOutcome>,
    /// The failure that ends the run, if there is one.
    pub(super) ended: Option<StepFailure>,
    /// How long the provider wants to be left alone.
    pub(super) rest: Option<Duration>,
}

/// Asks for everything of one account, unless the run has `ended`.
pub(super) async fn ask(
    questions: &Questions,
    opened: &dyn Provider,
    account: &FoundAccount,
    ended: Option<StepFailure>,
) -> StepResults {
    let cannot_be_asked = ended.or(match (account.is_listed, account.state) {
        (false, _) => Some(StepFailure::NotFound),
        (true, FoundAccountState::ConsentExpired) => Some(StepFailure::ConsentExpired),
        // What the provider still has is from before the failure, and would look like news.
        (true, FoundAccountState::Failing) => Some(StepFailure::Unavailable),
        (true, FoundAccountState::Active) => None,
    });
    let mut asking = Asking { account, outcomes: Vec::new(), failed: cannot_be_asked, rest: None };
    let mut answers = AccountAnswers::default();
    if asking.may_ask(SyncStep::Balance) {
        let answer = opened.balance(&account.external_id).await;
        answers.balance = asking.note(SyncStep::Balance, answer, |_| (1, 0));
    }
    if let Some(request) = questions.transactions_of(account)
        && asking.may_ask(SyncStep::Transactions)
    {
        let answer = opened.transactions(&account.external_id, request).await;
        let rows = |came: &TransactionsSnapshot| (came.rows.len(), came.unreadable.len());
        // What can't be read is part of the plan, too: it holds the watermark for a while.
        let came = asking.note(SyncStep::Transactions, answer, rows);
        answers.transactions = came.map(|came| (request.window, came));
    }
    if questions.asks_for_holdings_of(account) && asking.may_ask(SyncStep::Holdings) {
        let answer = opened.holdings(&account.external_id).await;
        let rows = |came: &HoldingsSnapshot| (came.rows.len(), came.unreadable.len());
        answers.holdings = asking.note(SyncStep::Holdings, answer, rows);
    }
    let Asking { outcomes, failed, rest, .. } = asking;
    let ended = ended.or(failed.filter(|failure| ends_the_run(*failure)));
    StepResults { answers, outcomes, ended, rest }
}

/// The steps of an account so far.
struct Asking<'a> {
    account: &'a FoundAccount,
    outcomes: Vec<StepOutcome>,
    /// Why nothing more can be asked for.
    failed: Option<StepFailure>,
    rest: Option<Duration>,
}

impl Asking<'_> {
    /// Whether a step can be asked for; if it can't, that is its outcome.
    fn may_ask(&mut self, step: SyncStep) -> bool {
        if self.failed.is_some() {
            self.add(step, self.failed, (0, 0));
        }
        self.failed.is_none()
    }

    /// Notes what came of a step, with the numbers of rows that came and that can't be read.
    /// Returns what came, also if it is nothing that can be read.
    fn note<T>(
        &mut self,
        step: SyncStep,
        answer: purser_providers::Result<T>,
        rows: impl Fn(&T) -> (usize, usize),
    ) -> Option<T> {
        let counted = answer.as_ref().map_or((0, 0), rows);
        let failure = match &answer {
            // Nothing that came can be read: that is no empty list.
            Ok(_) if counted.0 == 0 && counted.1 > 0 => Some(StepFailure::InvalidResponse),
            Ok(_) => None,
            Err(error) => {
                self.rest = self.rest.max(error.rest());
                Some(failure_of(error))
            }
        };
        self.add(step, failure, counted);
        self.failed = failure.filter(|failure| ends_the_run(*failure));
        answer.ok()
    }

    fn add(&mut self, step: SyncStep, failure: Option<StepFailure>, rows: (usize, usize)) {
        let (rows, unreadable) = (rows.0 as u64, rows.1 as u64);
        let account = self.account.id.0;
        self.outcomes.push(StepOutcome { account, step, failure, rows, unreadable });
    }
}

/// Whether nothing can come of other accounts either. A redirect may be that of one account.
fn ends_the_run(failure: StepFailure) -> bool {
    matches!(failure, StepFailure::Auth | StepFailure::PaymentRequired)
}

/// What an outcome keeps of an error of the client.
pub(super) fn failure_of(error: &ProviderError) -> StepFailure {
    match error.class {
        ErrorClass::Auth => StepFailure::Auth,
        ErrorClass::PaymentRequired => StepFailure::PaymentRequired,
        ErrorClass::ConsentExpired => StepFailure::ConsentExpired,
        ErrorClass::NotFound => StepFailure::NotFound,
        ErrorClass::RateLimited => StepFailure::RateLimited,
        ErrorClass::Unsupported => StepFailure::Unsupported,
        ErrorClass::UpstreamUnavailable => StepFailure::Unavailable,
        ErrorClass::Network => StepFailure::Network,
        ErrorClass::InvalidResponse => StepFailure::InvalidResponse,
        ErrorClass::TooLarge => StepFailure::TooLarge,
        ErrorClass::Config => StepFailure::Config,
    }
}
