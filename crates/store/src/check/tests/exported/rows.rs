//! A family with a row in every table that is exported, and the lines of its export.
//!
//! The rows are inserted as they are, so that every column has a value: what they would mean
//! together doesn't matter here.

use crate::testing::Raw;

/// Replaces what an earlier planting left, in whatever state it is. `{20}` is the id 20.
const ROWS: &str = include_str!("rows.sql");

/// The lines of the export of these rows. `{20}` is the id 20.
const LINES: &str = include_str!("rows.ndjson");

/// The row of a table in which a column is changed: the others have the same key.
pub(super) fn only(table: &str, column: &str) -> &'static str {
    match (table, column) {
        ("entries", "valuation_kind") => "kind = 1",
        ("entries", "created_at") => "kind = 2",
        ("entries", "parent_id") => "kind = 3",
        ("entries", _) => "kind = 0",
        ("entry_origins", _) => "deleted_at IS NOT NULL",
        ("entry_tags", _) => "entry_id = {60}",
        ("categories", _) => "name = 'Bars'",
        _ => "TRUE",
    }
}

/// Makes the database hold the rows, and nothing else of a family.
pub(super) fn plant(raw: &mut Raw) {
    let rows = filled(ROWS, |number| id(number, matches!(raw, Raw::Sqlite(_))));
    raw.script(&format!("BEGIN; {rows} COMMIT;"));
}

/// The lines of the export.
pub(super) fn lines() -> Vec<String> {
    let lines = filled(LINES, text);
    lines.lines().map(str::to_owned).collect()
}

/// A condition or a value in which ids are numbers in braces.
pub(super) fn filled(template: &str, id: impl Fn(u8) -> String) -> String {
    let mut filled = template.replace("{family}", "(SELECT id FROM families)");
    for number in 1..100 {
        filled = filled.replace(&format!("{{{number}:text}}"), &text(number));
        filled = filled.replace(&format!("{{{number}}}"), &id(number));
    }
    filled
}

/// An id as SQL.
pub(super) fn id(number: u8, is_sqlite: bool) -> String {
    if is_sqlite { format!("x'{number:032}'") } else { format!("'{}'", text(number)) }
}

/// An id as text.
fn text(number: u8) -> String {
    format!("00000000-0000-0000-0000-{number:012}")
}
