//! What a record of a register is: a transaction, a trade, or something that is no entry.
//!
//! A record with a word for the type is a trade and is read as rows of `TradeImport` are. The
//! reader of the program has translated its actions into words, so that one rule holds for the
//! signs: a minus can only repeat that shares or money leave. A record with the role of a price or
//! of a budget is about the family; every other one is a transaction.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::columns::{
    ACCOUNT_OF_LIST, BUDGET, CATEGORY_OF_LIST, OTHER_OF_LIST, PRICE, SECURITY_OF_LIST, TAG_OF_LIST,
    TradeColumns,
};
use super::lists::{self, LabelRow, ListedRow};
use super::parts::amount_columns;
use crate::import::cells::Cells;
use crate::import::kind::{Context, Interpreted};
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::left_out::{Cause, LeftOut};
use crate::import::native::RecordType;
use crate::import::scratch::Scratch;
use crate::import::trade::security::SecurityText;
use crate::import::trade::signs::{SignRule, TotalMeaning};
use crate::import::trade::{self, TradeRow};
use crate::import::transaction;
use crate::money::Currency;
use crate::money::decimal::amount_text;
use crate::text::number::{Written, written_sign};

/// A valid row of a register, borrowed from the record.
#[derive(Debug, Clone, Copy)]
pub enum Row<'r> {
    /// A transaction of an account.
    Transaction(transaction::Row<'r>),
    /// A trade of a security.
    Trade(TradeRow<'r>),
    /// What is no entry of an account.
    Record(SideRecord<'r>),
}

/// A record of the family that a program states beside its transactions.
#[derive(Debug, Clone, Copy)]
pub enum SideRecord<'r> {
    /// The price of a security on a day.
    Price(PriceRow<'r>),
    /// What a category may cost in a month.
    Budget(BudgetRow<'r>),
    /// A category of a list.
    Category(LabelRow<'r>),
    /// A tag of a list.
    Tag(LabelRow<'r>),
    /// What a list only describes.
    Listed(ListedRow<'r>),
}

/// The price of a security on a day.
#[derive(Debug, Clone, Copy)]
pub struct PriceRow<'r> {
    /// What the record calls the security.
    pub security: SecurityText<'r>,
    /// The day of the price.
    pub date: Date,
    /// The price of one share, which is positive.
    pub price: Decimal,
    /// The currency of the price.
    pub currency: Currency,
}

/// What a category may cost in a month.
#[derive(Debug, Clone, Copy)]
pub struct BudgetRow<'r> {
    /// The first day of the month.
    pub month: Date,
    /// The category, or its path.
    pub category: &'r str,
    /// The planned spending, which is not negative.
    pub spending: i64,
    /// The currency of the amount.
    pub currency: Currency,
}

impl SideRecord<'_> {
    /// What the record is, and what people know it by.
    pub(in crate::import) fn shown(&self) -> (&str, String) {
        match self {
            Self::Price(PriceRow { security, date, price, currency }) => {
                let ticker = security.ticker.or(security.isin).unwrap_or_default();
                let shown = format!("{ticker} {date} {price} {}", currency.code());
                (RecordType::SecurityPrice.as_str(), shown)
            }
            Self::Budget(BudgetRow { month, category, spending, currency }) => {
                let spending = amount_text(*spending, *currency);
                let month = month.strftime("%Y-%m");
                let shown = format!("{month} {category} {spending} {}", currency.code());
                (RecordType::BudgetCategory.as_str(), shown)
            }
            Self::Category(row) => (RecordType::Category.as_str(), row.name.to_owned()),
            Self::Tag(row) => (RecordType::Tag.as_str(), row.name.to_owned()),
            Self::Listed(row) => (row.role, row.name.to_owned()),
        }
    }
}

impl<'r> Row<'r> {
    fn of_trade(row: trade::Row<'r>) -> Self {
        match row {
            trade::Row::Trade(row) => Self::Trade(row),
            trade::Row::Money(row) => Self::Transaction(row),
            trade::Row::Record(record) => Self::Record(record),
        }
    }
}

/// A layout of a register, ready to read records.
#[derive(Debug)]
pub struct Interpreter<'l> {
    pub(super) transactions: transaction::Interpreter<'l>,
    trades: Option<trade::Interpreter<'l>>,
    columns: Option<SpecialColumns>,
    /// One account was named for all rows: what belongs to the family isn't taken then.
    into_one: bool,
}

#[derive(Debug, Clone, Copy)]
struct SpecialColumns {
    role: usize,
    problem: usize,
    word: Option<usize>,
    name: usize,
    category: usize,
    amounts: [Option<usize>; 2],
}

/// The reason for a trade of which the cell of the day holds none.
const NO_DAY: &str = "The record has no day that can be read";

impl<'l> Interpreter<'l> {
    pub(super) fn new(
        layout: &'l Layout,
        context: Context<'l>,
    ) -> Result<Self, Vec<LayoutProblem>> {
        let register = layout.columns.register;
        let trades = register.and_then(|register| register.trades);
        Ok(Self {
            transactions: transaction::Interpreter::new(layout, context)?,
            trades: trades.map(|_| trade::Interpreter::new(layout, context)).transpose()?,
            columns: register.map(|register| SpecialColumns {
                role: register.role,
                problem: register.problem,
                word: trades.map(|trades| trades.word),
                name: layout.columns.names.first().copied().unwrap_or_default(),
                category: layout.columns.category.unwrap_or_default(),
                amounts: {
                    let mut columns = layout.amount.iter().flat_map(amount_columns);
                    [columns.next(), columns.next()]
                },
            }),
            into_one: context.account.is_some(),
        })
    }

    pub(super) fn omit_reasons(&mut self) {
        self.transactions.omit_reasons();
        self.trades.iter_mut().for_each(trade::Interpreter::omit_reasons);
    }

    pub(super) fn interpret<'r>(
        &self,
        cells: Cells<'r>,
        scratch: &'r mut Scratch,
    ) -> Interpreted<Row<'r>> {
        let is_understood = |columns: &SpecialColumns| cells.get(columns.problem).is_empty();
        if let Some(columns) = self.columns.filter(is_understood) {
            let is_trade = columns.word.is_some_and(|word| !cells.get(word).is_empty());
            match (cells.get(columns.role), &self.trades) {
                (role, _) if lists::is_of_list(role) => {
                    let row =
                        lists::row(role, cells.get(columns.name), cells.get(columns.category));
                    return map(lists::checked(row), Row::Record);
                }
                (PRICE, Some(trades)) => {
                    return map(trades.price_row(cells), |row| Row::Record(SideRecord::Price(row)));
                }
                (BUDGET, _) => {
                    let row = self.transactions.budget(cells, scratch);
                    return map(row, |row| Row::Record(SideRecord::Budget(row)));
                }
                (_, Some(trades)) if is_trade => {
                    return match trades.interpret(cells) {
                        // Nothing in a register is a total or a header.
                        Interpreted::NotARow => Interpreted::Invalid(vec![NO_DAY.to_owned()]),
                        interpreted => map(interpreted, Row::of_trade),
                    };
                }
                _ => {}
            }
        }
        map(self.transactions.interpret(cells, scratch), Row::Transaction)
    }

    pub(super) fn left_out<'r>(&self, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        self.transactions.left_out(cells).or_else(|| {
            let SpecialColumns { role: column, amounts, .. } = self.columns?;
            let cell = cells.get(column);
            let is_negative = |column: &usize| written_sign(cells.get(*column)) == Written::Minus;
            if let Some(column) = amounts.into_iter().flatten().find(is_negative)
                && cell == BUDGET
            {
                return Some(LeftOut { column, cell: cells.get(column), cause: Cause::BelowZero });
            }
            let cause = match cell {
                ACCOUNT_OF_LIST | SECURITY_OF_LIST | OTHER_OF_LIST => lists::cause(cell),
                PRICE | BUDGET | CATEGORY_OF_LIST | TAG_OF_LIST if self.into_one => Cause::OfFamily,
                _ => return None,
            };
            Some(LeftOut { column, cell, cause })
        })
    }
}

