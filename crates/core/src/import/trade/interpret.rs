//! What a record of a file of trades means.
//!
//! The same function reads a record at upload, for a page and at publish. All reasons of a bad row
//! are collected.

mod income;
mod money;
mod price;
mod shares;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::event::{Event, Signs, event, money_of};
use super::ratio;
use super::security;
use super::signs::{Flow, SignRule};
use super::words::{self, TypeWord};
use crate::import::cells::Cells;
use crate::import::kind::{Context, Interpreted};
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::left_out::{Cause, LeftOut};
use crate::import::plain::cell_reader::{CellReader, Reasons};
use crate::import::rate::RateColumns;
use crate::import::register::{Parts, SideRecord};
use crate::import::trade::security::SecurityText;
use crate::import::transaction;
use crate::import::transaction::footer;
use crate::import::transaction::header_names::{currency_in, known_key};
use crate::import::transaction::status_words::{Status, status};
use crate::ledger::cash_move::CashMove;
use crate::ledger::new_trade::Split;
use crate::ledger::trade::{Effect, Terms, TradeType};
use crate::limits::{LABEL_CHARS_MAX, NAME_CHARS_MAX, NOTES_CHARS_MAX};
use crate::money::Currency;
use crate::text::date::{DateFormat, check_range};
use crate::text::number::NumberFormat;
use crate::text::quoted;
use money::MoneyCells;

/// A valid row, borrowed from the record.
#[derive(Debug, Clone, Copy)]
pub enum Row<'r> {
    /// A trade of a security.
    Trade(TradeRow<'r>),
    /// Money that belongs to no security: a transaction of the account.
    Money(transaction::Row<'r>),
    /// What is no entry of an account: the price of a security.
    Record(SideRecord<'r>),
}

impl<'r> Row<'r> {
    /// The cell of the account column.
    pub fn account(&self) -> Option<&'r str> {
        match self {
            Self::Trade(row) => row.account,
            Self::Money(row) => row.account,
            Self::Record(_) => None,
        }
    }
}

/// A trade as a row describes it.
#[derive(Debug, Clone, Copy)]
pub struct TradeRow<'r> {
    /// The day of the trade.
    pub date: Date,
    /// The cell of the account column; always there if the import has no account but a column.
    pub account: Option<&'r str>,
    /// What the row calls the security.
    pub security: SecurityText<'r>,
    /// The currency of price, fee and money.
    pub currency: Currency,
    /// What one unit of it is worth in the account's currency, if the file states it.
    pub rate: Option<Decimal>,
    /// The type, the shares and the money, without signs.
    pub terms: Terms,
    /// What it does to shares and money.
    pub effect: Effect,
    /// The ratio of a share split.
    pub split: Option<Split>,
    /// The name of the trade; blank if the row has none.
    pub name: &'r str,
    /// The notes, which are never blank.
    pub notes: Option<&'r str>,
    /// The broker's own id.
    pub external_id: Option<&'r str>,
}

/// A layout, ready to read records.
#[derive(Debug)]
pub struct Interpreter<'l> {
    cells: CellReader<'l>,
    layout: &'l Layout,
    context: Context<'l>,
    /// Apart, because there are many.
    columns: Box<Columns>,
    date_format: DateFormat,
    number_format: NumberFormat,
    rule: SignRule,
    rates: RateColumns,
    /// The currency that the header of the price names.
    price_currency: Option<Currency>,
    /// The currency that the header of the total names.
    amount_currency: Option<Currency>,
    keeps_reasons: bool,
}

/// The positions of columns.
#[derive(Debug, Clone, Copy)]
struct Columns {
    date: usize,
    word: Option<usize>,
    ticker: Option<usize>,
    isin: Option<usize>,
    mic: Option<usize>,
    security_name: Option<usize>,
    qty: Option<usize>,
    price: Option<usize>,
    amount: Option<usize>,
    amount_currency: Option<usize>,
    cost: Option<usize>,
    fees: [Option<usize>; 2],
    tax: Option<usize>,
    tax_currency: Option<usize>,
    status: Option<usize>,
    currency: Option<usize>,
    split_ratio: Option<usize>,
    account: Option<usize>,
    name: Option<usize>,
    notes: Option<usize>,
    external_id: Option<usize>,
}

