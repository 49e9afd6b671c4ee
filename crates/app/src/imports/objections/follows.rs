//! Whether the closing balance of OFX, which has no opening balance, follows from the ledger or
//! from the statement before.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::import::file_statement::FileStatement;
use purser_core::import::planned_flow::PlannedFlow;
use purser_core::import::transaction::balance::Sense;
use purser_core::ledger::account::Classification;
use purser_core::money::format::money_text;
use purser_core::money::{Currency, Money};
use purser_store::bank_statements::BankStatement;
use purser_store::{FamilyTx, balances};

use super::Account;
use crate::imports::streamed::stated_amount;

/// What the ledger has of an account at the end of a day.
enum Ledger {
    /// Nothing of its own: what the bank's interface reports decides.
    OfBank,
    /// What can't be computed, for example because a row is in another currency.
    Unknown,
    /// A balance; a valuation among the days of the statement may decide it.
    Has { balance: i64, is_valued: bool },
}

impl Account {
    /// What is open about the closing balance of the statements that a file has of the account, in
    /// one currency. In another one than the account's it is compared with nothing, each time.
    pub(super) fn of_balance(
        &self,
        tx: &mut FamilyTx<'_>,
        statements: &[&FileStatement],
        currency: Currency,
        flows: Option<&[PlannedFlow]>,
    ) -> Result<Option<String>> {
        let first_day = statements.iter().filter_map(|one| one.first_day).min();
        let with_balance = statements.iter().filter(|one| one.closing.is_some());
        let last = with_balance.max_by_key(|one| one.closing_day.or(one.last_day));
        let Some(last) = last else { return Ok(None) };
        if currency != self.currency {
            let Self { name, currency: of_account, .. } = self;
            return Ok(Some(format!(
                "The closing balance can't be compared, for it is in {currency}, and {name} is an \
                 account in {of_account}: rows may be missing, or amounts may be wrong"
            )));
        }
        match first_day {
            Some(first_day) => self.not_followed(tx, (first_day, last), flows),
            None => Ok(None),
        }
    }

    /// That the closing balance follows neither from the ledger nor from the statement before.
    /// Banks list entries of the next working day, which may be part of it or not.
    fn not_followed(
        &self,
        tx: &mut FamilyTx<'_>,
        (first_day, stated): (Date, &FileStatement),
        flows: Option<&[PlannedFlow]>,
    ) -> Result<Option<String>> {
        let Some(flows) = flows else { return Ok(None) };
        let last = stated.closing_day.into_iter().chain(stated.last_day).max();
        let (Some(last), Some(closing)) = (last, stated.closing.as_deref()) else {
            return Ok(None);
        };
        let closing = stated_amount(closing, self.currency);
        let closing = closing.and_then(|it| Sense::Money.in_account(it, self.classification));
        let is_before = |it: &&BankStatement| {
            it.ends.last_day <= last && it.currency == self.currency && it.ends.closing.is_some()
        };
        let mut all_before = self.earlier.iter().filter(is_before);
        let (before, one_more) = (all_before.next(), all_before.next());
        if before.is_none() && !self.has_history(tx, first_day)? {
            // What it held before is what nobody has entered.
            return Ok(None);
        }
        let before_differed = self.usual_differences(tx, before, one_more)?;
        let was_opposite = before.is_some_and(|before| {
            let ends = before.comparison.ledger.zip(before.ends.closing);
            ends.is_some_and(|(ledger, closing)| self.is_opposite(ledger, closing))
        });
        let flow = flows.iter().find(|flow| flow.account == self.id);
        let mut shown = None;
        for day in stated.closing_day.into_iter().chain([last]) {
            let (ledger, is_valued) = match self.ledger_with(tx, flow, (first_day, day))? {
                Ledger::OfBank => return Ok(None),
                Ledger::Unknown => continue,
                Ledger::Has { balance, is_valued } => (balance, is_valued),
            };
            let Some(closing) = closing else { continue };
            let difference = ledger.checked_sub(closing);
            // What a valuation set doesn't differ as the statement before did.
            let is_as_before = |it: &i64| !is_valued && before_differed.contains(it);
            if difference == Some(0) || difference.as_ref().is_some_and(is_as_before) {
                return Ok(None);
            }
            let is_opposite = self.is_opposite(ledger, closing);
            if is_opposite && was_opposite {
                return Ok(None);
            }
            shown = Some((day, closing, ledger));
        }
        Ok(Some(match shown {
            Some(shown) => self.sentence(shown, before),
            None => format!(
                "The closing balance can't be compared with what {} has on {last}: rows may be \
                 missing, or amounts may be wrong",
                self.name
            ),
        }))
    }

