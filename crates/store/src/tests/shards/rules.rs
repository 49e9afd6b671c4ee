//! What keeps a statement in the shard of one family.
//!
//! Rows are placed by their family. A database that is spread over machines sends a statement to
//! one of them only if each table in it, wherever it stands, is compared with a family that is
//! known beforehand: a parameter. That it equals another column isn't enough: it is not carried
//! into subqueries.

use std::collections::BTreeSet;

use super::words::{Word, split, words};

/// What a statement touches, and how it breaks the rules.
#[derive(Debug, Default)]
pub(super) struct Inspection {
    /// The tables that have families' rows.
    pub(super) tables: BTreeSet<String>,
    /// Tables that belong to no family, or lead to one.
    pub(super) directories: BTreeSet<String>,
    /// The parameters that families' columns are compared with.
    pub(super) params: BTreeSet<usize>,
    /// What is wrong, a sentence each.
    pub(super) problems: Vec<String>,
    /// Names that the statement gives to subqueries.
    named_queries: BTreeSet<String>,
}

/// A table in a part of a statement.
struct Relation<'w> {
    table: &'w str,
    alias: &'w str,
}

/// A comparison of a column with a parameter: `alias.column = $n`.
struct Condition<'w> {
    alias: Option<&'w str>,
    column: &'w str,
    param: usize,
}

/// What ends the conditions of a `WHERE` or an `ON`.
const CLAUSES: [&str; 11] = [
    "GROUP",
    "ORDER",
    "LIMIT",
    "RETURNING",
    "JOIN",
    "LEFT",
    "CROSS",
    "SELECT",
    "SET",
    "HAVING",
    "FROM",
];

/// What a statement does, by the names of the directories.
pub(super) fn look_at(text: &str, directories: &[&str]) -> Inspection {
    let words = words(text);
    let mut found = Inspection::default();
    note_named_queries(&words, &mut found);
    look_at_query(&words, directories, &mut found);
    if !found.tables.is_empty() {
        note_comparisons(&words, &mut found);
    }
    if !found.tables.is_empty() && !found.directories.is_empty() {
        let (tables, directories) = (&found.tables, &found.directories);
        found.problems.push(format!("it joins {tables:?} with the directories {directories:?}"));
    }
    found
}

fn note_named_queries(words: &[Word], found: &mut Inspection) {
    for (position, word) in words.iter().enumerate() {
        if let Word::Group(inner) | Word::Query(inner) = word {
            note_named_queries(inner, found);
        }
        let (Some(name), next) = (word.name(), words.get(position + 1..).unwrap_or_default())
        else {
            continue;
        };
        if let [Word::Group(_), as_, Word::Query(_), ..] | [as_, Word::Query(_), ..] = next
            && as_.is("AS")
        {
            found.named_queries.insert(name.to_owned());
        }
    }
}

fn look_at_query(words: &[Word], directories: &[&str], found: &mut Inspection) {
    for arm in split(words, |word| word.is_one_of(&["UNION", "EXCEPT", "INTERSECT"])) {
        look_at_arm(arm, directories, found);
        look_inside(arm, directories, found);
    }
}

/// Looks at the statements in parentheses.
fn look_inside(words: &[Word], directories: &[&str], found: &mut Inspection) {
    for word in words {
        match word {
            Word::Query(inner) => look_at_query(inner, directories, found),
            Word::Group(inner) => look_inside(inner, directories, found),
            _ => {}
        }
    }
}

fn look_at_arm(arm: &[Word], directories: &[&str], found: &mut Inspection) {
    let (relations, subqueries) = relations(arm);
    let conditions = conditions(arm);
    let sources = relations.len() + subqueries;
    let mut has_tables = false;
    for Relation { table, alias } in relations {
        if found.named_queries.contains(table) {
            continue;
        }
        if directories.contains(&table) {
            found.directories.insert(table.to_owned());
            continue;
        }
        has_tables = true;
        found.tables.insert(table.to_owned());
        let key = if table == "families" { "id" } else { "family_id" };
        let matching = conditions.iter().find(|condition| {
            condition.column == key && condition.alias.map_or(sources == 1, |name| name == alias)
        });
        match matching {
            Some(condition) => drop(found.params.insert(condition.param)),
            None => found.problems.push(format!("no {alias}.{key} = $n")),
        }
    }
    has_tables |= look_at_insert(arm, directories, found);
    if has_tables && has_loose_alternative(arm) {
        found.problems.push("an OR stands beside conditions without parentheses".to_owned());
    }
}

