//! Texts of files as entries keep them.

use jiff::civil::Date;

/// Words that banks write where there is nothing.
const NOTHING: [&str; 6] = ["NOTPROVIDED", "NOT PROVIDED", "NONREF", "NONE", "N/A", "NULL"];

/// A text without white space around it and with single spaces for line ends; none if it is blank.
pub(super) fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if !text.contains(['\n', '\r', '\t']) {
        return Some(text.to_owned());
    }
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A reference; none if it is blank, a word for nothing, or zeros.
pub(super) fn reference(text: &str) -> Option<String> {
    let text = filled(text)?;
    let stands_for_nothing = NOTHING.iter().any(|word| text.eq_ignore_ascii_case(word))
        || text.bytes().all(|byte| matches!(byte, b'0' | b'-' | b'.' | b'/'));
    (!stands_for_nothing).then_some(text)
}

/// The code of a currency as it stands in a file: three letters in capitals.
pub(super) fn currency(text: &str) -> Option<String> {
    let text = text.trim();
    let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_code.then(|| text.to_ascii_uppercase())
}

/// How many decimals a currency has, if it is a known one.
pub(super) fn decimals(currency: Option<&str>) -> Option<u32> {
    purser_core::money::Currency::parse(currency?).map(purser_core::money::Currency::precision)
}

/// An account number that has the form of an IBAN, without its spaces.
pub(super) fn iban(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.to_ascii_uppercase();
    let bytes = text.as_bytes();
    let is_iban = (15..=34).contains(&bytes.len())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes[4..].iter().all(u8::is_ascii_alphanumeric)
        && remainder(bytes) == 1;
    is_iban.then_some(text)
}

/// The remainder by 97 of an IBAN with its first four letters at its end.
fn remainder(bytes: &[u8]) -> u32 {
    let turned = bytes[4..].iter().chain(&bytes[..4]);
    turned.fold(0, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    })
}

/// A day of digits: `YYYYMMDD`.
pub(super) fn day_of_digits(digits: &str) -> Option<Date> {
    if digits.len() != 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |text: &str| text.parse::<i16>().ok();
    let small = |text: &str| text.parse::<i8>().ok();
    Date::new(number(&digits[..4])?, small(&digits[4..6])?, small(&digits[6..])?).ok()
}

/// A day as `YYYY-MM-DD`, whatever time follows it: the day as the bank wrote it, in its own zone.
pub(super) fn iso_day(text: &str) -> Option<Date> {
    let day = text.trim().get(..10)?;
    let rest = &text.trim()[10..];
    let bytes = day.as_bytes();
    let follows = rest.is_empty() || rest.starts_with(['T', ' ', 'Z', '+', '-']);
    if bytes[4] != b'-' || bytes[7] != b'-' || !follows {
        return None;
    }
    day_of_digits(&[&day[..4], &day[5..7], &day[8..]].concat())
}

/// A text as a problem quotes it: short, and without anything that steers a terminal.
pub(super) fn quoted(text: &str) -> String {
    const QUOTED_CHARS_MAX: usize = 40;
    let harmless = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = text.trim().chars().take(QUOTED_CHARS_MAX).map(harmless).collect();
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_nothing_are_none() {
        for text in ["", "  ", "NOTPROVIDED", "nonref", "000000", "0", "-", "N/A"] {
            assert_eq!(reference(text), None, "{text}");
        }
        assert_eq!(reference(" A 1\r\n 2 ").as_deref(), Some("A 1 2"));
    }

    #[test]
    fn an_iban_is_one_by_its_check_digits() {
        let good = "de89 3704 0044 0532 0130 00";
        assert_eq!(iban(good).as_deref(), Some("DE89370400440532013000"));
        for digit in 4..22 {
            let mut wrong = iban(good).unwrap();
            let other = if &wrong[digit..=digit] == "1" { "2" } else { "1" };
            wrong.replace_range(digit..=digit, other);
            assert_eq!(iban(&wrong), None, "{wrong}");
        }
        assert_eq!(iban("1234567890123456"), None);
    }

    #[test]
    fn days_are_as_they_were_written() {
        let day = jiff::civil::date(2024, 2, 29);
        for text in ["2024-02-29", "2024-02-29T23:59:59-05:00", " 2024-02-29+01:00 "] {
            assert_eq!(iso_day(text), Some(day), "{text}");
        }
        for text in ["2023-02-29", "2024-02-29x", "29-02-2024", "2024-2-29", "2024-02-2", "äöüäöü"]
        {
            assert_eq!(iso_day(text), None, "{text}");
        }
        assert_eq!(day_of_digits("20240229"), Some(day));
        assert_eq!(day_of_digits("20240230"), None);
    }
}
