//! Members that a JSON body has twice: which of the two is meant can't be known.

use std::collections::BTreeSet;
use std::fmt;

use purser_core::error::Problem;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Objects and lists inside each other that are looked into; no body has as many.
const DEPTH_MAX: usize = 16;

/// The first member that an object of the value has twice.
pub(super) fn duplicate(raw: &RawValue) -> Option<Problem> {
    search(raw, "", DEPTH_MAX)
}

/// What can't be read here is refused where it is used.
fn search(raw: &RawValue, path: &str, depth: usize) -> Option<Problem> {
    let text = raw.get();
    let depth = depth.checked_sub(1)?;
    if text.starts_with('{') {
        let Members(members) = serde_json::from_str(text).ok()?;
        let mut names = BTreeSet::new();
        members.iter().find_map(|(name, value)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            match names.insert(name) {
                true => search(value, &path, depth),
                false => Some(Problem::field(path, "is sent twice")),
            }
        })
    } else if text.starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
        let mut items = items.into_iter().enumerate();
        items.find_map(|(index, item)| search(item, &format!("{path}[{index}]"), depth))
    } else {
        None
    }
}

/// The members of an object in their order, each as often as it was written.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor).map(Self)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(json: &str) -> Option<String> {
        let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
        duplicate(&raw).map(|problem| problem.to_string())
    }

    #[test]
    fn a_member_that_is_there_twice_is_found_at_any_level() {
        for (json, problem) in [
            (r#"{"a": 1, "b": [{"a": 1}, {"a": 2}], "c": {"a": 1e999}}"#, None),
            (r#"{"a": 1, "b": 2, "a": 1}"#, Some("The a is sent twice")),
            (
                r#"{"parts": [{"a": 1}, {"a": {"b": 1, "\u0062": 2}}]}"#,
                Some("The parts[1].a.b is sent twice"),
            ),
            (&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)), None),
        ] {
            assert_eq!(found(json).as_deref(), problem, "{problem:?}");
        }
    }
}
