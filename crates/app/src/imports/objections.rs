//! What the bank statements of a file show against the accounts that its rows are to go into: a
//! person has to decide, because the file alone is without fault.
//!
//! * The closing balance of OFX, which has no opening balance, is proven by the ledger, or by the
//!   statement before: what the ledger has more or less than the bank is the same after both. The
//!   first statement of an account of which the ledger has nothing before is compared with nothing.
//! * An account has statements of its own number, kind and currency: a statement of another one is
//!   in the wrong place.
//! * Rows that can't be read are to be left out, so that balances prove nothing.

mod follows;

use std::collections::BTreeSet;

use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::import::file_statement::{FileStatement, StatementKind};
use purser_core::import::layout::Layout;
use purser_core::import::mapping::MappingKind;
use purser_core::import::planned_flow::PlannedFlow;
use purser_core::import::settings::{BalanceCheck, Settings};
use purser_core::import::source_file::FileFormat;
use purser_core::import::status::ImportStatus;
use purser_core::ledger::account::Classification;
use purser_core::money::Currency;
use purser_core::plan::Target;
use purser_store::FamilyTx;
use purser_store::accounts;
use purser_store::bank_statements::{self, BankStatement, Listing};
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Mapping};
use purser_store::keys;
use uuid::Uuid;

use super::built_plan::BuiltPlan;
use super::names::{Names, resolve};
use super::planning;

/// Earlier statements that are looked at, the latest first.
const EARLIER_MAX: i64 = 100;

/// The words of OFX for accounts that hold money.
const OF_MONEY: [&str; 5] = ["CHECKING", "SAVINGS", "MONEYMRKT", "CD", "INVESTMENT"];

/// How objections begin that balances have nothing to do with.
const OF_ANOTHER: &str = "The statement is of ";

/// The value of `balance_check` that answers all of them: who has only compared rows with a
/// statement hasn't decided into which account they go.
pub fn answer_to(objections: &[String]) -> BalanceCheck {
    match objections.iter().any(|it| it.starts_with(OF_ANOTHER)) {
        true => BalanceCheck::IgnoreAccount,
        false => BalanceCheck::Ignore,
    }
}

/// A file with statements, and its plan.
pub(super) struct Subject<'a> {
    pub(super) layout: &'a Layout,
    pub(super) settings: &'a Settings,
    pub(super) statements: &'a [FileStatement],
    pub(super) account: Option<AccountId>,
    pub(super) mappings: &'a [Mapping],
    /// What the rows that the plan adds come to in accounts that exist, if that is known.
    pub(super) flows: Option<&'a [PlannedFlow]>,
    /// Invalid rows that are to be left out.
    pub(super) left_out: u64,
    /// Whether a job looks, which sees accounts that whoever reads its refusal may not see.
    pub(super) by_job: bool,
}

impl Subject<'_> {
    /// The only account that rows with a name go to: in its currency is what states none.
    fn only_account(&self, name: &str) -> Option<Uuid> {
        if let Some(account) = self.account {
            return Some(account.0);
        }
        let is_its = |it: &&Mapping| it.kind == MappingKind::Account && it.value == name;
        let mut targets = self.mappings.iter().filter(is_its).map(|it| it.target);
        targets.next().flatten().filter(|_| targets.next().is_none())
    }
}

/// Those against a stored import that isn't published, each as a sentence without a full stop.
/// While its plan is being made anew, nothing is compared with the ledger.
pub fn of_import(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    mappings: &[Mapping],
) -> Result<Vec<String>> {
    let flows = import.plan_flows.as_deref().filter(|_| import.has_current_plan());
    with_flows(tx, import, mappings, flows)
}

/// The same before a publish, which makes the plan anew if the ledger has moved since.
pub(super) fn of_publish(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    mappings: &[Mapping],
) -> Result<Vec<String>> {
    if import.has_current_plan() || layout_of(import)?.is_none() {
        return of_import(tx, import, mappings);
    }
    let built = planning::of_import(tx, files, import)?;
    with_flows(tx, import, mappings, built.as_ref().and_then(|built| built.plan.flows()))
}

/// Refuses a publish in the write that executes it, with the plan that was made for that or with
/// the stored one: nothing was compared with a plan that was made since.
pub(super) fn require_none(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    built: Option<&BuiltPlan>,
) -> Result<()> {
    if layout_of(import)?.is_none() {
        return Ok(());
    }
    let mappings = imports::mappings(tx, import.id)?;
    let found = match built {
        Some(built) => with_flows(tx, import, &mappings, built.plan.flows())?,
        None => of_import(tx, import, &mappings)?,
    };
    refuse(found)
}

/// Refuses a publish because of the first objection.
pub(super) fn refuse(found: Vec<String>) -> Result<()> {
    match found.into_iter().next() {
        Some(sentence) => Err(Error::invalid_code("not_proven", sentence)),
        None => Ok(()),
    }
}

