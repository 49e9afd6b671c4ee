//! Answers about what came of the steps of a sync.

use purser_app::syncs::NamedOutcome;
use purser_core::connection::outcome::StepOutcome;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{StepFailureName, SyncStepName};

/// What came of a sync.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncOutcomes)]
pub(super) struct Outcomes {
    /// One row for each account at the provider and each thing that was asked for.
    pub(super) data: Vec<OutcomeBody>,
}

/// What came of one thing that was asked for about one account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncOutcome)]
pub(super) struct OutcomeBody {
    /// The id of the account at the provider.
    provider_account_id: Uuid,
    /// The name of the account at the provider; null if the account isn't known any more.
    #[schema(required)]
    account_name: Option<String>,
    #[serde(flatten)]
    step: StepBody,
}

/// What came of one thing that was asked for.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncStepOutcome)]
pub(super) struct StepBody {
    /// What was asked for.
    step: SyncStepName,
    /// Whether it came as asked for.
    succeeded: bool,
    /// The reason why it failed; null if it succeeded.
    #[schema(required)]
    error: Option<OutcomeErrorBody>,
    /// The number of rows that came.
    rows: u64,
    /// The number of rows that could not be read.
    unreadable_rows: u64,
}

/// The reason why something didn't come.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncOutcomeError)]
struct OutcomeErrorBody {
    /// The code of the reason.
    code: StepFailureName,
    /// A fixed sentence for each code. It never contains the answer of the provider.
    message: &'static str,
}

impl From<NamedOutcome> for OutcomeBody {
    fn from(named: NamedOutcome) -> Self {
        let NamedOutcome { outcome, account_name } = named;
        Self { provider_account_id: outcome.account, account_name, step: outcome.into() }
    }
}

impl From<StepOutcome> for StepBody {
    fn from(outcome: StepOutcome) -> Self {
        Self {
            step: outcome.step.into(),
            succeeded: outcome.failure.is_none(),
            error: outcome.failure.map(|failure| OutcomeErrorBody {
                code: failure.into(),
                message: failure.sentence(),
            }),
            rows: outcome.rows,
            unreadable_rows: outcome.unreadable,
        }
    }
}
