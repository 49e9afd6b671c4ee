//! Ids and times of answers, replaced by what two families have in common.

use std::collections::HashMap;

use crate::support::{Answer, Family};

/// The ids of a family by the order in which they appeared, and its own texts.
pub(super) struct Names {
    ids: HashMap<String, usize>,
    email: String,
    are_colors_hidden: bool,
}

impl Names {
    pub(super) fn of(family: &Family) -> Self {
        let (ids, email) = (HashMap::new(), family.email.clone());
        Self { ids, email, are_colors_hidden: false }
    }

    /// From now on all colors count as one.
    pub(super) fn hide_colors(&mut self) {
        self.are_colors_hidden = true;
    }

    /// Status, headers and body of an answer, with numbers in place of ids.
    pub(super) fn normalised(&mut self, answer: &Answer) -> String {
        let mut headers: Vec<String> = answer
            .headers
            .iter()
            .filter(|(name, _)| !["date", "x-request-id"].contains(&name.as_str()))
            .map(|(name, value)| {
                // The hash is of the ids and times as they are.
                let value = if name == "etag" { "of the body" } else { value.to_str().unwrap() };
                format!("{name}: {value}")
            })
            .collect();
        headers.sort();
        let number = self.email.trim_start_matches("admin").trim_end_matches("@example.com");
        let body = answer.text().replace(&format!("Family {number}"), "Family");
        format!("{}\n{}\n\n{}", answer.status, headers.join("\n"), self.text(&body))
    }

    fn text(&mut self, body: &str) -> String {
        let mut shown = String::with_capacity(body.len());
        let mut rest = body;
        while let Some(first) = rest.chars().next() {
            let (replaced, length) = match token(rest) {
                Some(Token::Id(id)) => {
                    let next = self.ids.len();
                    let number = *self.ids.entry(id.to_owned()).or_insert(next);
                    (format!("<id {number}>"), id.len())
                }
                Some(Token::Time(length)) => ("<time>".to_owned(), length),
                Some(Token::Color(length)) if self.are_colors_hidden => {
                    ("<color>".to_owned(), length)
                }
                _ => (first.to_string(), first.len_utf8()),
            };
            shown.push_str(&replaced);
            rest = &rest[length..];
        }
        shown
    }
}

enum Token<'a> {
    Id(&'a str),
    Time(usize),
    Color(usize),
}

/// What the text begins with.
fn token(text: &str) -> Option<Token<'_>> {
    let fits = |pattern: &str| {
        let start = text.get(..pattern.len())?;
        let is_fitting = start.chars().zip(pattern.chars()).all(|(found, wanted)| match wanted {
            'x' => found.is_ascii_hexdigit(),
            '0' => found.is_ascii_digit(),
            other => found == other,
        });
        is_fitting.then_some(start)
    };
    let id = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    let time = "0000-00-00T00:00:00.000Z";
    let color = "\"#xxxxxx\"";
    fits(id)
        .map(Token::Id)
        .or_else(|| fits(time).map(|found| Token::Time(found.len())))
        .or_else(|| fits(color).map(|found| Token::Color(found.len())))
}
