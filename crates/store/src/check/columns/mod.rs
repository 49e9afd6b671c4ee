//! Every column of every table: what its values may be, and which rows its ids point to.
//!
//! The tables below are the only place that has this. Two walkers read them: one compares every
//! value with the domain of its column, the other looks for ids that no row has. Rows are visited
//! as the database sends them, one at a time, so that memory doesn't grow with the ledger. A test
//! compares the tables with the columns that the databases list, so that no migration leaves one
//! out.

mod domain;
mod imports;
mod ledger;
mod people;
mod records;
mod syncs;
mod values;

use std::borrow::Cow;
use std::collections::HashSet;

use purser_core::error::Result;

use super::report::Findings;
use crate::distribution::DIRECTORIES;
use crate::driver::{AsSql, Row, Tx, Val};

pub(crate) use self::domain::Domain;

/// A table of the schema.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// The columns that name a row in a problem, beside the family.
    key: &'static [&'static str],
    /// Each column, and what its values may be. Null fits wherever the schema allows it.
    pub(crate) columns: &'static [(&'static str, Domain)],
}

/// Every table but the one with the version of the schema.
pub(crate) fn tables() -> impl Iterator<Item = &'static Table> {
    [people::TABLES, ledger::TABLES, imports::TABLES, records::TABLES, syncs::TABLES]
        .into_iter()
        .flatten()
}

/// Every value is one that the program can read.
pub(super) fn values_fit(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    for table in tables() {
        tx.for_each(&table.walk(), &[], |row| {
            findings.count(1);
            for (at, (column, domain)) in table.columns.iter().enumerate() {
                if !domain.has(row, at) {
                    findings.problem(|| table.misfit(row, (at, column, domain)));
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Every id that must point to a row does.
pub(super) fn references_hold(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    // Their numbers take eight bytes each.
    let list = Walk("SELECT id FROM families".to_owned());
    let families: HashSet<i64> = tx.query(&list, &[], |row| row.int(0))?.into_iter().collect();
    for table in tables() {
        let keys: Vec<usize> = table.key.iter().map(|key| table.position(key)).collect();
        for (column, domain) in table.columns {
            let Some((parent, join)) = domain.target() else { continue };
            findings.count(1);
            let selected: Vec<String> = table.key.iter().map(|key| format!("t.{key}")).collect();
            let (selected, name) = (selected.join(", "), table.name);
            // Directories and rows of families may be on several machines, so they aren't joined.
            let is_listing = DIRECTORIES.contains(&name);
            let walk = Walk(if is_listing {
                format!("SELECT {selected}, t.{column} FROM {name} t WHERE t.{column} IS NOT NULL")
            } else {
                format!(
                    "SELECT {selected}, t.{column} FROM {name} t
                        LEFT JOIN {parent} p ON {join} p.id = t.{column}
                        WHERE t.{column} IS NOT NULL AND p.id IS NULL"
                )
            });
            tx.for_each(&walk, &[], |row| {
                if is_listing && families.contains(&row.int(keys.len())?) {
                    return Ok(());
                }
                findings.problem(|| {
                    let (name, value) = (table.name_of(row, &keys), domain.shown(row, keys.len()));
                    format!("{name}: {column} is {value}, which no row of {parent} has")
                });
                Ok(())
            })?;
        }
    }
    Ok(())
}

impl Table {
    /// Reads every column of every row, in the order of the table.
    pub(super) fn walk(&self) -> Walk {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        Walk(format!("SELECT {} FROM {}", names.join(", "), self.name))
    }

    /// What is wrong with a column of a row that [`Table::walk`] read.
    pub(super) fn misfit(
        &self,
        row: &Row<'_>,
        (at, column, domain): (usize, &str, &Domain),
    ) -> String {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let (name, value) = (self.name_of(row, &all), domain.shown(row, at));
        format!("{name}: {column} is {value}, but must be {}", domain.rule())
    }

    /// A row as a problem names it, from a result that has the columns of these positions.
    fn name_of(&self, row: &Row<'_>, selected: &[usize]) -> String {
        let shown = self.key.iter().filter_map(|key| {
            let column = self.position(key);
            let at = selected.iter().position(|one| *one == column)?;
            Some(self.columns[column].1.shown(row, at))
        });
        format!("{} {}", self.name, shown.collect::<Vec<_>>().join(", "))
    }

    fn position(&self, column: &str) -> usize {
        self.columns.iter().position(|(name, _)| *name == column).unwrap_or_default()
    }
}

/// A statement that is made of names in the tables above, and never of data.
pub(super) struct Walk(String);

impl AsSql for Walk {
    fn postgres_text(&self) -> &str {
        &self.0
    }

    fn sqlite_text(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }

    fn own_params(&self) -> &[Val<'_>] {
        &[]
    }
}
