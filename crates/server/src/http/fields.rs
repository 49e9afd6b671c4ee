//! The members of a JSON object, each judged when it is asked for.
//!
//! A body is read into its raw members first, so that a value of a wrong type is one problem among
//! others instead of an error of its own, and so that a number is the text that was sent, never a
//! float. Members that nobody asks for are ignored.

mod duplicates;

use std::collections::BTreeMap;

use purser_core::error::{Error, Problem};
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

/// Members that were read apart from the rest of their object.
impl FromIterator<(String, Box<RawValue>)> for Fields {
    fn from_iter<T: IntoIterator<Item = (String, Box<RawValue>)>>(members: T) -> Self {
        Self(members.into_iter().collect())
    }
}

impl Fields {
    /// Reads an ordinary JSON body, which must be an object.
    pub(crate) async fn read(body: Unread) -> ApiResult<Self> {
        Self::of(&body.json::<Box<RawValue>>().await?)
    }

    /// The same, and an empty body has no members.
    pub(crate) async fn read_if_any(body: Unread) -> ApiResult<Self> {
        match body.json_if_any::<Box<RawValue>>().await? {
            Some(raw) => Self::of(&raw),
            None => Ok(Self::default()),
        }
    }

    /// The members of a JSON value, which must be an object and have none twice.
    pub(crate) fn of(raw: &RawValue) -> ApiResult<Self> {
        if !is_object(raw) {
            return Err(Error::invalid("The body must be an object").into());
        }
        if let Some(problem) = duplicates::duplicate(raw) {
            return Err(Error::invalid(problem).into());
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

    /// The names of what was sent.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
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
}
