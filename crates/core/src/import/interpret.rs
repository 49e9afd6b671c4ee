//! What a record means: a row, the reasons why it can't be one, or neither.
//!
//! The same function reads a record at upload, for a page and at publish, and depends only on the
//! layout and the [`Context`], so the verdict on a row never changes by itself. All reasons of a
//! bad row are collected, each as a sentence that names the column and the value.
//!
//! A row without a name is called by its notes if they are short enough, else [`UNNAMED`].

use std::collections::HashMap;

use jiff::civil::Date;

use super::cells::{Cells, CellsBuf};
use super::columns::Columns;
use super::direction_words::{Direction, direction};
use super::layout::{AmountSource, Layout};
use super::settings::Signage;
use super::{footer, tags};
use crate::limits::{
    CSV_COLUMNS_MAX, LABEL_CHARS_MAX, NAME_CHARS_MAX, NOTES_CHARS_MAX, ROW_TAGS_MAX,
};
use crate::money::Currency;
use crate::text::date::{DateFormat, check_range};
use crate::text::label::name_key;
use crate::text::number::{Amount, Marker, NumberError, NumberFormat, parse_amount};

/// The name of a row that has none.
pub const UNNAMED: &str = "Imported transaction";

/// What is known besides the file.
#[derive(Debug, Clone, Copy)]
pub struct Context<'c> {
    /// The day of the upload, to which the limit of future dates refers.
    pub as_of: Date,
    /// What a row is in if nothing nearer says so.
    pub family_currency: Currency,
    /// The currency of the account that the import goes into, if it has one. Then the account
    /// column, if there is one, isn't looked at.
    pub account_currency: Option<Currency>,
    /// Currencies of accounts that the account column may name, by [`name_key`].
    pub account_currencies: &'c HashMap<String, Currency>,
}

/// A valid row, borrowed from the record.
#[derive(Debug, Clone, Copy)]
pub struct Row<'r> {
    /// The day.
    pub date: Date,
    /// Positive = money out, in the scale of `currency`.
    pub amount: i64,
    /// Of the amount.
    pub currency: Currency,
    /// Never blank.
    pub name: &'r str,
    /// Perhaps `Parent:Child`.
    pub category: Option<&'r str>,
    /// Each once.
    pub tags: Cells<'r>,
    /// Never blank.
    pub notes: Option<&'r str>,
    /// What the account column says; always there if the import has no account but a column.
    pub account: Option<&'r str>,
    /// The bank's own id.
    pub external_id: Option<&'r str>,
}

/// What a record is.
#[derive(Debug, Clone)]
pub enum Verdict<'r> {
    /// A row.
    Row(Row<'r>),
    /// A row that can't be taken, and every reason.
    Invalid(Vec<String>),
    /// A total or a remark: no row.
    NotARow,
}

/// Memory that is used again from record to record.
#[derive(Debug, Default)]
pub struct Scratch {
    tags: CellsBuf,
    account: String,
    account_currency: Option<Currency>,
}

/// A layout, ready to read records.
#[derive(Debug)]
pub struct Interpreter<'l> {
    layout: &'l Layout,
    columns: &'l Columns,
    context: Context<'l>,
    date_column: usize,
    date_format: DateFormat,
    number_format: NumberFormat,
    source: Source,
}

/// The amount source with its value ready for comparison.
#[derive(Debug)]
enum Source {
    Signed { column: usize },
    DebitCredit { debit: usize, credit: usize },
    Directed { amount: usize, direction: usize, inflow_key: Option<String> },
}

impl Source {
    fn new(source: &AmountSource) -> Self {
        match source {
            AmountSource::Signed { column } => Self::Signed { column: *column },
            AmountSource::DebitCredit { debit, credit } => {
                Self::DebitCredit { debit: *debit, credit: *credit }
            }
            AmountSource::Directed { amount, direction, inflow_value } => Self::Directed {
                amount: *amount,
                direction: *direction,
                inflow_key: inflow_value.as_deref().map(name_key),
            },
        }
    }

    /// The columns with numbers; one of two twice.
    fn columns(&self) -> [usize; 2] {
        match self {
            Self::Signed { column } => [*column; 2],
            Self::DebitCredit { debit, credit } => [*debit, *credit],
            Self::Directed { amount, .. } => [*amount; 2],
        }
    }
}

/// Whether a cell of an amount only says that there is none: blank, or dashes.
pub(super) fn is_placeholder(cell: &str) -> bool {
    cell.chars().all(|c| matches!(c, '-' | '\u{2212}' | '\u{2013}' | '\u{2014}'))
}

