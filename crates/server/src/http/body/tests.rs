use purser_core::error::{Problems, Result, texts};
use purser_core::ledger::input::AmountText;
use purser_core::ledger::security::SecurityKind;
use serde_json::{Value, json};

use super::kinds::{Decimal, Flag, Id, List, Object, OneOf, Text, Whole};
use super::presence::{NonNull, Nullable, OnlyNew, Optional, Outer, Required};
use super::{Checked, body, read_checked, schema};
use crate::http::describe::Components;

body! {
    /// A part of a thing.
    struct PartFields as "Part" {
        /// What it is worth.
        amount: Required<Decimal>,
    }
}

body! {
    /// The members of a thing.
    struct ThingFields as "Thing" in ["thing", "object"] {
        /// The name of the thing.
        #[example("Pen")]
        name: NonNull<Text<1, 20>>,
        /// What it is worth.
        amount: Required<Decimal>,
        /// Free text about it.
        notes: Nullable<Text<0, 100>>,
        /// The kind of the security.
        r#type: OnlyNew<Optional<OneOf<SecurityKind>>>,
        /// The number of the thing.
        number: Optional<Whole<1, 28>>,
        /// Whether one that exists is replaced.
        upsert: Outer<Optional<Flag>>,
        /// The id of the owner.
        owner_id: Nullable<Id>,
        /// The parts that it consists of.
        parts: Optional<List<Object<PartFields>, 3>>,
    }
}

impl Checked for ThingFields {
    type Output = (Self, Vec<String>);

    fn check(self, problems: Problems) -> Result<(Self, Vec<String>)> {
        Ok((self, texts(&problems.into_list())))
    }
}

fn read(json: &Value) -> (ThingFields, Vec<String>) {
    read_checked::<ThingFields>(&serde_json::from_str(&json.to_string()).unwrap()).unwrap()
}

fn refused(json: &Value) -> String {
    let fields = serde_json::from_str(&json.to_string()).unwrap();
    read_checked::<ThingFields>(&fields).unwrap_err().to_string()
}

#[test]
fn members_stand_in_the_object_or_in_a_wrapper() {
    let (unwrapped, problems) = read(&json!({ "name": "A", "number": "7", "upsert": "true" }));
    assert_eq!((unwrapped.name.clone(), unwrapped.number), (Some(Some("A".into())), Some(7)));
    assert!(problems.is_empty() && unwrapped.upsert == Some(true));
    for wrapper in ["thing", "object"] {
        let wrapped = json!({ wrapper: { "name": "A", "number": 7 }, "upsert": true });
        assert_eq!(read(&wrapped).0, unwrapped);
    }
    let both = json!({ "thing": { "upsert": true }, "upsert": false });
    assert_eq!(read(&both).0.upsert, Some(false));
    assert!(refused(&json!({ "thing": 1 })).contains("thing"));
    let two = refused(&json!({ "thing": {}, "object": {} }));
    assert_eq!(two, "Only one of thing and object may be sent");
}

#[test]
fn missing_null_and_blank_are_distinguished_by_type() {
    let null = json!({ "name": null, "amount": null, "notes": null, "number": null,
        "owner_id": null });
    let (thing, problems) = read(&null);
    assert_eq!(problems, [""; 0]);
    assert_eq!((thing.name, thing.amount), (Some(None), None));
    assert_eq!((thing.notes, thing.number, thing.owner_id), (Some(None), None, Some(None)));
    let (missing, _) = read(&json!({}));
    assert_eq!(missing, ThingFields::default());
    let (blank, _) = read(&json!({ "name": " ", "amount": " ", "number": "", "owner_id": " " }));
    assert_eq!(blank.name, Some(Some(" ".into())));
    assert_eq!((blank.amount, blank.number, blank.owner_id), (None, None, Some(None)));
}

#[test]
fn numbers_are_the_text_that_was_sent() {
    let fields = serde_json::from_str(r#"{"amount": 0.1000000000000000055}"#).unwrap();
    let (thing, _) = read_checked::<ThingFields>(&fields).unwrap();
    assert_eq!(thing.amount, Some(AmountText::JsonNumber("0.1000000000000000055".into())));
    let (text, _) = read(&json!({ "amount": "1.50" }));
    assert_eq!(text.amount, Some(AmountText::Text("1.50".into())));
}

#[test]
fn every_problem_names_its_field() {
    let wrong = json!({ "name": 1, "notes": [], "type": "bond", "number": 29, "upsert": 5,
        "parts": [{ "amount": 1 }, 7, null] });
    let (thing, problems) = read(&wrong);
    assert_eq!(
        problems,
        [
            "The name must be a string",
            "The notes must be a string",
            "The type must be standard or cash",
            "The number must be a whole number from 1 to 28",
            "The upsert must be true or false",
            "The parts[1] must be an object",
            "The parts[2] must not be null",
        ]
    );
    assert_eq!(thing.parts.unwrap().len(), 1);
    assert_eq!(read(&json!({ "parts": {} })).1, ["The parts must be a list"]);
    let (cash, _) = read(&json!({ "type": "cash" }));
    assert_eq!(cash.r#type, Some(SecurityKind::Cash));
}

#[test]
fn the_description_follows_from_the_types() {
    let mut components = Components::default();
    let new = schema::component::<ThingFields>("NewThing", true, &mut components);
    assert_eq!(serde_json::to_value(new).unwrap()["$ref"], "#/components/schemas/NewThing");
    schema::component::<ThingFields>("ThingChange", false, &mut components);
    let mut all = utoipa::openapi::Components::new();
    components.write(&mut all);
    let all = serde_json::to_value(all).unwrap();
    let (new, change) = (&all["schemas"]["NewThing"], &all["schemas"]["ThingChange"]);
    assert_eq!(new["required"], json!(["name", "amount"]));
    assert!(change["required"].is_null());
    let name = json!({ "type": "string", "minLength": 1, "maxLength": 20,
        "description": "The name of the thing.", "example": "Pen" });
    assert_eq!(new["properties"]["name"], name);
    assert_eq!(change["properties"]["name"], name);
    let number = &new["properties"]["number"];
    assert_eq!(number["type"], json!(["integer", "null"]));
    assert_eq!((number["minimum"].as_i64(), number["maximum"].as_i64()), (Some(1), Some(28)));
    let kind = &new["properties"]["type"]["anyOf"];
    assert_eq!(kind[0]["enum"], json!(["standard", "cash"]));
    assert_eq!(kind[1], json!({ "type": "null" }));
    assert!(change["properties"]["type"].is_null());
    assert_eq!(new["properties"]["parts"]["maxItems"], 3);
    assert!(all["schemas"]["Part"]["properties"]["amount"]["$ref"].is_string());
}
