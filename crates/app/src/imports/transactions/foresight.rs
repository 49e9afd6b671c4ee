//! What the rules make of the rows of an import, found out before the transaction begins that
//! publishes them.

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_store::files::FileStore;
use purser_store::imports;
use purser_store::{Access, FamilyTx, Store, families};

use super::ruling::Ruling;
use crate::imports::names::{Names, resolve};
use crate::imports::reading::Source;

/// Rows that were judged ahead, as the family was then.
pub(crate) struct Foresight {
    ruling: Ruling,
    version: i64,
    is_whole: bool,
}

impl Foresight {
    /// Judges the rows of an import that can be read, as many as one commit may judge.
    pub(crate) fn of(
        store: &Store,
        files: &FileStore,
        access: Access,
        id: ImportId,
    ) -> Result<Self> {
        let (mut foresight, rows) = store.read_blocking(access, |tx| {
            let ruling = Ruling::load(tx)?;
            let version = families::version(tx)?;
            let is_whole = ruling.is_empty();
            let foresight = Self { ruling, version, is_whole };
            if is_whole {
                return Ok((foresight, None));
            }
            let import = imports::get(tx, id)?;
            let mappings = imports::mappings(tx, id)?;
            let resolved = resolve(&mappings, &imports::existing(tx)?);
            let names = Names::new(resolved.preparation, import.account);
            let source = Source::open(tx, files, &import)?;
            Ok((foresight, Some((source, names, import.rows_in_file()))))
        })?;
        if let Some((source, mut names, count)) = rows {
            let judged = foresight.ruling.look_ahead(&source, &mut names, 1, count)?;
            foresight.is_whole = judged == count;
        }
        Ok(foresight)
    }

    /// Whether all rows are judged; else there was too much work for one commit.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether names and rules still stand for what they did.
    pub(crate) fn is_current(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        Ok(families::version(tx)? == self.version && self.ruling.is_current(tx)?)
    }

    /// The rules.
    pub(crate) fn into_ruling(self) -> Ruling {
        self.ruling
    }
}
