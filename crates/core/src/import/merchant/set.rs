//! The rows of a file of merchants in relation to each other: rows of one merchant must not
//! contradict each other.

use std::collections::BTreeMap;

use super::{MerchantKind, Row};
use crate::import::kind::{RowSet, Survey};
use crate::import::layout_problem::LayoutProblem;
use crate::import::whole::rows::{OwnedRow, SurveyedRows, by_identity, contradictions};
use crate::text::label::name_key;

/// A row with its own texts.
#[derive(Debug, Clone)]
pub(super) struct MerchantRow {
    number: u64,
    line: u64,
    pub(super) name: String,
    /// `#rrggbb` in lower case.
    pub(super) color: Option<String>,
    pub(super) website: Option<String>,
}

impl MerchantRow {
    pub(super) fn of(number: u64, line: u64, row: &Row<'_>) -> Self {
        Self {
            number,
            line,
            name: row.name.to_owned(),
            color: row.color.map(str::to_ascii_lowercase),
            website: row.website.map(str::to_owned),
        }
    }
}

impl OwnedRow for MerchantRow {
    type Identity = String;

    fn number(&self) -> u64 {
        self.number
    }

    fn line(&self) -> u64 {
        self.line
    }

    fn identity(&self) -> String {
        name_key(&self.name)
    }
}

/// Collects the rows of a file.
#[derive(Debug, Default)]
pub(super) struct MerchantSurvey(SurveyedRows<MerchantRow>);

impl Survey<MerchantKind> for MerchantSurvey {
    fn row(&mut self, number: u64, line: u64, row: &Row<'_>) {
        self.0.push(|| MerchantRow::of(number, line, row));
    }

    fn finish(self: Box<Self>) -> Result<RowSet, LayoutProblem> {
        let rows = self.0.into_rows()?;
        let mut reasons = BTreeMap::new();
        for same in by_identity(&rows).values() {
            contradictions(same, ("merchant", "color"), |row| row.color.as_ref(), &mut reasons);
            contradictions(same, ("merchant", "website"), |row| row.website.as_ref(), &mut reasons);
        }
        Ok(RowSet { reasons, ..RowSet::default() })
    }
}
