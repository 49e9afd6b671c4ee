//! Patterns: compiled once, then read by hand, because a column has a hundred thousand cells.
//!
//! Directives of the date: `%Y %y %m %d %e %b %B %h`, `%-m %-d %-e` (the same as without the
//! hyphen), `%F` and `%D`. Of the time, which may only follow the date: `%H %I %M %S %f %L %p %z
//! %Z %R %T`. `%n`, `%t` and any white space stand for white space, `%%` for itself. Anything else
//! after a `%` is refused by name. A time that the pattern names may be missing in a cell, and
//! one that it doesn't name may be there: the date is what is read.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::cursor::Cursor;
use super::{DateError, Problem, month, time};
use crate::text::trim;

/// Longer patterns are refused.
const PATTERN_CHARS_MAX: usize = 64;
/// Two-digit years from here on are of the last century, as POSIX defines `%y`.
const PIVOT: i16 = 69;

/// Why a pattern is refused: a fragment that follows the name of a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DateFormatError {
    /// A directive that isn't supported, or a `%` at the end.
    #[error("has {0}, which is not understood in a date")]
    UnknownDirective(String),
    /// The year, the month or the day is missing.
    #[error("names no {0}")]
    Incomplete(&'static str),
    /// The year, the month or the day is there twice.
    #[error("names the {0} twice")]
    Repeated(&'static str),
    /// A time before or inside the date.
    #[error("has a time before the end of the date")]
    TimeBeforeDate,
    /// Too long to be a pattern.
    #[error("is longer than {PATTERN_CHARS_MAX} characters")]
    TooLong,
}

/// How many digits a day, a month or an hour has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    OneOrTwo,
    /// Exactly two: the next or the previous thing is digits too.
    Two,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Year4,
    Year2,
    Month(Width),
    MonthName,
    Day(Width),
    Literal(char),
    Space,
    Hour(Width),
    Minute,
    Second,
    Fraction,
    HalfDay,
    Zone,
}

/// A strftime pattern that names a whole date. In JSON and in the database it is its text.
#[derive(Clone, PartialEq, Eq)]
pub struct DateFormat {
    pattern: Box<str>,
    /// Up to the end of the date, with what follows it if no time does.
    date: Box<[Item]>,
    /// What follows the date, from there to the end of the time.
    time: Box<[Item]>,
}

impl DateFormat {
    /// Compiles a pattern; spaces around it don't count.
    pub fn new(pattern: &str) -> Result<Self, DateFormatError> {
        let pattern = pattern.trim();
        if pattern.chars().nth(PATTERN_CHARS_MAX).is_some() {
            return Err(DateFormatError::TooLong);
        }
        let mut items = Vec::new();
        compile(pattern, &mut items)?;
        check_whole(&items)?;
        fix_widths(&mut items);
        let end = items.iter().rposition(|item| item.part().is_some()).map_or(0, |last| last + 1);
        if items[..end].iter().any(|item| item.is_time()) {
            return Err(DateFormatError::TimeBeforeDate);
        }
        let has_time = items[end..].iter().any(|item| item.is_time());
        let time = if has_time { items.split_off(end) } else { Vec::new() };
        Ok(Self { pattern: pattern.into(), date: items.into(), time: time.into() })
    }

    /// The text that it was made from.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Reads a cell. Allocates only for errors.
    pub fn parse(&self, cell: &str) -> Result<Date, DateError> {
        self.read(cell).map_err(|problem| problem.describe(cell, self))
    }

    /// As people write it: `DD/MM/YYYY`; month names as `Mon`.
    pub fn shown(&self) -> String {
        let mut text = String::new();
        for item in self.date.iter().chain(&self.time) {
            match item {
                Item::Literal(c) => text.push(*c),
                Item::Space => text.push(' '),
                Item::Year4 => text.push_str("YYYY"),
                Item::Year2 => text.push_str("YY"),
                Item::Month(_) => text.push_str("MM"),
                Item::MonthName => text.push_str("Mon"),
                Item::Day(_) => text.push_str("DD"),
                Item::Hour(_) => text.push_str("hh"),
                Item::Minute => text.push_str("mm"),
                Item::Second => text.push_str("ss"),
                Item::Fraction => text.push_str("fff"),
                Item::HalfDay => text.push_str("AM"),
                Item::Zone => text.push('Z'),
            }
        }
        text
    }