impl<'l> Interpreter<'l> {
    /// Prepares a layout; fails with its problems if it isn't readable.
    ///
    /// # Errors
    /// The problems of the layout.
    pub fn new(layout: &'l Layout, context: Context<'l>) -> Result<Self, Vec<LayoutProblem>> {
        let cells = CellReader::new(layout)?;
        let at = |field: &str| cells.column(field);
        let columns = Box::new(Columns {
            date: cells.required("date")?,
            word: at("type"),
            ticker: at("ticker"),
            isin: at("isin"),
            mic: at("exchange_operating_mic"),
            security_name: at("security_name"),
            qty: at("qty"),
            price: at("price"),
            amount: at("amount"),
            amount_currency: at("amount_currency"),
            cost: at("cost"),
            fees: [at("fee"), at("further_fee")],
            tax: at("tax"),
            tax_currency: at("tax_currency"),
            status: at("status"),
            currency: at("currency"),
            split_ratio: at("split_ratio"),
            account: at("account"),
            name: at("name"),
            notes: at("notes"),
            external_id: at("external_id"),
        });
        let missing = |what: &str| vec![LayoutProblem::from(format!("The {what} is not known"))];
        let pattern = layout.date_format.as_deref().ok_or_else(|| missing("date format"))?;
        let date_format = DateFormat::new(pattern);
        let named = |column: Option<usize>| currency_in(layout.headers.get(column?)?);
        let is_found = layout.found.iter().any(|one| one == crate::import::rate::RATE_SETTING);
        let (rate, inverse) = (at("exchange_rate"), at("inverse_rate"));
        Ok(Self {
            date_format: date_format.map_err(|error| vec![error.to_string().into()])?,
            number_format: layout.number_format.ok_or_else(|| missing("number format"))?,
            rule: layout.sign_rule.ok_or_else(|| missing("meaning of signs"))?,
            rates: RateColumns {
                direct: rate.filter(|_| !is_found),
                inverse,
                undirected: rate.filter(|_| is_found),
            },
            price_currency: named(columns.price),
            amount_currency: named(columns.amount),
            cells,
            layout,
            context,
            columns,
            keeps_reasons: true,
        })
    }

    /// From now on invalid rows have no reasons: nobody keeps more of them.
    pub fn omit_reasons(&mut self) {
        self.keeps_reasons = false;
    }

