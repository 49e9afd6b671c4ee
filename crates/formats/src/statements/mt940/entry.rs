//! Field 61: an entry in one line, with a second line for what doesn't fit.
//!
//! `2401310201RD12,50NTRFREF//BANKREF`: the value date, the day of the booking without its year,
//! the mark, perhaps the third letter of the currency, the amount, the type, two references. Banks
//! leave out parts and write whole years; what stands there decides.

use jiff::civil::Date;

use super::super::amount::{Amount, DecimalMark};
use super::super::model::{Entry, EntryStatus, EntryTexts, UnreadableEntry};
use super::super::text::{day_of_digits, filled, quoted, reference};
use super::fields::Field;

/// Words that only point to field 86.
const POINTERS: [&str; 7] = ["EREF", "PREF", "MARF", "KREF", "NOREF", "NOREFERENCE", "NON REF"];

/// Reads a field 61.
pub(super) fn entry(field: &Field) -> Result<Entry, UnreadableEntry> {
    read(field)
        .map_err(|reason| UnreadableEntry { location: field.location(), reasons: vec![reason] })
}

fn read(field: &Field) -> Result<Entry, String> {
    let (first, more) = field.text.split_once('\n').unwrap_or((&field.text, ""));
    let first = first.trim();
    let digits = first.bytes().take_while(u8::is_ascii_digit).count();
    let (days, rest) = first.split_at(digits);
    let (value_on, booked_on) =
        read_days(days).ok_or_else(|| format!("{} are no days", quoted(days)))?;
    let mark = mark(rest)
        .ok_or_else(|| format!("{} doesn't begin with C, D, RC, RD, EC or ED", quoted(rest)))?;
    let length =
        mark.rest.bytes().take_while(|it| it.is_ascii_digit() || b",.".contains(it)).count();
    let (amount, rest) = mark.rest.split_at(length);
    let amount = Amount::parse(amount, DecimalMark::CommaOrPoint, None)
        .map_err(|error| format!("The amount is {}: {error}", quoted(amount)))?;
    let (kind, references) = kind(rest);
    let (own, of_bank) = references.split_once("//").unwrap_or((references, ""));
    let own = reference(own).filter(|own| !POINTERS.contains(&own.as_str()));
    let is_check = kind == Some("NCHK") || kind == Some("NCHG");
    let texts = EntryTexts {
        bank_reference: reference(of_bank),
        end_to_end_id: own.clone().filter(|_| !is_check),
        check_number: own.filter(|_| is_check),
        additional: filled(more),
        type_code: kind.and_then(filled),
        ..EntryTexts::default()
    };
    Ok(Entry {
        booked_on: Some(booked_on),
        value_on: Some(value_on),
        amount: if mark.is_out { amount.negated() } else { amount },
        status: mark.status,
        is_reversal: mark.is_reversal,
        texts,
        location: field.location(),
        ..Entry::default()
    })
}

/// The days of value and of booking; without the latter the former is both.
fn read_days(digits: &str) -> Option<(Date, Date)> {
    let (value, booking) = match digits.len() {
        6 | 8 => (day(digits)?, None),
        10 => (day(&digits[..6])?, Some(&digits[6..])),
        12 => return of_twelve(digits),
        16 => return Some((day(&digits[..8])?, day(&digits[8..])?)),
        _ => return None,
    };
    match booking {
        Some(booking) => Some((value, near(value, booking)?)),
        None => Some((value, value)),
    }
}

/// Twelve digits are a day with four digits of the year and one without any, or two days with two
/// digits: the reading by which the days are nearer to each other.
fn of_twelve(digits: &str) -> Option<(Date, Date)> {
    let long = day(&digits[..8]);
    let long = long.and_then(|value| Some((value, near(value, &digits[8..])?)));
    let short = day(&digits[..6]).zip(day(&digits[6..]));
    let apart = |days: &(Date, Date)| (days.1 - days.0).get_days().abs();
    long.into_iter().chain(short).min_by_key(apart)
}

/// A day with two digits of the year or four. The standard has 80 to 99 for the last century.
pub(super) fn day(digits: &str) -> Option<Date> {
    if digits.len() != 6 {
        return day_of_digits(digits);
    }
    let is_last_century = digits.get(..2)?.parse::<u8>().ok()? >= 80;
    day_of_digits(&format!("{}{digits}", if is_last_century { 19 } else { 20 }))
}

/// The day without a year that is nearest to another one: a booking of January may have a value
/// date of December.
fn near(value: Date, month_and_day: &str) -> Option<Date> {
    let years = [value.year() - 1, value.year(), value.year() + 1];
    let days = years.iter().filter_map(|year| day_of_digits(&format!("{year}{month_and_day}")));
    days.min_by_key(|day| (*day - value).get_days().abs())
}

struct Mark<'t> {
    is_out: bool,
    is_reversal: bool,
    status: EntryStatus,
    rest: &'t str,
}

