//! How banks write days and amounts.

use jiff::civil::Date;

/// How a day is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateStyle {
    // `2025-06-30`
    Iso,
    // `2025-06-30 09:05:00`
    IsoTime,
    // `20250630`
    Compact,
    /// `30/06/2025` with any character between the parts.
    DayMonth(char),
    /// `06/30/2025` with any character between the parts.
    MonthDay(char),
    /// `2025/06/30` with any character between the parts.
    YearMonth(char),
    // `30.06.25`
    DayMonthShortYear(char),
    // `06/30/25`
    MonthDayShortYear,
    // `3.6.2025`
    Unpadded(char),
    // `30.06.2025 09:05:00`
    DayMonthTime(char),
    // `30 Jun 2025`
    DayMonthName,
    // `30-Jun-25`
    DayMonthNameHyphen,
    // `2025. 06. 30.`
    YearMonthPoints,
    // `2025年06月30日`
    Characters,
    /// `25/06/30`, as in some files of the far east.
    ShortYearFirst(char),
    /// `30/06/2568`: years of the Buddhist era.
    BuddhistYear,
    /// `30/06/68`: the last two digits of such a year.
    BuddhistShortYear,
}

/// Styles that no language has as a habit, and by which a file may have to ask.
pub(crate) const RARE_DATES: &[DateStyle] = &[
    DateStyle::ShortYearFirst('/'),
    DateStyle::ShortYearFirst('-'),
    DateStyle::ShortYearFirst('.'),
    DateStyle::BuddhistYear,
    DateStyle::BuddhistShortYear,
];

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl DateStyle {
    pub(crate) fn text(self, date: Date) -> String {
        let (year, month, day) = (date.year(), date.month(), date.day());
        let short = year % 100;
        match self {
            Self::Iso => format!("{year}-{month:02}-{day:02}"),
            Self::IsoTime => format!("{year}-{month:02}-{day:02} 09:05:{:02}", 2 * day.abs() % 60),
            Self::Compact => format!("{year}{month:02}{day:02}"),
            Self::DayMonth(by) => format!("{day:02}{by}{month:02}{by}{year}"),
            Self::MonthDay(by) => format!("{month:02}{by}{day:02}{by}{year}"),
            Self::YearMonth(by) => format!("{year}{by}{month:02}{by}{day:02}"),
            Self::DayMonthShortYear(by) => format!("{day:02}{by}{month:02}{by}{short:02}"),
            Self::MonthDayShortYear => format!("{month:02}/{day:02}/{short:02}"),
            Self::Unpadded(by) => format!("{day}{by}{month}{by}{year}"),
            Self::DayMonthTime(by) => format!("{day:02}{by}{month:02}{by}{year} 21:05:59"),
            Self::DayMonthName => format!("{day:02} {} {year}", name(month)),
            Self::DayMonthNameHyphen => format!("{day:02}-{}-{short:02}", name(month)),
            Self::YearMonthPoints => format!("{year}. {month:02}. {day:02}."),
            Self::Characters => format!("{year}年{month:02}月{day:02}日"),
            Self::ShortYearFirst(by) => format!("{short:02}{by}{month:02}{by}{day:02}"),
            Self::BuddhistYear => format!("{day:02}/{month:02}/{}", year + 543),
            Self::BuddhistShortYear => format!("{day:02}/{month:02}/{:02}", (year + 543) % 100),
        }
    }
}

fn name(month: i8) -> &'static str {
    MONTHS[usize::try_from(month - 1).unwrap()]
}

/// Which characters group digits and which one starts the decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberStyle {
    // `1234.56`
    Plain,
    // `1,234.56`
    CommaPoint,
    // `1234,56`
    PlainComma,
    // `1.234,56`
    PointComma,
    /// `1 234,56` with a space that doesn't break.
    SpaceComma,
    // `12,34,567.89`
    Indian,
    // `1'234.56`
    Apostrophe,
    /// `1234.5`, `12`: only as many decimals as needed.
    Trimmed,
    /// `١٢٣٤٫٥٦`: digits that only some banks of Arab countries use.
    EasternDigits,
}

/// Styles that no language has as a habit; the reader may ask.
pub(crate) const RARE_NUMBERS: &[NumberStyle] =
    &[NumberStyle::Apostrophe, NumberStyle::Trimmed, NumberStyle::EasternDigits];

