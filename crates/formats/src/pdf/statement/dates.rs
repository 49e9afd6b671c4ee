//! Days as statements write them, with and without a year.

use jiff::civil::Date;
use purser_core::text::date::month_named;

use super::super::fixed::Fixed;
use super::super::lines::Line;

/// Words that one day consists of at most: `1 de enero de 2026`.
const WORDS_MAX: usize = 5;

/// A day before year and order are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WrittenDay {
    pub(super) first: i8,
    pub(super) second: i8,
    pub(super) year: Option<i16>,
    /// The first number may be the month: `03/04`.
    pub(super) is_either: bool,
}

/// Which of two numbers is the month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayOrder {
    DayFirst,
    MonthFirst,
}

impl WrittenDay {
    /// The day and the month.
    fn parts(self, order: DayOrder) -> (i8, i8) {
        match order {
            DayOrder::MonthFirst if self.is_either => (self.second, self.first),
            _ => (self.first, self.second),
        }
    }

    /// The day, if it is one in this order; `year` is the one that isn't written.
    pub(super) fn date(self, order: DayOrder, year: Option<i16>) -> Option<Date> {
        let (day, month) = self.parts(order);
        Date::new(self.year.or(year)?, month, day).ok()
    }
}

/// Whether years have two digits apart from the month: `01 Jan 26`. In `01 Jan 26 Main Street` they
/// are a part of the text, and differ from line to line.
pub(super) fn has_short_years(lines: &[Line]) -> bool {
    let (mut years, mut days) = (Vec::new(), 0_u32);
    for line in lines {
        let Some((plain, _)) = day_at(line, 0, false) else { continue };
        if plain.year.is_some() || parse(&line.text(0..2), false).is_none() {
            continue;
        }
        days += 1;
        years.extend(day_at(line, 0, true).and_then(|(day, _)| day.year));
    }
    let all = years.len();
    years.sort_unstable();
    years.dedup();
    all > 0 && days as usize == all && years.len() <= 2
}

/// The day that begins with a word, and the number of its words.
pub(super) fn day_at(
    line: &Line,
    from: usize,
    has_short_years: bool,
) -> Option<(WrittenDay, usize)> {
    let first = &line.words.get(from)?.text;
    if !first.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let gap = line.size.part(7, 10);
    let mut end = from + 1;
    while end < line.words.len()
        && end - from < WORDS_MAX
        && line.gap_after(end - 1) <= gap.max(Fixed::ZERO)
    {
        end += 1;
    }
    (from + 1..=end)
        .rev()
        .find_map(|end| Some((parse(&line.text(from..end), has_short_years)?, end - from)))
}

enum Token<'t> {
    Number(i16, usize),
    Word(&'t str),
}

/// Numbers and words of a day, the signs between them, and whether a space is before each.
fn tokens(text: &str) -> Option<(Vec<(Token<'_>, bool)>, String)> {
    let (mut tokens, mut signs, mut rest, mut is_apart) = (Vec::new(), String::new(), text, false);
    while let Some(c) = rest.chars().next() {
        let of = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let length = if c.is_ascii_digit() {
            let length = of(|c| c.is_ascii_digit());
            tokens.push((Token::Number(rest[..length].parse().ok()?, length), is_apart));
            length
        } else if c.is_alphabetic() {
            let length = of(char::is_alphabetic);
            let word = &rest[..length];
            let is_filler = ["de", "del", "of", "the", "st", "nd", "rd", "th", "er"];
            if !is_filler.iter().any(|filler| word.eq_ignore_ascii_case(filler)) {
                tokens.push((Token::Word(word), is_apart));
            }
            length
        } else if matches!(c, '.' | '/' | '-' | ',' | ' ' | '\'' | '’') {
            signs.push(c);
            is_apart = c == ' ';
            rest = &rest[c.len_utf8()..];
            continue;
        } else {
            return None;
        };
        is_apart = false;
        rest = &rest[length..];
    }
    Some((tokens, signs))
}

fn parse(text: &str, has_short_years: bool) -> Option<WrittenDay> {
    use Token::{Number, Word};
    if text.len() > 40 {
        return None;
    }
    let (tokens, signs) = tokens(text)?;
    let mark = signs.chars().find(|c| *c != ' ');
    let day = |first: i16, second: i16, year: Option<i16>, is_either: bool| {
        let (first, second) = (i8::try_from(first).ok()?, i8::try_from(second).ok()?);
        let is_either = is_either && first <= 12 && first != second;
        let written = WrittenDay { first, second, year, is_either };
        // A leap year, so that the last day of February is one.
        let is_day = |order| {
            let (day, month) = written.parts(order);
            Date::new(year.unwrap_or(2024), month, day).is_ok()
        };
        let either = is_either && is_day(DayOrder::MonthFirst);
        (is_day(DayOrder::DayFirst) || either).then_some(written)
    };
    match &tokens[..] {
        [(Number(year, 4), _), (Number(month, 1..=2), _), (Number(one, 1..=2), _)]
            if plausible(*year) && mark.is_some() =>
        {
            day(*one, *month, Some(*year), false)
        }
        [(Number(first, 1..=2), _), (Number(second, 1..=2), _), (Number(year, length), _)] => {
            let year = full_year(*year, *length)?;
            // The month of `12/31/2025` is known although it comes first.
            match mark? {
                '.' => day(*first, *second, Some(year), false),
                '/' | '-' if *second > 12 => day(*second, *first, Some(year), false),
                '/' | '-' => day(*first, *second, Some(year), true),
                _ => None,
            }
        }
        [(Number(first, 1..=2), _), (Number(second, length @ 1..=2), _)] => match mark? {
            '.' if signs == ".." || (signs == "." && *length == 2) => {
                day(*first, *second, None, false)
            }
            '/' if *second > 12 => day(*second, *first, None, false),
            '/' => day(*first, *second, None, true),
            '-' if *length == 2 && signs == "-" => day(*first, *second, None, true),
            _ => None,
        },
        [(Number(first, 1..=2), _), (Word(word), _)] => {
            day(*first, month_named(word)?.into(), None, false)
        }
        [(Word(word), _), (Number(first, 1..=2), _)] => {
            day(*first, month_named(word)?.into(), None, false)
        }
        [(Number(first, 1..=2), _), (Word(word), _), (Number(year, length), apart)]
        | [(Word(word), _), (Number(first, 1..=2), _), (Number(year, length), apart)] => {
            // `1 Feb 12` may be the first of the month and a house number.
            let is_year = *length == 4 || !apart || has_short_years;
            let year = full_year(*year, *length).filter(|_| is_year)?;
            day(*first, month_named(word)?.into(), Some(year), false)
        }
        _ => None,
    }
}

fn plausible(year: i16) -> bool {
    (1950..=2149).contains(&year)
}

fn full_year(year: i16, length: usize) -> Option<i16> {
    match length {
        2 => Some(2000 + year),
        4 if plausible(year) => Some(year),
        _ => None,
    }
}

/// The days that a statement is about, as far as they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Period {
    pub(super) from: Option<Date>,
    pub(super) to: Option<Date>,
}

