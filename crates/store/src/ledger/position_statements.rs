//! Positions as a provider reports them, for the end of a day.

use std::collections::BTreeSet;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, SecurityId};
use purser_core::money::Currency;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Executor;
use super::positions::put_holdings;
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// What was reported of a position for a day.
    POSITION_REPORT = "SELECT qty, price, currency, cost_total, cost_qty, import_id
        FROM position_statements
        WHERE family_id = $1 AND account_id = $2 AND security_id = $3 AND date = $4";
    /// Adds a report, or replaces that of the day.
    POSITION_REPORT_PUT = "INSERT INTO position_statements (family_id, account_id, security_id,
            date, qty, price, currency, cost_total, cost_qty, import_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (family_id, account_id, security_id, date) DO UPDATE
        SET qty = excluded.qty, price = excluded.price, currency = excluded.currency,
            cost_total = excluded.cost_total, cost_qty = excluded.cost_qty,
            import_id = excluded.import_id";
    /// Removes a report.
    POSITION_REPORT_REMOVE = "DELETE FROM position_statements
        WHERE family_id = $1 AND account_id = $2 AND security_id = $3 AND date = $4";
}

/// What a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReportKey {
    /// The account that holds it.
    pub(crate) account: AccountId,
    /// The security that is held.
    pub(crate) security: SecurityId,
    /// The day of the report.
    pub(crate) date: Date,
}

/// A report as it is kept before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReportImage {
    /// The number of units.
    pub(crate) quantity: String,
    /// The price of one unit.
    pub(crate) price: Option<String>,
    /// The currency of the price.
    pub(crate) currency: Currency,
    /// What so many units cost, in the account's currency.
    pub(crate) cost: Option<(i64, String)>,
    /// The import that brought it.
    pub(crate) import: Option<Uuid>,
}

/// What was reported of a position for a day, if anything was.
pub(crate) fn report(tx: &mut FamilyTx<'_>, key: ReportKey) -> Result<Option<ReportImage>> {
    let ReportKey { account, security, date } = key;
    let family = tx.family();
    tx.query_opt(&POSITION_REPORT, vals![family, account, security, date], |row| {
        Ok(ReportImage {
            quantity: row.string(0)?,
            price: row.opt_string(1)?,
            currency: row.currency(2)?,
            cost: row.opt_int(3)?.zip(row.opt_string(4)?),
            import: row.opt_uuid(5)?,
        })
    })
}

impl Executor {
    /// Reports a position for a day in the place of what was reported before, or takes the report
    /// back.
    pub(crate) fn report_position(
        &mut self,
        tx: &mut FamilyTx<'_>,
        key: ReportKey,
        after: Option<&ReportImage>,
    ) -> Result<()> {
        let ReportKey { account, security, date } = key;
        let family = self.family;
        // The fold that goes on from a checkpoint finds the account by the row of its position.
        put_holdings(tx, security, &BTreeSet::from([account]))?;
        match after {
            Some(ReportImage { quantity, price, currency, cost, import }) => {
                let (total, of) = cost.as_ref().map(|(total, of)| (*total, of.as_str())).unzip();
                let values = vals![
                    family,
                    account,
                    security,
                    date,
                    quantity,
                    price.as_deref(),
                    currency.code(),
                    total,
                    of,
                    *import
                ];
                tx.execute(&POSITION_REPORT_PUT, values)?;
            }
            None => {
                let values = vals![family, account, security, date];
                tx.execute(&POSITION_REPORT_REMOVE, values)?;
            }
        }
        self.positions.refold_from(security, date);
        Ok(())
    }
}
