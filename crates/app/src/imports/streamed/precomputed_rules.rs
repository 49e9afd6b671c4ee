//! The rules, evaluated for the rows of an import before the database transaction begins that
//! publishes them.

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_store::files::FileStore;
use purser_store::imports;
use purser_store::{Access, FamilyTx, Store, families};

use super::rule_evaluation::RuleEvaluation;
use crate::imports::names::{Names, resolve};
use crate::imports::reading::Source;

/// Rules that were evaluated ahead, with the names and rules that the family had then.
pub(crate) struct PrecomputedRules {
    rules: RuleEvaluation,
    version: i64,
    is_whole: bool,
}

impl PrecomputedRules {
    /// Evaluates the rows of an import that can be read, as many as one commit may evaluate.
    pub(crate) fn of(
        store: &Store,
        files: &FileStore,
        access: Access,
        id: ImportId,
    ) -> Result<Self> {
        let (mut precomputed, rows) = store.read_blocking(access, |tx| {
            let rules = RuleEvaluation::load(tx)?;
            let version = families::version(tx)?;
            let is_whole = rules.is_empty();
            let precomputed = Self { rules, version, is_whole };
            if is_whole {
                return Ok((precomputed, None));
            }
            let import = imports::get(tx, id)?;
            let mappings = imports::mappings(tx, id)?;
            let resolved = resolve(&mappings, &imports::existing(tx)?);
            let names = Names::new(resolved.preparation, import.account);
            let source = Source::open(tx, files, &import)?;
            Ok((precomputed, Some((source, names, import.rows_in_file()))))
        })?;
        if let Some((source, mut names, count)) = rows {
            let evaluated = precomputed.rules.evaluate_ahead(&source, &mut names, 1, count)?;
            precomputed.is_whole = evaluated == count;
        }
        Ok(precomputed)
    }

    /// Whether all rows are evaluated; else there was too much work for one commit.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether names and rules still stand for what they did.
    pub(crate) fn is_current(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        Ok(families::version(tx)? == self.version && self.rules.is_current(tx)?)
    }

    /// The rules with their evaluation so far.
    pub(crate) fn into_rules(self) -> RuleEvaluation {
        self.rules
    }
}
