//! API keys: who calls, for which family, and what the key may do.
//!
//! Only the SHA-256 of a key is stored, in a directory of its own: the hash alone finds the family.
//! A revoked key loses its hash, so that nothing can find it any more.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::Timestamp;
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::{AccountId, KeyId, UserId};
use purser_core::ledger::input::required_label;
use purser_core::limits::KEYS_MAX;
use purser_core::money::Currency;
use purser_core::named::Named;

use crate::access::{Access, Credential, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Row, Tx, is_foreign_key_violation, statements, vals};
use crate::families::FamilyId;
use crate::jobs::CLOCKS_APART_SECONDS;
use crate::store::{Store, Turn};

statements! {
    /// How many keys work, or would.
    COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM api_keys
        WHERE family_id = $1 AND revoked_at IS NULL";
    /// Inserts a key into the table.
    INSERT = "INSERT INTO api_keys (family_id, id, user_id, name, scope, all_accounts, expires_at,
            created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    /// Stores the hash by which a key is found.
    INSERT_HASH = "INSERT INTO key_hashes (hash, family_id, key_id) VALUES ($1, $2, $3)";
    /// Restricts the key to an account.
    INSERT_ACCOUNT = "INSERT INTO api_key_accounts (family_id, key_id, account_id)
        VALUES ($1, $2, $3)";
    /// A family's keys, oldest first.
    LIST = "SELECT id, user_id, name, scope, all_accounts, expires_at, revoked_at, last_used_at,
            created_at
        FROM api_keys WHERE family_id = $1 ORDER BY id";
    /// Revokes a key for good.
    REVOKE = "UPDATE api_keys SET revoked_at = $1
        WHERE family_id = $2 AND id = $3 AND revoked_at IS NULL";
    /// Whether there is such a key.
    EXISTS = "SELECT 1 FROM api_keys WHERE family_id = $1 AND id = $2";
    /// Removes the hash, so that the key is no longer found.
    DELETE_HASH = "DELETE FROM key_hashes WHERE family_id = $1 AND key_id = $2";
    /// The key with a hash, and its family.
    BY_HASH = "SELECT family_id, key_id FROM key_hashes WHERE hash = $1";
    /// The family of a key that isn't revoked.
    FAMILY_OF = "SELECT family_id FROM key_hashes WHERE key_id = $1";
    /// Everything that a request needs to know about its caller: a row for each account that the
    /// key is restricted to, or one without.
    CALLER = "SELECT f.name, f.currency, f.time_zone, k.name, k.scope, k.user_id, k.all_accounts,
            k.created_at, k.last_used_at, a.account_id
        FROM api_keys k
        JOIN users u ON u.family_id = $1 AND u.id = k.user_id
        JOIN families f ON f.id = $1
        LEFT JOIN api_key_accounts a ON a.family_id = $1 AND a.key_id = k.id
        WHERE k.family_id = $1 AND k.id = $2 AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > $3) AND u.deactivated_at IS NULL
            AND u.deletion_at IS NULL AND f.deletion_at IS NULL";
    /// Whether a key may still be used.
    IS_LIVE = "SELECT 1 FROM api_keys k
        JOIN users u ON u.family_id = $1 AND u.id = k.user_id
        JOIN families f ON f.id = $1
        WHERE k.family_id = $1 AND k.id = $2 AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > $3) AND u.deactivated_at IS NULL
            AND u.deletion_at IS NULL AND f.deletion_at IS NULL";
    /// The accounts of all keys that are restricted to some with this one, but for those that were
    /// revoked before anything that is being published was there, by clocks that may differ so
    /// much.
    ACCOUNTS_OF_KEYS = "SELECT k.key_id, k.account_id FROM api_key_accounts k
        WHERE k.family_id = $1 AND k.key_id IN (SELECT a.key_id FROM api_key_accounts a
            JOIN api_keys y ON y.family_id = $1 AND y.id = a.key_id
            WHERE a.family_id = $1 AND a.account_id = $2
                AND (y.revoked_at IS NULL OR y.revoked_at >= (SELECT MIN(i.created_at)
                    FROM imports i WHERE i.family_id = $1 AND i.status = 'importing') - $3))";
    /// Notes the last use, unless a later one is known.
    TOUCH = "UPDATE api_keys SET last_used_at = $1
        WHERE family_id = $2 AND id = $3 AND (last_used_at IS NULL OR NOT last_used_at > $4)";
}

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The key can only read.
    Read,
    /// The key can read and write.
    ReadWrite,
}

impl Named for Scope {
    const ALL: &'static [Self] = &[Self::Read, Self::ReadWrite];

    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadWrite => "read_write",
        }
    }
}

/// A key that is to be added.
#[derive(Debug, Clone)]
pub struct NewKey<'a> {
    /// The user that the key belongs to.
    pub user: UserId,
    /// The name that people gave it.
    pub name: &'a str,
    /// What it may do.
    pub scope: Scope,
    /// The only accounts that it may see; `None` for all. An empty list allows none.
    pub accounts: Option<&'a [AccountId]>,
    /// The time at which it expires.
    pub expires_at: Option<Timestamp>,
    /// SHA-256 of the whole key.
    pub hash: &'a [u8; 32],
}

