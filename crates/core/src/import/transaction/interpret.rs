//! What a record means: a row, the reasons why it can't be one, or neither.
//!
//! The same function reads a record at upload, for a page and at publish, and depends only on the
//! layout and the [`Context`], so the verdict on a row never changes by itself. All reasons of a
//! bad row are collected, each as a sentence that names the column and the value.
//!
//! A row without a name is called by its notes, else by any text that has no other role, else
//! [`UNNAMED`].

mod amount;
mod broken;
mod register;
mod texts;

use amount::Source;
pub(in crate::import) use amount::is_placeholder;
use jiff::civil::Date;
use rust_decimal::Decimal;
use texts::{Texts, beginning};

use super::balance::follow::Link;
use super::balance::{Sense, Stated};
use super::columns::Columns;
use super::footer;
use super::row_gate::RowGate;
use super::stated::StatedBalance;
use super::tags::{Tags, TooMany};
use crate::import::cells::Cells;
use crate::import::kind::{Context, Interpreted};
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::left_out::{AnchorKind, LeftOut};
use crate::import::register::{Parts, amount_columns};
use crate::import::scratch::Scratch;
use crate::limits::{CSV_COLUMNS_MAX, LABEL_CHARS_MAX, ROW_REASONS_MAX, ROW_TAGS_MAX};
use crate::money::{Currency, Money};
use crate::text::date::{DateFormat, check_range};
use crate::text::number::{NumberFormat, parse_amount};
use crate::text::quoted;

/// The name of a row that has none.
pub const UNNAMED: &str = "Imported transaction";

/// A valid row, borrowed from the record.
#[derive(Debug, Clone, Copy)]
pub struct Row<'r> {
    /// The day of the transaction.
    pub date: Date,
    /// Positive = money out, in the scale of `currency`.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name, which is never blank.
    pub name: &'r str,
    /// The category's name or its path, `Parent:Child`.
    pub category: Option<&'r str>,
    /// The tags, each once.
    pub tags: Cells<'r>,
    /// The notes, which are never blank.
    pub notes: Option<&'r str>,
    /// The cell of the account column; always there if the import has no account but a column.
    pub account: Option<&'r str>,
    /// The bank's own id.
    pub external_id: Option<&'r str>,
    /// What one unit of the currency is worth in the account's, if the file states it.
    pub rate: Option<Decimal>,
    /// The account on the other side, if the file states that the row is one of a transfer.
    pub transfer: Option<&'r str>,
    /// The parts of a split transaction.
    pub parts: Parts<'r>,
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
    /// The columns with amounts, in the order in which parts have them.
    amount_columns: Vec<usize>,
    gate: RowGate,
    keeps_reasons: bool,
}

impl<'l> Interpreter<'l> {
    /// Prepares a layout; fails with its problems if it isn't readable.
    pub fn new(layout: &'l Layout, context: Context<'l>) -> Result<Self, Vec<LayoutProblem>> {
        if !layout.is_readable() {
            return Err(layout.problems.clone());
        }
        let missing = |what: &str| vec![LayoutProblem::from(format!("The {what} is not known"))];
        let pattern = layout.date_format.as_deref().ok_or_else(|| missing("date format"))?;
        let source = layout.amount.as_ref().ok_or_else(|| missing("amount column"))?;
        Ok(Self {
            layout,
            columns: &layout.columns,
            context,
            date_column: layout.columns.date.ok_or_else(|| missing("date column"))?,
            date_format: DateFormat::new(pattern)
                .map_err(|error| vec![format!("The date format {error}").into()])?,
            number_format: layout.number_format.ok_or_else(|| missing("number format"))?,
            source: Source::new(source),
            amount_columns: amount_columns(source),
            gate: RowGate::of(layout),
            keeps_reasons: true,
        })
    }

    /// From now on invalid rows have no reasons: nobody keeps more of them.
    pub fn omit_reasons(&mut self) {
        self.keeps_reasons = false;
    }

