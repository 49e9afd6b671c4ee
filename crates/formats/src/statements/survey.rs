//! What files of statements prove, before their rows are written.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use jiff::civil::Date;
use purser_core::import::file_statement::FileStatement;

use super::amount::Amount;
use super::files::StatementFiles;
use super::model::{BalanceKind, BankStatement};
use super::proof::{Proof, StatementCheck, check};
use super::table::TableError;
use super::text::quoted;
use super::{Event, Tally};

/// Accounts that one file may have.
const ACCOUNTS_MAX: usize = 50;
/// Statements that one file, or an archive, may have to be imported.
const STATEMENTS_KEPT_MAX: u64 = 10_000;
/// Sentences about statements that contradict themselves.
const CONTRADICTIONS_MAX: usize = 20;

/// What is known of a file after it became a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableFacts {
    /// How many statements the file has.
    pub statements: u64,
    /// How many of them are proven by their balances.
    pub proven: u64,
    /// The first statements that contradict themselves, each as a sentence.
    pub contradictions: Vec<String>,
    /// The accounts of the statements: IBAN or number; of a statement without one a blank text.
    pub accounts: Vec<String>,
    /// There are more accounts than are listed.
    pub has_more_accounts: bool,
    /// A statement that two files of an archive have, as a sentence.
    pub repeated: Option<String>,
    /// Entries that have a row, those that can't be read included.
    pub rows: u64,
    /// Entries for information only, which have none.
    pub information: u64,
    /// Entries about securities; their rows have the money alone.
    pub trades: u64,
    /// The table has the balances before its rows and after them, so that an import compares them.
    pub has_both_ends: bool,
    /// What each statement states about itself, in the order of the rows.
    pub found: Vec<FileStatement>,
}

impl TableFacts {
    fn add_account(&mut self, account: String) {
        if !self.accounts.contains(&account) {
            match self.accounts.len() < ACCOUNTS_MAX {
                true => self.accounts.push(account),
                false => self.has_more_accounts = true,
            }
        }
    }

    /// Why the table can't stand for the file: an import would lose or mix something without a
    /// question.
    pub fn obstacle(&self) -> Option<String> {
        if self.trades > 0 {
            return Some("The file has trades in securities: send it as TradeImport".to_owned());
        }
        if let Some(repeated) = &self.repeated {
            return Some(repeated.clone());
        }
        if self.has_more_accounts {
            return Some(format!("The file has statements of more than {ACCOUNTS_MAX} accounts"));
        }
        if self.accounts.len() > 1 && self.accounts.iter().any(String::is_empty) {
            return Some(
                "The file has statements of several accounts, and one of them has no number: \
                 import a file of each"
                    .to_owned(),
            );
        }
        if self.statements > STATEMENTS_KEPT_MAX {
            return Some(format!(
                "The file has more than {STATEMENTS_KEPT_MAX} statements: import it in parts"
            ));
        }
        // With both balances the import asks by itself.
        let contradiction = self.contradictions.first().filter(|_| !self.has_both_ends);
        contradiction.map(|sentence| format!("The file contradicts itself. {sentence}"))
    }
}

/// The balance at one end of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct End {
    pub(super) on: String,
    pub(super) amount: Amount,
    pub(super) currency: String,
    pub(super) account: String,
}

/// What the first reading finds.
#[derive(Default)]
pub(super) struct Survey {
    pub(super) facts: TableFacts,
    /// Whether each statement is proven.
    pub(super) proven: Vec<bool>,
    /// The account of each statement, its currency, and its balances at both ends.
    ends: Vec<(String, String, [Option<End>; 2])>,
    /// What identifies each statement; numbers begin anew each year.
    identities: BTreeSet<(String, String, Option<Date>)>,
    /// The first day that any statement names.
    first_day: Option<Date>,
    /// The last day of an entry.
    last_day: Option<Date>,
}

