//! Amounts as files have them: every case with the one right answer, or none.

use NumberFormat::{CommaDot, CommaNone, DotComma, SpaceComma};
use proptest::prelude::*;

use super::*;
use crate::text::Detection;

fn value(cell: &str, format: NumberFormat) -> Option<i64> {
    parse_amount(cell, format, 4).ok().map(|amount| amount.value)
}

#[test]
fn each_cell_has_its_value_in_the_formats_it_fits_and_none_in_the_others() {
    let cases: &[(&str, [Option<i64>; 4])] = &[
        ("1,234.56", [Some(12_345_600), None, None, None]),
        ("1.234,56", [None, Some(12_345_600), None, None]),
        ("1 234,56", [None, None, Some(12_345_600), None]),
        ("1\u{a0}234,56", [None, None, Some(12_345_600), None]),
        ("1\u{202f}234,56", [None, None, Some(12_345_600), None]),
        ("1\u{2009}234\u{3000}567", [None, None, Some(12_345_670_000), None]),
        ("(123.45)", [Some(-1_234_500), None, None, None]),
        ("123.45-", [Some(-1_234_500), None, None, None]),
        ("\u{2212}123.45", [Some(-1_234_500), None, None, None]),
        ("$1,234.56", [Some(12_345_600), None, None, None]),
        ("12,50", [None, Some(125_000), Some(125_000), None]),
        ("12.5", [Some(125_000), None, None, None]),
        ("1e5", [None; 4]),
        ("+5.00", [Some(50_000), None, None, None]),
        ("1'234.56", [Some(12_345_600), None, None, None]),
        ("1’234’567.80", [Some(12_345_678_000), None, None, None]),
        ("-.50", [Some(-5_000), None, None, None]),
        (".50", [Some(5_000), None, None, None]),
        (",50", [None, Some(5_000), Some(5_000), None]),
        ("-,5 €", [None, Some(-5_000), Some(-5_000), None]),
        ("12/34", [None; 4]),
        ("1,23,456.78", [Some(1_234_567_800), None, None, None]),
        ("12,34,567", [Some(12_345_670_000), None, None, Some(12_345_670_000)]),
        ("1,234.56 CR", [Some(12_345_600), None, None, None]),
        ("1,234", [Some(12_340_000), Some(12_340), Some(12_340), Some(12_340_000)]),
        ("0,123", [None, Some(1_230), Some(1_230), None]),
        ("1234", [Some(12_340_000); 4]),
        ("0012", [Some(120_000); 4]),
        ("0", [Some(0); 4]),
        ("-0", [Some(0); 4]),
        ("1.234.567", [None, Some(12_345_670_000), None, None]),
        ("1234,567,890", [None; 4]),
        ("1,2345", [None, Some(12_345), Some(12_345), None]),
        ("1,234,56", [None; 4]),
        ("1,23,45,678", [Some(123_456_780_000), None, None, Some(123_456_780_000)]),
        ("1,234'567", [None; 4]),
        ("1,,234", [None; 4]),
        ("1  234", [None; 4]),
        ("12.", [None; 4]),
        ("1.2.3", [None; 4]),
        ("2024-01-01", [None; 4]),
        ("--5", [None; 4]),
        ("5%", [None; 4]),
        ("0x10", [None; 4]),
        ("٣٤", [None; 4]),
    ];
    for (cell, expected) in cases {
        for (format, expected) in NumberFormat::ALL.iter().zip(expected) {
            assert_eq!(value(cell, *format), *expected, "{cell:?} as {}", format.as_str());
        }
    }
}