impl<'l> Interpreter<'l> {
    /// Prepares a layout; fails with its problems if it isn't readable.
    pub fn new(layout: &'l Layout, context: Context<'l>) -> Result<Self, Vec<String>> {
        if !layout.is_readable() {
            return Err(layout.problems.clone());
        }
        let missing = |what: &str| vec![format!("the {what} is not known")];
        let pattern = layout.date_format.as_deref().ok_or_else(|| missing("date format"))?;
        let source = layout.amount.as_ref().ok_or_else(|| missing("amount column"))?;
        Ok(Self {
            layout,
            columns: &layout.columns,
            context,
            date_column: layout.columns.date.ok_or_else(|| missing("date column"))?,
            date_format: DateFormat::new(pattern)
                .map_err(|error| vec![format!("the date format {error}")])?,
            number_format: layout.number_format.ok_or_else(|| missing("number format"))?,
            source: Source::new(source),
        })
    }

    /// Says what a record is. The row borrows from the record and from `scratch`.
    pub fn interpret<'r>(&self, cells: Cells<'r>, scratch: &'r mut Scratch) -> Verdict<'r> {
        let mut reasons = Vec::new();
        let day = cells.get(self.date_column);
        let date = match self.date_format.parse(day) {
            Ok(date) => match check_range(date, self.context.as_of) {
                Ok(()) => Some(date),
                Err(error) => {
                    self.report(&mut reasons, self.date_column, error);
                    None
                }
            },
            Err(_) if footer::is_footer(cells, self.date_column, &self.source.columns()) => {
                return Verdict::NotARow;
            }
            Err(error) => {
                self.report(&mut reasons, self.date_column, error);
                None
            }
        };
        self.check_length(cells, &mut reasons);
        let account = self.account(cells, &mut reasons);
        let money = self.money(cells, account, scratch, &mut reasons);
        let texts = self.texts(cells, &mut reasons);
        if let Some(column) = self.columns.tags {
            self.tags(cells.get(column), column, &mut scratch.tags, &mut reasons);
        } else {
            scratch.tags.clear();
        }
        let (Some(date), Some((amount, currency)), true) = (date, money, reasons.is_empty()) else {
            return Verdict::Invalid(reasons);
        };
        let Texts { name, notes, category, external_id } = texts;
        let tags = scratch.tags.as_cells();
        Verdict::Row(Row {
            date,
            amount,
            currency,
            name,
            category,
            tags,
            notes,
            account,
            external_id,
        })
    }

    #[cold]
    fn report(&self, reasons: &mut Vec<String>, column: usize, error: impl std::fmt::Display) {
        reasons.push(format!("{} {error}", self.layout.header(column)));
    }

    /// A record may be shorter than the header, or have blank cells behind it; cells with text
    /// there mean that a separator stands inside some cell, so that no column can be trusted.
    fn check_length(&self, cells: Cells<'_>, reasons: &mut Vec<String>) {
        let headers = self.layout.headers.len();
        if cells.len() <= headers {
            return;
        }
        if cells.len() > CSV_COLUMNS_MAX {
            reasons.push(format!("the record has more than {CSV_COLUMNS_MAX} cells"));
        } else if (headers..cells.len()).any(|column| !cells.get(column).is_empty()) {
            let count = cells.len();
            reasons.push(format!("the record has {count} cells, the header only {headers}"));
        }
    }

    fn account<'r>(&self, cells: Cells<'r>, reasons: &mut Vec<String>) -> Option<&'r str> {
        if self.context.account_currency.is_some() {
            return None;
        }
        let column = self.columns.account?;
        let account = cells.get(column);
        if account.is_empty() {
            self.report(reasons, column, "is blank");
        }
        self.check_text(account, column, LABEL_CHARS_MAX, reasons);
        Some(account)
    }

    fn tags(&self, cell: &str, column: usize, tags: &mut CellsBuf, reasons: &mut Vec<String>) {
        tags::split(cell, tags);
        let count = tags.as_cells().len();
        if count > ROW_TAGS_MAX {
            self.report(
                reasons,
                column,
                format_args!("has {count} tags; {ROW_TAGS_MAX} are allowed"),
            );
        }
        for tag in tags.as_cells().iter() {
            self.check_text(tag, column, LABEL_CHARS_MAX, reasons);
        }
    }

    fn check_text(&self, text: &str, column: usize, max: usize, reasons: &mut Vec<String>) {
        if text.len() > max && text.chars().count() > max {
            self.report(reasons, column, format_args!("is longer than {max} characters"));
        }
        if text.contains('\0') {
            self.report(reasons, column, "holds a NUL character");
        }
    }
}

