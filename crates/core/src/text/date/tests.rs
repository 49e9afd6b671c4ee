//! Dates as files have them: every case with the one right answer, or none.

use jiff::ToSpan;
use proptest::prelude::*;

use super::*;
use crate::text::Detection;

fn read(pattern: &str, cell: &str) -> Option<Date> {
    DateFormat::new(pattern).unwrap().parse(cell).ok()
}

#[test]
fn each_cell_is_read_as_its_day_or_none() {
    for (pattern, cell, expected) in [
        ("%Y-%m-%d", "2024-01-31", Some((2024, 1, 31))),
        ("%Y-%m-%d", " 2024-1-3\u{a0}", Some((2024, 1, 3))),
        ("%F", "2024-01-31", Some((2024, 1, 31))),
        ("%Y-%m-%d", "2024-02-30", None),
        ("%Y-%m-%d", "2023-02-29", None),
        ("%Y-%m-%d", "2024-02-29", Some((2024, 2, 29))),
        ("%Y-%m-%d", "2024-13-01", None),
        ("%Y-%m-%d", "2024-00-01", None),
        ("%Y-%m-%d", "24-01-31", None),
        ("%Y-%m-%d", "02024-01-31", None),
        ("%Y-%m-%d", "2024-01-311", None),
        ("%Y-%m-%d", "2024-001-31", None),
        ("%Y-%m-%d", "-2024-01-31", None),
        ("%Y-%m-%d", "2024/01/31", None),
        // A format with a short year never swallows a part of a long one, nor the reverse.
        ("%d/%m/%y", "15/05/2024", None),
        ("%m/%d/%Y", "1/2/24", None),
        ("%d/%m/%y", "15/05/24", Some((2024, 5, 15))),
        ("%d/%m/%y", "15/05/68", Some((2068, 5, 15))),
        ("%d/%m/%y", "15/05/69", Some((1969, 5, 15))),
        ("%D", "5/15/99", Some((1999, 5, 15))),
        ("%m/%d/%Y", "1/2/2024", Some((2024, 1, 2))),
        ("%e/%m/%Y", " 1/02/2024", Some((2024, 2, 1))),
        ("%-d.%-m.%Y", "1.2.2024", Some((2024, 2, 1))),
        ("%d/%m/%Y", "01/02/2024xyz", None),
        ("%d/%m/%Y", "01/02/2024 xyz", None),
        ("%Y%m%d", "20240131", Some((2024, 1, 31))),
        ("%Y%m%d", "2024131", None),
        ("%Y%m%d", "202401311", None),
        ("%y%m%d", "240131", Some((2024, 1, 31))),
        ("%Y%m%d%H%M%S", "20240131235959", Some((2024, 1, 31))),
        ("%Y%m%d%H%M%S", "20240131", Some((2024, 1, 31))),
        ("%Y%m%d%H%M%S", "20240131245959", None),
        ("%d %b %Y", "5 Jan 2024", Some((2024, 1, 5))),
        ("%d %b %Y", "05 JANUARY 2024", Some((2024, 1, 5))),
        ("%d %b %Y", "5 Jan. 2024", Some((2024, 1, 5))),
        ("%d %B %Y", "5  févr. 2024", Some((2024, 2, 5))),
        ("%d. %b %Y", "5. März 2024", Some((2024, 3, 5))),
        ("%d.%b.%Y", "05.Okt.2024", Some((2024, 10, 5))),
        ("%d de %B de %Y", "5 DE enero De 2024", Some((2024, 1, 5))),
        ("%d%b%Y", "05dic2024", Some((2024, 12, 5))),
        ("%d %b %Y", "5 Jax 2024", None),
        ("%d %b %Y", "5 Jan 24", None),
        ("%b %d, %Y", "Jan 5, 2024", Some((2024, 1, 5))),
        ("%Y年%m月%d日", "2024年1月5日", Some((2024, 1, 5))),
        ("%Y年%m月%d日", "2024年1月5", None),
        ("%d%%%m%%%Y", "5%1%2024", Some((2024, 1, 5))),
        ("%d/%m/%Y", "", None),
        ("%d/%m/%Y", "31/04/2024", None),
        ("%d/%m/%Y", "٠١/٠٢/٢٠٢٤", None),
    ] {
        let expected = expected.map(|(year, month, day)| date(year, month, day));
        assert_eq!(read(pattern, cell), expected, "{cell:?} as {pattern}");
    }
}

