//! Which column of a file is which field, by the names of headers.

use crate::error::Problem;
use crate::import::columns::{column_of, label_key, missing};
use crate::import::kind::Column;
use crate::import::kinds::Kind;
use crate::import::layout::{Layout, Preface};
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::settings::Settings;
use crate::import::transaction::header_names::known_key;

/// How much less a header is preferred that has a name only nearly: more than there are names.
const LESS: usize = 1_000;

/// The columns of a kind, and what files call them.
#[derive(Debug)]
pub(in crate::import) struct HeaderWords {
    /// The kind of the rows.
    pub(in crate::import) kind: Kind,
    /// Columns that a person can choose.
    pub(in crate::import) columns: &'static [Column],
    /// Header names of each field, folded as [`known_key`] does it; earlier ones are preferred. A
    /// field that isn't imported is known too, so that a header with it is recognised.
    pub(in crate::import) names: &'static [(&'static str, &'static [&'static str])],
}

impl HeaderWords {
    /// How much a record looks like the header of such a file.
    pub(in crate::import) fn header_score(&self, cells: &[String], settings: &Settings) -> usize {
        let sent: Vec<String> = self
            .columns
            .iter()
            .filter_map(|one| settings.label(one.setting))
            .map(label_key)
            .collect();
        let labelled = cells.iter().filter(|cell| sent.contains(&label_key(cell))).count();
        let mut fields: Vec<&str> =
            cells.iter().filter_map(|cell| self.field_of(cell)).map(|(field, _)| field).collect();
        fields.sort_unstable();
        fields.dedup();
        let is_whole = self.required().all(|column| fields.contains(&column.field));
        4 * labelled + fields.len() + if is_whole { 4 } else { 0 }
    }

    /// The layout, or the labels that the header lacks.
    pub(in crate::import) fn layout(
        &self,
        preface: Preface,
        settings: &Settings,
    ) -> Result<Layout, Vec<Problem>> {
        let headers = preface.headers.clone();
        let mut layout = Layout::of_header(self.kind, preface);
        let keys: Vec<String> = layout.headers.iter().map(|header| label_key(header)).collect();
        let mut lacking = Vec::new();
        for column in self.columns {
            let Some(label) = settings.label(column.setting) else { continue };
            match column_of(label, &keys) {
                Some(place) => {
                    layout.fields.insert(column.field.to_owned(), place);
                }
                None => lacking.push(missing(column.setting, label, &headers)),
            }
        }
        if !lacking.is_empty() {
            return Err(lacking);
        }
        for column in self.columns {
            if layout.fields.contains_key(column.field) {
                continue;
            }
            if let Some(place) = self.found(&layout, column.field) {
                layout.fields.insert(column.field.to_owned(), place);
                layout.found.push(column.setting.to_owned());
            }
        }
        if settings.separator.is_none() {
            layout.found.push("col_sep".to_owned());
        }
        let lacking = self.required().filter(|column| !layout.fields.contains_key(column.field));
        let problems: Vec<LayoutProblem> =
            lacking.filter_map(|column| no_column(column.field, &layout)).collect();
        layout.problems.extend(problems);
        Ok(layout)
    }

    fn required(&self) -> impl Iterator<Item = &'static Column> {
        self.columns.iter().filter(|column| column.is_required)
    }

    fn field_of(&self, header: &str) -> Option<(&'static str, usize)> {
        let find = |is_it: &dyn Fn(&str) -> bool| {
            self.names.iter().find_map(|(field, names)| {
                let rank = names.iter().position(|name| is_it(name))?;
                Some((*field, rank))
            })
        };
        // What stands in brackets is a currency or a hint: `Balance (EUR)`.
        let before = header.split(['(', '[']).next().unwrap_or_default();
        let keys = [known_key(header), known_key(before)];
        // Programs write words without anything between them, too: `TradeDate`.
        let joined = keys.clone().map(|key| key.replace(' ', ""));
        let is_joined = |name: &str, key: &str| {
            !key.is_empty() && name.split(' ').flat_map(str::chars).eq(key.chars())
        };
        let [whole, short] = keys.each_ref().map(|key| find(&|name| name == key));
        let less = |found: Option<(&'static str, usize)>, by: usize| {
            found.map(|(field, rank)| (field, rank + by))
        };
        let [joined, short_joined] =
            joined.each_ref().map(|key| find(&|name| is_joined(name, key)));
        let shortened = less(short, LESS).or(less(short_joined, LESS));
        whole.or(less(joined, LESS)).or(shortened.map(|(field, rank)| (field, rank + LESS)))
    }

    /// Every column with a header for a field, in the order in which they are preferred.
    pub(in crate::import) fn columns_of(&self, headers: &[String], field: &str) -> Vec<usize> {
        let rank = |header: &String| {
            self.field_of(header).filter(|(its, _)| *its == field).map(|(_, rank)| rank)
        };
        let mut found: Vec<(usize, usize)> = headers
            .iter()
            .enumerate()
            .filter_map(|(column, header)| Some((rank(header)?, column)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, column)| column).collect()
    }

    /// The column of a field that nobody named, among those that are not taken.
    fn found(&self, layout: &Layout, field: &str) -> Option<usize> {
        let is_free = |column: &usize| !layout.fields.values().any(|taken| taken == column);
        let ranked = (0..layout.headers.len()).filter(is_free).filter_map(|column| {
            let (its, rank) = self.field_of(&layout.headers[column])?;
            (its == field).then_some((rank, column))
        });
        ranked.min().map(|(_, column)| column)
    }
}

/// The problem of a field that every row needs, and that no column has.
pub(super) fn no_column(field: &str, layout: &Layout) -> Option<LayoutProblem> {
    let content = ColumnContent::parse(field)?;
    Some(LayoutProblem::no_column(content, &layout.headers))
}
