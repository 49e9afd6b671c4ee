//! Statements as PDF documents: the record kind of `PdfImport`.
//!
//! Which words of a document are days and amounts was found when its table was written, so nobody
//! has to name columns. From there on its rows are transactions of a bank, with one difference:
//! amounts that no balance proves may have been read wrongly, so that a person is asked about them.

use super::cells::{Cells, CellsBuf};
use super::import_type::ImportType;
use super::kind::{Column, Context, Detect, Interpreted, RecordKind, RowSet, Spec};
use super::kinds::Kind;
use super::layout::{Layout, Preface};
use super::layout_problem::LayoutProblem;
use super::left_out::LeftOut;
use super::mapping::MappingKind;
use super::scratch::Scratch;
use super::settings::Settings;
use super::transaction::balance::follow::Link;
use super::transaction::stated::StatedBalance;
use super::transaction::{Interpreter, Row, TransactionKind};
use crate::error::Problem;
use crate::money::Currency;

/// The header of a column that a table has if words were recognised in pictures of pages. No bank
/// writes it, and it has no cells.
pub const RECOGNISED: &str = "Recognised in pictures";

/// The record kind of statements as PDF documents.
#[derive(Debug)]
pub struct PdfKind;

/// The settings that count: the order of day and month, what a sign means, and whether balances
/// have to agree. Names of columns are those of the table, which nobody sees.
fn used(settings: &Settings) -> Settings {
    Settings {
        date_format: settings.date_format.clone(),
        signage: settings.signage,
        balance_check: settings.balance_check,
        preferred: settings.preferred.clone(),
        ..Settings::default()
    }
}

impl Layout {
    /// The question about a document with amounts or days that nothing proves.
    pub fn unproven(&self) -> Option<LayoutProblem> {
        if self.kind != Kind::Pdf {
            return None;
        }
        let is_proven = self.balance.as_ref().is_some_and(|balance| balance.proofs > 0)
            || self.stated.as_ref().is_some_and(|ends| ends.is_proven());
        if !is_proven {
            return Some(LayoutProblem::NotProven);
        }
        let is_recognised = self.headers.iter().any(|header| header == RECOGNISED);
        is_recognised.then_some(LayoutProblem::Recognised)
    }
}

impl RecordKind for PdfKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: ImportType::Pdf,
        one: TransactionKind::SPEC.one,
        many: TransactionKind::SPEC.many,
        columns: &[
            Column { field: "date", setting: "date_col_label", label: "Date", is_required: true },
            Column {
                field: "amount",
                setting: "amount_col_label",
                label: "Amount",
                is_required: true,
            },
        ],
        settings: &["date_format", "signage_convention", "balance_check"],
        has_account: true,
        is_whole: false,
        reads_without_header: false,
    };

    fn header_score(cells: &[String], _settings: &Settings) -> usize {
        TransactionKind::header_score(cells, &Settings::default())
    }

    fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
        let layout = TransactionKind::layout(preface, &used(settings))?;
        Ok(Layout { kind: Kind::Pdf, ..layout })
    }

    fn wants_records(layout: &Layout) -> bool {
        TransactionKind::wants_records(layout)
    }

    fn complete(layout: &mut Layout, settings: &Settings, records: &[CellsBuf]) {
        TransactionKind::complete(layout, &used(settings), records);
    }

    fn detector(
        layout: &Layout,
        settings: &Settings,
        context: Context<'_>,
    ) -> Option<Box<dyn Detect>> {
        TransactionKind::detector(layout, &used(settings), context)
    }

    fn interpreter<'l>(
        layout: &'l Layout,
        context: Context<'l>,
    ) -> Result<Interpreter<'l>, Vec<LayoutProblem>> {
        TransactionKind::interpreter(layout, context)
    }

    fn omit_reasons(interpreter: &mut Interpreter<'_>) {
        TransactionKind::omit_reasons(interpreter);
    }

    fn interpret<'r>(
        interpreter: &Interpreter<'_>,
        cells: Cells<'r>,
        scratch: &'r mut Scratch,
    ) -> Interpreted<Row<'r>> {
        TransactionKind::interpret(interpreter, cells, scratch)
    }

    fn names(
        row: &Row<'_>,
        row_set: Option<&RowSet>,
        name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        TransactionKind::names(row, row_set, name);
    }

    fn link<'r>(
        interpreter: &Interpreter<'_>,
        cells: Cells<'r>,
        row: &Row<'_>,
    ) -> Option<Link<'r>> {
        TransactionKind::link(interpreter, cells, row)
    }

    fn left_out<'r>(interpreter: &Interpreter<'_>, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        TransactionKind::left_out(interpreter, cells)
    }

    fn stated(
        interpreter: &Interpreter<'_>,
        cells: Cells<'_>,
        scratch: &mut Scratch,
    ) -> Option<StatedBalance> {
        TransactionKind::stated(interpreter, cells, scratch)
    }

    fn doubt(interpreter: &Interpreter<'_>, cells: Cells<'_>) -> Option<String> {
        TransactionKind::doubt(interpreter, cells)
    }

    fn is_alike(interpreter: &Interpreter<'_>, cells: Cells<'_>) -> bool {
        interpreter.is_alike(cells)
    }

    fn currency(row: &Row<'_>) -> Option<Currency> {
        TransactionKind::currency(row)
    }

    fn transaction<'a, 'r>(row: &'a Self::Row<'r>) -> Option<&'a Row<'r>> {
        Some(row)
    }
}
