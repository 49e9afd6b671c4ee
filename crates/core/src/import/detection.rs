//! What the cells say about formats that nobody named.
//!
//! The reader shows every record of the file to a [`Detector`], which then completes the layout:
//! the date format, the number format, whether a direction column decides the sign, and whether
//! what looks like a currency column is one. If two formats fit equally well and differ in
//! meaning, that is a problem of the layout, which says which two; never a guess.

use super::cells::Cells;
use super::direction_words::direction;
use super::footer;
use super::interpret::is_placeholder;
use super::layout::{AmountSource, Layout};
use super::settings::Settings;
use crate::money::Currency;
use crate::text::date::{DateFormat, DateFormatDetector};
use crate::text::number::{NumberFormat, NumberFormatDetector, parse_amount};
use crate::text::{Detection, quoted};

/// Cells that are kept to see whether the best format reads any.
const SAMPLES: usize = 20;

/// Looks at every record of a file.
#[derive(Debug)]
pub struct Detector {
    date: Option<Column<DateFormatDetector>>,
    number: Option<Column<NumberFormatDetector>>,
    amount_columns: Vec<usize>,
    direction: Option<DirectionCandidate>,
    currency: Option<CurrencyCandidate>,
    date_column: usize,
}

#[derive(Debug)]
struct Column<D> {
    detector: D,
    samples: Vec<String>,
}

#[derive(Debug)]
struct DirectionCandidate {
    column: usize,
    words: u64,
    others: u64,
    signs: u64,
    last: String,
}

#[derive(Debug)]
struct CurrencyCandidate {
    column: usize,
    codes: u64,
    others: u64,
}

impl<D> Column<D> {
    fn new(detector: D) -> Self {
        Self { detector, samples: Vec::new() }
    }

    fn sample(&mut self, cell: &str) {
        if self.samples.len() < SAMPLES && !cell.is_empty() {
            self.samples.push(cell.to_owned());
        }
    }
}

impl Detector {
    /// What the cells have to decide for this layout; nothing if header and settings decide all.
    pub fn new(layout: &Layout, settings: &Settings) -> Option<Self> {
        let amount_columns = match layout.amount.as_ref()? {
            AmountSource::Signed { column } => vec![*column],
            AmountSource::DebitCredit { debit, credit } => vec![*debit, *credit],
            AmountSource::Directed { amount, .. } => vec![*amount],
        };
        let is_open = matches!(layout.amount, Some(AmountSource::Signed { .. }))
            && settings.amount_strategy.is_none()
            && settings.signage.is_none();
        let detector = Self {
            date_column: layout.columns.date?,
            date: layout.date_format.is_none().then(|| Column::new(DateFormatDetector::new())),
            number: layout
                .number_format
                .is_none()
                .then(|| Column::new(NumberFormatDetector::new())),
            direction: layout.columns.direction.filter(|_| is_open).map(DirectionCandidate::new),
            currency: layout
                .columns
                .currency
                .filter(|_| settings.labels.currency.is_none())
                .map(|column| CurrencyCandidate { column, codes: 0, others: 0 }),
            amount_columns,
        };
        detector.is_needed().then_some(detector)
    }

    fn is_needed(&self) -> bool {
        self.date.is_some()
            || self.number.is_some()
            || self.direction.is_some()
            || self.currency.is_some()
    }

    /// Takes note of a record.
    pub fn observe(&mut self, cells: Cells<'_>) {
        let day = cells.get(self.date_column);
        if !day.bytes().any(|byte| byte.is_ascii_digit())
            && footer::is_footer(cells, self.date_column, &self.amount_columns)
        {
            return;
        }
        if let Some(date) = &mut self.date {
            date.detector.observe(day);
            date.sample(day);
        }
        for column in &self.amount_columns {
            let cell = cells.get(*column);
            if let Some(number) = &mut self.number
                && !is_placeholder(cell)
            {
                number.detector.observe(cell);
                number.sample(cell);
            }
            if let Some(candidate) = &mut self.direction {
                candidate.observe(cell, cells.get(candidate.column));
            }
        }
        if let Some(candidate) = &mut self.currency {
            candidate.observe(cells.get(candidate.column));
        }
    }

