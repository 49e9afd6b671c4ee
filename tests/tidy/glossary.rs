//! What `docs/glossary.md` asks for: the page is the one place where words are listed.

use std::collections::{BTreeSet, HashMap};

#[derive(Debug, Default)]
pub(crate) struct Glossary {
    /// Words and phrases, in lower case, that neither comments nor names have: by their first
    /// word, with the words that follow it.
    phrases: HashMap<String, Vec<(String, Vec<String>)>>,
    /// Names that no type has.
    pub(crate) type_names: BTreeSet<String>,
    /// Names that must occur in the code.
    pub(crate) code_names: BTreeSet<String>,
}

impl Glossary {
    pub(crate) fn parse(page: &str) -> Self {
        let mut glossary = Self::default();
        for line in page.lines().filter(|line| line.starts_with('|')) {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            match cells[..] {
                [_, _, code] => glossary.code_names.extend(quoted(code)),
                [words, _] => {
                    for word in quoted(words) {
                        if word.starts_with(char::is_uppercase) {
                            glossary.type_names.insert(word);
                        } else {
                            glossary.add(word);
                        }
                    }
                }
                _ => panic!("a row with another number of cells: {line}"),
            }
        }
        glossary
    }

    fn add(&mut self, phrase: String) {
        let mut words = phrase.split(' ').map(str::to_owned);
        let first = words.next().unwrap_or_default();
        let rest = words.collect();
        self.phrases.entry(first).or_default().push((phrase, rest));
    }

    /// The words of the page that a comment has.
    pub(crate) fn words_of_comment(&self, text: &str) -> Vec<&str> {
        let text = text.to_lowercase();
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        self.matches(&words)
    }

    /// The words of the page that are parts of a name.
    pub(crate) fn words_of_name(&self, name: &str) -> Vec<&str> {
        let parts = parts(name);
        self.matches(&parts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn matches(&self, words: &[&str]) -> Vec<&str> {
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            for (phrase, rest) in self.phrases.get(*word).into_iter().flatten() {
                let follows = words[at + 1..].get(..rest.len());
                if follows.is_some_and(|follows| follows == rest) {
                    found.push(phrase.as_str());
                }
            }
        }
        found
    }
}

/// What stands between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The parts of a name in snake or camel case, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if (c == '_' || (c.is_uppercase() && was_lower)) && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        was_lower = c.is_lowercase();
        if c != '_' {
            part.extend(c.to_lowercase());
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_underscores_and_capitals() {
        assert_eq!(parts("said_name"), ["said", "name"]);
        assert_eq!(parts("UnsaidName"), ["unsaid", "name"]);
        assert_eq!(parts("STAND_BACK"), ["stand", "back"]);
    }

    #[test]
    fn words_are_found_whole_and_whatever_their_case() {
        let glossary = Glossary::parse("| `said`, `stand back` | x |\n| `Found` | y |");
        assert_eq!(glossary.words_of_comment("/// Said, what was unsaid"), ["said"]);
        assert_eq!(glossary.words_of_comment("They stand back."), ["stand back"]);
        assert_eq!(glossary.words_of_name("STAND_BACK"), ["stand back"]);
        assert_eq!(glossary.words_of_name("standBack"), ["stand back"]);
        assert!(glossary.words_of_name("unsaid").is_empty());
        assert!(glossary.type_names.contains("Found"));
    }
}
