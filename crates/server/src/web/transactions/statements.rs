//! The bank statements that have a transaction, for its page.

use purser_app::FamilyTx;
use purser_app::bank_statements::{self, BankStatement, Listing};
use purser_core::error::Error;
use purser_core::ids::EntryId;

use crate::web::view;

/// Statements that are shown; more than a few are copies of one.
const SHOWN_MAX: i64 = 5;

/// A bank statement with a line for the transaction.
pub(super) struct StatementView {
    pub(super) account: String,
    pub(super) period: String,
    pub(super) state: String,
}

/// The statements of a transaction, the latest first.
pub(super) fn of(tx: &mut FamilyTx<'_>, transaction: EntryId) -> Result<Vec<StatementView>, Error> {
    let its = Listing { transaction: Some(transaction), ..Listing::default() };
    let (found, _) = bank_statements::list(tx, &its, SHOWN_MAX, 0)?;
    Ok(found.into_iter().map(StatementView::from).collect())
}

impl From<BankStatement> for StatementView {
    fn from(one: BankStatement) -> Self {
        let (first, last) = (view::day(one.ends.first_day), view::day(one.ends.last_day));
        Self {
            account: one.account.to_string(),
            period: format!("{first} – {last}"),
            state: one.comparison.text(one.currency),
        }
    }
}
