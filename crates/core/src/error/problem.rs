//! What is wrong with an input: which field, and why.
//!
//! A problem knows its field as it is sent, so that a page can show it beside that field and a
//! part of a larger body can prefix its path, without anybody reading the sentence.

use std::fmt;

use super::{Error, Result};

/// One problem of an input. Its text begins with a capital letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    field: Option<String>,
    wording: Wording,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wording {
    /// The field has no value.
    Required,
    /// Follows the name of the field: `must be a string`.
    Predicate(String),
    /// A whole sentence, which needs no field.
    Sentence(String),
    /// Follows the field and a colon: `every row goes to the account of the import`.
    Remark(String),
}

/// Fields for which the specification of the interface words the sentence when they are missing.
const REQUIRED_NAMES: [(&str, &str); 4] =
    [("account_id", "Account ID"), ("amount", "Amount"), ("date", "Date"), ("name", "Name")];

impl Problem {
    /// `The {field} {predicate}`; the field is the path as it is sent: `parts[2].amount`.
    pub fn field(field: impl Into<String>, predicate: impl Into<String>) -> Self {
        Self { field: Some(field.into()), wording: Wording::Predicate(predicate.into()) }
    }

    /// A field that must be sent is missing or blank.
    pub fn required(field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), wording: Wording::Required }
    }

    /// An id that names nothing which the family has.
    pub fn unknown(field: impl Into<String>, noun: &str) -> Self {
        let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        Self::field(field, format!("is not {article} {noun} of this family"))
    }

    /// A whole sentence that belongs to a field.
    pub fn about(field: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { field: Some(field.into()), wording: Wording::Sentence(sentence.into()) }
    }

    /// `Line 3: {remark}` about a line of a file, or `In {field}: {remark}` about an item of a
    /// list.
    pub fn remark(field: impl Into<String>, remark: impl Into<String>) -> Self {
        Self { field: Some(field.into()), wording: Wording::Remark(remark.into()) }
    }

    /// A whole sentence about no single field.
    pub fn sentence(sentence: impl Into<String>) -> Self {
        Self { field: None, wording: Wording::Sentence(sentence.into()) }
    }

    /// The path of the field as it is sent.
    pub fn path(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// The text with another name for the field: what a form calls it.
    pub fn text_for(&self, label: &str) -> String {
        match &self.wording {
            Wording::Required => format!("The {label} is required"),
            Wording::Predicate(predicate) => format!("The {label} {predicate}"),
            Wording::Sentence(sentence) => sentence.clone(),
            Wording::Remark(remark) => format!("{label}: {remark}"),
        }
    }

    /// The text where the item or line that a remark is about is evident.
    pub fn text_in_place(&self) -> String {
        match &self.wording {
            Wording::Remark(remark) => remark.clone(),
            _ => self.to_string(),
        }
    }

    /// The same problem of a value that was sent in another field.
    #[must_use]
    pub fn at(self, field: &str) -> Self {
        Self { field: Some(field.to_owned()), ..self }
    }

    /// The same problem of a part that stands at `path` in a larger body.
    #[must_use]
    pub fn below(self, path: &str) -> Self {
        let field = match &self.field {
            Some(field) => format!("{path}.{field}"),
            None => path.to_owned(),
        };
        Self { field: Some(field), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field.as_deref().unwrap_or_default();
        match &self.wording {
            Wording::Required => match REQUIRED_NAMES.iter().find(|(name, _)| *name == field) {
                Some((_, name)) => write!(f, "{name} is required"),
                None => write!(f, "The {field} is required"),
            },
            Wording::Predicate(predicate) => write!(f, "The {field} {predicate}"),
            Wording::Sentence(sentence) => f.write_str(sentence),
            Wording::Remark(remark) if field.starts_with(char::is_uppercase) => {
                write!(f, "{field}: {remark}")
            }
            Wording::Remark(remark) => write!(f, "In {field}: {remark}"),
        }
    }
}

impl From<&str> for Problem {
    fn from(sentence: &str) -> Self {
        Self::sentence(sentence)
    }
}

impl From<String> for Problem {
    fn from(sentence: String) -> Self {
        Self::sentence(sentence)
    }
}

/// The texts of problems, in their order.
pub fn texts(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(Problem::to_string).collect()
}

/// Collects every problem of an input before refusing it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// A list without problems.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one problem; a text is a sentence about no single field.
    pub fn push(&mut self, problem: impl Into<Problem>) {
        self.0.push(problem.into());
    }

    /// Adds a [`Problem::field`] with a predicate.
    pub fn field(&mut self, field: impl Into<String>, predicate: impl Into<String>) {
        self.push(Problem::field(field, predicate));
    }

    /// Adds [`Problem::required`], unless there is a problem of the field already: a value that
    /// can't be read is not missing.
    pub fn required(&mut self, field: impl Into<String>) {
        let field = field.into();
        if !self.0.iter().any(|problem| problem.path() == Some(&field)) {
            self.push(Problem::required(field));
        }
    }

    /// Adds a [`Problem::about`] a field.
    pub fn about(&mut self, field: impl Into<String>, sentence: impl Into<String>) {
        self.push(Problem::about(field, sentence));
    }

    /// Adds a problem that is written after its field: see [`Problem::remark`].
    pub fn remark(&mut self, field: impl Into<String>, remark: impl Into<String>) {
        self.push(Problem::remark(field, remark));
    }

    /// Adds several, as they are.
    pub fn extend(&mut self, problems: impl IntoIterator<Item = Problem>) {
        self.0.extend(problems);
    }

    /// Adds the problems of a part that stands at `path`.
    pub fn extend_below(&mut self, path: &str, problems: impl IntoIterator<Item = Problem>) {
        self.extend(problems.into_iter().map(|problem| problem.below(path)));
    }

    /// The value, or its problems among the others; an error that is no refusal is passed on.
    pub fn take<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Error::Invalid { problems, .. }) => {
                self.extend(problems);
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    /// True while nothing was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The texts, in their order.
    pub fn texts(&self) -> Vec<String> {
        texts(&self.0)
    }

    /// The problems, in the order in which they were added.
    pub fn into_list(self) -> Vec<Problem> {
        self.0
    }

    /// `Ok` when there are none, else `validation_failed` with all of them.
    pub fn into_result(self) -> Result<()> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Error::invalid_list("validation_failed", self.0))
        }
    }
}
