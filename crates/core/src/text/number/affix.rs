//! The text before and after the digits: signs, currencies, `CR` and `DR`.

use std::sync::LazyLock;

use super::{Marker, Problem};
use crate::money::Currency;
use crate::money::format::prefix;
use crate::text::{is_space, trim};

/// A cell taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    /// From the first digit (or the separator before it) to the last digit.
    pub(super) body: &'a str,
    pub(super) negative: bool,
    pub(super) marker: Option<Marker>,
    pub(super) currency: Option<Currency>,
    /// A sign that several currencies have, such as `$`.
    pub(super) shared_sign: Option<&'static str>,
}

/// Takes a cell apart; what is between the first and the last digit is not looked at.
pub(super) fn split(cell: &str) -> Result<Parts<'_>, Problem> {
    let (negative, body) = match cell.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, cell),
    };
    if let [first, .., last] | [first @ last] = body.as_bytes()
        && first.is_ascii_digit()
        && last.is_ascii_digit()
    {
        return Ok(Parts { body, negative, marker: None, currency: None, shared_sign: None });
    }
    split_affixes(trim(cell))
}

fn split_affixes(cell: &str) -> Result<Parts<'_>, Problem> {
    if cell.is_empty() {
        return Err(Problem::Blank);
    }
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let (Some(first), Some(last)) =
        (cell.as_bytes().iter().position(is_digit), cell.as_bytes().iter().rposition(is_digit))
    else {
        return Err(Problem::NotANumber);
    };
    let start = body_start(cell, first);
    let (before, body, after) = (&cell[..start], &cell[start..=last], &cell[last + 1..]);
    let mut affixes = Affixes::default();
    affixes.read(before, Side::Before)?;
    affixes.read(after, Side::After)?;
    affixes.finish(body)
}

/// `.50` starts with its point; the point of `Rs.50` belongs to the word.
fn body_start(cell: &str, first_digit: usize) -> usize {
    let mut before = cell[..first_digit].chars().rev();
    match before.next() {
        Some('.' | ',') if !before.next().is_some_and(char::is_alphabetic) => first_digit - 1,
        _ => first_digit,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

#[derive(Debug, Default)]
struct Affixes {
    signs: u32,
    negative: bool,
    opened: u32,
    closed: u32,
    marker: Option<Marker>,
    currency: Option<Mark>,
    currencies: u32,
}

impl Affixes {
    fn read(&mut self, text: &str, side: Side) -> Result<(), Problem> {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = match c {
                _ if is_space(c) => c.len_utf8(),
                _ if is_minus(c) => self.sign(true, c.len_utf8()),
                '+' => self.sign(false, 1),
                '(' if side == Side::Before => {
                    self.opened += 1;
                    1
                }
                ')' if side == Side::After => {
                    self.closed += 1;
                    1
                }
                _ => self.word(rest, side)?,
            };
            rest = &rest[length..];
        }
        Ok(())
    }

    fn sign(&mut self, negative: bool, length: usize) -> usize {
        self.signs += 1;
        self.negative |= negative;
        length
    }

    /// A currency or a marker at the start of the text; its length.
    fn word(&mut self, text: &str, side: Side) -> Result<usize, Problem> {
        if side == Side::After
            && self.marker.is_none()
            && let Some((marker, length)) = leading_marker(text)
        {
            self.marker = Some(marker);
            return Ok(length);
        }
        let ends = |c: char| is_space(c) || is_minus(c) || matches!(c, '+' | '(' | ')');
        let word = text.find(ends).map_or(text, |end| &text[..end]);
        let mark = lookup(word, side).ok_or(Problem::NotANumber)?;
        self.currency = Some(match self.currency {
            None => mark,
            Some(earlier) => earlier.merge(mark).ok_or(Problem::TwoCurrencies)?,
        });
        self.currencies += 1;
        if self.currencies > 2 { Err(Problem::NotANumber) } else { Ok(word.len()) }
    }

    fn finish(self, body: &str) -> Result<Parts<'_>, Problem> {
        if self.opened != self.closed || self.opened > 1 {
            return Err(Problem::NotANumber);
        }
        if self.signs + self.opened + u32::from(self.marker.is_some()) > 1 {
            return Err(Problem::TwoSigns);
        }
        let (currency, shared_sign) = match self.currency {
            Some(Mark::Names(currency)) => (Some(currency), None),
            Some(Mark::Shared(sign)) => (None, Some(sign)),
            None => (None, None),
        };
        let negative = self.negative || self.opened == 1;
        Ok(Parts { body, negative, marker: self.marker, currency, shared_sign })
    }
}

