//! Rows as they are shown, read again from their file, each with what is to become of it.

use std::collections::HashMap;

use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::import::dispatch::Row;
use purser_core::import::kinds::Kind;
use purser_core::import::mapping::MappingKind;
use purser_core::import::transaction::balance::directions::asked_column;
use purser_core::import::verdict::Verdict;
use purser_core::money::Money;
use purser_formats::records::Visited;
use purser_store::FamilyTx;
use purser_store::files::FileStore;
use purser_store::imports::{self, Blocks, Import, Mapping, Planned};

use super::cells::cell_names;
use super::names::{Names, Resolved, resolve};
use super::native::why_open;
use super::reading::Source;
use super::row_content::{Content, Named, PlainContent, ShownRow, TransactionContent};
use super::streamed::{Destinations, EntryFacts, IN_OPENING, RecordFacts, is_correction};
use super::whole;

/// The rows to read: a part of those with some verdicts.
#[derive(Debug, Clone, Default)]
pub struct RowQuery {
    /// Only those with one of these verdicts; empty for all.
    pub verdicts: Vec<Verdict>,
    /// The number of rows to skip.
    pub offset: u64,
    /// At most so many.
    pub limit: u64,
}

/// Rows of a stored import, and how many of them there are in all.
pub fn page(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    query: &RowQuery,
) -> Result<(Vec<ShownRow>, u64)> {
    let total = total(import, &query.verdicts);
    if query.offset >= total {
        return Ok((Vec::new(), total));
    }
    let source = Source::open(tx, files, import)?;
    let mappings = imports::mappings(tx, import.id)?;
    let runs = if query.verdicts.is_empty() {
        vec![(query.offset + 1, query.limit.min(total - query.offset))]
    } else {
        let RowQuery { verdicts, offset, limit } = query;
        let found = imports::plan_rows_with(tx, import.id, verdicts, *offset, *limit)?;
        runs_of(&found)
    };
    let mut show = Show::new(&source, import.account, &mappings);
    for (first, count) in runs {
        let blocks = match import.plan {
            Some(_) => Some(imports::plan_blocks(tx, import.id, first, count)?),
            None => None,
        };
        show.rows(first, count, blocks.as_ref())?;
    }
    let mut shown = show.finish(tx)?;
    whole::explain(tx, import, &source, &mappings, &mut shown)?;
    Ok((shown, total))
}

/// How many rows meet the query, without looking at any.
fn total(import: &Import, verdicts: &[Verdict]) -> u64 {
    match (verdicts, import.plan) {
        ([], _) => import.rows_in_file(),
        (_, None) => 0,
        (_, Some(counts)) => {
            let is_wanted = |verdict: &&Verdict| verdicts.contains(verdict);
            Verdict::ALL.iter().filter(is_wanted).map(|verdict| counts.of(*verdict)).sum()
        }
    }
}

/// Rows in order as runs: the first row of each, and how many.
pub(super) fn runs_of(rows: &[u64]) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for row in rows {
        match runs.last_mut() {
            Some((first, count)) if *first + *count == *row => *count += 1,
            _ => runs.push((*row, 1)),
        }
    }
    runs
}

/// Puts rows into what is shown of them.
pub(super) struct Show<'a> {
    source: &'a Source,
    account: Option<AccountId>,
    mappings: HashMap<(MappingKind, String), &'a Mapping>,
    all_mappings: &'a [Mapping],
    shown: Vec<(ShownRow, Option<Planned>)>,
    /// What may need an explanation, by the number of the row.
    facts: HashMap<u64, EntryFacts>,
    /// The same of records that are no entries.
    record_facts: HashMap<u64, RecordFacts>,
    cell_names: Vec<String>,
}

