//! How a file of trades is written, found in all of its cells: days, numbers, and the one rule for
//! signs.

mod totals;

use jiff::civil::Date;
use totals::Totals;

use super::columns::{self, WORDS};
use super::signs::{Flow, QuantitySign, SignCounts, SignRule, SignedRow, TotalMeaning};
use super::words::{self, TypeWord};
use crate::import::cells::Cells;
use crate::import::kind::{Context, Detect};
use crate::import::layout::Layout;
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::settings::{Formats, Settings, Signage};
use crate::import::transaction::detection::{Column, complete_date, complete_number};
use crate::import::transaction::interpret::is_placeholder;
use crate::import::transaction::status_words::{Status, status};
use crate::text::date::DateFormatDetector;
use crate::text::number::{NumberFormat, NumberFormatDetector, Written, written_sign};

/// Looks at every record of a file.
#[derive(Debug)]
pub(super) struct Detector {
    columns: Columns,
    date: Option<Column<DateFormatDetector>>,
    numbers: Option<Column<NumberFormatDetector>>,
    /// What each column shows that may be that of the type; of several the one with words
    /// that are understood is it.
    words: Vec<WordColumn>,
    status: Option<StatusWords>,
    /// Whether positive quantities come in, by a setting.
    positive: Option<bool>,
    /// What totals contain, by a setting.
    total: Option<TotalMeaning>,
    preferred: Formats,
    as_of: Date,
}

#[derive(Debug, Clone, Copy)]
struct Columns {
    date: Option<usize>,
    qty: Option<usize>,
    price: Option<usize>,
    amount: Option<usize>,
    cost: Option<usize>,
    fees: [Option<usize>; 3],
    /// Rates between the currency of the price and that of the total.
    rates: [Option<usize>; 2],
}

/// A column of types, or none, and what signs mean by its words.
#[derive(Debug, Default)]
struct WordColumn {
    column: Option<usize>,
    /// Cells with words that are understood.
    known: u64,
    signs: SignCounts,
    totals: Totals,
}

/// The words in the column of the status.
#[derive(Debug)]
struct StatusWords {
    column: usize,
    has_known: bool,
    /// The first word that nobody knows, and whether there is another one.
    unknown: Option<String>,
    has_others: bool,
}

impl StatusWords {
    /// Takes the word of a row; whether nothing becomes of such a row.
    fn leaves_out(&mut self, cell: &str) -> bool {
        match status(cell) {
            Some(found) => {
                self.has_known = true;
                return found != Status::Booked;
            }
            None if cell.is_empty() => {}
            None => match &self.unknown {
                Some(known) => self.has_others |= known != cell,
                None => self.unknown = Some(cell.to_owned()),
            },
        }
        false
    }
}

impl Detector {
    /// What the cells have to decide for this layout.
    pub(super) fn new(layout: &Layout, settings: &Settings, context: Context<'_>) -> Self {
        let at = |field: &str| layout.fields.get(field).copied();
        // A quantity under a label that was sent has the sign that the interface documents.
        let is_named = settings.label("qty_col_label").is_some();
        let positive = settings.signage.map(is_positive);
        Self {
            columns: Columns {
                date: at("date"),
                qty: at("qty"),
                price: at("price"),
                amount: at("amount"),
                cost: at("cost"),
                fees: [at("fee"), at("further_fee"), at("tax")],
                rates: [at("exchange_rate"), at("inverse_rate")],
            },
            date: layout.date_format.is_none().then(|| Column::new(DateFormatDetector::new())),
            numbers: layout
                .number_format
                .is_none()
                .then(|| Column::new(NumberFormatDetector::new())),
            words: word_columns(layout),
            status: at("status").map(|column| StatusWords {
                column,
                has_known: false,
                unknown: None,
                has_others: false,
            }),
            positive: positive.or((is_named && at("type").is_none()).then_some(true)),
            total: settings.total_meaning,
            preferred: settings.preferred.clone(),
            as_of: context.as_of,
        }
    }
}

/// The columns that may be that of the type: the one that was sent, else all that are called so.
fn word_columns(layout: &Layout) -> Vec<WordColumn> {
    let chosen = layout.fields.get("type").copied();
    let is_found = layout.found.iter().any(|one| one == "entity_type_col_label");
    let is_free = |column: &usize| {
        chosen == Some(*column) || !layout.fields.values().any(|taken| taken == column)
    };
    let columns = match chosen {
        Some(_) if is_found => WORDS.columns_of(&layout.headers, "type"),
        chosen => chosen.into_iter().collect(),
    };
    let of = |column| WordColumn { column, ..WordColumn::default() };
    let mut found: Vec<WordColumn> =
        columns.into_iter().filter(is_free).map(|column| of(Some(column))).collect();
    if found.is_empty() {
        found.push(of(None));
    }
    found
}

impl WordColumn {
    fn observe(&mut self, cells: Cells<'_>, columns: &Columns, signs: [Option<bool>; 5]) {
        let cell = self.column.map_or("", |column| cells.get(column));
        let word = words::meaning(cell);
        self.known += u64::from(word.is_some());
        let row = signed_row(word, cell.is_empty(), signs);
        self.signs.add(&row);
        self.totals.keep(cells, columns, &row);
    }

