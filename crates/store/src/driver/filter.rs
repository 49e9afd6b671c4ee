//! Queries with a varying WHERE, put together from constant fragments and parameters only.
//!
//! ```text
//! let filter = Filter::of_family("family_id = ?", family).and_opt("status = ?", status);
//! let page = filter.query("SELECT id FROM imports", "ORDER BY id LIMIT ?", [limit.into()]);
//! tx.query(&page, &[], |row| row.id::<ImportId>(0))
//! ```
//!
//! Each `?` takes the next parameter; `$1` is the family, for joins and subqueries. Fragments are
//! `&'static str`, so that no data can become text. Every module with such queries lists its worst
//! case for the test that prepares them.

use std::borrow::Cow;
use std::fmt::Write;

use super::{AsSql, Val};

/// Conditions that must all hold.
#[derive(Debug, Clone, Default)]
pub struct Filter<'a> {
    conditions: String,
    params: Vec<Val<'a>>,
}

/// A query and its parameters.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    sql: String,
    params: Vec<Val<'a>>,
}

impl<'a> Filter<'a> {
    /// A filter for the rows of a family, which is the first parameter.
    pub fn of_family(condition: &'static str, family: impl Into<Val<'a>>) -> Self {
        Self::default().and(condition, [family.into()])
    }

    /// Adds a condition with its parameters, one for each `?`.
    #[must_use]
    pub fn and(
        mut self,
        condition: &'static str,
        params: impl IntoIterator<Item = Val<'a>>,
    ) -> Self {
        self.conditions.push_str(if self.conditions.is_empty() { "(" } else { " AND (" });
        append(&mut self.conditions, &mut self.params, condition, params);
        self.conditions.push(')');
        self
    }

    /// Adds a condition with one parameter, if there is a value for it.
    #[must_use]
    pub fn and_opt<T: Into<Val<'a>>>(self, condition: &'static str, value: Option<T>) -> Self {
        match value {
            Some(value) => self.and(condition, [value.into()]),
            None => self,
        }
    }

    /// Adds `column IN (…)`. The list is padded with its last value to a power of two, so that few
    /// texts arise and the statement caches hit. An empty list matches nothing.
    #[must_use]
    pub fn and_in(
        mut self,
        column: &'static str,
        values: impl IntoIterator<Item = Val<'a>>,
    ) -> Self {
        let mut values: Vec<Val<'a>> = values.into_iter().collect();
        let Some(last) = values.last().copied() else { return self.and("1 = 0", []) };
        values.resize(values.len().next_power_of_two(), last);
        self.conditions.push_str(if self.conditions.is_empty() { "(" } else { " AND (" });
        self.conditions.push_str(column);
        for (position, value) in values.into_iter().enumerate() {
            let before = if position == 0 { " IN (?" } else { ", ?" };
            append(&mut self.conditions, &mut self.params, before, [value]);
        }
        self.conditions.push_str("))");
        self
    }

    /// The query: `select`, the conditions, then what comes after them.
    pub fn query(
        &self,
        select: &'static str,
        then: &'static str,
        params: impl IntoIterator<Item = Val<'a>>,
    ) -> Query<'a> {
        let mut sql = String::from(select);
        if !self.conditions.is_empty() {
            sql.push_str(" WHERE ");
            sql.push_str(&self.conditions);
        }
        let mut all = self.params.clone();
        sql.push(' ');
        append(&mut sql, &mut all, then, params);
        Query { sql, params: all }
    }
}

/// Appends a fragment; each `?` becomes the number of the parameter that it takes.
fn append<'a>(
    sql: &mut String,
    params: &mut Vec<Val<'a>>,
    fragment: &'static str,
    values: impl IntoIterator<Item = Val<'a>>,
) {
    let mut number = params.len();
    params.extend(values);
    for (position, part) in fragment.split('?').enumerate() {
        if position > 0 {
            number += 1;
            // Writing to a String can't fail.
            let _ = write!(sql, "${number}");
        }
        sql.push_str(part);
    }
    debug_assert_eq!(number, params.len(), "as many parameters as ? in {fragment}");
}

impl Query<'_> {
    /// The text for PostgreSQL.
    pub fn sql(&self) -> &str {
        &self.sql
    }
}

impl AsSql for Query<'_> {
    fn postgres_text(&self) -> &str {
        &self.sql
    }

    fn sqlite_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.sql.replace('$', "?"))
    }

    fn own_params(&self) -> &[Val<'_>] {
        &self.params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_through_all_parts() {
        let query = Filter::of_family("family_id = ?", 7_i64)
            .and_opt("status = ?", Some("pending"))
            .and_opt("import_type = ?", None::<&str>)
            .and_in("id", [1_i64.into(), 2_i64.into(), 3_i64.into()])
            .query(
                "SELECT id FROM imports",
                "ORDER BY id LIMIT ? OFFSET ?",
                [25_i64.into(), 0_i64.into()],
            );
        assert_eq!(
            query.sql(),
            "SELECT id FROM imports WHERE (family_id = $1) AND (status = $2) \
             AND (id IN ($3, $4, $5, $6)) ORDER BY id LIMIT $7 OFFSET $8"
        );
        assert_eq!(query.own_params().len(), 8);
        assert_eq!(query.own_params()[5], Val::Int(3), "padded with the last value");
        assert!(query.sqlite_text().ends_with("LIMIT ?7 OFFSET ?8"));
    }

    #[test]
    fn an_empty_list_matches_nothing() {
        let query = Filter::default().and_in("id", []).query("SELECT 1", "", []);
        assert_eq!(query.sql(), "SELECT 1 WHERE (1 = 0) ");
    }
}
