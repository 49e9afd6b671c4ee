//! What answers show of a rule.

use purser_app::rules::{Catalogue, Rule};
use purser_core::rules::{Action, Condition, ConditionReference, Noun, RESOURCE_TYPE, Reference};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::time::Time;

/// A rule.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Rule)]
pub(crate) struct RuleBody {
    /// Its id.
    id: Uuid,
    /// Null when nobody named it.
    #[schema(required, example = "Groceries")]
    name: Option<String>,
    /// Always `transaction`.
    #[schema(example = "transaction")]
    resource_type: &'static str,
    /// Whether it runs on what imports bring in.
    active: bool,
    /// Why it can't run, whatever was switched on: something that it names is gone. Null if it can.
    #[schema(required)]
    inactive_reason: Option<String>,
    /// Transactions before this day are left alone; null for all days.
    #[schema(required, format = Date, example = "2026-01-01")]
    effective_date: Option<String>,
    /// Rules run in the order of this number, then in the order in which they were made.
    #[schema(minimum = 1)]
    position: u32,
    /// All of them must hold; of none, they do.
    conditions: Vec<ConditionBody>,
    /// In their order.
    actions: Vec<ActionBody>,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

/// One rule, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleDetail)]
pub(crate) struct Detail {
    /// The rule.
    data: RuleBody,
}

/// A condition.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleCondition)]
struct ConditionBody {
    /// `transaction_name`, `transaction_notes`, `transaction_details` (the name that the source
    /// gave), `transaction_amount` (without its sign), `transaction_type`, `transaction_category`,
    /// `transaction_merchant`, `transaction_tag`, `transaction_account` or `compound`.
    #[schema(example = "transaction_name")]
    condition_type: &'static str,
    /// Texts: `like` (inside, whatever the case, without wildcards), `not_like`, `=`, `!=`,
    /// `is_null`, `is_not_null`. Amounts: `<`, `<=`, `=`, `!=`, `>=`, `>`. The type: `=`, `!=`.
    /// Others: `=`, `!=`, `is_null`, `is_not_null`. A compound: `and`, `or`.
    #[schema(example = "like")]
    operator: &'static str,
    /// A text, a plain decimal, `income`, `expense` or `transfer`, or an id; null where nothing is
    /// compared.
    #[schema(required, example = "supermarket")]
    value: Option<String>,
    /// What an id stands for; null for other values.
    #[schema(required)]
    value_ref: Option<ReferenceBody>,
    /// Of a compound; empty for others.
    #[schema(no_recursion)]
    sub_conditions: Vec<ConditionBody>,
}

/// An action.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleAction)]
struct ActionBody {
    /// `set_transaction_category`, `set_transaction_tags` (one more tag),
    /// `set_transaction_merchant`, `set_transaction_name` or `exclude_transaction`.
    #[schema(example = "set_transaction_category")]
    action_type: &'static str,
    /// An id, or the new name; null for `exclude_transaction`.
    #[schema(required)]
    value: Option<String>,
    /// What an id stands for; null for other values.
    #[schema(required)]
    value_ref: Option<ReferenceBody>,
}

/// What a condition or an action points to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleReference)]
struct ReferenceBody {
    /// The kind of thing that it points to.
    #[serde(rename = "type")]
    kind: ReferenceKind,
    /// The id; null if it points to a name that nothing has yet.
    #[schema(required)]
    id: Option<Uuid>,
    /// As it is called now; null if it is gone.
    #[schema(required, example = "Food: Groceries")]
    name: Option<String>,
}

/// The kind of thing that a condition or an action points to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleReferenceType)]
enum ReferenceKind {
    Category,
    Merchant,
    Tag,
    Account,
}

impl From<Noun> for ReferenceKind {
    fn from(noun: Noun) -> Self {
        match noun {
            Noun::Category => Self::Category,
            Noun::Merchant => Self::Merchant,
            Noun::Tag => Self::Tag,
            Noun::Account => Self::Account,
        }
    }
}

impl ReferenceBody {
    fn new(written: ConditionReference<'_>, catalogue: &Catalogue) -> Self {
        let id = written.reference.id();
        let name = match written.reference {
            Reference::Id(id) => catalogue.name(written.noun, *id).map(str::to_owned),
            Reference::Name(name) => Some(name.clone()),
        };
        Self { kind: written.noun.into(), id, name }
    }
}

impl ConditionBody {
    fn new(condition: &Condition, catalogue: &Catalogue) -> Self {
        let written = condition.parts();
        Self {
            condition_type: written.condition_type,
            operator: written.operator,
            value: written.value,
            value_ref: written.reference.map(|one| ReferenceBody::new(one, catalogue)),
            sub_conditions: written
                .sub_conditions
                .iter()
                .map(|one| Self::new(one, catalogue))
                .collect(),
        }
    }
}

impl ActionBody {
    fn new(action: &Action, catalogue: &Catalogue) -> Self {
        Self {
            action_type: action.action_type(),
            value: action.value(),
            value_ref: action.reference().map(|one| ReferenceBody::new(one, catalogue)),
        }
    }
}

impl RuleBody {
    /// The rule, with the names of what it points to.
    pub(crate) fn new(rule: &Rule, catalogue: &Catalogue) -> Self {
        let said = &rule.rule;
        Self {
            id: rule.id.0,
            name: rule.name.clone(),
            resource_type: RESOURCE_TYPE,
            active: rule.is_active(),
            inactive_reason: rule.problem.clone(),
            effective_date: said.effective_date.map(|date| date.to_string()),
            position: rule.position,
            conditions: said
                .conditions
                .iter()
                .map(|one| ConditionBody::new(one, catalogue))
                .collect(),
            actions: said.actions.iter().map(|one| ActionBody::new(one, catalogue)).collect(),
            created_at: rule.created_at.into(),
            updated_at: rule.updated_at.into(),
        }
    }
}

impl Detail {
    /// One rule.
    pub(crate) fn new((rule, catalogue): &(Rule, Catalogue)) -> Self {
        Self { data: RuleBody::new(rule, catalogue) }
    }
}
