//! The tags of one cell.
//!
//! Separated by commas; if there is none outside an escape, by pipes; else by semicolons. A
//! backslash takes the meaning from a separator or a backslash; before any other character it is
//! itself. Tags are trimmed; blank ones and repetitions are dropped.

use super::cells::CellsBuf;
use crate::text::label::name_key;

/// Puts the tags of a cell into `tags`, which is emptied first.
pub(super) fn split(cell: &str, tags: &mut CellsBuf) {
    tags.clear();
    let separator = separator(cell);
    if cell.contains('\\') {
        return split_escaped(cell, separator, tags);
    }
    match separator {
        Some(separator) => cell.split(separator).for_each(|tag| add(tags, tag)),
        None => add(tags, cell),
    }
}

/// The first of the three that stands unescaped in the cell.
fn separator(cell: &str) -> Option<char> {
    [',', '|', ';'].into_iter().find(|separator| {
        let mut escaped = false;
        cell.chars().any(|c| {
            let splits = c == *separator && !escaped;
            escaped = c == '\\' && !escaped;
            splits
        })
    })
}

fn split_escaped(cell: &str, separator: Option<char>, tags: &mut CellsBuf) {
    let mut tag = String::new();
    let mut chars = cell.chars().peekable();
    while let Some(c) = chars.next() {
        let escapes = |next: &char| matches!(next, ',' | '|' | ';' | '\\');
        if c == '\\' {
            tag.push(chars.next_if(escapes).unwrap_or(c));
        } else if Some(c) == separator {
            add(tags, &tag);
            tag.clear();
        } else {
            tag.push(c);
        }
    }
    add(tags, &tag);
}

fn add(tags: &mut CellsBuf, tag: &str) {
    let tag = tag.trim();
    if !tag.is_empty() && !tags.as_cells().iter().any(|other| same(other, tag)) {
        tags.push(tag);
    }
}

fn same(a: &str, b: &str) -> bool {
    // One word of ASCII needs no normalisation.
    let is_plain = |tag: &str| tag.bytes().all(|byte| byte.is_ascii_graphic());
    if is_plain(a) && is_plain(b) {
        return a.eq_ignore_ascii_case(b);
    }
    name_key(a) == name_key(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_split_by_one_separator() {
        for (cell, expected) in [
            ("", vec![]),
            ("one", vec!["one"]),
            ("a,b", vec!["a", "b"]),
            (" a , b ", vec!["a", "b"]),
            ("a|b", vec!["a", "b"]),
            ("a;b", vec!["a", "b"]),
            ("a|b,c", vec!["a|b", "c"]),
            ("a;b|c", vec!["a;b", "c"]),
            (r"a\,b", vec!["a,b"]),
            (r"a\,b|c", vec!["a,b", "c"]),
            (r"a\\,b", vec![r"a\", "b"]),
            (r"a\b", vec![r"a\b"]),
            ("a\\", vec!["a\\"]),
            ("a,,b,", vec!["a", "b"]),
            ("a,A, a", vec!["a"]),
            ("Café,CAFE\u{301}", vec!["Café"]),
            ("big trip,Big  Trip", vec!["big trip"]),
            ("big trip", vec!["big trip"]),
        ] {
            let mut tags = CellsBuf::default();
            tags.push("left over");
            split(cell, &mut tags);
            assert_eq!(tags.as_cells().iter().collect::<Vec<_>>(), expected, "{cell:?}");
        }
    }
}