/// `C`, `D`; reversals `RC` (of money in, so it goes out) and `RD`; expected `EC` and `ED`.
fn mark(text: &str) -> Option<Mark<'_>> {
    let marks = [
        ("RC", true, true, EntryStatus::Booked),
        ("RD", false, true, EntryStatus::Booked),
        ("EC", false, false, EntryStatus::Pending),
        ("ED", true, false, EntryStatus::Pending),
        ("C", false, false, EntryStatus::Booked),
        ("D", true, false, EntryStatus::Booked),
    ];
    marks.into_iter().find_map(|(sign, is_out, is_reversal, status)| {
        let rest = text.strip_prefix(sign)?;
        // The third letter of the currency.
        let rest = rest.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(rest);
        let is_amount = rest.starts_with(|c: char| c.is_ascii_digit() || c == ',');
        is_amount.then_some(Mark { is_out, is_reversal, status, rest })
    })
}

/// The type (`NTRF`, `FMSC`, `S940`), if there is one, and what follows it. `NONREF` isn't `NONR`.
fn kind(text: &str) -> (Option<&str>, &str) {
    let is_kind = text.len() >= 4
        && !text.starts_with("NONREF")
        && text.starts_with(['N', 'F', 'S'])
        && text.as_bytes()[..4].iter().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit());
    match is_kind {
        true => (Some(&text[..4]), &text[4..]),
        false => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Result<String, String> {
        let field = Field { tag: "61", text: text.to_owned(), line: 1, offset: 0 };
        let entry = entry(&field).map_err(|unreadable| unreadable.reasons.concat())?;
        let texts = entry.texts;
        Ok(format!(
            "{} {} {} {:?} {} {:?}",
            entry.value_on.unwrap(),
            entry.booked_on.unwrap(),
            entry.amount,
            entry.status,
            entry.is_reversal,
            [texts.type_code, texts.end_to_end_id, texts.bank_reference, texts.additional]
                .map(Option::unwrap_or_default),
        ))
    }

    #[test]
    fn dialects_are_read() {
        for (text, expected) in [
            (
                "2401310201D12,50NTRFREF 1//B-7\nmore",
                r#"2024-01-31 2024-02-01 -12.50 Booked false ["NTRF", "REF 1", "B-7", "more"]"#,
            ),
            (
                "240131CR0,5FMSCNONREF",
                r#"2024-01-31 2024-01-31 0.5 Booked false ["FMSC", "", "", ""]"#,
            ),
            (
                "2312310102RC100,NMSCEREF//1",
                r#"2023-12-31 2024-01-02 -100 Booked true ["NMSC", "", "1", ""]"#,
            ),
            (
                "2401011231RDR100.10S940//2",
                r#"2024-01-01 2023-12-31 100.10 Booked true ["S940", "", "2", ""]"#,
            ),
            ("20240131ED1,", r#"2024-01-31 2024-01-31 -1 Pending false ["", "", "", ""]"#),
            ("202401310201C1,00", r#"2024-01-31 2024-02-01 1.00 Booked false ["", "", "", ""]"#),
            (
                "2024013120240202EC1,00some text",
                r#"2024-01-31 2024-02-02 1.00 Pending false ["", "some text", "", ""]"#,
            ),
            (
                "2402280229C1,00NTRF0000",
                r#"2024-02-28 2024-02-29 1.00 Booked false ["NTRF", "", "", ""]"#,
            ),
            ("991231C1,00", r#"1999-12-31 1999-12-31 1.00 Booked false ["", "", "", ""]"#),
        ] {
            assert_eq!(shown(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_cant_be_read_has_a_reason() {
        for (text, reason) in [
            ("", "\"\" are no days"),
            ("240231C1,00", "\"240231\" are no days"),
            ("2401310230C1,00", "\"2401310230\" are no days"),
            ("24013C1,00", "\"24013\" are no days"),
            ("240131X1,00", "\"X1,00\" doesn't begin with C, D, RC, RD, EC or ED"),
            ("240131CNTRF", "\"CNTRF\" doesn't begin with C, D, RC, RD, EC or ED"),
            ("240131C1.000,00N", "The amount is \"1.000,00\": it is not a plain decimal number"),
            ("240131C,N", "The amount is \",\": it is not a plain decimal number"),
        ] {
            assert_eq!(shown(text), Err(reason.to_owned()), "{text}");
        }
    }

    #[test]
    fn twelve_digits_are_the_days_that_are_near_to_each_other() {
        use jiff::civil::date;
        for (digits, value, booking) in [
            ("202403050306", date(2024, 3, 5), date(2024, 3, 6)),
            ("200305200306", date(2020, 3, 5), date(2020, 3, 6)),
            ("240305240306", date(2024, 3, 5), date(2024, 3, 6)),
            ("202401020101", date(2024, 1, 2), date(2024, 1, 1)),
        ] {
            assert_eq!(read_days(digits), Some((value, booking)), "{digits}");
        }
    }
}
