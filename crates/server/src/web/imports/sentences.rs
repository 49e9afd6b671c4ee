//! Problems of imports as sentences for people: the texts of the API name its fields, and some are
//! fragments.

use purser_core::error::Problem;

use crate::http::content::FILE_FIELD;

/// The problem, without what only the API has names for.
pub(super) fn for_people(problem: &Problem) -> String {
    match problem.path() {
        Some("account_id") => "Choose an account of the list.".to_owned(),
        Some(FILE_FIELD) => "One file at a time.".to_owned(),
        _ => sentence(&problem.text_in_place()),
    }
}

/// With a capital and a full stop: problems are written as part of a sentence.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_interface_are_left_out() {
        for (problem, shown) in [
            (Problem::field("file", "is sent twice"), "One file at a time."),
            (Problem::field("form_token", "is sent twice"), "The form_token is sent twice."),
            (Problem::unknown("account_id", "account"), "Choose an account of the list."),
            (Problem::remark("mappings[3]", "every row goes there"), "Every row goes there."),
            (Problem::sentence("why?"), "Why?"),
        ] {
            assert_eq!(for_people(&problem), shown);
        }
    }
}