    /// Whether a balance agrees if the bank writes what is owed without a minus, as some do.
    fn is_opposite(&self, ledger: i64, closing: i64) -> bool {
        self.classification == Classification::Liability
            && closing != 0
            && ledger.checked_add(closing) == Some(0)
    }

    /// How the ledger may differ from the bank as it did before. A statement that agreed proves
    /// that nothing is missing; where two readings of it differ, the one counts that the statement
    /// before it had, too.
    fn usual_differences(
        &self,
        tx: &mut FamilyTx<'_>,
        before: Option<&BankStatement>,
        one_more: Option<&BankStatement>,
    ) -> Result<Vec<i64>> {
        let its = self.differences(tx, before)?;
        if its.contains(&0) {
            return Ok(vec![0]);
        }
        let earlier = self.differences(tx, one_more)?;
        let both: Vec<i64> = its.iter().copied().filter(|it| earlier.contains(it)).collect();
        Ok(if both.is_empty() { its } else { both })
    }

    /// What the ledger has more than the bank after a statement, at the end of the day of its
    /// balance and of its last day: entries between them are part of the balance or not.
    fn differences(
        &self,
        tx: &mut FamilyTx<'_>,
        before: Option<&BankStatement>,
    ) -> Result<Vec<i64>> {
        let Some(before) = before else { return Ok(Vec::new()) };
        let (Some(ledger), Some(closing)) = (before.comparison.ledger, before.ends.closing) else {
            return Ok(Vec::new());
        };
        let later = balances::at_end_of(tx, self.id, before.ends.last_day)?;
        Ok([ledger, later].iter().filter_map(|ledger| ledger.checked_sub(closing)).collect())
    }

    /// Whether the ledger has anything of the account before a day.
    fn has_history(&self, tx: &mut FamilyTx<'_>, first_day: Date) -> Result<bool> {
        if balances::first_day(tx, self.id)?.is_some_and(|day| day < first_day) {
            return Ok(true);
        }
        let before = first_day.yesterday().unwrap_or(first_day);
        Ok(balances::at_end_of(tx, self.id, before)? != 0)
    }

    /// What the account has at the end of a day once the rows are added.
    fn ledger_with(
        &self,
        tx: &mut FamilyTx<'_>,
        flow: Option<&PlannedFlow>,
        (first_day, day): (Date, Date),
    ) -> Result<Ledger> {
        let Some(since) = balances::follows_since(tx, self.id, day)? else {
            return Ok(Ledger::OfBank);
        };
        let is_valued = since >= first_day;
        let flow = match flow {
            None => Some(0),
            Some(flow) if is_valued => {
                let (since, after) = (flow.after(since), flow.after(day));
                since.zip(after).and_then(|(since, after)| since.checked_sub(after))
            }
            Some(flow) => flow.until(day),
        };
        let change = flow.and_then(|flow| flow.checked_mul(self.classification.sign()));
        let ledger = balances::at_end_of(tx, self.id, day)?;
        Ok(match change.and_then(|change| ledger.checked_add(change)) {
            Some(balance) => Ledger::Has { balance, is_valued },
            None => Ledger::Unknown,
        })
    }

    fn sentence(
        &self,
        (day, closing, ledger): (Date, i64, i64),
        before: Option<&BankStatement>,
    ) -> String {
        let money = |amount| money_text(Money::new(amount, self.currency));
        let hint = match self.is_opposite(ledger, closing) {
            true => "; or the bank writes what is owed without a minus, for then it agrees",
            false => "",
        };
        let (closing, ledger) = (money(closing), money(ledger));
        let name = &self.name;
        let (more, what) = match before {
            Some(before) => {
                let day = before.closing_day;
                (format!("; it doesn't follow from the statement of {day} either"), "")
            }
            None => (String::new(), "its opening balance may be another one, "),
        };
        format!(
            "The statement has {closing} at the end of {day}, and {name} would have \
             {ledger}{more}: {what}rows may be missing, or amounts may be wrong{hint}"
        )
    }
}
