//! The noise of floats in numbers that clients send.
//!
//! Numbers are decimals here, but many clients calculate in floats of 64 bits and send what comes
//! of it: 30.299999999999997 for 10.1 + 20.2. Such a float keeps 15 significant digits of every
//! decimal; what follows them is noise.

use super::decimal::{all_digits, parse_exponent, split_sign};

/// The significant digits that every float of 64 bits keeps.
pub(crate) const FLOAT_DIGITS: u32 = 15;

/// A JSON number as the shortest decimal of at most 15 significant digits that it rounds to, for
/// the noise of floats: `30.299999999999997` is `30.3`. `None` if it has no more digits than that.
pub(crate) fn without_noise(text: &str) -> Option<String> {
    let (negative, rest) = split_sign(text);
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], parse_exponent(&rest[at + 1..]).ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.trim_end_matches('0').len() <= FLOAT_DIGITS as usize {
        return None;
    }
    let (kept, dropped) = digits.split_at(FLOAT_DIGITS as usize);
    let up = u64::from(dropped.as_bytes().first() >= Some(&b'5'));
    let rounded = (kept.parse::<u64>().ok()? + up).to_string();
    let shortest = rounded.trim_end_matches('0');
    let zeros = dropped.len() + rounded.len() - shortest.len();
    let exponent = exponent + zeros as i64 - fraction.len() as i64;
    Some(format!("{}{shortest}e{exponent}", if negative { "-" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_of_floats_is_left_out() {
        for (text, value) in [
            ("30.299999999999997", Some("303e-1")),
            ("0.30000000000000004", Some("3e-1")),
            ("-1234.5600000000001", Some("-123456e-2")),
            ("3.0000000000000004e-4", Some("3e-4")),
            ("9.9999999999999995", Some("1e1")),
            ("1234567890123456", Some("123456789012346e1")),
            ("0.123456789012345678", Some("123456789012346e-15")),
            ("0.000123456789012345", None),
            ("1000000000000000000000", None),
            ("0.1", None),
            ("0", None),
            ("-", None),
            ("1.0000000000000000001e", None),
            ("1x0000000000000000001", None),
        ] {
            assert_eq!(without_noise(text).as_deref(), value, "{text}");
        }
    }

    #[test]
    fn nothing_panics() {
        let longest = "9".repeat(400);
        for text in ["e", "-e5", ".", "1.2.3", "٣0000000000000000000", &longest, "1e-99999999999"]
        {
            let _ = without_noise(text);
        }
    }
}
