//! Making a connection, and changing its key: the provider is asked before anything is stored.

use purser_core::connection::FoundAccountState;
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::ConnectionId;
use purser_core::limits::{FOUND_ACCOUNTS_MAX, LABEL_CHARS_MAX, PROVIDER_KEY_CHARS_MAX};
use purser_providers::snapshot::{AccountSnapshot, AccountState, AccountsSnapshot};
use purser_providers::{ErrorClass, ProviderError, ProviderKind};
use purser_store::connections::changes::{self, NewConnection};
use purser_store::connections::found::{self, ListedAccount};
use purser_store::connections::{self, Institution};
use purser_store::{Access, FamilyTx, Secret};

use super::preview::require_rested;
use crate::App;
use crate::secrets::{SecretKeys, SecretOwner};

/// The code of a key that the provider refuses.
const REJECTED: &str = "credentials_rejected";

/// Credentials that the provider has accepted, and what it reported with them.
#[derive(Debug)]
pub struct TriedKey {
    provider: ProviderKind,
    credentials: Secret,
    /// The accounts; `None` if they couldn't be asked for any more.
    accounts: Option<AccountsSnapshot>,
}

/// The provider of a name.
pub fn provider(name: &str) -> Result<ProviderKind> {
    purser_core::named::Named::named(name).ok_or_else(|| {
        let names = purser_core::named::list::<ProviderKind>();
        Error::invalid(Problem::field("provider", format!("must be {names}")))
    })
}

/// Tries at the provider what a person entered.
///
/// A token that works once is used up by this. So if it was accepted, and only the list of accounts
/// doesn't come, the connection is made all the same, and its first run asks again.
pub async fn try_key(
    app: &App,
    access: Access,
    provider: ProviderKind,
    entered: &Secret,
) -> Result<TriedKey> {
    check_entered(entered)?;
    let _share = app.enrolments.take((&access).into(), 1).await?;
    let client = app.providers.client()?;
    let credentials = provider.enrol(&client, entered).await.map_err(refused)?;
    let is_used_up = credentials != *entered && provider.traits().is_entered_once;
    let open = provider.open(&client, &credentials).map_err(refused)?;
    let accounts = match open.accounts().await {
        Ok(accounts) => Some(accounts),
        Err(error) if is_used_up && !error.class.ends_the_run() => None,
        Err(error) => return Err(refused(error)),
    };
    Ok(TriedKey { provider, credentials, accounts })
}

/// Makes a connection of a key that was tried. It is due at once.
pub fn create(
    tx: &mut FamilyTx<'_>,
    keys: &SecretKeys,
    tried: &TriedKey,
    name: Option<&str>,
) -> Result<ConnectionId> {
    let name = match name.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => checked_name(name)?,
        None => tried.provider.title(),
    };
    let id = ConnectionId(tx.new_id()?);
    let sealed = keys.seal(&SecretOwner::of(tx, id)?, &tried.credentials)?;
    let new = NewConnection {
        id,
        provider: tried.provider.as_str(),
        provider_type: tried.provider.provider_type(),
        name,
        credentials: &sealed,
    };
    changes::create(tx, &new)?;
    note_accounts(tx, id, tried)?;
    Ok(id)
}

/// Replaces the key of a connection by one that was tried. The connection is due at once.
pub fn change_key(
    tx: &mut FamilyTx<'_>,
    keys: &SecretKeys,
    id: ConnectionId,
    tried: &TriedKey,
) -> Result<()> {
    require_provider(tx, id, tried.provider)?;
    let owner = SecretOwner::of(tx, id)?;
    let sealed = keys.seal(&owner, &tried.credentials)?;
    let before = connections::get(tx, id)?.credentials;
    let before = before.and_then(|sealed| keys.open(&owner, &sealed).ok());
    // The provider wants to be left alone by the key, however often that is entered.
    let keeps_rest = before.is_some_and(|before| before == tried.credentials);
    changes::set_credentials(tx, id, &sealed, keeps_rest)?;
    note_accounts(tx, id, tried)
}

/// Gives a connection another name.
pub fn rename(tx: &mut FamilyTx<'_>, id: ConnectionId, name: &str) -> Result<()> {
    connections::get(tx, id)?;
    changes::rename(tx, id, checked_name(name.trim())?)
}

/// The provider of a connection.
pub fn provider_of(tx: &mut FamilyTx<'_>, id: ConnectionId) -> Result<ProviderKind> {
    provider(&connections::get(tx, id)?.provider)
}

