//! SQL as nested words: enough to see which tables a statement names and what it asks of them.
//!
//! It relies on how the statements are written: keywords in capitals, names in small letters.

use std::iter::Peekable;
use std::str::Chars;

/// A part of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// A table, a column, an alias or a function.
    Name(String),
    /// A word of SQL such as `SELECT`.
    Keyword(String),
    /// The number of a parameter: `$n`.
    Param(usize),
    /// A character of an operator or a separator.
    Sign(char),
    /// A text or a number.
    Value,
    /// Words that parentheses enclose.
    Group(Vec<Self>),
    /// A statement in parentheses.
    Query(Vec<Self>),
}

impl Word {
    pub(super) fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Keyword(word) if word == keyword)
    }

    pub(super) fn is_one_of(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(keyword))
    }

    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// The words of a statement.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut rest = text.chars().peekable();
    let words = until_closed(&mut rest);
    assert!(rest.next().is_none(), "a parenthesis too many: {text}");
    words
}

/// The words up to the parenthesis that closes, or to the end.
fn until_closed(rest: &mut Peekable<Chars<'_>>) -> Vec<Word> {
    let mut words = Vec::new();
    while let Some(next) = rest.peek().copied().filter(|next| *next != ')') {
        match next {
            'a'..='z' | 'A'..='Z' | '_' => {
                let word = run(rest, |c| c.is_ascii_alphanumeric() || c == '_');
                let is_keyword = next.is_ascii_uppercase();
                words.push(if is_keyword { Word::Keyword(word) } else { Word::Name(word) });
            }
            '0'..='9' => {
                run(rest, |c| c.is_ascii_alphanumeric() || c == '.');
                words.push(Word::Value);
            }
            _ => {
                rest.next();
                words.extend(sign(next, rest));
            }
        }
    }
    words
}

fn sign(first: char, rest: &mut Peekable<Chars<'_>>) -> Option<Word> {
    match first {
        '\'' => {
            // A doubled quote is two texts side by side.
            run(rest, |c| c != '\'');
            rest.next();
            Some(Word::Value)
        }
        '$' => {
            let digits = run(rest, |c| c.is_ascii_digit());
            Some(Word::Param(digits.parse().expect("a number after $")))
        }
        '(' => {
            let inner = until_closed(rest);
            assert_eq!(rest.next(), Some(')'), "a parenthesis that isn't closed");
            let is_query = inner.first().is_some_and(|word| word.is_one_of(&["SELECT", "WITH"]));
            Some(if is_query { Word::Query(inner) } else { Word::Group(inner) })
        }
        _ if first.is_whitespace() => None,
        _ => Some(Word::Sign(first)),
    }
}

fn run(rest: &mut Peekable<Chars<'_>>, belongs: impl Fn(char) -> bool) -> String {
    std::iter::from_fn(|| rest.next_if(|c| belongs(*c))).collect()
}

/// The parts between the words that separate them.
pub(super) fn split(words: &[Word], separates: impl Fn(&Word) -> bool) -> Vec<&[Word]> {
    words.split(separates).collect()
}