/// The tables after `FROM`, `JOIN` and `UPDATE`, and how many subqueries stand beside them.
fn relations(arm: &[Word]) -> (Vec<Relation<'_>>, usize) {
    let (mut relations, mut subqueries, mut in_from) = (Vec::new(), 0, false);
    for (position, word) in arm.iter().enumerate() {
        let before = position.checked_sub(1).and_then(|before| arm.get(before));
        let is_after = |keywords: &[&str]| before.is_some_and(|word| word.is_one_of(keywords));
        let begins = match word {
            Word::Keyword(_) if word.is("FROM") => !is_after(&["DISTINCT"]),
            Word::Keyword(_) if word.is("UPDATE") => !is_after(&["FOR", "KEY", "DO"]),
            Word::Keyword(_) if word.is("JOIN") => true,
            Word::Sign(',') => in_from,
            _ => false,
        };
        let after = arm.get(position + 1..).unwrap_or_default();
        let after =
            if after.first().is_some_and(|word| word.is("LATERAL")) { &after[1..] } else { after };
        in_from = if word.is("FROM") {
            begins
        } else {
            in_from && !word.is_one_of(&["WHERE", "GROUP", "ORDER", "LIMIT", "SET", "RETURNING"])
        };
        if !begins {
            continue;
        }
        match after {
            [Word::Query(_) | Word::Group(_), ..] => subqueries += 1,
            // A function that gives rows.
            [Word::Name(_), Word::Group(_), ..] => subqueries += 1,
            [Word::Name(table), rest @ ..] => {
                let rest =
                    if rest.first().is_some_and(|word| word.is("AS")) { &rest[1..] } else { rest };
                let alias = rest.first().and_then(Word::name).unwrap_or(table);
                relations.push(Relation { table, alias });
            }
            rest => panic!("what is read from? {rest:?}"),
        }
    }
    (relations, subqueries)
}

/// The conditions with a parameter that hold for every row of an arm.
fn conditions(arm: &[Word]) -> Vec<Condition<'_>> {
    let mut conditions = Vec::new();
    for (position, word) in arm.iter().enumerate() {
        if !word.is_one_of(&["WHERE", "ON", "AND"]) {
            continue;
        }
        let rest = arm.get(position + 1..).unwrap_or_default();
        conditions.extend(match rest {
            [Word::Group(inner), ..] => whole_condition(inner),
            _ => first_condition(rest),
        });
    }
    conditions
}

fn first_condition(words: &[Word]) -> Option<Condition<'_>> {
    let (alias, rest) = match words {
        [Word::Name(alias), Word::Sign('.'), rest @ ..] => (Some(alias.as_str()), rest),
        rest => (None, rest),
    };
    match rest {
        [Word::Name(column), Word::Sign('='), Word::Param(param), ..] => {
            Some(Condition { alias, column, param: *param })
        }
        _ => None,
    }
}

/// The condition that parentheses enclose, if there is nothing beside it.
fn whole_condition(inner: &[Word]) -> Option<Condition<'_>> {
    let condition = first_condition(inner)?;
    let length = if condition.alias.is_some() { 5 } else { 3 };
    (inner.len() == length).then_some(condition)
}

/// Notes comparisons of a family with anything but a parameter.
fn note_comparisons(words: &[Word], found: &mut Inspection) {
    for word in words {
        if let Word::Group(inner) | Word::Query(inner) = word {
            note_comparisons(inner, found);
        }
    }
    for part in words.windows(3) {
        if let [Word::Name(column), Word::Sign('='), with] = part
            && column == "family_id"
            && !matches!(with, Word::Param(_))
        {
            found.problems.push("a family_id is compared with another than a parameter".to_owned());
        }
    }
}

/// Whether a row may come in by an `OR`, past the other conditions.
fn has_loose_alternative(arm: &[Word]) -> bool {
    let (mut in_conditions, mut cases) = (false, 0);
    for word in arm {
        if word.is("CASE") {
            cases += 1;
        } else if word.is("END") {
            cases -= 1;
        } else if cases == 0 && word.is_one_of(&["WHERE", "ON"]) {
            in_conditions = true;
        } else if cases == 0 && word.is_one_of(&CLAUSES) {
            in_conditions = false;
        } else if cases == 0 && in_conditions && word.is("OR") {
            return true;
        }
    }
    false
}

/// Looks at the rows that an `INSERT` adds, and returns whether they are a family's.
fn look_at_insert(arm: &[Word], directories: &[&str], found: &mut Inspection) -> bool {
    let Some(start) = arm.iter().position(|word| word.is("INTO")) else { return false };
    let [Word::Name(table), Word::Group(columns), rest @ ..] = &arm[start + 1..] else {
        found.problems.push("the columns of an INSERT aren't named".to_owned());
        return true;
    };
    if directories.contains(&table.as_str()) {
        found.directories.insert(table.clone());
        return false;
    }
    found.tables.insert(table.clone());
    let key = if table == "families" { "id" } else { "family_id" };
    let is_comma = |word: &Word| *word == Word::Sign(',');
    let place = split(columns, is_comma).iter().position(|column| match column {
        [Word::Name(name)] => name == key,
        _ => false,
    });
    let values = match rest {
        [values, Word::Group(row), ..] if values.is("VALUES") => row.as_slice(),
        [select, list @ ..] if select.is("SELECT") => {
            list.split(|word| word.is("FROM")).next().unwrap_or_default()
        }
        _ => &[],
    };
    match place.and_then(|place| split(values, is_comma).get(place).copied()) {
        Some([Word::Param(param)]) => drop(found.params.insert(*param)),
        // Of a table that is compared with a parameter.
        Some([.., Word::Name(column)]) if column == "family_id" => {}
        _ => found.problems.push(format!("{table} gets rows of a {key} that is no parameter")),
    }
    true
}