#[test]
fn signs_are_read_wherever_banks_put_them() {
    for (cell, expected) in [
        ("-12.00", Some(-120_000)),
        ("- 12.00", Some(-120_000)),
        ("12.00 -", Some(-120_000)),
        ("12.00+", Some(120_000)),
        ("\u{ff0d}12", Some(-120_000)),
        ("–12", Some(-120_000)),
        ("-$12.00", Some(-120_000)),
        ("$-12.00", Some(-120_000)),
        ("($12.00)", Some(-120_000)),
        ("$(12.00)", Some(-120_000)),
        ("( 12.00 )", Some(-120_000)),
        ("(12.00) EUR", Some(-120_000)),
        ("EUR -12.00", Some(-120_000)),
        ("12.00- EUR", Some(-120_000)),
        ("12.00 EUR-", Some(-120_000)),
        ("\u{feff}12.00\u{200e}", Some(120_000)),
        ("(12.00", None),
        ("12.00)", None),
        ("((12.00))", None),
        (")12.00(", None),
        ("-12.00-", None),
        ("-(12.00)", None),
        ("+-12.00", None),
        ("12-00", None),
    ] {
        assert_eq!(value(cell, CommaDot), expected, "{cell:?}");
    }
}

#[test]
fn credit_and_debit_stand_beside_the_number() {
    for (cell, expected) in [
        ("12.00CR", Some(Marker::Credit)),
        ("12.00 cr", Some(Marker::Credit)),
        ("12.00 Dr.", Some(Marker::Debit)),
        ("12.00(Dr)", Some(Marker::Debit)),
        ("₹ 1,23,456.00 Cr", Some(Marker::Credit)),
        ("12.00 DR EUR", Some(Marker::Debit)),
        ("12.00 EUR DR", Some(Marker::Debit)),
        ("12.00 EUR", None),
    ] {
        let amount = parse_amount(cell, CommaDot, 4).unwrap();
        assert_eq!(amount.marker, expected, "{cell:?}");
        assert!(amount.value > 0);
    }
    for cell in ["-12.00 CR", "(12.00) DR", "+12.00 DR"] {
        let error = parse_amount(cell, CommaDot, 4).unwrap_err();
        assert!(matches!(error, NumberError::TwoSigns { .. }), "{cell}: {error}");
    }
    for cell in
        ["12.00 CRX", "12.00 CR DR", "12.00 CREDIT", "CR 12.00", "12.00 (cr", "12 C", "12 D"]
    {
        assert_eq!(value(cell, CommaDot), None, "{cell:?}");
    }
}

#[test]
fn a_currency_is_named_only_beyond_doubt() {
    let currency = |cell: &str| {
        let named = parse_amount(cell, CommaDot, 4).map(|amount| amount.currency);
        named.map(|currency| currency.map_or("", Currency::code)).map_err(|e| e.to_string())
    };
    for (cell, code) in [
        ("12.00", ""),
        ("$12.00", ""),
        ("£12.00", ""),
        ("12.00 kr", ""),
        ("12.00 kr.", ""),
        ("Rs.50", ""),
        ("Rs 50.00", ""),
        ("R 50.00", ""),
        ("€12.00", "EUR"),
        ("12.00 €", "EUR"),
        ("12.00EUR", "EUR"),
        ("eur 12.00", "EUR"),
        ("CA$12.00", "CAD"),
        ("US$12.00", "USD"),
        ("R$12.00", "BRL"),
        ("₹12.00", "INR"),
        ("12.00 zł", "PLN"),
        ("12.00 Kč", "CZK"),
        ("$12.00 USD", "USD"),
        ("$12.00 CAD", "CAD"),
        ("USD $12.00", "USD"),
        ("kr 12.00 SEK", "SEK"),
        ("kr. 12.00 NOK", "NOK"),
        ("Rs. 12.00 INR", "INR"),
        ("CHF 1'234.50", "CHF"),
        ("د.إ 12.00", ""),
    ] {
        assert_eq!(currency(cell).as_deref(), Ok(code), "{cell:?}");
    }
    for cell in ["$12.00 EUR", "€12.00 USD", "EUR 12.00 USD", "$12.00 kr"] {
        let error = parse_amount(cell, CommaDot, 4).unwrap_err();
        assert!(matches!(error, NumberError::TwoCurrencies { .. }), "{cell}: {error}");
    }
    for cell in ["XYZ 12.00", "12.00 apples", "E12", "12E", "EUR.50", "USD USD USD 1"] {
        assert_eq!(value(cell, CommaDot), None, "{cell:?}");
    }
}