fn with_flows(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    mappings: &[Mapping],
    flows: Option<&[PlannedFlow]>,
) -> Result<Vec<String>> {
    let Some(layout) = layout_of(import)? else { return Ok(Vec::new()) };
    let settings: Settings = serde_json::from_str(&import.settings).map_err(Error::internal)?;
    let statements = imports::found_statements(tx, import.id)?;
    of_plan(
        tx,
        &Subject {
            layout: &layout,
            settings: &settings,
            statements: &statements,
            account: import.account,
            mappings,
            flows,
            left_out: if import.skip_invalid { import.invalid_rows } else { 0 },
            by_job: import.status == ImportStatus::Importing,
        },
    )
}

/// The layout of a file of statements that isn't published.
fn layout_of(import: &Import) -> Result<Option<Layout>> {
    use ImportStatus::{Failed, Importing, Pending};
    let is_open = matches!(import.status, Pending | Failed | Importing);
    let Some(layout) = import.layout.as_deref().filter(|_| is_open && import.readable) else {
        return Ok(None);
    };
    let layout: Layout = serde_json::from_str(layout).map_err(Error::internal)?;
    Ok(Some(layout).filter(|it| it.file.format.is_some_and(FileFormat::has_statements)))
}

/// The same of a file and the plan that was made for it.
pub(super) fn of_plan(tx: &mut FamilyTx<'_>, subject: &Subject<'_>) -> Result<Vec<String>> {
    let format = subject.layout.file.format.filter(|format| format.has_statements());
    let check = subject.settings.balance_check;
    let is_answered = check == Some(BalanceCheck::IgnoreAccount);
    let Some(format) = format.filter(|_| !is_answered) else { return Ok(Vec::new()) };
    let compares_balances = !check.is_some_and(BalanceCheck::ignores_balances);
    let mut found = Vec::new();
    let has_balance = |one: &FileStatement| one.closing.is_some();
    if compares_balances && subject.left_out > 0 && subject.statements.iter().any(has_balance) {
        found.push(
            "Rows that can't be read are left out, so that the balances of the statement don't \
             prove the others"
                .to_owned(),
        );
    }
    let existing = imports::existing(tx)?;
    let mut names = Names::new(resolve(subject.mappings, &existing).preparation, subject.account);
    let mut seen: Vec<(&str, Option<&str>)> = Vec::new();
    for one in subject.statements.iter().filter(|one| one.rows > 0) {
        let its = (one.account.as_str(), one.currency.as_deref());
        if seen.contains(&its) {
            continue;
        }
        seen.push(its);
        let currency = match one.currency.as_deref() {
            Some(code) => Currency::parse(code),
            None => subject.only_account(&one.account).and_then(|id| existing.account_currency(id)),
        };
        let Some(currency) = currency else { continue };
        let id = match names.account(Some(&one.account), currency) {
            Some(Target::Existing(id)) => id,
            Some(Target::Created(_)) if compares_balances && format == FileFormat::Ofx => {
                found.extend(opens_as_money(one));
                continue;
            }
            _ => continue,
        };
        let Some(of_account) = existing.account_currency(id) else { continue };
        let its = Account::read(tx, AccountId(id), of_account)?;
        found.extend(its.in_another_currency(one, currency));
        found.extend(its.of_another_account(tx, format, one, subject.by_job)?);
        if compares_balances && format == FileFormat::Ofx && of_account == currency {
            let its_own = || subject.statements.iter().filter(|other| is_of_same(other, one));
            let first_day = its_own().filter_map(|other| other.first_day).min();
            let last = its_own()
                .filter(|other| has_balance(other))
                .max_by_key(|other| other.closing_day.or(other.last_day));
            if let (Some(first_day), Some(last)) = (first_day, last) {
                found.extend(its.not_followed(tx, (first_day, last), subject.flows)?);
            }
        }
    }
    Ok(found)
}

/// That an account which the import makes would open as one that holds money, although it is one
/// for a debt: some banks write what is owed without a minus.
fn opens_as_money(stated: &FileStatement) -> Option<String> {
    let is_of_debt = stated.kind == Some(StatementKind::Card)
        || stated.kind_word.as_deref().is_some_and(|word| !OF_MONEY.contains(&word));
    let closing = stated.closing.as_deref().filter(|_| is_of_debt)?;
    let is_above_zero = !closing.starts_with('-') && closing.contains(|c| matches!(c, '1'..='9'));
    is_above_zero.then(|| {
        format!(
            "The statement of a card or a loan has {closing} at its end: if that is owed, the \
             account that the import makes would have it as money; make the account first"
        )
    })
}

/// Whether statements are of one account and currency.
fn is_of_same(one: &FileStatement, other: &FileStatement) -> bool {
    (&one.account, &one.currency) == (&other.account, &other.currency)
}

/// An account that exists, and its latest statements.
struct Account {
    id: AccountId,
    name: String,
    classification: Classification,
    currency: Currency,
    earlier: Vec<BankStatement>,
}

