//! Corrections of balances that are part of openings.
//!
//! Programs write a correction of a balance as a transfer of an account to itself. Earlier versions
//! added those up with its opening balance. So when the same file comes again and has grown, the
//! account has in its opening what the file has as records: the first ones, as many as make up the
//! difference between both openings to the last digit, are left out.

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::import::layout::Layout;
use purser_core::import::register::CORRECTION;
use purser_core::import::transaction::balance::Sense;
use purser_core::import::verdict::Verdict;
use purser_core::plan::Target;
use purser_formats::records::Visited;
use purser_store::FamilyTx;
use purser_store::imports::{Plan, Planned};
use purser_store::{accounts, balances};
use uuid::Uuid;

use super::destinations::Destinations;

/// Why a correction isn't added.
pub(in crate::imports) const IN_OPENING: &str =
    "The opening balance of its account has it already; choose create to add it all the same";

/// A record that corrects the balance of its account.
#[derive(Clone, Copy)]
struct Correction {
    row: u64,
    date: Date,
    /// Positive is money out.
    amount: i64,
}

/// Those of a file by accounts that exist, in its order.
#[derive(Default)]
pub(super) struct Corrections(HashMap<Uuid, Vec<Correction>>);

/// Whether a record is a correction of the balance of its account.
pub(in crate::imports) fn is_correction(layout: &Layout, visited: &Visited<'_>) -> bool {
    let register = layout.columns.register;
    register.is_some_and(|register| visited.cells.get(register.role) == CORRECTION)
}

impl Corrections {
    /// Takes one that may be added to an account.
    pub(super) fn push(&mut self, account: Uuid, row: u64, (date, amount): (Date, i64)) {
        self.0.entry(account).or_default().push(Correction { row, date, amount });
    }

    /// Leaves out what the openings of the accounts have. Returns what that comes to, by account
    /// and day.
    pub(super) fn leave_out(
        self,
        tx: &mut FamilyTx<'_>,
        layout: &Layout,
        destinations: &mut Destinations,
        plan: &mut Plan,
    ) -> Result<Vec<(Uuid, Date, i128)>> {
        let mut left_out = Vec::new();
        for (account, corrections) in self.0 {
            let mut stated = 0_i128;
            for its in &layout.openings {
                let target = destinations.names.account(Some(&its.account), its.currency);
                if target == Some(Target::Existing(account)) {
                    stated += i128::from(its.amount);
                }
            }
            let id = AccountId(account);
            let classification = accounts::summary(tx, id)?.account_type.classification();
            let opening = balances::at_end_of(tx, id, Date::MIN)?;
            let Some(opening) = Sense::Money.in_account(opening, classification) else { continue };
            let difference = i128::from(opening) - stated;
            let count = part_of(difference, corrections.iter().map(|one| one.amount));
            for one in corrections.iter().take(count) {
                if plan.blocks().get(one.row)?.verdict == Verdict::Create {
                    plan.set(one.row, Planned { verdict: Verdict::LeftOut, record: None })?;
                    left_out.push((account, one.date, i128::from(one.amount)));
                }
            }
        }
        Ok(left_out)
    }
}

/// How many of the first corrections an opening has that differs by so much from the stated one.
fn part_of(difference: i128, amounts: impl Iterator<Item = i64>) -> usize {
    let mut rest = difference;
    if rest == 0 {
        return 0;
    }
    for (at, amount) in amounts.enumerate() {
        rest += i128::from(amount);
        if rest == 0 {
            return at + 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_corrections_that_make_up_the_difference_are_in_the_opening() {
        // Money out is positive, and lowers the opening.
        let of = |difference| part_of(difference, [20, 5, -7].into_iter());
        let found = [0, -20, -25, -18, -5, 7].map(of);
        assert_eq!(found, [0, 1, 2, 3, 0, 0]);
    }
}