impl Period {
    /// The year of a day that is written without one.
    pub(super) fn year_of(self, day: WrittenDay, order: DayOrder) -> Option<i16> {
        let to = self.to?;
        let in_year = |year: i16| day.date(order, Some(year));
        let years = [to.year(), to.year() - 1, to.year() + 1];
        // What is booked on the day after the statement still has that year.
        let latest = to.saturating_add(jiff::Span::new().days(10));
        match self.from {
            Some(from) => {
                let earliest = from.saturating_sub(jiff::Span::new().days(45));
                let is_inside = |from: Date, to: Date| {
                    let inside =
                        |year: &i16| in_year(*year).is_some_and(|date| (from..=to).contains(&date));
                    years.iter().copied().find(inside)
                };
                is_inside(from, to).or_else(|| is_inside(earliest, latest))
            }
            None => years
                .into_iter()
                .filter(|year| in_year(*year).is_some_and(|date| date <= latest))
                .max(),
        }
    }

    /// The period that lines state: two days in one line, else the latest day of all.
    pub(super) fn find(lines: &[Line], order: DayOrder) -> Self {
        let mut latest: Option<Date> = None;
        for line in lines {
            let (mut at, mut days) = (0, Vec::new());
            while at < line.words.len() {
                match whole_day_at(line, at) {
                    Some((day, words)) => {
                        days.extend(day.date(order, None));
                        at += words;
                    }
                    None => at += 1,
                }
            }
            latest = latest.max(days.iter().max().copied());
            if let [from, to] = days[..]
                && from < to
                && from.until(to).is_ok_and(|span| span.get_days() <= 400)
                && line.text(0..line.words.len()).chars().filter(char::is_ascii_digit).count() <= 24
            {
                return Self { from: Some(from), to: Some(to) };
            }
        }
        Self { from: None, to: latest }
    }
}

/// A day with its year; signs around it don't matter: `01.01.2026-31.01.2026`.
fn whole_day_at(line: &Line, at: usize) -> Option<(WrittenDay, usize)> {
    let is_whole = |(day, _): &(WrittenDay, usize)| day.year.is_some();
    day_at(line, at, true).filter(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_in_the_ways_of_statements() {
        let known = |first, second, year| (first, second, year, false);
        for (text, expected) in [
            ("31.01.2026", known(31, 1, Some(2026))),
            ("31.01.26", known(31, 1, Some(2026))),
            ("31.01.", known(31, 1, None)),
            ("31.1.", known(31, 1, None)),
            ("2026-01-31", known(31, 1, Some(2026))),
            ("01/31", known(31, 1, None)),
            ("01/31/26", known(31, 1, Some(2026))),
            ("03/04/2026", (3, 4, Some(2026), true)),
            ("03/04", (3, 4, None, true)),
            ("04/04", known(4, 4, None)),
            ("31 Jan", known(31, 1, None)),
            ("31JAN26", known(31, 1, Some(2026))),
            ("Jan 31, 2026", known(31, 1, Some(2026))),
            ("31. März", known(31, 3, None)),
            ("1 de enero de 2026", known(1, 1, Some(2026))),
            ("1er janvier 2026", known(1, 1, Some(2026))),
        ] {
            let (first, second, year, is_either) = expected;
            assert_eq!(
                parse(text, false),
                Some(WrittenDay { first, second, year, is_either }),
                "{text}"
            );
        }
        for text in
            ["", "12", "1 Feb 12", "31.02.2026", "12.50", "13/13", "1 x", "Total 5", "1.234,56"]
        {
            assert_eq!(parse(text, false), None, "{text}");
        }
    }
}
