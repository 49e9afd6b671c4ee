//! The layout of a file of transactions, as far as header and settings give it.

use super::balance::readings::columns_of;
use super::columns::{self, Columns};
use super::header_names::unknown_code_in;
use crate::error::Problem;
use crate::import::columns::missing;
use crate::import::kinds::Kind;
use crate::import::layout::{AmountSource, Layout, Preface};
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::row_filter::ColumnFilter;
use crate::import::settings::{ALL_IN, AmountStrategy, Settings, Signage};
use crate::limits::CSV_COLUMNS_MAX;
use crate::money::Currency;
use crate::money::former::Former;
use crate::text::quoted;

/// The layout, or the labels that the header lacks.
pub(super) fn layout(mut preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
    // A record with more cells is invalid, so nothing can be in the columns behind.
    preface.headers.truncate(CSV_COLUMNS_MAX);
    let mut columns = columns::resolve(&preface.headers, &settings.labels)?;
    let doubts = std::mem::take(&mut columns.doubts);
    let filter = settings.row_filter.clone().unwrap_or_default();
    let row_filter = ColumnFilter::new(&filter, |it| columns::position(&preface.headers, it))
        .map_err(|column| vec![missing("row_filter", column, &preface.headers)])?;
    let amount_currency = columns::amount_currency(&preface.headers, &columns).filter(|_| {
        // A column that was named counts more than a code in a header.
        settings.labels.currency.is_none()
    });
    let amount_currency = sent_currency(settings)?.or(amount_currency);
    let mut layout = Layout {
        amount: amount_source(&columns, settings),
        date_format: settings.date_format.clone(),
        number_format: settings.number_format,
        signage: settings.signage.unwrap_or(Signage::InflowsPositive),
        amount_currency,
        row_filter,
        problems: doubts,
        columns,
        ..Layout::of_header(Kind::Transaction, preface)
    };
    require_columns(&mut layout);
    if settings.labels.currency.is_none() {
        layout.ask_for_code();
    }
    note_found(&mut layout, settings);
    Ok(layout)
}

/// The currency that was sent for all amounts that name none.
fn sent_currency(settings: &Settings) -> Result<Option<Currency>, Vec<Problem>> {
    let sent =
        settings.labels.currency.as_deref().and_then(|label| label.trim().strip_prefix(ALL_IN));
    let Some(code) = sent else { return Ok(None) };
    let unknown = || {
        let what = format!("has \"{}\", which is no currency such as USD", quoted(code));
        vec![Problem::field("currency_col_label", what)]
    };
    Currency::parse(code.trim()).map(Some).ok_or_else(unknown)
}

impl Layout {
    /// Asks about three capitals in the header of the amount that are no currency of today; what
    /// was asked about another amount is no question any more.
    pub(super) fn ask_for_code(&mut self) {
        self.problems.retain(|problem| !matches!(problem, LayoutProblem::CodeInHeader { .. }));
        if self.columns.currency.is_some() {
            return;
        }
        let columns = self.amount.as_ref().map(columns_of);
        let found = columns.into_iter().flatten().find_map(|column| {
            let header = self.headers.get(column)?;
            let code = unknown_code_in(header)?.to_owned();
            let former = Former::parse(&code).map(Former::refusal);
            Some(LayoutProblem::CodeInHeader { header: quoted(header), code, former })
        });
        self.problems.extend(found);
    }
}

fn require_columns(layout: &mut Layout) {
    let amount = match (layout.columns.debit, layout.columns.credit) {
        (Some(_), None) => ColumnContent::MoneyIn,
        (None, Some(_)) => ColumnContent::MoneyOut,
        _ => ColumnContent::Amount,
    };
    let required =
        [(ColumnContent::Date, layout.columns.date.is_some()), (amount, layout.amount.is_some())];
    for (content, is_there) in required {
        if !is_there {
            layout.problems.push(LayoutProblem::no_column(content, &layout.headers));
        }
    }
}

fn note_found(layout: &mut Layout, settings: &Settings) {
    let (sent, columns) = (&settings.labels, &layout.columns);
    let found = [
        ("date_col_label", sent.date.is_none() && columns.date.is_some()),
        ("amount_col_label", sent.amount.is_none() && columns.amount.is_some()),
        ("name_col_label", sent.name.is_none() && !columns.names.is_empty()),
        ("category_col_label", sent.category.is_none() && columns.category.is_some()),
        ("tags_col_label", sent.tags.is_none() && columns.tags.is_some()),
        ("notes_col_label", sent.notes.is_none() && columns.notes.is_some()),
        ("account_col_label", sent.account.is_none() && columns.account.is_some()),
        ("currency_col_label", sent.currency.is_none() && columns.currency.is_some()),
        ("col_sep", settings.separator.is_none()),
    ];
    let names = found.iter().filter(|(_, found)| *found).map(|(name, _)| (*name).to_owned());
    layout.found = names.collect();
}

/// The source of the amount by the settings and the columns. A direction column that nobody named
/// as such is only a candidate, which the data decides: see [`super::detection`].
fn amount_source(columns: &Columns, settings: &Settings) -> Option<AmountSource> {
    if let (Some(debit), Some(credit)) = (columns.debit, columns.credit) {
        return Some(AmountSource::DebitCredit { debit, credit });
    }
    let column = columns.amount?;
    let custom = settings.amount_strategy == Some(AmountStrategy::CustomColumn);
    let by_words = settings.amount_strategy.is_some_and(AmountStrategy::is_of_words);
    match (columns.direction, &settings.inflow_value) {
        (Some(direction), Some(value)) if custom => Some(AmountSource::Directed {
            amount: column,
            direction,
            inflow_value: Some(value.clone()),
        }),
        (Some(direction), _) if by_words => {
            Some(AmountSource::Directed { amount: column, direction, inflow_value: None })
        }
        _ => Some(AmountSource::Signed { column }),
    }
}
