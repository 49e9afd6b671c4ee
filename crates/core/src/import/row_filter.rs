//! A filter of rows by the cells of one column: `Status is not Declined | Pending`.
//!
//! The header of the column and the values stand in quotation marks where they would be understood
//! as something else: `"Is it over" is ""`. Cells are compared as names are, whatever their case.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::cells::Cells;
use crate::limits::ROW_FILTER_VALUES_MAX;
use crate::text::label::name_key;

/// What may be wrong with a filter, and how one is written.
const FORM: &str = "must be written as \"Column is value\" or \"Column is not value\", with \"|\" \
                    between several values";

/// A filter as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFilter {
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
        let (column, rest) = column_of(text.trim()).ok_or(FORM)?;
        let rest = rest.trim_start();
        let is_not = starts_with_not(rest);
        let values = list_of(if is_not { &rest[NOT.len()..] } else { rest }).ok_or(FORM)?;
        if values.len() > ROW_FILTER_VALUES_MAX {
            return Err(format!("has more than {ROW_FILTER_VALUES_MAX} values"));
        }
        Ok(Self { column, is_not, values })
    }
}

/// Values with `|` between them, those in quotation marks that would be understood otherwise.
pub(super) fn values_of(text: &str) -> Option<Vec<String>> {
    list_of(text).filter(|values| values.len() <= ROW_FILTER_VALUES_MAX)
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

fn list_of(mut text: &str) -> Option<Vec<String>> {
    let mut values = Vec::new();
    loop {
        text = text.trim_start();
        let (value, rest) = if text.starts_with('"') {
            quoted_text(text)?
        } else {
            let end = text.find('|').unwrap_or(text.len());
            (Some(text[..end].trim().to_owned()).filter(|value| !value.is_empty())?, &text[end..])
        };
        values.push(value);
        text = rest.trim_start();
        match text.strip_prefix('|') {
            Some(rest) => text = rest,
            None => return text.is_empty().then_some(values),
        }
    }
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
    match value.is_empty() || value.contains(['|', '"']) {
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
        let has_is = self.column.to_ascii_lowercase().contains(IS);
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
}

impl ColumnFilter {
    /// The filter for the column at a position.
    pub fn new(filter: &RowFilter, column: usize) -> Self {
        let keys = filter.values.iter().map(|value| name_key(value)).collect();
        Self { column, is_not: filter.is_not, keys }
    }

    /// Whether it leaves a record out.
    pub fn leaves_out(&self, cells: Cells<'_>) -> bool {
        let cell = cells.get(self.column);
        let is_plain = cell.is_ascii() && !cell.contains("  ");
        let has = match is_plain {
            true => self.keys.iter().any(|key| cell.eq_ignore_ascii_case(key)),
            false => self.keys.contains(&name_key(cell)),
        };
        has == self.is_not
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::cells::CellsBuf;

    fn filter(column: &str, is_not: bool, values: &[&str]) -> RowFilter {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        RowFilter { column: column.to_owned(), is_not, values }
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
        for text in
            ["", "Status", "Status is", "Status is ", " is x", "A is b |", "A is \"b", "\"A\" b"]
        {
            assert_eq!(RowFilter::parse(text), Err(FORM.to_owned()), "{text}");
        }
        let many = format!("A is {}", vec!["b"; ROW_FILTER_VALUES_MAX + 1].join(" | "));
        assert!(RowFilter::parse(&many).unwrap_err().starts_with("has more than"));
    }

    #[test]
    fn rows_are_left_out_by_their_cells() {
        let leaves_out = |text: &str, cell: &str| {
            let cells: CellsBuf = ["x", cell].iter().collect();
            ColumnFilter::new(&RowFilter::parse(text).unwrap(), 1).leaves_out(cells.as_cells())
        };
        assert!(
            !leaves_out("S is Booked | Ok", "BOOKED") && !leaves_out("S is Booked | Ok", " ok ")
        );
        assert!(leaves_out("S is Booked", "") && leaves_out("S is Booked", "Booked twice"));
        assert!(leaves_out("S is not Gelöscht", "gelöscht") && !leaves_out("S is not x", "y"));
        assert!(leaves_out("S is not In review", "in  review") && leaves_out("S is not \"\"", " "));
    }
}