/// A key as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The id of the key.
    pub id: KeyId,
    /// The user that the key belongs to.
    pub user: UserId,
    /// The name that people gave it.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// Whether it may see every account.
    pub all_accounts: bool,
    /// The time at which it expires.
    pub expires_at: Option<Timestamp>,
    /// Since when it is revoked.
    pub revoked_at: Option<Timestamp>,
    /// About when it was last used.
    pub last_used_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A key that is valid now, and the family that it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// The family that it belongs to.
    pub family: FamilyId,
    /// The name of the family.
    pub family_name: String,
    /// The currency that the family counts in.
    pub family_currency: Currency,
    /// The family's time zone, an IANA name.
    pub time_zone: String,
    /// The id of the key.
    pub id: KeyId,
    /// What people call the key.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// The user that the key belongs to.
    pub user: UserId,
    /// The only accounts that it may see; `None` for all.
    pub accounts: Option<HashSet<AccountId>>,
    /// When it was made.
    pub created_at: Timestamp,
    /// About when it was last used.
    pub last_used_at: Option<Timestamp>,
}

impl KeyRecord {
    /// What the key may reach.
    pub fn access(&self) -> Access {
        let accounts = self.accounts.as_ref().map(|accounts| accounts.iter().copied().collect());
        let access = Access::restricted(self.family, accounts, Actor::Key(self.id));
        access.by(Credential::Key(self.id))
    }
}

/// Adds a key. Its accounts and its user must be of the family.
pub fn create(tx: &mut FamilyTx<'_>, key: &NewKey<'_>) -> Result<KeyId> {
    let family = tx.family();
    let mut problems = Problems::new();
    let name = required_label("name", key.name, &mut problems);
    problems.into_result()?;
    if tx.query_one(&COUNT, vals![family], |row| row.count(0))? >= KEYS_MAX {
        return Err(Error::invalid(format!("A family has at most {KEYS_MAX} API keys")));
    }
    let (id, now, all) = (tx.new_id()?, tx.now(), key.accounts.is_none());
    let scope = key.scope.name();
    tx.execute(&INSERT, vals![family, id, key.user, name, scope, all, key.expires_at, now])
        .map_err(|error| not_found_if_dangling(error, "User"))?;
    tx.execute(&INSERT_HASH, vals![key.hash, family, id])?;
    let accounts: HashSet<AccountId> = key.accounts.unwrap_or_default().iter().copied().collect();
    for account in accounts {
        tx.execute(&INSERT_ACCOUNT, vals![family, id, account])
            .map_err(|error| not_found_if_dangling(error, "Account"))?;
    }
    Ok(id.into())
}

/// A family's keys, oldest first, revoked ones included.
pub fn list(tx: &mut FamilyTx<'_>) -> Result<Vec<Key>> {
    let family = tx.family();
    tx.query(&LIST, vals![family], |row| {
        Ok(Key {
            id: row.id(0)?,
            user: row.id(1)?,
            name: row.string(2)?,
            scope: scope(row, 3)?,
            all_accounts: row.bool(4)?,
            expires_at: row.opt_timestamp(5)?,
            revoked_at: row.opt_timestamp(6)?,
            last_used_at: row.opt_timestamp(7)?,
            created_at: row.timestamp(8)?,
        })
    })
}

/// What each key sees that is restricted to some accounts with this one. Keys that see the same
/// count once. Revoked ones count if they can have planned what is being published, so not those
/// that were revoked before that was uploaded.
pub fn restrictions_with(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
) -> Result<BTreeSet<BTreeSet<AccountId>>> {
    let (family, apart) = (tx.family(), CLOCKS_APART_SECONDS * 1_000_000);
    let mut of_keys: BTreeMap<KeyId, BTreeSet<AccountId>> = BTreeMap::new();
    tx.for_each(&ACCOUNTS_OF_KEYS, vals![family, account, apart], |row| {
        of_keys.entry(row.id(0)?).or_default().insert(row.id(1)?);
        Ok(())
    })?;
    Ok(of_keys.into_values().collect())
}

/// Ends a key, from the next request on. Again changes nothing.
pub fn revoke(tx: &mut FamilyTx<'_>, key: KeyId) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    if tx.execute(&REVOKE, vals![now, family, key])? == 1 {
        tx.execute(&DELETE_HASH, vals![family, key])?;
        return Ok(());
    }
    tx.query_opt(&EXISTS, vals![family, key], |_| Ok(()))?
        .ok_or(Error::NotFound { what: "API key" })
}

/// Access to the family of a key; `None` if it is revoked, or there is no such key.
pub fn family_of(tx: &mut Tx<'_>, key: KeyId, actor: Actor) -> Result<Option<Access>> {
    tx.query_opt(&FAMILY_OF, vals![key], |row| {
        Ok(Access::whole(FamilyId::from_number(row.int(0)?), actor))
    })
}