/// The provider of a connection of which the key is to be changed.
///
/// # Errors
/// `provider_rests` if the same key is entered while the provider wants to be left alone by it.
pub fn provider_for_key(
    tx: &mut FamilyTx<'_>,
    keys: &SecretKeys,
    id: ConnectionId,
    entered: &Secret,
) -> Result<ProviderKind> {
    let connection = connections::get(tx, id)?;
    let owner = SecretOwner::of(tx, id)?;
    let stored = connection.credentials.and_then(|sealed| keys.open(&owner, &sealed).ok());
    if stored.is_some_and(|stored| stored == Secret::new(entered.reveal().trim())) {
        require_rested(tx, id)?;
    }
    provider(&connection.provider)
}

fn require_provider(tx: &mut FamilyTx<'_>, id: ConnectionId, tried: ProviderKind) -> Result<()> {
    if provider_of(tx, id)? == tried {
        return Ok(());
    }
    Err(Error::internal("a key was tried at another provider"))
}

fn note_accounts(tx: &mut FamilyTx<'_>, id: ConnectionId, tried: &TriedKey) -> Result<()> {
    let Some(accounts) = &tried.accounts else { return Ok(()) };
    note_list(tx, id, accounts)
}

/// Stores what a provider listed: the accounts, and the bank if all have the same one.
pub(super) fn note_list(
    tx: &mut FamilyTx<'_>,
    id: ConnectionId,
    snapshot: &AccountsSnapshot,
) -> Result<()> {
    let listed: Vec<ListedAccount> = snapshot.accounts.iter().map(listed).collect();
    found::put(tx, id, &listed)?;
    changes::set_notices(tx, id, &notices(snapshot))?;
    let mut banks = snapshot.accounts.iter().map(|account| &account.institution);
    let institution = match banks.next() {
        Some(first) if banks.all(|bank| bank == first) => Institution {
            name: first.name.clone(),
            domain: first.domain.clone(),
            url: first.url.clone(),
        },
        Some(_) => Institution::default(),
        None => return Ok(()),
    };
    changes::set_institution(tx, id, &institution)
}

/// What is worth knowing about the list as a whole, first what the provider reports.
fn notices(snapshot: &AccountsSnapshot) -> Vec<String> {
    let mut notices = snapshot.notices.clone();
    let (listed, unreadable) = (snapshot.accounts.len(), snapshot.unreadable.len());
    if unreadable > 0 {
        notices.push(format!("Accounts in the list that could not be read: {unreadable}."));
    }
    if listed > FOUND_ACCOUNTS_MAX {
        notices.push(format!(
            "The list has {listed} accounts; only the first {FOUND_ACCOUNTS_MAX} are used."
        ));
    }
    notices
}

fn listed(account: &AccountSnapshot) -> ListedAccount {
    let short = |text: &str| text.chars().take(LABEL_CHARS_MAX).collect::<String>();
    ListedAccount {
        external_id: account.id.clone(),
        name: account.name.as_deref().map_or_else(|| account.id.clone(), short),
        institution_name: account.institution.name.as_deref().map(short),
        state: match account.state {
            AccountState::Active => FoundAccountState::Active,
            AccountState::ConsentExpired => FoundAccountState::ConsentExpired,
            AccountState::Failing => FoundAccountState::Failing,
        },
        upstream: account.upstream.as_deref().map(short),
        currency: account.currency.known(),
    }
}

fn checked_name(name: &str) -> Result<&str> {
    if name.is_empty() {
        return Err(Error::invalid(Problem::required("name")));
    }
    if name.chars().count() > LABEL_CHARS_MAX {
        let predicate = format!("must have at most {LABEL_CHARS_MAX} characters");
        return Err(Error::invalid(Problem::field("name", predicate)));
    }
    Ok(name)
}

fn check_entered(entered: &Secret) -> Result<()> {
    let text = entered.reveal().trim();
    if text.is_empty() {
        return Err(Error::invalid(Problem::required("key")));
    }
    if text.chars().count() > PROVIDER_KEY_CHARS_MAX {
        let predicate = format!("must have at most {PROVIDER_KEY_CHARS_MAX} characters");
        return Err(Error::invalid(Problem::field("key", predicate)));
    }
    Ok(())
}

/// What a person reads about a key that could not be tried, or that was refused.
pub(super) fn refused(error: ProviderError) -> Error {
    let sentence = error.class.sentence();
    match error.class {
        ErrorClass::Auth | ErrorClass::PaymentRequired | ErrorClass::ConsentExpired => {
            Error::invalid_code(REJECTED, Problem::about("key", sentence))
        }
        ErrorClass::Config => Error::invalid(Problem::about("key", sentence)),
        _ => Error::Unavailable { message: sentence.to_owned(), cause: error.into() },
    }
}
