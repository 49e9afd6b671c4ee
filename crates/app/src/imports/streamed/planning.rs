//! The plan of a file of which each row becomes an entry.
//!
//! What goes into an account that exists is compared with the account's entries, in chunks, so that
//! memory doesn't grow with the file.

use purser_core::error::{Error, Result};
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Layout;
use purser_core::import::mapping::{MappingKind, Preparation};
use purser_core::import::planned_flow::FlowSums;
use purser_core::import::row_edit::RowChoice;
use purser_core::import::streamed::EntryRow;
use purser_core::import::trade::fingerprint::TradeContent;
use purser_core::import::trade::security::MeantSecurity;
use purser_core::import::transaction::duplicates::record::RecordHasher;
use purser_core::import::transaction::duplicates::{content_key, trade_key};
use purser_core::import::verdict::Verdict;
use purser_core::plan::Target;
use purser_formats::records::Visited;
use purser_store::FamilyTx;
use purser_store::imports::{self, Comparable, Mapping, Plan};
use uuid::Uuid;

use super::comparison::{ComparedRow, Comparison};
use super::corrections::{Corrections, is_correction};
use super::destinations::{Destination, Destinations};
use super::side_records::SideRecords;
use super::{entry_of, notes_records};
use crate::imports::built_plan::Subject;
use crate::imports::names::Names;

/// The verdict on every row.
pub(in crate::imports) fn plan(
    tx: &mut FamilyTx<'_>,
    subject: &Subject<'_>,
    preparation: Preparation,
    mut plan: Plan,
) -> Result<Plan> {
    // Which security is meant may need a choice, and the family may have a budget.
    let layout = subject.source.layout();
    let has_others = layout.has_records || !layout.portfolios.is_empty();
    if let Some(not_taken) = subject.not_taken
        && creates_every_account(subject, &preparation)
        && !has_others
    {
        // Nothing to compare with, and what becomes nothing is known: there is no need to look at
        // the rows.
        let mut not_taken = not_taken.iter().peekable();
        for row in 1..=subject.rows_in_file {
            let other = not_taken.next_if(|(number, _)| *number == row);
            plan.push(other.map_or(Verdict::Create, |(_, verdict)| *verdict));
        }
        if not_taken.next().is_some() {
            return Err(Error::internal("a row that becomes nothing is not among the rows"));
        }
        return Ok(plan.with_flows(Some(Vec::new())));
    }
    let names = Names::new(preparation, subject.account);
    let accounts = imports::existing(tx)?.destinations();
    let destinations = Destinations::new(names, accounts);
    let mut planner = Planner::new(plan, destinations, (subject.source.kind(), layout));
    subject.source.visit_all(|row| planner.row(tx, &row))?;
    planner.finish(tx)
}

/// Whether no row goes into an account that exists or that nobody knows.
fn creates_every_account(subject: &Subject<'_>, preparation: &Preparation) -> bool {
    let of_accounts = |one: &&Mapping| one.kind == MappingKind::Account;
    let mut accounts = subject.mappings.iter().filter(of_accounts).peekable();
    let is_created = |mapping: &Mapping| {
        let target = preparation.target(mapping.kind, &mapping.value);
        matches!(target, Some(Target::Created(_)))
    };
    subject.account.is_none() && accounts.peek().is_some() && accounts.all(is_created)
}

/// A pass over the rows.
struct Planner<'l> {
    plan: Plan,
    layout: &'l Layout,
    destinations: Destinations,
    /// Whether rows that are transactions are recognised by their records, too.
    notes_records: bool,
    side_records: SideRecords,
    hasher: RecordHasher,
    comparison: Comparison,
    /// What rows come to that are added to accounts that exist.
    flows: FlowSums,
    corrections: Corrections,
}

