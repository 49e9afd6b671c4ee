//! The accounts that a connection found at its provider, and the family's accounts that they are
//! linked to.
//!
//! An account that the provider doesn't list any more stays while it is linked or left alone: a
//! list may be incomplete for a day.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::connection::FoundAccountState;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, ConnectionId, FoundAccountId};
use purser_core::limits::FOUND_ACCOUNTS_MAX;
use purser_core::money::Currency;
use purser_core::money::decimal::{quantity_text, read_quantity};
use rust_decimal::Decimal;
use serde_json::json;

use crate::access::FamilyTx;
use crate::audit;
use crate::driver::{Row, is_unique_violation, statements, vals};

statements! {
    /// The accounts of a connection, by name.
    FOUND_BY_CONNECTION = "SELECT id, connection_id, external_id, name, institution_name, state,
            upstream, currency, reported_balance, is_listed, is_ignored, account_id, watermark,
            holdings_unsupported_at, observed_on, drift, other_currency
        FROM connection_accounts WHERE family_id = $1 AND connection_id = $2
        ORDER BY is_ignored, COALESCE(institution_name, ''), name, external_id";
    /// One account of a connection.
    FOUND_BY_ID = "SELECT id, connection_id, external_id, name, institution_name, state, upstream,
            currency, reported_balance, is_listed, is_ignored, account_id, watermark,
            holdings_unsupported_at, observed_on, drift, other_currency
        FROM connection_accounts WHERE family_id = $1 AND connection_id = $2 AND id = $3";
    /// An account that was found for the first time.
    FOUND_INSERT = "INSERT INTO connection_accounts (family_id, id, connection_id, external_id,
            name, institution_name, state, upstream, currency, is_listed, is_ignored, seen_at,
            created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, TRUE, FALSE, $10, $10)";
    /// An account that was found before. A currency that was stated once stays, and another one is
    /// noted beside it. What a list states counts when it changes, so that one that differs from
    /// the balances for good decides nothing. Another service behind the provider may report
    /// holdings.
    FOUND_UPDATE = "UPDATE connection_accounts SET name = $1, institution_name = $2, state = $3,
            upstream = $4, currency = COALESCE(currency, $5), is_listed = TRUE, seen_at = $6,
            listed_currency = COALESCE($5, listed_currency),
            other_currency = CASE WHEN $5 <> COALESCE(listed_currency, currency)
                THEN NULLIF($5, currency) ELSE other_currency END,
            reported_balance = CASE WHEN $5 <> COALESCE(listed_currency, currency)
                    AND $5 <> COALESCE(other_currency, currency) THEN NULL
                ELSE reported_balance END,
            holdings_unsupported_at = CASE WHEN COALESCE(upstream, '') = COALESCE($4, '')
                THEN holdings_unsupported_at END
        WHERE family_id = $7 AND id = $8";
    /// The provider doesn't list it any more.
    FOUND_UNLISTED = "UPDATE connection_accounts SET is_listed = FALSE
        WHERE family_id = $1 AND id = $2";
    /// Forgets an account that isn't listed any more and that nobody decided about.
    FOUND_REMOVE = "DELETE FROM connection_accounts WHERE family_id = $1 AND id = $2";
    /// The balance that the provider reported.
    FOUND_BALANCE = "UPDATE connection_accounts
        SET reported_balance = $1, currency = COALESCE(currency, $2),
            other_currency = CASE WHEN $2 <> currency THEN $2
                WHEN $2 = currency THEN NULL ELSE other_currency END
        WHERE family_id = $3 AND id = $4";
    /// Links it, and begins with its whole history.
    FOUND_LINK = "UPDATE connection_accounts
        SET account_id = $1, is_ignored = FALSE, watermark = NULL, holdings_unsupported_at = NULL,
            observed_on = NULL, observed_balance = NULL, drift = NULL
        WHERE family_id = $2 AND id = $3 AND account_id IS NULL";
    /// Ends the link, or leaves the account alone.
    FOUND_UNLINK = "UPDATE connection_accounts
        SET account_id = NULL, is_ignored = $1, watermark = NULL
        WHERE family_id = $2 AND id = $3";
    /// Up to which day everything was retrieved.
    FOUND_WATERMARK = "UPDATE connection_accounts SET watermark = $1
        WHERE family_id = $2 AND account_id = $3";
    /// The balance that the bank reported last.
    FOUND_OBSERVED = "SELECT observed_on, observed_balance FROM connection_accounts
        WHERE family_id = $1 AND account_id = $2";
    /// The balance that the bank reports now, and by how much the ledger differs from it.
    FOUND_OBSERVE = "UPDATE connection_accounts
        SET observed_on = $1, observed_balance = $2, drift = $3
        WHERE family_id = $4 AND account_id = $5";
    /// An undo took back what the ledger was compared with.
    FOUND_DRIFT_FORGET = "UPDATE connection_accounts SET drift = NULL
        WHERE family_id = $1 AND account_id = $2";
    /// An undo took back what came after a day.
    FOUND_WATERMARK_BACK = "UPDATE connection_accounts SET watermark = $1
        WHERE family_id = $2 AND account_id = $3 AND watermark > $1";
    /// When the provider reported no holdings.
    FOUND_HOLDINGS = "UPDATE connection_accounts SET holdings_unsupported_at = $1
        WHERE family_id = $2 AND id = $3";
    /// The accounts of the family that are linked.
    LINKED_ACCOUNTS = "SELECT account_id FROM connection_accounts
        WHERE family_id = $1 AND account_id IS NOT NULL";
    /// The connection that an account of the family is linked by.
    FOUND_LINK_OF = "SELECT connection_id FROM connection_accounts
        WHERE family_id = $1 AND account_id = $2";
}

