//! How a refusal is worded: every refused answer that any test gets is looked at.

use serde_json::Value;

/// Units that are powers of ten, or mean both.
const UNITS: [&str; 6] = ["MB", "KB", "kB", "GB", "Mb", "Kb"];

/// What is wrong with the wording of a refused answer. Its sentences begin with a capital letter
/// (or with a number, or with what somebody wrote), have no full stop at the end, and name sizes in
/// MiB.
pub(crate) fn judge(body: &Value) -> Result<(), String> {
    let errors = body["errors"].as_array().into_iter().flatten();
    let texts = errors.chain([&body["message"]]);
    texts.map(|text| text.as_str().unwrap_or_default()).try_for_each(judge_text)
}

fn judge_text(text: &str) -> Result<(), String> {
    let has_unit = text.split(|letter: char| !letter.is_alphanumeric()).any(is_wrong_unit);
    let is_begun = |first: char| first.is_uppercase() || first.is_ascii_digit() || first == '"';
    let found = if !text.starts_with(is_begun) {
        "doesn't begin with a capital letter"
    } else if text.ends_with(['.', ' ', ':']) {
        "ends with a full stop, a colon or a space"
    } else if has_unit {
        "has a unit that isn't KiB, MiB or GiB"
    } else {
        return Ok(());
    };
    Err(format!("the sentence {found}: {text:?}"))
}

/// Whether it is such a unit, alone or behind a number.
fn is_wrong_unit(word: &str) -> bool {
    UNITS.contains(&word.trim_start_matches(|letter: char| letter.is_ascii_digit()))
}
