//! The members of a JSON object, each judged when it is asked for.
//!
//! A body is read into its raw members first, so that a value of a wrong type is one problem among
//! others instead of an error of its own, and so that a number is the text that was sent, never a
//! float. Members that nobody asks for are ignored.

use std::collections::BTreeMap;

use purser_core::error::{Error, Problem, Problems};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::ApiResult;
use crate::http::idempotency::Fingerprint;
use crate::http::unread::{Unread, parse_json};

/// The members of a JSON object, as they were written.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Fields(BTreeMap<String, Box<RawValue>>);

/// A JSON value as it was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Json<'a>(&'a RawValue);

impl<'a> Json<'a> {
    /// A value of a list or an object.
    pub(crate) fn new(raw: &'a RawValue) -> Self {
        Self(raw)
    }

    /// The text of the whole value.
    pub(crate) fn raw(self) -> &'a str {
        self.0.get()
    }

    /// Whether it is null.
    pub(crate) fn is_null(self) -> bool {
        self.raw() == "null"
    }

    /// Whether it is a text of nothing but white space.
    pub(crate) fn is_blank(self) -> bool {
        self.text().is_some_and(|text| text.trim().is_empty())
    }

    /// The text of a string. A string with a lone surrogate is JSON, but no text.
    pub(crate) fn text(self) -> Option<String> {
        self.raw().starts_with('"').then(|| serde_json::from_str(self.raw()).ok())?
    }

    /// A number, as it was written.
    pub(crate) fn number(self) -> Option<&'a str> {
        self.raw().starts_with(|c: char| c == '-' || c.is_ascii_digit()).then(|| self.raw())
    }

    /// `true` or `false`, as JSON or as text.
    pub(crate) fn flag(self) -> Option<bool> {
        match self.written().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// A text, or any other value as it was written: for values that are judged by their content
    /// and not by their type.
    pub(crate) fn written(self) -> String {
        self.text().unwrap_or_else(|| self.raw().to_owned())
    }

    /// The items of a list.
    pub(crate) fn items(self) -> Option<Vec<Box<RawValue>>> {
        serde_json::from_str(self.raw()).ok()
    }

    /// The members of an object.
    pub(crate) fn object(self) -> Option<Fields> {
        is_object(self.0).then(|| serde_json::from_str(self.raw()).ok())?
    }
}

/// A value of a member, by its JSON type.
enum Value<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    Text(String),
    Compound,
}

impl Fields {
    /// Reads an ordinary JSON body, which must be an object.
    pub(crate) async fn read(body: Unread) -> ApiResult<Self> {
        let raw: Box<RawValue> = body.json().await?;
        if !is_object(&raw) {
            return Err(Error::invalid("The body must be an object").into());
        }
        // The name of a member may still be no text: a lone surrogate.
        parse_json(raw.get().as_bytes())
    }

    /// Adds the members to the fingerprint of a request, whatever their order.
    pub(crate) fn add_to(&self, fingerprint: &mut Fingerprint) {
        for (name, raw) in &self.0 {
            fingerprint.add(name.as_bytes());
            fingerprint.add(raw.get().as_bytes());
        }
    }

    /// The value of a member, if it was sent, even as null.
    pub(crate) fn json(&self, name: &str) -> Option<Json<'_>> {
        self.0.get(name).map(|raw| Json::new(raw))
    }

    fn get(&self, name: &str) -> Option<Value<'_>> {
        let raw = self.0.get(name)?.get();
        let value = match raw.as_bytes().first() {
            Some(b'n') => Value::Null,
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            // Lone surrogates are JSON, but no text.
            Some(b'"') => serde_json::from_str(raw).map_or(Value::Compound, Value::Text),
            Some(b'{' | b'[') => Value::Compound,
            _ => Value::Number(raw),
        };
        Some(value)
    }

    /// A text that may be missing or null.
    pub(crate) fn text(&self, name: &str, problems: &mut Problems) -> Option<String> {
        self.nullable_text(name, problems).flatten()
    }

    /// A text; `None` when it was not sent, `Some(None)` when null was.
    pub(crate) fn nullable_text(
        &self,
        name: &str,
        problems: &mut Problems,
    ) -> Option<Option<String>> {
        match self.get(name)? {
            Value::Null => Some(None),
            Value::Text(text) => Some(Some(text)),
            _ => {
                problems.field(name, "must be a string");
                None
            }
        }
    }

    /// `true` or `false`, as JSON or as text; null and blank count as not sent.
    pub(crate) fn flag(&self, name: &str, problems: &mut Problems) -> Option<bool> {
        match self.get(name)? {
            Value::Null => None,
            Value::Bool(flag) => Some(flag),
            Value::Text(text) if text.is_empty() => None,
            Value::Text(text) if text == "true" => Some(true),
            Value::Text(text) if text == "false" => Some(false),
            _ => {
                problems.field(name, "must be true or false");
                None
            }
        }
    }

    /// A text, or a number as it was written; `None` when it was not sent, `Some(None)` when null
    /// was.
    pub(crate) fn nullable_scalar(
        &self,
        name: &str,
        problems: &mut Problems,
    ) -> Option<Option<String>> {
        match self.get(name)? {
            Value::Number(text) => Some(Some(text.to_owned())),
            _ => self.nullable_text(name, problems),
        }
    }

    /// The names of what was sent.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A list of objects; null counts as not sent.
    pub(crate) fn objects(&self, name: &str) -> Result<Option<Vec<Self>>, Error> {
        let Some(raw) = self.0.get(name).filter(|raw| raw.get() != "null") else {
            return Ok(None);
        };
        serde_json::from_str(raw.get())
            .map(Some)
            .map_err(|_| Problem::field(name, "must be a list of objects").into())
    }

    /// Whether the member was sent, even as null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// An object; null counts as not sent.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Self>, Error> {
        let Some(raw) = self.0.get(name).filter(|raw| raw.get() != "null") else {
            return Ok(None);
        };
        if !is_object(raw) {
            return Err(Problem::field(name, "must be an object").into());
        }
        serde_json::from_str(raw.get())
            .map(Some)
            .map_err(|error| Problem::field(name, format!("is not valid JSON: {error}")).into())
    }
}

