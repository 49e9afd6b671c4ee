//! The record kinds of registers: rows are transactions, only the columns are known beforehand.

use std::marker::PhantomData;

use super::Program;
use super::columns::resolve;
use super::parts::RegisterDetector;
use super::row::{Interpreter, Row, SideRecord, name_columns};
use crate::error::Problem;
use crate::import::cells::Cells;
use crate::import::import_type::ImportType;
use crate::import::kind::{Context, Detect, Interpreted, RecordKind, RowSet, Spec};
use crate::import::kinds::Kind;
use crate::import::layout::{Layout, Preface};
use crate::import::layout_problem::LayoutProblem;
use crate::import::left_out::LeftOut;
use crate::import::mapping::MappingKind;
use crate::import::scratch::Scratch;
use crate::import::settings::{BalanceCheck, Labels, Settings, Signage};
use crate::import::trade::{self, TradeKind};
use crate::import::transaction::detection::Detector;
use crate::import::transaction::{self, TransactionKind};
use crate::money::Currency;
use crate::text::number::NumberFormat;

/// The record kind of the exports of a program.
#[derive(Debug)]
pub struct RegisterKind<P>(PhantomData<P>);

/// What differs from one program to the next once its file is a register.
pub trait Export: std::fmt::Debug + 'static {
    /// The program that writes such files.
    const PROGRAM: Program;
    /// The row of the table of kinds.
    const KIND: Kind;
    /// The type of import that has such files.
    const IMPORT_TYPE: ImportType;
    /// How the program writes dates, if it is always the same way.
    const DATE_FORMAT: Option<&'static str> = None;
    /// How the program writes amounts, if it is always the same way.
    const NUMBER_FORMAT: Option<NumberFormat> = None;
}

/// Exports of the program Mint.
#[derive(Debug)]
pub struct Mint;

impl Export for Mint {
    const PROGRAM: Program = Program::Mint;
    const KIND: Kind = Kind::Mint;
    const IMPORT_TYPE: ImportType = ImportType::Mint;
    // It was for the United States and Canada, and wrote both in this way.
    const DATE_FORMAT: Option<&'static str> = Some("%m/%d/%Y");
    const NUMBER_FORMAT: Option<NumberFormat> = Some(NumberFormat::CommaDot);
}

/// The record kind of Mint's exports.
pub type MintKind = RegisterKind<Mint>;

/// Exports of YNAB, which writes days and amounts as each budget has it.
#[derive(Debug)]
pub struct Ynab;

impl Export for Ynab {
    const PROGRAM: Program = Program::Ynab;
    const KIND: Kind = Kind::Ynab;
    const IMPORT_TYPE: ImportType = ImportType::Ynab;
}

/// The record kind of YNAB's exports.
pub type YnabKind = RegisterKind<Ynab>;

/// Exports of Actual Budget.
#[derive(Debug)]
pub struct Actual;

impl Export for Actual {
    const PROGRAM: Program = Program::Actual;
    const KIND: Kind = Kind::Actual;
    const IMPORT_TYPE: ImportType = ImportType::Actual;
    const DATE_FORMAT: Option<&'static str> = Some("%Y-%m-%d");
    const NUMBER_FORMAT: Option<NumberFormat> = Some(NumberFormat::CommaDot);
}

/// The record kind of Actual Budget's exports.
pub type ActualKind = RegisterKind<Actual>;

/// Files in the Quicken Interchange Format, in which each program writes days and amounts its way.
#[derive(Debug)]
pub struct Qif;

impl Export for Qif {
    const PROGRAM: Program = Program::Qif;
    const KIND: Kind = Kind::Qif;
    const IMPORT_TYPE: ImportType = ImportType::Qif;
}

/// The record kind of QIF files.
pub type QifKind = RegisterKind<Qif>;

/// What a register's columns and signs leave open is nothing but formats.
fn detected(settings: &Settings) -> Settings {
    let named = || Some(String::new());
    let labels = Labels {
        date: named(),
        amount: named(),
        account: named(),
        currency: named(),
        ..Labels::default()
    };
    Settings {
        labels,
        signage: Some(Signage::InflowsPositive),
        balance_check: Some(BalanceCheck::Ignore),
        preferred: settings.preferred.clone(),
        ..Settings::default()
    }
}

