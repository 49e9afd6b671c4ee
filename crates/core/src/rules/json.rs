//! Conditions and actions as JSON: read with every problem at once, and written.
//!
//! ```text
//! [{"condition_type": "transaction_name", "operator": "like", "value": "rent"},
//!  {"condition_type": "compound", "operator": "or", "sub_conditions": [ … ]}]
//! [{"action_type": "set_transaction_category", "value": "Housing"}]
//! ```
//!
//! A value that names something is an id or a name. Without a value, a `value_ref` with a `name` or
//! an `id` stands for it. Numbers are read as the text that was sent, never as floats. Unknown
//! members are ignored, unknown types are refused.

use std::collections::HashMap;

use rust_decimal::Decimal;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::action::{Action, ActionType};
use super::amount::{AmountTest, Comparison};
use super::condition::{Condition, RefTest, TextField, TextTest};
use super::facts::TransactionType;
use super::reference::{Noun, Reference};
use super::text::Needle;
use super::words::ConditionType;
use crate::error::Problems;
use crate::ledger::input;
use crate::limits::{
    NAME_CHARS_MAX, RULE_ACTIONS_MAX, RULE_CONDITIONS_MAX, RULE_CONDITIONS_NESTED_MAX,
    RULE_VALUE_CHARS_MAX,
};
use crate::named;

/// Types of actions that other programs know and this one doesn't carry out, and why.
const REFUSED_ACTIONS: [(&str, &str); 5] = [
    ("set_as_transfer_or_payment", "transfers are found by themselves, with both of their sides"),
    ("set_investment_activity_label", "trades have types of their own"),
    ("send_email_notification", "no e-mail is sent"),
    ("auto_categorize", "nothing is guessed"),
    ("auto_detect_merchants", "nothing is guessed"),
];

type Object = HashMap<String, Box<RawValue>>;

/// Reads conditions; what can't be read is left out and is among the problems.
pub fn read_conditions(text: &str, problems: &mut Problems) -> Vec<Condition> {
    let Some(objects) = objects("conditions", text, problems) else { return Vec::new() };
    let mut reader = Reader { problems, conditions: 0 };
    let conditions = reader.conditions(&objects, "conditions", 0);
    if reader.conditions > RULE_CONDITIONS_MAX {
        problems.field("conditions", format!("must have at most {RULE_CONDITIONS_MAX} entries"));
        return Vec::new();
    }
    conditions
}

/// Reads actions, of which there must be one; what can't be read is left out and is among the
/// problems.
pub fn read_actions(text: &str, problems: &mut Problems) -> Vec<Action> {
    let Some(objects) = objects("actions", text, problems) else { return Vec::new() };
    if objects.is_empty() || objects.len() > RULE_ACTIONS_MAX {
        problems.field("actions", format!("must have 1 to {RULE_ACTIONS_MAX} entries"));
        return Vec::new();
    }
    let mut reader = Reader { problems, conditions: 0 };
    let actions = objects.iter().enumerate();
    actions.filter_map(|(at, object)| reader.action(object, &format!("actions[{at}]"))).collect()
}

/// Conditions as they are kept and shown.
pub fn write_conditions(conditions: &[Condition]) -> Value {
    let write = |condition: &Condition| {
        let written = condition.parts();
        json!({
            "condition_type": written.condition_type,
            "operator": written.operator,
            "value": written.value,
            "sub_conditions": write_conditions(written.sub_conditions),
        })
    };
    Value::Array(conditions.iter().map(write).collect())
}

/// Actions as they are kept and shown.
pub fn write_actions(actions: &[Action]) -> Value {
    let write =
        |action: &Action| json!({ "action_type": action.action_type(), "value": action.value() });
    Value::Array(actions.iter().map(write).collect())
}

fn objects(name: &str, text: &str, problems: &mut Problems) -> Option<Vec<Object>> {
    let read = serde_json::from_str(text);
    read.map_err(|_| problems.field(name, "must be a list of objects")).ok()
}

/// The value under a name.
enum Sent {
    Nothing,
    Text(String),
    Other,
}

/// A text, or a number as it was written.
fn sent(object: &Object, name: &str) -> Sent {
    let Some(raw) = object.get(name).map(|raw| raw.get()) else { return Sent::Nothing };
    match raw.as_bytes().first() {
        Some(b'n') => Sent::Nothing,
        Some(b'"') => serde_json::from_str(raw).map_or(Sent::Other, Sent::Text),
        Some(b'-' | b'0'..=b'9') => Sent::Text(raw.to_owned()),
        _ => Sent::Other,
    }
}

