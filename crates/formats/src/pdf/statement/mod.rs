//! Lines of text as a statement of a bank.
//!
//! A table is found by the names above its columns, which are those that imports know, and by
//! amounts that stand below each other. Which column is which, where signs belong and in which
//! order rows stand, is decided by the balances: the reading is taken under which they follow from
//! the amounts ([`reading`]). If none is proven, the first one is shown, and the import asks. A
//! document about several accounts is divided, and each is proven by itself ([`parts`]).

mod accounts;
mod amounts;
mod dates;
mod facts;
mod header;
mod labels;
mod marks;
pub(super) mod pages;
mod parts;
mod picture;
mod reading;
mod recognised;
mod rows;
mod sections;
mod table;
mod unread;

use std::io::Write;

use super::Text;
use super::error::{PdfError, Result};
use super::lines::Line;
use amounts::WrittenAmount;
use dates::{DayOrder, Period};
use pages::PictureOf;
use parts::Part;
use purser_core::import::file_statement::FileStatement;
use purser_core::import::left_out::AnchorKind;
pub use reading::PdfProof;
use reading::{Booked, Reading};
use rows::{RawRow, Scanned};
use table::{Common, Sheet};

/// What is known of a document after it became a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdfFacts {
    /// How many pages it has.
    pub pages: u32,
    /// How many rows the table has, those of balances not counted.
    pub rows: u64,
    /// What proves its rows.
    pub proof: PdfProof,
    /// The balances at the ends of its accounts that no line states, each as a sentence without a
    /// full stop. Without them nothing shows that all rows were read.
    pub unstated_ends: Vec<String>,
    /// What it states about itself, and about each account if there are several.
    pub statements: Vec<FileStatement>,
}

/// How the days of a document are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Days {
    /// None if both orders fit, so that a person has to decide.
    order: Option<DayOrder>,
    period: Period,
}

/// A document that was read.
struct Read<'l> {
    sheets: Vec<Sheet<'l>>,
    statements: Vec<FileStatement>,
    proof: PdfProof,
}

/// Finds the table in the text, and writes it and the pages. What was recognised in pictures is
/// taken only if it is proven.
pub(super) fn write(text: &Text, table: impl Write, pages: impl Write) -> Result<PdfFacts> {
    let found = match read(text) {
        Err(PdfError::NoTable) => {
            unread::require_none(&text.unread)?;
            return Err(PdfError::NoTable);
        }
        found => found?,
    };
    if text.is_recognised {
        recognised::require_proven(&text.lines, &found)?;
    }
    if !found.is_whole() || unread::may_go_on(&text.lines) {
        unread::require_none(&text.unread)?;
    }
    found.write(text, table, pages)
}

/// Writes a picture of the page that a line of the table was made of.
pub(super) fn write_picture(text: &Text, line: u64, target: impl Write) -> Result<()> {
    let failed = |_| PdfError::Damaged("its picture can't be written");
    let found = read(text)?;
    let mut pages = Vec::new();
    found.write_pages(&text.lines, &mut pages).map_err(failed)?;
    let is_drawn =
        pages::draw(&pages[..], &PictureOf::Lines(vec![line]), target).map_err(failed)?;
    if is_drawn { Ok(()) } else { Err(PdfError::NoSuchLine) }
}

fn read(text: &Text) -> Result<Read<'_>> {
    let Text { lines, is_recognised, .. } = text;
    let parts = parts::read(lines, amounts::style_of(lines))?;
    let days = days_of(lines, &parts);
    let is_one = parts.len() == 1;
    let (mut sheets, mut statements) = (Vec::new(), Vec::new());
    let mut proof = PdfProof::Proven;
    for (part, days) in parts.into_iter().zip(days) {
        let Part { account, lines: of_part, scanned, mut reading } = part;
        let number = account.or_else(|| iban(lines)).unwrap_or_default();
        oldest_first(&scanned, &days, &mut reading);
        if is_one {
            hide_closing(&mut reading);
            proof = reading.proof;
        } else {
            in_order(&scanned, &days, &mut reading);
            reading = reading.with_all_balances().ok_or(PdfError::SeveralAccounts)?;
        }
        let mut statement = facts::statement(lines, &of_part, &number, days.period);
        if *is_recognised {
            statement = recognised::without_unproven(statement, &number);
        }
        let account = if is_one { String::new() } else { number.clone() };
        statements.push(FileStatement { account, ..statement });
        let common = Common { currency: currency(&scanned, *is_recognised), account: number };
        sheets.push(Sheet { scanned, reading, days, common, lines: of_part });
    }
    Ok(Read { sheets, statements, proof })
}

