//! Transactions of a bank: the record kind of `TransactionImport`.
//!
//! Columns are found by well-known header names of banks ([`header_names`]), formats by looking at
//! every cell ([`detection`]); [`interpret`] makes a row of a record, and [`duplicates`] decides
//! which rows stand for entries that the ledger has.

mod anchors;
pub mod balance;
pub mod columns;
pub mod content;
mod continued;
pub mod detection;
pub(in crate::import) mod direction_words;
pub mod duplicates;
mod flag_words;
pub(super) mod footer;
pub mod header_names;
pub mod interpret;
mod layout;
pub mod look_alikes;
pub mod of_statements;
pub mod reversals;
mod row_gate;
mod several_accounts;
pub mod stated;
mod status_column;
pub(in crate::import) mod status_words;
pub(super) mod tags;
pub mod totals;

pub use anchors::{kind_of as anchor_kind, names_opening};
pub use interpret::{Interpreter, Row};
pub use several_accounts::ACCOUNT_OF_SEVERAL;

use super::cells::{Cells, CellsBuf};
use super::import_type::ImportType;
use super::kind::{Column, Context, Detect, Interpreted, RecordKind, RowSet, Spec};
use super::layout::{Layout, Preface};
use super::layout_problem::LayoutProblem;
use super::left_out::LeftOut;
use super::mapping::MappingKind;
use super::rate::{INVERSE_RATE_SETTING, RATE_SETTING};
use super::scratch::Scratch;
use super::settings::Settings;
use crate::error::Problem;
use crate::money::Currency;
use balance::follow::Link;
use detection::Detector;
use stated::StatedBalance;

/// The record kind of files with transactions.
#[derive(Debug)]
pub struct TransactionKind;

const fn column(
    field: &'static str,
    setting: &'static str,
    label: &'static str,
    is_required: bool,
) -> Column {
    Column { field, setting, label, is_required }
}

impl RecordKind for TransactionKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: ImportType::Transaction,
        one: "transaction",
        many: "transactions",
        columns: &[
            column("date", "date_col_label", "Date", true),
            column("amount", "amount_col_label", "Amount", true),
            column("debit", "debit_col_label", "Money out", false),
            column("credit", "credit_col_label", "Money in", false),
            column("name", "name_col_label", "Name", false),
            column("category", "category_col_label", "Category", false),
            column("tags", "tags_col_label", "Tags", false),
            column("notes", "notes_col_label", "Notes", false),
            column("account", "account_col_label", "Account", false),
            column("currency", "currency_col_label", "Currency", false),
            column("balance", "balance_col_label", "Balance", false),
            column("direction", "entity_type_col_label", "In or out", false),
            column("exchange_rate", RATE_SETTING, "Exchange rate", false),
            column("inverse_rate", INVERSE_RATE_SETTING, "Inverse exchange rate", false),
        ],
        settings: &[
            "date_format",
            "number_format",
            "signage_convention",
            "col_sep",
            "amount_type_strategy",
            "amount_type_inflow_value",
            "balance_check",
            "has_header",
            "row_filter",
            "rows_to_skip",
            "sheet",
        ],
        has_account: true,
        is_whole: false,
        reads_without_header: true,
    };

    fn header_score(cells: &[String], settings: &Settings) -> usize {
        columns::header_score(cells, &settings.labels)
    }

    fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
        layout::layout(preface, settings)
    }

    fn wants_records(layout: &Layout) -> bool {
        content::is_needed(layout)
    }

    fn complete(layout: &mut Layout, settings: &Settings, records: &[CellsBuf]) {
        content::complete(layout, settings, records);
    }

    fn detector(
        layout: &Layout,
        settings: &Settings,
        context: Context<'_>,
    ) -> Option<Box<dyn Detect>> {
        let detector = Detector::new(layout, settings, context);
        let detector = detector.map(|detector| Box::new(detector) as Box<dyn Detect>);
        several_accounts::watched(detector, layout, context)
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
        _row_set: Option<&RowSet>,
        name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        if let Some(account) = row.account {
            name(MappingKind::Account, account, Some(row.currency));
        }
        if let Some(category) = row.category {
            name(MappingKind::Category, category, None);
        }
        for category in row.parts.iter().filter_map(|part| part.category) {
            name(MappingKind::Category, category, None);
        }
        for tag in row.tags.iter().chain(row.parts.iter().filter_map(|part| part.tag)) {
            name(MappingKind::Tag, tag, None);
        }
    }

    fn link<'r>(
        interpreter: &Interpreter<'_>,
        cells: Cells<'r>,
        row: &Row<'_>,
    ) -> Option<Link<'r>> {
        interpreter.link(cells, row)
    }

    fn left_out<'r>(interpreter: &Interpreter<'_>, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        interpreter.left_out(cells)
    }

    fn stated(
        interpreter: &Interpreter<'_>,
        cells: Cells<'_>,
        scratch: &mut Scratch,
    ) -> Option<StatedBalance> {
        interpreter.stated(cells, scratch)
    }

    fn doubt(interpreter: &Interpreter<'_>, cells: Cells<'_>) -> Option<String> {
        interpreter.doubt(cells)
    }

    fn is_alike(interpreter: &Interpreter<'_>, cells: Cells<'_>) -> bool {
        interpreter.is_alike(cells)
    }

    fn currency(row: &Row<'_>) -> Option<Currency> {
        Some(row.currency)
    }

    fn transaction<'a, 'r>(row: &'a Self::Row<'r>) -> Option<&'a Row<'r>> {
        Some(row)
    }
}
