//! Which securities a key that is restricted to chosen accounts may see: what its accounts hold,
//! held or traded.

use std::collections::BTreeSet;

use purser_core::error::Result;
use purser_core::ids::{AccountId, SecurityId};

use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Securities that accounts hold or held.
    HELD = "SELECT DISTINCT security_id FROM holdings WHERE family_id = $1 AND account_id = ANY($2)";
    /// Securities that accounts traded.
    TRADED = "SELECT DISTINCT t.security_id FROM ledger_entries e
        JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.kind = 2 AND e.account_id = ANY($2)";
}

/// The securities that may be seen.
#[derive(Debug, Clone)]
pub(crate) struct VisibleIds(Option<BTreeSet<SecurityId>>);

impl VisibleIds {
    /// The condition for visible securities.
    pub(crate) fn read(tx: &mut FamilyTx<'_>) -> Result<Self> {
        let visible = tx.accounts();
        let Some(accounts) = visible.only() else { return Ok(Self(None)) };
        Self::of(tx, accounts.iter().copied().collect())
    }

    /// Those of some accounts.
    pub(crate) fn of(tx: &mut FamilyTx<'_>, accounts: BTreeSet<AccountId>) -> Result<Self> {
        let family = tx.family();
        let mut seen = BTreeSet::new();
        let accounts: Vec<Val<'_>> = accounts.into_iter().map(Into::into).collect();
        for sql in [&HELD, &TRADED] {
            tx.lookup(sql, &[family.into()], &accounts, |row| {
                seen.insert(row.id(0)?);
                Ok(())
            })?;
        }
        Ok(Self(Some(seen)))
    }

    /// Whether a security may be seen, if the family has it.
    pub(crate) fn shows(&self, id: SecurityId) -> bool {
        self.0.as_ref().is_none_or(|seen| seen.contains(&id))
    }

    /// All that may be seen; none if there is no restriction.
    pub(crate) fn ids(&self) -> Option<Vec<SecurityId>> {
        self.0.as_ref().map(|seen| seen.iter().copied().collect())
    }
}
