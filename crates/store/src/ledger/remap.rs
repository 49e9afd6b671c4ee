//! Another security of a position: its trades and what a provider reported of it.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use serde_json::json;

use super::Executor;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Whether shares of a position were moved from or to another account.
    TRADES_MOVED = "SELECT COUNT(*) FROM trades t
        JOIN ledger_entries e ON e.family_id = $1 AND e.id = t.entry_id
        WHERE t.family_id = $1 AND t.security_id = $2 AND e.account_id = $3
            AND t.counterpart_id IS NOT NULL";
    /// All trades of an account in one security become trades in another.
    TRADES_REMAP = "UPDATE trades SET security_id = $1
        WHERE family_id = $2 AND security_id = $3 AND entry_id IN (
            SELECT e.id FROM ledger_entries e
            WHERE e.family_id = $2 AND e.account_id = $4 AND e.kind = 2)";
    /// Days on which a provider stated both.
    STATED_TWICE = "SELECT COUNT(*) FROM position_statements p
        JOIN position_statements o ON o.family_id = $1 AND o.account_id = p.account_id
            AND o.date = p.date
        WHERE p.family_id = $1 AND p.account_id = $2 AND p.security_id = $3
            AND o.security_id = $4";
    /// What a provider stated of the one, it stated of the other.
    STATEMENTS_REMAP = "UPDATE position_statements SET security_id = $1
        WHERE family_id = $2 AND account_id = $3 AND security_id = $4";
    /// What bank statements of the account state of the one, they state of the other.
    BANK_STATEMENTS_REMAP = "UPDATE bank_statement_positions SET security_id = $1
        WHERE family_id = $2 AND statement_id IN (SELECT s.id FROM bank_statements s
                WHERE s.family_id = $2 AND s.account_id = $3)
            AND security_id = $4";
    /// What a provider calls the one is the other one from now on.
    CLUES_REMAP = "UPDATE sync_holdings SET security_id = $1
        WHERE family_id = $2 AND account_id = $3 AND security_id = $4";
}

impl Executor {
    /// Makes everything that is known of an account's position in a security that of another one.
    pub(crate) fn remap_position(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: AccountId,
        (from, to): (SecurityId, SecurityId),
    ) -> Result<()> {
        let family = Val::from(self.family);
        let moved = [family, from.into(), account.into()];
        if tx.query_one(&TRADES_MOVED, &moved, |row| row.int(0))? > 0 {
            return Err(Error::invalid(
                "Shares of the position were moved between accounts: its security can't change",
            ));
        }
        let stated = [family, account.into(), from.into(), to.into()];
        if tx.query_one(&STATED_TWICE, &stated, |row| row.int(0))? > 0 {
            return Err(Error::invalid(
                "The provider states both securities on one day: they can't be one position",
            ));
        }
        let trades = [to.into(), family, from.into(), account.into()];
        let count = tx.execute(&TRADES_REMAP, &trades)?;
        let stated = [to.into(), family, account.into(), from.into()];
        tx.execute(&STATEMENTS_REMAP, &stated)?;
        tx.execute(&BANK_STATEMENTS_REMAP, &stated)?;
        tx.execute(&CLUES_REMAP, &stated)?;
        self.accounts.touch(tx, account.0)?;
        for security in [from, to] {
            // What was stated of the position is of another security, too.
            self.positions.refold(security);
            self.positions.touch(security, Date::MIN);
        }
        self.notes.push(json!({ "account": account, "from": from, "to": to, "trades": count }));
        Ok(())
    }
}
