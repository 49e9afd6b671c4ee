//! The words and habits of banks, by language.
//!
//! They are written down here once more, as exports of banks have them, and not taken from the
//! reader: a word that it doesn't know must make it ask, never guess.

mod asian;
mod central;
mod english;
mod northern;
mod southern;

use std::fmt;

use crate::styles::{DateStyle, NumberStyle};

/// What the files of a language's banks have in common.
pub(crate) struct Language {
    pub(crate) name: &'static str,
    /// The code of the currency and its sign beside amounts.
    pub(crate) currency: (&'static str, &'static str),
    pub(crate) separators: &'static [char],
    pub(crate) dates: &'static [DateStyle],
    pub(crate) numbers: &'static [NumberStyle],
    pub(crate) headers: Headers,
    /// Lines before the header: account, owner, period; `: value` follows each.
    pub(crate) preamble: &'static [&'static str],
    /// The words of a line with totals, of an opening and of a closing balance.
    pub(crate) total: &'static str,
    pub(crate) opening: &'static str,
    pub(crate) closing: &'static str,
    /// A last line without numbers.
    pub(crate) remark: &'static str,
    /// A booked, a pending and a rejected transaction.
    pub(crate) status: [&'static str; 3],
    /// Who pays or is paid.
    pub(crate) payees: &'static [&'static str],
    /// What a payment is for.
    pub(crate) purposes: &'static [&'static str],
}

/// The headers of columns, several banks' each.
pub(crate) struct Headers {
    pub(crate) date: &'static [&'static str],
    pub(crate) value_date: &'static [&'static str],
    pub(crate) amount: &'static [&'static str],
    /// Money out and money in.
    pub(crate) two: &'static [(&'static str, &'static str)],
    /// The header, and its words for money out and money in.
    pub(crate) direction: &'static [(&'static str, &'static str, &'static str)],
    pub(crate) name: &'static [&'static str],
    pub(crate) purpose: &'static [&'static str],
    pub(crate) balance: &'static [&'static str],
    pub(crate) currency: &'static [&'static str],
    pub(crate) status: &'static str,
    pub(crate) account: &'static str,
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The languages of all groups.
pub(crate) fn all() -> Vec<&'static Language> {
    let groups = [
        english::LANGUAGES,
        central::LANGUAGES,
        southern::LANGUAGES,
        northern::LANGUAGES,
        asian::LANGUAGES,
    ];
    groups.into_iter().flatten().collect()
}
