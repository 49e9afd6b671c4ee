//! What somebody writes for a category, a tag or a merchant, checked before it is stored.
//!
//! A new label needs a name; in a change, what is missing stays. The name of a category must not
//! hold a colon, because `Parent:Child` is how a path is written.

use crate::error::{Problem, Problems, Result};
use crate::ids::CategoryId;
use crate::labels::color;
use crate::ledger::input;
use crate::limits::{ICON_CHARS_MAX, LABEL_CHARS_MAX};
use crate::text::label::name_key;

/// The kind of label that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelKind {
    /// A category: has an icon and perhaps a parent.
    Category,
    /// A tag: has a name and a color.
    Tag,
    /// A merchant: has a website.
    Merchant,
}

/// The fields of a label as they were sent; nothing is checked yet. `Some(None)` clears a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelInput {
    /// What it is called; can't be cleared.
    pub name: Option<Option<String>>,
    /// The color as `#rrggbb`.
    pub color: Option<Option<String>>,
    /// Categories: the name of an icon.
    pub icon: Option<Option<String>>,
    /// Categories: the id of the category above.
    pub parent: Option<Option<String>>,
    /// Merchants: a domain or an address.
    pub website: Option<Option<String>>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// Valid values. Whether the parent exists and the name is free is checked by the store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedLabel {
    /// The name, trimmed and not empty.
    pub name: Option<String>,
    /// The color as `#rrggbb`.
    pub color: Option<Option<String>>,
    /// The icon, as in [`LabelInput::icon`].
    pub icon: Option<Option<String>>,
    /// The parent, as in [`LabelInput::parent`].
    pub parent: Option<Option<CategoryId>>,
    /// The website, as in [`LabelInput::website`].
    pub website: Option<Option<String>>,
}

impl LabelInput {
    /// Checks the fields of a new label.
    pub fn check_new(&self, kind: LabelKind) -> Result<CheckedLabel> {
        let mut written = self.clone();
        // A name that is missing is refused as one that is blank.
        written.name.get_or_insert(None);
        written.check(kind)
    }

    /// Judges the fields of a change; every problem is reported at once.
    pub fn check(&self, kind: LabelKind) -> Result<CheckedLabel> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let found = &mut problems;
        let mut checked = CheckedLabel {
            name: self.name.as_ref().and_then(|name| name_of(name.as_deref(), kind, found)),
            color: filled(&self.color, |text| color::read("color", text, found)),
            ..CheckedLabel::default()
        };
        if kind == LabelKind::Category {
            checked.icon =
                filled(&self.icon, |text| input::label("icon", Some(text), ICON_CHARS_MAX, found));
            checked.parent = filled(&self.parent, |text| {
                let id = text.parse().ok();
                if id.is_none() {
                    // As for an id that nothing has.
                    found.push(unknown_parent());
                }
                id
            });
        }
        if kind == LabelKind::Merchant {
            checked.website = filled(&self.website, |text| website_of(text, found));
        }
        problems.into_result()?;
        Ok(checked)
    }
}

/// The problem of a parent that the family doesn't have.
pub fn unknown_parent() -> Problem {
    Problem::field("parent_id", "is not the id of a category")
}

/// A field that is cleared by null or by a blank text, or else read.
fn filled<T>(
    written: &Option<Option<String>>,
    read: impl FnOnce(&str) -> Option<T>,
) -> Option<Option<T>> {
    let written = written.as_ref()?;
    Some(written.as_deref().filter(|text| !text.trim().is_empty()).and_then(read))
}

fn name_of(name: Option<&str>, kind: LabelKind, problems: &mut Problems) -> Option<String> {
    let Some(name) = name.map(str::trim).filter(|name| !name_key(name).is_empty()) else {
        problems.required("name");
        return None;
    };
    let name = input::label("name", Some(name), LABEL_CHARS_MAX, problems)?;
    if kind == LabelKind::Category && is_path(&name) {
        problems.field("name", "must not contain a colon: it stands between the two levels");
        return None;
    }
    Some(name)
}

/// Whether a name would be read as a path of two levels, or as a part of one.
pub fn is_path(name: &str) -> bool {
    name_key(name).contains(':')
}

/// A domain, or an address of the web; shown as a link, so nothing else will do.
pub(crate) fn website_of(text: &str, problems: &mut Problems) -> Option<String> {
    let text = input::label("website", Some(text), LABEL_CHARS_MAX, problems)?;
    let lower = text.to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    let host = rest.unwrap_or(&lower).split(['/', '?', '#']).next().unwrap_or_default();
    let is_host = host.contains('.')
        && host.split('.').all(|part| !part.is_empty())
        && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'));
    if is_host && !text.contains(char::is_whitespace) {
        return Some(text);
    }
    problems.field("website", "must be a domain or an address that starts with https://");
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn some(text: &str) -> Option<Option<String>> {
        Some(Some(text.to_owned()))
    }

    fn problems(result: Result<CheckedLabel>) -> Vec<String> {
        match result {
            Err(Error::Invalid { problems, .. }) => crate::error::texts(&problems),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn fields_are_trimmed_set_and_cleared() {
        let input = LabelInput {
            name: some("  Eating out "),
            color: some("#ABCDEF"),
            icon: some(" utensils "),
            parent: Some(None),
            website: some("shop.example"),
            ..LabelInput::default()
        };
        let category = input.check_new(LabelKind::Category).unwrap();
        assert_eq!(category.name.as_deref(), Some("Eating out"));
        assert_eq!(category.color, some("#ABCDEF"));
        assert_eq!(category.icon, some("utensils"));
        assert_eq!((category.parent, category.website), (Some(None), None));
        let merchant = input.check_new(LabelKind::Merchant).unwrap();
        assert_eq!((merchant.icon, merchant.website), (None, some("shop.example")));
        let nothing = LabelInput { color: some(" "), ..LabelInput::default() };
        let changed = nothing.check(LabelKind::Tag).unwrap();
        assert_eq!((changed.name, changed.color), (None, Some(None)));
    }

    #[test]
    fn every_problem_is_reported() {
        let input = LabelInput {
            name: some("Food：Bars"),
            color: some("blue"),
            parent: some("7"),
            ..LabelInput::default()
        };
        assert_eq!(problems(input.check_new(LabelKind::Category)).len(), 3);
        for kind in [LabelKind::Category, LabelKind::Tag, LabelKind::Merchant] {
            let nameless = LabelInput::default();
            assert_eq!(problems(nameless.check_new(kind)), ["Name is required"]);
            assert!(nameless.check(kind).is_ok());
            for blank in [Some(None), some(" \u{a0}")] {
                let blank = LabelInput { name: blank, ..LabelInput::default() };
                assert_eq!(problems(blank.check(kind)), ["Name is required"]);
            }
        }
        let long = LabelInput { name: some(&"x".repeat(201)), ..LabelInput::default() };
        assert_eq!(problems(long.check(LabelKind::Tag)).len(), 1);
        assert!(
            LabelInput { name: some("a:b"), ..LabelInput::default() }.check(LabelKind::Tag).is_ok()
        );
    }

    #[test]
    fn websites_are_of_the_web() {
        let read = |text: &str| website_of(text, &mut Problems::new());
        for good in ["shop.example", "https://www.shop.example/a?b=c", "HTTP://Shop.Example"] {
            assert_eq!(read(good).as_deref(), Some(good));
        }
        for bad in ["shop", "javascript:alert(1)", "https://", "ftp://a.b", "a b.c", "a..b", "/a.b"]
        {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