    /// Whether the type of a row is one of shares that come in.
    fn is_move(&self, cells: Cells<'_>) -> bool {
        let word = words::meaning(self.column.map_or("", |column| cells.get(column)));
        matches!(word, Some(TypeWord::Transfer | TypeWord::TransferIn))
    }
}

impl Detect for Detector {
    fn observe(&mut self, cells: Cells<'_>) {
        let day = self.columns.date.map_or("", |column| cells.get(column));
        if !day.bytes().any(|byte| byte.is_ascii_digit()) {
            // A total or a remark.
            return;
        }
        if let Some(status) = &mut self.status
            && status.leaves_out(cells.get(status.column))
        {
            return;
        }
        let day = super::day(day);
        if let Some(date) = &mut self.date {
            date.detector.observe(day);
            date.sample(day);
        }
        let Columns { qty, price, amount, cost, fees: [fee, further, tax], .. } = self.columns;
        // Of other rows the cost isn't read.
        let cost = cost.filter(|_| self.words.iter().any(|word| word.is_move(cells)));
        if let Some(numbers) = &mut self.numbers {
            for column in [qty, price, amount, cost, fee, further, tax].into_iter().flatten() {
                let cell = cells.get(column);
                if !is_placeholder(cell) {
                    numbers.detector.observe(cell);
                    numbers.sample(cell);
                }
            }
        }
        let sign = |column: Option<usize>| {
            let cell = cells.get(column?);
            let is_zero = !cell.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
            (!is_zero).then(|| written_sign(cell) == Written::Minus)
        };
        let signs = [qty, amount, fee, further, tax].map(sign);
        self.words.iter_mut().for_each(|word| word.observe(cells, &self.columns, signs));
    }

    fn finish(self: Box<Self>, layout: &mut Layout) {
        let this = *self;
        match this.date {
            Some(date) if date.is_blank() => {
                let content = ColumnContent::Date;
                layout.problems.push(LayoutProblem::BlankColumn { content });
            }
            Some(date) => {
                let preferred = this.preferred.date_format.as_deref();
                complete_date(date, preferred, this.as_of, layout);
            }
            None => {}
        }
        match this.numbers {
            // Nothing is read in it.
            Some(numbers) if numbers.is_blank() => {
                layout.number_format = Some(NumberFormat::CommaDot);
            }
            Some(numbers) => {
                complete_number(numbers, this.preferred.number_format, None, layout);
            }
            None => {}
        }
        let is_found = layout.found.iter().any(|one| one == "status_col_label");
        let is_other = |one: &StatusWords| is_found && !one.has_known && !one.has_others;
        if let Some(status) = this.status.filter(is_other) {
            // One word in all rows is about something else.
            layout.fields.retain(|_, column| *column != status.column);
            layout.found.retain(|setting| setting != "status_col_label");
        }
        // Of columns with as many words the preferred one is it.
        let most = this.words.iter().map(|word| word.known).max().unwrap_or_default();
        let chosen = this.words.into_iter().find(|word| word.known == most);
        let WordColumn { column, signs, totals, .. } = chosen.unwrap_or_default();
        if let Some(column) = column {
            layout.fields.insert("type".to_owned(), column);
        }
        let preferred = this.preferred.signage.map(is_positive);
        let quantity = signs.quantity(this.positive).or_else(|| signs.quantity(preferred));
        let Some(quantity) = quantity else {
            let header = this.columns.qty.map(|column| layout.header(column)).unwrap_or_default();
            layout.problems.push(LayoutProblem::UnknownTradeDirection { header });
            return;
        };
        let fees_are_negative = signs.fees_are_negative();
        let shown = || totals.meaning(layout.number_format?);
        let total = this.total.or_else(shown).or_else(|| columns::meaning_of_header(layout));
        layout.sign_rule = Some(SignRule {
            quantity,
            amount: signs.amount(),
            income: signs.income(),
            total,
            fees_are_negative,
        });
        if quantity == QuantitySign::NegativeComesIn {
            layout.signage = Signage::InflowsNegative;
        }
        if this.positive.is_none() {
            layout.found.push("signage_convention".to_owned());
        }
    }
}

fn is_positive(signage: Signage) -> bool {
    signage == Signage::InflowsPositive
}

fn signed_row(
    word: Option<TypeWord>,
    is_blank: bool,
    [quantity, amount, fee, further, tax]: [Option<bool>; 5],
) -> SignedRow {
    let shares = match word {
        Some(TypeWord::Buy) => Some(Flow::In),
        Some(TypeWord::Sell) => Some(Flow::Out),
        _ => None,
    };
    SignedRow {
        shares,
        is_spent: matches!(word, Some(TypeWord::Fee | TypeWord::Withdrawal)),
        is_income: matches!(word, Some(TypeWord::Dividend)),
        is_trade: matches!(word, Some(TypeWord::Trade)) || (word.is_none() && is_blank),
        quantity,
        amount,
        fees: [fee, further, tax],
    }
}