#[test]
fn decimals_and_size_are_limited_by_the_scale() {
    assert_eq!(value("1.2345", CommaDot), Some(12_345));
    assert_eq!(parse_amount("0.00000001", CommaDot, 8).unwrap().value, 1);
    assert_eq!(value("900,000,000,000,000", CommaDot), Some(9_000_000_000_000_000_000));
    for (cell, scale, message) in [
        ("1.23456", 4, "\"1.23456\" has more than 4 decimals"),
        ("1.00000", 4, "\"1.00000\" has more than 4 decimals"),
        ("1.123456789", 8, "\"1.123456789\" has more than 8 decimals"),
        ("900000000000000.0001", 4, "\"900000000000000.0001\" is too large"),
        ("99999999999999999999999", 4, "\"99999999999999999999999\" is too large"),
        ("90000000000.1", 8, "\"90000000000.1\" is too large"),
        ("12,50", 4, "\"12,50\" is not written like 1,234.56"),
        ("abc", 4, "\"abc\" is not an amount"),
        (" \u{a0}", 4, "is blank"),
        ("-5-", 4, "\"-5-\" has two signs"),
        ("€5 USD", 4, "\"€5 USD\" names two currencies"),
        ("a\tb", 4, "\"a b\" is not an amount"),
    ] {
        assert_eq!(parse_amount(cell, CommaDot, scale).unwrap_err().to_string(), message);
    }
    let long = parse_amount(&"é".repeat(1000), CommaDot, 4).unwrap_err().to_string();
    assert!(long.chars().count() < 90, "{long}");
}

fn detect(cells: &[&str]) -> Detection<NumberFormat> {
    let mut detector = NumberFormatDetector::new();
    for cell in cells {
        detector.observe(cell);
    }
    detector.finish(None)
}

#[test]
fn the_format_of_a_column_is_found_or_ambiguous() {
    use Detection::{Ambiguous, Empty, One};
    assert_eq!(detect(&[]), Empty);
    assert_eq!(detect(&["", " "]), Empty);
    assert_eq!(detect(&["5", "", "-12"]), One(CommaDot));
    assert_eq!(detect(&["5.00", "1,234.56"]), One(CommaDot));
    assert_eq!(detect(&["5,00", "7"]), One(DotComma));
    assert_eq!(detect(&["5,00", "1.234,00"]), One(DotComma));
    assert_eq!(detect(&["5,00", "1 234,00"]), One(SpaceComma));
    assert_eq!(detect(&["1.123456789"]), One(CommaDot));
    assert_eq!(detect(&["1,234", "0,500"]), One(DotComma));
    assert_eq!(detect(&["5", "1,234", "5,678"]), Ambiguous(CommaDot, DotComma, "1,234".to_owned()));
    assert_eq!(detect(&["1.234"]), Ambiguous(CommaDot, DotComma, "1.234".to_owned()));
    assert_eq!(detect(&["$1,234.50", "(3.00)", "1.234,00"]), Detection::None { best: CommaDot });
    assert_eq!(detect(&["n/a", "3,5"]), Detection::None { best: DotComma });
    assert_eq!(detect(&["n/a"]), Detection::None { best: CommaDot });
    // A cell that nothing reads doesn't make the others any clearer.
    assert_eq!(detect(&["n/a", "1,234"]), Ambiguous(CommaDot, DotComma, "1,234".to_owned()));
}

/// Writes a value of scale 4 in a format, with `places` decimals at least.
fn render(value: i64, format: NumberFormat, group: bool, places: usize) -> String {
    let (separator, point) = match format {
        CommaDot => (",", "."),
        DotComma => (".", ","),
        SpaceComma => ("\u{202f}", ","),
        CommaNone => (",", ""),
    };
    let whole = (value.unsigned_abs() / 10_000).to_string();
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if group && index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    if !point.is_empty() && places > 0 {
        let fraction = format!("{:04}", value.unsigned_abs() % 10_000);
        text.push_str(point);
        text.push_str(&fraction[..places]);
    }
    if value < 0 { format!("-{text}") } else { text }
}

