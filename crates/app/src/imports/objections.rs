//! What the bank statements of a file show against the accounts that its rows are to go into: a
//! person has to decide, because the file alone is without fault.
//!
//! * The closing balance of OFX, which has no opening balance, is proven by the ledger, or by the
//!   statement before: what the ledger has more or less than the bank is the same after both. The
//!   first statement of an account of which the ledger has nothing before is compared with nothing.
//! * An account has statements of its own number, kind and currency: a statement of another one is
//!   in the wrong place.
//! * Rows that can't be read are to be left out, so that balances prove nothing.

mod debt;
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

/// How objections begin that balances have nothing to do with.
const OF_ANOTHER: &str = "The statement is of ";

/// The value of `balance_check` that answers all of them, and what that means, as a part of a
/// sentence: who has only compared rows with a statement hasn't decided into which account they go.
pub fn answer_to(objections: &[String]) -> (BalanceCheck, &'static str) {
    let any = |start: &str| objections.iter().any(|it| it.starts_with(start));
    let (is_of_another, is_above_zero) = (any(OF_ANOTHER), any(debt::ABOVE_ZERO));
    let check = match is_of_another {
        true => BalanceCheck::IgnoreAccount,
        false => BalanceCheck::Ignore,
    };
    let meaning = match (is_of_another, is_above_zero) {
        (true, true) => {
            "the statement belongs to this account, the balance of the new one is money that was \
             paid in and isn't owed, and the rows are right"
        }
        (true, false) => "the statement belongs to this account, and its rows are right",
        (false, true) => {
            "the balance is money that was paid in and isn't owed, and the rows are right"
        }
        (false, false) => "the rows are right, as a comparison with the bank's statement has shown",
    };
    (check, meaning)
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
                found.extend(debt::opens_as_money(one));
                continue;
            }
            _ => continue,
        };
        let Some(of_account) = existing.account_currency(id) else { continue };
        let its = Account::read(tx, AccountId(id), of_account)?;
        found.extend(its.in_another_currency(one, currency));
        found.extend(its.of_another_account(tx, format, one, subject.by_job)?);
        if compares_balances && format == FileFormat::Ofx {
            let is_its = |other: &&FileStatement| is_of_same(other, one);
            let its_own: Vec<&FileStatement> = subject.statements.iter().filter(is_its).collect();
            found.extend(its.of_balance(tx, &its_own, currency, subject.flows)?);
        }
    }
    Ok(found)
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
    fn an_answer_names_what_it_decides() {
        let differs = "The statement has 5.00 at the end of a day".to_owned();
        let other = format!("{OF_ANOTHER}an account with the number …2222");
        let owed = format!("{}100.00 at its end", debt::ABOVE_ZERO);
        let of = |objections: &[&String]| {
            answer_to(&objections.iter().map(|it| (*it).clone()).collect::<Vec<_>>())
        };
        assert_eq!(of(&[&differs]).0, BalanceCheck::Ignore);
        assert_eq!(of(&[&differs, &other]).0, BalanceCheck::IgnoreAccount);
        // An answer that is also about a debt has to name it.
        for (objections, is_about_debt) in [
            (vec![&differs], false),
            (vec![&other], false),
            (vec![&differs, &owed], true),
            (vec![&owed, &other], true),
        ] {
            assert_eq!(of(&objections).1.contains("isn't owed"), is_about_debt, "{objections:?}");
        }
    }
}
