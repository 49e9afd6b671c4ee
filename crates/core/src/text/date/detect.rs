//! Which date format a column is written in.

use std::sync::LazyLock;

use jiff::civil::Date;

use super::DateFormat;
use crate::text::detect::{CANDIDATES_MAX, Tally};
use crate::text::{Detection, trim};

/// The patterns that are tried, the preferred first where several mean the same.
///
/// Month-first with points is not among them, because hardly anybody writes so: every `05.06.2024`
/// would have to be asked about. It can be sent.
pub const CANDIDATES: [&str; 41] = [
    "%Y-%m-%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y%m%d",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d.%m.%y",
    "%d-%m-%y",
    "%m-%d-%y",
    "%d %m %Y",
    "%Y %m %d",
    "%d%m%Y",
    "%m%d%Y",
    "%d %b %Y",
    "%d. %b %Y",
    "%d %b, %Y",
    "%b %d, %Y",
    "%b %d %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d %b %y",
    "%d/%b/%Y",
    "%d.%b.%Y",
    "%Y-%b-%d",
    "%d de %b de %Y",
    "%d. %m. %Y",
    "%d.%m.%Y.",
    "%Y.%m.%d.",
    "%Y. %m. %d.",
    "%Y. %b %d.",
    "%Y年%m月%d日",
    "%d %b %Y г.",
    "%d %b %Y р.",
    // These read nearly every date with a short year at its end as well: see `rule_out_scattered`.
    "%y/%m/%d",
    "%y-%m-%d",
    "%y.%m.%d",
];

/// Where the patterns begin in [`CANDIDATES`] that start with a two-digit year.
const SHORT_YEAR_FIRST: usize = 38;
/// Days that are scattered over so many times as long a period as in another format are not read
/// as they are meant.
const SCATTERED: i64 = 4;

/// Years that a date of a real file has; others are a sign of the wrong format.
const PLAUSIBLE_YEARS: std::ops::RangeInclusive<i16> = 1900..=2100;

static FORMATS: LazyLock<Vec<DateFormat>> = LazyLock::new(|| {
    CANDIDATES.iter().filter_map(|pattern| DateFormat::new(pattern).ok()).collect()
});

/// Beginnings of cells that are remembered; a column of dates has two or three.
const LEADS_MAX: usize = 16;

/// How a cell starts: the number of digits, and the byte after them.
type Lead = (usize, u8);

/// Looks at a whole column of dates, cell by cell.
///
/// Most candidates are ruled out by how a cell starts; the few that are left read it.
#[derive(Debug, Default)]
pub struct DateFormatDetector {
    tally: Tally,
    /// The candidates, as bits, for the beginnings seen so far.
    leads: Vec<(Lead, u64)>,
    /// The first and the last day by each candidate, if one of them starts with a short year.
    periods: Vec<(usize, Date, Date)>,
}

impl DateFormatDetector {
    /// Starts with nothing seen.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes note of a cell.
    pub fn observe(&mut self, cell: &str) {
        let text = trim(cell);
        if text.is_empty() {
            return;
        }
        let mut left = self.candidates(lead(text));
        let mut readings = [(0, Date::ZERO); CANDIDATES_MAX];
        let mut count = 0;
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            left &= left - 1;
            let read = FORMATS.get(index).and_then(|format| format.read(text).ok());
            if let Some(date) = read.filter(|date| PLAUSIBLE_YEARS.contains(&date.year())) {
                readings[count] = (index, date);
                count += 1;
            }
        }
        if readings[..count].iter().any(|(index, _)| *index >= SHORT_YEAR_FIRST) {
            readings[..count].iter().for_each(|(index, date)| self.extend(*index, *date));
        }
        self.tally.record(text, &readings[..count]);
    }

    fn extend(&mut self, index: usize, date: Date) {
        match self.periods.iter_mut().find(|(known, _, _)| *known == index) {
            Some((_, first, last)) => {
                (*first, *last) = (date.min(*first), date.max(*last));
            }
            None => self.periods.push((index, date, date)),
        }
    }

    /// `24/05/15` is the 15th of May 2024 or the 24th of May 2015. Read the wrong way round, the
    /// days of a month are years: so a format with the year first doesn't count if another one
    /// finds the same rows in a much shorter period. The other way round it is asked.
    fn rule_out_scattered(&mut self) {
        let days = |(_, first, last): &(usize, Date, Date)| {
            first.until(*last).map_or(0, |span| i64::from(span.get_days()))
        };
        let others = self.periods.iter().filter(|(index, _, _)| *index < SHORT_YEAR_FIRST);
        let Some(shortest) =
            others.filter(|(index, _, _)| self.tally.leads(*index)).map(days).min()
        else {
            return;
        };
        for period in &self.periods {
            if period.0 >= SHORT_YEAR_FIRST && days(period) > SCATTERED * shortest {
                self.tally.rule_out(period.0);
            }
        }
    }

    /// What was found. The pattern `preferred` decides between formats that fit equally well.
    pub fn finish(mut self, preferred: Option<&str>) -> Detection<DateFormat> {
        self.rule_out_scattered();
        let preferred =
            preferred.and_then(|wanted| FORMATS.iter().position(|one| one.pattern() == wanted));
        // Candidates are counted by their position in FORMATS, which is never empty.
        self.tally.finish(preferred).map(|index| FORMATS[index].clone())
    }

    fn candidates(&mut self, lead: Lead) -> u64 {
        if let Some((_, candidates)) = self.leads.iter().find(|(known, _)| *known == lead) {
            return *candidates;
        }
        let starts = |format: &DateFormat| format.may_start_with(lead.0, lead.1);
        let bits = (0..).zip(FORMATS.iter()).filter(|(_, format)| starts(format));
        let candidates = bits.fold(0, |mask, (index, _): (u64, _)| mask | 1 << index);
        if self.leads.len() < LEADS_MAX {
            self.leads.push((lead, candidates));
        }
        candidates
    }
}

/// Whether the whole cell is a day in one of the formats that are tried.
pub fn is_day(cell: &str) -> bool {
    let text = trim(cell);
    let (digits, next) = lead(text);
    FORMATS
        .iter()
        .filter(|format| format.may_start_with(digits, next))
        .any(|format| format.read(text).is_ok_and(|date| PLAUSIBLE_YEARS.contains(&date.year())))
}

/// The number of digits at the start, and the byte after them; a space for anything that may be
/// one.
fn lead(text: &str) -> Lead {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let next = text.as_bytes().get(digits).copied().unwrap_or(0);
    (digits, if next.is_ascii_graphic() { next } else { b' ' })
}
