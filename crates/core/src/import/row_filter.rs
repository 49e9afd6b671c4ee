//! A filter of rows by the cells of columns: `Status is not Declined | Pending`.
//!
//! With `;` between them a row must satisfy conditions of several columns. The header of the column
//! and the values stand in quotation marks where they would be understood as something else:
//! `"Is it over" is ""`. Cells are compared as names are, whatever their case.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::cells::Cells;
use super::layout::Layout;
use crate::limits::ROW_FILTER_VALUES_MAX;
use crate::text::label::name_key;

/// What may be wrong with a filter, and how one is written.
const FORM: &str = "must be written as \"Column is value\" or \"Column is not value\", with \"|\" \
                    between several values and \";\" between columns";

/// A filter as it was sent: all of its conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowFilter(pub Vec<RowCondition>);

/// What the cells of one column must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowCondition {
    /// The header of the column.
    pub column: String,
    /// Rows with one of the values are left out, not the others.
    pub is_not: bool,
    /// What cells are compared with.
    pub values: Vec<String>,
}

impl RowFilter {
    /// Reads a filter.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence about the setting.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut conditions = Vec::new();
        let mut left = Some(text);
        while let Some(text) = left {
            let (column, rest) = column_of(text.trim()).ok_or(FORM)?;
            let rest = rest.trim_start();
            let is_not = starts_with_not(rest);
            let values = if is_not { &rest[NOT.len()..] } else { rest };
            let (values, rest) = list_of(values, end_of_value).ok_or(FORM)?;
            conditions.push(RowCondition { column, is_not, values });
            left = rest.strip_prefix(';');
            if left.is_none() && !rest.is_empty() {
                return Err(FORM.to_owned());
            }
        }
        if conditions.iter().map(|one| one.values.len()).sum::<usize>() > ROW_FILTER_VALUES_MAX {
            return Err(format!("has more than {ROW_FILTER_VALUES_MAX} values"));
        }
        Ok(Self(conditions))
    }

    /// Whether every row is taken.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The filter with a further condition, which takes the place of an earlier one of its column:
    /// values to leave out are added to those, and values to take count alone.
    #[must_use]
    pub fn with(mut self, mut new: RowCondition) -> Self {
        self.0.retain(|known| {
            let is_same = known.column == new.column;
            if is_same && known.is_not && new.is_not {
                new.values = known.values.iter().chain(&new.values).cloned().collect();
            }
            !is_same
        });
        self.0.push(new);
        self
    }
}

/// Values with `|` between them, those in quotation marks that would be understood otherwise.
pub(super) fn values_of(text: &str) -> Option<Vec<String>> {
    let (values, rest) = list_of(text, |text| text.find('|').unwrap_or(text.len()))?;
    (rest.is_empty() && values.len() <= ROW_FILTER_VALUES_MAX).then_some(values)
}

const NOT: &str = "not";
const IS: &str = " is ";

fn starts_with_not(text: &str) -> bool {
    let head = text.get(..NOT.len()).is_some_and(|head| head.eq_ignore_ascii_case(NOT));
    head && text[NOT.len()..].starts_with(|c: char| c.is_whitespace() || c == '"')
}

/// The header before ` is `, and what follows it.
fn column_of(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        let (column, rest) = quoted_text(text)?;
        let is_head = rest.get(..IS.len() - 1).is_some_and(|head| head.eq_ignore_ascii_case(" is"));
        let rest = &rest[is_head.then_some(IS.len() - 1)?..];
        return rest.starts_with([' ', '"']).then_some((column, rest));
    }
    let at = text.to_ascii_lowercase().find(IS)?;
    let column = text[..at].trim();
    (!column.is_empty()).then(|| (column.to_owned(), &text[at + IS.len()..]))
}

/// Values, each of which ends where `end_of` finds it, and what follows the last one.
fn list_of(mut text: &str, end_of: impl Fn(&str) -> usize) -> Option<(Vec<String>, &str)> {
    let mut values = Vec::new();
    loop {
        text = text.trim_start();
        let (value, rest) = if text.starts_with('"') {
            quoted_text(text)?
        } else {
            let end = end_of(text);
            (Some(text[..end].trim().to_owned()).filter(|value| !value.is_empty())?, &text[end..])
        };
        values.push(value);
        let rest = rest.trim_start();
        match rest.strip_prefix('|') {
            Some(more) => text = more,
            None => return Some((values, rest)),
        }
    }
}