impl<P: Export> RecordKind for RegisterKind<P> {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: P::IMPORT_TYPE,
        one: TransactionKind::SPEC.one,
        many: TransactionKind::SPEC.many,
        // A program's columns are known: nobody has to choose one.
        columns: &[],
        settings: &["date_format", "number_format"],
        has_account: true,
        is_whole: false,
        reads_without_header: false,
    };

    const PROGRAM: Option<Program> = Some(P::PROGRAM);

    fn header_score(cells: &[String], _settings: &Settings) -> usize {
        if resolve(cells).is_some() { cells.len() } else { 0 }
    }

    fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
        let resolved = resolve(&preface.headers);
        let mut layout = Layout {
            date_format: settings.date_format.clone().or(P::DATE_FORMAT.map(str::to_owned)),
            number_format: settings.number_format.or(P::NUMBER_FORMAT),
            ..Layout::of_header(P::KIND, preface)
        };
        match resolved {
            Some((columns, amount)) => (layout.columns, layout.amount) = (columns, Some(amount)),
            None => layout.problems.push(LayoutProblem::from(format!(
                "this is not the text of an export of {}",
                P::PROGRAM.as_str()
            ))),
        }
        name_columns(&mut layout);
        Ok(layout)
    }

    fn detector(
        layout: &Layout,
        settings: &Settings,
        context: Context<'_>,
    ) -> Option<Box<dyn Detect>> {
        let inner = || {
            let detector = Detector::new(layout, &detected(settings), context);
            detector.map(|detector| Box::new(detector) as Box<dyn Detect>)
        };
        let into_one = context.account.is_some();
        let detector = RegisterDetector::new([inner(), inner()], layout, into_one)?;
        Some(Box::new(detector))
    }

    fn interpreter<'l>(
        layout: &'l Layout,
        context: Context<'l>,
    ) -> Result<Interpreter<'l>, Vec<LayoutProblem>> {
        Interpreter::new(layout, context)
    }

    fn omit_reasons(interpreter: &mut Interpreter<'_>) {
        interpreter.omit_reasons();
    }

    fn interpret<'r>(
        interpreter: &Interpreter<'_>,
        cells: Cells<'r>,
        scratch: &'r mut Scratch,
    ) -> Interpreted<Row<'r>> {
        interpreter.interpret(cells, scratch)
    }

    fn names(
        row: &Row<'_>,
        row_set: Option<&RowSet>,
        name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        match row {
            Row::Transaction(row) => TransactionKind::names(row, row_set, name),
            // An account that nobody has is created for trades, too: the file states what it is.
            Row::Trade(row) => {
                if let Some(account) = row.account {
                    name(MappingKind::Account, account, Some(row.currency));
                }
            }
            Row::Record(SideRecord::Budget(row)) => {
                name(MappingKind::Category, row.category, None);
            }
            Row::Record(SideRecord::Category(row)) => name(MappingKind::Category, row.name, None),
            Row::Record(SideRecord::Tag(row)) => name(MappingKind::Tag, row.name, None),
            Row::Record(SideRecord::Price(_) | SideRecord::Listed(_)) => {}
        }
    }

    fn fields(row: &Row<'_>, field: &mut dyn FnMut(&'static str, &str)) {
        match row {
            Row::Transaction(row) => TradeKind::fields(&trade::Row::Money(*row), field),
            Row::Trade(row) => TradeKind::fields(&trade::Row::Trade(*row), field),
            Row::Record(record) => {
                let (what, name) = record.shown();
                field("type", what);
                field("name", &name);
            }
        }
    }

    fn left_out<'r>(interpreter: &Interpreter<'_>, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        interpreter.left_out(cells)
    }

    fn currency(row: &Row<'_>) -> Option<Currency> {
        Some(match row {
            Row::Transaction(row) => row.currency,
            Row::Trade(row) => row.currency,
            Row::Record(SideRecord::Price(row)) => row.currency,
            Row::Record(SideRecord::Budget(row)) => row.currency,
            Row::Record(SideRecord::Category(_) | SideRecord::Tag(_) | SideRecord::Listed(_)) => {
                return None;
            }
        })
    }

    fn line(interpreter: &Interpreter<'_>, cells: Cells<'_>) -> Option<u64> {
        interpreter.transactions.line(cells)
    }

    fn transaction<'a, 'r>(row: &'a Self::Row<'r>) -> Option<&'a transaction::Row<'r>> {
        match row {
            Row::Transaction(row) => Some(row),
            Row::Trade(_) | Row::Record(_) => None,
        }
    }
}
