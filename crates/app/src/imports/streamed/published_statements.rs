//! The bank statements of a file that is published: which rows are their lines, and what these
//! became.
//!
//! Files of statements state where each begins; tables with balances, and documents, are one
//! statement for each account.

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId, ImportId};
use purser_core::import::dispatch;
use purser_core::import::file_statement::{FilePosition, FileStatement};
use purser_core::import::import_type::ImportType;
use purser_core::import::kind::TargetAccount;
use purser_core::import::layout::Layout;
use purser_core::import::source_file::FileFormat;
use purser_core::import::streamed::RowMoney;
use purser_core::import::trade::security::SecurityText;
use purser_core::import::transaction::balance::{BalanceEnds, Sense};
use purser_core::money::decimal::read_quantity;
use purser_core::money::{Currency, decimal};
use purser_core::plan::Target;
use purser_store::FamilyTx;
use purser_store::bank_statements::{self, NewBankStatement, NewPosition};
use purser_store::ledger::Executor;
use purser_store::{imports, securities};
use uuid::Uuid;

use super::destinations::Destinations;
use super::entry_of;
use super::pass::Pass;
use super::publication::PlanExecutor;
use crate::imports::names::Names;

/// The first year of the ledger.
const FIRST_YEAR: i16 = 1900;

/// The bank statements of a file while its rows are executed.
#[derive(Debug, Default)]
pub(super) struct PublishedStatements {
    all: Vec<Published>,
    /// Rows belong to statements by their numbers; else by their accounts.
    is_by_row: bool,
    format: Option<FileFormat>,
    /// The statement of the row before.
    at: usize,
}

/// A bank statement, and what its lines became.
#[derive(Debug, Default)]
struct Published {
    stated: FileStatement,
    /// The balances that the rows prove, or that lines of a table state, and what they count.
    ends: Option<(BalanceEnds, Sense)>,
    /// The currency of its rows.
    currency: Option<Currency>,
    range: Option<(EntryId, EntryId)>,
    made: u64,
    missing: u64,
    matched: Vec<EntryId>,
    /// Its positions, once it is known of which securities.
    positions: Vec<NewPosition>,
}

/// Statements of which the accounts are known.
pub(super) struct Located {
    all: Vec<(AccountId, Published)>,
    is_by_row: bool,
    format: Option<FileFormat>,
}

impl PublishedStatements {
    /// Those of a file. `found` is what they state about themselves.
    pub(super) fn new(import_type: ImportType, layout: &Layout, found: Vec<FileStatement>) -> Self {
        use FileFormat::{Camt052, Camt053, Camt054, Mt940, Mt942, Ofx};
        let format = layout.file.format;
        match (import_type, format) {
            // Reports of a day are no statements: a statement of the same days follows.
            (_, Some(Camt052 | Camt054 | Mt942)) => Self::default(),
            (ImportType::Transaction | ImportType::Trade, Some(Camt053 | Mt940 | Ofx)) => {
                let published = |stated| Published { stated, ..Published::default() };
                let all = found.into_iter().map(published).collect();
                Self { all, is_by_row: true, format, at: 0 }
            }
            (ImportType::Transaction | ImportType::Pdf, _) => {
                let all = of_table(layout, &found);
                Self { all, is_by_row: false, format, at: 0 }
            }
            _ => Self::default(),
        }
    }

    /// Whether there are none, so that rows needn't be looked at.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A row that became an entry.
    pub(super) fn made(&mut self, row: u64, money: RowMoney<'_>, entry: EntryId) {
        if let Some(one) = self.of(row, money) {
            one.made += 1;
            one.range = Some((one.range.map_or(entry, |(first, _)| first), entry));
        }
    }

    /// A row that stands for an entry that was there.
    pub(super) fn matched(&mut self, row: u64, money: RowMoney<'_>, entry: EntryId) {
        if let Some(one) = self.of(row, money) {
            one.matched.push(entry);
        }
    }

    /// A row of which the entry was deleted by a person.
    pub(super) fn missing(&mut self, row: u64, money: RowMoney<'_>) {
        if let Some(one) = self.of(row, money) {
            one.missing += 1;
        }
    }