impl Read<'_> {
    /// Whether the only account is proven from a line with its opening balance to one with its
    /// closing balance. A balance that is carried from one page to the next one is neither.
    fn is_whole(&self) -> bool {
        let [sheet] = &self.sheets[..] else { return false };
        let states = |kind: AnchorKind| sheet.scanned.stated.iter().any(|one| one.kind == kind);
        let Reading { opening, closing, .. } = &sheet.reading;
        self.proof == PdfProof::Proven
            && opening.is_some()
            && closing.is_some()
            && states(AnchorKind::Opening)
            && states(AnchorKind::Closing)
    }

    fn write(self, text: &Text, table: impl Write, pages: impl Write) -> Result<PdfFacts> {
        table::write(&self.sheets, text.is_recognised, table)
            .map_err(|_| PdfError::Damaged("its table can't be written"))?;
        self.write_pages(&text.lines, pages)
            .map_err(|_| PdfError::Damaged("its pages can't be written"))?;
        let Read { sheets, statements, proof } = self;
        let unstated_ends = sheets.iter().flat_map(|sheet| sheet.unstated_ends(sheets.len()));
        let unstated_ends = unstated_ends.collect();
        let rows: usize = sheets.iter().map(|sheet| sheet.reading.booked.len()).sum();
        let rows = u64::try_from(rows).unwrap_or(u64::MAX);
        Ok(PdfFacts { pages: text.pages, rows, proof, unstated_ends, statements })
    }

    fn write_pages(&self, lines: &[Line], target: impl Write) -> std::io::Result<()> {
        let rows = self
            .sheets
            .iter()
            .flat_map(|sheet| sheet.rows().into_iter().map(move |row| row.map(|row| (sheet, row))));
        // The header is the first line of the table.
        let places = rows.zip(2_u64..).flat_map(|(row, number)| {
            let found: Vec<Option<&Line>> = match row {
                Some((sheet, row)) => {
                    let places = sheet.scanned.rows[row].lines.iter();
                    places.map(|at| sheet.lines.get(*at)).collect()
                }
                None => vec![None],
            };
            found.into_iter().map(move |line| (number, line))
        });
        pages::write(lines, places, target)
    }
}

/// Sums don't show which row is the oldest one, but days do.
fn oldest_first(scanned: &Scanned, days: &Days, reading: &mut Reading) {
    let day = |row: Option<&Booked>| row.and_then(|row| days.date(scanned.rows[row.row].day));
    let (first, last) = (day(reading.booked.first()), day(reading.booked.last()));
    let has_balances = reading.booked.iter().any(|row| row.balance.is_some());
    if !has_balances && first.zip(last).is_some_and(|(first, last)| first > last) {
        reading.booked.reverse();
    }
}

/// Rows under headings of their own stand in the order of their days, if nothing else shows one.
fn in_order(scanned: &Scanned, days: &Days, reading: &mut Reading) {
    if reading.booked.iter().all(|row| row.balance.is_none()) {
        reading.booked.sort_by_key(|row| days.date(scanned.rows[row.row].day));
    }
}

/// If anything of the document contradicts its rows, the balances at its ends may still agree with
/// them. They must not look like a proof then.
fn hide_closing(reading: &mut Reading) {
    let sum = reading.booked.iter().try_fold(0_i64, |sum, row| sum.checked_add(row.amount));
    let comes_to = reading.opening.zip(sum).and_then(|(opening, sum)| opening.checked_add(sum));
    if reading.proof == PdfProof::Differs && comes_to == reading.closing {
        reading.closing = None;
    }
}

