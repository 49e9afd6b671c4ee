//! The demo: an invented family with data that came in through imports, as everybody's does.
//!
//! It is made in several commits. Each step looks at what is there and adds what is missing, and
//! every start goes through all of them. So if a start is killed, the next one completes its work.
//! Its connection to simulated banks ([`banks`]) is made when the server runs.

pub mod banks;
mod budget;
mod portfolio;
mod statements;

use std::collections::BTreeMap;

use jiff::civil::Date;
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::{AccountId, ImportId, UserId};
use purser_core::import::status::ImportStatus;
use purser_core::ledger::account::AccountType;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_account::AccountInput;
use purser_core::ledger::new_valuation::{ValuationInput, ValuationValues};
use purser_core::money::Currency;
use purser_store::audit::Actor;
use purser_store::families::{self, NewFamily};
use purser_store::files::FileStore;
use purser_store::keys::{self, NewKey, Scope};
use purser_store::system::random_bytes;
use purser_store::users::{self, NewUser, Role};
use purser_store::{Access, FamilyTx, Secret, Store, accounts, imports, valuations};

use crate::api_key::ApiKey;
use crate::imports::local::Local;
use crate::imports::publish::Queued;
use crate::imports::request::Request;
use crate::passwords;
use statements::{Statement, statements};

/// What its user signs in with.
pub const EMAIL: &str = "demo@example.com";
const KEY_NAME: &str = "demo";

const BROKERAGE: &str = "Brokerage";

/// What the demo's family has: name, type, opening balance.
const ACCOUNTS: &[(&str, AccountType, &str)] = &[
    ("Everyday checking", AccountType::Depository, "2450.00"),
    ("Savings", AccountType::Depository, "18000.00"),
    ("Family card", AccountType::CreditCard, "310.00"),
    (BROKERAGE, AccountType::Investment, "9500.00"),
    ("House", AccountType::Property, "0"),
    ("Mortgage", AccountType::Loan, "0"),
];

/// What was estimated from time to time: account, years ago, value.
const VALUATIONS: &[(&str, i32, &str)] = &[
    ("House", 2, "386000.00"),
    ("House", 1, "402500.00"),
    ("House", 0, "411000.00"),
    ("Mortgage", 2, "268400.00"),
    ("Mortgage", 1, "259150.00"),
    ("Mortgage", 0, "249600.00"),
];

/// What opens the demo's data: both are new at each start.
pub struct Credentials {
    /// A key of the API, in clear text.
    pub key: ApiKey,
    /// The password of [`EMAIL`].
    pub password: Secret,
}

/// Makes what is missing of the demo's family, and a new key and password for it. Refuses to mix
/// with other data.
pub fn prepare(store: &Store, files: &FileStore) -> Result<Credentials> {
    let found = store.read_directory_blocking(|tx| users::find_by_email(tx, EMAIL))?;
    let (access, user) = match found {
        Some(sign_in) => (sign_in.access().acting_as(Actor::System), sign_in.user.id),
        None => create_family(store)?,
    };
    complete(store, files, &access)?;
    let (key, password) = (ApiKey::generate()?, password()?);
    let hash = passwords::hash(&password)?;
    store.write_blocking(access, |tx| {
        users::set_password_hash(tx, user, &hash)?;
        // A key can't be shown again, so each start makes its own and ends the one before.
        for old in keys::list(tx)? {
            if old.name == KEY_NAME && old.revoked_at.is_none() {
                keys::revoke(tx, old.id)?;
            }
        }
        let new = NewKey {
            user,
            name: KEY_NAME,
            scope: Scope::ReadWrite,
            accounts: None,
            expires_at: None,
            hash: &key.hash(),
        };
        keys::create(tx, &new)
    })?;
    Ok(Credentials { key, password })
}

/// Whether the data is the demo's.
pub fn is_there(store: &Store) -> Result<bool> {
    store.read_directory_blocking(|tx| users::is_taken(tx, EMAIL))
}

/// Nine digits are enough for what everybody may see, and can be typed.
fn password() -> Result<Secret> {
    let number = u64::from_ne_bytes(random_bytes()?) % 1_000_000_000;
    Ok(Secret::new(format!("demo-{number:09}")))
}

fn create_family(store: &Store) -> Result<(Access, UserId)> {
    if store.read_directory_blocking(users::is_any)? {
        return Err(Error::invalid(
            "the database already has families: give the demo a directory of its own (--data-dir)",
        ));
    }
    // Each start sets another.
    let password = passwords::hash(&password()?)?;
    store.found_blocking(|tx, id| {
        let family = NewFamily { name: "Demo", currency: Currency::USD, time_zone: "UTC" };
        let user =
            NewUser { email: EMAIL, name: "Demo", role: Role::Admin, password_hash: &password };
        let (family, user) = families::create(tx, id, &family, &user)?;
        Ok((family.access(Actor::System), user))
    })
}