/// Where a value without quotation marks ends. A semicolon may be a part of it unless another
/// condition follows.
fn end_of_value(text: &str) -> usize {
    let ends = |(_, text): &(usize, &str)| match text.strip_prefix(';') {
        Some(more) => column_of(more.trim()).is_some(),
        None => true,
    };
    let signs = text.match_indices(['|', ';']).map(|(at, _)| (at, &text[at..]));
    signs.into_iter().find(ends).map_or(text.len(), |(at, _)| at)
}

/// The text in quotation marks at the start, of which two stand for one, and what follows.
fn quoted_text(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = inner.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' if chars.peek().is_some_and(|(_, next)| *next == '"') => {
                chars.next();
                value.push('"');
            }
            '"' => return Some((value.trim().to_owned(), &inner[at + 1..])),
            _ => value.push(c),
        }
    }
    None
}

fn in_marks(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn written(value: &str) -> String {
    match value.is_empty() || value.contains(['|', ';', '"']) {
        true => in_marks(value),
        false => value.to_owned(),
    }
}

/// Values as [`values_of`] reads them.
pub(super) fn listed<'v>(values: impl Iterator<Item = &'v str>) -> String {
    values.map(written).collect::<Vec<String>>().join(" | ")
}

impl fmt::Display for RowFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, condition) in self.0.iter().enumerate() {
            write!(f, "{}{condition}", if index > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for RowCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_is = format!("{} ", self.column).to_ascii_lowercase().contains(IS);
        let column = match has_is || self.column.starts_with('"') {
            true => in_marks(&self.column),
            false => self.column.clone(),
        };
        write!(f, "{column} is {}", if self.is_not { "not " } else { "" })?;
        for (index, value) in self.values.iter().enumerate() {
            let is_not = index == 0 && !self.is_not && starts_with_not(&format!("{value} "));
            let text = if is_not { in_marks(value) } else { written(value) };
            write!(f, "{}{text}", if index > 0 { " | " } else { "" })?;
        }
        Ok(())
    }
}

impl Serialize for RowFilter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RowFilter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A filter in effect: its column was found, and its values are ready for comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnFilter {
    /// The position of the column.
    pub column: usize,
    /// Rows with one of the values are left out, not the others.
    pub is_not: bool,
    /// The values by [`name_key`].
    pub keys: Vec<String>,
    /// The conditions of other columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Self>,
}

impl ColumnFilter {
    /// The filter for columns of which the positions are known.
    ///
    /// # Errors
    /// The first column that has none.
    pub fn new(
        filter: &RowFilter,
        position: impl Fn(&str) -> Option<usize>,
    ) -> Result<Option<Self>, &str> {
        let condition = |one: &RowCondition| {
            let keys = one.values.iter().map(|value| name_key(value)).collect();
            let is_not = one.is_not;
            position(&one.column).map(|column| Self { column, is_not, keys, more: Vec::new() })
        };
        let mut all = Vec::new();
        for one in &filter.0 {
            all.push(condition(one).ok_or(one.column.as_str())?);
        }
        let more = all.split_off(all.len().min(1));
        Ok(all.pop().map(|first| Self { more, ..first }))
    }

    /// Its conditions, each of one column.
    pub fn conditions(&self) -> impl Iterator<Item = &Self> {
        [self].into_iter().chain(&self.more)
    }

    /// The filter as it is sent, with the headers of the columns.
    pub fn written(&self, header: impl Fn(usize) -> String) -> RowFilter {
        let condition = |one: &Self| RowCondition {
            column: header(one.column),
            is_not: one.is_not,
            values: one.keys.clone(),
        };
        RowFilter(self.conditions().map(condition).collect())
    }

    /// The column by which it leaves a record out, if it does.
    pub fn leaves_out(&self, cells: Cells<'_>) -> Option<usize> {
        self.conditions().find(|one| one.is_met_by(cells) == one.is_not).map(|one| one.column)
    }

    /// Whether the cell of its own column is one of the values.
    fn is_met_by(&self, cells: Cells<'_>) -> bool {
        let cell = cells.get(self.column);
        let is_plain = cell.is_ascii() && !cell.contains("  ");
        match is_plain {
            true => self.keys.iter().any(|key| cell.eq_ignore_ascii_case(key)),
            false => self.keys.contains(&name_key(cell)),
        }
    }
}

