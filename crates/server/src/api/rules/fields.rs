//! The body that creates or changes a rule.

use purser_core::error::{Problems, Result};
use purser_core::limits::{LABEL_CHARS_MAX, RULE_VALUE_CHARS_MAX};
use purser_core::named::Named;
use purser_core::rules::{ActionType, ConditionType, Operator, ResourceType, RuleValues};
use utoipa::openapi::schema::{Array, ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

use crate::http::body::kinds::{Day, Flag, Kind, Raw, RawSchema, Text, Whole};
use crate::http::body::presence::{Nullable, Optional, Required};
use crate::http::body::{Checked, body, schema};
use crate::http::describe::Components;
use crate::http::fields::Json;

const CONDITIONS_MAX: usize = 100;
const ACTIONS_MAX: usize = 20;

/// What a rule applies to: only `transaction`.
pub(super) struct Resource;

impl Kind for Resource {
    type Output = String;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<String> {
        Text::<0, 0>::from_json(json, field, problems)
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        schema::names::<ResourceType>()
    }
}

/// The conditions of a rule, which the domain reads.
pub(super) struct Conditions;

impl RawSchema for Conditions {
    fn schema(components: &mut Components) -> RefOr<Schema> {
        let condition = components.add("RuleConditionInput", |_| {
            let nested = Array::new(Ref::from_schema_name("RuleConditionInput"));
            let text = || ObjectBuilder::new().schema_type(Type::String);
            ObjectBuilder::new()
                .description(Some(
                    "A condition of a rule that is sent. `RuleCondition` describes its values.",
                ))
                .property(
                    "condition_type",
                    word::<ConditionType>("The type of the condition.", "transaction_name"),
                )
                .property("operator", word::<Operator>("The comparison of the condition.", "like"))
                .property(
                    "value",
                    schema::or_null(
                        text()
                            .max_length(Some(RULE_VALUE_CHARS_MAX))
                            .description(Some("The value that is compared; null if nothing is."))
                            .examples(["supermarket"])
                            .into(),
                    ),
                )
                .property("sub_conditions", Schema::Array(nested))
                .required("condition_type")
                .required("operator")
                .into()
        });
        list(condition, CONDITIONS_MAX)
    }
}

/// The actions of a rule, which the domain reads.
pub(super) struct Actions;

impl RawSchema for Actions {
    fn schema(components: &mut Components) -> RefOr<Schema> {
        let action = components.add("RuleActionInput", |_| {
            let text = || ObjectBuilder::new().schema_type(Type::String);
            ObjectBuilder::new()
                .description(Some(
                    "An action of a rule that is sent. `RuleAction` describes its values.",
                ))
                .property(
                    "action_type",
                    word::<ActionType>("The type of the action.", "set_transaction_category"),
                )
                .property(
                    "value",
                    schema::or_null(
                        text()
                            .max_length(Some(RULE_VALUE_CHARS_MAX))
                            .description(Some(
                                "The value that is set, an id or a name; null if none is.",
                            ))
                            .examples(["Groceries"])
                            .into(),
                    ),
                )
                .required("action_type")
                .into()
        });
        list(action, ACTIONS_MAX)
    }
}

/// A name out of a fixed list.
fn word<E: Named>(description: &str, example: &str) -> RefOr<Schema> {
    schema::documented(schema::names::<E>(), description.to_owned(), Some(example.into()))
}

fn list(item: RefOr<Schema>, most: usize) -> RefOr<Schema> {
    let mut list = Array::new(item);
    list.max_items = Some(most);
    RefOr::T(Schema::Array(list))
}

body! {
    /// The members of a rule.
    pub(super) struct RuleFields as "Rule" in ["rule"] {
        /// The name of the rule. Null clears it.
        #[example("Groceries")]
        name: Nullable<Text<0, LABEL_CHARS_MAX>>,
        /// What the rule applies to.
        resource_type: Optional<Resource>,
        /// Whether it runs on the transactions of imports; `true` if missing in a new rule.
        active: Optional<Flag>,
        /// The first day of the transactions that it changes. Null stands for all days.
        #[example("2026-01-01")]
        effective_date: Nullable<Day>,
        /// The position of the rule: rules run in the order of this number. A new rule runs last.
        position: Optional<Whole<1, 4_294_967_295>>,
        /// The conditions, all of which must hold. A value that refers to a category, a merchant, a
        /// tag or an account is an id or a name; a name must exist. A name that several have is
        /// refused: a subcategory's path (`Food: Groceries`) is unique, else use the id.
        #[example([{ "condition_type": "transaction_name", "operator": "like", "value": "market" }])]
        conditions: Optional<Raw<Conditions>>,
        /// The actions, at least one. A value that refers to a category (`Parent:Child` names both
        /// levels), a merchant or a tag is an id or a name. What doesn't exist is created; a name
        /// that several have is refused.
        #[example([{ "action_type": "set_transaction_name", "value": "Market" }])]
        actions: Required<Raw<Actions>>,
    }
}

impl Checked for RuleFields {
    type Output = RuleValues;

    fn check(self, problems: Problems) -> Result<RuleValues> {
        Ok(RuleValues {
            name: self.name,
            resource_type: self.resource_type,
            active: self.active,
            effective_date: self.effective_date,
            position: self.position.map(|position| position.to_string()),
            conditions: self.conditions,
            actions: self.actions,
            problems: problems.into_list(),
        })
    }
}