#[test]
fn after_the_date_only_a_time_may_follow() {
    for rest in [
        "",
        " 10:00",
        " 9:05",
        " 10:00:59",
        " 10:00:60",
        " 10:00:00.123",
        " 10:00:00,123456789",
        "T10:00:00Z",
        "t10:00",
        " 10:00:00 UTC",
        " 10:00+02:00",
        "T10:00:00-0530",
        " 10:00 +01",
        " 12:30 PM",
        " 12:30:00 p.m.",
        ", 9:05 am",
        " 10:00:00 +0000 UTC",
        "-10:00:00",
        "\u{202f}9:05\u{202f}AM",
        " 10:00:00 GMT+0100",
        " ",
    ] {
        let cell = format!("2024-01-31{rest}");
        assert_eq!(read("%Y-%m-%d", &cell), Some(date(2024, 1, 31)), "{cell:?}");
    }
    for rest in [
        "x",
        " x",
        "T",
        " 10",
        "10:00",
        " 24:00",
        " 10:60",
        " 10:00:61",
        " 10:0",
        " 10:00:00.",
        " 10:00:00.1234567890",
        " 13:00 PM",
        " 10:00 +24:00",
        " 10:00 x",
        ",10:00",
        " - 10:00",
        " 10:00 10:00",
        " 10:00:00 +0000 UTC x",
        "Z",
        "-01",
        ".",
    ] {
        let cell = format!("2024-01-31{rest}");
        assert_eq!(read("%Y-%m-%d", &cell), None, "{cell:?}");
    }
    assert_eq!(read("%d/%m/%Y %H:%M", "31/01/2024"), Some(date(2024, 1, 31)));
    assert_eq!(read("%d/%m/%Y %Hh%M", "31/01/2024 9h30"), Some(date(2024, 1, 31)));
    assert_eq!(read("%d/%m/%Y %Hh%M", "31/01/2024 9h75"), None);
    assert_eq!(read("%d.%m.%Y %H.%M.%S", "31.01.2024 09.30.00"), Some(date(2024, 1, 31)));
    assert_eq!(read("%Y-%m-%dT%T.%f%z", "2024-01-31T09:30:00.5+01:00"), Some(date(2024, 1, 31)));
}

#[test]
fn patterns_name_a_whole_date_or_are_refused() {
    for (pattern, message) in [
        ("", "names no year"),
        ("%d/%m", "names no year"),
        ("%Y-%d", "names no month"),
        ("%Y-%m", "names no day"),
        ("%Y-%m-%d %Y", "names the year twice"),
        ("%Y-%y-%m-%d", "names the year twice"),
        ("%b %m %d %Y", "names the month twice"),
        ("%Y-%m-%e-%d", "names the day twice"),
        ("%Y-%j", "has %j, which is not understood in a date"),
        ("%Y-%m-%d %", "has %, which is not understood in a date"),
        ("%-", "has %-, which is not understood in a date"),
        ("%-Y-%m-%d", "has %-Y, which is not understood in a date"),
        ("%H:%M %d/%m/%Y", "has a time before the end of the date"),
        ("%d %H %m/%Y", "has a time before the end of the date"),
    ] {
        assert_eq!(DateFormat::new(pattern).unwrap_err().to_string(), message, "{pattern:?}");
    }
    let long = format!("%Y-%m-%d{}", " ".repeat(60) + "x");
    assert_eq!(DateFormat::new(&long), Err(DateFormatError::TooLong));
}

