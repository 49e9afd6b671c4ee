//! A JSON object as its members, in their order.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// So many names are compared with each other; more of them take a set.
const COMPARED_MEMBERS_MAX: usize = 64;

/// Members that most objects have at most.
const MEMBERS_EXPECTED: usize = 16;

/// The members of an object, in their order.
#[derive(Debug, Default)]
pub(super) struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// A name that is borrowed from the text if nothing in it is escaped.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::with_capacity(MEMBERS_EXPECTED);
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Object(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl<'a> Object<'a> {
    /// The object of a text, if it is one.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The member with a name, unless it is null or not there.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(member, _)| member == name);
        found.map(|(_, raw)| raw.get()).filter(|raw| *raw != "null")
    }

    /// Whether a member is there, be it null.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(member, _)| member == name)
    }

    /// A member that is there twice, so that nobody can know which one is meant.
    pub(super) fn doubled(&self) -> Option<&str> {
        if self.0.len() > COMPARED_MEMBERS_MAX {
            let mut names = HashSet::new();
            return self.0.iter().map(|(name, _)| name.as_ref()).find(|name| !names.insert(*name));
        }
        let names = self.0.iter().enumerate();
        names.skip(1).find_map(|(at, (name, _))| {
            self.0[..at].iter().any(|(before, _)| before == name).then_some(name.as_ref())
        })
    }
}

/// The text of a JSON string. `raw` is a value that was read.
pub(super) fn string(raw: &str) -> Option<Cow<'_, str>> {
    let plain = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(plain) = plain.filter(|plain| !plain.contains('\\')) {
        return Some(Cow::Borrowed(plain));
    }
    serde_json::from_str::<Name<'_>>(raw).ok().map(|Name(text)| text)
}
