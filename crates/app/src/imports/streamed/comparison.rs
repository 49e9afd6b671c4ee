//! Comparing rows of a file with the entries of accounts that exist, in chunks, so that memory
//! doesn't grow with the file.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::import::transaction::duplicates::{
    Aspect, CHUNK_ROWS, Chunk, EntryKey, Finding, Matcher, RowKey, content_key, external_key,
    trade_key,
};
use purser_core::import::verdict::Verdict;
use purser_core::money::Currency;
use purser_store::FamilyTx;
use purser_store::imports::{self, Candidate, Comparable, Plan, Planned};
use purser_store::ledger::entries_of_records;
use uuid::Uuid;

/// A row as far as it is compared.
pub(in crate::imports) struct ComparedRow<'r> {
    /// 1-based over the rows.
    pub(in crate::imports) row: u64,
    /// The day of the entry.
    pub(in crate::imports) date: Date,
    /// The amount in the scale of its currency.
    pub(in crate::imports) amount: i64,
    /// The currency of the amount.
    pub(in crate::imports) currency: Currency,
    /// What it is compared by besides account, day and amount.
    pub(in crate::imports) content: u64,
    /// The id that its source gave it.
    pub(in crate::imports) external_id: Option<&'r str>,
    /// The hash of the record that it was read from.
    pub(in crate::imports) record: Option<NonZeroU64>,
}

/// Rows that are compared, until it is decided what they stand for.
pub(in crate::imports) struct Comparison {
    comparable: Comparable,
    accounts: Vec<AccountId>,
    numbers: HashMap<Uuid, u32>,
    /// The account that was looked up last.
    last: Option<(Uuid, u32)>,
    /// Rows that may stand for entries, of the chunk that is being collected.
    keys: Vec<RowKey>,
    ids: BankIds,
    matcher: Matcher,
    /// Rows that resemble an entry, until the end shows whether another row has taken it.
    flags: Vec<Finding>,
    /// What rows come to of which nothing is created, by the number of the account.
    not_created: HashMap<(u32, Date), i128>,
}

/// The ids of the bank that the rows of a chunk have, in one text.
#[derive(Default)]
struct BankIds {
    text: String,
    /// The account, and where the id ends.
    ends: Vec<(u32, usize)>,
}

impl BankIds {
    fn push(&mut self, account: u32, id: &str) {
        self.text.push_str(id);
        self.ends.push((account, self.text.len()));
    }

    /// The ids by account, each once.
    fn by_account(&self) -> HashMap<u32, Vec<&str>> {
        let mut by_account: HashMap<u32, Vec<&str>> = HashMap::new();
        let mut start = 0;
        for (account, end) in &self.ends {
            let id = self.text.get(start..*end).unwrap_or_default();
            by_account.entry(*account).or_default().push(id);
            start = *end;
        }
        for ids in by_account.values_mut() {
            ids.sort_unstable();
            ids.dedup();
        }
        by_account
    }
}

impl Comparison {
    /// Nothing is compared yet.
    pub(in crate::imports) fn new(comparable: Comparable) -> Self {
        Self {
            comparable,
            accounts: Vec::new(),
            numbers: HashMap::new(),
            last: None,
            keys: Vec::new(),
            ids: BankIds::default(),
            matcher: Matcher::new(),
            flags: Vec::new(),
            not_created: HashMap::new(),
        }
    }

    /// Takes a row that may stand for an entry of an account; the plan has it as created so far.
    pub(in crate::imports) fn push(
        &mut self,
        tx: &mut FamilyTx<'_>,
        plan: &mut Plan,
        account: Uuid,
        row: &ComparedRow<'_>,
    ) -> Result<()> {
        let account = self.number_of(account)?;
        let external = row.external_id.map(|id| {
            self.ids.push(account, id);
            external_key(id)
        });
        self.keys.push(RowKey {
            row: u32::try_from(row.row).map_err(Error::internal)?,
            account,
            date: row.date,
            amount: row.amount,
            currency: row.currency,
            content: row.content,
            external,
            record: row.record,
        });
        if self.keys.len() == CHUNK_ROWS { self.decide(tx, plan) } else { Ok(()) }
    }

