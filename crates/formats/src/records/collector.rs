//! What is collected of the rows of a file, one after the other.

use std::collections::BTreeMap;

use purser_core::import::dispatch::Row;
use purser_core::import::kind::RowSet;
use purser_core::import::layout::{Layout, LongerRows};
use purser_core::import::left_out::{AnchorKind, Cause, LeftOut, LeftOutCounter};
use purser_core::import::mapping::MappingKind;
use purser_core::import::register::{SideRecord, StatedAccountType, StatedOpenings};
use purser_core::import::row_edit::RowChoice;
use purser_core::import::transaction::balance::follow::Follow;
use purser_core::import::transaction::look_alikes::LookAlikes;
use purser_core::import::transaction::stated::RowsSum;
use purser_core::import::transaction::totals::Totals;
use purser_core::limits::{IMPORT_FINDINGS_MAX, IMPORT_MAPPINGS_MAX};
use purser_core::money::Currency;
use purser_core::text::label::name_key;

use super::analyse::RowFinding;
use super::names::Names;
use super::visit::Visited;
use crate::csv::IndexBuilder;
use crate::csv::index::TooLarge;

/// Rows that are left out of which the numbers are kept.
const LEFT_OUT_ROWS_MAX: usize = 1_000;

/// What is collected from row to row.
pub(super) struct Collector<'c> {
    /// How many columns the header has.
    pub(super) columns: usize,
    pub(super) longer: LongerRows,
    pub(super) row_set: Option<&'c RowSet>,
    pub(super) findings: Vec<RowFinding>,
    pub(super) valid: u64,
    pub(super) invalid: u64,
    pub(super) left_out: u64,
    /// The first rows that are left out.
    pub(super) left_out_rows: Vec<u64>,
    /// Rows that nobody left out, but the file.
    pub(super) reasons: LeftOutCounter,
    pub(super) names: Vec<(MappingKind, Names)>,
    pub(super) currencies: Vec<Currency>,
    pub(super) index: IndexBuilder,
    pub(super) edited: Vec<(u64, u64)>,
    /// Compares the balances, if the file has any.
    pub(super) balance: Option<Follow>,
    pub(super) totals: Totals,
    /// What the rows come to.
    pub(super) sum: RowsSum,
    /// Rows that may be totals.
    pub(super) look_alikes: LookAlikes,
    /// What accounts held before, if the file is a register.
    pub(super) openings: Option<StatedOpenings>,
    /// Accounts with trades in a register, by the keys of their names.
    pub(super) portfolios: BTreeMap<String, String>,
    /// What accounts of a register are.
    pub(super) account_types: Vec<StatedAccountType>,
    /// Valid rows of a register that are no entries.
    pub(super) records: u64,
    /// Parts of split transactions.
    pub(super) parts: u64,
}

impl<'c> Collector<'c> {
    pub(super) fn new(layout: &Layout, row_set: Option<&'c RowSet>) -> Self {
        Self {
            columns: layout.headers.len(),
            longer: LongerRows::default(),
            row_set,
            findings: Vec::new(),
            valid: 0,
            invalid: 0,
            left_out: 0,
            left_out_rows: Vec::new(),
            reasons: LeftOutCounter::default(),
            names: Vec::new(),
            currencies: Vec::new(),
            index: IndexBuilder::default(),
            edited: Vec::new(),
            balance: layout.balance.as_ref().map(Follow::new),
            totals: Totals::default(),
            sum: RowsSum::default(),
            look_alikes: LookAlikes::new(layout),
            openings: layout.columns.register.map(|_| StatedOpenings::default()),
            portfolios: BTreeMap::new(),
            account_types: Vec::new(),
            records: 0,
            parts: 0,
        }
    }