    pub(super) fn read(&self, cell: &str) -> Result<Date, Problem> {
        let text = trim(cell);
        if text.is_empty() {
            return Err(Problem::Blank);
        }
        let mut cursor = Cursor::new(text);
        let (year, month, day) = self.read_date(&mut cursor).ok_or(Problem::WrongFormat)?;
        if !cursor.is_at_end()
            && !self.is_own_time(cursor)
            && !time::is_time_or_nothing(cursor.rest())
        {
            // More digits are a longer number, not something after a date.
            let digit = cursor.peek().is_some_and(|byte| byte.is_ascii_digit());
            return Err(if digit { Problem::WrongFormat } else { Problem::NotATime });
        }
        // The error of a date library is worth many dates; the detector meets a lot of them.
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(Problem::NoSuchDay);
        }
        Date::new(year, month, day).map_err(|_| Problem::NoSuchDay)
    }

    /// Whether a cell may be in this format that starts with so many digits and then this byte (a
    /// space for any white space). Only ever rules out what can't be read.
    pub(super) fn may_start_with(&self, digits: usize, next: u8) -> bool {
        let leading = || self.date.iter().take_while(|item| item.is_digits());
        let widths = leading().fold((0, 0), |(least, most), item| match item {
            Item::Year4 => (least + 4, most + 4),
            Item::Day(Width::OneOrTwo) | Item::Month(Width::OneOrTwo) => (least + 1, most + 2),
            Item::Literal(_) => (least + 1, most + 1),
            _ => (least + 2, most + 2),
        });
        let follows = match self.date.get(leading().count()) {
            Some(Item::Literal(c)) if c.is_ascii() => c.eq_ignore_ascii_case(&char::from(next)),
            Some(Item::Space) => next == b' ',
            _ => true,
        };
        (widths.0..=widths.1).contains(&digits) && follows
    }

    fn read_date(&self, cursor: &mut Cursor<'_>) -> Option<(i16, i8, i8)> {
        let (mut year, mut month, mut day) = (0, 0, 0);
        for item in &self.date {
            match item {
                Item::Literal(c) => cursor.literal(*c)?,
                Item::Space => cursor.skip_spaces().then_some(())?,
                Item::Year4 => year = cursor.digits(4)?,
                Item::Year2 => {
                    let short = cursor.digits(2)?;
                    year = if short < PIVOT { 2000 + short } else { 1900 + short };
                }
                Item::Month(width) => month = two_digits(cursor, *width)?,
                Item::Day(width) => day = two_digits(cursor, *width)?,
                Item::MonthName => month = self.read_month_name(cursor)?,
                _ => return None,
            }
        }
        Some((year, month, day))
    }

    /// A name, with the point of its abbreviation unless the pattern goes on with a point itself.
    fn read_month_name(&self, cursor: &mut Cursor<'_>) -> Option<i8> {
        let month = match cursor.word() {
            "" => return None,
            word => month::month(word)?,
        };
        let next = self.date.iter().skip_while(|item| **item != Item::MonthName).nth(1);
        if next != Some(&Item::Literal('.')) {
            let _ = cursor.byte(b'.');
        }
        Some(month)
    }

    /// Whether the rest is the time that the pattern names.
    fn is_own_time(&self, mut cursor: Cursor<'_>) -> bool {
        !self.time.is_empty()
            && self.time.iter().all(|item| read_time_item(*item, &mut cursor).is_some())
            && cursor.is_at_end()
    }
}

fn two_digits(cursor: &mut Cursor<'_>, width: Width) -> Option<i8> {
    let value = match width {
        Width::OneOrTwo => cursor.one_or_two_digits()?,
        Width::Two => cursor.digits(2)?,
    };
    i8::try_from(value).ok()
}