/// Finds out in which order day and month stand, the same for all parts, and which days each is
/// about.
fn days_of(lines: &[Line], parts: &[Part<'_>]) -> Vec<Days> {
    let periods = |order: DayOrder| -> Vec<Period> {
        let whole = Period::find(lines, order);
        let of_part = |part: &Part<'_>| Period::find(&part.lines, order);
        let known = |period: Period| if period.from.is_some() { period } else { whole };
        parts.iter().map(|part| known(of_part(part))).collect()
    };
    let fits = |order: DayOrder| {
        let periods = periods(order);
        let (mut is_sorted, mut is_inside) = (true, true);
        for (part, period) in parts.iter().zip(&periods) {
            let day = |row: &RawRow| row.day.date(order, period.year_of(row.day, order));
            let days: Option<Vec<_>> = part.scanned.rows.iter().map(day).collect();
            // Rows stand in the order of their days, the oldest or the newest first.
            let days = days?;
            is_sorted &= days.is_sorted() || days.is_sorted_by(|one, next| one >= next);
            is_inside &= match (period.from, period.to) {
                (Some(from), Some(to)) => days.iter().all(|day| (from..=to).contains(day)),
                _ => true,
            };
        }
        Some((periods, is_sorted && is_inside))
    };
    let (first, second) = (fits(DayOrder::DayFirst), fits(DayOrder::MonthFirst));
    let mut rows = parts.iter().flat_map(|part| &part.scanned.rows);
    let is_either = rows.any(|row| row.day.is_either);
    use DayOrder::{DayFirst, MonthFirst};
    let (order, periods) = match (first, second) {
        (Some((one, _)), None) => (Some(DayFirst), one),
        (None, Some((two, _))) => (Some(MonthFirst), two),
        (Some((one, _)), Some(_)) if !is_either => (Some(DayFirst), one),
        (Some((one, true)), Some((_, false))) => (Some(DayFirst), one),
        (Some((_, false)), Some((two, true))) => (Some(MonthFirst), two),
        (Some((one, _)), Some(_)) => (None, one),
        (None, None) => (Some(DayFirst), periods(DayFirst)),
    };
    periods.into_iter().map(|period| Days { order, period }).collect()
}

/// The currency, if there is exactly one. Signs that were recognised in pictures may be others.
fn currency(scanned: &Scanned, is_recognised: bool) -> String {
    let amounts = scanned.rows.iter().flat_map(|row| row.cells.iter().map(|(_, found)| found));
    let stated = scanned.stated.iter().map(|stated| &stated.found);
    let is_sure = |found: &&WrittenAmount| found.is_code || !is_recognised;
    let of_amounts = amounts.chain(stated).filter(is_sure).filter_map(|found| found.currency);
    let of_header = scanned.header.iter().flat_map(|header| header.currencies.iter().copied());
    let is_written = |code: &&str| {
        let has = |line: &Line| line.text(0..line.words.len()).contains(*code);
        !is_recognised || scanned.header_lines.iter().any(has)
    };
    let mut currencies: Vec<&str> = of_amounts.chain(of_header.filter(is_written)).collect();
    currencies.sort_unstable();
    currencies.dedup();
    match currencies[..] {
        [only] => only.to_owned(),
        _ => String::new(),
    }
}

/// The international account number that a document has above its rows.
fn iban(lines: &[Line]) -> Option<String> {
    let mut found: Option<String> = None;
    for line in lines.iter().filter(|line| line.page == 1) {
        let Some(number) = iban_in(&line.text(0..line.words.len())) else { continue };
        if found.as_ref().is_some_and(|known| *known != number) {
            return None;
        }
        found = Some(number);
    }
    found
}

/// The only international account number of a text.
fn iban_in(text: &str) -> Option<String> {
    let mut found: Option<String> = None;
    for (at, _) in text.match_indices(|c: char| c.is_ascii_uppercase()) {
        let is_start = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let Some(number) = is_start.then(|| iban_at(&text[at..])).flatten() else { continue };
        if found.as_ref().is_some_and(|known| *known != number) {
            return None;
        }
        found = Some(number);
    }
    found
}

/// An account number with its check digits, perhaps in groups.
fn iban_at(text: &str) -> Option<String> {
    let compact: String = text
        .chars()
        .take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == ' ')
        .filter(|c| *c != ' ')
        .take(34)
        .collect();
    let is_start = |number: &str| {
        let (country, rest) = number.split_at(2);
        country.bytes().all(|byte| byte.is_ascii_uppercase())
            && rest.bytes().take(2).all(|byte| byte.is_ascii_digit())
    };
    let is_valid = |number: &str| {
        let turned = number[4..].chars().chain(number[..4].chars());
        let rest = turned.filter_map(|c| c.to_digit(36)).fold(0_u64, |rest, digit| {
            (rest * if digit > 9 { 100 } else { 10 } + u64::from(digit)) % 97
        });
        rest == 1
    };
    (15..=compact.len())
        .rev()
        .map(|length| &compact[..length])
        .find(|number| is_start(number) && is_valid(number))
        .map(str::to_owned)
}