    /// Interprets a record. The row borrows from the record and from `scratch`.
    pub fn interpret<'r>(
        &self,
        cells: Cells<'r>,
        scratch: &'r mut Scratch,
    ) -> Interpreted<Row<'r>> {
        let mut reasons = self.swallowed(cells);
        reasons.extend(self.register_problem(cells));
        if !reasons.is_empty() {
            return Interpreted::Invalid(reasons);
        }
        let day = cells.get(self.date_column);
        let date = match self.date_format.parse(day) {
            Ok(_) if self.is_balance(cells) => return Interpreted::NotARow,
            Ok(date) => match check_range(date, self.context.as_of) {
                Ok(()) => Some(date),
                Err(error) => {
                    self.report(&mut reasons, self.date_column, error);
                    None
                }
            },
            Err(_) if self.is_remark(cells) => return Interpreted::NotARow,
            Err(error) => {
                self.report(&mut reasons, self.date_column, error);
                None
            }
        };
        self.check_length(cells, &mut reasons);
        let account = self.account(cells, &mut reasons);
        let money = self.money_of_row(cells, account, scratch, &mut reasons);
        let rate = money.and_then(|(_, currency)| {
            self.rate(cells, account, currency, scratch).map_err(|why| reasons.push(why)).ok()?
        });
        let texts = self.texts(cells, &mut reasons);
        if let Some(column) = self.columns.tags {
            self.tags(cells.get(column), column, &mut scratch.tags, &mut reasons);
        } else {
            scratch.tags.clear();
        }
        let (Some(date), Some((amount, currency)), true) = (date, money, reasons.is_empty()) else {
            reasons.truncate(if self.keeps_reasons { ROW_REASONS_MAX } else { 0 });
            return Interpreted::Invalid(reasons);
        };
        let Texts { name, notes, category, external_id, .. } = texts;
        let name_goes_on = self.join(cells, texts.name_column, name, &mut scratch.name);
        let notes_go_on =
            self.join(cells, texts.notes_column, notes.unwrap_or_default(), &mut scratch.notes);
        let scratch: &'r Scratch = scratch;
        let name = if name_goes_on { beginning(&scratch.name) } else { name };
        let notes = if notes_go_on { Some(scratch.notes.as_str()) } else { notes };
        let tags = scratch.tags.as_cells();
        let (transfer, parts) = (self.transfer(cells), scratch.parts.as_parts());
        Interpreted::Row(Row {
            date,
            amount,
            currency,
            name,
            category,
            tags,
            notes,
            account,
            external_id,
            rate,
            transfer,
            parts,
        })
    }

    /// The amount of a record by itself, whatever else is wrong with it; positive is money out.
    /// Nothing if other records show its direction, and it isn't known yet for this number.
    pub(in crate::import) fn amount_of(&self, row: u64, cells: Cells<'_>) -> Option<Money> {
        let is_known = || self.layout.balance.as_ref()?.directions.as_ref()?.of(row);
        if matches!(self.source, Source::ByBalance { .. }) {
            is_known()?;
        }
        let mut scratch = Scratch { row, ..Scratch::default() };
        let mut reasons = Vec::new();
        let account = self.account(cells, &mut reasons);
        let (amount, currency) = self.money(cells, account, &mut scratch, &mut reasons)?;
        Some(Money::new(amount, currency))
    }

    /// How a row follows from the one before it, if the layout has a column of balances.
    pub fn link<'r>(&self, cells: Cells<'r>, row: &Row<'_>) -> Option<Link<'r>> {
        let column = self.layout.balance.as_ref()?.column;
        let of_file = self.columns.account.filter(|_| self.context.account.is_none());
        let account = of_file.map_or("", |column| cells.get(column));
        let cell = cells.get(column);
        let balance = if amount::is_placeholder(cell) {
            Stated::Blank
        } else {
            let read = parse_amount(cell, self.number_format, row.currency.scale());
            read.map_or(Stated::Unreadable, |amount| Stated::Value(i128::from(amount.signed())))
        };
        Some(Link { account, date: row.date, currency: row.currency, amount: row.amount, balance })
    }

    /// Why a row isn't taken unless a person wants it.
    pub fn left_out<'r>(&self, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        self.gate.left_out(cells)
    }

    /// The balance before or after the rows that a record states.
    pub fn stated(&self, cells: Cells<'_>, scratch: &mut Scratch) -> Option<StatedBalance> {
        let is_end = |kind: &AnchorKind| matches!(kind, AnchorKind::Opening | AnchorKind::Closing);
        let kind = self.gate.balance_of(cells).filter(is_end)?;
        let account = self.columns.account.filter(|_| self.context.account.is_none());
        let account = account.map(|column| cells.get(column)).filter(|cell| !cell.is_empty());
        let of = account.map(str::to_owned);
        let by_balance = match self.source {
            Source::ByBalance { column } => Some(column),
            _ => None,
        };
        if by_balance.is_none()
            && let Some((amount, currency)) = self.money(cells, account, scratch, &mut Vec::new())
        {
            return Some(StatedBalance { kind, account: of, amount, currency, place: 0 });
        }
        // What can be spent shows which way the oldest amount went, and states nothing.
        let balance = match by_balance {
            Some(_) => self.layout.balance.as_ref()?,
            None => self.layout.account_balance()?,
        };
        let currency = self.layout.amount_currency.unwrap_or(self.context.default_currency());
        // The balance of such a line may stand in the column of the amounts, which have no signs.
        let mut columns = [Some(balance.column), by_balance].into_iter().flatten();
        let parse = |column| parse_amount(cells.get(column), self.number_format, currency.scale());
        let read = columns.find_map(|column| parse(column).ok())?.signed();
        let amount = match balance.sense {
            Sense::Money => read.checked_neg()?,
            Sense::Debt => read,
        };
        Some(StatedBalance { kind, account: of, amount, currency, place: 0 })
    }

    /// Why a person has to decide whether a valid row is taken.
    pub fn doubt(&self, cells: Cells<'_>) -> Option<String> {
        let column = self.gate.doubtful_name(cells)?;
        let name = quoted(cells.get(column));
        Some(self.reason(column, format_args!("is \"{name}\": it may be a balance or a total")))
    }

    /// Whether the name of a record begins like a balance or a total, as names of shops do, too.
    pub fn is_alike(&self, cells: Cells<'_>) -> bool {
        self.gate.is_alike(cells)
    }

    /// Whether a record without a day is a total or a header; in a register nothing is.
    fn is_remark(&self, cells: Cells<'_>) -> bool {
        self.columns.register.is_none()
            && (self.is_void(cells)
                || footer::is_footer(cells, self.date_column, &self.source.columns())
                || footer::repeats_header(cells, &self.layout.headers))
    }

    /// Whether a record has neither day nor amount nor name, so that there is nothing to import:
    /// balances or remarks in columns of their own.
    fn is_void(&self, cells: Cells<'_>) -> bool {
        let is_blank = |column: usize| cells.get(column).is_empty();
        let mut texts = self.columns.names.iter().chain(&self.columns.notes).copied().peekable();
        is_blank(self.date_column)
            && texts.peek().is_some()
            && self.source.columns().into_iter().chain(texts).all(is_blank)
    }

    /// Whether a record names a balance and has no amount.
    fn is_balance(&self, cells: Cells<'_>) -> bool {
        let is_blank = |column: usize| amount::is_placeholder(cells.get(column));
        self.columns.register.is_none()
            && self.source.columns().into_iter().all(is_blank)
            && footer::is_balance(self.columns.names.iter().map(|column| cells.get(*column)))
    }

    #[cold]
    fn report(&self, reasons: &mut Vec<String>, column: usize, error: impl std::fmt::Display) {
        if reasons.len() < ROW_REASONS_MAX {
            reasons.push(self.reason(column, error));
        }
    }

    /// A sentence about a column; blank if reasons are not kept.
    #[cold]
    fn reason(&self, column: usize, error: impl std::fmt::Display) -> String {
        if self.keeps_reasons { format!("{} {error}", self.shown(column)) } else { String::new() }
    }

    /// The header of a column as reasons name it.
    fn shown(&self, column: usize) -> String {
        quoted(&self.layout.header(column))
    }

    /// A record may be shorter than the header, or have blank cells behind it. Cells with text
    /// there mean that a separator may stand inside some cell, so that columns can't be trusted
    /// unless it is certain that it stands behind them.
    fn check_length(&self, cells: Cells<'_>, reasons: &mut Vec<String>) {
        let headers = self.layout.headers.len();
        if cells.len() > CSV_COLUMNS_MAX {
            // Cells behind that are not even kept, whatever the header promises.
            reasons.push(format!("The record has more than {CSV_COLUMNS_MAX} cells"));
        } else if self.layout.is_longer(cells) && !self.stands_before(cells) {
            let count = cells.len();
            reasons.push(format!("The record has {count} cells, the header only {headers}"));
        } else if let Some(column) = self.divided(cells) {
            self.report(reasons, column, "may go on in the next cell: a comma may have divided it");
        }
    }

    fn account<'r>(&self, cells: Cells<'r>, reasons: &mut Vec<String>) -> Option<&'r str> {
        if self.context.account.is_some() {
            return None;
        }
        let column = self.columns.account?;
        let account = cells.get(column);
        if account.is_empty() {
            self.report(reasons, column, "is blank");
        }
        if account.contains(['\n', '\r']) {
            // No bank writes an account in two lines: a quote is missing somewhere.
            self.report(reasons, column, "has a line break");
        }
        self.check_text(account, column, LABEL_CHARS_MAX, reasons);
        Some(account)
    }

    fn tags(&self, cell: &str, column: usize, tags: &mut Tags, reasons: &mut Vec<String>) {
        if tags.split(cell) == Err(TooMany) {
            self.report(reasons, column, format_args!("has more than {ROW_TAGS_MAX} tags"));
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

#[cfg(test)]
mod tests;
