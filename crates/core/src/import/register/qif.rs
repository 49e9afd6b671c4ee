//! The record kind of QIF files: transactions, and trades of depots, in one register.
//!
//! A record with a word for the type is a trade and is read as rows of `TradeImport` are; every
//! other one is a transaction. The reader of the format has translated its actions into words, so
//! that one rule holds for the signs: a minus can only repeat that shares or money leave.

use super::Program;
use super::columns::TradeColumns;
use super::kind::{Qif, RegisterKind};
use crate::error::Problem;
use crate::import::cells::Cells;
use crate::import::kind::{Context, Detect, Interpreted, RecordKind, RowSet, Spec};
use crate::import::layout::{Layout, Preface};
use crate::import::layout_problem::LayoutProblem;
use crate::import::left_out::LeftOut;
use crate::import::mapping::MappingKind;
use crate::import::scratch::Scratch;
use crate::import::settings::Settings;
use crate::import::trade::signs::SignRule;
use crate::import::trade::{self, Row, TradeKind};
use crate::import::transaction;
use crate::money::Currency;

/// The kind of registers of which it has everything but its trades.
type Register = RegisterKind<Qif>;

/// The record kind of QIF files.
#[derive(Debug)]
pub struct QifKind;

/// A layout, ready to read records.
#[derive(Debug)]
pub struct QifInterpreter<'l> {
    transactions: transaction::Interpreter<'l>,
    trades: Option<Trades<'l>>,
}

#[derive(Debug)]
struct Trades<'l> {
    interpreter: trade::Interpreter<'l>,
    /// The column of the words for the types.
    word: usize,
    /// The column with the reason why a record isn't understood.
    problem: usize,
}

impl Trades<'_> {
    fn has(&self, cells: Cells<'_>) -> bool {
        !cells.get(self.word).is_empty() && cells.get(self.problem).is_empty()
    }

    /// Nothing in a register is a total or a header.
    fn interpret<'r>(&self, cells: Cells<'r>) -> Interpreted<Row<'r>> {
        match self.interpreter.interpret(cells) {
            Interpreted::NotARow => Interpreted::Invalid(vec![NO_DAY.to_owned()]),
            interpreted => interpreted,
        }
    }
}

/// The reason for a trade of which the cell of the day holds none.
const NO_DAY: &str = "The record has no day that can be read";

/// Has the interpreter of trades find its columns in a register.
fn name_columns(layout: &mut Layout) {
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
    let all = shared.chain(own).map(|(field, column)| (field.to_owned(), column));
    layout.fields = all.collect();
    layout.sign_rule = Some(SignRule::default());
}

impl RecordKind for QifKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = QifInterpreter<'l>;

    const SPEC: Spec = Register::SPEC;

    const PROGRAM: Option<Program> = Register::PROGRAM;

    fn header_score(cells: &[String], settings: &Settings) -> usize {
        Register::header_score(cells, settings)
    }

    fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
        let mut layout = Register::layout(preface, settings)?;
        name_columns(&mut layout);
        Ok(layout)
    }

    fn detector(
        layout: &Layout,
        settings: &Settings,
        context: Context<'_>,
    ) -> Option<Box<dyn Detect>> {
        Register::detector(layout, settings, context)
    }

    fn interpreter<'l>(
        layout: &'l Layout,
        context: Context<'l>,
    ) -> Result<QifInterpreter<'l>, Vec<LayoutProblem>> {
        let register = layout.columns.register;
        let columns = register.and_then(|register| Some((register.trades?.word, register.problem)));
        let trades = match columns {
            None => None,
            Some((word, problem)) => {
                let interpreter = trade::Interpreter::new(layout, context)?;
                Some(Trades { interpreter, word, problem })
            }
        };
        Ok(QifInterpreter { transactions: Register::interpreter(layout, context)?, trades })
    }

    fn omit_reasons(interpreter: &mut QifInterpreter<'_>) {
        interpreter.transactions.omit_reasons();
        if let Some(trades) = &mut interpreter.trades {
            trades.interpreter.omit_reasons();
        }
    }

    fn interpret<'r>(
        interpreter: &QifInterpreter<'_>,
        cells: Cells<'r>,
        scratch: &'r mut Scratch,
    ) -> Interpreted<Row<'r>> {
        if let Some(trades) = interpreter.trades.as_ref().filter(|trades| trades.has(cells)) {
            return trades.interpret(cells);
        }
        match interpreter.transactions.interpret(cells, scratch) {
            Interpreted::Row(row) => Interpreted::Row(Row::Money(row)),
            Interpreted::Invalid(reasons) => Interpreted::Invalid(reasons),
            Interpreted::NotARow => Interpreted::NotARow,
        }
    }

    /// An account that nobody has is created, also for trades: the file states what it is.
    fn names(
        row: &Row<'_>,
        row_set: Option<&RowSet>,
        name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        match row {
            Row::Money(row) => Register::names(row, row_set, name),
            Row::Trade(row) => {
                if let Some(account) = row.account {
                    name(MappingKind::Account, account, Some(row.currency));
                }
            }
        }
    }

    fn fields(row: &Row<'_>, field: &mut dyn FnMut(&'static str, &str)) {
        TradeKind::fields(row, field);
    }

    fn left_out<'r>(interpreter: &QifInterpreter<'_>, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        interpreter.transactions.left_out(cells)
    }

    fn currency(row: &Row<'_>) -> Option<Currency> {
        Some(match row {
            Row::Money(row) => row.currency,
            Row::Trade(row) => row.currency,
        })
    }

    fn line(interpreter: &QifInterpreter<'_>, cells: Cells<'_>) -> Option<u64> {
        interpreter.transactions.line(cells)
    }

    fn transaction<'a, 'r>(row: &'a Self::Row<'r>) -> Option<&'a transaction::Row<'r>> {
        match row {
            Row::Money(row) => Some(row),
            Row::Trade(_) => None,
        }
    }
}