    /// Interprets a record; all reasons of a bad one are collected.
    pub fn interpret<'r>(&self, cells: Cells<'r>) -> Interpreted<Row<'r>> {
        if self.states_price(cells) {
            return self.price_record(cells);
        }
        let mut reasons = Reasons::default();
        let amounts = [self.columns.amount, self.columns.qty].map(|one| one.unwrap_or(usize::MAX));
        let date = match self.date_format.parse(super::day(cells.get(self.columns.date))) {
            Ok(date) => check_range(date, self.context.as_of).map(|()| date),
            Err(_)
                if self.is_sum(cells)
                    || footer::is_footer(cells, self.columns.date, &amounts)
                    || footer::repeats_header(cells, &self.layout.headers) =>
            {
                return Interpreted::NotARow;
            }
            Err(error) => Err(error),
        };
        let date =
            date.map_err(|error| self.cells.report(self.columns.date, error, &mut reasons)).ok();
        self.cells.check_length(cells, &mut reasons);
        self.check_status(cells, &mut reasons);
        let row = self.row(cells, date.unwrap_or(Date::MIN), &mut reasons);
        match (reasons.into_list(), row) {
            (None, Some(row)) => Interpreted::Row(row),
            (Some(reasons), _) if self.keeps_reasons => Interpreted::Invalid(reasons),
            _ => Interpreted::Invalid(Vec::new()),
        }
    }

    /// Why a row isn't taken: by its status nothing was traded, or it stands beside trades.
    pub fn left_out<'r>(&self, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        if let Some(beside) = self.left_out_beside(cells) {
            return Some(beside);
        }
        let column = self.columns.status?;
        let cell = cells.get(column);
        let cause = match status(cell)? {
            Status::Booked => return None,
            Status::Pending => Cause::Pending,
            Status::Refused | Status::Cancelled | Status::Reversed => Cause::Refused,
        };
        Some(LeftOut { column, cell, cause })
    }

    fn check_status(&self, cells: Cells<'_>, reasons: &mut Reasons) {
        let text = CellReader::text(cells, self.columns.status);
        if let (Some(column), Some(text)) = (self.columns.status, text)
            && status(text).is_none()
        {
            let what = format!("\"{}\" is no known status", quoted(text));
            self.cells.report(column, what, reasons);
        }
    }

    /// Whether the place of the day has a word for a sum behind others: `Transactions Total`.
    fn is_sum(&self, cells: Cells<'_>) -> bool {
        let key = known_key(cells.get(self.columns.date));
        let is_blank = |column: Option<usize>| CellReader::text(cells, column).is_none();
        let names_none = [self.columns.ticker, self.columns.isin, self.columns.qty];
        key.ends_with(" total") && names_none.into_iter().all(is_blank)
    }

    fn row<'r>(&self, cells: Cells<'r>, date: Date, reasons: &mut Reasons) -> Option<Row<'r>> {
        let text = |column: Option<usize>, max: usize, reasons: &mut Reasons| {
            let text = CellReader::text(cells, column)?;
            self.cells.check_text(text, column?, max, reasons);
            Some(text)
        };
        let account = self.account(cells, reasons);
        let name = text(self.columns.name, NAME_CHARS_MAX, reasons);
        let notes = text(self.columns.notes, NOTES_CHARS_MAX, reasons);
        let external_id = text(self.columns.external_id, LABEL_CHARS_MAX, reasons);
        let security = self.security(cells, reasons);
        let word = self.word(cells, reasons);
        let money = MoneyCells::read(self, cells, account, reasons);
        let ((Some(word), Some(money)), Some(security)) = ((word, money), security) else {
            return None;
        };
        let signs = Signs {
            quantity: money.quantity.map(|one| one.value.is_sign_negative()),
            amount: money.total.map(|one| one.value.is_sign_negative()),
            has_security: !security.is_blank(),
        };
        let event = event(word, signs, &self.rule).map_err(|why| reasons.push(why)).ok()?;
        let (currency, rate) = (money.currency, money.rate);
        match event {
            Event::Trade(trade_type) => {
                if security.is_blank() {
                    reasons.push("The row names no security");
                }
                let split = self.split(cells, trade_type, reasons);
                let what = (trade_type, money_of(event));
                let is_option = security.is_option();
                let (terms, effect) = self.terms(&money, what, is_option, reasons)?;
                let cost = self.cost(cells, &money, (&terms, is_option), reasons)?;
                let effect = Effect { cost: effect.cost.or(cost), ..effect };
                Some(Row::Trade(TradeRow {
                    date,
                    account,
                    security,
                    currency,
                    rate,
                    terms,
                    effect,
                    split,
                    name: name.unwrap_or_default(),
                    notes,
                    external_id,
                }))
            }
            Event::Money(cash_move, flow) => {
                let amount = self.moved(&money, flow, cash_move == CashMove::Fee, reasons)?;
                Some(Row::Money(transaction::Row {
                    date,
                    amount: if flow == Flow::Out { amount } else { -amount },
                    currency,
                    rate,
                    name: name.unwrap_or(cash_move.default_name()),
                    category: None,
                    tags: Cells::new("", &[]),
                    notes,
                    account,
                    external_id,
                    transfer: None,
                    parts: Parts::default(),
                }))
            }
        }
    }

    /// The word for the type; the outer option is empty if it is not understood.
    fn word(&self, cells: Cells<'_>, reasons: &mut Reasons) -> Option<Option<TypeWord>> {
        let Some((column, text)) =
            self.columns.word.zip(CellReader::text(cells, self.columns.word))
        else {
            return Some(None);
        };
        let meaning = words::meaning(text);
        if meaning.is_none() {
            let why = match words::is_taken_back(text) {
                true => "takes a trade back, or states that it didn't happen",
                false => "is no known type of trades",
            };
            self.cells.report(column, format_args!("\"{}\" {why}", quoted(text)), reasons);
        }
        meaning.map(Some)
    }

    fn account<'r>(&self, cells: Cells<'r>, reasons: &mut Reasons) -> Option<&'r str> {
        let column = self.columns.account.filter(|_| self.context.account.is_none())?;
        let account = cells.get(column);
        self.cells.check_name(account, column, LABEL_CHARS_MAX, reasons);
        Some(account)
    }

    /// What the row calls the security; nothing if it can't be one.
    fn security<'r>(&self, cells: Cells<'r>, reasons: &mut Reasons) -> Option<SecurityText<'r>> {
        let mut is_valid = true;
        let mut checked = |column: Option<usize>, is_right: fn(&str) -> bool, what: &str| {
            let text = CellReader::text(cells, column)?;
            if !is_right(text) {
                is_valid = false;
                let cell = quoted(text);
                self.cells.report(column?, format_args!("\"{cell}\" {what}"), reasons);
            }
            Some(text)
        };
        let ticker = checked(self.columns.ticker, security::is_ticker, "is no ticker");
        let isin = checked(self.columns.isin, security::is_isin, "is no ISIN");
        let mic = checked(self.columns.mic, is_mic, "is no code of a market, such as XNAS");
        let name = CellReader::text(cells, self.columns.security_name);
        if let (Some(name), Some(column)) = (name, self.columns.security_name) {
            self.cells.check_text(name, column, LABEL_CHARS_MAX, reasons);
        }
        is_valid.then_some(SecurityText { ticker, mic, isin, name })
    }

    /// The ratio of a split, without which the number of shares isn't known.
    fn split(
        &self,
        cells: Cells<'_>,
        trade_type: TradeType,
        reasons: &mut Reasons,
    ) -> Option<Split> {
        if trade_type != TradeType::Split {
            return None;
        }
        let cell = CellReader::text(cells, self.columns.split_ratio);
        let ratio = cell.and_then(ratio::parse);
        if ratio.is_none() {
            reasons.push("A split needs its ratio, such as 4:1, in a column of its own");
        }
        ratio
    }
}

fn is_mic(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
