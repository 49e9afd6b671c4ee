//! The account, the account that shares move to, and the security of a trade that was sent. Ids
//! that the family doesn't have, or that the key may not see, are problems among the others, as are
//! hidden accounts.

use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::input::label;
use purser_core::ledger::new_trade::TradeInput;
use purser_core::ledger::security::Listing;
use purser_core::limits::LABEL_CHARS_MAX;

use crate::access::FamilyTx;
use crate::accounts::{self, AccountFacts};
use crate::ledger::Executor;

use crate::securities::{self, visibility::VisibleIds};

/// A security that is there, or that is made once everything else is known to be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Named {
    /// The security exists already.
    Known(SecurityId),
    /// To be found or made.
    Listed(Listing, Option<String>),
}

impl Named {
    /// The security, made if it is new.
    pub(super) fn find(
        &self,
        tx: &mut FamilyTx<'_>,
        executor: &mut Executor,
    ) -> Result<SecurityId> {
        match self {
            Self::Known(id) => Ok(*id),
            Self::Listed(listing, name) => {
                securities::find_or_create(tx, executor, listing, name.as_deref())
            }
        }
    }

    /// Whether only accounts that the key may not see have it. Its name isn't returned with the
    /// trade.
    pub(super) fn is_hidden(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        match self {
            Self::Known(id) => Ok(!VisibleIds::read(tx)?.shows(*id)),
            Self::Listed(..) => Ok(false),
        }
    }
}

/// The account that a field names, if trades can stand in it. Its balance isn't asked for: that
/// follows from all its trades.
pub(super) fn account(
    tx: &mut FamilyTx<'_>,
    field: &str,
    text: &str,
    problems: &mut Problems,
) -> Result<Option<AccountFacts>> {
    let found = match text.parse::<AccountId>() {
        Ok(id) => found(accounts::known_by_id(tx, id))?
            .filter(|account| account.summary.status.is_visible()),
        Err(_) => None,
    };
    let Some(account) = found else {
        problems.push(Problem::unknown(field, "account"));
        return Ok(None);
    };
    if !account.summary.account_type.holds_securities() {
        problems.field(field, "must name an account of type investment or crypto");
        return Ok(None);
    }
    Ok(Some(account))
}

/// The security that the input names; none if it names none. A ticker must be well-formed even
/// where the id of the security counts.
pub(super) fn security(
    tx: &mut FamilyTx<'_>,
    input: &TradeInput,
    problems: &mut Problems,
) -> Result<Option<Named>> {
    let listed = listing(input, problems);
    if let Some(text) = &input.security {
        let known = match text.parse::<SecurityId>() {
            Ok(id) => found(securities::get(tx, id))?,
            Err(_) => None,
        };
        if known.is_none() {
            problems.push(Problem::unknown("security_id", "security"));
        }
        return Ok(known.map(|security| Named::Known(security.id)));
    }
    let Some((listing, name)) = listed else { return Ok(None) };
    if input.exchange_operating_mic.is_none() {
        let mut listed = securities::of_ticker(tx, &listing.ticker)?;
        let visibility = VisibleIds::read(tx)?;
        listed.retain(|(id, _)| visibility.shows(*id));
        match listed.as_slice() {
            [] => {}
            [(id, _)] => return Ok(Some(Named::Known(*id))),
            [(id, first), ..] if first.exchange_operating_mic.is_empty() => {
                return Ok(Some(Named::Known(*id)));
            }
            _ => {
                let ticker = &listing.ticker;
                let predicate = format!("is required: {ticker} is traded on several exchanges");
                problems.field("exchange_operating_mic", predicate);
                return Ok(None);
            }
        }
    }
    if tx.accounts().is_restricted()
        && let Some(id) = securities::find(tx, &listing)?
    {
        // The key changes no security, nor does it name one that has no name yet.
        return Ok(Some(Named::Known(id)));
    }
    Ok(Some(Named::Listed(listing, name)))
}

/// The ticker of the security with its market and its name, which mean nothing without it.
fn listing(input: &TradeInput, problems: &mut Problems) -> Option<(Listing, Option<String>)> {
    let (mic, name) = (input.exchange_operating_mic.as_deref(), input.security_name.as_deref());
    let Some(ticker) = &input.ticker else {
        for (field, sent) in [("exchange_operating_mic", mic), ("security_name", name)] {
            if sent.is_some() {
                problems.field(field, "can only be sent together with a ticker");
            }
        }
        return None;
    };
    let mut own = Problems::new();
    let listing = Listing::read(ticker, mic, &mut own);
    let name = label("security_name", name, LABEL_CHARS_MAX, &mut own);
    let is_valid = own.is_empty();
    problems.extend(own.into_list());
    is_valid.then_some((listing, name))
}

/// Nothing instead of "not found".
fn found<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
