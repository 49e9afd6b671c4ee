//! A validator for the part of JSON Schema that the description uses. A keyword that it doesn't
//! know is a failure: what isn't checked must not look checked.

use serde_json::{Value, json};

/// Keywords for people, or for programs that write forms; they don't restrict an answer.
const ANNOTATIONS: [&str; 5] = ["description", "example", "title", "default", "contentMediaType"];

/// Checks values against schemas of a document.
pub(crate) struct Schemas<'a>(pub(crate) &'a Value);

impl Schemas<'_> {
    /// Everything in which the value differs from the schema.
    pub(crate) fn problems(&self, value: &Value, schema: &Value) -> Vec<String> {
        let mut problems = Vec::new();
        self.check("$", value, schema, &mut problems);
        problems
    }

    /// A schema by its reference.
    fn resolve(&self, reference: &str) -> &Value {
        let pointer = reference.strip_prefix('#').expect("a reference into the document");
        self.0.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"))
    }

    fn check(&self, at: &str, value: &Value, schema: &Value, problems: &mut Vec<String>) {
        let Some(keywords) = schema.as_object() else {
            return problems.push(format!("{at}: {schema} is no schema"));
        };
        for (keyword, rule) in keywords {
            match keyword.as_str() {
                known if ANNOTATIONS.contains(&known) => {}
                "$ref" => {
                    let target = self.resolve(rule.as_str().expect("a reference"));
                    self.check(at, value, target, problems);
                }
                "oneOf" => self.check_one_of(at, value, rule, problems),
                "anyOf" => {
                    let variants = rule.as_array().expect("schemas");
                    if !variants.iter().any(|one| self.problems(value, one).is_empty()) {
                        problems.push(format!("{at}: {value} fits no variant"));
                    }
                }
                "allOf" => self.check(at, value, &self.merged(rule), problems),
                "properties" => self.check_properties(at, value, schema, problems),
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(&format!("{at}[{index}]"), item, rule, problems);
                    }
                }
                "additionalProperties" => self.check_additional(at, value, schema, problems),
                "propertyNames" => {
                    for name in value.as_object().into_iter().flat_map(|all| all.keys()) {
                        let name = Value::from(name.as_str());
                        self.check(&format!("{at}.{name}"), &name, rule, problems);
                    }
                }
                _ => check_plain(at, value, keyword, rule, problems),
            }
        }
    }

    /// Schemas that apply together as one, because none of them knows the members of the others.
    fn merged(&self, parts: &Value) -> Value {
        let mut whole = json!({});
        for part in parts.as_array().expect("schemas") {
            let part = part["$ref"].as_str().map_or(part, |reference| self.resolve(reference));
            for (keyword, rule) in part.as_object().expect("a schema") {
                match (&mut whole[keyword], rule) {
                    (Value::Object(all), Value::Object(more)) => all.extend(more.clone()),
                    (Value::Array(all), Value::Array(more)) => all.extend(more.clone()),
                    (other, rule) => *other = rule.clone(),
                }
            }
        }
        whole
    }

    fn check_one_of(&self, at: &str, value: &Value, rule: &Value, problems: &mut Vec<String>) {
        let variants = rule.as_array().expect("schemas");
        let fits = variants.iter().filter(|one| self.problems(value, one).is_empty()).count();
        if fits != 1 {
            problems.push(format!("{at}: {value} fits {fits} of {} variants", variants.len()));
        }
    }

    /// Answers have only members that the schema knows: any other is a problem, even where JSON
    /// Schema would let it pass.
    fn check_properties(
        &self,
        at: &str,
        value: &Value,
        schema: &Value,
        problems: &mut Vec<String>,
    ) {
        let properties = schema["properties"].as_object().expect("properties");
        for (name, member) in value.as_object().into_iter().flatten() {
            match properties.get(name) {
                Some(property) => self.check(&format!("{at}.{name}"), member, property, problems),
                None => problems.push(format!("{at}.{name} is not documented")),
            }
        }
    }

    fn check_additional(
        &self,
        at: &str,
        value: &Value,
        schema: &Value,
        problems: &mut Vec<String>,
    ) {
        let rule = &schema["additionalProperties"];
        let properties = schema["properties"].as_object();
        let known = |name: &str| properties.is_some_and(|known| known.contains_key(name));
        for (name, member) in value.as_object().into_iter().flatten() {
            if known(name) || *rule == Value::Bool(true) {
                continue;
            }
            match rule {
                Value::Bool(_) => problems.push(format!("{at}.{name} is not allowed")),
                _ => self.check(&format!("{at}.{name}"), member, rule, problems),
            }
        }
    }
}

