//! What answers say of a run of a rule.

use purser_app::FamilyTx;
use purser_app::rules::runs::RuleRun;
use purser_app::rules::{self, Rule};
use purser_core::error::Result;
use purser_core::rules::RESOURCE_TYPE;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{ExecutionName, RunStatusName};
use crate::http::time::Time;

/// A run of a rule.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleRun)]
pub(crate) struct RuleRunBody {
    /// Its id.
    id: Uuid,
    /// The rule's id, also of one that is gone.
    rule_id: Uuid,
    /// As the rule was called then; null when nobody had named it.
    #[schema(required)]
    rule_name: Option<String>,
    /// `manual` if somebody asked for it, `import` if it ran on what an import brought in.
    execution_type: ExecutionName,
    /// The import that it ran on; null for others.
    #[schema(required)]
    import_id: Option<Uuid>,
    /// The status of the run.
    status: RunStatusName,
    /// Transactions that met the conditions, as far as the run is.
    #[schema(minimum = 0)]
    transactions_processed: u64,
    /// Those of them that the rule changed.
    #[schema(minimum = 0)]
    transactions_modified: u64,
    /// Why it failed; null if it didn't.
    #[schema(required)]
    error_message: Option<String>,
    /// When it was asked for, or when the import was published.
    executed_at: Time,
    /// When it ended; null while it is `pending`.
    #[schema(required)]
    finished_at: Option<Time>,
    /// The rule as it is now; null when it is gone.
    #[schema(required)]
    rule: Option<RuleSummary>,
}

/// What a run shows of its rule.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleRunRule)]
struct RuleSummary {
    /// Its id.
    id: Uuid,
    /// Null when nobody named it.
    #[schema(required)]
    name: Option<String>,
    /// Always `transaction`.
    #[schema(example = "transaction")]
    resource_type: &'static str,
    /// Whether it runs on what imports bring in.
    active: bool,
}

/// One run, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleRunDetail)]
pub(crate) struct Detail {
    /// The run.
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
            resource_type: RESOURCE_TYPE,
            active: rule.is_active(),
        });
        Self {
            id: run.id.0,
            rule_id: run.rule.0,
            rule_name: run.rule_name,
            execution_type: run.execution.into(),
            import_id: run.import.map(|id| id.0),
            status: run.status.into(),
            transactions_processed: run.matched,
            transactions_modified: run.changed,
            error_message: run.error,
            executed_at: run.executed_at.into(),
            finished_at: run.finished_at.map(Into::into),
            rule,
        }
    }
}
