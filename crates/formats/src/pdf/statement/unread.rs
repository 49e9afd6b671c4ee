//! Pages that are pictures, in a document that has text on others.

use super::{Line, PdfError, Result};

/// What lines have that carry a balance from one page to the next one, in small letters.
#[rustfmt::skip]
const CARRIED: &[&str] = &[
    "forward", "c/f", "b/f", "übertrag", "vortrag", "à reporter", "report à", "riporto",
    "suma y sigue", "a transportar", "transport",
];

/// Pages that are named at most.
const NAMED_MAX: usize = 10;

/// Refuses a document with such pages, and names them.
pub(super) fn require_none(pages: &[u32]) -> Result<()> {
    match pages {
        [] => Ok(()),
        [page] => Err(PdfError::PagesNotRead(format!(
            "Page {page} of the document is a picture and was not read"
        ))),
        pages => Err(PdfError::PagesNotRead(format!(
            "Pages {} of the document are pictures and were not read",
            listed(pages)
        ))),
    }
}

/// Whether a balance at the end of a page may be followed by more rows on the next one.
pub(super) fn may_go_on(lines: &[Line]) -> bool {
    lines.iter().any(|line| {
        let text = line.text(0..line.words.len()).to_lowercase();
        CARRIED.iter().any(|word| text.contains(word))
    })
}

/// The numbers as a part of a sentence.
fn listed(pages: &[u32]) -> String {
    let mut named: Vec<String> = pages.iter().take(NAMED_MAX).map(u32::to_string).collect();
    if pages.len() > NAMED_MAX {
        named.push(format!("{} more", pages.len() - NAMED_MAX));
    }
    match named.split_last() {
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_named() {
        let named = |pages: &[u32]| require_none(pages).unwrap_err().to_string();
        assert!(require_none(&[]).is_ok());
        assert!(
            named(&[3]).starts_with("Page 3 of the document is a picture and was not read, and")
        );
        assert!(named(&[3, 4]).starts_with("Pages 3 and 4 of the document are pictures"));
        let many: Vec<u32> = (1..=15).collect();
        assert!(named(&many).contains("9, 10 and 5 more of the document are"), "{}", named(&many));
    }
}
