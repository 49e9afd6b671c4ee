//! The accounts at a provider, and the family's accounts that they are linked to.

use std::collections::HashMap;

use purser_core::connection::proposal::{self, AccountClues, TypeProposal, can_be_linked};
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::{AccountId, ConnectionId, FoundAccountId};
use purser_core::ledger::account::AccountType;
use purser_core::ledger::new_account::AccountInput;
use purser_core::money::Currency;
use purser_store::accounts::Account;
use purser_store::connections::found::{self, FoundAccount};
use purser_store::connections::{self, runs};
use purser_store::sync_rows::SourceAccount;
use purser_store::{FamilyTx, accounts, sync_plans};

/// An account at a provider, with the type that it probably has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkableAccount {
    /// The account at the provider.
    pub found: FoundAccount,
    /// The name of the family's account that it is linked to.
    pub account_name: Option<String>,
    /// The currency of that account.
    pub account_currency: Option<Currency>,
    /// What a new account would be, unless a person chooses otherwise.
    pub proposal: TypeProposal,
}

/// What an account at a provider is to be linked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// An account of the family.
    Existing(AccountId),
    /// A new account; what is missing is taken from the provider.
    New(NewLinkedAccount),
}

/// A new account for one at a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewLinkedAccount {
    /// The name; that at the provider if missing.
    pub name: Option<String>,
    /// The type; the proposed one if missing.
    pub account_type: Option<String>,
    /// Free text such as `checking`; with the proposed type the proposed one if missing.
    pub subtype: Option<String>,
    /// A code; the currency that the provider states if missing.
    pub currency: Option<String>,
}