/// The caller that a key's hash belongs to; `None` alike for unknown, revoked and expired keys and
/// for deactivated users. The directory has the family; all else is read from the family's rows,
/// as the family's own read.
pub async fn authenticate(store: &Store, hash: [u8; 32]) -> Result<Option<KeyRecord>> {
    store.read_by_directory(move |tx| by_hash(tx, &hash), caller).await
}

fn by_hash(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<(Access, KeyId)>> {
    tx.query_opt(&BY_HASH, vals![hash], |row| {
        let key = row.id(1)?;
        Ok((Access::whole(FamilyId::from_number(row.int(0)?), Actor::Key(key)), key))
    })
}

fn caller(tx: &mut FamilyTx<'_>, key: KeyId) -> Result<Option<KeyRecord>> {
    // The time after the wait for the family's turn: the key may have expired meanwhile.
    let (family, now) = (tx.family(), tx.now());
    let mut found: Option<KeyRecord> = None;
    tx.for_each(&CALLER, vals![family, key, now], |row| {
        let record = match &mut found {
            Some(record) => record,
            None => found.insert(read_caller(row, family, key)?),
        };
        if let (Some(accounts), Some(account)) = (&mut record.accounts, row.opt_id(9)?) {
            accounts.insert(account);
        }
        Ok(())
    })?;
    Ok(found)
}

/// The code of the error of a write with a key that was revoked, or of which the user was shut out,
/// while its request waited.
pub const UNAUTHORIZED: &str = "unauthorized";

/// Refuses what a key may not do any more.
pub(crate) fn require_live(tx: &mut FamilyTx<'_>, key: KeyId) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    tx.query_opt(&IS_LIVE, vals![family, key, now], |_| Ok(()))?.ok_or_else(|| Error::Forbidden {
        code: UNAUTHORIZED,
        message: "The API key was revoked meanwhile".to_owned(),
    })
}

/// Reads all but the accounts that a restricted key may see.
fn read_caller(row: &Row<'_>, family: FamilyId, key: KeyId) -> Result<KeyRecord> {
    Ok(KeyRecord {
        family,
        family_name: row.string(0)?,
        family_currency: row.currency(1)?,
        time_zone: row.string(2)?,
        id: key,
        name: row.string(3)?,
        scope: scope(row, 4)?,
        user: row.id(5)?,
        accounts: (!row.bool(6)?).then(HashSet::new),
        created_at: row.timestamp(7)?,
        last_used_at: row.opt_timestamp(8)?,
    })
}

/// Uses of keys that are noted in one commit.
const TOUCHED_AT_ONCE: usize = 500;

/// A key, and when it was used.
pub type KeyUse = (FamilyId, KeyId, Timestamp);

/// Notes when keys were last used; collected, because a write for each request would be too many.
/// Many are one commit, which waits only briefly for rows that somebody else has locked, because
/// whoever revokes one of its keys waits for it; where families are spread over machines, each has
/// its own. What can't be written just now is returned. It never waits for a family's lock.
pub async fn touch_last_used(store: &Store, mut uses: Vec<KeyUse>) -> Result<Vec<KeyUse>> {
    // In one order, so that two nodes don't wait for each other.
    uses.sort_unstable_by_key(|(family, key, _)| (*family, *key));
    if !store.is_distributed() {
        let mut left = Vec::new();
        for part in uses.chunks(TOUCHED_AT_ONCE) {
            let touched = part.to_vec();
            let work = move |tx: &mut Tx<'_>| {
                tx.limit_time()?;
                touch(tx, &touched)
            };
            match store.write_directory(work).await {
                Err(Error::Unavailable { .. }) => left.extend_from_slice(part),
                written => written?,
            }
        }
        return Ok(left);
    }
    let mut families: BTreeMap<FamilyId, Vec<KeyUse>> = BTreeMap::new();
    for one in uses {
        families.entry(one.0).or_default().push(one);
    }
    let families = families
        .into_iter()
        .map(|(family, uses)| (Access::whole(family, Actor::System), uses))
        .collect();
    let work = |tx: &mut FamilyTx<'_>, uses: &Vec<KeyUse>| touch(tx, uses);
    let swept = store.sweep("the last use of keys", families, Turn::Skip, work).await;
    Ok(swept.left.into_iter().flat_map(|(_, uses)| uses).collect())
}

fn touch(tx: &mut Tx<'_>, uses: &[KeyUse]) -> Result<()> {
    for (family, key, at) in uses {
        tx.execute(&TOUCH, vals![*at, *family, *key, *at])?;
    }
    Ok(())
}

fn scope(row: &Row<'_>, column: usize) -> Result<Scope> {
    Scope::named(row.text(column)?).ok_or_else(|| Error::internal("an unknown scope"))
}

fn not_found_if_dangling(error: Error, what: &'static str) -> Error {
    if is_foreign_key_violation(&error) { Error::NotFound { what } } else { error }
}
