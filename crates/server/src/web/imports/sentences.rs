//! What was refused, for people.
//!
//! The API's sentences name its fields, and some are fragments. The pages show them without those
//! names. Which sentences are recognised is fixed by the tests of the pages over HTTP, so that a
//! change of their wording is noticed.

/// Whatever is not an account of the family.
pub(super) const NO_ACCOUNT: &str = "Choose an account of the list.";

/// A sentence of the API, without what only the API has names for.
pub(super) fn for_people(error: &str) -> String {
    if error == "The file is sent twice" {
        return "One file at a time.".to_owned();
    }
    if error.starts_with("The account_id ") {
        return NO_ACCOUNT.to_owned();
    }
    let of_mapping = error.strip_prefix("mappings[").and_then(|rest| rest.split_once("]: "));
    sentence(of_mapping.map_or(error, |(_, problem)| problem))
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
        for (sentence, shown) in [
            ("The file is sent twice", "One file at a time."),
            ("The form_token is sent twice", "The form_token is sent twice."),
            ("The account_id is not an account of this family", "Choose an account of the list."),
            ("mappings[3]: every row goes there", "Every row goes there."),
            ("mappings[ are fine", "Mappings[ are fine."),
            ("why?", "Why?"),
        ] {
            assert_eq!(for_people(sentence), shown);
        }
    }
}