/// An account that a connection found at its provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundAccount {
    /// The id of the account here.
    pub id: FoundAccountId,
    /// The connection that found it.
    pub connection: ConnectionId,
    /// The id at the provider.
    pub external_id: String,
    /// The name at the provider.
    pub name: String,
    /// The name of the bank.
    pub institution_name: Option<String>,
    /// Whether the bank still gives data.
    pub state: FoundAccountState,
    /// The service that the provider itself gets the account from.
    pub upstream: Option<String>,
    /// The currency that the provider stated first, if it ever stated one.
    pub currency: Option<Currency>,
    /// The currency that it states now, if that is another one.
    pub other_currency: Option<Currency>,
    /// The balance that was reported last: negative if money is owed.
    pub reported_balance: Option<Decimal>,
    /// Whether the newest list has it.
    pub is_listed: bool,
    /// Whether a person wants it to be left alone.
    pub is_ignored: bool,
    /// The family's account that it is linked to.
    pub account: Option<AccountId>,
    /// The last day up to which everything was retrieved.
    pub watermark: Option<Date>,
    /// When the provider had no holdings to report.
    pub holdings_unsupported_at: Option<Timestamp>,
    /// The day for which the bank reported a balance last.
    pub observed_on: Option<Date>,
    /// What that balance had more than the ledger came to by itself, in the account's scale and
    /// sign. None if no balance was known before, and for what holds securities.
    pub drift: Option<i64>,
}

impl FoundAccount {
    /// The currency that the provider stated last.
    pub fn newest_currency(&self) -> Option<Currency> {
        self.other_currency.or(self.currency)
    }
}

/// An account as a provider lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedAccount {
    /// The id at the provider.
    pub external_id: String,
    /// The name at the provider.
    pub name: String,
    /// The name of the bank.
    pub institution_name: Option<String>,
    /// Whether the bank still gives data.
    pub state: FoundAccountState,
    /// The service that the provider itself gets the account from.
    pub upstream: Option<String>,
    /// The currency, if it is stated.
    pub currency: Option<Currency>,
}

