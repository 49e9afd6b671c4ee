//! Where the rows of a file go: the account, the security, and the rate for an amount in another
//! currency than the account's. Planning, publishing and explaining ask here, so that they can't
//! differ.

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::import::mapping::DestinationAccount;
use purser_core::import::streamed::{EntryRow, RowMoney};
use purser_core::import::trade::security::{KnownSecurities, MeantSecurity, SecurityText};
use purser_core::money::format::money_text;
use purser_core::money::{Currency, Money};
use purser_core::plan::Target;
use purser_core::rates::{Leg, Rate, Source, convert};
use purser_store::ledger::Rates;
use purser_store::{FamilyTx, securities};
use uuid::Uuid;

use crate::imports::names::Names;

/// The account and the security of a row.
#[derive(Debug, Clone)]
pub(in crate::imports) struct Destination {
    /// The account that the row goes to.
    pub(in crate::imports) account: Target,
    /// The security of a trade.
    pub(in crate::imports) security: Option<MeantSecurity>,
}

/// Looks up where rows go. What was found is remembered: a file has few names.
pub(in crate::imports) struct Destinations {
    pub(super) names: Names,
    accounts: HashMap<Uuid, DestinationAccount>,
    rates: Rates,
    securities: Option<KnownSecurities>,
    meant: HashMap<[Option<String>; 3], std::result::Result<MeantSecurity, String>>,
}

/// What decides where a row goes, detached from its record.
#[derive(Debug, Clone)]
pub(in crate::imports) struct EntryFacts {
    /// The cell of the account column.
    account: Option<String>,
    /// What plans look at, without the texts of the record.
    money: RowMoney<'static>,
    /// Ticker, market and ISIN of a trade.
    security: Option<[Option<String>; 3]>,
}

impl EntryFacts {
    /// The currency of the row.
    pub(in crate::imports) fn currency(&self) -> Currency {
        self.money.currency
    }

    /// Those of a row.
    pub(in crate::imports) fn of(entry: &EntryRow<'_, '_>) -> Self {
        let money = entry.money();
        let security = match entry {
            EntryRow::Transaction(_) => None,
            EntryRow::Trade(row) => Some(key_of(row.security)),
        };
        Self {
            account: money.account.map(str::to_owned),
            money: RowMoney {
                account: None,
                external_id: None,
                date: money.date,
                amount: money.amount,
                currency: money.currency,
                rate: money.rate,
                has_value: money.has_value,
            },
            security,
        }
    }
}

pub(super) fn key_of(text: SecurityText<'_>) -> [Option<String>; 3] {
    [text.ticker, text.mic, text.isin].map(|text| text.map(str::to_owned))
}

/// What was taken apart by [`key_of`]; names decide nothing.
pub(super) fn text_of([ticker, mic, isin]: &[Option<String>; 3]) -> SecurityText<'_> {
    let [ticker, mic, isin] = [ticker, mic, isin].map(Option::as_deref);
    SecurityText { ticker, mic, isin, name: None }
}

impl Destinations {
    /// `accounts` are those that the family has, by id.
    pub(in crate::imports) fn new(
        names: Names,
        accounts: HashMap<Uuid, DestinationAccount>,
    ) -> Self {
        let (rates, securities, meant) = (Rates::default(), None, HashMap::new());
        Self { names, accounts, rates, securities, meant }
    }

    /// Where a row goes; nothing if a person has to decide that first.
    pub(in crate::imports) fn of(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: &EntryRow<'_, '_>,
    ) -> Result<Option<Destination>> {
        let security = match entry {
            EntryRow::Transaction(_) => None,
            EntryRow::Trade(row) => Some(row.security),
        };
        self.decide(tx, &entry.money(), security).map(std::result::Result::ok)
    }

    /// Where a row goes that the plan has decided to add. A key that is restricted to some accounts
    /// saw fewer securities than the publish does: a ticker that means several here meant one of
    /// its accounts there, or a new one. Its file has one account, which it sees. If keys that see
    /// the account would mean different securities, nobody knows which of them has made the plan:
    /// that is refused, without a word about securities that the key may not see.
    pub(super) fn of_added(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: &EntryRow<'_, '_>,
    ) -> Result<Option<Destination>> {
        let found = self.of(tx, entry)?;
        let EntryRow::Trade(row) = entry else { return Ok(found) };
        let (key, money) = (key_of(row.security), entry.money());
        let is_unclear = self.meant.get(&key).is_some_and(std::result::Result::is_err);
        let Some(Target::Existing(account)) = self.names.account(money.account, money.currency)
        else {
            return Ok(found);
        };
        if found.is_some() || !is_unclear {
            return Ok(found);
        }
        let of_keys = securities::known_to_keys_with(tx, AccountId(account))?;
        // With several a key's plan would have asked which one is meant, so it wasn't that key.
        let mut meant = of_keys.iter().filter_map(|known| known.find(row.security).ok());
        let first = meant.next();
        let Some(first) = first.filter(|first| meant.all(|other| other == *first)) else {
            return Err(Error::invalid(unclear(row.security)));
        };
        self.meant.insert(key, Ok(first));
        self.of(tx, entry)
    }

