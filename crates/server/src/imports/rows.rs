//! A page of an import's rows, read again from its file.

use std::collections::HashMap;

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::interpret::Row;
use purser_core::import::mapping::{MappingKind, path_key};
use purser_core::text::label::name_key;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Mapping};
use purser_store::{FamilyId, Tx};

use super::reading::Source;

/// A row as it is shown.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// 1-based over the rows.
    pub(crate) row: u64,
    /// 1-based over the lines of the file.
    pub(crate) line: u64,
    /// What the row says, or every reason why it can't be taken.
    pub(crate) outcome: std::result::Result<Content, Vec<String>>,
}

/// What a row says.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// The day.
    pub(crate) date: jiff::civil::Date,
    /// Positive = money out.
    pub(crate) amount: purser_core::money::Money,
    /// The name.
    pub(crate) name: String,
    /// Free text.
    pub(crate) notes: Option<String>,
    /// The account column, and what it stands for.
    pub(crate) account: Option<Named>,
    /// The category column, and what it stands for.
    pub(crate) category: Option<Named>,
    /// The tags, and what they stand for.
    pub(crate) tags: Vec<Named>,
}

/// A name in a row and its mapping.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// As the row says it.
    pub(crate) name: String,
    /// What it stands for.
    pub(crate) mapping: Option<Mapping>,
}

/// The rows from `offset` (0-based) on, at most `limit`, and how many there are.
pub(crate) fn page(
    tx: &mut Tx<'_>,
    files: &FileStore,
    family: FamilyId,
    id: ImportId,
    limit: u64,
    offset: u64,
) -> Result<(Vec<Shown>, u64)> {
    let import = imports::get(tx, family, id)?;
    if import.rows == 0 || offset >= import.rows {
        return Ok((Vec::new(), import.rows));
    }
    let mappings = imports::mappings(tx, family, id)?;
    let source = Source::open(tx, files, family, &import)?;
    let by_key: ByKey<'_> = mappings.iter().map(|mapping| (key(mapping), mapping)).collect();
    let mut shown = Vec::new();
    source.visit_page(offset + 1, limit, |visited| {
        let (row, line) = (visited.row, visited.line);
        let outcome = visited.outcome.map(|row| content(&row, &import, &by_key));
        shown.push(Shown { row, line, outcome });
        Ok(())
    })?;
    Ok((shown, import.rows))
}

/// Mappings by what names are matched by.
type ByKey<'m> = HashMap<(MappingKind, String), &'m Mapping>;

fn key(mapping: &Mapping) -> (MappingKind, String) {
    key_of(mapping.kind, &mapping.value)
}

fn key_of(kind: MappingKind, name: &str) -> (MappingKind, String) {
    (kind, if kind == MappingKind::Category { path_key(name) } else { name_key(name) })
}

fn content(row: &Row<'_>, import: &Import, mappings: &ByKey<'_>) -> Content {
    let named = |kind, name: &str| Named {
        name: name.to_owned(),
        mapping: mappings.get(&key_of(kind, name)).map(|mapping| (*mapping).clone()),
    };
    let account = row.account.filter(|_| import.account.is_none());
    Content {
        date: row.date,
        amount: purser_core::money::Money::new(row.amount, row.currency),
        name: row.name.to_owned(),
        notes: row.notes.map(str::to_owned),
        account: account.map(|name| named(MappingKind::Account, name)),
        category: row.category.map(|name| named(MappingKind::Category, name)),
        tags: row.tags.iter().map(|name| named(MappingKind::Tag, name)).collect(),
    }
}
