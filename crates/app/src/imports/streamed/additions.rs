//! What rows add to the ledger: a transaction or a trade.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::import::mapping::MappingKind;
use purser_core::import::register::RowPart;
use purser_core::import::streamed::EntryRow;
use purser_core::import::trade::TradeRow;
use purser_core::import::trade::security::MeantSecurity;
use purser_core::import::transaction::Row;
use purser_core::plan::{Change, PartDraft, Target, TradeDraft, TradeTerms, TransactionDraft};
use purser_store::{FamilyTx, securities};

use super::destinations::Destination;
use super::publication::PlanExecutor;

impl PlanExecutor {
    /// Adds what a row becomes.
    pub(super) fn add(
        &mut self,
        tx: &mut FamilyTx<'_>,
        number: u64,
        entry: &EntryRow<'_, '_>,
    ) -> Result<EntryId> {
        let destination = self.destinations.of_added(tx, entry)?;
        let Destination { account, security } = destination
            .ok_or_else(|| Error::internal(format!("nobody decided where row {number} goes")))?;
        let account = self.create(tx, account)?;
        match entry {
            EntryRow::Transaction(row) => self.add_transaction(tx, number, row, account),
            EntryRow::Trade(row) => {
                let security = security.ok_or_else(|| Error::internal("a trade of nothing"))?;
                self.add_trade(tx, row, account, &security)
            }
        }
    }

    fn add_trade(
        &mut self,
        tx: &mut FamilyTx<'_>,
        row: &TradeRow<'_>,
        account: Target,
        security: &MeantSecurity,
    ) -> Result<EntryId> {
        let security = match security.id {
            Some(id) => id,
            None => {
                let (executor, text) = (&mut self.executor, row.security);
                let id = securities::ensure(tx, executor, security, text.name)?;
                self.destinations.take_id(text, id);
                id
            }
        };
        let draft = TradeDraft {
            account,
            security,
            to: None,
            terms: TradeTerms {
                date: row.date,
                trade_type: row.terms.trade_type,
                currency: row.currency,
                rate: row.rate,
                price: row.terms.price,
                fee: row.terms.fee,
                effect: row.effect,
                split: row.split,
                name: row.name,
                notes: row.notes,
            },
            // Ids in brokers' files are not unique: no source stands behind them.
            source: None,
            external_id: row.external_id,
        };
        Ok(self.executor.apply(tx, &Change::AddTrade(draft))?.entry)
    }

    fn add_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        number: u64,
        row: &Row<'_>,
        account: Target,
    ) -> Result<EntryId> {
        let evaluation = self.rules.evaluation(&mut self.destinations.names, number, row)?;
        let category = row.category.map(|name| self.named(tx, MappingKind::Category, name));
        let category = category.transpose()?;
        self.name_tags(tx, row)?;
        let mut parts = self.parts(tx, row)?;
        let draft = TransactionDraft {
            account,
            date: row.date,
            amount: row.amount,
            currency: row.currency,
            rate: row.rate,
            name: row.name,
            source_name: None,
            notes: row.notes,
            category,
            merchant: None,
            tags: &self.tags,
            excluded: false,
            // Ids in banks' files are not unique: no source stands behind them.
            source: None,
            external_id: row.external_id,
        };
        let Some(evaluation) = evaluation else {
            return Ok(self.executor.apply(tx, &addition(draft, &parts))?.entry);
        };
        let tags: Vec<Target> =
            self.tags.iter().copied().chain(evaluation.tags().map(Target::Existing)).collect();
        let ruled = TransactionDraft {
            name: evaluation.name().unwrap_or(row.name),
            source_name: evaluation.name().map(|_| row.name),
            category: evaluation.category().map(Target::Existing).or(category),
            merchant: evaluation.merchant().map(Target::Existing),
            tags: &tags,
            excluded: evaluation.excludes(),
            ..draft
        };
        let ruled_category = evaluation.category().map(Target::Existing);
        parts.iter_mut().for_each(|part| part.category = part.category.or(ruled_category));
        Ok(self.executor.apply(tx, &addition(ruled, &parts))?.entry)
    }

    /// The parts of a row that is a split transaction.
    fn parts<'r>(&mut self, tx: &mut FamilyTx<'_>, row: &Row<'r>) -> Result<Vec<PartDraft<'r>>> {
        let of_part = |part: RowPart<'r>| {
            let category = part.category.map(|name| self.named(tx, MappingKind::Category, name));
            let category = category.transpose()?;
            let tag = part.tag.map(|name| self.named(tx, MappingKind::Tag, name)).transpose()?;
            let RowPart { amount, notes, .. } = part;
            Ok(PartDraft { amount, category, notes, tag })
        };
        row.parts.iter().map(of_part).collect()
    }
}

/// The change that adds a transaction, whole or with its parts. What is split has its categories in
/// the parts.
fn addition<'a>(draft: TransactionDraft<'a>, parts: &'a [PartDraft<'a>]) -> Change<'a> {
    if parts.is_empty() {
        return Change::AddTransaction(draft);
    }
    Change::AddSplit { whole: TransactionDraft { category: None, ..draft }, parts }
}