/// The cell without signs, parentheses and `CR` or `DR`; currencies stay.
pub(super) fn without_signs(cell: &str) -> String {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let bytes = cell.as_bytes();
    let (Some(first), Some(last)) =
        (bytes.iter().position(is_digit), bytes.iter().rposition(is_digit))
    else {
        return trim(cell).to_owned();
    };
    let (before, body, after) = (&cell[..first], &cell[first..=last], &cell[last + 1..]);
    let text = [&*words(before, Side::Before), body, &*words(after, Side::After)].concat();
    trim(&text).to_owned()
}

/// What is beside the digits apart from signs and marks.
fn words(text: &str, side: Side) -> String {
    let is_sign = |c: char| is_minus(c) || matches!(c, '+' | '(' | ')');
    let mut kept = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let marker = leading_marker(rest).filter(|_| side == Side::After);
        let (length, stays) = match marker {
            Some((_, length)) => (length, false),
            None if is_sign(c) => (c.len_utf8(), false),
            None if is_space(c) => (c.len_utf8(), true),
            None => (rest.find(|c| is_sign(c) || is_space(c)).unwrap_or(rest.len()), true),
        };
        kept.push_str(if stays { &rest[..length] } else { "" });
        rest = &rest[length..];
    }
    kept
}

/// The hyphen, the minus of Unicode and its wide and small forms, and the dash that word
/// processors make of a hyphen; and the triangles of Japanese accounts.
fn is_minus(c: char) -> bool {
    matches!(c, '-' | '\u{2212}' | '\u{2013}' | '\u{fe63}' | '\u{ff0d}' | '▲' | '△')
}

/// `CR`, `Dr.`, `(Cr)` in any case, not as the start of a longer word.
fn leading_marker(text: &str) -> Option<(Marker, usize)> {
    let (open, inner) = match text.strip_prefix('(') {
        Some(inner) => (true, inner),
        None => (false, text),
    };
    let word = inner.get(..2)?;
    let marker = if word.eq_ignore_ascii_case("cr") {
        Marker::Credit
    } else if word.eq_ignore_ascii_case("dr") {
        Marker::Debit
    } else {
        return None;
    };
    let rest = &inner[2..];
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    let rest = if open { rest.strip_prefix(')')? } else { rest };
    let whole = rest.chars().next().is_none_or(|c| is_space(c) || is_minus(c) || "+()".contains(c));
    whole.then_some((marker, text.len() - rest.len()))
}

/// The currency that a word beside a number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// This currency and no other.
    Names(Currency),
    /// A symbol that several currencies have.
    Shared(&'static str),
}

impl Mark {
    /// Combines two words (`$12.00 USD`), unless they contradict each other. A code beside letters
    /// decides, because letters are used more widely than any table knows (`Rs` with `INR`).
    fn merge(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Names(a), Self::Names(b)) => (a == b).then_some(self),
            (Self::Shared(a), Self::Shared(b)) => (a == b).then_some(self),
            (Self::Shared(symbol), Self::Names(currency))
            | (Self::Names(currency), Self::Shared(symbol)) => {
                agrees(symbol, currency).then_some(Self::Names(currency))
            }
        }
    }
}

/// Whether an amount in the currency may be written with the shared symbol: `£12` is not in euros.
/// Letters exclude no currency.
pub(super) fn agrees(symbol: &str, currency: Currency) -> bool {
    match symbol {
        "元" => return matches!(currency.code(), "CNY" | "CNH" | "TWD" | "HKD" | "MOP" | "SGD"),
        "руб" | "р" => return matches!(currency.code(), "RUB" | "BYN"),
        _ => {}
    }
    let own = currency.symbol();
    let is_word = symbol.chars().all(|c| c.is_alphabetic() || c == '.');
    is_word || (!own.is_empty() && symbol.ends_with(own))
}