/// The accounts that a connection found, those left alone at the end.
pub fn list(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<Vec<FoundAccount>> {
    let family = tx.family();
    tx.query(&FOUND_BY_CONNECTION, vals![family, connection], read)
}

/// One account that a connection found.
pub fn get(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    id: FoundAccountId,
) -> Result<FoundAccount> {
    let family = tx.family();
    let missing = Error::NotFound { what: "Provider account" };
    if tx.accounts().is_restricted() {
        return Err(missing);
    }
    tx.query_opt(&FOUND_BY_ID, vals![family, connection, id], read)?.ok_or(missing)
}

/// Stores the newest list of a provider. An empty one removes nothing: mostly the key is not
/// allowed to see any account just now.
pub fn put(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    listed: &[ListedAccount],
) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let known = list(tx, connection)?;
    for account in listed.iter().take(FOUND_ACCOUNTS_MAX) {
        let ListedAccount { external_id, name, state, .. } = account;
        let (bank, upstream) = (account.institution_name.as_deref(), account.upstream.as_deref());
        let currency = account.currency.map(Currency::code);
        let before = known.iter().find(|one| one.external_id == *external_id);
        match before {
            Some(before) => {
                let id = before.id;
                let values = vals![name, bank, state.as_str(), upstream, currency, now, family, id];
                tx.execute(&FOUND_UPDATE, values)?;
            }
            None => {
                let id = tx.new_id()?;
                let values = vals![
                    family,
                    id,
                    connection,
                    external_id,
                    name,
                    bank,
                    state.as_str(),
                    upstream,
                    currency,
                    now
                ];
                tx.execute(&FOUND_INSERT, values)?;
            }
        }
    }
    if listed.is_empty() {
        return Ok(());
    }
    let is_gone = |one: &&FoundAccount| listed.iter().all(|now| now.external_id != one.external_id);
    for gone in known.iter().filter(is_gone) {
        let is_decided = gone.account.is_some() || gone.is_ignored;
        let statement = if is_decided { &FOUND_UNLISTED } else { &FOUND_REMOVE };
        tx.execute(statement, vals![family, gone.id])?;
    }
    Ok(())
}

/// Stores the balance that a provider reported, for whoever links the account.
pub fn note_balance(
    tx: &mut FamilyTx<'_>,
    id: FoundAccountId,
    balance: Decimal,
    currency: Option<Currency>,
) -> Result<()> {
    let family = tx.family();
    let (balance, currency) = (quantity_text(balance), currency.map(Currency::code));
    tx.execute(&FOUND_BALANCE, vals![&balance, currency, family, id]).map(drop)
}

/// Links an account at the provider to one of the family; its whole history is retrieved anew.
pub fn link(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    id: FoundAccountId,
    account: AccountId,
) -> Result<FoundAccount> {
    let family = tx.family();
    let linked = match tx.execute(&FOUND_LINK, vals![account, family, id]) {
        Err(error) if is_unique_violation(&error, "connection_accounts_linked") => {
            return Err(linked_elsewhere());
        }
        linked => linked?,
    };
    if linked == 0 {
        return Err(Error::Conflict {
            code: "already_linked",
            message: "The account at the provider is linked already: unlink it first".to_owned(),
        });
    }
    record(tx, "connection.link", connection, id, Some(account))?;
    get(tx, connection, id)
}

