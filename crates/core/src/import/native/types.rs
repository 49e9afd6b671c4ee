//! Sets of types of records: passes over a file pass over the lines of all others.

use super::RecordType;
use super::object::{Object, string};
use crate::named::Named as _;

/// Some of the types of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordTypes(u32);

impl Default for RecordTypes {
    fn default() -> Self {
        Self::ALL
    }
}

impl RecordTypes {
    /// Every type.
    pub const ALL: Self = Self(u32::MAX);
    /// No type.
    pub const NONE: Self = Self(0);
    /// The types of which a file has few records.
    pub const FEW: Self = Self::of(&[
        RecordType::Account,
        RecordType::Category,
        RecordType::Tag,
        RecordType::Merchant,
        RecordType::Security,
        RecordType::Budget,
        RecordType::BudgetCategory,
        RecordType::RecurringTransaction,
        RecordType::Rule,
    ]);

    /// The types of a list.
    pub const fn of(types: &[RecordType]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < types.len() {
            bits |= 1 << types[at] as u32;
            at += 1;
        }
        Self(bits)
    }

    /// The types of both sets.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The types of a list, too, if a condition holds.
    #[must_use]
    pub const fn with_if(self, condition: bool, types: &[RecordType]) -> Self {
        if condition { self.and(Self::of(types)) } else { self }
    }

    /// Whether a type is among them.
    pub const fn has(self, of: RecordType) -> bool {
        self.0 & (1 << of as u32) != 0
    }
}

/// The type of a line, without reading what comes after it. Nothing if that can't be found.
pub(super) fn type_of(line: &str) -> Option<RecordType> {
    at_start(line).map(|(record_type, _)| record_type).or_else(|| {
        let record = Object::parse(line)?;
        RecordType::named(&record.get("type").and_then(string)?)
    })
}

/// The type if it is the first member, as it nearly always is, and what comes after it.
fn at_start(line: &str) -> Option<(RecordType, &str)> {
    let rest = member(line.trim_start().strip_prefix('{')?, "\"type\"")?.strip_prefix('"')?;
    let (name, rest) = rest.split_once('"')?;
    Some((RecordType::named(name)?, rest))
}

/// What comes after the name of a member and its colon.
fn member<'l>(text: &'l str, name: &str) -> Option<&'l str> {
    let rest = text.trim_start().strip_prefix(name)?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

/// The type and the data of a line that has nothing else, in this order, as nearly all have: the
/// data is read once and not twice.
pub(super) fn plain(line: &str) -> Option<(RecordType, Object<'_>)> {
    let (record_type, rest) = at_start(line)?;
    let data = member(rest.trim_start().strip_prefix(',')?, "\"data\"")?;
    let data = data.trim_end().strip_suffix('}')?;
    Some((record_type, Object::parse(data)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_a_line_is_found_wherever_it_stands() {
        for line in [
            r#"{"type":"Tag","data":{}}"#,
            r#" { "type" : "Tag" , "data" : {} }"#,
            r#"{"data":{"type":"Rule"},"type":"Tag"}"#,
            r#"{"type":"T\u0061g","data":{}}"#,
        ] {
            assert_eq!(type_of(line), Some(RecordType::Tag), "{line}");
        }
        for line in ["", "{", r#"{"type":"Tags"}"#, r#"{"type":1}"#, r#"{"types":"Tag"}"#] {
            assert_eq!(type_of(line), None, "{line}");
        }
    }

    #[test]
    fn a_line_with_nothing_else_is_plain() {
        let line = r#"{"type":"Tag","data":{"id":"a}","name":{"x":[1]}}}"#;
        let (record_type, data) = plain(line).unwrap();
        assert_eq!(record_type, RecordType::Tag);
        assert_eq!((data.get("id"), data.get("name")), (Some("\"a}\""), Some("{\"x\":[1]}")));
        for line in [
            r#"{"type":"Tag","data":{"id":1},"more":{}}"#,
            r#"{"type":"Tag","data":{"id":1},"data":{"id":2}}"#,
            r#"{"type":"Tag","data":{"id":1}"#,
            r#"{"type":"Tag","data":{"id":1}}}"#,
            r#"{"type":"Tag","data":1}"#,
            r#"{"type":"Tag","data":null}"#,
            r#"{"type":"Nothing","data":{}}"#,
            r#"{"data":{},"type":"Tag"}"#,
        ] {
            assert!(plain(line).is_none(), "{line}");
        }
    }

    #[test]
    fn a_set_has_what_was_put_into_it() {
        let set = RecordTypes::of(&[RecordType::Family, RecordType::Tombstone]);
        let found: Vec<_> = RecordType::ALL.iter().filter(|one| set.has(**one)).collect();
        assert_eq!(found, [&RecordType::Family, &RecordType::Tombstone]);
        let more = set.with_if(true, &[RecordType::Tag]).with_if(false, &[RecordType::Rule]);
        assert!(more.has(RecordType::Tag) && !more.has(RecordType::Rule));
        assert!(RecordType::ALL.iter().all(|one| RecordTypes::ALL.has(*one)));
    }
}
