//! What a record of a file of accounts means.

use jiff::civil::Date;

use crate::import::cells::Cells;
use crate::import::kind::{Context, Interpreted};
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::plain::cell_reader::{CellReader, Reasons};
use crate::import::settings::DebtSign;
use crate::import::transaction::header_names::currency_in;
use crate::limits::LABEL_CHARS_MAX;
use crate::money::Currency;
use crate::text::date::{DateFormat, check_range};
use crate::text::number::{Amount, NumberFormat, is_shared_sign_of, named_currency, parse_amount};
use crate::text::quoted;

/// The scale in which no amount of a currency has too many decimals.
const NAMING_SCALE: u32 = 8;

/// An account as a row describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'r> {
    /// The name of the account.
    pub name: &'r str,
    /// What it is, in the words of the file; blank if it states nothing.
    pub type_text: &'r str,
    /// Its subtype, if the file has a column of them.
    pub subtype: Option<&'r str>,
    /// The balance as it is written, in the scale of the currency.
    pub balance: i64,
    /// The balance has the mark of a bank (`CR`, `DR`): positive is money, whatever the account.
    pub is_marked: bool,
    /// The currency of the account.
    pub currency: Currency,
    /// The day at the end of which the account had the balance.
    pub date: Option<Date>,
    /// Which sign a debt has in the file, if somebody stated it.
    pub debt_sign: Option<DebtSign>,
}

/// A layout, ready to read records.
#[derive(Debug)]
pub struct Interpreter<'l> {
    cells: CellReader<'l>,
    layout: &'l Layout,
    context: Context<'l>,
    name: usize,
    balance: usize,
    account_type: Option<usize>,
    subtype: Option<usize>,
    currency: Option<usize>,
    date: Option<usize>,
    number_format: NumberFormat,
    date_format: Option<DateFormat>,
    /// The currency that the header of the balance names.
    header_currency: Option<Currency>,
}

impl<'l> Interpreter<'l> {
    /// Prepares a layout; fails with its problems if it isn't readable.
    ///
    /// # Errors
    /// The problems of the layout.
    pub fn new(layout: &'l Layout, context: Context<'l>) -> Result<Self, Vec<LayoutProblem>> {
        let cells = CellReader::new(layout)?;
        let (name, balance) = (cells.required("name")?, cells.required("balance")?);
        let [account_type, subtype, currency, date] =
            ["type", "subtype", "currency", "date"].map(|field| cells.column(field));
        let unknown = || vec![LayoutProblem::UnknownNumbers { cell: String::new() }];
        let number_format = layout.number_format.ok_or_else(unknown)?;
        let date_format = layout.date_format.as_deref().map(DateFormat::new).transpose();
        let date_format = date_format.map_err(|error| vec![error.to_string().into()])?;
        let header_currency = layout.headers.get(balance).and_then(|header| currency_in(header));
        Ok(Self {
            cells,
            layout,
            context,
            name,
            balance,
            account_type,
            subtype,
            currency,
            date,
            number_format,
            date_format,
            header_currency,
        })
    }

    /// Interprets a record; all reasons of a bad one are collected.
    pub fn interpret<'r>(&self, cells: Cells<'r>) -> Interpreted<Row<'r>> {
        let mut reasons = Reasons::default();
        self.cells.check_length(cells, &mut reasons);
        let name = cells.get(self.name);
        self.cells.check_name(name, self.name, LABEL_CHARS_MAX, &mut reasons);
        let mut text = |column: Option<usize>| {
            let text = CellReader::text(cells, column)?;
            self.cells.check_text(text, column?, LABEL_CHARS_MAX, &mut reasons);
            Some(text)
        };
        let (type_text, subtype) = (text(self.account_type), text(self.subtype));
        let date = self.date(cells, &mut reasons);
        let money = self.money(cells, &mut reasons);
        match (reasons.into_list(), money) {
            (None, Some((amount, currency))) => Interpreted::Row(Row {
                name,
                // A subtype names its type.
                type_text: type_text.or(subtype).unwrap_or_default(),
                subtype,
                balance: amount.signed(),
                is_marked: amount.marker.is_some(),
                currency,
                date,
                debt_sign: self.layout.debt_sign,
            }),
            (reasons, _) => Interpreted::Invalid(reasons.unwrap_or_default()),
        }
    }

    fn date(&self, cells: Cells<'_>, reasons: &mut Reasons) -> Option<Date> {
        let (column, cell) = (self.date?, CellReader::text(cells, self.date)?);
        let Some(format) = &self.date_format else {
            self.cells.report(column, "has a day in no known format", reasons);
            return None;
        };
        let read = format.parse(cell).and_then(|date| {
            check_range(date, self.context.as_of)?;
            Ok(date)
        });
        read.map_err(|error| self.cells.report(column, error, reasons)).ok()
    }

    /// The balance in the currency that the row states, else the header, the cell, the family.
    fn money(&self, cells: Cells<'_>, reasons: &mut Reasons) -> Option<(Amount, Currency)> {
        let stated = self.stated_currency(cells, reasons)?;
        let cell = cells.get(self.balance);
        // The scale doesn't matter for what the cell names.
        let named = parse_amount(cell, self.number_format, NAMING_SCALE);
        let named = named.ok().and_then(|amount| amount.currency);
        let currency = stated.or(named).unwrap_or(self.context.family_currency);
        let amount = match parse_amount(cell, self.number_format, currency.scale()) {
            Ok(amount) => amount,
            Err(error) => {
                self.cells.report(self.balance, error, reasons);
                return None;
            }
        };
        if let Some(other) = amount.currency.filter(|named| *named != currency) {
            let what = format_args!("is in {}, the account in {}", other.code(), currency.code());
            self.cells.report(self.balance, what, reasons);
            return None;
        }
        if let Some(sign) = amount.contradicting_sign(currency) {
            let what = format_args!("is in {sign}, which is no sign of {}", currency.code());
            self.cells.report(self.balance, what, reasons);
            return None;
        }
        Some((amount, currency))
    }

    /// The currency of the row, unless it has none; nothing if it can't be read.
    fn stated_currency(&self, cells: Cells<'_>, reasons: &mut Reasons) -> Option<Option<Currency>> {
        let (Some(column), Some(cell)) = (self.currency, CellReader::text(cells, self.currency))
        else {
            return Some(self.header_currency);
        };
        let family = self.context.family_currency;
        let currency = Currency::parse(cell)
            .or_else(|| named_currency(cell))
            .or_else(|| is_shared_sign_of(cell, family).then_some(family));
        if currency.is_none() {
            let what = format!("\"{}\" is not a known currency such as USD", quoted(cell));
            self.cells.report(column, what, reasons);
        }
        currency.map(Some)
    }
}