impl<'a> Show<'a> {
    /// With `account`, every row goes there, whatever account it has.
    pub(super) fn new(
        source: &'a Source,
        account: Option<AccountId>,
        mappings: &'a [Mapping],
    ) -> Self {
        let by_key = |mapping: &'a Mapping| (key_of(mapping.kind, &mapping.value), mapping);
        let by_name = mappings.iter().map(by_key).collect();
        Self {
            source,
            account,
            mappings: by_name,
            all_mappings: mappings,
            shown: Vec::new(),
            facts: HashMap::new(),
            record_facts: HashMap::new(),
            cell_names: cell_names(source.layout()),
        }
    }

    /// Reads `count` rows from the row `first` on; `blocks` has the verdicts on them.
    pub(super) fn rows(&mut self, first: u64, count: u64, blocks: Option<&Blocks>) -> Result<()> {
        let source = self.source;
        source.visit_page(first, count, |visited| {
            let planned = blocks.map(|blocks| blocks.get(visited.row)).transpose()?;
            if let (Ok(row), Some(planned)) = (&visited.outcome, planned)
                && let Some(entry) = row.entry()
            {
                let facts = EntryFacts::of(&entry);
                let is_foreign = facts.currency() != source.default_currency();
                let is_open = planned.verdict == Verdict::NeedsChoice;
                if is_open || (is_foreign && planned.verdict == Verdict::Create) {
                    self.facts.insert(visited.row, facts);
                }
            }
            if let (Ok(row), Some(planned)) = (&visited.outcome, planned)
                && let Some(facts) = row.side_record().and_then(RecordFacts::of)
                && (planned.verdict == Verdict::NeedsChoice
                    || (planned.verdict == Verdict::LeftOut && !visited.is_left_out()))
            {
                self.record_facts.insert(visited.row, facts);
            }
            let is_in_opening = planned.is_some_and(|planned| planned.verdict == Verdict::LeftOut)
                && !visited.is_left_out()
                && is_correction(source.layout(), &visited);
            let record = visited.outcome.as_ref().ok().and_then(|row| row.native());
            let reason = record.zip(planned).filter(|_| !visited.is_left_out());
            let reason = reason.and_then(|(record, planned)| why_open(record, planned.verdict));
            let reason = reason.or_else(|| is_in_opening.then(|| IN_OPENING.to_owned()));
            let mut shown = self.row(visited);
            if reason.is_some() {
                shown.explain(reason);
            }
            self.shown.push((shown, planned));
            Ok(())
        })
    }

    /// The rows, each with what explains its verdict.
    pub(super) fn finish(mut self, tx: &mut FamilyTx<'_>) -> Result<Vec<ShownRow>> {
        self.explain(tx)?;
        let kind = self.source.kind();
        let is_entry = !kind.spec().is_whole && kind != Kind::Native;
        let entries: Vec<EntryId> = self
            .shown
            .iter()
            .filter_map(|(_, planned)| planned.and_then(|one| one.record).filter(|_| is_entry))
            .map(EntryId)
            .collect();
        let referred = imports::referred(tx, &entries)?;
        // Rows without an account are resolved by the mapping of the empty name.
        let nameless = self.mappings.get(&key_of(MappingKind::Account, "")).copied();
        let shown = self.shown.into_iter().map(|(mut shown, planned)| {
            let Some(planned) = planned else { return shown };
            let row = shown.outcome.as_ref().ok();
            let account = row.and_then(|row| row.named(MappingKind::Account));
            let mapping = account.and_then(|account| account.mapping.as_ref()).or(nameless);
            shown.problem = mapping.and_then(|mapping| mapping.problem.clone());
            shown.known = planned.record.and_then(|id| referred.get(&EntryId(id))).cloned();
            shown.verdict = Some(planned.verdict);
            shown.record = planned.record;
            shown
        });
        Ok(shown.collect())
    }