/// Keywords that look at one value and at no other schema.
fn check_plain(at: &str, value: &Value, keyword: &str, rule: &Value, problems: &mut Vec<String>) {
    let fits = match keyword {
        "type" => match rule {
            Value::Array(types) => types.iter().any(|one| has_type(value, one)),
            one => has_type(value, one),
        },
        "required" => {
            let names = rule.as_array().expect("names").iter();
            let mut missing =
                names.filter(|name| value.get(name.as_str().expect("a name")).is_none());
            !value.is_object() || missing.next().is_none()
        }
        "enum" => rule.as_array().expect("values").contains(value),
        "const" => rule == value,
        "minimum" => value.as_f64().is_none_or(|number| Some(number) >= rule.as_f64()),
        "maximum" => value.as_f64().is_none_or(|number| Some(number) <= rule.as_f64()),
        "minItems" => value.as_array().is_none_or(|all| all.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|all| all.len() as u64 <= rule.as_u64().unwrap()),
        "minLength" => value.as_str().is_none_or(|text| chars(text) >= rule.as_u64().unwrap()),
        "maxLength" => value.as_str().is_none_or(|text| chars(text) <= rule.as_u64().unwrap()),
        "format" => value.as_str().is_none_or(|text| has_format(text, rule)),
        unknown => {
            return problems.push(format!("{at}: the keyword {unknown} is not known here"));
        }
    };
    if !fits {
        problems.push(format!("{at}: {value} against {keyword} {rule}"));
    }
}

fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("there is no type {unknown}"),
    }
}

fn has_format(text: &str, format: &Value) -> bool {
    // `9` stands for a digit, `h` for a hexadecimal one.
    let like = |form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, expected)| match expected {
                b'9' => byte.is_ascii_digit(),
                b'h' => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
                other => byte == other,
            })
    };
    match format.as_str().expect("a format") {
        "uuid" => like("hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"),
        "date" => like("9999-99-99"),
        "date-time" => like("9999-99-99T99:99:99.999Z"),
        unknown => panic!("there is no format {unknown} of texts"),
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn the_validator_finds_what_is_wrong() {
        let document = json!({ "components": { "schemas": { "Id": {
            "type": "string", "format": "uuid", "description": "An id" } } } });
        let schemas = Schemas(&document);
        let schema = json!({
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": { "$ref": "#/components/schemas/Id" },
                "count": { "type": ["integer", "null"], "minimum": 1 },
                "kinds": { "type": "array", "items": { "enum": ["a", "b"] } },
                "either": { "oneOf": [{ "type": "null" }, { "type": "string" }] },
            },
        });
        let id = "0190f5f0-7c00-7a10-8000-00000000000a";
        let fits = json!({ "id": id, "count": null, "kinds": ["a"], "either": "x" });
        assert_eq!(schemas.problems(&fits, &schema), Vec::<String>::new());
        for wrong in [
            json!([]),
            json!({}),
            json!({ "id": "x" }),
            json!({ "id": id.to_uppercase() }),
            json!({ "id": id, "count": 0 }),
            json!({ "id": id, "count": 1.5 }),
            json!({ "id": id, "kinds": ["c"] }),
            json!({ "id": id, "either": 1 }),
            json!({ "id": id, "unknown": 1 }),
        ] {
            assert_eq!(schemas.problems(&wrong, &schema).len(), 1, "{wrong}");
        }
        let unknown = json!({ "pattern": "^a$" });
        assert_eq!(schemas.problems(&json!("a"), &unknown).len(), 1);
    }
}