/// The accounts that a connection found, those left alone at the end.
pub fn list(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<Vec<LinkableAccount>> {
    connections::get(tx, connection)?;
    let names = names(tx)?;
    let found = found::list(tx, connection)?;
    Ok(found.into_iter().map(|found| linkable(found, &names)).collect())
}

/// One account that a connection found.
pub fn get(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    id: FoundAccountId,
) -> Result<LinkableAccount> {
    let found = found::get(tx, connection, id)?;
    Ok(linkable(found, &names(tx)?))
}

/// The accounts of the family that can be linked to one at a provider, whatever its currency.
pub fn candidates(tx: &mut FamilyTx<'_>) -> Result<Vec<Account>> {
    let linked = found::linked(tx)?;
    let (mut all, _) = accounts::list(tx, accounts::Listing::default(), i64::MAX, 0)?;
    all.retain(|account| {
        can_be_linked(account.summary.account_type) && !linked.contains(&account.summary.id)
    });
    Ok(all)
}

/// Links an account at a provider; its history is retrieved by the next run, which is due at once.
pub fn link(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    id: FoundAccountId,
    target: &LinkTarget,
) -> Result<LinkableAccount> {
    let found = found::get(tx, connection, id)?;
    require_kept(tx, connection)?;
    if found.account.is_some() {
        return Err(Error::Conflict {
            code: "already_linked",
            message: "The account at the provider is linked already: unlink it first".to_owned(),
        });
    }
    let account = match target {
        LinkTarget::Existing(account) => existing(tx, &found, *account)?,
        LinkTarget::New(new) => create(tx, &found, new)?,
    };
    found::link(tx, connection, id, account)?;
    runs::request_another(tx, connection)?;
    get(tx, connection, id)
}

/// Ends a link. What came by it stays, and is the family's own from now on; what is pending and
/// nobody touched goes.
pub fn unlink(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    id: FoundAccountId,
) -> Result<LinkableAccount> {
    let before = found::get(tx, connection, id)?;
    withdraw_pending(tx, connection, &before)?;
    found::unlink(tx, connection, id, false)?;
    get(tx, connection, id)
}

/// Takes away what is pending in an account of which the link ends: nobody would ever book it.
pub(super) fn withdraw_pending(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    found: &FoundAccount,
) -> Result<()> {
    let Some(account) = found.account else { return Ok(()) };
    let source = connections::get(tx, connection)?.provider;
    sync_plans::withdraw_pending(tx, SourceAccount { account, source: &source })
}

/// Leaves an account alone: it needs no setup any more. A link ends.
pub fn ignore(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    id: FoundAccountId,
) -> Result<LinkableAccount> {
    let before = found::get(tx, connection, id)?;
    withdraw_pending(tx, connection, &before)?;
    found::unlink(tx, connection, id, true)?;
    get(tx, connection, id)
}

fn names(tx: &mut FamilyTx<'_>) -> Result<HashMap<AccountId, (String, Currency)>> {
    let all = accounts::Listing { include_disabled: true };
    let (found, _) = accounts::list(tx, all, i64::MAX, 0)?;
    let named =
        |account: accounts::Account| (account.summary.id, (account.summary.name, account.currency));
    Ok(found.into_iter().map(named).collect())
}

fn linkable(
    found: FoundAccount,
    names: &HashMap<AccountId, (String, Currency)>,
) -> LinkableAccount {
    let proposal = proposal::propose(AccountClues {
        name: &found.name,
        upstream: found.upstream.as_deref(),
        is_owed: found.reported_balance.map(|balance| balance.is_sign_negative()),
    });
    let account = found.account.and_then(|account| names.get(&account).cloned());
    let (account_name, account_currency) = account.unzip();
    LinkableAccount { found, account_name, account_currency, proposal }
}

fn require_kept(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<()> {
    if !connections::get(tx, connection)?.scheduled_for_deletion {
        return Ok(());
    }
    Err(Error::Conflict {
        code: "scheduled_for_deletion",
        message: "The connection is being deleted".to_owned(),
    })
}

/// An account of the family that can take what the provider reports.
fn existing(tx: &mut FamilyTx<'_>, found: &FoundAccount, account: AccountId) -> Result<AccountId> {
    let unknown = || Error::invalid(Problem::unknown("account_id", "account"));
    let account = match accounts::get(tx, account) {
        Err(Error::NotFound { .. }) => return Err(unknown()),
        account => account?,
    };
    if !account.summary.status.is_visible() {
        return Err(unknown());
    }
    require_linkable("account_id", account.summary.account_type)?;
    if let Some(currency) = found.currency
        && !is_stated(found, account.currency)
    {
        let sentence = format!(
            "The account is in {}, but the one at the provider in {}",
            account.currency.code(),
            currency.code()
        );
        return Err(Error::invalid(Problem::about("account_id", sentence)));
    }
    found::require_unlinked(tx, account.summary.id)?;
    Ok(account.summary.id)
}

fn create(
    tx: &mut FamilyTx<'_>,
    found: &FoundAccount,
    new: &NewLinkedAccount,
) -> Result<AccountId> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let proposal = linkable(found.clone(), &HashMap::new()).proposal;
    let chosen = given(&new.account_type);
    let account_type = match &chosen {
        // What is no type is refused with all other problems of the account.
        Some(text) => AccountType::read(text),
        None => Some(proposal.account_type),
    };
    if let Some(account_type) = account_type {
        require_linkable("account_type", account_type)?;
    }
    let is_as_proposed = account_type == Some(proposal.account_type);
    let proposed_subtype = proposal.subtype.filter(|_| is_as_proposed).map(str::to_owned);
    let type_name = chosen.unwrap_or_else(|| proposal.account_type.as_str().to_owned());
    let input = AccountInput {
        name: given(&new.name).or_else(|| Some(found.name.clone())),
        account_type: Some(type_name),
        subtype: given(&new.subtype).or(proposed_subtype),
        currency: Some(currency(found, given(&new.currency))?),
        institution_name: found.institution_name.clone(),
        ..AccountInput::default()
    };
    Ok(accounts::create(tx, &input)?.summary.id)
}

/// Whether the provider states a currency, or stated it at first.
pub fn is_stated(found: &FoundAccount, currency: Currency) -> bool {
    [found.currency, found.other_currency].contains(&Some(currency))
}

/// The currency of a new account, which is never guessed.
fn currency(found: &FoundAccount, given: Option<String>) -> Result<String> {
    match (found.currency, given) {
        (None, None) => {
            let sentence = "The provider doesn't state the currency of the account";
            Err(Error::invalid(Problem::about("currency", sentence)))
        }
        (Some(first), None) if let Some(now) = found.other_currency => {
            let (first, now) = (first.code(), now.code());
            let sentence = format!("The provider stated {first} at first, and states {now} now");
            Err(Error::invalid(Problem::about("currency", sentence)))
        }
        (Some(first), Some(given)) => match Currency::parse(given.trim()) {
            Some(currency) if is_stated(found, currency) => Ok(currency.code().to_owned()),
            _ => {
                let now = found.other_currency.map(|now| format!(" or {}", now.code()));
                let codes = format!("{}{}", first.code(), now.unwrap_or_default());
                let predicate = format!("must be {codes}, as the provider states");
                Err(Error::invalid(Problem::field("currency", predicate)))
            }
        },
        (Some(stated), _) => Ok(stated.code().to_owned()),
        (None, Some(given)) => Ok(given),
    }
}

fn require_linkable(field: &str, account_type: AccountType) -> Result<()> {
    if can_be_linked(account_type) {
        return Ok(());
    }
    let types: Vec<&str> = AccountType::ALL
        .iter()
        .filter(|one| can_be_linked(**one))
        .map(|one| one.as_str())
        .collect();
    let sentence = format!("Only accounts of the types {} can be linked", types.join(", "));
    Err(Error::invalid(Problem::about(field, sentence)))
}
