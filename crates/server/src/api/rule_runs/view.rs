//! The answers about a run of a rule.

use purser_app::FamilyTx;
use purser_app::rules::runs::{Execution, RuleRun};
use purser_app::rules::{self, Rule};
use purser_core::error::Result;
use purser_core::named::Named;
use purser_core::rules::ResourceType;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{ResourceTypeName, RunStatusName};
use crate::http::time::Time;

/// A run of a rule, with its result.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleRun)]
pub(crate) struct RuleRunBody {
    /// The id of the run.
    id: Uuid,
    /// The id of the rule, even if the rule is deleted.
    rule_id: Uuid,
    /// The name that the rule had at the time of the run; null if it had none.
    #[schema(required)]
    rule_name: Option<String>,
    /// The reason of the run: `manual` if it was requested, `scheduled` if the rule ran on the
    /// transactions of an import.
    execution_type: ExecutionBody,
    /// The id of the import; null if the run is for no import.
    #[schema(required)]
    import_id: Option<Uuid>,
    /// The status of the run.
    status: RunStatusName,
    /// The same as `transactions_processed`, because a transaction is processed when it is found.
    #[schema(minimum = 0)]
    transactions_queued: u64,
    /// The number of transactions that met the conditions, as far as the run has come.
    #[schema(minimum = 0)]
    transactions_processed: u64,
    /// The number of those transactions that the rule changed.
    #[schema(minimum = 0)]
    transactions_modified: u64,
    /// 1 while the run is `pending`, else 0.
    #[schema(minimum = 0)]
    pending_jobs_count: u64,
    /// The reason why the run failed; null if it didn't.
    #[schema(required)]
    error_message: Option<String>,
    /// The time at which it was requested, or at which the import was published.
    executed_at: Time,
    /// The time at which it ended; null while it is `pending`.
    #[schema(required)]
    finished_at: Option<Time>,
    /// The rule as it is now; null if it is deleted.
    #[schema(required)]
    rule: Option<RuleSummary>,
    /// The same as `executed_at`.
    created_at: Time,
    /// The time at which it ended; the same as `executed_at` while it is `pending`.
    updated_at: Time,
}

/// The reason of a run, with the names that other programs have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[schema(as = ExecutionName)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExecutionBody {
    Manual,
    Scheduled,
}

impl Named for ExecutionBody {
    const ALL: &'static [Self] = &[Self::Manual, Self::Scheduled];

    fn name(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Scheduled => "scheduled",
        }
    }
}

impl From<Execution> for ExecutionBody {
    fn from(execution: Execution) -> Self {
        match execution {
            Execution::Manual => Self::Manual,
            Execution::Import => Self::Scheduled,
        }
    }
}

impl From<ExecutionBody> for Execution {
    fn from(shown: ExecutionBody) -> Self {
        match shown {
            ExecutionBody::Manual => Self::Manual,
            ExecutionBody::Scheduled => Self::Import,
        }
    }
}

/// The present state of the rule of a run.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleRunRule)]
struct RuleSummary {
    /// The id of the rule.
    id: Uuid,
    /// The name of the rule; null if it has none.
    #[schema(required)]
    name: Option<String>,
    /// What the rule applies to. It is always `transaction`.
    resource_type: ResourceTypeName,
    /// Whether the rule runs on the transactions of imports.
    active: bool,
}

/// A run of a rule, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleRunDetail)]
pub(crate) struct Detail {
    /// The run with its result.
    data: RuleRunBody,
}

impl Detail {
    /// A run with its rule.
    pub(crate) fn read(tx: &mut FamilyTx<'_>, run: RuleRun) -> Result<Self> {
        let (rules, _) = rules::all(tx)?;
        Ok(Self { data: RuleRunBody::new(run, &rules) })
    }
}

impl RuleRunBody {
    /// Runs with their rules.
    pub(crate) fn read_all(tx: &mut FamilyTx<'_>, runs: Vec<RuleRun>) -> Result<Vec<Self>> {
        let (rules, _) = rules::all(tx)?;
        Ok(runs.into_iter().map(|run| Self::new(run, &rules)).collect())
    }

    fn new(run: RuleRun, rules: &[Rule]) -> Self {
        let rule = rules.iter().find(|rule| rule.id == run.rule);
        let rule = rule.map(|rule| RuleSummary {
            id: rule.id.0,
            name: rule.name.clone(),
            resource_type: ResourceType::Transaction.into(),
            active: rule.is_active(),
        });
        Self {
            id: run.id.0,
            rule_id: run.rule.0,
            rule_name: run.rule_name,
            execution_type: run.execution.into(),
            import_id: run.import.map(|id| id.0),
            status: run.status.into(),
            transactions_queued: run.matched,
            transactions_processed: run.matched,
            transactions_modified: run.changed,
            pending_jobs_count: u64::from(run.finished_at.is_none()),
            error_message: run.error,
            executed_at: run.executed_at.into(),
            finished_at: run.finished_at.map(Into::into),
            rule,
            created_at: run.executed_at.into(),
            updated_at: run.finished_at.unwrap_or(run.executed_at).into(),
        }
    }
}