    /// Writes what was found into the layout.
    pub fn finish(self, layout: &mut Layout) {
        if let Some(date) = self.date {
            complete_date(date, layout);
        }
        if let Some(number) = self.number {
            complete_number(number, layout);
        }
        if let Some(candidate) = self.direction {
            candidate.finish(layout);
        }
        if let Some(candidate) = self.currency
            && candidate.others > candidate.codes
        {
            layout.columns.currency = None;
            layout.found.retain(|name| name != "currency_col_label");
        }
    }
}

fn complete_date(date: Column<DateFormatDetector>, layout: &mut Layout) {
    let reads = |format: &DateFormat| date.samples.iter().any(|cell| format.parse(cell).is_ok());
    let found = match date.detector.finish() {
        Detection::One(format) => Ok(format),
        Detection::None { best } if reads(&best) => Ok(best),
        Detection::None { .. } => Err(unknown("date", &date.samples)),
        Detection::Ambiguous(a, b, cell) => Err(ambiguous("date", a.pattern(), b.pattern(), &cell)),
        Detection::Empty => Err("the date column is blank in every row".to_owned()),
    };
    match found {
        Ok(format) => {
            layout.date_format = Some(format.pattern().to_owned());
            layout.found.push("date_format".to_owned());
        }
        Err(problem) => layout.problems.push(problem),
    }
}

fn complete_number(number: Column<NumberFormatDetector>, layout: &mut Layout) {
    let reads = |format: NumberFormat| {
        number.samples.iter().any(|cell| parse_amount(cell, format, 8).is_ok())
    };
    let found = match number.detector.finish() {
        Detection::One(format) => Ok(format),
        Detection::None { best } if reads(best) => Ok(best),
        Detection::None { .. } => Err(unknown("number", &number.samples)),
        Detection::Ambiguous(a, b, cell) => Err(ambiguous("number", a.as_str(), b.as_str(), &cell)),
        Detection::Empty => Err("the amount column is blank in every row".to_owned()),
    };
    match found {
        Ok(format) => {
            layout.number_format = Some(format);
            layout.found.push("number_format".to_owned());
        }
        Err(problem) => layout.problems.push(problem),
    }
}

fn ambiguous(what: &str, a: &str, b: &str, cell: &str) -> String {
    let cell = quoted(cell);
    format!("{what} format is ambiguous: {a} and {b} fit equally well (for example \"{cell}\")")
}

fn unknown(what: &str, samples: &[String]) -> String {
    let cell = quoted(samples.first().map(String::as_str).unwrap_or_default());
    format!("no known {what} format fits (for example \"{cell}\")")
}

impl DirectionCandidate {
    fn new(column: usize) -> Self {
        Self { column, words: 0, others: 0, signs: 0, last: String::new() }
    }

    fn observe(&mut self, amount: &str, cell: &str) {
        if has_direction(amount) {
            self.signs += 1;
        }
        // Few different values follow each other; the one before was a word or it wasn't.
        if cell == self.last && !cell.is_empty() && self.words > 0 {
            self.words += 1;
        } else if direction(cell).is_some() {
            self.words += 1;
            self.last.clear();
            self.last.push_str(cell);
        } else {
            self.others += 1;
        }
    }

    /// The column decides only if it holds nothing but words that leave no doubt, and if the
    /// amounts themselves say nothing.
    fn finish(self, layout: &mut Layout) {
        let decides = self.words > 0 && self.others == 0 && self.signs == 0;
        if let (true, Some(AmountSource::Signed { column })) = (decides, &layout.amount) {
            layout.amount = Some(AmountSource::Directed {
                amount: *column,
                direction: self.column,
                inflow_value: None,
            });
            layout.found.push("amount_type_strategy".to_owned());
        }
    }
}

/// Whether an amount has a sign, parentheses, or `CR` or `DR`.
fn has_direction(cell: &str) -> bool {
    let bytes = cell.as_bytes();
    let has_sign = bytes.iter().any(|byte| matches!(byte, b'-' | b'(' | b'+'));
    let has_marker = bytes
        .last_chunk::<2>()
        .is_some_and(|end| end.eq_ignore_ascii_case(b"CR") || end.eq_ignore_ascii_case(b"DR"));
    has_sign || has_marker || (!cell.is_ascii() && cell.contains(['\u{2212}', '\u{2013}']))
}

impl CurrencyCandidate {
    fn observe(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        match Currency::parse(cell) {
            Some(_) => self.codes += 1,
            None => self.others += 1,
        }
    }
}

#[cfg(test)]
#[path = "detection_tests.rs"]
mod tests;