fn read_time_item(item: Item, cursor: &mut Cursor<'_>) -> Option<()> {
    match item {
        Item::Literal(c) => cursor.literal(c),
        Item::Space => cursor.skip_spaces().then_some(()),
        Item::Hour(width) => (two_digits(cursor, width)? <= 23).then_some(()),
        Item::Minute => time::minute(cursor),
        Item::Second => time::second(cursor),
        Item::Fraction => time::fraction(cursor),
        Item::HalfDay => time::half_day(cursor),
        Item::Zone => time::zone(cursor),
        _ => None,
    }
}

impl Item {
    /// The name of the part of the date.
    fn part(self) -> Option<&'static str> {
        match self {
            Self::Year4 | Self::Year2 => Some("year"),
            Self::Month(_) | Self::MonthName => Some("month"),
            Self::Day(_) => Some("day"),
            _ => None,
        }
    }

    fn is_time(self) -> bool {
        self.part().is_none() && !matches!(self, Self::Literal(_) | Self::Space)
    }

    /// Whether a number beside it would run into it.
    fn is_digits(self) -> bool {
        match self {
            Self::Literal(c) => c.is_ascii_digit(),
            Self::MonthName | Self::Space | Self::HalfDay | Self::Zone => false,
            _ => true,
        }
    }
}

/// Turns the text of a pattern into items.
fn compile(pattern: &str, items: &mut Vec<Item>) -> Result<(), DateFormatError> {
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            items.push(if c.is_whitespace() { Item::Space } else { Item::Literal(c) });
            continue;
        }
        let mut directive = chars.next();
        let mut flag = "";
        if directive == Some('-') {
            flag = "-";
            directive = chars.next();
        }
        let unknown = || {
            let letter = directive.map(String::from).unwrap_or_default();
            DateFormatError::UnknownDirective(format!("%{flag}{letter}"))
        };
        let letter = directive.ok_or_else(unknown)?;
        if !flag.is_empty() && !matches!(letter, 'm' | 'd' | 'e' | 'H' | 'I') {
            return Err(unknown());
        }
        match letter {
            'Y' => items.push(Item::Year4),
            'y' => items.push(Item::Year2),
            'm' => items.push(Item::Month(Width::OneOrTwo)),
            'd' | 'e' => items.push(Item::Day(Width::OneOrTwo)),
            'b' | 'B' | 'h' => items.push(Item::MonthName),
            'H' | 'I' => items.push(Item::Hour(Width::OneOrTwo)),
            'M' => items.push(Item::Minute),
            'S' => items.push(Item::Second),
            'f' | 'L' => items.push(Item::Fraction),
            'p' => items.push(Item::HalfDay),
            'z' | 'Z' => items.push(Item::Zone),
            'n' | 't' => items.push(Item::Space),
            '%' => items.push(Item::Literal('%')),
            'F' => compile("%Y-%m-%d", items)?,
            'D' => compile("%m/%d/%y", items)?,
            'R' => compile("%H:%M", items)?,
            'T' => compile("%H:%M:%S", items)?,
            _ => return Err(unknown()),
        }
    }
    Ok(())
}

/// Each part of the date once.
fn check_whole(items: &[Item]) -> Result<(), DateFormatError> {
    for part in ["year", "month", "day"] {
        match items.iter().filter(|item| item.part() == Some(part)).count() {
            0 => return Err(DateFormatError::Incomplete(part)),
            1 => {}
            _ => return Err(DateFormatError::Repeated(part)),
        }
    }
    Ok(())
}

/// Numbers without anything between them have a fixed number of digits.
fn fix_widths(items: &mut [Item]) {
    for index in 0..items.len() {
        let touches = |other: Option<usize>| {
            other.and_then(|other| items.get(other)).is_some_and(|item| item.is_digits())
        };
        if touches(index.checked_sub(1)) || touches(index.checked_add(1)) {
            match &mut items[index] {
                Item::Month(width) | Item::Day(width) | Item::Hour(width) => *width = Width::Two,
                _ => {}
            }
        }
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pattern)
    }
}

impl fmt::Debug for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pattern)
    }
}

impl Serialize for DateFormat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.pattern)
    }
}

impl<'de> Deserialize<'de> for DateFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pattern = String::deserialize(deserializer)?;
        Self::new(&pattern).map_err(|error| de::Error::custom(format!("date format {error}")))
    }
}
