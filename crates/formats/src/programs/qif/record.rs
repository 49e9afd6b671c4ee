//! The fields of a record, and what single ones mean.

use std::borrow::Cow;

use super::investments;
use super::sections::Section;

/// A record: its lines by the letter that they begin with.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// The line on which it starts.
    pub(super) line: u64,
    lines: Vec<(char, String)>,
}

impl Fields {
    pub(super) fn new(line: u64) -> Self {
        Self { line, lines: Vec::new() }
    }

    pub(super) fn push(&mut self, letter: char, text: &str) {
        self.lines.push((letter, text.trim().to_owned()));
    }

    /// The record without what is an action in a depot, and a number elsewhere.
    pub(super) fn without_number(&self) -> Self {
        let is_kept = |(letter, _): &&(char, String)| *letter != 'N';
        Self { line: self.line, lines: self.lines.iter().filter(is_kept).cloned().collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The first line with a letter; blank if there is none.
    pub(super) fn get(&self, letter: char) -> &str {
        self.lines.iter().find(|(its, _)| *its == letter).map_or("", |(_, text)| text)
    }

    /// What a record is in a section with a type that nobody knows, by the letters that it has.
    pub(super) fn section(&self) -> Section {
        let has = |letter: char| self.lines.iter().any(|(its, _)| *its == letter);
        let has_money = has('T') || has('U') || has('$');
        if has('D') && (has('Y') || investments::is_of_depot(self.get('N'))) {
            Section::Investments
        } else if has('D') || has_money || !has('N') {
            Section::Transactions
        } else if has('I') || has('E') {
            Section::Categories
        } else {
            Section::List
        }
    }

    /// The amount: `U` is the same for programs that take more digits.
    pub(super) fn amount(&self) -> &str {
        match self.get('T') {
            "" => self.get('U'),
            amount => amount,
        }
    }

    /// Category, memo and amount of each part.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let mut parts: Vec<(&str, &str, &str)> = Vec::new();
        for (letter, text) in &self.lines {
            match (letter, parts.last_mut()) {
                ('S', _) => parts.push((text, "", "")),
                ('E', Some(part)) => part.1 = text,
                ('$', Some(part)) => part.2 = text,
                _ => {}
            }
        }
        parts.into_iter()
    }

    /// Whether the record was compared with a statement, as a word.
    pub(super) fn standing(&self) -> &'static str {
        match self.get('C') {
            "*" | "c" | "C" => "Cleared",
            "X" | "x" | "R" | "r" => "Reconciled",
            _ => "",
        }
    }

    /// The memo, with number and address behind it.
    pub(super) fn notes(&self) -> String {
        let number = match self.get('N') {
            number if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                Cow::Owned(format!("Check {number}"))
            }
            number => Cow::Borrowed(number),
        };
        let address = self.lines.iter().filter(|(letter, _)| *letter == 'A');
        let address: Vec<&str> = address.map(|(_, text)| text.as_str()).collect();
        let address = address.join(", ");
        let all = [self.get('M'), &number, address.trim_matches([',', ' '])];
        let all: Vec<&str> = all.into_iter().filter(|text| !text.is_empty()).collect();
        all.join("; ")
    }
}

/// A number that stands there as a fraction, as prices of old files do (`45 1/2`), with decimals;
/// any other one as it is.
pub(super) fn fraction_as_decimal(text: &str) -> String {
    let (whole, fraction) = text.rsplit_once(' ').unwrap_or(("0", text));
    let fraction = fraction.split_once('/').map(|(above, below)| (above.parse(), below.parse()));
    let (Ok(whole), Some((Ok(above), Ok(below)))) = (whole.trim().parse::<u32>(), fraction) else {
        return text.to_owned();
    };
    let (above, below): (u64, u64) = (above, below);
    if below == 0 || above >= below || below > FRACTION_MAX || !below.is_power_of_two() {
        return text.to_owned();
    }
    let scale = 10_u64.pow(below.trailing_zeros());
    let width = below.trailing_zeros() as usize;
    // Three digits could be thousands, in a file with commas before decimals.
    let end = if width == 3 { "0" } else { "" };
    format!("{whole}.{:0width$}{end}", above * scale / below)
}

/// The largest denominator that prices had.
const FRACTION_MAX: u64 = 256;

/// What the field of a category means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Meaning<'a> {
    /// The category, or its path.
    pub(super) category: &'a str,
    /// The account on the other side of a transfer.
    pub(super) account: &'a str,
    /// The class, which is a tag.
    pub(super) class: &'a str,
}

/// The meaning of a category such as `Food:Bread/Family`, `[Savings]/Family` or `--Split--`.
pub(super) fn meaning(text: &str) -> Meaning<'_> {
    if let Some(rest) = text.strip_prefix('[')
        && let Some((account, rest)) = rest.split_once(']')
    {
        let class = rest.trim_start_matches('/');
        return Meaning { category: "", account: account.trim(), class };
    }
    let (category, class) = text.split_once('/').unwrap_or((text, ""));
    // Programs in other languages translate the word between the dashes.
    let is_mark = category.starts_with("--") && category.ends_with("--");
    let category = if is_mark { "" } else { category.trim().trim_end_matches(':') };
    Meaning { category, account: "", class: class.trim() }
}

/// A day as the others of the file are written. A year behind an apostrophe is one from 2000 on; in
/// a file that has such years, two digits alone are a year before.
pub(super) fn day(text: &str, has_apostrophes: bool) -> String {
    let is_in_numbers = !text.chars().any(char::is_alphabetic);
    let text: String = text.chars().filter(|c| !(is_in_numbers && c.is_whitespace())).collect();
    let split = text.rfind(|c: char| !c.is_ascii_digit());
    let Some(at) = split.filter(|_| has_apostrophes) else { return text };
    let (before, after) = text.split_at(at);
    let mut year = after.chars();
    let (mark, year) = (year.next().unwrap_or_default(), year.as_str());
    if year.len() > 2 || year.is_empty() {
        return text.replace(['\'', '\u{2019}'], "/");
    }
    let is_later = matches!(mark, '\'' | '\u{2019}');
    let mark = before.chars().find(|c| !c.is_ascii_digit()).unwrap_or('/');
    let century = if is_later { "20" } else { "19" };
    format!("{before}{mark}{century}{year:0>2}")
}
