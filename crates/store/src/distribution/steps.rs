//! The text of a step of the schema, as statements: for where several can't be sent at once, and
//! where a new table is spread before it has foreign keys.

use super::plan::{Kind, spread_table};

/// The statements of a text, without comments.
pub(super) fn statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut current = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = token(rest);
        let (piece, left) = rest.split_at(taken);
        rest = left;
        match first {
            '-' if piece.starts_with("--") => current.push(' '),
            ';' => statements.push(std::mem::take(&mut current)),
            _ => current.push_str(piece),
        }
    }
    statements.push(current);
    let trimmed = statements.iter().map(|statement| statement.trim().to_owned());
    trimmed.filter(|statement| !statement.is_empty()).collect()
}

/// How many bytes belong together at the beginning: a comment, something in quotes, or one
/// character.
fn token(text: &str) -> usize {
    let end_of = |open: usize, close: &str| {
        text[open..].find(close).map_or(text.len(), |at| open + at + close.len())
    };
    match text.as_bytes()[0] {
        b'-' if text.starts_with("--") => end_of(2, "\n"),
        quote @ (b'\'' | b'"') => end_of(1, if quote == b'"' { "\"" } else { "'" }),
        b'$' => {
            let tag = text[1..].find('$').map(|at| &text[..at + 2]);
            let is_tag = |tag: &&str| {
                let name = tag.trim_matches('$');
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            };
            tag.filter(is_tag).map_or(1, |tag| end_of(tag.len(), tag))
        }
        _ => text.chars().next().map_or(1, char::len_utf8),
    }
}

/// A statement as it is sent where tables are spread: one that makes a table becomes three
/// steps, which are the table without foreign keys, its distribution, and the foreign keys.
pub(super) fn spread(statement: &str, kind_of: impl Fn(&str) -> Kind) -> Vec<String> {
    let Some((name, head, body, tail)) = created(statement) else {
        return vec![statement.to_owned()];
    };
    let (mut items, mut keys) = (Vec::new(), Vec::new());
    for item in parts(body) {
        let (item, key) = without_key(item.trim());
        items.extend(item);
        keys.extend(key.map(|key| format!("ALTER TABLE {name} ADD {key}")));
    }
    let table = format!("{head}({}){tail}", items.join(", "));
    let mut steps = vec![table, spread_table(name, kind_of(name))];
    steps.extend(keys);
    steps
}

/// The name of a table that a statement makes, what comes before its parts, they themselves, and
/// what comes after them.
fn created(statement: &str) -> Option<(&str, &str, &str, &str)> {
    let after = strip_words(statement, &["CREATE", "TABLE"])?;
    let after = strip_words(after, &["IF", "NOT", "EXISTS"]).unwrap_or(after);
    let (name, _) = after.split_once('(')?;
    let name = name.trim();
    if name.contains(char::is_whitespace) {
        return None;
    }
    let open = statement.find('(')?;
    let close = closing(&statement[open..])? + open;
    Some((name, &statement[..open], &statement[open + 1..close], &statement[close + 1..]))
}

fn strip_words<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().try_fold(text, |rest, word| {
        let rest = rest.trim_start();
        let found = rest.get(..word.len())?;
        let left = &rest[word.len()..];
        (found.eq_ignore_ascii_case(word) && left.starts_with(char::is_whitespace)).then_some(left)
    })
}

/// Where the parenthesis ends that a text begins with.
fn closing(text: &str) -> Option<usize> {
    outside(text).find(|(_, piece, depth)| *piece == ")" && *depth == 0).map(|(at, ..)| at)
}

/// What is between the commas that are in no parentheses.
fn parts(body: &str) -> Vec<&str> {
    let commas = outside(body).filter(|(_, piece, depth)| *piece == "," && *depth == 0);
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, ..) in commas {
        parts.push(&body[start..at]);
        start = at + 1;
    }
    parts.push(&body[start..]);
    parts
}

/// Every piece of a text with its place and the number of parentheses that it is in; those are
/// outside of themselves.
fn outside(text: &str) -> impl Iterator<Item = (usize, &str, usize)> {
    let (mut at, mut depth) = (0, 0_usize);
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let piece = &rest[..token(rest)];
        if piece == ")" {
            depth = depth.saturating_sub(1);
        }
        let found = (at, piece, depth);
        if piece == "(" {
            depth += 1;
        }
        at += piece.len();
        Some(found)
    })
}