/// The texts of a row.
struct Texts<'r> {
    name: &'r str,
    notes: Option<&'r str>,
    category: Option<&'r str>,
    external_id: Option<&'r str>,
}

impl Interpreter<'_> {
    fn texts<'r>(&self, cells: Cells<'r>, reasons: &mut Vec<String>) -> Texts<'r> {
        let category = self.optional(cells, self.columns.category, LABEL_CHARS_MAX, reasons);
        let external_id = self.optional(cells, self.columns.external_id, LABEL_CHARS_MAX, reasons);
        let mut notes = self.optional(cells, self.columns.notes, NOTES_CHARS_MAX, reasons);
        let named = self.columns.names.iter().find(|column| !cells.get(**column).is_empty());
        let name = match (named, notes) {
            (Some(column), _) => {
                // A text that serves as the name doesn't stand in the notes once more.
                notes = notes.filter(|_| Some(*column) != self.columns.notes);
                let name = cells.get(*column);
                self.check_text(name, *column, NAME_CHARS_MAX, reasons);
                name
            }
            (None, Some(text)) if text.chars().count() <= NAME_CHARS_MAX => {
                notes = None;
                text
            }
            (None, _) => UNNAMED,
        };
        Texts { name, notes, category, external_id }
    }

    fn optional<'r>(
        &self,
        cells: Cells<'r>,
        column: Option<usize>,
        max: usize,
        reasons: &mut Vec<String>,
    ) -> Option<&'r str> {
        let column = column?;
        let text = cells.get(column);
        self.check_text(text, column, max, reasons);
        Some(text).filter(|text| !text.is_empty())
    }
}