/// Everything but the family itself.
fn complete(store: &Store, files: &FileStore, access: &Access) -> Result<()> {
    let accounts = store.write_blocking(access.clone(), create_accounts)?;
    let local = Local { store, files, access: access.clone() };
    let today = store.read_blocking(access.clone(), purser_store::calendar::today)?;
    for statement in statements(today) {
        let account = account(&accounts, statement.account)?;
        if let Some((id, status)) = begin_import(&local, &statement, account)? {
            finish_import(&local, id, status)?;
        }
    }
    store.write_blocking(access.clone(), |tx| value(tx, &accounts, today))?;
    let brokerage = account(&accounts, BROKERAGE)?;
    store.write_blocking(access.clone(), |tx| portfolio::buy(tx, brokerage, today))?;
    store.write_blocking(access.clone(), |tx| budget::plan(tx, today))?;
    leave_open(&local, &statements::newest(today), &accounts)
}

/// Uploads a statement that waits for a person to look at it.
fn leave_open(
    local: &Local<'_>,
    statement: &Statement,
    accounts: &BTreeMap<&'static str, AccountId>,
) -> Result<()> {
    let is_there = local.store.read_blocking(local.access.clone(), |tx| {
        let (found, _) = imports::list(tx, imports::Listing::default(), u64::MAX, 0)?;
        let ids: Vec<ImportId> = found.iter().map(|import| import.id).collect();
        let names = imports::file_names(tx, &ids)?;
        Ok(names.values().any(|name| name == statement.file_name))
    })?;
    if is_there {
        return Ok(());
    }
    upload(local, statement, account(accounts, statement.account)?).map(drop)
}

fn create_accounts(tx: &mut FamilyTx<'_>) -> Result<BTreeMap<&'static str, AccountId>> {
    let all = accounts::Listing { include_disabled: true };
    let (there, _) = accounts::list(tx, all, i64::MAX, 0)?;
    let mut found = BTreeMap::new();
    for (name, account_type, opening) in ACCOUNTS {
        if let Some(account) = there.iter().find(|account| account.summary.name == *name) {
            found.insert(*name, account.summary.id);
            continue;
        }
        let input = AccountInput {
            name: Some((*name).to_owned()),
            account_type: Some(account_type.as_str().to_owned()),
            opening_balance: Some(AmountText::Text((*opening).to_owned())),
            ..AccountInput::default()
        };
        let account = accounts::create(tx, &input)?;
        found.insert(*name, account.summary.id);
    }
    Ok(found)
}

/// The import of a statement and where it stands, unless the account has its transactions.
fn begin_import(
    local: &Local<'_>,
    statement: &Statement,
    account: AccountId,
) -> Result<Option<(ImportId, ImportStatus)>> {
    let counts = local.store.read_blocking(local.access.clone(), accounts::transaction_counts)?;
    if counts.get(&account).is_some_and(|count| *count > 0) {
        return Ok(None);
    }
    let (begun, _) = local.store.read_blocking(local.access.clone(), |tx| {
        imports::list(tx, imports::Listing::default(), u64::MAX, 0)
    })?;
    if let Some(import) = begun.iter().find(|import| import.account == Some(account)) {
        return Ok(Some((import.id, import.condition.status)));
    }
    Ok(Some((upload(local, statement, account)?, ImportStatus::Pending)))
}

fn upload(local: &Local<'_>, statement: &Statement, account: AccountId) -> Result<ImportId> {
    let mut fields = BTreeMap::from([("account_id".to_owned(), account.to_string())]);
    let settings = statement.settings.iter();
    fields.extend(settings.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let upload = local.read(
        Request::read(&fields, Problems::new())?,
        &mut statement.text.as_bytes(),
        Some(statement.file_name.to_owned()),
        u64::MAX,
    )?;
    Ok(local.store(&upload)?.import.id)
}

fn finish_import(local: &Local<'_>, id: ImportId, status: ImportStatus) -> Result<()> {
    // A job that a killed process left is queued already.
    if status != ImportStatus::Importing
        && let Queued::No(rejection) = local.queue(id)?
    {
        let why = format!("{id}: {} {:?}", rejection.message, rejection.errors);
        return Err(Error::internal(why));
    }
    local.run(id, &|| Ok(false), &|_| {}).map(drop)
}

/// Sets the values, all in one commit and once: a later start would mean other days.
fn value(tx: &mut FamilyTx<'_>, accounts: &BTreeMap<&str, AccountId>, today: Date) -> Result<()> {
    if valuations::list(tx, valuations::Listing::default(), 1, 0)?.1 > 0 {
        return Ok(());
    }
    for (name, years_ago, amount) in VALUATIONS {
        let date = today.checked_sub(jiff::Span::new().years(*years_ago));
        let input = ValuationInput {
            account: account(accounts, name)?,
            values: ValuationValues {
                amount: Some(AmountText::Text((*amount).to_owned())),
                date: Some(date.map_err(Error::internal)?.to_string()),
                ..ValuationValues::default()
            },
        };
        valuations::set(tx, &input)?;
    }
    Ok(())
}

fn account(accounts: &BTreeMap<&str, AccountId>, name: &str) -> Result<AccountId> {
    accounts.get(name).copied().ok_or_else(|| Error::internal(format!("no account {name}")))
}

#[cfg(test)]
mod tests;
