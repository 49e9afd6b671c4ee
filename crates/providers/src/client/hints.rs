//! Times to wait, as providers write them.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// The longest time that is believed.
const HINT_MAX: Duration = Duration::from_secs(24 * 60 * 60);

static DATES: DateTimeParser = DateTimeParser::new();

/// The header `Retry-After`: seconds, or a day and time. The latter is compared with the header
/// `Date` of the same answer, so that it doesn't matter if the clocks differ.
pub fn of_header(value: Option<&str>, date: Option<&str>, now: Timestamp) -> Option<Duration> {
    let value = value?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too many digits for a number are a long time, too.
        let seconds = value.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(HINT_MAX));
    }
    let until = DATES.parse_timestamp(value).ok()?;
    let from = date.and_then(|date| DATES.parse_timestamp(date.trim()).ok()).unwrap_or(now);
    let wait = Duration::try_from(until.duration_since(from)).unwrap_or(Duration::ZERO);
    Some(wait.min(HINT_MAX))
}

/// "… try again in 37 seconds …", somewhere in a text.
pub fn of_text(text: &str) -> Option<Duration> {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(3).find_map(|words| {
        let [before, number, unit] = words else { return None };
        let number: u64 = number.parse().ok()?;
        let unit = match unit.to_ascii_lowercase().as_str() {
            "s" | "sec" | "secs" | "second" | "seconds" => 1,
            "m" | "min" | "mins" | "minute" | "minutes" => 60,
            "h" | "hour" | "hours" => 60 * 60,
            _ => return None,
        };
        let is_hint = ["in", "after"].iter().any(|word| before.eq_ignore_ascii_case(word));
        is_hint.then(|| Duration::from_secs(number.saturating_mul(unit)).min(HINT_MAX))
    })
}

/// Whether a text reports that there were too many requests.
pub fn is_about_too_many_requests(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let has_number = text.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == "429");
    text.contains("rate limit")
        || text.contains("rate_limit")
        || text.contains("ratelimit")
        || text.contains("too many requests")
        || (has_number && text.contains("try again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(hint: Option<Duration>) -> Option<u64> {
        hint.map(|hint| hint.as_secs())
    }

    #[test]
    fn the_header_is_seconds_or_a_date() {
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let read = |value, date| seconds(of_header(Some(value), date, now));
        assert_eq!(read("37", None), Some(37));
        assert_eq!(read(" 0 ", None), Some(0));
        assert_eq!(read("Sun, 01 Mar 2026 12:00:30 GMT", None), Some(30));
        assert_eq!(read("Sun, 01 Mar 2026 11:00:00 GMT", None), Some(0), "it has passed");
        assert_eq!(read("99999999999999999999999", None), Some(86_400));
        for wrong in ["", "soon", "-5", "1.5"] {
            assert_eq!(read(wrong, None), None, "{wrong}");
        }
        assert_eq!(of_header(None, None, now), None);
    }

    #[test]
    fn a_date_is_compared_with_the_clock_that_wrote_it() {
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let date = Some("Sun, 01 Mar 2026 15:00:00 GMT");
        let value = Some("Sun, 01 Mar 2026 15:00:20 GMT");
        assert_eq!(seconds(of_header(value, date, now)), Some(20));
        assert_eq!(seconds(of_header(value, Some("unreadable"), now)), Some(3 * 3600 + 20));
    }

    #[test]
    fn texts_name_times_too() {
        for (text, expected) in [
            ("Limit exceeded: 100/minute. Please try again in 37 seconds.", Some(37)),
            ("{\"message\":\"retry in 1 minute\"}", Some(60)),
            ("Retry after 2 hours", Some(7_200)),
            ("available in 12s", None),
            ("100 requests in 60", None),
            ("in many seconds", None),
            ("", None),
        ] {
            assert_eq!(seconds(of_text(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_refusal_in_a_text_is_recognised() {
        assert!(is_about_too_many_requests("(429 - Rate limit exceeded): 100/minute"));
        assert!(is_about_too_many_requests("error 429: try again later"));
        assert!(!is_about_too_many_requests("account 429 has a failure"));
        assert!(!is_about_too_many_requests("order 14290, try again"));
    }
}