/// Currency and amount.
impl Interpreter<'_> {
    fn money(
        &self,
        cells: Cells<'_>,
        account: Option<&str>,
        scratch: &mut Scratch,
        reasons: &mut Vec<String>,
    ) -> Option<(i64, Currency)> {
        let Ok(stated) = self.stated_currency(cells, reasons) else {
            return None;
        };
        let expected = match (stated, account) {
            (Some(currency), _) => currency,
            (None, Some(account)) => self.currency_of(account, scratch),
            (None, None) => self.context.account_currency.unwrap_or(self.context.family_currency),
        };
        let read = |column| self.read_amount(cells, column, stated, expected);
        match &self.source {
            Source::Signed { column } => {
                let (amount, currency) = keep(read(*column), reasons)?;
                Some((self.signed(amount), currency))
            }
            Source::DebitCredit { debit, credit } => {
                self.debit_or_credit(cells, (*debit, *credit), read, reasons)
            }
            Source::Directed { amount, direction, inflow_key } => {
                let way = self.direction(cells.get(*direction), *direction, inflow_key.as_deref());
                let (way, amount) = (keep(way, reasons), keep(read(*amount), reasons));
                let (amount, currency) = amount?;
                Some((directed(amount.value, way?), currency))
            }
        }
    }

    /// What the currency column says; an unknown code is reported.
    fn stated_currency(
        &self,
        cells: Cells<'_>,
        reasons: &mut Vec<String>,
    ) -> Result<Option<Currency>, ()> {
        let Some(column) = self.columns.currency else { return Ok(None) };
        let cell = cells.get(column);
        if cell.is_empty() {
            return Ok(None);
        }
        let currency = Currency::parse(cell);
        if currency.is_none() {
            let cell: String = cell.chars().take(40).collect();
            self.report(reasons, column, format_args!("\"{cell}\" is not a known currency"));
        }
        currency.map(Some).ok_or(())
    }

    /// The currency of the account that the row names.
    fn currency_of(&self, account: &str, scratch: &mut Scratch) -> Currency {
        if self.context.account_currencies.is_empty() {
            return self.context.family_currency;
        }
        if scratch.account != account || scratch.account_currency.is_none() {
            let known = self.context.account_currencies.get(&name_key(account)).copied();
            scratch.account_currency = Some(known.unwrap_or(self.context.family_currency));
            scratch.account.clear();
            scratch.account.push_str(account);
        }
        scratch.account_currency.unwrap_or(self.context.family_currency)
    }

    /// Reads a cell in the scale of the currency that it turns out to be in.
    fn read_amount(
        &self,
        cells: Cells<'_>,
        column: usize,
        stated: Option<Currency>,
        expected: Currency,
    ) -> Result<(Amount, Currency), String> {
        let cell = cells.get(column);
        let fail = |error: NumberError| format!("{} {error}", self.layout.header(column));
        let in_scale = |scale| parse_amount(cell, self.number_format, scale);
        let amount = match in_scale(expected.scale()) {
            // The cell may name a currency that keeps more decimals.
            Err(error @ NumberError::TooManyDecimals { .. }) if stated.is_none() => {
                match in_scale(8) {
                    Ok(amount) if amount.currency.is_some_and(|c| c.scale() == 8) => amount,
                    _ => return Err(fail(error)),
                }
            }
            other => other.map_err(fail)?,
        };
        match (amount.currency, stated) {
            (Some(named), Some(stated)) if named != stated => Err(format!(
                "{} is in {named}, but the currency column says {stated}",
                self.layout.header(column)
            )),
            (Some(named), None) if named.scale() != expected.scale() => {
                in_scale(named.scale()).map(|amount| (amount, named)).map_err(fail)
            }
            (named, _) => Ok((amount, named.unwrap_or(expected))),
        }
    }

    /// The sign says the direction, or `CR` or `DR` does.
    fn signed(&self, amount: Amount) -> i64 {
        match (amount.marker, self.layout.signage) {
            (Some(Marker::Credit), _) => directed(amount.value, Direction::In),
            (Some(Marker::Debit), _) => directed(amount.value, Direction::Out),
            (None, Signage::InflowsPositive) => amount.value.saturating_neg(),
            (None, Signage::InflowsNegative) => amount.value,
        }
    }

    fn direction(
        &self,
        cell: &str,
        column: usize,
        inflow_key: Option<&str>,
    ) -> Result<Direction, String> {
        if cell.is_empty() {
            let header = self.layout.header(column);
            return Err(format!("{header} is blank, so the direction is not known"));
        }
        match inflow_key {
            Some(key) if is_key(cell, key) => Ok(Direction::In),
            Some(_) => Ok(Direction::Out),
            None => direction(cell).ok_or_else(|| {
                let cell: String = cell.chars().take(40).collect();
                let header = self.layout.header(column);
                format!("{header} \"{cell}\" does not say whether money came in or went out")
            }),
        }
    }

    /// One of the two cells, whose signs don't count; the other is blank or zero.
    fn debit_or_credit(
        &self,
        cells: Cells<'_>,
        (debit, credit): (usize, usize),
        read: impl Fn(usize) -> Result<(Amount, Currency), String>,
        reasons: &mut Vec<String>,
    ) -> Option<(i64, Currency)> {
        let mut found = None;
        let mut failed = false;
        let headers = || (self.layout.header(debit), self.layout.header(credit));
        for (column, way) in [(debit, Direction::Out), (credit, Direction::In)] {
            if is_placeholder(cells.get(column)) {
                continue;
            }
            let Some((amount, currency)) = keep(read(column), reasons) else {
                failed = true;
                continue;
            };
            let value = directed(amount.value, way);
            match found {
                Some((other, _)) if other != 0 && value != 0 => {
                    let (debit, credit) = headers();
                    reasons.push(format!("{debit} and {credit} are both filled"));
                    failed = true;
                }
                Some((other, _)) if other != 0 => {}
                _ => found = Some((value, currency)),
            }
        }
        if found.is_none() && !failed {
            let (debit, credit) = headers();
            reasons.push(format!("{debit} and {credit} are both blank"));
        }
        found.filter(|_| !failed)
    }
}

/// The amount with the sign of the ledger, whatever sign it was written with.
fn directed(value: i64, way: Direction) -> i64 {
    let magnitude = value.saturating_abs();
    match way {
        Direction::In => -magnitude,
        Direction::Out => magnitude,
    }
}

/// Whether a cell has a key; the common case without making the cell's own.
fn is_key(cell: &str, key: &str) -> bool {
    if cell.is_ascii() && !cell.contains(' ') {
        return cell.eq_ignore_ascii_case(key);
    }
    cell == key || name_key(cell) == key
}

fn keep<T>(result: Result<T, String>, reasons: &mut Vec<String>) -> Option<T> {
    result.map_err(|reason| reasons.push(reason)).ok()
}

#[cfg(test)]
#[path = "interpret_tests.rs"]
mod tests;
