//! What a run asks its provider for: which days of which account.

use std::collections::{HashMap, HashSet};

use purser_core::connection::holdings::are_asked_for;
use purser_core::error::{Error, Result};
use purser_core::ids::FoundAccountId;
use purser_providers::TransactionRequest;
use purser_providers::window::Window;
use purser_store::connections::found::FoundAccount;
use purser_store::{FamilyTx, sync_rows};

use crate::sync::{self, LinkedAccount, Planner, RunSettings};

/// What a run asks for, as it was decided when it had the list of accounts.
pub(super) struct Questions {
    /// What holds for all accounts of the run.
    pub(super) settings: RunSettings,
    /// The days of the transactions of each linked account.
    windows: HashMap<FoundAccountId, Window>,
    /// The accounts that are asked for their holdings.
    with_holdings: HashSet<FoundAccountId>,
}

impl Questions {
    /// The days of each linked account. A provider that answers for all accounts at once is asked
    /// for the same days of all.
    pub(super) fn of(
        tx: &mut FamilyTx<'_>,
        settings: RunSettings,
        accounts: &[FoundAccount],
    ) -> Result<Self> {
        let (mut windows, mut with_holdings) = (HashMap::new(), HashSet::new());
        let now = tx.now();
        for found in accounts {
            let Some(account) = found.account else { continue };
            let linked = LinkedAccount {
                account,
                watermark: found.watermark,
                stated: found.newest_currency(),
            };
            windows.insert(found.id, sync::window(tx, &linked, &settings)?);
            let (account_type, _) = sync_rows::account_of(tx, account)?;
            if are_asked_for(account_type, found.holdings_unsupported_at, now) {
                with_holdings.insert(found.id);
            }
        }
        let widest = windows.values().copied().reduce(|one: Window, other| {
            Window::new(one.from().min(other.from()), one.to().max(other.to())).unwrap_or(one)
        });
        if let Some(widest) = widest.filter(|_| settings.provider.traits().answers_for_all_accounts)
        {
            windows.values_mut().for_each(|window| *window = widest);
        }
        Ok(Self { settings, windows, with_holdings })
    }

    /// Whether the account is asked for its holdings.
    pub(super) fn asks_for_holdings_of(&self, account: &FoundAccount) -> bool {
        self.with_holdings.contains(&account.id)
    }

    /// The transactions that are asked for of an account; none of one that isn't linked.
    pub(super) fn transactions_of(&self, account: &FoundAccount) -> Option<TransactionRequest> {
        let window = self.windows.get(&account.id).copied()?;
        Some(TransactionRequest { window, pending: self.settings.include_pending })
    }
}

impl RunSettings {
    /// The settings of a run that begins now.
    pub(super) fn of(
        tx: &mut FamilyTx<'_>,
        sync: purser_core::ids::SyncId,
        provider: purser_providers::ProviderKind,
        (include_pending, first_days, planner): (bool, u32, Planner),
    ) -> Result<Self> {
        let zone = purser_store::families::get(tx)?.time_zone;
        let time_zone = jiff::tz::TimeZone::get(&zone).map_err(Error::internal)?;
        let today = tx.now().to_zoned(time_zone.clone()).date();
        Ok(Self { sync, today, time_zone, include_pending, provider, first_days, planner })
    }
}
