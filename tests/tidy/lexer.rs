//! Splits Rust source into the tokens that the rules look at: comments, names, strings, the rest.

/// A token and the lines on which it stands, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token<'s> {
    pub(crate) kind: Kind,
    pub(crate) text: &'s str,
    pub(crate) line: usize,
    pub(crate) last_line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `///` or `/** */`: describes what follows.
    Doc,
    /// `//!`: describes what it is in.
    InnerDoc,
    Comment,
    Name,
    /// A string, a byte string, a character or a number.
    Literal,
    Lifetime,
    Punctuation,
}

/// Comments of one line are tokens of their own, also where several follow each other.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { source, at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'s> {
    source: &'s str,
    at: usize,
    line: usize,
}

impl<'s> Lexer<'s> {
    fn next(&mut self) -> Option<Token<'s>> {
        self.advance(|c| c.is_whitespace());
        let (start, line) = (self.at, self.line);
        let kind = self.kind(self.source.get(start..)?.chars().next()?);
        let text = &self.source[start..self.at];
        Some(Token { kind, text, line, last_line: self.line })
    }

    /// Moves behind the token that begins here.
    fn kind(&mut self, first: char) -> Kind {
        let rest = &self.source[self.at..];
        if rest.starts_with("//") {
            self.advance(|c| c != '\n');
            return match rest.as_bytes().get(2) {
                Some(b'!') => Kind::InnerDoc,
                Some(b'/') if rest.as_bytes().get(3) != Some(&b'/') => Kind::Doc,
                _ => Kind::Comment,
            };
        }
        if rest.starts_with("/*") {
            self.block_comment();
            return if rest.starts_with("/**") { Kind::Doc } else { Kind::Comment };
        }
        if let Some(hashes) = raw_string(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let opening = rest.find('"').map_or(rest.len(), |quote| quote + 1);
            let length =
                rest[opening..].find(&end).map_or(rest.len(), |at| opening + at + end.len());
            self.take(length);
            return Kind::Literal;
        }
        if let Some(prefix) = ["\"", "b\"", "c\""].iter().find(|prefix| rest.starts_with(**prefix))
        {
            self.quoted(prefix.len(), '"');
            return Kind::Literal;
        }
        if rest.starts_with("b'") {
            self.quoted(2, '\'');
            return Kind::Literal;
        }
        if first == '\'' {
            if is_lifetime(rest) {
                self.take(1);
                self.advance(is_name);
                return Kind::Lifetime;
            }
            self.quoted(1, '\'');
            return Kind::Literal;
        }
        if first.is_ascii_digit() {
            self.advance(is_name);
            return Kind::Literal;
        }
        if is_name(first) {
            if rest.starts_with("r#") {
                self.take(2);
            }
            self.advance(is_name);
            return Kind::Name;
        }
        self.take(first.len_utf8());
        Kind::Punctuation
    }

    fn take(&mut self, bytes: usize) {
        let text = &self.source[self.at..self.at + bytes];
        self.line += text.matches('\n').count();
        self.at += bytes;
    }

    fn advance(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = &self.source[self.at..];
        self.take(rest.find(|c| !wanted(c)).unwrap_or(rest.len()));
    }

    fn quoted(&mut self, opening: usize, end: char) {
        let mut is_escaped = false;
        let rest = &self.source[self.at..];
        let length = rest[opening..].char_indices().find_map(|(at, c)| {
            if !is_escaped && c == end {
                return Some(opening + at + 1);
            }
            is_escaped = !is_escaped && c == '\\';
            None
        });
        self.take(length.unwrap_or(rest.len()));
    }

    /// Takes a block comment, in which others may be nested.
    fn block_comment(&mut self) {
        let rest = &self.source[self.at..];
        let mut depth = 0;
        let mut at = 0;
        while at < rest.len() {
            let (step, change) = match rest.as_bytes().get(at..at + 2) {
                Some(b"/*") => (2, 1),
                Some(b"*/") => (2, -1),
                _ => (1, 0),
            };
            at += step;
            depth += change;
            if depth == 0 {
                break;
            }
        }
        self.take(at);
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The number of `#` if a raw string begins here.
fn raw_string(rest: &str) -> Option<usize> {
    let rest = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r')?;
    let inner = rest.trim_start_matches('#');
    inner.starts_with('"').then_some(rest.len() - inner.len())
}

/// `'a` without an end, which would make it a character.
fn is_lifetime(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    let starts_name = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    starts_name && chars.next() != Some('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(Kind, &str, usize)> {
        tokens(source).into_iter().map(|token| (token.kind, token.text, token.line)).collect()
    }

    #[test]
    fn words_in_strings_are_neither_comments_nor_names() {
        use Kind::{Comment, Doc, InnerDoc, Lifetime, Literal, Name, Punctuation};
        assert_eq!(
            kinds("//! a\n/// b\n// c\nlet x = r#\"// \"d\" \"#;"),
            [
                (InnerDoc, "//! a", 1),
                (Doc, "/// b", 2),
                (Comment, "// c", 3),
                (Name, "let", 4),
                (Name, "x", 4),
                (Punctuation, "=", 4),
                (Literal, "r#\"// \"d\" \"#", 4),
                (Punctuation, ";", 4),
            ]
        );
        assert_eq!(
            kinds("\"a\\\"//\n\" 'a' '\\'' b'\"' 'a: 1_u8 r#in /* /* */ */ b"),
            [
                (Literal, "\"a\\\"//\n\"", 1),
                (Literal, "'a'", 2),
                (Literal, "'\\''", 2),
                (Literal, "b'\"'", 2),
                (Lifetime, "'a", 2),
                (Punctuation, ":", 2),
                (Literal, "1_u8", 2),
                (Name, "r#in", 2),
                (Comment, "/* /* */ */", 2),
                (Name, "b", 2),
            ]
        );
    }
}
