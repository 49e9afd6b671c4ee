//! What an upload would do, before anything of it is in the database.

use std::fmt;

use purser_core::import::layout::Configuration;
use purser_store::imports::Mapping;
use serde::Serialize;
use serde_json::Value;

use super::reading::Finding;
use super::rejection::Rejection;

/// What an upload would do.
#[derive(Debug, Serialize)]
pub(crate) struct Preview {
    /// What is in effect.
    pub(crate) configuration: Configuration,
    /// What else was found in the file.
    pub(crate) source: Value,
    /// Rows that would become transactions.
    pub(crate) valid_rows_count: u64,
    /// Rows that can't.
    pub(crate) invalid_rows_count: u64,
    /// The first of them, and why.
    pub(crate) invalid_rows: Vec<Finding>,
    /// Distinct names and what they stand for.
    pub(crate) mappings: Vec<NamePreview>,
    /// Why it could not be published.
    pub(crate) obstacle: Option<Rejection>,
}

/// A name and what it stands for.
#[derive(Debug, Serialize)]
pub(crate) struct NamePreview {
    /// `account`, `category` or `tag`.
    pub(crate) kind: &'static str,
    /// As the file says it.
    pub(crate) name: String,
    /// It would be created.
    pub(crate) create: bool,
    /// Why a person must choose.
    pub(crate) problem: Option<String>,
    /// Rows that name it.
    pub(crate) rows_count: u64,
}

impl From<&Mapping> for NamePreview {
    fn from(mapping: &Mapping) -> Self {
        Self {
            kind: mapping.kind.as_str(),
            name: mapping.value.clone(),
            create: mapping.creates,
            problem: mapping.problem.clone(),
            rows_count: mapping.rows,
        }
    }
}

impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        let configuration = &self.configuration;
        writeln!(
            f,
            "date      {} as {}",
            label(&configuration.date_col_label),
            label(&configuration.date_format)
        )?;
        writeln!(
            f,
            "amount    {} as {}, {}",
            label(&configuration.amount_col_label),
            label(&configuration.number_format),
            label(&configuration.signage_convention)
        )?;
        writeln!(f, "name      {}", label(&configuration.name_col_label))?;
        writeln!(f, "category  {}", label(&configuration.category_col_label))?;
        writeln!(f, "tags      {}", label(&configuration.tags_col_label))?;
        writeln!(
            f,
            "rows      {} valid, {} invalid",
            self.valid_rows_count, self.invalid_rows_count
        )?;
        for finding in &self.invalid_rows {
            writeln!(f, "  line {}: {}", finding.line, finding.reasons.join("; "))?;
        }
        for name in self.mappings.iter().filter(|name| name.create || name.problem.is_some()) {
            match &name.problem {
                Some(problem) => writeln!(f, "{:<9} {problem}", name.kind)?,
                None => writeln!(f, "{:<9} {} would be created", name.kind, name.name)?,
            }
        }
        Ok(())
    }
}