    /// Where a row goes, or why that isn't decided; the mapping of an account has its own reason.
    fn decide(
        &mut self,
        tx: &mut FamilyTx<'_>,
        money: &RowMoney<'_>,
        security: Option<SecurityText<'_>>,
    ) -> Result<std::result::Result<Destination, Option<String>>> {
        let Some(account) = self.names.account(money.account, money.currency) else {
            return Ok(Err(None));
        };
        let its = self.account(account);
        if let Some(its) = its.filter(|its| its.currency != money.currency)
            && money.has_value
            && money.rate.is_none()
            && self.rates.find(tx, money.currency, its.currency, money.date)?.is_none()
        {
            return Ok(Err(Some(no_rate(money.currency, its.currency, money.date))));
        }
        let Some(security) = security else {
            return Ok(Ok(Destination { account, security: None }));
        };
        // One that is made for trades is made to hold them.
        let is_made = matches!(account, Target::Created(_));
        if !is_made && its.is_none_or(|its| !its.holds_securities) {
            return Ok(Err(Some(NO_PORTFOLIO.to_owned())));
        }
        Ok(match self.security(tx, security)? {
            Ok(security) => Ok(Destination { account, security: Some(security) }),
            Err(why) => Err(Some(why)),
        })
    }

    /// What is known of an account that exists.
    pub(super) fn account(&self, account: Target) -> Option<DestinationAccount> {
        match account {
            Target::Existing(id) => self.accounts.get(&id).copied(),
            // One that is made is in the currency of its rows.
            Target::Created(_) => None,
        }
    }

    /// The security that a row means, or why that isn't decided.
    pub(super) fn security(
        &mut self,
        tx: &mut FamilyTx<'_>,
        text: SecurityText<'_>,
    ) -> Result<std::result::Result<MeantSecurity, String>> {
        let key = key_of(text);
        if let Some(meant) = self.meant.get(&key) {
            return Ok(meant.clone());
        }
        let known = match self.securities.take() {
            Some(known) => known,
            None => securities::known(tx)?,
        };
        let meant = known.find(text);
        self.securities = Some(known);
        self.meant.insert(key, meant.clone());
        Ok(meant)
    }

    /// Keeps the id of a security that was made, or found to be there by now.
    pub(super) fn take_id(&mut self, text: SecurityText<'_>, id: SecurityId) {
        if let Some(Ok(meant)) = self.meant.get_mut(&key_of(text)) {
            meant.id = Some(id);
        }
    }

    /// What a person should know of where a row goes: why that is not decided, or how its amount is
    /// converted.
    pub(in crate::imports) fn explain(
        &mut self,
        tx: &mut FamilyTx<'_>,
        facts: &EntryFacts,
    ) -> Result<Option<String>> {
        let money = RowMoney { account: facts.account.as_deref(), ..facts.money };
        let security = facts.security.as_ref().map(text_of);
        let account = match self.decide(tx, &money, security)? {
            Ok(destination) => destination.account,
            Err(reason) => return Ok(reason),
        };
        let RowMoney { date, amount, currency, rate, .. } = money;
        let Some(its) = self.account(account).filter(|its| its.currency != currency) else {
            return Ok(None);
        };
        let rate = match rate {
            Some(rate) => Rate::given(currency, its.currency, date, rate),
            None => self.rates.find(tx, currency, its.currency, date)?,
        };
        Ok(rate.and_then(|rate| converted(amount, currency, its.currency, &rate)))
    }
}

/// Why a trade isn't added if its security depends on who looks.
fn unclear(text: SecurityText<'_>) -> String {
    let name = text.ticker.or(text.isin).unwrap_or("It");
    format!("{name} may mean several securities: the row must name one by its ticker and its MIC")
}

/// Why trades don't go into an account.
const NO_PORTFOLIO: &str = "Trades can only stand in accounts of type investment or crypto";

fn no_rate(from: Currency, to: Currency, date: Date) -> String {
    format!(
        "It is in {from} and its account in {to}, and no exchange rate is known for {date}: state \
         one, or name the column of the rates"
    )
}

/// How an amount is booked in its account.
fn converted(amount: i64, from: Currency, to: Currency, rate: &Rate) -> Option<String> {
    let booked = Money::new(convert(amount, from, to, rate)?.saturating_neg(), to);
    let booked = money_text(booked);
    let number = rate.decimal(SHOWN_DECIMALS)?.normalize();
    let origin = |leg: &Leg| match leg.source {
        Source::Given => "the rate that the file states".to_owned(),
        Source::Feed => format!("the feed's rate of {}", leg.date),
        _ => format!("the family's rate of {}", leg.date),
    };
    let origins: Vec<String> = rate.legs().iter().map(origin).collect();
    let origins = origins.join(" and ");
    Some(format!("It is booked as {booked}: one {from} is {number} {to}, {origins}"))
}

/// Decimals of a rate in a sentence.
const SHOWN_DECIMALS: u32 = 6;