impl<'l> Planner<'l> {
    fn new(plan: Plan, destinations: Destinations, (kind, layout): (Kind, &'l Layout)) -> Self {
        let comparison = Comparison::new(match kind {
            Kind::Trade | Kind::Qif => Comparable::Trades,
            _ => Comparable::Transactions,
        });
        let (hasher, notes_records) = (RecordHasher::default(), notes_records(kind));
        let side_records = SideRecords::of(kind);
        let flows = FlowSums::default();
        let corrections = Corrections::default();
        Self {
            plan,
            layout,
            destinations,
            notes_records,
            side_records,
            hasher,
            comparison,
            flows,
            corrections,
        }
    }

    fn row(&mut self, tx: &mut FamilyTx<'_>, visited: &Visited<'_>) -> Result<()> {
        let verdict = match (&visited.outcome, visited.choice) {
            _ if visited.is_left_out() => Verdict::LeftOut,
            (Err(_), _) => Verdict::Invalid,
            (Ok(row), _) if let Some(record) = row.side_record() => {
                self.side_records.verdict(tx, &mut self.destinations, record)?
            }
            (Ok(row), choice) => {
                let entry = entry_of(row)?;
                match self.destinations.of(tx, &entry)? {
                    None => Verdict::NeedsChoice,
                    Some(Destination { account: Target::Existing(account), security })
                        if choice == RowChoice::Plan =>
                    {
                        let content = content_of(&entry, security.as_ref());
                        return self.compare(tx, visited, &entry, account, content);
                    }
                    Some(Destination { account, .. }) => {
                        self.add(account, &entry);
                        Verdict::Create
                    }
                }
            }
        };
        self.plan.push(verdict);
        Ok(())
    }

    /// Counts a row that is added to an account, as far as is known.
    fn add(&mut self, account: Target, entry: &EntryRow<'_, '_>) {
        if let Target::Existing(id) = account {
            let money = entry.money();
            let its = self.destinations.account(account);
            let is_in_its_currency = its.is_some_and(|its| its.currency == money.currency);
            self.flows.add(id, money.date, money.amount, is_in_its_currency);
        }
    }

    /// A row that may stand for an entry of an account.
    fn compare(
        &mut self,
        tx: &mut FamilyTx<'_>,
        visited: &Visited<'_>,
        entry: &EntryRow<'_, '_>,
        account: Uuid,
        content: u64,
    ) -> Result<()> {
        self.plan.push(Verdict::Create);
        self.add(Target::Existing(account), entry);
        let money = entry.money();
        if is_correction(self.layout, visited) {
            self.corrections.push(account, visited.row, (money.date, money.amount));
        }
        let row = ComparedRow {
            row: visited.row,
            date: money.date,
            amount: money.amount,
            currency: money.currency,
            content,
            external_id: money.external_id,
            record: (self.notes_records && matches!(entry, EntryRow::Transaction(_)))
                .then(|| self.hasher.hash(visited.cells)),
        };
        self.comparison.push(tx, &mut self.plan, account, &row)
    }

    fn finish(mut self, tx: &mut FamilyTx<'_>) -> Result<Plan> {
        for (account, day, amount) in self.comparison.finish(tx, &mut self.plan)? {
            self.flows.take_off(account, day, amount);
        }
        let (layout, destinations) = (self.layout, &mut self.destinations);
        for (account, day, amount) in
            self.corrections.leave_out(tx, layout, destinations, &mut self.plan)?
        {
            self.flows.take_off(account, day, amount);
        }
        Ok(self.plan.with_flows(self.flows.finish()))
    }
}

/// What a row is compared by, besides its account, day and amount.
fn content_of(entry: &EntryRow<'_, '_>, security: Option<&MeantSecurity>) -> u64 {
    match (entry, security) {
        (EntryRow::Transaction(row), _) => content_key(row.currency, row.name),
        (EntryRow::Trade(row), Some(security)) => {
            let content = TradeContent {
                trade_type: row.terms.trade_type,
                listing: &security.listing,
                quantity: row.terms.quantity,
                price: row.terms.price,
                fee: row.terms.fee,
                split: row.split,
            };
            trade_key(row.currency, &content.text())
        }
        (EntryRow::Trade(row), None) => trade_key(row.currency, ""),
    }
}
