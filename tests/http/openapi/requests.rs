//! Bodies made from the description: what it allows is not refused as malformed, and each way of
//! breaking it is refused with a problem that names the member.

use serde_json::{Value, json};

use super::answers::id_for;
use super::document::{Operation, document, operations};
use crate::both;
use crate::isolation_data::Data;
use crate::support::{Answer, Banks, Client};

/// The answers of the reader of bodies to a value of a wrong type.
const MALFORMED: [&str; 6] = [
    "must be a string",
    "must be true or false",
    "must be a list",
    "must be an object",
    "must be a whole number",
    "must not be null",
];

both! {
    fn bodies_are_taken_and_refused_as_described(
        server = Banks::shared().options().env("PURSER_RATE_LIMIT", "0")
    ) {
        let family = server.family();
        let data = Data::fill(&server, &family, "beryl");
        let bodies = Bodies { document: document(&server), data, api: family.api.clone() };
        let mut members = 0;
        for operation in operations(&server) {
            members += bodies.try_operation(&operation);
        }
        assert!(members >= 150, "only {members} members were tried");
    }
}

struct Bodies {
    document: Value,
    data: Data,
    api: Client,
}

impl Bodies {
    /// Tries the members of an operation's JSON body, and answers how many there are.
    fn try_operation(&self, operation: &Operation) -> usize {
        let content = &operation.body["requestBody"]["content"]["application/json"];
        if content.is_null() {
            return 0;
        }
        let schema = self.resolve(&content["schema"]);
        let forms = schema["anyOf"].as_array().map_or(vec![schema.clone()], Clone::clone);
        let id = match operation.path.starts_with("/api/v1/imports/") {
            // What is published can't be changed.
            true => &self.data.pending_import,
            false => id_for(&operation.path, &self.data),
        };
        let address = operation.address(id);
        let mut members = 0;
        for form in &forms {
            let form = self.resolve(form);
            let wrapper = (forms.len() > 1 && form["required"].as_array().map(Vec::len) == Some(1))
                .then(|| form["required"][0].as_str().expect("a name").to_owned())
                .filter(|name| self.resolve(&form["properties"][name])["type"] == "object");
            let inner = match &wrapper {
                Some(name) => self.resolve(&form["properties"][name]),
                None => form.clone(),
            };
            let wrap = |body: Value| match &wrapper {
                Some(name) => json!({ name: body }),
                None => body,
            };
            let send = |body: Value| self.send(operation, &address, &wrap(body));
            members += self.try_members(operation, &inner, &send);
        }
        members
    }

    fn try_members(
        &self,
        operation: &Operation,
        schema: &Value,
        send: &dyn Fn(Value) -> Answer,
    ) -> usize {
        let whole = self.valid("", schema);
        let answer = send(whole.clone());
        let case = format!("{}: {whole}", operation.name());
        assert!(![400, 413, 415].contains(&answer.status), "{case}: {}", answer.text());
        let errors = errors(&answer);
        let malformed = errors.iter().find(|error| MALFORMED.iter().any(|end| error.contains(end)));
        assert_eq!(malformed, None, "{case}");
        let properties = schema["properties"].as_object().expect("members");
        let required: Vec<&str> = schema["required"].as_array().map_or(Vec::new(), |names| {
            names.iter().map(|name| name.as_str().expect("a name")).collect()
        });
        let least: Value =
            required.iter().map(|name| ((*name).to_owned(), whole[*name].clone())).collect();
        for (name, member) in properties {
            for wrong in self.violations(member) {
                let mut body = least.clone();
                body[name] = wrong;
                let answer = send(body.clone());
                let case = format!("{} {name}: {body}", operation.name());
                assert_refused(&answer, name, &case);
            }
            if required.contains(&name.as_str()) {
                let mut body = least.clone();
                body.as_object_mut().expect("an object").remove(name);
                let case = format!("{} without {name}", operation.name());
                assert_refused(&send(body), name, &case);
            }
        }
        properties.len()
    }

    #[track_caller]
    fn send(&self, operation: &Operation, address: &str, body: &Value) -> Answer {
        let body = body.to_string();
        self.api.request(&operation.method, address, Some(("application/json", body.as_bytes())))
    }

    fn resolve(&self, schema: &Value) -> Value {
        let Some(reference) = schema["$ref"].as_str() else { return schema.clone() };
        let pointer = reference.strip_prefix('#').expect("a reference into the document");
        let mut target = self.document.pointer(pointer).expect(reference).clone();
        if !schema["example"].is_null() {
            target["example"] = schema["example"].clone();
        }
        target
    }

