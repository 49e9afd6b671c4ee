//! What a register has beyond a bank's file: parts, transfers, and what its reader couldn't read.

use jiff::civil::Date;

use super::Interpreter;
use super::amount::is_placeholder;
use crate::import::cells::Cells;
use crate::import::kind::Interpreted;
use crate::import::register::{BudgetRow, PartCell, PartsBuf, RegisterColumns, record_of_part};
use crate::import::scratch::Scratch;
use crate::limits::{LABEL_CHARS_MAX, NOTES_CHARS_MAX, SPLIT_PARTS_MAX};
use crate::money::format::money_text;
use crate::money::{Currency, Money};

impl Interpreter<'_> {
    /// The line of the program's file on which a record starts.
    pub fn line(&self, cells: Cells<'_>) -> Option<u64> {
        cells.get(self.columns.register?.line).parse().ok()
    }

    /// Why the reader of the program couldn't understand a record.
    pub(super) fn register_problem(&self, cells: Cells<'_>) -> Option<String> {
        let problem = cells.get(self.columns.register?.problem);
        (!problem.is_empty()).then(|| problem.to_owned())
    }

    /// The account on the other side of a transfer.
    pub(super) fn transfer<'r>(&self, cells: Cells<'r>) -> Option<&'r str> {
        Some(cells.get(self.columns.register?.transfer)).filter(|account| !account.is_empty())
    }

    /// What a category may cost in a month, by the first day of which the record has its day.
    pub(in crate::import) fn budget<'r>(
        &self,
        cells: Cells<'r>,
        scratch: &mut Scratch,
    ) -> Interpreted<BudgetRow<'r>> {
        let mut reasons = Vec::new();
        let month: Option<Date> = cells.get(self.date_column).parse().ok();
        let money = self.money_of_row(cells, None, scratch, &mut reasons);
        // What may be spent comes in, as it does in the program.
        let spending = money.map(|(amount, currency)| (-amount, currency));
        let category = self.columns.category.map(|column| cells.get(column)).unwrap_or_default();
        if month.is_none() {
            self.report(&mut reasons, self.date_column, "is no month");
        }
        if spending.is_some_and(|(spending, _)| spending < 0) {
            reasons.push("A budget can't be below zero".to_owned());
        }
        if category.is_empty() || category.chars().count() > LABEL_CHARS_MAX {
            reasons.push("The budget names no category".to_owned());
        }
        match (month, spending, reasons.is_empty()) {
            (Some(month), Some((spending, currency)), true) => {
                Interpreted::Row(BudgetRow { month, category, spending, currency })
            }
            _ => Interpreted::Invalid(reasons),
        }
    }

    /// The amount of a row: that of its cells, or what its parts come to.
    pub(super) fn money_of_row(
        &self,
        cells: Cells<'_>,
        account: Option<&str>,
        scratch: &mut Scratch,
        reasons: &mut Vec<String>,
    ) -> Option<(i64, Currency)> {
        scratch.parts.clear();
        let split = self.columns.register.filter(|columns| !cells.get(columns.parts).is_empty());
        match split {
            None => self.money(cells, account, scratch, reasons),
            Some(columns) => {
                let mut parts = std::mem::take(&mut scratch.parts);
                let split = Split { cells, account, columns };
                let money = self.money_of_parts(&split, &mut parts, scratch, reasons);
                scratch.parts = parts;
                money
            }
        }
    }

    fn money_of_parts(
        &self,
        split: &Split<'_>,
        parts: &mut PartsBuf,
        scratch: &mut Scratch,
        reasons: &mut Vec<String>,
    ) -> Option<(i64, Currency)> {
        let Split { cells, account, columns } = *split;
        let read: Vec<PartCell<'_>> = match serde_json::from_str(cells.get(columns.parts)) {
            Ok(read) => read,
            Err(_) => {
                self.report(reasons, columns.parts, "is no list of parts");
                return None;
            }
        };
        if read.len() > SPLIT_PARTS_MAX {
            let much = format_args!("has more than {SPLIT_PARTS_MAX} parts");
            self.report(reasons, columns.parts, much);
            return None;
        }
        let before = reasons.len();
        let (mut whole, mut sum, mut currency) = (0_i64, 0_i64, None);
        for part in &read {
            let record = record_of_part(cells, &self.amount_columns, part);
            let money = self.money(record.as_cells(), account, scratch, reasons);
            self.check_text(&part.category, columns.parts, LABEL_CHARS_MAX, reasons);
            self.check_text(&part.notes, columns.parts, NOTES_CHARS_MAX, reasons);
            self.check_text(&part.tag, columns.parts, LABEL_CHARS_MAX, reasons);
            let Some((amount, its)) = money else { continue };
            if *currency.get_or_insert(its) != its {
                self.report(reasons, columns.parts, "has parts in several currencies");
            }
            let own = if part.apart { 0 } else { amount };
            match (whole.checked_add(amount), sum.checked_add(own)) {
                (Some(all), Some(own)) => (whole, sum) = (all, own),
                _ => self.report(reasons, columns.parts, "adds up to more than can be counted"),
            }
            if !part.apart {
                parts.push(amount, [part.category.trim(), part.notes.trim(), part.tag.trim()]);
            }
        }
        // The others are records of their own: what is left isn't split.
        if parts.as_parts().len() == 1 {
            parts.clear();
        }
        let currency = currency?;
        if reasons.len() == before && self.has_amount(cells) {
            let stated = self.money(cells, account, scratch, reasons);
            if let Some((amount, _)) = stated.filter(|stated| *stated != (whole, currency)) {
                let shown = |amount: i64| money_text(Money::new(amount, currency));
                let (parts, stated) = (shown(whole), shown(amount));
                let differs = format_args!("come to {parts}, but the transaction to {stated}");
                self.report(reasons, columns.parts, differs);
            }
        }
        (reasons.len() == before).then_some((sum, currency))
    }

    /// Whether a record states an amount of its own.
    fn has_amount(&self, cells: Cells<'_>) -> bool {
        self.source.columns().into_iter().any(|column| !is_placeholder(cells.get(column)))
    }
}

/// A record of a split transaction.
struct Split<'r> {
    cells: Cells<'r>,
    account: Option<&'r str>,
    columns: RegisterColumns,
}