impl Layout {
    /// The filter in effect as it is sent.
    pub(super) fn written_filter(&self) -> RowFilter {
        let filter = self.row_filter.as_ref();
        filter.map(|filter| filter.written(|column| self.header(column))).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::cells::CellsBuf;

    fn filter(column: &str, is_not: bool, values: &[&str]) -> RowFilter {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        RowFilter(vec![RowCondition { column: column.to_owned(), is_not, values }])
    }

    #[test]
    fn filters_are_read_and_written() {
        for (text, read, written) in [
            ("Status is Booked", filter("Status", false, &["Booked"]), "Status is Booked"),
            (
                " Tx state IS NOT Declined|In review ",
                filter("Tx state", true, &["Declined", "In review"]),
                "Tx state is not Declined | In review",
            ),
            (
                "\"Is it over\" is not \"\" | \"a \"\"b\"\" | c\"",
                filter("Is it over", true, &["", "a \"b\" | c"]),
                "Is it over is not \"\" | \"a \"\"b\"\" | c\"",
            ),
            (
                "\"What is it\" is \"not yet\"",
                filter("What is it", false, &["not yet"]),
                "\"What is it\" is \"not yet\"",
            ),
            ("Art is Notar", filter("Art", false, &["Notar"]), "Art is Notar"),
            ("Art is a; b", filter("Art", false, &["a; b"]), "Art is \"a; b\""),
            (
                "Status is Ok ;\"It is\" is not \"a; b\"|c",
                RowFilter(
                    [filter("Status", false, &["Ok"]).0, filter("It is", true, &["a; b", "c"]).0]
                        .concat(),
                ),
                "Status is Ok; \"It is\" is not \"a; b\" | c",
            ),
        ] {
            assert_eq!(RowFilter::parse(text), Ok(read.clone()), "{text}");
            assert_eq!(read.to_string(), written);
            assert_eq!(RowFilter::parse(written), Ok(read.clone()));
            let json = serde_json::to_string(&read).unwrap();
            assert_eq!(serde_json::from_str::<RowFilter>(&json).unwrap(), read);
        }
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        for text in [
            "",
            "Status",
            "Status is",
            "Status is ",
            " is x",
            "A is b |",
            "A is \"b\"; c",
            "A is \"b",
            "\"A\" b",
        ] {
            assert_eq!(RowFilter::parse(text), Err(FORM.to_owned()), "{text}");
        }
        let many = format!("A is {}", vec!["b"; ROW_FILTER_VALUES_MAX + 1].join(" | "));
        assert!(RowFilter::parse(&many).unwrap_err().starts_with("has more than"));
    }

    #[test]
    fn a_further_condition_replaces_that_of_its_column() {
        let with = |text: &str, column: &str, is_not: bool| {
            let new = RowCondition { column: column.to_owned(), is_not, values: vec!["z".into()] };
            RowFilter::parse(text).unwrap().with(new).to_string()
        };
        assert_eq!(with("A is x; B is y", "C", true), "A is x; B is y; C is not z");
        assert_eq!(with("A is x; B is y", "A", false), "B is y; A is z");
        assert_eq!(with("A is not x | y", "A", true), "A is not x | y | z");
        assert_eq!(with("A is not x", "A", false), "A is z");
    }

    #[test]
    fn rows_are_left_out_by_their_cells() {
        let leaves_out = |text: &str, cell: &str| {
            let cells: CellsBuf = ["x", cell].iter().collect();
            let filter = RowFilter::parse(text).unwrap();
            let filter = ColumnFilter::new(&filter, |column| Some(usize::from(column == "S")));
            filter.unwrap().unwrap().leaves_out(cells.as_cells()).is_some()
        };
        assert!(leaves_out("S is a; X is y", "a") && leaves_out("X is x; S is b", "a"));
        assert!(!leaves_out("S is a; X is x", "a") && !leaves_out("X is not y; S is a", "a"));
        assert!(
            !leaves_out("S is Booked | Ok", "BOOKED") && !leaves_out("S is Booked | Ok", " ok ")
        );
        assert!(leaves_out("S is Booked", "") && leaves_out("S is Booked", "Booked twice"));
        assert!(leaves_out("S is not Gelöscht", "gelöscht") && !leaves_out("S is not x", "y"));
        assert!(leaves_out("S is not In review", "in  review") && leaves_out("S is not \"\"", " "));
    }
}