/// Refuses an account that another one at a provider is linked to.
pub fn require_unlinked(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<()> {
    let family = tx.family();
    let link = tx.query_opt(&FOUND_LINK_OF, vals![family, account], |_| Ok(()))?;
    if link.is_some() { Err(linked_elsewhere()) } else { Ok(()) }
}

/// The accounts of the family that are linked to one at a provider.
pub fn linked(tx: &mut FamilyTx<'_>) -> Result<Vec<AccountId>> {
    let family = tx.family();
    tx.query(&LINKED_ACCOUNTS, vals![family], |row| row.id(0))
}

/// Ends a link. What came by it stays. With `ignore` the account is left alone from now on.
pub fn unlink(
    tx: &mut FamilyTx<'_>,
    connection: ConnectionId,
    id: FoundAccountId,
    ignore: bool,
) -> Result<FoundAccount> {
    let family = tx.family();
    let before = get(tx, connection, id)?;
    tx.execute(&FOUND_UNLINK, vals![ignore, family, id])?;
    if before.account.is_some() {
        record(tx, "connection.unlink", connection, id, before.account)?;
    }
    get(tx, connection, id)
}

/// Stores up to which day everything of an account was retrieved; `None` begins anew.
pub fn set_watermark(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    watermark: Option<Date>,
) -> Result<()> {
    let family = tx.family();
    tx.execute(&FOUND_WATERMARK, vals![watermark, family, account]).map(drop)
}

/// An undo took back what came after a day, or everything: it is to be retrieved again.
pub fn set_watermark_back(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    before: Option<Date>,
) -> Result<()> {
    let family = tx.family();
    tx.execute(&FOUND_DRIFT_FORGET, vals![family, account])?;
    let Some(before) = before else { return set_watermark(tx, account, None) };
    tx.execute(&FOUND_WATERMARK_BACK, vals![before, family, account]).map(drop)
}

/// The day and the amount of the balance that the bank of a linked account reported last.
pub(crate) fn observed(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<Option<(Date, i64)>> {
    let family = tx.family();
    let found = tx.query_opt(&FOUND_OBSERVED, vals![family, account], |row| {
        Ok(row.opt_date(0)?.zip(row.opt_int(1)?))
    })?;
    Ok(found.flatten())
}

/// Keeps the balance that the bank of a linked account reports, and what it has more than the
/// ledger came to by itself.
pub(crate) fn observe(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    (date, amount): (Date, i64),
    drift: Option<i64>,
) -> Result<()> {
    let family = tx.family();
    tx.execute(&FOUND_OBSERVE, vals![date, amount, drift, family, account]).map(drop)
}

/// Notes whether the provider had holdings to report.
pub fn note_holdings(tx: &mut FamilyTx<'_>, id: FoundAccountId, are_supported: bool) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let since = (!are_supported).then_some(now);
    tx.execute(&FOUND_HOLDINGS, vals![since, family, id]).map(drop)
}

fn linked_elsewhere() -> Error {
    Error::Conflict {
        code: "account_linked",
        message: "Another account at a provider is linked to this account".to_owned(),
    }
}

fn record(
    tx: &mut FamilyTx<'_>,
    action: &str,
    connection: ConnectionId,
    id: FoundAccountId,
    account: Option<AccountId>,
) -> Result<()> {
    let event = audit::Event {
        actor: tx.actor(),
        action,
        subject_kind: "connection",
        subject_id: Some(connection.0),
        details: json!({ "found_account": id, "account": account }),
    };
    audit::record(tx, &event).map(drop)
}

fn read(row: &Row<'_>) -> Result<FoundAccount> {
    Ok(FoundAccount {
        id: row.id(0)?,
        connection: row.id(1)?,
        external_id: row.string(2)?,
        name: row.string(3)?,
        institution_name: row.opt_string(4)?,
        state: row.named(5)?,
        upstream: row.opt_string(6)?,
        currency: row.opt_text(7)?.and_then(Currency::parse),
        other_currency: row.opt_text(16)?.and_then(Currency::parse),
        reported_balance: row.opt_text(8)?.and_then(read_quantity),
        is_listed: row.bool(9)?,
        is_ignored: row.bool(10)?,
        account: row.opt_id(11)?,
        watermark: row.opt_date(12)?,
        holdings_unsupported_at: row.opt_timestamp(13)?,
        observed_on: row.opt_date(14)?,
        drift: row.opt_int(15)?,
    })
}
