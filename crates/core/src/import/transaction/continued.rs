//! Columns that go on with the text of the one before: `Purpose 1`, `Purpose 2`, `Purpose 3`.
//!
//! Banks with lines of a fixed length divide a long text so. Together they are one text.

use super::header_names::{Role, known, known_key};

/// No file goes on with a text for so many columns.
const NUMBER_MAX: u32 = 20;

/// Pairs of the first column of a text and one that goes on with it, in their order.
pub(super) fn continued(headers: &[String]) -> Vec<(usize, usize)> {
    let numbered: Vec<(String, u32)> = headers.iter().map(|header| stem_of(header)).collect();
    let mut pairs = Vec::new();
    for (next, (stem, number)) in numbered.iter().enumerate() {
        let is_first = |other: &(String, u32)| other.1 == 1 && other.0 == *stem;
        if !(2..=NUMBER_MAX).contains(number) || stem.is_empty() {
            continue;
        }
        let first = numbered.iter().take(next).position(is_first);
        pairs.extend(first.filter(|first| is_text(&headers[*first])).map(|first| (first, next)));
    }
    pairs
}

/// What a header is known as without its number.
pub(super) fn known_stem(header: &str) -> Option<(Role, u8)> {
    known(&stem_of(header).0)
}

fn is_text(header: &str) -> bool {
    let role = known(header).or_else(|| known_stem(header)).map(|(role, _)| role);
    matches!(role, Some(Role::Payee | Role::Description | Role::Purpose | Role::Notes))
}

/// A header without the number at its end, and that number; 1 if it has none.
fn stem_of(header: &str) -> (String, u32) {
    let key = known_key(header);
    let stem = key.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = key[stem.len()..].parse().unwrap_or(1);
    (stem.trim_end().to_owned(), number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_texts_are_one_text() {
        for (line, pairs) in [
            ("Date;Purpose;Memo 1;Memo 2;Memo 3", &[(2, 3), (2, 4)][..]),
            ("Datum;Verwendungszweck;Verwendungszweck2", &[(1, 2)]),
            ("Omschrijving-1;Omschrijving-2;Omschrijving-3", &[(0, 1), (0, 2)]),
            ("Name 2;Name 1", &[]),
            ("Amount 1;Amount 2;Foo 1;Foo 2;1;2", &[]),
        ] {
            let headers: Vec<String> = line.split(';').map(str::to_owned).collect();
            assert_eq!(continued(&headers), pairs, "{line}");
        }
    }
}