    pub(super) fn take(&mut self, visited: Visited<'_>) -> Result<(), TooLarge> {
        let is_left_out = visited.is_left_out();
        let (is_alike, left_out) = (visited.is_alike, visited.left_out);
        let Visited { row, line, offset, outcome, choice, cells, edited, link, .. } = visited;
        let place = (row, line);
        if let Some(balance) = &mut self.balance {
            match &link {
                // What the account held isn't a row of the chain.
                _ if left_out.is_some_and(|it| matches!(it.cause, Cause::Anchor(_))) => {}
                Some(link) if is_left_out => balance.row(row, line, link, RowChoice::LeaveOut),
                Some(link) => balance.row(row, line, link, choice),
                None if is_left_out => {}
                None => balance.unreadable_row(),
            }
        }
        self.index.push(row, offset, line)?;
        if edited {
            self.edited.push((row, offset));
        }
        match outcome {
            _ if is_left_out => {
                self.left_out += 1;
                if self.left_out_rows.len() < LEFT_OUT_ROWS_MAX {
                    self.left_out_rows.push(row);
                }
                if left_out.is_none_or(|it| it.cause == Cause::Filter) {
                    self.sum.miss();
                }
                left_out.iter().for_each(|row| self.reasons.add(row));
                if let (Ok(row), Some(left_out)) = (&outcome, &left_out) {
                    self.take_statement(row, left_out);
                }
            }
            Ok(row) => {
                self.valid += 1;
                if cells.has_text_from(self.columns) {
                    self.longer.add(line);
                }
                self.take_names(&row, |_| true);
                self.records += u64::from(row.side_record().is_some());
                if let Some(row) = row.transaction() {
                    self.parts += row.parts.len() as u64;
                    self.sum.add(row);
                    self.look_alikes.add(place, row, cells, is_alike);
                    self.totals.row(row);
                } else if let Some(row) = row.trade_of_register() {
                    self.totals.movement(row.account, row.currency, row.date, row.effect.cash);
                    self.take_portfolio(row.account.unwrap_or_default());
                }
            }
            Err(reasons) => {
                self.invalid += 1;
                if self.findings.len() < IMPORT_FINDINGS_MAX {
                    self.findings.push(RowFinding { row, line, reasons });
                }
            }
        }
        Ok(())
    }

    /// What a row states about an account: what it is, or what it held. An account that held
    /// something is one of the file, also if nothing else is in it.
    fn take_statement(&mut self, row: &Row<'_>, left_out: &LeftOut<'_>) {
        let is_opening = left_out.cause == Cause::Anchor(AnchorKind::Opening);
        if let Some(SideRecord::Listed(listed)) = row.side_record()
            && self.account_types.len() < IMPORT_MAPPINGS_MAX
        {
            self.account_types.extend(listed.stated_account_type());
        }
        let (Some(openings), Some(transaction)) = (&mut self.openings, row.transaction()) else {
            return;
        };
        if is_opening {
            openings.add(transaction);
            self.take_names(row, |kind| kind == MappingKind::Account);
        }
    }

    /// Accounts are as many as the names of the file at most.
    fn take_portfolio(&mut self, account: &str) {
        let is_last = |name: &String| name == account;
        if !account.is_empty() && !self.portfolios.values().next_back().is_some_and(is_last) {
            self.portfolios.entry(name_key(account)).or_insert_with(|| account.to_owned());
        }
    }

    fn take_names(&mut self, row: &Row<'_>, is_taken: impl Fn(MappingKind) -> bool) {
        let Self { names, row_set, .. } = self;
        row.names(*row_set, &mut |kind, name, currency| {
            if !is_taken(kind) {
                return;
            }
            let position = names.iter().position(|(its, _)| *its == kind);
            let position = position.unwrap_or_else(|| {
                names.push((kind, Names::new(kind.key_fn())));
                names.len() - 1
            });
            if let Some((_, names)) = names.get_mut(position) {
                names.add(name, currency);
            }
        });
        if let Some(currency) = row.currency()
            && !self.currencies.contains(&currency)
        {
            self.currencies.push(currency);
        }
    }

    pub(super) fn is_overflowing(&self) -> bool {
        self.names.iter().map(|(_, names)| names.count()).sum::<usize>() > IMPORT_MAPPINGS_MAX
            || self.balance.as_ref().is_some_and(Follow::is_overflowing)
    }
}
