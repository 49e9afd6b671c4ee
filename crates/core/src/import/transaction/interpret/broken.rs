//! Records that a separator too many or a quote too few has damaged.
//!
//! A separator inside a cell moves everything behind it. Such a record is taken only if what the
//! row needs can't have moved: it stands before every column in which people write freely, or it
//! can be read in one way only. A quote that isn't closed makes a cell of the next records; a row
//! made of it would hide them.

use super::Interpreter;
use super::amount::{Source, is_placeholder};
use crate::import::cells::Cells;
use crate::import::settings::Separator;
use crate::text::number::parse_amount;

/// The decimals with which a number is read.
const SCALE: u32 = 8;

impl Interpreter<'_> {
    /// Whether all that a row needs stands where the header has it, although the record has cells
    /// with text behind the header.
    pub(super) fn stands_before(&self, cells: Cells<'_>) -> bool {
        let headers = self.layout.headers.len();
        let Some(last) = (headers..cells.len()).rev().find(|at| !cells.get(*at).is_empty()) else {
            return true;
        };
        let surplus = last + 1 - headers;
        let amounts = self.source.columns();
        let certain = amounts.into_iter().chain([self.date_column]).max().unwrap_or_default();
        let is_strict = |column: usize| self.strict_columns().contains(&Some(column));
        let free = (0..headers).find(|column| !is_strict(*column)).unwrap_or(headers);
        let is_elsewhere = |column: usize, reads: &dyn Fn(&str) -> bool| {
            column > free && (1..=surplus).any(|by| reads(cells.get(column + by)))
        };
        let is_day = |cell: &str| self.date_format.parse(cell).is_ok();
        let is_amount = |cell: &str| {
            !is_placeholder(cell) && parse_amount(cell, self.number_format, SCALE).is_ok()
        };
        let has_moved = is_elsewhere(self.date_column, &is_day)
            || amounts.into_iter().any(|column| is_elsewhere(column, &is_amount));
        // A comma may have divided the number itself.
        let is_divided = self.layout.separator == Separator::Comma
            && amounts.into_iter().any(|column| {
                let cell = cells.get(column);
                !is_placeholder(cell) && !cell.contains('.')
            });
        !has_moved && !is_divided && self.others_stand(certain, &is_strict)
    }

    /// The amount that a comma may have divided in a record that isn't longer than the header,
    /// because that one ends with a comma too many.
    pub(super) fn divided(&self, cells: Cells<'_>) -> Option<usize> {
        let is_comma = self.layout.separator == Separator::Comma;
        let named = self.columns.named.filter(|_| is_comma)?;
        let balance = self.layout.balance.as_ref().map(|balance| balance.column);
        let is_number = |cell: &str| {
            cell.starts_with(|c: char| c.is_ascii_digit())
                && cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        };
        let is_divided = |column: &usize| {
            let (cell, next) = (cells.get(*column), column + 1);
            !is_placeholder(cell)
                && !cell.contains('.')
                && is_number(cells.get(next))
                && balance != Some(next)
        };
        self.source.columns().into_iter().find(is_divided).filter(|_| cells.has_text_from(named))
    }

    /// Columns of which nobody writes the cells: no separator gets into them.
    fn strict_columns(&self) -> [Option<usize>; 6] {
        let [first, second] = self.source.columns();
        let direction = match &self.source {
            Source::Directed { direction, .. } => Some(*direction),
            _ => None,
        };
        let balance = self.layout.balance.as_ref().map(|balance| balance.column);
        let currency = self.columns.currency;
        [Some(self.date_column), Some(first), Some(second), direction, balance, currency]
    }

    /// Whether whatever else has a meaning stands before `certain`, or with nothing between them in
    /// which people write.
    fn others_stand(&self, certain: usize, is_strict: &dyn Fn(usize) -> bool) -> bool {
        let columns = self.columns;
        let account = columns.account.filter(|_| self.context.account.is_none());
        let written = [account, columns.category, columns.tags, columns.external_id];
        let is_before = |column: usize| column < certain;
        written.into_iter().flatten().all(is_before)
            && self
                .strict_columns()
                .into_iter()
                .flatten()
                .all(|column| is_before(column) || (certain..column).all(is_strict))
    }

    /// Why a record is none: a cell holds further ones. This comes before anything else, so that a
    /// remark that holds rows is not passed over.
    pub(super) fn swallowed(&self, cells: Cells<'_>) -> Vec<String> {
        let mut reasons = Vec::new();
        if let Some(column) = self.swallowing(cells) {
            self.report(&mut reasons, column, "holds the next records, too: a quote isn't closed");
        }
        reasons
    }

    /// A column with a cell of several lines, one of which has a day between separators.
    fn swallowing(&self, cells: Cells<'_>) -> Option<usize> {
        if !cells.has_line_break() {
            return None;
        }
        let separator = char::from(self.layout.separator.byte());
        let is_day = |part: &str| self.date_format.parse(part.trim_matches(['"', ' '])).is_ok();
        let is_record = |line: &str| line.contains(separator) && line.split(separator).any(is_day);
        let swallows = |column: &usize| {
            let cell = cells.get(*column);
            cell.contains(['\n', '\r']) && cell.split(['\n', '\r']).any(is_record)
        };
        (0..cells.len()).find(swallows)
    }
}

#[cfg(test)]
#[path = "broken_tests.rs"]
mod tests;
