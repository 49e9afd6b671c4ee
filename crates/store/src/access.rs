//! Access to a family's data: the family, the visible accounts, and the actor.
//!
//! Only this crate makes an [`Access`]: by authentication, from a claimed job, or from a
//! [`Family`] that the command line named. A transaction that is opened with one is a
//! [`FamilyTx`], so a caller that can reach data of a family can reach that family only.
//! Directories (sign-in names, hashes of keys, jobs) keep the plain [`Tx`].

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use purser_core::error::Result;
use purser_core::ids::{AccountId, KeyId};

use crate::accounts::AccountSummary;
use crate::audit::Actor;
use crate::driver::{Dialect, RowScope, Tx};
use crate::families::{self, Family, FamilyId};
use crate::sessions::SessionHash;
use crate::{keys, sessions};

/// What a transaction may reach, and the actor of its changes; cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    family: FamilyId,
    accounts: VisibleAccounts,
    actor: Actor,
    credential: Option<Credential>,
}

/// What somebody came in with. It may end while their request waits, so each write looks at it once
/// more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credential {
    /// The API key of a request.
    Key(KeyId),
    /// A session of the web pages.
    Session(SessionHash),
}

/// The accounts of the family that may be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VisibleAccounts {
    /// Every account, those of the future included.
    All,
    /// Only these; maybe none.
    Only(Arc<[AccountId]>),
}

impl Access {
    /// Access to every account of a family.
    pub(crate) fn whole(family: FamilyId, actor: Actor) -> Self {
        Self { family, accounts: VisibleAccounts::All, actor, credential: None }
    }

    /// Access that is restricted to chosen accounts, if there is such a choice.
    pub(crate) fn restricted(
        family: FamilyId,
        accounts: Option<Arc<[AccountId]>>,
        actor: Actor,
    ) -> Self {
        let accounts = accounts.map_or(VisibleAccounts::All, VisibleAccounts::Only);
        Self { family, accounts, actor, credential: None }
    }

    /// The same access of somebody who came in with this.
    pub(crate) fn by(self, credential: Credential) -> Self {
        Self { credential: Some(credential), ..self }
    }

    /// The family that the data belongs to.
    pub fn family(&self) -> FamilyId {
        self.family
    }

    /// The accounts that may be seen.
    pub fn accounts(&self) -> &VisibleAccounts {
        &self.accounts
    }

    /// Who acts, for the audit trail.
    pub fn actor(&self) -> Actor {
        self.actor
    }

    /// The system's access to the whole family, to take back what somebody has begun who may do
    /// nothing any more.
    pub fn of_system(&self) -> Self {
        Self::whole(self.family, Actor::System)
    }

    /// The same access in the name of somebody else.
    pub fn acting_as(self, actor: Actor) -> Self {
        Self { actor, ..self }
    }
}

/// Tests name a family by its number alone.
#[cfg(test)]
impl From<FamilyId> for Access {
    fn from(family: FamilyId) -> Self {
        Self::whole(family, Actor::CommandLine)
    }
}

impl VisibleAccounts {
    /// Whether an account may be seen.
    pub fn allows(&self, account: AccountId) -> bool {
        self.only().is_none_or(|accounts| accounts.contains(&account))
    }

    /// Whether what is in an account may be seen; what is in none is for those only who see all.
    pub fn covers(&self, account: Option<AccountId>) -> bool {
        account.map_or(!self.is_restricted(), |account| self.allows(account))
    }

    /// Whether lists show what is in an account: it may be seen, and its status doesn't hide it.
    pub(crate) fn shows(&self, account: &AccountSummary) -> bool {
        account.status.is_visible() && self.allows(account.id)
    }

    /// Whether there may be accounts that may not be seen.
    pub fn is_restricted(&self) -> bool {
        self.only().is_some()
    }

    /// The only accounts that may be seen; `None` means all.
    pub fn only(&self) -> Option<&[AccountId]> {
        match self {
            Self::All => None,
            Self::Only(accounts) => Some(accounts),
        }
    }
}

/// An open transaction on a family's data. It commits when the closure that got it returns `Ok`.
pub struct FamilyTx<'a> {
    tx: Tx<'a>,
    access: Access,
    /// The family as it was read with its lock, in a write.
    locked_family: Option<Family>,
}