    /// A row that can't be read and is left out. In a table of several accounts nothing shows which
    /// one it is of.
    pub(super) fn unread(&mut self) {
        if let [only] = self.all.as_mut_slice() {
            only.missing += 1;
        }
    }

    fn of(&mut self, row: u64, money: RowMoney<'_>) -> Option<&mut Published> {
        let RowMoney { account, currency, .. } = money;
        let found = if self.is_by_row {
            // Rows come in their order, and so do statements.
            let rest = self.all.get(self.at..)?;
            let step = rest.iter().position(|one| one.stated.has_row(row))?;
            self.at += step;
            self.all.get_mut(self.at)?
        } else {
            let account = account.unwrap_or_default();
            let is_its = |one: &&mut Published| {
                let ends = one.ends.as_ref().map(|(ends, _)| ends);
                ends.is_some_and(|ends| ends.account == account && ends.currency == currency)
            };
            self.all.iter_mut().find(is_its)?
        };
        found.currency.get_or_insert(currency);
        Some(found)
    }

    /// Finds the accounts. A statement of an account that the file has no row for, and that nobody
    /// named, belongs to none; so do those of which the file has several for one account.
    pub(super) fn with_accounts(
        self,
        names: &mut Names,
        mut id_of: impl FnMut(Target) -> Result<Option<Uuid>>,
    ) -> Result<Located> {
        let Self { all, is_by_row, format, .. } = self;
        let mut located: Vec<(AccountId, Published)> = Vec::new();
        for one in all {
            let stated = one.stated.currency.as_deref().and_then(Currency::parse);
            let of_ends = one.ends.as_ref().map(|(ends, _)| ends.currency);
            let Some(currency) = stated.or(of_ends).or(one.currency) else { continue };
            let name = match &one.ends {
                Some((ends, _)) => ends.account.as_str(),
                None => one.stated.account.as_str(),
            };
            let name = Some(name).filter(|name| !name.is_empty());
            let Some(target) = names.account(name, currency) else { continue };
            if let Some(id) = id_of(target)? {
                located.push((AccountId(id), one));
            }
        }
        if !is_by_row {
            let accounts: Vec<AccountId> = located.iter().map(|(account, _)| *account).collect();
            let times = |wanted| accounts.iter().filter(|account| **account == wanted).count();
            located.retain(|(account, _)| times(*account) == 1);
        }
        Ok(Located { all: located, is_by_row, format })
    }
}

/// The statements of a table: of each account that it has a balance of. A document about one
/// account is one, whether it has balances or not.
fn of_table(layout: &Layout, found: &[FileStatement]) -> Vec<Published> {
    let (stated, sense) = layout.stated_ends().unwrap_or((&[], Sense::Money));
    let mut ends: Vec<_> = stated.iter().map(|ends| (ends.clone(), sense)).collect();
    ends.retain(|(ends, _)| ends.opening.is_some() || ends.closing.is_some());
    if let (true, [_], [only]) = (ends.is_empty(), found, layout.totals.as_slice()) {
        ends.push((BalanceEnds::without_balance(only), Sense::Money));
    }
    let published = |ends: (BalanceEnds, Sense)| {
        let is_its = |one: &&FileStatement| found.len() == 1 || one.account == ends.0.account;
        let stated = found.iter().find(is_its).cloned().unwrap_or_default();
        Published { stated, ends: Some(ends), ..Published::default() }
    };
    ends.into_iter().map(published).collect()
}

impl Located {
    /// Finds the securities of positions; those that nobody has yet are made.
    pub(super) fn name_securities(
        &mut self,
        tx: &mut FamilyTx<'_>,
        destinations: &mut Destinations,
        executor: &mut Executor,
    ) -> Result<()> {
        for (_, one) in &mut self.all {
            for FilePosition { ticker, isin, name, quantity } in &one.stated.positions {
                let (ticker, isin, name) = (ticker.as_deref(), isin.as_deref(), name.as_deref());
                let Some(quantity) = read_quantity(quantity) else {
                    // Without one of them nothing can be compared.
                    one.positions.clear();
                    break;
                };
                let text = SecurityText { ticker, mic: None, isin, name };
                let security = match destinations.security(tx, text)? {
                    Ok(meant) if text.is_well_formed() => {
                        Some(securities::ensure(tx, executor, &meant, name)?)
                    }
                    // A ticker on several markets, or what is none.
                    Ok(_) | Err(_) => None,
                };
                let name = ticker.or(isin).or(name).unwrap_or_default().to_owned();
                let isin = isin.map(str::to_owned);
                one.positions.push(NewPosition { security, name, isin, quantity });
            }
        }
        Ok(())
    }