#[test]
fn messages_are_for_people() {
    for (pattern, cell, message) in [
        ("%d/%m/%Y", " ", "is blank"),
        ("%d/%m/%Y", "15/05/24", "\"15/05/24\" is not a date like DD/MM/YYYY"),
        ("%d %b %y", "2024", "\"2024\" is not a date like DD Mon YY"),
        (
            "%m/%d/%Y",
            "15/05/2024",
            "\"15/05/2024\", read as MM/DD/YYYY, is not a day of the calendar",
        ),
        (
            "%d/%m/%Y",
            "15/05/2024 ok",
            "\"15/05/2024 ok\" has something after the date that is not a time",
        ),
    ] {
        let error = DateFormat::new(pattern).unwrap().parse(cell).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn the_ledger_takes_days_from_1900_to_a_year_from_today() {
    let today = date(2024, 2, 29);
    for day in [date(1900, 1, 1), today, date(2025, 2, 28)] {
        assert_eq!(check_range(day, today), Ok(()));
    }
    assert_eq!(
        check_range(date(1899, 12, 31), today).unwrap_err().to_string(),
        "1899-12-31 is before 1900-01-01, the first day that is allowed"
    );
    assert_eq!(
        check_range(date(2025, 3, 1), today).unwrap_err().to_string(),
        "2025-03-01 is after 2025-02-28, the last day that is allowed (a year from today)"
    );
    assert_eq!(check_range(Date::MAX, Date::MAX), Ok(()));
}

#[test]
fn json_is_the_pattern() {
    let format: DateFormat = serde_json::from_str("\"%d/%m/%Y\"").unwrap();
    assert_eq!(format.pattern(), "%d/%m/%Y");
    assert_eq!(serde_json::to_string(&format).unwrap(), "\"%d/%m/%Y\"");
    assert!(serde_json::from_str::<DateFormat>("\"%d/%m\"").is_err());
}

fn detect(cells: &[impl AsRef<str>]) -> Detection<String> {
    let mut detector = DateFormatDetector::new();
    for cell in cells {
        detector.observe(cell.as_ref());
    }
    detector.finish(None).map(|format| format.pattern().to_owned())
}

#[test]
fn the_format_of_a_column_is_found_or_ambiguous() {
    let one = |pattern: &str| Detection::One(pattern.to_owned());
    let both = |a: &str, b: &str, cell: &str| {
        Detection::Ambiguous(a.to_owned(), b.to_owned(), cell.to_owned())
    };
    assert_eq!(detect(&["", " "]), Detection::Empty);
    assert_eq!(detect(&["2024-01-02", "", "2024-01-03 10:00"]), one("%Y-%m-%d"));
    assert_eq!(detect(&["01/02/2024", "13/02/2024"]), one("%d/%m/%Y"));
    assert_eq!(detect(&["01/02/2024", "02/13/2024"]), one("%m/%d/%Y"));
    let ambiguous = both("%d/%m/%Y", "%m/%d/%Y", "01/02/2024");
    assert_eq!(detect(&["05/05/2024", "01/02/2024", "03/04/2024"]), ambiguous);
    assert_eq!(detect(&["n/a", "01/02/2024"]), ambiguous);
    assert_eq!(detect(&["01-02-2024"]), both("%d-%m-%Y", "%m-%d-%Y", "01-02-2024"));
    assert_eq!(detect(&["05/05/2024", "07/07/2024"]), one("%d/%m/%Y"));
    assert_eq!(detect(&["15/05/24", "28/05/24", "02/06/24"]), one("%d/%m/%y"));
    assert_eq!(detect(&["15.05.99"]), one("%d.%m.%y"));
    assert_eq!(detect(&["1.2.2024"]), one("%d.%m.%Y"));
    assert_eq!(detect(&["20240102"]), one("%Y%m%d"));
    assert_eq!(detect(&["31122024"]), one("%d%m%Y"));
    assert_eq!(detect(&["Jan 5, 2024", "Feb. 15, 2024 10:00 PM"]), one("%b %d, %Y"));
    assert_eq!(detect(&["5. Mai 2024"]), one("%d. %b %Y"));
    assert_eq!(detect(&["05-JAN-24"]), one("%d-%b-%y"));
    let none = |best: &str| Detection::None { best: best.to_owned() };
    assert_eq!(detect(&["2024-01-02", "n/a"]), none("%Y-%m-%d"));
    assert_eq!(detect(&["hello"]), none("%Y-%m-%d"));
    assert_eq!(detect(&["13/02/2024", "02/13/2024", "14/02/2024"]), none("%d/%m/%Y"));
}

#[test]
fn a_short_year_at_the_start_is_never_taken_for_a_day() {
    let both = |cell: &str| {
        Detection::Ambiguous("%d/%m/%y".to_owned(), "%y/%m/%d".to_owned(), cell.to_owned())
    };
    // Days of a month, or years that are far apart.
    assert_eq!(detect(&["24/05/28", "24/05/30", "24/06/02"]), both("24/05/28"));
    assert_eq!(detect(&["24/05/31"]), both("24/05/31"));
    assert_eq!(detect(&["15/01/24", "15/02/24", "15/03/24"]), both("15/01/24"));
    assert_eq!(detect(&["15/01/24", "16/02/24"]), Detection::One("%d/%m/%y".to_owned()));
    assert_eq!(detect(&["99/12/31"]), Detection::One("%y/%m/%d".to_owned()));
    assert_eq!(detect(&["32.05.24"]), Detection::One("%y.%m.%d".to_owned()));
}

/// The day as each candidate writes it, by jiff, which knows nothing of our reader.
fn write(pattern: &str, day: Date) -> String {
    day.strftime(pattern).to_string()
}

fn any_day() -> impl Strategy<Value = Date> {
    (0i64..36_160).prop_map(|days| date(1970, 1, 1).checked_add(days.days()).unwrap())
}

fn any_candidate() -> impl Strategy<Value = &'static str> {
    prop::sample::select(CANDIDATES.to_vec())
}

proptest! {
    #[test]
    fn what_is_written_in_a_pattern_reads_back_in_it(
        day in any_day(),
        pattern in any_candidate(),
        time in prop::sample::select(vec!["", " 10:00", "T23:59:59.999Z"]),
    ) {
        let format = DateFormat::new(pattern).unwrap();
        prop_assert_eq!(format.parse(&(write(pattern, day) + time)), Ok(day));
        let long = pattern.replace("%b", "%B");
        prop_assert_eq!(format.parse(&write(&long, day)), Ok(day));
        let plain = pattern.replace("%d", "%-d").replace("%m", "%-m");
        if !pattern.contains("%m%d") && !pattern.contains("%d%m") {
            prop_assert_eq!(format.parse(&write(&plain, day)), Ok(day));
        }
    }

    #[test]
    fn the_detector_is_truthful(
        first in any_day(),
        later in prop::collection::vec(0i64..100, 0..12),
        pattern in any_candidate(),
    ) {
        // Files cover a short period.
        let days = later.iter().map(|days| first.checked_add(days.days()).unwrap());
        let days = std::iter::once(first).chain(days).filter(|day| day.year() <= 2068);
        let days: Vec<Date> = days.collect();
        prop_assume!(!days.is_empty());
        let cells: Vec<_> = days.iter().map(|day| write(pattern, *day)).collect();
        match detect(&cells) {
            Detection::One(found) => {
                for (cell, day) in cells.iter().zip(&days) {
                    prop_assert_eq!(read(&found, cell), Some(*day), "{} as {}", cell, found);
                }
            }
            Detection::Ambiguous(a, b, cell) => {
                prop_assert!(read(&a, &cell) != read(&b, &cell));
                prop_assert!(cells.iter().all(|c| read(&a, c).is_some() && read(&b, c).is_some()));
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }

    /// The shortcut of the detector gives what reading with every candidate gives, but for years
    /// that no file has.
    #[test]
    fn no_candidate_is_ruled_out_that_reads_the_cell(day in any_day(), pattern in any_candidate()) {
        let cell = write(pattern, day);
        let is_real = |day: Date| (1900..=2100).contains(&day.year());
        let fits = CANDIDATES.iter().filter(|p| read(p, &cell).is_some_and(is_real));
        let fits: Vec<_> = fits.collect();
        let found = match detect(&[&cell]) {
            Detection::One(a) => vec![a],
            Detection::Ambiguous(a, b, _) => vec![a, b],
            _ => vec![],
        };
        let meanings = |patterns: &[String]| -> std::collections::BTreeSet<Option<Date>> {
            patterns.iter().map(|p| read(p, &cell)).collect()
        };
        let all: Vec<String> = fits.iter().map(|p| p.to_string()).collect();
        let (found, all) = (meanings(&found), meanings(&all));
        prop_assert!(found.is_subset(&all));
        prop_assert_eq!(found.len(), all.len().min(2));
    }

    #[test]
    fn nothing_panics(
        any in "\\PC{0,24}",
        near in "[0-9/.: TZ年a-zé-]{0,20}",
        pattern in "(%?-?[YymdebBhFDHMSpzTjé /.年]){0,10}",
        candidate in any_candidate(),
    ) {
        let mut detector = DateFormatDetector::new();
        for pattern in [pattern.as_str(), candidate] {
            if let Ok(format) = DateFormat::new(pattern) {
                let _ = format.parse(&any).map_err(|error| error.to_string());
                let _ = format.parse(&near).map_err(|error| error.to_string());
            }
        }
        detector.observe(&any);
        detector.observe(&near);
        let _ = detector.finish(None);
    }
}