impl<'a> Tx<'a> {
    /// Runs a part of the transaction on a family's data.
    pub fn with_access<T>(
        &mut self,
        access: Access,
        work: impl FnOnce(&mut FamilyTx<'a>) -> Result<T>,
    ) -> Result<T> {
        self.with_row_scope(RowScope::Family(access.family.number()), |tx| {
            tx.lend_with(access, None, work)
        })
    }

    /// Runs a write of a family's data. It waits until no other node writes for the family; the
    /// transaction's time is taken after that. Refused if what the caller came in with has ended
    /// by then.
    pub(crate) fn with_lock<T>(
        &mut self,
        access: Access,
        work: impl FnOnce(&mut FamilyTx<'a>) -> Result<T>,
    ) -> Result<T> {
        self.with_row_scope(RowScope::Family(access.family.number()), |tx| {
            let family = families::lock(tx, access.family)?;
            tx.take_time();
            tx.lend_with(access, Some(family), |tx| {
                tx.require_credential()?;
                work(tx)
            })
        })
    }

    /// As [`Tx::with_lock`], but it doesn't wait long for the family's rows.
    pub(crate) fn with_lock_briefly<T>(
        &mut self,
        access: Access,
        work: impl FnOnce(&mut FamilyTx<'a>) -> Result<T>,
    ) -> Result<T> {
        self.limit_time()?;
        self.with_lock(access, work)
    }

    /// As [`Tx::with_access`], for a transaction that doesn't wait long for the family's rows.
    pub(crate) fn with_access_briefly<T>(
        &mut self,
        access: Access,
        work: impl FnOnce(&mut FamilyTx<'a>) -> Result<T>,
    ) -> Result<T> {
        self.limit_time()?;
        self.with_access(access, work)
    }

    /// Limits how long the statements of the transaction may take.
    pub(crate) fn limit_time(&mut self) -> Result<()> {
        self.script_of_postgres("SET LOCAL statement_timeout = '2s'; SET LOCAL lock_timeout = '1s'")
    }

    /// Limits how long the statements may take that make a family: the machine that is to have it
    /// may hang.
    pub(crate) fn limit_time_of_founding(&mut self) -> Result<()> {
        self.script_of_postgres("SET LOCAL statement_timeout = '10s'")
    }

    fn script_of_postgres(&mut self, text: &str) -> Result<()> {
        match self.dialect() {
            Dialect::Sqlite => Ok(()),
            Dialect::Postgres => self.script(text),
        }
    }

    /// Runs what belongs to no family, or to all of them: directories, claims of jobs, migrations,
    /// the check. Only the store's functions for directories open a transaction so.
    pub(crate) fn with_every_family<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.with_row_scope(RowScope::EveryFamily, work)
    }

    fn lend_with<T>(
        &mut self,
        access: Access,
        locked_family: Option<Family>,
        work: impl FnOnce(&mut FamilyTx<'a>) -> Result<T>,
    ) -> Result<T> {
        self.lend(|tx| {
            let mut tx = FamilyTx { tx, access, locked_family };
            let result = work(&mut tx);
            (tx.tx, result)
        })
    }

    /// Runs a part of the transaction on everything of one family, for what looks at all of them.
    pub(crate) fn of_family<T>(
        &mut self,
        family: FamilyId,
        work: impl FnOnce(&mut FamilyTx<'a>) -> Result<T>,
    ) -> Result<T> {
        self.with_access(Access::whole(family, Actor::System), work)
    }
}

impl<'a> FamilyTx<'a> {
    /// The family that the data belongs to.
    pub fn family(&self) -> FamilyId {
        self.access.family
    }

    /// The accounts that may be seen.
    pub fn accounts(&self) -> VisibleAccounts {
        self.access.accounts.clone()
    }

    /// Who acts, for the audit trail.
    pub fn actor(&self) -> Actor {
        self.access.actor
    }

    fn require_credential(&mut self) -> Result<()> {
        match self.access.credential {
            None => Ok(()),
            Some(Credential::Key(key)) => keys::require_live(self, key),
            Some(Credential::Session(hash)) => sessions::require(self, &hash),
        }
    }

    /// What this transaction was opened with.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// The family as it was read with its lock, if this is a write that has not changed it.
    pub(crate) fn locked_family(&self) -> Option<&Family> {
        self.locked_family.as_ref()
    }

    /// The family's settings change: they are read again.
    pub(crate) fn forget_locked_family(&mut self) {
        self.locked_family = None;
    }

    /// Whether an account may be seen.
    pub fn allows(&self, account: AccountId) -> bool {
        self.access.accounts.allows(account)
    }

    /// Runs a part of the transaction that needs accounts which the caller may not see: what must
    /// hold for the whole family. Nothing of them may get into the answer.
    pub fn with_all_accounts<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = std::mem::replace(&mut self.access.accounts, VisibleAccounts::All);
        let result = work(self);
        self.access.accounts = before;
        result
    }

    /// Runs a part of a test's transaction as somebody who sees only these accounts, if there are
    /// any.
    #[cfg(test)]
    pub(crate) fn seeing<T>(
        &mut self,
        accounts: Option<&[AccountId]>,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let accounts =
            accounts.map_or(VisibleAccounts::All, |only| VisibleAccounts::Only(only.into()));
        let before = std::mem::replace(&mut self.access.accounts, accounts);
        let result = work(self);
        self.access.accounts = before;
        result
    }

    /// Runs a part of the transaction in the name of somebody else: what follows from an import,
    /// or what the program does by itself.
    pub fn acting_as<T>(
        &mut self,
        actor: Actor,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let before = std::mem::replace(&mut self.access.actor, actor);
        let result = work(self);
        self.access.actor = before;
        result
    }
}

impl<'a> Deref for FamilyTx<'a> {
    type Target = Tx<'a>;

    fn deref(&self) -> &Tx<'a> {
        &self.tx
    }
}

impl<'a> DerefMut for FamilyTx<'a> {
    fn deref_mut(&mut self) -> &mut Tx<'a> {
        &mut self.tx
    }
}
