//! The rules, each with what it counts in a file.

use crate::glossary::Glossary;
use crate::lexer::{Kind, Token, tokens};

/// No file is longer, whatever the list allows.
pub(crate) const FILE_LINES_CAP: usize = 700;
const FILE_LINES_MAX: usize = 400;
const FUNCTION_LINES_MAX: usize = 70;
const WIDTH_MAX: usize = 100;
/// A line with a string that can't be broken may be somewhat longer.
const WIDTH_MAX_WITH_STRING: usize = 130;
const DOC_WORDS_MIN: usize = 4;

/// Something that a rule doesn't allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) rule: &'static str,
    /// What the ratchet list names: the file, or the function in it.
    pub(crate) place: String,
    /// What it adds to the number of the place.
    pub(crate) number: usize,
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Checks one file; `path` is relative to the workspace, with `/`.
pub(crate) fn check(path: &str, source: &str, glossary: &Glossary) -> Vec<Finding> {
    let tokens = tokens(source);
    let mut file = File { path, source, tokens: &tokens, glossary, findings: Vec::new() };
    file.length();
    file.functions();
    file.width();
    file.words();
    file.type_names();
    file.short_docs();
    file.fragments();
    file.floats();
    file.descriptions();
    file.reminders();
    file.sleeps();
    file.findings
}

/// Checks the words of a page of the documentation.
pub(crate) fn check_page(path: &str, page: &str, glossary: &Glossary) -> Vec<Finding> {
    let mut file = File { path, source: page, tokens: &[], glossary, findings: Vec::new() };
    for (at, line) in page.lines().enumerate() {
        for word in glossary.words_of_comment(line) {
            file.add("words", at + 1, format!("'{word}' in {line}"));
        }
    }
    file.findings
}

struct File<'f> {
    path: &'f str,
    source: &'f str,
    tokens: &'f [Token<'f>],
    glossary: &'f Glossary,
    findings: Vec<Finding>,
}

