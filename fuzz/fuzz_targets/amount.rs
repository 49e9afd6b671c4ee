//! Amounts: no text panics; what is read is within the limits, doesn't depend on white space
//! around it, and is the same amount in a finer scale.
#![no_main]

use libfuzzer_sys::fuzz_target;
use purser_core::limits::{AMOUNT_UNITS_MAX, AMOUNT_UNITS_MAX_SCALE_8};
use purser_core::text::number::{NumberFormat, NumberFormatDetector, parse_amount};

fuzz_target!(|cell: &str| {
    for format in NumberFormat::ALL {
        for (scale, units_max) in [(4, AMOUNT_UNITS_MAX), (8, AMOUNT_UNITS_MAX_SCALE_8)] {
            let Ok(amount) = parse_amount(cell, *format, scale) else { continue };
            let limit = i128::from(units_max) * 10_i128.pow(scale);
            assert!(i128::from(amount.value).abs() <= limit, "{cell:?} is {amount:?}");
            if amount.marker.is_some() {
                assert!(amount.value >= 0, "{cell:?} has a marker and a sign: {amount:?}");
            }
            // White space around a cell never changes its meaning.
            assert_eq!(parse_amount(&format!(" {cell}\t"), *format, scale), Ok(amount));
            if scale == 4 {
                let finer = parse_amount(cell, *format, 8);
                assert!(finer.is_err() || finer.is_ok_and(|f| f.value == amount.value * 10_000));
            }
        }
    }
    let mut detector = NumberFormatDetector::new();
    detector.observe(cell);
    let _ = detector.finish(None);
});
