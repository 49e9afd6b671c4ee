//! What files of statements prove, before their rows are written.

use std::ops::ControlFlow;

use jiff::civil::Date;
use purser_core::import::file_statement::FileStatement;
use purser_core::import::source_file::FileFormat;

use super::amount::Amount;
use super::files::StatementFiles;
use super::labels::{AccountKey, Labels};
use super::model::{BalanceKind, BankStatement};
use super::proof::check;
use super::repeats::Repeats;
use super::table::TableError;
use super::text::quoted;
use super::unproven::Unproven;
use super::{Event, Tally};

/// Accounts that one file may have.
const ACCOUNTS_MAX: usize = 50;
/// Statements that one file, or an archive, may have to be imported.
const STATEMENTS_KEPT_MAX: u64 = 10_000;
/// Sentences about what statements contradict or lack.
const SENTENCES_MAX: usize = 20;

/// What is known of a file after it became a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableFacts {
    /// How many statements the file has.
    pub statements: u64,
    /// How many of them are proven by their balances.
    pub proven: u64,
    /// The accounts of the statements: IBAN or number; of a statement without one a blank text.
    pub accounts: Vec<String>,
    /// There are more accounts than are listed.
    pub has_more_accounts: bool,
    /// A statement, or an entry, that two files of an archive have, as a sentence.
    pub repeated: Option<String>,
    /// The same within one file.
    pub repeated_in_file: Option<String>,
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
    /// The first statements that aren't proven.
    unproven: Vec<Unproven>,
    /// Statements of one account that don't follow each other, as a sentence.
    broken_chain: Option<String>,
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

    /// The first statements that contradict themselves, each as a sentence.
    pub fn contradictions(&self) -> Vec<String> {
        self.unproven.iter().flat_map(|one| one.contradictions(true)).collect()
    }

    /// What a person has to compare with the bank's statements, each as a sentence without a full
    /// stop: what the statements contradict, and what they lack. The balances of a single one are
    /// lines of the table, which an import compares by itself.
    pub fn unproven(&self, format: FileFormat) -> Vec<String> {
        let with_balances = self.statements > 1 || !self.has_both_ends;
        let mut found: Vec<String> = self.repeated_in_file.iter().cloned().collect();
        for one in &self.unproven {
            found.extend(one.contradictions(with_balances));
            found.extend(one.lacks(format));
        }
        found.extend(self.broken_chain.clone());
        if found.len() > SENTENCES_MAX {
            let more = found.len() - SENTENCES_MAX;
            found.truncate(SENTENCES_MAX);
            found.push(format!("{more} more of that kind"));
        }
        found
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
        (self.statements > STATEMENTS_KEPT_MAX).then(|| {
            format!("The file has more than {STATEMENTS_KEPT_MAX} statements: import it in parts")
        })
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

/// A statement of the first reading.
struct Surveyed {
    account: AccountKey,
    currency: String,
    ends: [Option<End>; 2],
    is_proven: bool,
    file: usize,
    /// Its number in the order of reading, and what it is called in a sentence.
    number: usize,
    name: String,
}

/// What the first reading finds.
#[derive(Default)]
pub(super) struct Survey {
    pub(super) facts: TableFacts,
    pub(super) labels: Labels,
    /// In the order of the rows.
    statements: Vec<Surveyed>,
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
    let mut repeats = Repeats::default();
    let mut number = 0;
    for file in 0..files.count() {
        let mut survey = Survey::default();
        let mut account = None;
        files.read(file, &mut |event| {
            match event {
                Event::Begin(statement) => account = Some(AccountKey::of(&statement)),
                Event::Entry(entry) => {
                    survey.facts.trades += u64::from(entry.trade.is_some());
                    if let Some(account) = &account {
                        repeats.entry(account, number, &entry);
                    }
                }
                Event::End(statement, tally) => {
                    let account = AccountKey::of(&statement);
                    repeats.statement(&account, number, &statement, &tally);
                    survey.add((file, number), account, &statement, &tally);
                    number += 1;
                }
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
    all.finish(&repeats);
    Ok((all, order))
}

impl Survey {
    fn add(
        &mut self,
        (file, number): (usize, usize),
        account: AccountKey,
        statement: &BankStatement,
        tally: &Tally,
    ) {
        let check = check(statement, tally);
        let days = statement.balances.iter().filter_map(|balance| balance.on);
        let days: Vec<Date> = days.chain(statement.from).chain(statement.to).collect();
        let first = days.iter().min().copied();
        self.first_day = self.first_day.into_iter().chain(first).min();
        self.last_day = self.last_day.into_iter().chain(days).max();
        let facts = &mut self.facts;
        facts.statements += 1;
        facts.proven += u64::from(check.is_proven());
        facts.rows += tally.booked + tally.pending + tally.unreadable;
        facts.information += tally.information;
        if facts.unproven.len() <= SENTENCES_MAX {
            facts.unproven.extend(Unproven::of(statement, tally, &check));
        }
        let currency = statement.currency().unwrap_or_default().to_owned();
        let end = |kind: BalanceKind| {
            let balance = statement.balances_of(&kind).next()?;
            Some(End {
                on: balance.on.map(|on| on.to_string()).unwrap_or_default(),
                amount: balance.amount,
                currency: balance.currency.clone().unwrap_or_else(|| currency.clone()),
                account: String::new(),
            })
        };
        let ends = [end(BalanceKind::Opening), end(BalanceKind::Closing)];
        let name = statement.id.as_ref().or(statement.number.as_ref()).cloned();
        self.statements.push(Surveyed {
            account,
            currency,
            ends,
            is_proven: check.is_proven(),
            file,
            number,
            name: name.unwrap_or_default(),
        });
    }

    /// Adds what another file has.
    fn append(&mut self, mut other: Self) {
        let facts = &mut self.facts;
        facts.statements += other.facts.statements;
        facts.proven += other.facts.proven;
        facts.rows += other.facts.rows;
        facts.information += other.facts.information;
        facts.trades += other.facts.trades;
        facts.unproven.append(&mut other.facts.unproven);
        facts.unproven.truncate(SENTENCES_MAX + 1);
        self.statements.append(&mut other.statements);
    }

    /// Everything that shows only once all statements are known.
    fn finish(&mut self, repeats: &Repeats) {
        self.statements.iter().for_each(|one| self.labels.add(&one.account));
        for one in &self.statements {
            self.facts.add_account(self.labels.of(&one.account));
        }
        self.find_repeated(repeats);
        if self.facts.accounts.len() > 1 {
            self.facts.broken_chain =
                self.facts.accounts.iter().find_map(|account| self.broken_chain(account));
        }
    }

    fn find_repeated(&mut self, repeats: &Repeats) {
        let by_number = |number: usize| self.statements.iter().find(|one| one.number == number);
        let (mut repeated, mut in_file) = (None, None);
        for (one, other) in repeats.equal() {
            let (Some(one), Some(other)) = (by_number(*one), by_number(*other)) else { continue };
            let account = quoted(&self.labels.of(&other.account));
            let name = quoted(&other.name);
            let (place, sentence) = match one.file == other.file {
                true => (&mut in_file, "The file has twice"),
                false => (&mut repeated, "Two files of the archive have"),
            };
            place.get_or_insert_with(|| {
                format!("{sentence} the statement {name} of the account {account}")
            });
        }
        for common in repeats.common() {
            let (one, other) = common.statements;
            let (Some(one), Some(other)) = (by_number(one), by_number(other)) else { continue };
            if one.is_proven && other.is_proven {
                continue;
            }
            let account = quoted(&self.labels.of(&other.account));
            let (line, reference) = (common.line, quoted(&common.reference));
            let (place, what) = match one.file == other.file {
                true => (&mut in_file, "Two statements of the file"),
                false => (&mut repeated, "Two files of the archive"),
            };
            place.get_or_insert_with(|| {
                format!(
                    "{what} have the entry {reference} (line {line}) of the account {account}, \
                     which would come twice: import them one by one"
                )
            });
        }
        (self.facts.repeated, self.facts.repeated_in_file) = (repeated, in_file);
    }

    /// The statements of an account.
    fn of_account(&self, account: &str) -> Vec<&Surveyed> {
        self.statements.iter().filter(|one| self.labels.of(&one.account) == account).collect()
    }

    /// That the proven statements of an account don't lead from its first balance to its last one.
    fn broken_chain(&self, account: &str) -> Option<String> {
        let its = self.of_account(account);
        let [Some(opening), Some(closing)] = self.ends_of(account) else { return None };
        if its.len() < 2 || !its.iter().all(|one| one.is_proven) {
            return None;
        }
        let moved = its.iter().try_fold(Amount::default(), |sum, one| {
            let [opening, closing] = &one.ends;
            let moved = closing.as_ref()?.amount.checked_sub(opening.as_ref()?.amount)?;
            sum.checked_add(moved)
        });
        let expected = closing.amount.checked_sub(opening.amount);
        (moved.is_none() || moved != expected).then(|| {
            format!(
                "The statements of the account {} don't follow each other: a statement is missing, \
                 or is there twice",
                quoted(account)
            )
        })
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
        let its = self.of_account(account);
        let (Some(first), Some(last)) = (its.first(), its.last()) else {
            return [None, None];
        };
        if its.iter().any(|other| other.currency != first.currency) {
            return [None, None];
        }
        let follows = |pair: &[&Surveyed]| {
            let ends = pair[0].ends[0].as_ref().zip(pair[1].ends[1].as_ref());
            ends.is_some_and(|(opening, closing)| opening.amount == closing.amount)
        };
        let is_newest_first = its.len() > 1 && its.windows(2).all(follows);
        let (oldest, newest) = if is_newest_first { (last, first) } else { (first, last) };
        let named =
            |end: &Option<End>| end.clone().map(|end| End { account: account.to_owned(), ..end });
        [named(&oldest.ends[0]), named(&newest.ends[1])]
    }

    /// Whether the statement with a place among all is proven by its balances.
    pub(super) fn is_proven(&self, statement: usize) -> bool {
        self.statements.get(statement).is_some_and(|one| one.is_proven)
    }
}