fn map<T, U>(interpreted: Interpreted<T>, to: impl FnOnce(T) -> U) -> Interpreted<U> {
    match interpreted {
        Interpreted::Row(row) => Interpreted::Row(to(row)),
        Interpreted::Invalid(reasons) => Interpreted::Invalid(reasons),
        Interpreted::NotARow => Interpreted::NotARow,
    }
}

/// Has the interpreter of trades find its columns in a register.
pub(super) fn name_columns(layout: &mut Layout) {
    let Some(TradeColumns { word, ticker, isin, security, quantity, price, fee, ratio }) =
        layout.columns.register.and_then(|register| register.trades)
    else {
        return;
    };
    let columns = &layout.columns;
    let shared = [
        ("date", columns.date),
        ("account", columns.account),
        ("name", columns.names.first().copied()),
        ("notes", columns.notes),
        ("currency", columns.currency),
        ("amount", columns.amount),
    ];
    let own = [
        ("type", word),
        ("ticker", ticker),
        ("isin", isin),
        ("security_name", security),
        ("qty", quantity),
        ("price", price),
        ("fee", fee),
        ("split_ratio", ratio),
    ];
    let shared = shared.into_iter().filter_map(|(field, column)| Some((field, column?)));
    let all = shared.chain(own);
    layout.fields = all.map(|(field, column)| (field.to_owned(), column)).collect();
    let total = Some(TotalMeaning::Net);
    layout.sign_rule = Some(SignRule { total, ..SignRule::default() });
}