impl Account {
    fn read(tx: &mut FamilyTx<'_>, id: AccountId, currency: Currency) -> Result<Self> {
        let summary = accounts::summary(tx, id)?;
        let listing = Listing { account: Some(id), ..Listing::default() };
        let (earlier, _) = bank_statements::list(tx, &listing, EARLIER_MAX, 0)?;
        let classification = summary.account_type.classification();
        Ok(Self { id, name: summary.name, classification, currency, earlier })
    }

    /// That the statement is in another currency than the account: accounts of one number may be
    /// in several currencies. Where a person has answered that, earlier ones are in it, too.
    fn in_another_currency(&self, stated: &FileStatement, currency: Currency) -> Option<String> {
        let is_its = |it: &BankStatement| {
            it.currency == currency
                && (&it.bank, &it.last_four) == (&stated.bank, &stated.last_four)
        };
        let is_known = currency == self.currency || self.earlier.iter().any(is_its);
        let Self { name, currency: of_account, .. } = self;
        (!is_known).then(|| {
            format!("{OF_ANOTHER}an account in {currency}, and {name} is one in {of_account}")
        })
    }

    /// That the statement is of another account than the statements before it.
    fn of_another_account(
        &self,
        tx: &mut FamilyTx<'_>,
        format: FileFormat,
        stated: &FileStatement,
        by_job: bool,
    ) -> Result<Option<String>> {
        let Some(number) = stated.last_four.as_deref() else { return Ok(None) };
        let bank = stated.bank.as_deref();
        let name = &self.name;
        let mut known: Vec<&str> =
            self.earlier.iter().filter_map(|it| it.last_four.as_deref()).collect();
        known.sort_unstable();
        known.dedup();
        if known.contains(&number) {
            // Codes of banks are comparable within one format.
            let is_its = |it: &&BankStatement| {
                it.last_four.as_deref() == Some(number) && it.format == Some(format)
            };
            let kinds: Vec<StatementKind> =
                self.earlier.iter().filter(is_its).map(|it| it.kind).collect();
            if stated.kind.is_some_and(|kind| !kinds.is_empty() && !kinds.contains(&kind)) {
                return Ok(Some(format!(
                    "{OF_ANOTHER}another kind of account with the number …{number} than earlier \
                     ones of the account {name}"
                )));
            }
            let banks: Vec<&str> =
                self.earlier.iter().filter(is_its).filter_map(|it| it.bank.as_deref()).collect();
            let other = bank.filter(|bank| !banks.is_empty() && !banks.contains(bank));
            return Ok(other.map(|bank| {
                format!(
                    "{OF_ANOTHER}the bank {bank}, and earlier ones of the account {name} \
                     are of {}",
                    banks[0]
                )
            }));
        }
        if !known.is_empty() {
            let known = known.join(", …");
            return Ok(Some(format!(
                "{OF_ANOTHER}an account with the number …{number}, and earlier ones of \
                 the account {name} are of …{known}"
            )));
        }
        let (others, _) = bank_statements::list(tx, &Listing::default(), EARLIER_MAX, 0)?;
        // A key that sees this account may have sent the file; for one that doesn't see the other
        // account there is none.
        let seen = if by_job { keys::restrictions_with(tx, self.id)? } else { BTreeSet::new() };
        let is_of_other = |it: &&BankStatement| {
            it.account != self.id
                && seen.iter().all(|accounts| accounts.contains(&it.account))
                && it.last_four.as_deref() == Some(number)
                && it.format == Some(format)
                && it.bank.as_deref() == bank
        };
        Ok(others.iter().find(is_of_other).map(|other| {
            format!(
                "{OF_ANOTHER}an account with the number …{number}, of which earlier ones \
                 are in the account {}",
                other.account_name
            )
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_about_the_account_answers_that_it_is_another() {
        let differs = "The statement has 5.00 at the end of a day".to_owned();
        let other = format!("{OF_ANOTHER}an account with the number …2222");
        assert_eq!(answer_to(std::slice::from_ref(&differs)), BalanceCheck::Ignore);
        assert_eq!(answer_to(&[differs, other]), BalanceCheck::IgnoreAccount);
    }

    #[test]
    fn a_debt_above_zero_may_be_one_that_is_owed() {
        let of = |kind, word: &str, closing: &str| {
            opens_as_money(&FileStatement {
                kind: Some(kind),
                kind_word: Some(word.to_owned()),
                closing: Some(closing.to_owned()),
                ..FileStatement::default()
            })
        };
        use StatementKind::{Bank, Card};
        assert!(of(Card, "CREDITCARD", "100.00").is_some());
        assert!(of(Card, "CREDITLINE", "0.01").is_some());
        assert!(of(Bank, "MORTGAGE", "100.00").is_some());
        assert!(of(Card, "CREDITCARD", "-100.00").is_none());
        assert!(of(Card, "CREDITCARD", "0.00").is_none());
        assert!(of(Bank, "CHECKING", "100.00").is_none());
    }
}