/// A part of a table without its foreign key, and the key as a constraint.
fn without_key(item: &str) -> (Option<String>, Option<String>) {
    if is_constraint(item) {
        return (None, Some(item.to_owned()));
    }
    let mut words = outside(item).filter(|(_, _, depth)| *depth == 0).map(|(at, ..)| at);
    let found = words.find(|at| is_word(item, *at, "REFERENCES"));
    match (found, item.split_whitespace().next()) {
        (Some(at), Some(column)) => {
            let key = format!("FOREIGN KEY ({column}) {}", &item[at..]);
            (Some(item[..at].trim_end().to_owned()), Some(key))
        }
        _ => (Some(item.to_owned()), None),
    }
}

/// Whether a part of a table is a foreign key, with a name or without.
fn is_constraint(item: &str) -> bool {
    let named = || {
        let after = strip_words(item, &["CONSTRAINT"])?;
        let (_, after) = after.trim_start().split_once(char::is_whitespace)?;
        strip_words(after, &["FOREIGN", "KEY"])
    };
    strip_words(item, &["FOREIGN", "KEY"]).is_some() || named().is_some()
}

fn is_word(text: &str, at: usize, word: &str) -> bool {
    let end = at + word.len();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let found = text.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(word));
    let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
    found && !before.is_some_and(is_part) && !text.as_bytes().get(end).is_some_and(is_part)
}

#[cfg(test)]
mod tests {
    use super::super::plan;
    use super::*;

    #[test]
    fn statements_end_where_they_end() {
        let text = "-- One; two\nCREATE TABLE a (b TEXT DEFAULT ';'); -- c;\nDO $x$ BEGIN; END $x$;
            SELECT \"a;b\", $1;;\n";
        assert_eq!(
            statements(text),
            ["CREATE TABLE a (b TEXT DEFAULT ';')", "DO $x$ BEGIN; END $x$", "SELECT \"a;b\", $1",]
        );
        assert!(statements(" -- nothing\n").is_empty());
        assert_eq!(statements("SELECT 'it''s; so'"), ["SELECT 'it''s; so'"]);
    }

    #[test]
    fn a_new_table_gets_its_foreign_keys_last() {
        let made = |text: &str| spread(text, plan::kind_of);
        assert_eq!(
            made(
                "CREATE TABLE a (family_id BIGINT NOT NULL REFERENCES families (id),
                 x TEXT DEFAULT 'REFERENCES y', n BIGINT CHECK (n IN (1, 2)),
                 PRIMARY KEY (family_id, x),
                 FOREIGN KEY (family_id, x) REFERENCES b (family_id, x) ON DELETE CASCADE,
                 CONSTRAINT c FOREIGN KEY (family_id, n) REFERENCES d (family_id, n)) WITH (x = 1)"
            ),
            [
                "CREATE TABLE a (family_id BIGINT NOT NULL, x TEXT DEFAULT 'REFERENCES y', \
                 n BIGINT CHECK (n IN (1, 2)), PRIMARY KEY (family_id, x)) WITH (x = 1)",
                "SELECT create_distributed_table('a', 'family_id', colocate_with => 'families')",
                "ALTER TABLE a ADD FOREIGN KEY (family_id) REFERENCES families (id)",
                "ALTER TABLE a ADD FOREIGN KEY (family_id, x) REFERENCES b (family_id, x) \
                 ON DELETE CASCADE",
                "ALTER TABLE a ADD CONSTRAINT c FOREIGN KEY (family_id, n) \
                 REFERENCES d (family_id, n)",
            ]
        );
        assert_eq!(
            made("create table if not exists jobs (id BIGINT)"),
            [
                "create table if not exists jobs (id BIGINT)",
                "SELECT citus_add_local_table_to_metadata('jobs')",
            ]
        );
        for other in ["CREATE INDEX a ON b (c)", "DROP TABLE a", "CREATE TABLE a AS SELECT 1"] {
            assert_eq!(made(other), [other]);
        }
    }
}