fn any_format() -> impl Strategy<Value = NumberFormat> {
    (0..NumberFormat::ALL.len()).prop_map(|index| NumberFormat::ALL[index])
}

/// Drops the decimals that the rendering doesn't write.
fn kept(value: i64, format: NumberFormat, places: usize) -> i64 {
    let places = if format == CommaNone { 0 } else { places };
    let unit = [10_000, 1_000, 100, 10, 1][places];
    value / unit * unit
}

proptest! {
    #[test]
    fn what_is_written_in_a_format_reads_back_in_it(
        value in -9_000_000_000_000_000_000i64..=9_000_000_000_000_000_000,
        shift in 0u32..18,
        format in any_format(),
        group: bool,
        places in 0usize..=4,
        dressing in 0usize..6,
    ) {
        let value = kept(value / 10i64.pow(shift), format, places);
        let plain = render(value, format, group, places);
        let cell = match dressing {
            1 => format!(" {plain}\u{a0}"),
            2 => format!("€ {plain}"),
            3 => format!("{plain} EUR"),
            4 => match plain.strip_prefix('-') {
                Some(digits) => format!("({digits})"),
                None => format!("+{plain}"),
            },
            5 => match plain.strip_prefix('-') {
                Some(digits) => format!("{digits}-"),
                None => plain.clone(),
            },
            _ => plain.clone(),
        };
        let read = parse_amount(&cell, format, 4);
        prop_assert_eq!(read.map(|amount| amount.value), Ok(value), "{}", cell);
    }

    /// Whatever another format makes of a cell that holds both a group separator and decimals, it
    /// is not another value.
    #[test]
    fn no_other_format_misreads_a_grouped_number_with_two_decimals(
        value in 10_000_000i64..9_000_000_000_000_000,
        format in prop::sample::select(vec![CommaDot, DotComma, SpaceComma]),
        other in any_format(),
    ) {
        let value = kept(value, format, 2);
        let cell = render(value, format, true, 2);
        if let Ok(read) = parse_amount(&cell, other, 4) {
            prop_assert_eq!(read.value, value);
        }
    }

    #[test]
    fn the_detector_is_truthful(
        values in prop::collection::vec(-9_999_999_999i64..9_999_999_999, 1..20),
        format in any_format(),
        group: bool,
        places in 0usize..=4,
    ) {
        let cells: Vec<_> = values
            .iter()
            .map(|value| render(kept(*value, format, places), format, group, places))
            .collect();
        let cells: Vec<_> = cells.iter().map(String::as_str).collect();
        let read = |format, cell: &str| parse_amount(cell, format, 8).ok();
        match detect(&cells) {
            Detection::One(found) => {
                for cell in &cells {
                    prop_assert_eq!(read(found, cell), read(format, cell), "{}", cell);
                    prop_assert!(read(found, cell).is_some());
                }
            }
            Detection::Ambiguous(a, b, cell) => {
                prop_assert!(read(a, &cell) != read(b, &cell), "{}", cell);
                prop_assert!(cells.iter().all(|cell| read(a, cell).is_some()));
                prop_assert!(cells.iter().all(|cell| read(b, cell).is_some()));
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn nothing_panics(
        any in "\\PC{0,20}",
        near in "[-+() 0-9.,'’€$A-Zr\u{a0}\u{2212}]{0,16}",
        format in any_format(),
        scale in prop::sample::select(vec![4u32, 8]),
    ) {
        let mut detector = NumberFormatDetector::new();
        for cell in [&any, &near] {
            let _ = parse_amount(cell, format, scale).map_err(|error| error.to_string());
            detector.observe(cell);
        }
        let _ = detector.finish(None);
    }
}
