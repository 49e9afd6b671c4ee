//! The job that removes a large account, slice by slice: running it again removes the next slice.

use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_store::{FamilyTx, accounts, jobs};
use serde::{Deserialize, Serialize};

use crate::jobs::job::{Job, Work, is_found};

/// Removes an account that is hidden already, with everything that belongs to it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoveAccount {
    pub(crate) account: AccountId,
}

impl Job for RemoveAccount {
    const KIND: &'static str = "account.remove";

    fn dedupe_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.account))
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        let is_gone = || {
            work.write(|tx| {
                let is_gone = accounts::remove_more(tx, self.account)?;
                if is_gone {
                    jobs::complete(tx, work.claim)?;
                } else {
                    jobs::end_part(tx, work.claim)?;
                }
                Ok(is_gone)
            })
        };
        while !is_gone()? {}
        Ok(())
    }

    /// Another request may have removed it since.
    fn take_up_again(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        is_found(accounts::get(tx, self.account))
    }
}