impl File<'_> {
    fn add(&mut self, rule: &'static str, line: usize, text: impl Into<String>) {
        let (place, text) = (self.path.to_owned(), text.into());
        self.findings.push(Finding { rule, place, number: 1, line, text });
    }

    fn length(&mut self) {
        let lines = self.source.lines().count();
        if lines > FILE_LINES_MAX {
            self.add("file-length", 1, format!("{lines} lines, at most {FILE_LINES_MAX}"));
            self.findings.last_mut().unwrap().number = lines;
        }
    }

    fn functions(&mut self) {
        let code: Vec<&Token<'_>> = code(self.tokens);
        for (at, pair) in code.windows(2).enumerate() {
            if pair[0].text != "fn" || pair[1].kind != Kind::Name {
                continue;
            }
            let Some(end) = end_of_body(&code[at..]) else { continue };
            let lines = end - pair[0].line + 1;
            if lines > FUNCTION_LINES_MAX {
                let place = format!("{}::{}", self.path, pair[1].text);
                let text = format!("{lines} lines, at most {FUNCTION_LINES_MAX}");
                let line = pair[0].line;
                let rule = "function-length";
                self.findings.push(Finding { rule, place, number: lines, line, text });
            }
        }
    }

    fn width(&mut self) {
        for (at, line) in self.source.lines().enumerate() {
            let width = line.chars().count();
            let max = match line.contains('"') {
                true => WIDTH_MAX_WITH_STRING,
                false => WIDTH_MAX,
            };
            if width > max {
                self.add("line-width", at + 1, format!("{width} columns, at most {max}"));
            }
        }
    }

    fn words(&mut self) {
        for token in self.tokens {
            let words = match token.kind {
                Kind::Doc | Kind::InnerDoc | Kind::Comment => {
                    self.glossary.words_of_comment(token.text)
                }
                Kind::Name | Kind::Lifetime => {
                    self.glossary.words_of_name(token.text.trim_start_matches('\''))
                }
                Kind::Literal | Kind::Punctuation => continue,
            };
            for word in words {
                self.add("words", token.line, format!("'{word}' in {}", token.text.trim()));
            }
        }
    }

    fn type_names(&mut self) {
        let code: Vec<&Token<'_>> = code(self.tokens);
        for pair in code.windows(2) {
            let declares = matches!(pair[0].text, "struct" | "enum" | "trait" | "type");
            if declares && self.glossary.type_names.contains(pair[1].text) {
                self.add("type-names", pair[0].line, pair[1].text);
            }
        }
    }

    /// Paragraphs of `///` that are too short to add anything.
    fn short_docs(&mut self) {
        let mut docs: Vec<(usize, usize, usize)> = Vec::new();
        for token in self.tokens.iter().filter(|token| token.kind == Kind::Doc) {
            let words =
                token.text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
            let count = words.count();
            match docs.last_mut() {
                Some((_, last, sum)) if *last + 1 == token.line => {
                    *last = token.last_line;
                    *sum += count;
                }
                _ => docs.push((token.line, token.last_line, count)),
            }
        }
        for (line, _, _) in docs.into_iter().filter(|(_, _, words)| *words < DOC_WORDS_MIN) {
            self.add("short-docs", line, format!("fewer than {DOC_WORDS_MIN} words"));
        }
    }

    /// `/// Of the account.` is the end of a sentence that the reader has to begin.
    fn fragments(&mut self) {
        let mut last = None;
        for token in self.tokens.iter().filter(|token| token.kind == Kind::Doc) {
            let is_first = last.is_none_or(|last| last + 1 != token.line);
            last = Some(token.last_line);
            if is_first && token.text.split_whitespace().nth(1) == Some("Of") {
                self.add("fragments", token.line, token.text);
            }
        }
    }

    fn floats(&mut self) {
        let crates = [
            "crates/core/",
            "crates/formats/",
            "crates/store/",
            "crates/app/",
            "crates/providers/",
            "crates/bank-simulator/",
        ];
        if !crates.iter().any(|folder| self.path.starts_with(folder)) {
            return;
        }
        for token in self.tokens {
            let is_float = match token.kind {
                Kind::Name => matches!(token.text, "f32" | "f64"),
                Kind::Literal => {
                    token.text.starts_with(|c: char| c.is_ascii_digit())
                        && (token.text.ends_with("f32") || token.text.ends_with("f64"))
                        && !token.text.starts_with("0x")
                }
                _ => false,
            };
            if is_float {
                self.add("floats", token.line, token.text);
            }
        }
    }

    /// Structs that only describe what other code reads.
    fn descriptions(&mut self) {
        for (at, line) in self.source.lines().enumerate() {
            let rest = self.source.lines().skip(at).take(4).collect::<String>();
            if line.contains("expect(") && rest.contains("dead_code") {
                let expectation = rest.split(")]").next().unwrap_or_default();
                if expectation.contains("describe") {
                    self.add("descriptions", at + 1, "a struct that only describes");
                }
            }
        }
    }

    /// What is left to do belongs into an issue, and the comment names it.
    fn reminders(&mut self) {
        for token in self.tokens {
            let is_reminder = match token.kind {
                Kind::Doc | Kind::InnerDoc | Kind::Comment => {
                    let has = |word: &str| token.text.split(|c| !is_letter(c)).any(|w| w == word);
                    ["TODO", "FIXME", "XXX"].into_iter().any(has) && !names_issue(token.text)
                }
                Kind::Name => token.text == "todo",
                _ => false,
            };
            if is_reminder {
                self.add("reminders", token.line, token.text.trim());
            }
        }
    }

    fn sleeps(&mut self) {
        let tests_from = match is_test_file(self.path) {
            true => 1,
            false => test_module(self.source).unwrap_or(usize::MAX),
        };
        let code: Vec<&Token<'_>> = code(self.tokens);
        for pair in code.windows(2) {
            if pair[0].text == "sleep" && pair[1].text == "(" && pair[0].line >= tests_from {
                self.add("sleeps", pair[0].line, "a test that waits for time to pass");
            }
        }
    }
}

/// The tokens without comments.
fn code<'t>(tokens: &'t [Token<'t>]) -> Vec<&'t Token<'t>> {
    let is_comment = |kind| matches!(kind, Kind::Doc | Kind::InnerDoc | Kind::Comment);
    tokens.iter().filter(|token| !is_comment(token.kind)).collect()
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}

/// Whether a comment has a `#` and a number.
fn names_issue(comment: &str) -> bool {
    comment.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The last line of the function that begins here; none if it has no body.
fn end_of_body(code: &[&Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut brackets = 0_usize;
    for token in code.iter().filter(|token| token.kind == Kind::Punctuation) {
        match token.text {
            "{" => depth += 1,
            "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(token.line);
                }
            }
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets = brackets.checked_sub(1)?,
            ";" if depth == 0 && brackets == 0 => return None,
            _ => {}
        }
    }
    None
}

fn is_test_file(path: &str) -> bool {
    path.starts_with("tests/")
        || path.contains("/tests/")
        || path.ends_with("tests.rs")
        || path.ends_with("testing.rs")
}

/// The line from which on a file is its test module, which comes last.
fn test_module(source: &str) -> Option<usize> {
    let lines: Vec<&str> = source.lines().collect();
    let starts = |pair: &[&str]| {
        pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{')
    };
    lines.windows(2).position(starts).map(|at| at + 1)
}