fn is_object(raw: &RawValue) -> bool {
    raw.get().starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(json: &str) -> Fields {
        serde_json::from_str(json).unwrap()
    }

    fn read<T>(
        json: &str,
        read: impl Fn(&Fields, &mut Problems) -> Option<T>,
    ) -> (Option<T>, usize) {
        let mut problems = Problems::new();
        let value = read(&fields(json), &mut problems);
        (value, problems.into_list().len())
    }

    #[test]
    fn texts_can_be_left_out_cleared_or_set() {
        let text = |json| read(json, |fields, problems| fields.nullable_text("a", problems));
        assert_eq!(text("{}"), (None, 0));
        assert_eq!(text(r#"{"a": null}"#), (Some(None), 0));
        assert_eq!(text(r#"{"a": ""}"#), (Some(Some(String::new())), 0));
        assert_eq!(text(r#"{"a": 5}"#), (None, 1));
        assert_eq!(text(r#"{"a": "\ud800"}"#), (None, 1));
    }

    #[test]
    fn flags_are_true_false_or_refused() {
        let flag = |json| read(json, |fields, problems| fields.flag("a", problems));
        assert_eq!(flag(r#"{"a": true}"#), (Some(true), 0));
        assert_eq!(flag(r#"{"a": "false"}"#), (Some(false), 0));
        assert_eq!(flag(r#"{"a": null}"#), (None, 0));
        for wrong in [r#"{"a": 1}"#, r#"{"a": "no"}"#, r#"{"a": "TRUE"}"#, r#"{"a": []}"#] {
            assert_eq!(flag(wrong), (None, 1), "{wrong}");
        }
    }

    #[test]
    fn objects_are_read_again_as_they_were_written() {
        let outer = fields(r#"{"valuation": {"amount": 1.10, "x": {"y": [1, 2]}}, "n": null}"#);
        let inner = outer.object("valuation").unwrap().unwrap();
        assert_eq!(inner.json("amount").map(Json::written).as_deref(), Some("1.10"));
        assert!(outer.object("n").unwrap().is_none() && outer.has("n"));
        assert!(outer.object("other").unwrap().is_none() && !outer.has("other"));
        assert!(fields(r#"{"valuation": "x"}"#).object("valuation").is_err());
        let lone = fields(r#"{"valuation": {"\ud800": 1}}"#).object("valuation").unwrap_err();
        assert_eq!(lone.code(), "validation_failed");
        assert!(lone.to_string().starts_with("The valuation is not valid JSON: "), "{lone}");
    }

    #[test]
    fn lists_hold_objects_only() {
        let list = fields(r#"{"a": [{"x": "1"}, {}], "n": null}"#);
        let objects = list.objects("a").unwrap().unwrap();
        assert_eq!(objects[0].names().collect::<Vec<_>>(), ["x"]);
        assert_eq!(objects.len(), 2);
        assert!(list.objects("n").unwrap().is_none() && list.objects("b").unwrap().is_none());
        for wrong in [r#"{"a": {}}"#, r#"{"a": [1]}"#, r#"{"a": [null]}"#, r#"{"a": "x"}"#] {
            assert!(fields(wrong).objects("a").is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_and_texts_are_scalars() {
        let scalar = |json| read(json, |fields, problems| fields.nullable_scalar("a", problems));
        assert_eq!(scalar(r#"{"a": 3}"#), (Some(Some("3".into())), 0));
        assert_eq!(scalar(r#"{"a": "x"}"#), (Some(Some("x".into())), 0));
        assert_eq!(scalar(r#"{"a": null}"#), (Some(None), 0));
        assert_eq!(scalar("{}"), (None, 0));
        assert_eq!(scalar(r#"{"a": []}"#), (None, 1));
    }
}
