//! How people and banks write numbers, dates and names, read strictly.
//!
//! * [`number`]: amounts in one of four formats (`1,234.56`).
//! * [`date`]: dates in a pattern (`%d/%m/%Y`).
//! * [`label`]: how the names of categories, tags and accounts are compared.
//! * [`formula`]: texts that a spreadsheet would execute.
//! * [`size`]: counts and sizes of files in messages.
//!
//! A format that was sent is used strictly: a cell that doesn't fit is an error with a reason,
//! never a guess. If none was sent, a detector looks at the whole column and returns the format
//! that fits, or two that fit equally well and mean different things ([`Detection`]).

pub mod date;
mod detect;
pub mod formula;
pub mod label;
pub mod number;
pub mod size;

pub use detect::Detection;

/// A cell or a header as messages quote it: at most this many characters.
const QUOTED_CHARS_MAX: usize = 60;

/// The cell for a message, shortened, without control characters.
pub fn quoted(cell: &str) -> String {
    let mut chars = cell.trim().chars();
    let mut text: String = chars
        .by_ref()
        .take(QUOTED_CHARS_MAX)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text
}

/// White space in a cell: that of Unicode, and the characters without width that some programs put
/// around numbers (joiners, direction marks, the byte-order mark).
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// The cell without white space at its ends; the common case costs two comparisons.
fn trim(cell: &str) -> &str {
    match cell.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => cell,
        _ => cell.trim_matches(is_space),
    }
}
