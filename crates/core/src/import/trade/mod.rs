//! Trades: the record kind of `TradeImport`.
//!
//! A row is a trade of a security, or money that moves in an account for trades and belongs to no
//! security, which becomes a transaction. What happened is stated by a word (`words`) or by
//! signs; [`signs`] has the one rule by which signs of quantities, amounts and fees are read in a
//! file. A total that a row states must follow from quantity, price and fee (`total`). Which
//! security a row means is decided when the rows are planned ([`security`]).

mod columns;
mod detection;
mod event;
pub mod fingerprint;
#[cfg(test)]
mod generated_tests;
mod interpret;
mod ratio;
pub mod security;
pub mod signs;
#[cfg(test)]
mod tests;
mod total;
mod words;

pub use columns::{OWN_HEADER, STATEMENT_HEADER};
pub use interpret::{Interpreter, Row, TradeRow};
pub use words::{NOT_USED, OPENING_POSITION, OPENING_SHORT_POSITION, SECURITY_PRICE};

use super::cells::Cells;
use super::import_type::ImportType;
use super::kind::{Context, Detect, Interpreted, RecordKind, RowSet, Spec};
use super::layout::{Layout, Preface};
use super::layout_problem::{ColumnContent, LayoutProblem};
use super::left_out::LeftOut;
use super::mapping::MappingKind;
use super::scratch::Scratch;
use super::settings::Settings;
use crate::error::Problem;
use crate::ledger::trade::TradeType;
use crate::money::Currency;
use crate::money::decimal::{amount_text, quantity_text};
use crate::named::Named;

/// Whether a header is that of a file of trades: it has their days, securities, quantities and
/// prices or totals.
pub fn is_header(cells: &[String]) -> bool {
    let has = |field: &str| !columns::WORDS.columns_of(cells, field).is_empty();
    has("date")
        && has("qty")
        && (has("ticker") || has("isin"))
        && (has("price") || has("amount"))
        && (has("price") || has("type") || has("fee"))
}

/// The day of a cell that has another one behind it, as in `05/16/2024 as of 05/15/2024`.
fn day(cell: &str) -> &str {
    cell.split(" as of ").next().unwrap_or(cell)
}

/// The record kind of files with trades.
#[derive(Debug)]
pub struct TradeKind;

impl RecordKind for TradeKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: ImportType::Trade,
        one: "trade",
        many: "trades",
        columns: &columns::COLUMNS,
        settings: &[
            "date_format",
            "number_format",
            "signage_convention",
            "total_meaning",
            "balance_check",
            "col_sep",
            "rows_to_skip",
            "sheet",
        ],
        has_account: true,
        is_whole: false,
        reads_without_header: false,
    };

    fn header_score(cells: &[String], settings: &Settings) -> usize {
        columns::WORDS.header_score(cells, settings)
    }

    fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
        let mut layout = columns::WORDS.layout(preface, settings)?;
        columns::complete(&mut layout);
        layout.date_format.clone_from(&settings.date_format);
        layout.number_format = settings.number_format;
        let has = |field: &str| layout.fields.contains_key(field);
        let mut lacking = Vec::new();
        if !has("ticker") && !has("isin") {
            lacking.push(ColumnContent::Ticker);
        }
        if !has("qty") && !has("amount") {
            lacking.push(ColumnContent::Quantity);
        }
        let problems = lacking
            .into_iter()
            .map(|content| LayoutProblem::no_column(content, &layout.headers))
            .collect::<Vec<_>>();
        layout.problems.extend(problems);
        Ok(layout)
    }

    fn detector(
        layout: &Layout,
        settings: &Settings,
        context: Context<'_>,
    ) -> Option<Box<dyn Detect>> {
        Some(Box::new(detection::Detector::new(layout, settings, context)))
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
        _scratch: &'r mut Scratch,
    ) -> Interpreted<Row<'r>> {
        interpreter.interpret(cells)
    }

    fn left_out<'r>(interpreter: &Interpreter<'_>, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        interpreter.left_out(cells)
    }

    /// Whatever the currency of a row is, it goes into the account that it names.
    fn names(
        row: &Row<'_>,
        _row_set: Option<&RowSet>,
        name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        if let Some(account) = row.account() {
            name(MappingKind::Account, account, None);
        }
    }

    /// Quantities come in if they are positive, amounts go out if they are: as the ledger has them.
    fn fields(row: &Row<'_>, field: &mut dyn FnMut(&'static str, &str)) {
        let mut text = |name, text: Option<&str>| {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                field(name, text);
            }
        };
        match row {
            Row::Trade(row) => {
                let scaled = |amount| amount_text(amount, row.currency);
                text("date", Some(&row.date.to_string()));
                text("type", Some(row.terms.trade_type.name()));
                text("ticker", row.security.ticker);
                text("exchange_operating_mic", row.security.mic);
                text("isin", row.security.isin);
                text("security_name", row.security.name);
                if !row.effect.quantity.is_zero() {
                    text("qty", Some(&quantity_text(row.effect.quantity)));
                }
                if !row.terms.price.is_zero() {
                    text("price", Some(&row.terms.price.normalize().to_string()));
                }
                if row.terms.fee != 0 {
                    text("fee", Some(&scaled(row.terms.fee)));
                }
                text("amount", Some(&scaled(row.effect.cash)));
                if row.terms.trade_type == TradeType::TransferIn {
                    text("cost", row.effect.cost.map(scaled).as_deref());
                }
                text("currency", Some(row.currency.code()));
                text("exchange_rate", row.rate.map(|rate| rate.to_string()).as_deref());
                if let Some(split) = row.split {
                    text("split_ratio", Some(&format!("{}:{}", split.to, split.from)));
                }
                text("name", Some(row.name));
                text("notes", row.notes);
                text("external_id", row.external_id);
            }
            Row::Record(record) => {
                let (what, name) = record.shown();
                text("type", Some(what));
                text("name", Some(&name));
            }
            Row::Money(row) => {
                text("date", Some(&row.date.to_string()));
                text("amount", Some(&amount_text(row.amount, row.currency)));
                text("currency", Some(row.currency.code()));
                text("exchange_rate", row.rate.map(|rate| rate.to_string()).as_deref());
                text("name", Some(row.name));
                text("notes", row.notes);
                text("external_id", row.external_id);
            }
        }
    }
}
