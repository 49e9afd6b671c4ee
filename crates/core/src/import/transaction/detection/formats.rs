//! How days and numbers are written, as the cells of their columns show it.

use jiff::civil::Date;

use super::Column;
use crate::import::layout::Layout;
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::money::Currency;
use crate::text::date::{DateFormat, DateFormatDetector};
use crate::text::number::{NumberFormat, NumberFormatDetector, parse_amount};
use crate::text::{Detection, quoted};

/// A day that two digits of a year put more years than these before the upload is asked about.
const SHORT_YEARS_AGO_MAX: i16 = 15;
/// The number format, or those between which the amounts leave the choice.
pub(super) fn formats_in_question(layout: &Layout) -> Vec<NumberFormat> {
    if let Some(format) = layout.number_format {
        return vec![format];
    }
    let of = |problem: &LayoutProblem| match problem {
        LayoutProblem::AmbiguousNumbers { formats, .. } => Some(formats.to_vec()),
        _ => None,
    };
    layout.problems.iter().find_map(of).unwrap_or_default()
}

/// Takes over the format of dates, or why none is certain.
pub(in crate::import) fn complete_date(
    date: Column<DateFormatDetector>,
    preferred: Option<&str>,
    as_of: Date,
    layout: &mut Layout,
) {
    let reads = |format: &DateFormat| date.samples.iter().any(|cell| format.parse(cell).is_ok());
    let found = match date.detector.finish(preferred) {
        Detection::One(format) => Ok(format),
        Detection::None { best } if reads(&best) => Ok(best),
        Detection::None { .. } => {
            Err(LayoutProblem::UnknownDates { cell: first_of(&date.samples) })
        }
        Detection::Ambiguous(a, b, cell) => Err(LayoutProblem::AmbiguousDates {
            patterns: [a, b].map(|format| format.pattern().to_owned()),
            cell: quoted(&cell),
        }),
        Detection::Empty => Err(LayoutProblem::BlankColumn { content: ColumnContent::Date }),
    };
    match found {
        Ok(format) => {
            if preferred != Some(format.pattern()) {
                layout.problems.extend(unlikely_years(&format, &date.samples, as_of));
            }
            layout.date_format = Some(format.pattern().to_owned());
            layout.found.push("date_format".to_owned());
        }
        Err(problem) => layout.problems.push(problem),
    }
}

/// Two digits of a year may count in another era, or stand at the other end: then days of the file
/// seem to be long ago, or far ahead.
fn unlikely_years(format: &DateFormat, samples: &[String], as_of: Date) -> Option<LayoutProblem> {
    if !format.pattern().contains("%y") {
        return None;
    }
    let mut days = samples.iter().filter_map(|cell| Some((format.parse(cell).ok()?, cell)));
    let usual = as_of.year() - SHORT_YEARS_AGO_MAX..=as_of.year() + 1;
    let (day, cell) = days.find(|(day, _)| !usual.contains(&day.year()))?;
    Some(LayoutProblem::UnlikelyYears { day, cell: quoted(cell) })
}

/// Takes over the format of numbers, or why none is certain. `currency` is that of all amounts, if
/// there is only one.
pub(in crate::import) fn complete_number(
    number: Column<NumberFormatDetector>,
    preferred: Option<NumberFormat>,
    currency: Option<Currency>,
    layout: &mut Layout,
) {
    let reads = |format: NumberFormat| {
        number.samples.iter().any(|cell| parse_amount(cell, format, 8).is_ok())
    };
    let found = match number.detector.finish(preferred) {
        Detection::One(format) => Ok(format),
        Detection::None { best } if reads(best) => Ok(best),
        Detection::None { .. } => {
            Err(LayoutProblem::UnknownNumbers { cell: first_of(&number.samples) })
        }
        Detection::Ambiguous(a, b, cell) if currency.is_some_and(is_without_decimals) => {
            let is_whole = |format: &NumberFormat| parse_amount(&cell, *format, 0).is_ok();
            let mut whole = [a, b].into_iter().filter(is_whole);
            match (whole.next(), whole.next()) {
                (Some(format), None) => Ok(format),
                _ => Err(LayoutProblem::AmbiguousNumbers { formats: [a, b], cell: quoted(&cell) }),
            }
        }
        Detection::Ambiguous(a, b, cell) => {
            Err(LayoutProblem::AmbiguousNumbers { formats: [a, b], cell: quoted(&cell) })
        }
        Detection::Empty => Err(LayoutProblem::BlankColumn { content: ColumnContent::Amount }),
    };
    match found {
        Ok(format) => {
            layout.number_format = Some(format);
            layout.found.push("number_format".to_owned());
        }
        Err(problem) => layout.problems.push(problem),
    }
}

/// Whether a currency has no decimals, as yen: `1,234` can't be a fraction.
fn is_without_decimals(currency: Currency) -> bool {
    currency.precision() == 0
}

/// The first cell, shortened for a message.
fn first_of(samples: &[String]) -> String {
    quoted(samples.first().map(String::as_str).unwrap_or_default())
}