/// Symbols with letters that mean one currency wherever they are written. Other letters are
/// understood as "some currency": `kr` is Swedish, Norwegian, Danish and Icelandic.
const UNMISTAKABLE: [&str; 8] = ["R$", "T$", "$U", "£S", "zł", "Kč", "Ft", "RM"];

/// Words and spellings that are not in the table.
const WORDS: [(&str, Option<&str>); 18] = [
    ("円", Some("JPY")),
    ("元", None),
    ("грн", Some("UAH")),
    ("руб", None),
    ("р", None),
    ("тг", Some("KZT")),
    ("zl", Some("PLN")),
    ("Kc", Some("CZK")),
    ("TL", Some("TRY")),
    ("RMB", Some("CNY")),
    ("人民币", Some("CNY")),
    ("人民幣", Some("CNY")),
    // The code of before 1998, which banks went on writing.
    ("RUR", Some("RUB")),
    ("원", Some("KRW")),
    ("lei", None),
    ("Euro", Some("EUR")),
    ("euro", Some("EUR")),
    ("EURO", Some("EUR")),
];

/// Every symbol of the table, and every one with a country before it, sorted. Abbreviations are
/// without their last point, which is optional.
static SYMBOLS: LazyLock<Vec<(&'static str, Mark)>> = LazyLock::new(|| {
    let mut symbols: Vec<(&'static str, Mark)> = Vec::new();
    for currency in Currency::all() {
        let shown = prefix(currency);
        if shown != currency.symbol() && !shown.ends_with(' ') {
            symbols.push((shown, Mark::Names(currency)));
        }
    }
    symbols.push(("US$", Mark::Names(Currency::USD)));
    symbols.extend(WORDS.iter().map(|(word, code)| {
        (*word, code.and_then(Currency::parse).map_or(Mark::Shared(word), Mark::Names))
    }));
    for currency in Currency::all() {
        let symbol = without_point(currency.symbol());
        let is_owner = |other: &Currency| without_point(other.symbol()) == symbol;
        let owners = Currency::all().filter(is_owner).count();
        let is_word = symbol.chars().nth(1).is_some() || symbol.chars().any(char::is_alphabetic);
        let names = owners == 1 && (!is_word || UNMISTAKABLE.contains(&symbol));
        if !symbol.is_empty() && !symbol.contains(' ') {
            symbols
                .push((symbol, if names { Mark::Names(currency) } else { Mark::Shared(symbol) }));
        }
    }
    symbols.sort_by_key(|(symbol, _)| *symbol);
    symbols.dedup_by_key(|(symbol, _)| *symbol);
    symbols
});

/// The currency that a single word stands for.
pub(super) fn mark(word: &str) -> Option<Mark> {
    lookup(word, Side::After)
}

fn without_point(word: &str) -> &str {
    word.strip_suffix('.').unwrap_or(word)
}

fn lookup(word: &str, side: Side) -> Option<Mark> {
    match word.as_bytes() {
        // The most frequent ones without a search.
        b"$" => return Some(Mark::Shared("$")),
        [0xe2, 0x82, 0xac] => return Some(Mark::Names(Currency::EUR)),
        // A letter after a number, and D and E before it, mean debit, credit or an exponent as
        // often as a currency.
        [letter]
            if letter.is_ascii_alphabetic() && (side == Side::After || b"DE".contains(letter)) =>
        {
            return None;
        }
        _ => {}
    }
    if let Some(currency) = Currency::parse(word) {
        return Some(Mark::Names(currency));
    }
    let word = match without_point(word) {
        "￥" => "¥",
        "￡" => "£",
        "＄" => "$",
        word => word,
    };
    let position = SYMBOLS.binary_search_by_key(&word, |(symbol, _)| symbol).ok()?;
    SYMBOLS.get(position).map(|(_, mark)| *mark)
}
