//! What people do meanwhile.

use std::collections::HashSet;

use jiff::ToSpan;
use purser_bank_simulator::histories::{Deed, Line, count};
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::import::import_type::ImportType;
use purser_core::import::settings::{Settings, Signage};
use purser_core::ledger::input::AmountText;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::sync::KnownState;
use purser_store::{FamilyTx, Secret};

use super::life::{ChangedBefore, Life, Link};
use super::verdict;
use crate::imports::local::Local;
use crate::imports::publish::Queued;
use crate::imports::request::Request;
use crate::imports::stated_directions::StatedDirections;
use crate::sync::{self, Doubt, duplicates};
use crate::transactions::{self, Listing, Transaction};

/// Transactions of an account, at most.
const ENTRIES_MAX: i64 = 1_000;

impl Life<'_> {
    /// A person does something with one of the transactions.
    pub(super) async fn meddle(&mut self, deed: Deed, which: usize) -> Result<()> {
        let all = self.entries().await?;
        let Some(one) = all.get(which % all.len().max(1)) else { return Ok(()) };
        self.change(deed, one).await
    }

    /// A person does something with one of the transactions that no sync knows.
    pub(super) async fn meddle_before(&mut self, deed: Deed, which: usize) -> Result<()> {
        let (mut all, known) = (self.entries().await?, self.known_entries().await?);
        all.retain(|one| !known.contains(&one.id));
        let Some(one) = all.get(which % all.len().max(1)) else { return Ok(()) };
        self.change(deed, one).await
    }

    async fn change(&mut self, deed: Deed, one: &Transaction) -> Result<()> {
        let entry = one.id;
        let is_double = deed == Deed::Delete && self.is_double(entry).await?;
        let is_known = self.known_entries().await?.contains(&entry);
        let mut others = self.links.iter().filter(|link| link.account != one.account.id);
        let other = others.next().map(|link| link.account);
        if deed == Deed::Move && other.is_none() {
            return Ok(());
        }
        let done = self.write(move |tx| act(tx, deed, entry, other)).await;
        if allowed(done)?.is_some() {
            let is_first = self.touched.insert(entry);
            self.doubles.extend(is_double.then_some(entry));
            if is_first && !is_known {
                let (account, line) = (one.account.id, verdict::line_of_entry(one));
                self.changed_before.push(ChangedBefore { entry, account, line });
            }
        }
        Ok(())
    }

    /// The transactions of the linked accounts.
    async fn entries(&self) -> Result<Vec<Transaction>> {
        let accounts = Some(self.links.iter().map(|link| link.account).collect());
        let listing = Listing { accounts, ..Listing::default() };
        let list = move |tx: &mut FamilyTx<'_>| transactions::list(tx, &listing, ENTRIES_MAX, 0);
        Ok(self.read(list).await?.0)
    }

    /// The entries that a row of a bank stands for.
    async fn known_entries(&self) -> Result<HashSet<EntryId>> {
        let mut entries = HashSet::new();
        for link in &self.links {
            entries.extend(self.known(*link).await?.iter().map(|one| one.entry));
        }
        Ok(entries)
    }

    /// Notes what a person is asked about.
    pub(super) async fn note_questions(&mut self) -> Result<()> {
        let pairs = self.read(|tx| duplicates::list(tx, None)).await?;
        self.asked.extend(pairs.iter().map(|pair| pair.other.id));
        Ok(())
    }

    /// Whether a transaction is known more often than the bank has it.
    async fn is_double(&self, entry: EntryId) -> Result<bool> {
        let world = self.history.truth(&self.stage.simulator.world());
        for link in &self.links {
            let known = self.known(*link).await?;
            let Some(one) = known.iter().find(|one| one.entry == entry) else { continue };
            let lines: Vec<Line> = known.iter().map(|one| one.line.line.clone()).collect();
            let at_bank = self.history.lines(&world, link.at_bank, true);
            let number = |lines| count(lines).get(&one.line.line).copied().unwrap_or(0);
            return Ok(number(&lines) > number(&at_bank));
        }
        Ok(false)
    }

    /// A person imports the bank's own file of the last days.
    pub(super) async fn import(&mut self, days: i64) -> Result<()> {
        let world = self.stage.simulator.world();
        for Link { at_bank, account, .. } in self.links.clone() {
            let first = world.today.saturating_sub(days.days());
            let mut lines = self.history.lines(&world, at_bank, false);
            lines.retain(|line| line.date >= first);
            if lines.is_empty() {
                continue;
            }
            let file = csv(&lines);
            let request = Request {
                import_type: ImportType::Transaction,
                account: Some(account),
                publish: true,
                skip_invalid: false,
                settings: Settings {
                    signage: Some(Signage::InflowsPositive),
                    ..Settings::default()
                },
                directions: StatedDirections::new(),
                use_template: true,
                password: Secret::new(""),
            };
            let (app, access) = (self.app.clone(), self.access.clone());
            let import = move || -> Result<()> {
                let local = Local { store: &app.store, files: &app.files, access };
                let bytes_max = app.imports.max_csv_bytes;
                let upload = local.read(request, &mut file.as_bytes(), None, bytes_max)?;
                let preview =
                    local.store.read_blocking(local.access.clone(), |tx| upload.preview(tx))?;
                if preview.obstacle.is_some() {
                    // Rows that may be there already are for a person, who leaves it.
                    upload.discard();
                    return Ok(());
                }
                let id = local.store(&upload)?.import.id;
                if let Queued::Yes(_) = local.queue(id)? {
                    local.run(id, &|| Ok(false), &|_| {})?;
                }
                Ok(())
            };
            tokio::task::spawn_blocking(import).await.map_err(Error::internal)??;
        }
        Ok(())
    }

    /// A person undoes the newest run.
    pub(super) async fn undo(&mut self) -> Result<()> {
        let Some(newest) = self.runs.pop() else { return Ok(()) };
        let undone = self.write(move |tx| sync::revert::revert(tx, newest, None).map(drop)).await;
        allowed(undone).map(drop)
    }

    /// A person looks at the bank and decides on each pair. A pending transaction may be merged
    /// with what it resembles or not: it goes or comes again by itself.
    pub(super) async fn decide(&mut self) -> Result<()> {
        let world = self.history.truth(&self.stage.simulator.world());
        for link in self.links.clone() {
            let at_bank = self.history.lines(&world, link.at_bank, true);
            loop {
                let mut known = self.known(link).await?;
                known.retain(|one| !self.doubles.contains(&one.entry));
                let pairs = self.read(move |tx| duplicates::list(tx, Some(link.account))).await?;
                let Some(pair) = pairs.into_iter().next() else { break };
                let entry = known.iter().find(|one| one.entry == pair.entry.id);
                let lines: Vec<Line> = known.iter().map(|one| one.line.line.clone()).collect();
                let is_too_often = entry.is_some_and(|entry| {
                    let line = &entry.line.line;
                    let number = |lines| count(lines).get(line).copied().unwrap_or(0);
                    number(&lines) > number(&at_bank)
                });
                let is_pending = entry.is_some_and(|entry| {
                    entry.line.line.pending && entry.state == KnownState::Untouched
                });
                // Whoever moved it may mean the row of this bank, or not.
                let may_be_either = is_pending || pair.doubt == Doubt::Moved;
                let by_chance = pair.id.0.as_u128().is_multiple_of(2);
                let decided = self
                    .write(move |tx| match is_too_often || (may_be_either && by_chance) {
                        true => duplicates::merge(tx, pair.id).map(drop),
                        false => duplicates::dismiss(tx, pair.id),
                    })
                    .await;
                if allowed(decided)?.is_none() {
                    self.write(move |tx| duplicates::dismiss(tx, pair.id)).await?;
                }
            }
        }
        Ok(())
    }
}

fn act(tx: &mut FamilyTx<'_>, deed: Deed, entry: EntryId, other: Option<AccountId>) -> Result<()> {
    let mut values = TransactionValues::default();
    match deed {
        Deed::Delete => return transactions::remove(tx, entry),
        Deed::Rename => values.name = Some(Some("Mine".to_owned())),
        Deed::Note => values.notes = Some(Some("Mine".to_owned())),
        Deed::Move => values.account = other.map(|account| account.0.to_string()),
        Deed::Amount => values.amount = Some(AmountText::Text("12.34".to_owned())),
    }
    transactions::revise(tx, entry, &values).map(drop)
}

/// Whoever may not do something leaves it.
fn allowed<T>(done: Result<T>) -> Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(Error::Conflict { .. } | Error::Invalid { .. } | Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The lines as a file of the bank.
fn csv(lines: &[Line]) -> String {
    let rows = lines.iter().map(|Line { date, amount, name, .. }| {
        let sign = if *amount < 0 { "-" } else { "" };
        let cents = amount.unsigned_abs();
        format!("{date},{sign}{}.{:02},{name}\n", cents / 100, cents % 100)
    });
    format!("date,amount,name\n{}", rows.collect::<String>())
}
