//! What names are matched by.
//!
//! `Groceries`, ` groceries ` and `GROCERIES` are one category to a person, and so are two ways in
//! which Unicode can write `é`. [`name_key`] maps them to one text; the name itself is stored as
//! it was written. The key is kept in the database, so a change of this function needs a
//! migration.

use unicode_normalization::UnicodeNormalization;

/// The name trimmed, with single spaces, in compatibility form (NFKC) and lower case.
pub fn name_key(name: &str) -> String {
    if name.is_ascii() {
        let mut key = String::with_capacity(name.len());
        join_words(name, &mut key);
        key.make_ascii_lowercase();
        return key;
    }
    // Lower case may leave the normal form, so it is taken between two normalisations.
    let folded: String = name.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    let mut key = String::with_capacity(folded.len());
    join_words(&folded, &mut key);
    key
}

fn join_words(text: &str, key: &mut String) {
    for word in text.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_that_a_person_takes_for_one_have_one_key() {
        for (name, key) in [
            ("Groceries", "groceries"),
            ("  Eating\t out \u{a0}", "eating out"),
            ("CAFE\u{301}", "café"),
            ("Café", "café"),
            ("ﬁnance", "finance"),
            ("ＦＯＯＤ", "food"),
            ("Straße", "straße"),
            ("ΛΟΓΟΣ", "λογοσ"),
            ("Food\u{3000}& Drink", "food & drink"),
            ("", ""),
            (" \n ", ""),
        ] {
            assert_eq!(name_key(name), key, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn a_key_is_its_own_key(name in "\\PC{0,20}") {
            let key = name_key(&name);
            prop_assert_eq!(name_key(&key), key.clone());
            prop_assert_eq!(name_key(&format!("  {name}\t")), key);
        }

        #[test]
        fn ascii_and_unicode_ways_agree(name in "[ -~\t\n]{0,20}") {
            let long = name_key(&format!("{name} é"));
            prop_assert_eq!(long.trim_end_matches('é').trim_end(), name_key(&name));
        }
    }
}