    fn number_of(&mut self, account: Uuid) -> Result<u32> {
        if let Some((last, number)) = self.last
            && last == account
        {
            return Ok(number);
        }
        let number = match self.numbers.entry(account) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let number = u32::try_from(self.accounts.len()).map_err(Error::internal)?;
                self.accounts.push(AccountId(account));
                *new.insert(number)
            }
        };
        self.last = Some((account, number));
        Ok(number)
    }

    /// Decides on the rows that were collected.
    fn decide(&mut self, tx: &mut FamilyTx<'_>, plan: &mut Plan) -> Result<()> {
        if self.keys.is_empty() {
            return Ok(());
        }
        let chunk = Chunk::new(std::mem::take(&mut self.keys));
        let ids = std::mem::take(&mut self.ids);
        let known = self.known(tx, &chunk, &ids)?;
        for finding in self.matcher.decide(&chunk, known) {
            let Finding { row, verdict, entry, account, date, amount } = finding;
            plan.set(row.into(), Planned { verdict, record: Some(entry.0) })?;
            if verdict == Verdict::PossibleDuplicate {
                self.flags.push(finding);
            }
            if !verdict.creates() {
                *self.not_created.entry((account, date)).or_default() += i128::from(amount);
            }
        }
        Ok(())
    }

    /// What the ledger knows that rows of a chunk may stand for or resemble.
    fn known(&self, tx: &mut FamilyTx<'_>, chunk: &Chunk, ids: &BankIds) -> Result<Vec<EntryKey>> {
        let records = Records(entries_of_records(tx, &mut |record| chunk.wants_record(record))?);
        let mut known = Vec::new();
        for window in chunk.windows() {
            let number = window.account;
            let mut wants = |date, amount| chunk.wants(number, date, amount);
            let mut take = |candidate: Candidate| {
                known.push(known_of(&candidate, number, &records));
                Ok(())
            };
            let account = self.account(number)?;
            let (from, to) = (window.from, window.to);
            let comparable = self.comparable;
            imports::candidates(tx, account, comparable, from, to, &mut wants, &mut take)?;
        }
        for (number, ids) in ids.by_account() {
            let mut take = |candidate: Candidate| {
                known.push(known_of(&candidate, number, &records));
                Ok(())
            };
            let account = self.account(number)?;
            imports::candidates_by_id(tx, account, self.comparable, &ids, &mut take)?;
        }
        // Only those that were read otherwise are elsewhere.
        let beside = records.beside(&known);
        let mut take = |candidate: Candidate| {
            if let Some(number) = self.numbers.get(&candidate.account.0) {
                known.push(known_of(&candidate, *number, &records));
            }
            Ok(())
        };
        imports::candidates_of(tx, &beside, &mut take)?;
        Ok(known)
    }

    fn account(&self, number: u32) -> Result<AccountId> {
        let index = usize::try_from(number).map_err(Error::internal)?;
        let account = self.accounts.get(index).copied();
        account.ok_or_else(|| Error::internal("a row is in an account that it doesn't name"))
    }

    /// Decides on the last rows. Returns what the compared rows come to, by account and day, of
    /// which nothing is created.
    pub(in crate::imports) fn finish(
        mut self,
        tx: &mut FamilyTx<'_>,
        plan: &mut Plan,
    ) -> Result<Vec<(Uuid, Date, i128)>> {
        self.decide(tx, plan)?;
        for flag in &self.flags {
            if !self.matcher.stands(flag) {
                let created = Planned { verdict: Verdict::Create, record: None };
                plan.set(flag.row.into(), created)?;
            }
        }
        let sums = self.not_created.iter();
        sums.map(|((number, day), amount)| Ok((self.account(*number)?.0, *day, *amount))).collect()
    }
}

/// The entries that were made of, or matched with, records of the rows of a chunk; sorted.
struct Records(Vec<(EntryId, NonZeroU64)>);

impl Records {
    /// The record of an entry.
    fn of(&self, entry: EntryId) -> Option<NonZeroU64> {
        let first = self.0.partition_point(|(one, _)| *one < entry);
        self.0.get(first).filter(|(one, _)| *one == entry).map(|(_, record)| *record)
    }

    /// Their entries, but for those with an origin that is known.
    fn beside(&self, known: &[EntryKey]) -> Vec<EntryId> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let origins = known.iter().filter(|known| known.aspect != Aspect::Current);
        let origins: HashSet<EntryId> = origins.map(|known| known.entry).collect();
        let entries = self.0.iter().map(|(entry, _)| *entry);
        entries.filter(|entry| !origins.contains(entry)).collect()
    }
}

fn known_of(candidate: &Candidate, account: u32, records: &Records) -> EntryKey {
    EntryKey {
        entry: candidate.entry,
        aspect: candidate.aspect,
        account,
        date: candidate.date,
        amount: candidate.amount,
        currency: candidate.currency,
        content: match candidate.is_trade {
            true => trade_key(candidate.currency, &candidate.name),
            false => content_key(candidate.currency, &candidate.name),
        },
        external: candidate.external_id.as_deref().map(external_key),
        record: records.of(candidate.entry),
    }
}