    /// Finds out why rows go nowhere, and how amounts in other currencies are converted.
    fn explain(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        if self.facts.is_empty() && self.record_facts.is_empty() {
            return Ok(());
        }
        let existing = imports::existing(tx)?;
        let Resolved { preparation, .. } = resolve(self.all_mappings, &existing);
        let names = Names::new(preparation, self.account);
        let mut destinations = Destinations::new(names, existing.destinations());
        for (shown, _) in &mut self.shown {
            if let Some(facts) = self.facts.get(&shown.row) {
                shown.explain(destinations.explain(tx, facts)?);
            } else if let Some(facts) = self.record_facts.get(&shown.row) {
                shown.explain(facts.explain(tx, &mut destinations)?);
            }
        }
        Ok(())
    }

    fn row(&self, visited: Visited<'_>) -> ShownRow {
        let name = |column: usize| match self.cell_names.get(column) {
            Some(name) => name.clone(),
            None => (column + 1).to_string(),
        };
        // Cells without a header are mostly blank, and then they are not shown.
        let is_shown = |(column, cell): &(usize, &str)| {
            *column < self.cell_names.len() || !cell.trim().is_empty()
        };
        let cells = (0..visited.cells.len()).map(|column| (column, visited.cells.raw(column)));
        let cells = cells.filter(is_shown).map(|(column, cell)| (name(column), cell.to_owned()));
        let cells = cells.collect();
        let corrected = self.source.edit(visited.row).into_iter().flat_map(|edit| &edit.cells);
        let corrected = corrected.map(|(column, text)| (name(*column), text.clone())).collect();
        let left_out = visited.left_out.map(|it| {
            let reason = it.reason(self.source.layout());
            match &visited.outcome {
                Err(errors) if it.states_no_reason() => format!("{reason}: {}", errors.join("; ")),
                _ => reason,
            }
        });
        let is_invalid = visited.outcome.as_ref().is_err_and(|errors| errors.len() == 1);
        let asked = asked_column(self.source.layout(), visited.row);
        ShownRow {
            left_out,
            asks_direction: is_invalid && asked.is_some() && !visited.is_left_out(),
            row: visited.row,
            line: visited.line,
            outcome: visited.outcome.map(|row| self.content(&row)),
            verdict: None,
            record: None,
            kind: self.source.kind(),
            kind_reason: None,
            known: None,
            problem: None,
            cells,
            corrected,
            choice: visited.choice,
        }
    }

    fn content(&self, row: &Row<'_>) -> Content {
        let named = |kind, name: &str| Named {
            name: name.to_owned(),
            mapping: self.mappings.get(&key_of(kind, name)).map(|mapping| (*mapping).clone()),
        };
        let Some(row) = row.transaction() else {
            let kind = match (row.trade_of_register(), row.side_record()) {
                (Some(_), _) => Kind::Trade,
                (_, Some(_)) => Kind::Native,
                _ => self.source.kind(),
            };
            let mut plain = PlainContent { kind, fields: Vec::new(), names: Vec::new() };
            row.fields(&mut |field, text| plain.fields.push((field, text.to_owned())));
            row.names(self.source.row_set(), &mut |kind, name, _| {
                plain.names.push((kind, named(kind, name)));
            });
            return Content::Plain(plain);
        };
        let account = row.account.filter(|_| self.account.is_none());
        Content::Transaction(Box::new(TransactionContent {
            date: row.date,
            amount: Money::new(row.amount, row.currency),
            name: row.name.to_owned(),
            notes: row.notes.map(str::to_owned),
            external_id: row.external_id.map(str::to_owned),
            account: account.map(|name| named(MappingKind::Account, name)),
            category: row.category.map(|name| named(MappingKind::Category, name)),
            tags: row.tags.iter().map(|name| named(MappingKind::Tag, name)).collect(),
        }))
    }
}

/// What names are matched by.
fn key_of(kind: MappingKind, name: &str) -> (MappingKind, String) {
    (kind, kind.key_fn()(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_follow_each_other_are_read_at_once() {
        assert_eq!(runs_of(&[]), []);
        assert_eq!(runs_of(&[3, 4, 5, 9, 11, 12]), [(3, 3), (9, 1), (11, 2)]);
    }
}
