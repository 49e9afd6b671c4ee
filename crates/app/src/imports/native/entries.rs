//! Entries of the file as the executor adds them.

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::import::native::{
    EntryFacts, Labels, Part, RecordType, SourceId, Trade, Transaction,
};
use purser_core::ledger::new_trade::Split;
use purser_core::plan::{Target, TradeDraft, TradeTerms, TransactionDraft};
use purser_store::FamilyTx;
use purser_store::ledger::{
    Executor, RestoredOrigin, RestoredPart, RestoredTrade, RestoredTransaction,
};
use uuid::Uuid;

use super::collected::{Collected, Ids};

/// What the ids of the file stand for, once everything but entries is there.
pub(super) struct Pointers<'a> {
    pub(super) collected: &'a Collected,
    pub(super) ids: &'a Ids,
}

impl Pointers<'_> {
    pub(super) fn find(&self, of: RecordType, id: &SourceId) -> Result<Uuid> {
        let missing = || Error::internal(format!("{id:?} of the file stands for nothing"));
        self.ids.get(of, id).ok_or_else(missing)
    }

    pub(super) fn account(&self, id: &SourceId) -> Result<AccountId> {
        self.find(RecordType::Account, id).map(AccountId)
    }

    /// A label that is missing where its record isn't taken.
    fn category(&self, labels: &Labels) -> Option<Uuid> {
        self.ids.get(RecordType::Category, labels.category.as_ref()?)
    }

    fn merchant(&self, labels: &Labels) -> Option<Uuid> {
        let id = self.collected.merchant_of(labels)?;
        self.ids.get(RecordType::Merchant, &id)
    }

    fn tags(&self, labels: &Labels) -> Vec<Target> {
        let mut tags = Vec::new();
        for id in labels.tags.iter().flatten() {
            let tag = self.ids.get(RecordType::Tag, id).map(Target::Existing);
            // Two records of the file may be one tag.
            if let Some(tag) = tag.filter(|tag| !tags.contains(tag)) {
                tags.push(tag);
            }
        }
        tags
    }

    /// How many labels a transaction and its parts have that are missing.
    pub(super) fn missing_labels(&self, one: &Transaction) -> u64 {
        let labels = std::iter::once(&one.labels).chain(one.parts.iter().map(|part| &part.labels));
        let missing = |of: &Labels| {
            let is_tag_missing = |id: &&SourceId| self.ids.get(RecordType::Tag, id).is_none();
            u64::from(of.category.is_some() && self.category(of).is_none())
                + u64::from(of.merchant.is_some() && self.merchant(of).is_none())
                + of.tags.iter().flatten().filter(is_tag_missing).count() as u64
        };
        labels.map(missing).sum()
    }

    fn origin<'r>(&self, facts: &'r EntryFacts) -> Result<RestoredOrigin<'r>> {
        Ok(RestoredOrigin {
            account: self.account(&facts.account)?,
            date: facts.date,
            amount: facts.amount,
            currency: facts.currency,
            name: &facts.name,
            source: facts.source.as_deref(),
            external_id: facts.external_id.as_deref(),
        })
    }

    /// Adds a transaction of the file with its parts.
    pub(super) fn add_transaction(
        &self,
        tx: &mut FamilyTx<'_>,
        executor: &mut Executor,
        one: &Transaction,
    ) -> Result<EntryId> {
        let (facts, labels) = (&one.facts, &one.labels);
        let account = self.account(&facts.account)?;
        let category = self.category(labels);
        let (merchant, tags) = (self.merchant(labels), self.tags(labels));
        let of_part = |part| self.part(part, one, merchant, &tags);
        let parts: Vec<RestoredPart<'_>> = one.parts.iter().map(of_part).collect();
        let draft = TransactionDraft {
            account: Target::Existing(account.0),
            date: facts.date,
            amount: facts.amount,
            currency: facts.currency,
            rate: one.rate,
            name: &facts.name,
            source_name: None,
            notes: labels.notes.as_deref(),
            category: category.map(Target::Existing),
            merchant: merchant.map(Target::Existing),
            tags: &tags,
            excluded: labels.excluded,
            source: facts.source.as_deref(),
            external_id: facts.external_id.as_deref(),
        };
        let origin = one.origin.as_ref().map(|origin| self.origin(origin)).transpose()?;
        let (pending, locks) = (one.pending, labels.locks);
        let restored = RestoredTransaction { draft, pending, locks, origin, parts: &parts };
        executor.restore_transaction(tx, &restored)
    }

    /// A part; a merchant and tags that it doesn't name are those of the whole.
    fn part<'r>(
        &self,
        part: &'r Part,
        whole: &'r Transaction,
        merchant: Option<Uuid>,
        tags: &[Target],
    ) -> RestoredPart<'r> {
        let labels = &part.labels;
        RestoredPart {
            amount: part.amount,
            name: part.name.as_deref().unwrap_or(&whole.facts.name),
            notes: labels.notes.as_deref(),
            category: self.category(labels),
            merchant: if labels.names_merchant { self.merchant(labels) } else { merchant },
            tags: if labels.tags.is_none() { tags.to_vec() } else { self.tags(labels) },
            excluded: labels.excluded,
            locks: labels.locks,
        }
    }

    /// The security of a record.
    pub(super) fn security(
        &self,
        name: &purser_core::import::native::SecurityName,
    ) -> Result<SecurityId> {
        self.find(RecordType::Security, &self.collected.security_of(name)).map(SecurityId)
    }

    /// Adds a trade. What it has beside its terms is written when all of them are there.
    pub(super) fn add_trade(
        &self,
        tx: &mut FamilyTx<'_>,
        executor: &mut Executor,
        one: &Trade,
    ) -> Result<RestoredTrade> {
        let facts = &one.facts;
        let security = self.security(&one.security)?;
        let beyond = || Error::invalid("The amount of a trade is out of range");
        let effect = one.effect().ok_or_else(beyond)?;
        let split = one.split.and_then(|(to, from)| {
            Some(Split { to: u32::try_from(to).ok()?, from: u32::try_from(from).ok()? })
        });
        let terms = TradeTerms {
            date: facts.date,
            trade_type: one.trade_type,
            currency: facts.currency,
            rate: one.rate,
            price: one.price,
            fee: one.fee,
            effect,
            split,
            name: &facts.name,
            notes: one.notes.as_deref(),
        };
        let draft = TradeDraft {
            account: Target::Existing(self.account(&facts.account)?.0),
            security,
            to: None,
            terms,
            source: facts.source.as_deref(),
            external_id: facts.external_id.as_deref(),
        };
        Ok(RestoredTrade {
            entry: executor.restore_trade(tx, draft)?,
            security,
            date: facts.date,
            counterpart: None,
            lots: one.lots.clone(),
            recorded_at: one.recorded_at,
        })
    }
}