impl NumberStyle {
    /// An amount that isn't negative, in the smallest unit of a currency with so many decimals.
    pub(crate) fn text(self, units: i64, decimals: u32) -> String {
        let one = 10_i64.pow(decimals);
        let (whole, rest) = ((units / one).to_string(), units % one);
        let rest = if decimals == 0 {
            String::new()
        } else {
            format!("{rest:0width$}", width = decimals as usize)
        };
        let (group, point) = match self {
            Self::Plain | Self::Trimmed => ("", "."),
            Self::CommaPoint | Self::Indian => (",", "."),
            Self::PlainComma => ("", ","),
            Self::PointComma => (".", ","),
            Self::SpaceComma => ("\u{a0}", ","),
            Self::Apostrophe => ("'", "."),
            Self::EasternDigits => ("٬", "٫"),
        };
        let rest = if self == Self::Trimmed { rest.trim_end_matches('0') } else { &rest };
        let whole = if self == Self::Indian { indian(&whole) } else { grouped(&whole, group) };
        let text = if rest.is_empty() { whole } else { format!("{whole}{point}{rest}") };
        if self == Self::EasternDigits { text.chars().map(eastern).collect() } else { text }
    }
}

fn grouped(digits: &str, by: &str) -> String {
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|group| str::from_utf8(group).unwrap()).collect::<Vec<_>>().join(by)
}

/// Three digits, then groups of two.
fn indian(digits: &str) -> String {
    let (head, tail) = digits.split_at(digits.len().saturating_sub(3));
    let groups = head.as_bytes().rchunks(2).rev();
    let mut groups: Vec<&str> = groups.map(|group| str::from_utf8(group).unwrap()).collect();
    groups.push(tail);
    groups.join(",")
}

fn eastern(c: char) -> char {
    c.to_digit(10).map_or(c, |digit| char::from_u32(0x660 + digit).unwrap())
}

/// How a negative amount is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignStyle {
    // `-12.50`
    Minus,
    // `-12.50`, `+12.50`
    PlusAndMinus,
    // `12.50-`
    TrailingMinus,
    // `(12.50)`
    Parentheses,
    /// `−12.50` with the sign that isn't a hyphen.
    LongMinus,
}

pub(crate) const SIGNS: &[SignStyle] = &[
    SignStyle::Minus,
    SignStyle::Minus,
    SignStyle::Minus,
    SignStyle::PlusAndMinus,
    SignStyle::TrailingMinus,
    SignStyle::Parentheses,
    SignStyle::LongMinus,
];

impl SignStyle {
    /// The text of an amount's digits with the sign.
    pub(crate) fn text(self, digits: &str, is_negative: bool) -> String {
        match (self, is_negative) {
            (Self::PlusAndMinus, false) => format!("+{digits}"),
            (_, false) => digits.to_owned(),
            (Self::Minus | Self::PlusAndMinus, true) => format!("-{digits}"),
            (Self::TrailingMinus, true) => format!("{digits}-"),
            (Self::Parentheses, true) => format!("({digits})"),
            (Self::LongMinus, true) => format!("\u{2212}{digits}"),
        }
    }
}

/// What stands beside the digits of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Nothing,
    CodeAfter,
    CodeBefore,
    SignAfter,
}

pub(crate) const UNITS: &[Unit] = &[
    Unit::Nothing,
    Unit::Nothing,
    Unit::Nothing,
    Unit::Nothing,
    Unit::CodeAfter,
    Unit::CodeBefore,
    Unit::SignAfter,
];

impl Unit {
    /// The text of a signed amount with its unit.
    pub(crate) fn text(self, amount: &str, (code, sign): (&str, &str)) -> String {
        match self {
            Self::Nothing => amount.to_owned(),
            Self::CodeAfter => format!("{amount} {code}"),
            Self::CodeBefore => format!("{code} {amount}"),
            Self::SignAfter => format!("{amount} {sign}"),
        }
    }
}

#[test]
fn amounts_are_written_as_banks_do() {
    for (style, units, decimals, expected) in [
        (NumberStyle::Plain, 123_456, 2, "1234.56"),
        (NumberStyle::PointComma, 123_456_789, 2, "1.234.567,89"),
        (NumberStyle::Indian, 123_456_789, 2, "12,34,567.89"),
        (NumberStyle::Indian, 999, 2, "9.99"),
        (NumberStyle::SpaceComma, 5, 2, "0,05"),
        (NumberStyle::CommaPoint, 1_500, 0, "1,500"),
        (NumberStyle::Trimmed, 1_250, 2, "12.5"),
        (NumberStyle::Trimmed, 1_200, 2, "12"),
        (NumberStyle::EasternDigits, 1_205, 2, "١٢٫٠٥"),
    ] {
        assert_eq!(style.text(units, decimals), expected);
    }
    assert_eq!(SignStyle::Parentheses.text("1.00", true), "(1.00)");
    assert_eq!(Unit::CodeBefore.text("-1.00", ("EUR", "€")), "EUR -1.00");
}