struct Reader<'p> {
    problems: &'p mut Problems,
    conditions: usize,
}

impl Reader<'_> {
    /// A problem of a member of the object that stands at `place`.
    fn problem(&mut self, place: &str, name: &str, predicate: &str) {
        self.problems.field(format!("{place}.{name}"), predicate);
    }

    fn conditions(&mut self, objects: &[Object], list: &str, depth: usize) -> Vec<Condition> {
        let places = objects.iter().enumerate();
        places
            .filter_map(|(at, object)| self.condition(object, &format!("{list}[{at}]"), depth))
            .collect()
    }

    fn condition(&mut self, object: &Object, place: &str, depth: usize) -> Option<Condition> {
        self.conditions += 1;
        let kind = self.word(object, "condition_type", place)?;
        let operator = &self.word(object, "operator", place)?;
        let Some(kind) = ConditionType::parse(&kind) else {
            let predicate = format!("must be {}", named::list::<ConditionType>());
            self.problem(place, "condition_type", &predicate);
            return None;
        };
        match kind {
            ConditionType::Name => self.text(object, TextField::Name, operator, place),
            ConditionType::Notes => self.text(object, TextField::Notes, operator, place),
            ConditionType::Details => self.text(object, TextField::Details, operator, place),
            ConditionType::Amount => self.amount(object, operator, place),
            ConditionType::Type => self.transaction_type(object, operator, place),
            ConditionType::Category => self.reference_test(object, Noun::Category, operator, place),
            ConditionType::Merchant => self.reference_test(object, Noun::Merchant, operator, place),
            ConditionType::Tag => self.reference_test(object, Noun::Tag, operator, place),
            ConditionType::Account => self.reference_test(object, Noun::Account, operator, place),
            ConditionType::Compound => self.compound(object, operator, place, depth),
        }
    }

    fn compound(
        &mut self,
        object: &Object,
        operator: &str,
        place: &str,
        depth: usize,
    ) -> Option<Condition> {
        if depth >= RULE_CONDITIONS_NESTED_MAX {
            let max = RULE_CONDITIONS_NESTED_MAX;
            self.problems.field(place, format!("must be nested at most {max} times"));
            return None;
        }
        let below = object.get("sub_conditions").map_or("[]", |raw| raw.get());
        let Ok(objects) = serde_json::from_str::<Vec<Object>>(below) else {
            self.problem(place, "sub_conditions", "must be a list of objects");
            return None;
        };
        if objects.is_empty() {
            self.problem(place, "sub_conditions", "must have at least one entry");
            return None;
        }
        let conditions = self.conditions(&objects, &format!("{place}.sub_conditions"), depth + 1);
        match operator {
            "and" => Some(Condition::All(conditions)),
            "or" => Some(Condition::Any(conditions)),
            _ => self.wrong_operator(place, "and, or"),
        }
    }

    fn text(
        &mut self,
        object: &Object,
        field: TextField,
        operator: &str,
        place: &str,
    ) -> Option<Condition> {
        let test = match operator {
            "is_null" => TextTest::Missing,
            "is_not_null" => TextTest::Present,
            "like" | "not_like" | "=" | "!=" => {
                let text = self.value(object, place)?;
                match operator {
                    "like" => TextTest::Contains(Needle::new(&text)),
                    "not_like" => TextTest::ContainsNot(Needle::new(&text)),
                    "=" => TextTest::Is(text),
                    _ => TextTest::IsNot(text),
                }
            }
            _ => return self.wrong_operator(place, "like, not_like, =, !=, is_null, is_not_null"),
        };
        Some(Condition::Text(field, test))
    }

    fn amount(&mut self, object: &Object, operator: &str, place: &str) -> Option<Condition> {
        let Some(comparison) = Comparison::parse(operator) else {
            return self.wrong_operator(place, "<, <=, =, !=, >=, >");
        };
        let text = self.value(object, place)?;
        let text = text.trim();
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let value = Decimal::from_str_exact(text).ok().filter(|_| is_plain);
        let value = value.filter(|value| value.scale() <= 8);
        if value.is_none() {
            self.problem(
                place,
                "value",
                "must be a plain decimal of 0 or more with at most 8 decimals: amounts are \
                 compared without their sign",
            );
        }
        Some(Condition::Amount(AmountTest { comparison, value: value? }))
    }

    fn transaction_type(
        &mut self,
        object: &Object,
        operator: &str,
        place: &str,
    ) -> Option<Condition> {
        if !["=", "!="].contains(&operator) {
            return self.wrong_operator(place, "=, !=");
        }
        let text = self.value(object, place)?;
        let Some(wanted) = TransactionType::parse(text.trim()) else {
            self.problem(place, "value", "must be income, expense or transfer");
            return None;
        };
        Some(Condition::Type { is: operator == "=", wanted })
    }

    fn reference_test(
        &mut self,
        object: &Object,
        noun: Noun,
        operator: &str,
        place: &str,
    ) -> Option<Condition> {
        let test = match operator {
            "=" => RefTest::Is(self.reference(object, place)?),
            "!=" => RefTest::IsNot(self.reference(object, place)?),
            "is_null" if noun != Noun::Account => RefTest::Missing,
            "is_not_null" if noun != Noun::Account => RefTest::Present,
            _ if noun == Noun::Account => return self.wrong_operator(place, "=, !="),
            _ => return self.wrong_operator(place, "=, !=, is_null, is_not_null"),
        };
        Some(Condition::Reference(noun, test))
    }

    fn action(&mut self, object: &Object, place: &str) -> Option<Action> {
        let kind = self.word(object, "action_type", place)?;
        let Some(known) = ActionType::parse(&kind) else {
            let refused = REFUSED_ACTIONS.iter().find(|(name, _)| *name == kind);
            let predicate = match refused {
                Some((name, why)) => format!("can't be {name}: {why}"),
                None => format!("must be {}", named::list::<ActionType>()),
            };
            self.problem(place, "action_type", &predicate);
            return None;
        };
        match known {
            ActionType::SetCategory => self.reference(object, place).map(Action::SetCategory),
            ActionType::AddTag => self.reference(object, place).map(Action::AddTag),
            ActionType::SetMerchant => self.reference(object, place).map(Action::SetMerchant),
            ActionType::Exclude => Some(Action::Exclude),
            ActionType::SetName => {
                let text = self.value(object, place)?;
                let field = format!("{place}.value");
                input::label(&field, Some(&text), NAME_CHARS_MAX, self.problems)
                    .map(Action::SetName)
            }
        }
    }

    fn wrong_operator<T>(&mut self, place: &str, allowed: &str) -> Option<T> {
        self.problem(place, "operator", &format!("must be one of {allowed}"));
        None
    }

    /// A member that must be there.
    fn word(&mut self, object: &Object, name: &str, place: &str) -> Option<String> {
        match sent(object, name) {
            Sent::Text(text) => Some(text),
            Sent::Nothing => {
                self.problems.required(format!("{place}.{name}"));
                None
            }
            Sent::Other => {
                self.problem(place, name, "must be a string");
                None
            }
        }
    }

    /// The value, which must be there.
    fn value(&mut self, object: &Object, place: &str) -> Option<String> {
        let text = match sent(object, "value") {
            Sent::Text(text) if !text.trim().is_empty() => text,
            Sent::Other => {
                self.problem(place, "value", "must be a string");
                return None;
            }
            Sent::Text(_) | Sent::Nothing => {
                self.problems.required(format!("{place}.value"));
                return None;
            }
        };
        self.limited(text, place)
    }

    fn limited(&mut self, text: String, place: &str) -> Option<String> {
        if text.contains('\0') || text.chars().count() > RULE_VALUE_CHARS_MAX {
            let max = RULE_VALUE_CHARS_MAX;
            let predicate = format!("must have 1 to {max} characters, none of them NUL");
            self.problem(place, "value", &predicate);
            return None;
        }
        Some(text)
    }

    fn reference(&mut self, object: &Object, place: &str) -> Option<Reference> {
        if let Sent::Nothing = sent(object, "value")
            && let Some(raw) = object.get("value_ref")
            && let Ok(named) = serde_json::from_str::<Object>(raw.get())
        {
            for member in ["name", "id"] {
                if let Sent::Text(text) = sent(&named, member)
                    && !text.trim().is_empty()
                {
                    return Some(Reference::parse(&self.limited(text, place)?));
                }
            }
        }
        self.value(object, place).map(|text| Reference::parse(&text))
    }
}