    /// A value that the schema allows, with ids of things that there are.
    fn valid(&self, name: &str, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        let ids = [
            ("account_id", &self.data.account),
            ("to_account_id", &self.data.other_account),
            ("category_id", &self.data.category),
            ("merchant_id", &self.data.merchant),
            ("security_id", &self.data.security),
            ("budget_id", &self.data.budget),
        ];
        if let Some((_, id)) = ids.iter().find(|(known, _)| *known == name) {
            return json!(id);
        }
        if !schema["example"].is_null() {
            return schema["example"].clone();
        }
        if let Some(variants) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
            return self.valid(name, &variants[0]);
        }
        if let Some(values) = schema["enum"].as_array() {
            return values[0].clone();
        }
        match first_type(&schema) {
            "string" => match schema["format"].as_str() {
                Some("uuid") => json!("0190f5f0-7c00-7a10-8000-00000000dead"),
                Some("date") => json!("2026-01-15"),
                _ => {
                    assert!(schema["pattern"].is_null(), "{name} has a pattern and no example");
                    json!("x".repeat(schema["minLength"].as_u64().unwrap_or(1).max(1) as usize))
                }
            },
            "integer" => json!(schema["minimum"].as_i64().unwrap_or(1)),
            "number" => json!(1),
            "boolean" => json!(true),
            "array" => json!([self.valid(name, &schema["items"])]),
            "object" => {
                // Objects inside of others have what they need: they may hold their like.
                let members = schema["properties"].as_object().into_iter().flatten();
                let is_wanted = |member: &str| {
                    let required = schema["required"].as_array();
                    name.is_empty() || required.is_some_and(|all| all.contains(&json!(member)))
                };
                let members = members.filter(|(member, _)| is_wanted(member));
                members.map(|(name, member)| (name.clone(), self.valid(name, member))).collect()
            }
            other => panic!("{name} has the type {other}"),
        }
    }

    /// Values that the schema doesn't allow, each for another reason.
    fn violations(&self, schema: &Value) -> Vec<Value> {
        let schema = self.resolve(schema);
        let allows_null = allows_null(&schema);
        let mut wrong = if allows_null { Vec::new() } else { vec![Value::Null] };
        if schema["anyOf"].is_array() || schema["oneOf"].is_array() {
            wrong.push(json!("~"));
            return wrong;
        }
        if schema["enum"].is_array() {
            wrong.push(json!("no such word"));
            return wrong;
        }
        match first_type(&schema) {
            "string" => {
                wrong.push(json!({}));
                if let Some(longest) = schema["maxLength"].as_u64() {
                    wrong.push(json!("x".repeat(longest as usize + 1)));
                }
                if schema["format"].is_string() || schema["pattern"].is_string() {
                    wrong.push(json!("~"));
                }
            }
            "integer" => {
                wrong.push(json!("~"));
                wrong.extend(schema["minimum"].as_i64().map(|least| json!(least - 1)));
                wrong.extend(schema["maximum"].as_i64().map(|most| json!(most + 1)));
            }
            "boolean" => wrong.push(json!("~")),
            "array" => {
                wrong.push(json!("~"));
                if schema["minItems"].as_u64().is_some_and(|least| least > 0) {
                    wrong.push(json!([]));
                }
                if let Some(most) = schema["maxItems"].as_u64().filter(|most| *most <= 100) {
                    let item = self.valid("item", &schema["items"]);
                    wrong.push(Value::Array(vec![item; most as usize + 1]));
                }
            }
            "object" => wrong.push(json!("~")),
            other => panic!("there is no case for {other}"),
        }
        wrong
    }
}

fn allows_null(schema: &Value) -> bool {
    let is_null = |one: &Value| one == "null" || one["type"] == "null";
    schema["type"].as_array().is_some_and(|types| types.iter().any(is_null))
        || schema["anyOf"].as_array().is_some_and(|all| all.iter().any(is_null))
}

fn first_type(schema: &Value) -> &str {
    let types = schema["type"].as_array();
    let first = types.and_then(|types| types.iter().find(|one| *one != "null"));
    first.unwrap_or(&schema["type"]).as_str().unwrap_or_else(|| panic!("{schema} has no type"))
}

/// 422 with a problem that names the member, or 404 for the id of something that is not there.
#[track_caller]
fn assert_refused(answer: &Answer, name: &str, case: &str) {
    assert!([404, 422].contains(&answer.status), "{case}: {} {}", answer.status, answer.text());
    if answer.status == 422 {
        let plain = |text: &str| text.to_lowercase().replace('_', " ");
        let named = errors(answer).iter().any(|error| plain(error).contains(&plain(name)));
        assert!(named, "{case}: {}", answer.text());
    }
}

fn errors(answer: &Answer) -> Vec<String> {
    if answer.status != 422 {
        return Vec::new();
    }
    let body = answer.json();
    let errors = body["errors"].as_array().into_iter().flatten();
    errors.map(|error| error.as_str().expect("a text").to_owned()).collect()
}
