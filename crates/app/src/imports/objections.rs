//! What the bank statements of a file show against the accounts that its rows are to go into: a
//! person has to decide, because the file alone is without fault.
//!
//! * The closing balance of OFX, which has no opening balance, is proven by the ledger, or by the
//!   statement before: what the ledger has more or less than the bank is the same after both.
//! * An account has statements of its own number: a statement of another one is in the wrong place.
//! * Rows that can't be read are to be left out, so that balances prove nothing.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::import::file_statement::FileStatement;
use purser_core::import::layout::Layout;
use purser_core::import::planned_flow::PlannedFlow;
use purser_core::import::settings::{BalanceCheck, Settings};
use purser_core::import::source_file::FileFormat;
use purser_core::import::status::ImportStatus;
use purser_core::import::transaction::balance::Sense;
use purser_core::ledger::account::Classification;
use purser_core::money::format::money_text;
use purser_core::money::{Currency, Money};
use purser_core::plan::Target;
use purser_store::FamilyTx;
use purser_store::bank_statements::{self, BankStatement, Listing};
use purser_store::imports::{self, Import, Mapping};
use purser_store::{accounts, balances};

use super::names::{Names, resolve};
use super::streamed::stated_amount;

/// Earlier statements that are looked at, the latest first.
const EARLIER_MAX: i64 = 100;

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
}

/// Those against a stored import that isn't published, each as a sentence without a full stop.
pub fn of_import(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    mappings: &[Mapping],
) -> Result<Vec<String>> {
    use ImportStatus::{Failed, Importing, Pending};
    let is_open = matches!(import.status, Pending | Failed | Importing);
    let Some(layout) = import.layout.as_deref().filter(|_| is_open && import.readable) else {
        return Ok(Vec::new());
    };
    let layout: Layout = serde_json::from_str(layout).map_err(Error::internal)?;
    if !layout.file.format.is_some_and(FileFormat::has_statements) {
        return Ok(Vec::new());
    }
    let settings: Settings = serde_json::from_str(&import.settings).map_err(Error::internal)?;
    let statements = imports::found_statements(tx, import.id)?;
    let is_planned = import.has_current_plan();
    of_plan(
        tx,
        &Subject {
            layout: &layout,
            settings: &settings,
            statements: &statements,
            account: import.account,
            mappings,
            flows: import.plan_flows.as_deref().filter(|_| is_planned),
            left_out: if import.skip_invalid { import.invalid_rows } else { 0 },
        },
    )
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
    let mut seen: Vec<&str> = Vec::new();
    for one in subject.statements.iter().filter(|one| one.rows > 0) {
        if seen.contains(&one.account.as_str()) {
            continue;
        }
        seen.push(&one.account);
        let Some(currency) = one.currency.as_deref().and_then(Currency::parse) else { continue };
        let target = names.account(Some(&one.account), currency);
        let Some(Target::Existing(id)) = target else { continue };
        if existing.account_currency(id) != Some(currency) {
            continue;
        }
        let account = AccountId(id);
        let its = Account::read(tx, account, currency)?;
        found.extend(its.of_another_account(tx, format, one)?);
        if compares_balances && format == FileFormat::Ofx {
            let its_own = || subject.statements.iter().filter(|other| other.account == one.account);
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

    /// That the statement is of another account than the statements before it.
    fn of_another_account(
        &self,
        tx: &mut FamilyTx<'_>,
        format: FileFormat,
        stated: &FileStatement,
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
        let is_of_other = |it: &&BankStatement| {
            it.account != self.id
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

    /// That the closing balance follows neither from the ledger nor from the statement before.
    fn not_followed(
        &self,
        tx: &mut FamilyTx<'_>,
        (first_day, stated): (Date, &FileStatement),
        flows: Option<&[PlannedFlow]>,
    ) -> Result<Option<String>> {
        let Some(flows) = flows else { return Ok(None) };
        let day = stated.closing_day.into_iter().chain(stated.last_day).max();
        let (Some(day), Some(closing)) = (day, stated.closing.as_deref()) else { return Ok(None) };
        let closing = stated_amount(closing, self.currency);
        let closing = closing.and_then(|it| Sense::Money.in_account(it, self.classification));
        let is_before = |it: &&BankStatement| {
            it.ends.last_day <= day && it.currency == self.currency && it.ends.closing.is_some()
        };
        let Some(before) = self.earlier.iter().find(is_before) else { return Ok(None) };
        if !balances::follows_flows(tx, self.id, first_day, day)? {
            return Ok(None);
        }
        let flow = flows.iter().find(|flow| flow.account == self.id);
        let flow = flow.map_or(Some(0), |flow| flow.amount);
        let change = flow.and_then(|flow| flow.checked_mul(self.classification.sign()));
        let ledger = balances::at_end_of(tx, self.id, day)?;
        let ledger = change.and_then(|change| ledger.checked_add(change));
        let (Some(ledger), Some(closing)) = (ledger, closing) else { return Ok(None) };
        let difference = ledger.checked_sub(closing);
        let of_before = before.comparison.ledger.zip(before.ends.closing);
        let of_before = of_before.and_then(|(ledger, closing)| ledger.checked_sub(closing));
        if difference == Some(0) || (difference.is_some() && difference == of_before) {
            return Ok(None);
        }
        Ok(Some(self.sentence((day, closing, ledger), before)))
    }

    fn sentence(&self, (day, closing, ledger): (Date, i64, i64), before: &BankStatement) -> String {
        let money = |amount| money_text(Money::new(amount, self.currency));
        format!(
            "The statement has {} at the end of {day}, and {} would have {}; it doesn't follow \
             from the statement of {} either: rows may be missing, or amounts may be wrong",
            money(closing),
            self.name,
            money(ledger),
            before.closing_day
        )
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
}
