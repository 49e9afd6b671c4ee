//! The answers about a rule.

use purser_app::rules::{Catalogue, Rule};
use purser_core::ids::part_id;
use purser_core::rules::{Action, Condition, ConditionReference, Noun, Reference, ResourceType};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{ActionTypeName, ConditionTypeName, OperatorName, ResourceTypeName};
use crate::http::time::Time;

/// A rule with its conditions and actions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Rule)]
pub(crate) struct RuleBody {
    /// The id of the rule.
    id: Uuid,
    /// The name of the rule; null if it has none.
    #[schema(required, example = "Groceries")]
    name: Option<String>,
    /// What the rule applies to. It is always `transaction`.
    resource_type: ResourceTypeName,
    /// Whether it runs on the transactions of imports.
    active: bool,
    /// The reason why it can't run even if it is active: something that it names is deleted. Null
    /// if it can run.
    #[schema(required)]
    inactive_reason: Option<String>,
    /// The first day of the transactions that it changes; null for all days.
    #[schema(required, format = Date, example = "2026-01-01")]
    effective_date: Option<String>,
    /// The position of the rule. Rules run in the order of this number, then in the order in which
    /// they were created.
    #[schema(minimum = 1)]
    position: u32,
    /// The conditions, all of which must hold. Without conditions, the rule applies to every
    /// transaction.
    conditions: Vec<ConditionBody>,
    /// The actions in their order.
    actions: Vec<ActionBody>,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// A single rule, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleDetail)]
pub(crate) struct Detail {
    /// The rule with its conditions and actions.
    data: RuleBody,
}

/// A condition of a rule.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleCondition)]
struct ConditionBody {
    /// The id of the condition, which follows from the rule and the position of the condition.
    id: Uuid,
    /// The type of the condition. `transaction_details` is the name that the source gave;
    /// `transaction_amount` has no sign.
    condition_type: ConditionTypeName,
    /// The comparison. Texts have `like` (contains, in any case, without wildcards), `not_like`,
    /// `=`, `!=`, `is_null` and `is_not_null`. Amounts have `<`, `<=`, `=`, `!=`, `>=` and `>`. The
    /// type has `=` and `!=`. The other conditions have `=`, `!=`, `is_null` and `is_not_null`. A
    /// compound has `and` and `or`.
    operator: OperatorName,
    /// The value that is compared: a text, a plain decimal, `income`, `expense` or `transfer`, or
    /// an id; null if nothing is compared.
    #[schema(required, example = "supermarket")]
    value: Option<String>,
    /// What the id in `value` stands for; null for other values.
    #[schema(required)]
    value_ref: Option<ReferenceBody>,
    /// The conditions of a compound; empty for other types.
    #[schema(no_recursion)]
    sub_conditions: Vec<ConditionBody>,
    /// The time at which the rule was created.
    created_at: Time,
    /// The time of the latest change of the rule.
    updated_at: Time,
}

/// An action of a rule.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleAction)]
struct ActionBody {
    /// The id of the action, which follows from the rule and the position of the action.
    id: Uuid,
    /// The type of the action. `set_transaction_tags` adds a tag.
    action_type: ActionTypeName,
    /// The value that is set, which is an id or the new name; null for `exclude_transaction`.
    #[schema(required)]
    value: Option<String>,
    /// What the id in `value` stands for; null for other values.
    #[schema(required)]
    value_ref: Option<ReferenceBody>,
    /// The time at which the rule was created.
    created_at: Time,
    /// The time of the latest change of the rule.
    updated_at: Time,
}

/// The thing that a condition or an action refers to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleReference)]
struct ReferenceBody {
    /// The kind of the thing.
    #[serde(rename = "type")]
    kind: ReferenceKind,
    /// The id of the thing; null if `value` is a name that nothing has yet.
    #[schema(required)]
    id: Option<Uuid>,
    /// The present name of the thing; null if it is deleted.
    #[schema(required, example = "Food: Groceries")]
    name: Option<String>,
}

/// The kind of thing that a condition or an action refers to.
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

/// Writes the conditions and the actions of a rule, and numbers them.
struct Parts<'r> {
    rule: &'r Rule,
    catalogue: &'r Catalogue,
    conditions: i32,
}

impl Parts<'_> {
    fn conditions(&mut self, conditions: &[Condition]) -> Vec<ConditionBody> {
        conditions.iter().map(|condition| self.condition(condition)).collect()
    }

    fn condition(&mut self, condition: &Condition) -> ConditionBody {
        let written = condition.parts();
        self.conditions += 1;
        ConditionBody {
            id: part_id(self.rule.id.0, self.conditions),
            condition_type: written.condition_type.into(),
            operator: written.operator.into(),
            value: written.value,
            value_ref: written.reference.map(|one| ReferenceBody::new(one, self.catalogue)),
            sub_conditions: self.conditions(written.sub_conditions),
            created_at: self.rule.created_at.into(),
            updated_at: self.rule.updated_at.into(),
        }
    }

    /// The positions of actions are negative, so that no condition has the id of one.
    fn action(&self, position: i32, action: &Action) -> ActionBody {
        ActionBody {
            id: part_id(self.rule.id.0, -position),
            action_type: action.action_type().into(),
            value: action.value(),
            value_ref: action.reference().map(|one| ReferenceBody::new(one, self.catalogue)),
            created_at: self.rule.created_at.into(),
            updated_at: self.rule.updated_at.into(),
        }
    }
}

impl RuleBody {
    /// The rule, with the names of what it refers to.
    pub(crate) fn new(rule: &Rule, catalogue: &Catalogue) -> Self {
        let spec = &rule.rule;
        let mut parts = Parts { rule, catalogue, conditions: 0 };
        Self {
            id: rule.id.0,
            name: rule.name.clone(),
            resource_type: ResourceType::Transaction.into(),
            active: rule.is_active(),
            inactive_reason: rule.problem.clone(),
            effective_date: spec.effective_date.map(|date| date.to_string()),
            position: rule.position,
            conditions: parts.conditions(&spec.conditions),
            actions: (1..).zip(&spec.actions).map(|(at, one)| parts.action(at, one)).collect(),
            created_at: rule.created_at.into(),
            updated_at: rule.updated_at.into(),
        }
    }
}

impl Detail {
    /// One rule, below `data`.
    pub(crate) fn new((rule, catalogue): &(Rule, Catalogue)) -> Self {
        Self { data: RuleBody::new(rule, catalogue) }
    }
}