    /// Keeps the statements beside the import.
    pub(super) fn store(self, tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
        let Self { all, is_by_row, format } = self;
        let mut accounts: HashMap<AccountId, TargetAccount> = HashMap::new();
        let mut new = Vec::with_capacity(all.len());
        for (account, one) in all {
            let target = match accounts.get(&account) {
                Some(target) => *target,
                None => {
                    let target = imports::target_account(tx, account)?;
                    accounts.insert(account, target);
                    target
                }
            };
            new.extend(one.into_new(account, target, (is_by_row, format)));
        }
        bank_statements::insert(tx, import, &new)
    }
}

/// An amount as a bank has written it, in the scale of a currency.
pub(in crate::imports) fn stated_amount(text: &str, currency: Currency) -> Option<i64> {
    // Zeros at the end are no decimals that the currency lacks.
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    };
    decimal::parse(text, currency.scale()).ok()
}

impl Published {
    /// As it is stored; nothing without any day, because nothing can be compared then.
    fn into_new(
        self,
        account: AccountId,
        target: TargetAccount,
        (is_by_row, format): (bool, Option<FileFormat>),
    ) -> Option<NewBankStatement> {
        let Self { stated, ends, range, made, missing, matched, positions, .. } = self;
        let present = made + matched.len() as u64;
        let (lines, missing) = match is_by_row {
            true => (stated.lines, stated.lines.saturating_sub(present)),
            false => (present + missing, missing),
        };
        let code = stated.currency.as_deref().and_then(Currency::parse);
        let of_rows = ends.as_ref().map(|(ends, _)| ends.currency);
        let currency = of_rows.or(code).unwrap_or(target.currency);
        let in_account = |amount, sense: Sense| sense.in_account(amount, target.classification);
        let money = |text: &Option<String>| {
            in_account(stated_amount(text.as_deref()?, currency)?, Sense::Money)
        };
        let (days, opening, closing) = match &ends {
            Some((ends, sense)) => {
                let first = stated.first_day.map_or(ends.first_day, |day| day.min(ends.first_day));
                let last = stated.last_day.map_or(ends.last_day, |day| day.max(ends.last_day));
                let of_account = |amount: Option<i64>| in_account(amount?, *sense);
                ((first, last), of_account(ends.opening), of_account(ends.closing))
            }
            None => {
                let days = stated.first_day.zip(stated.last_day)?;
                (days, money(&stated.opening), money(&stated.closing))
            }
        };
        let closing_day = stated.closing_day.unwrap_or(days.1);
        let is_known = |day: &Date| day.year() >= FIRST_YEAR;
        [days.0, days.1, closing_day].iter().all(is_known).then_some(())?;
        Some(NewBankStatement {
            account,
            format,
            kind: stated.kind,
            bank: stated.bank,
            holder: stated.holder,
            last_four: stated.last_four,
            identifier: stated.identifier,
            number: stated.number,
            days,
            currency,
            opening,
            closing,
            closing_day,
            lines,
            missing,
            range,
            matched,
            positions_day: stated.positions_day.filter(|_| !positions.is_empty()),
            positions,
        })
    }
}

impl PlanExecutor {
    /// A line of a bank statement isn't in the ledger after the publish; `read` is its row, if it
    /// can be read.
    pub(super) fn line_is_missing(
        &mut self,
        number: u64,
        read: Option<&dispatch::Row<'_>>,
    ) -> Result<()> {
        if self.pass == Pass::Fills || self.statements.is_empty() {
            return Ok(());
        }
        match read {
            Some(row) => self.statements.missing(number, entry_of(row)?.money()),
            None => self.statements.unread(),
        }
        Ok(())
    }
}