/// Surveys all files, and finds their order: that of the first days of their statements.
pub(super) fn survey_all(
    files: &mut dyn StatementFiles,
) -> Result<(Survey, Vec<usize>), TableError> {
    let mut surveys = Vec::new();
    for file in 0..files.count() {
        let mut survey = Survey::default();
        files.read(file, &mut |event| {
            match event {
                Event::Entry(entry) => survey.facts.trades += u64::from(entry.trade.is_some()),
                Event::End(statement, tally) => survey.add(&statement, &tally),
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
        surveys.push(((survey.first_day, survey.last_day, file), survey));
    }
    surveys.sort_by_key(|(days, _)| *days);
    let order = surveys.iter().map(|((_, _, file), _)| *file).collect();
    let mut all = Survey::default();
    for (_, survey) in surveys {
        all.append(survey);
    }
    Ok((all, order))
}

impl Survey {
    fn add(&mut self, statement: &BankStatement, tally: &Tally) {
        let check = check(statement, tally);
        let account = label(statement);
        let days = statement.balances.iter().filter_map(|balance| balance.on);
        let days: Vec<Date> = days.chain(statement.from).chain(statement.to).collect();
        let first = days.iter().min().copied();
        self.first_day = self.first_day.into_iter().chain(first).min();
        self.last_day = self.last_day.into_iter().chain(days).max();
        if let Some(id) = statement.id.as_ref().or(statement.number.as_ref()) {
            self.identities.insert((account.clone(), id.clone(), first));
        }
        let facts = &mut self.facts;
        facts.statements += 1;
        facts.proven += u64::from(check.is_proven());
        facts.rows += tally.booked + tally.pending + tally.unreadable;
        facts.information += tally.information;
        if check.is_contradicted() && facts.contradictions.len() < CONTRADICTIONS_MAX {
            facts.contradictions.push(contradiction(statement, &check));
        }
        facts.add_account(account.clone());
        let currency = statement.currency().unwrap_or_default().to_owned();
        let end = |kind: BalanceKind| {
            let balance = statement.balances_of(&kind).next()?;
            Some(End {
                on: balance.on.map(|on| on.to_string()).unwrap_or_default(),
                amount: balance.amount,
                currency: balance.currency.clone().unwrap_or_default(),
                account: account.clone(),
            })
        };
        self.proven.push(check.is_proven());
        let ends = [end(BalanceKind::Opening), end(BalanceKind::Closing)];
        self.ends.push((account, currency, ends));
    }

    /// Adds what another file has.
    fn append(&mut self, mut other: Self) {
        let facts = &mut self.facts;
        let TableFacts { statements, proven, rows, information, trades, .. } = other.facts;
        facts.statements += statements;
        facts.proven += proven;
        facts.rows += rows;
        facts.information += information;
        facts.trades += trades;
        facts.contradictions.append(&mut other.facts.contradictions);
        facts.contradictions.truncate(CONTRADICTIONS_MAX);
        facts.has_more_accounts |= other.facts.has_more_accounts;
        for account in other.facts.accounts {
            facts.add_account(account);
        }
        if let Some((account, id, _)) = self.identities.intersection(&other.identities).next() {
            facts.repeated = Some(format!(
                "Two files of the archive have the statement {} of the account {}",
                quoted(id),
                quoted(account)
            ));
        }
        self.identities.append(&mut other.identities);
        self.proven.append(&mut other.proven);
        self.ends.append(&mut other.ends);
    }

    /// The balances of each account before its first row and after its last one.
    pub(super) fn all_ends(&self) -> (Vec<End>, Vec<End>) {
        let ends = self.facts.accounts.iter().map(|account| self.ends_of(account));
        let (openings, closings): (Vec<_>, Vec<_>) = ends.map(|[one, other]| (one, other)).unzip();
        (openings.into_iter().flatten().collect(), closings.into_iter().flatten().collect())
    }

    /// Those of one account, if it has one currency. Banks that write the newest statement first
    /// are recognised by its balances.
    fn ends_of(&self, account: &str) -> [Option<End>; 2] {
        let its: Vec<_> = self.ends.iter().filter(|(of, ..)| of == account).collect();
        let (Some((_, currency, first)), Some((.., last))) = (its.first(), its.last()) else {
            return [None, None];
        };
        if its.iter().any(|(_, other, _)| other != currency) {
            return [None, None];
        }
        let follows = |pair: &[&(String, String, [Option<End>; 2])]| {
            let ends = pair[0].2[0].as_ref().zip(pair[1].2[1].as_ref());
            ends.is_some_and(|(opening, closing)| opening.amount == closing.amount)
        };
        let is_newest_first = its.len() > 1 && its.windows(2).all(follows);
        let (oldest, newest) = if is_newest_first { (last, first) } else { (first, last) };
        [oldest[0].clone(), newest[1].clone()]
    }
}

/// What an account is called in the table.
pub(super) fn label(statement: &BankStatement) -> String {
    let account = &statement.account;
    account.iban.as_ref().or(account.number.as_ref()).cloned().unwrap_or_default()
}

fn contradiction(statement: &BankStatement, check: &StatementCheck) -> String {
    let number = statement.number.as_deref().or(statement.id.as_deref()).unwrap_or("?");
    let line = statement.location.line;
    match &check.proof {
        Proof::Differs { opening, sum, closing, difference, if_reversals_are_opposite } => {
            let more = match if_reversals_are_opposite {
                true => "; it would agree if its reversals had the other sign",
                false => "",
            };
            format!(
                "Statement {number} (line {line}): {opening} and entries of {sum} don't come to \
                 {closing}, but differ by {difference}{more}"
            )
        }
        _ => format!("Statement {number} (line {line}): its totals are not those of its entries"),
    }
}
