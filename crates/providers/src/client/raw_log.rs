//! Answers in the log (`PROVIDER_DEBUG_RAW`): one line for each, for who develops or reports a
//! problem.
//!
//! Off by default, at level debug. A line has the path without ids. In the body the key is masked,
//! and so are numbers of accounts and cards; line ends and other control characters are escaped, so
//! that nobody can write lines of their own into the log.

use std::fmt::Write as _;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use purser_core::secret::Secret;
use purser_outbound::base64;

use crate::error::Call;
use crate::registry::ProviderKind;

/// The target of the lines, for filters of the log.
pub const TARGET: &str = "purser_providers::raw";

/// What is shown of a body.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// So many digits in a row are the number of an account or a card.
const DIGITS_MIN: usize = 12;
/// The shortest international number of an account.
const IBAN_CHARS_MIN: usize = 15;
/// A shorter name of a user isn't masked.
const USER_BYTES_MIN: usize = 8;
/// What stays of such a number.
const KEPT_CHARS: usize = 4;

/// What a line is about.
#[derive(Debug, Clone, Copy)]
pub struct RawLine {
    /// The provider that was asked.
    pub provider: ProviderKind,
    /// What was asked for.
    pub call: Call,
    /// The path without ids.
    pub template: &'static str,
    /// The status of the answer.
    pub status: u16,
}

impl RawLine {
    /// The line, with a body in which nothing stands that must not.
    pub fn text(&self, body: &[u8], secret: &Secret) -> String {
        // What must not stand there may lie across the end of what is shown.
        let masked = mask_numbers(&mask_secret(&String::from_utf8_lossy(body), secret));
        let end = masked.floor_char_boundary(BODY_BYTES_MAX);
        let mut line = format!(
            "{} {} GET {} {} {} bytes: ",
            self.provider.as_str(),
            self.call.as_str(),
            self.template,
            self.status,
            body.len()
        );
        escape(&masked[..end], &mut line);
        if end < masked.len() {
            line.push_str(" (cut off)");
        }
        line
    }
}

/// Without the key, as such or as it stands in an address, a header or a text in JSON; of user and
/// password, without each of them, too.
pub(crate) fn mask_secret(text: &str, secret: &Secret) -> String {
    let secret = secret.reveal();
    let last = secret.rsplit(' ').next().unwrap_or(secret);
    let mut parts = vec![secret.to_owned(), last.to_owned()];
    let pair = secret.strip_prefix("Basic ").and_then(base64::decode);
    if let Some(pair) = pair.and_then(|pair| String::from_utf8(pair).ok()) {
        let (user, password) = pair.split_once(':').unwrap_or(("", &pair));
        parts.push(password.to_owned());
        // A short one is a word that stands elsewhere, too.
        parts.extend((user.len() >= USER_BYTES_MIN).then(|| user.to_owned()));
        parts.push(pair.clone());
    }
    let mut forms: Vec<String> = Vec::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        forms.push(part.clone());
        forms.push(utf8_percent_encode(part, NON_ALPHANUMERIC).to_string());
        let quoted = serde_json::to_string(part).unwrap_or_default();
        forms.extend(quoted.get(1..quoted.len().saturating_sub(1)).map(str::to_owned));
    }
    // The longest first: others may be parts of them.
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms.iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), "…"))
}

/// Long numbers and international numbers of accounts, but for their ends.
pub(crate) fn mask_numbers(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_part = |c: char| c.is_ascii_alphanumeric();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        match is_number(word) {
            true => {
                masked.push('…');
                masked.push_str(&word[word.len() - KEPT_CHARS..]);
            }
            false => masked.push_str(word),
        }
        let other = after.find(is_part).unwrap_or(after.len());
        masked.push_str(&after[..other]);
        rest = &after[other..];
    }
    masked
}

fn is_number(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_long = bytes.len() >= DIGITS_MIN && bytes.iter().all(u8::is_ascii_digit);
    let is_iban = bytes.len() >= IBAN_CHARS_MIN
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    is_long || is_iban
}

fn escape(text: &str, line: &mut String) {
    for c in text.chars() {
        match c {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            // The separators of lines and paragraphs, and marks that turn the direction of text.
            c if c.is_control()
                || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                let _ = write!(line, "\\u{{{:x}}}", u32::from(c));
            }
            c => line.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(body: &str, secret: &str) -> String {
        let line = RawLine {
            provider: ProviderKind::Lunchflow,
            call: Call::Balance,
            template: "/accounts/{id}/balance",
            status: 200,
        };
        line.text(body.as_bytes(), &Secret::new(secret))
    }

    #[test]
    fn a_line_is_one_line() {
        let text = line("{\"a\":\n\t\"x\u{1b}[31m\u{2028}\"}\r", "key");
        assert_eq!(
            text,
            "lunchflow balance GET /accounts/{id}/balance 200 20 bytes: \
             {\"a\":\\n\\t\"x\\u{1b}[31m\\u{2028}\"}\\r"
        );
    }

    #[test]
    fn keys_and_numbers_of_accounts_are_masked() {
        let text = line(
            "{\"echo\":\"sk_live_1\",\"iban\":\"DE89370400440532013000\",\"card\":4111111111111111,\
             \"id\":\"0af3118fcd2ac09417e4bd22aa90cc31\",\"amount\":-12345.67,\"posted\":1772323200}",
            "Bearer sk_live_1",
        );
        assert!(!text.contains("sk_live_1") && !text.contains("8937"), "{text}");
        assert!(!text.contains("41111111"), "{text}");
        for kept in
            ["\"…3000\"", "…1111", "-12345.67", "1772323200", "0af3118fcd2ac09417e4bd22aa90cc31"]
        {
            assert!(text.contains(kept), "{kept} in {text}");
        }
    }

    #[test]
    fn users_and_passwords_are_masked_in_every_form() {
        let pair = base64::encode(b"long-user:p@ss \"word\"");
        let body = "https://long-user:p%40ss%20%22word%22@x/ {\"a\":\"p@ss \\\"word\\\"\"}";
        let text = line(&format!("{body} {pair} p@ss \"word\""), &format!("Basic {pair}"));
        for part in ["long-user", "p@ss", "p%40ss", "word", &pair] {
            assert!(!text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn a_key_across_the_end_of_what_is_shown_is_masked() {
        let key = "sk_live_0123456789";
        for before in 0..key.len() {
            let body = "x".repeat(BODY_BYTES_MAX - before) + key + &"y".repeat(100);
            let text = line(&body, key);
            assert!(!text.contains("sk_") && text.ends_with("(cut off)"), "{before}");
        }
    }

    #[test]
    fn a_long_body_is_cut_off() {
        let text = line(&"ä".repeat(40_000), "key");
        assert!(text.len() < BODY_BYTES_MAX + 200);
        assert!(text.contains("80000 bytes") && text.ends_with("(cut off)"));
    }
}
