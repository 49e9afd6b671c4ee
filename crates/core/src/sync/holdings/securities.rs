//! Which security a row stands for.

use std::collections::BTreeSet;

use super::clues::{is_same_name, may_be_same};
use super::{Clues, KnownHoldings, unlisted};
use crate::ids::SecurityId;
use crate::ledger::security::{Listing, TICKER_CHARS_MAX};
use crate::money::Currency;

/// A security of the family, with what providers have called it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSecurity {
    /// The id of the security.
    pub id: SecurityId,
    /// What it is traded as.
    pub listing: Listing,
    /// The name that people see.
    pub name: Option<String>,
    /// The currency that it is traded in, if known.
    pub currency: Option<Currency>,
    /// Its own ISIN.
    pub isin: Option<String>,
    /// What providers have called it.
    pub clues: Vec<Clues>,
}

/// A security that a plan makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSecurity {
    /// What it is traded as; nobody knows where.
    pub listing: Listing,
    /// The name that people see.
    pub name: Option<String>,
    /// The currency that it is traded in, if known.
    pub currency: Option<Currency>,
    /// The ISIN, if known.
    pub isin: Option<String>,
}

/// A security of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SecurityRef {
    /// One that is there.
    Known(SecurityId),
    /// The one at this position of the new ones.
    New(usize),
}

/// The kinds of clues, the most certain first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Isin,
    Figi,
    Cusip,
    Ticker,
    Name,
}

/// The securities that rows can mean.
pub(super) struct Securities<'a> {
    known: &'a KnownHoldings,
    all: Vec<KnownSecurity>,
    new: Vec<(NewSecurity, Clues)>,
    tickers: BTreeSet<String>,
}

impl<'a> Securities<'a> {
    pub(super) fn of(known: &'a KnownHoldings) -> Self {
        let unlisted = known.securities.iter().map(|one| &one.listing);
        let unlisted = unlisted.filter(|listing| listing.exchange_operating_mic.is_empty());
        let tickers = unlisted.map(|listing| listing.ticker.clone()).collect();
        Self { known, all: known.securities.clone(), new: Vec::new(), tickers }
    }

    pub(super) fn into_new(self) -> Vec<NewSecurity> {
        self.new.into_iter().map(|(security, _)| security).collect()
    }

    /// The security that clues mean: the one that the provider meant before, else one of the
    /// family, else one that the same answer has made.
    pub(super) fn find(&self, clues: &Clues) -> Option<SecurityRef> {
        let is_crypto = self.known.is_crypto;
        let remembered = || self.known.remembered.iter().filter(|one| one.clues == *clues);
        let alike =
            || self.known.remembered.iter().filter(|one| one.clues.are_of_same(clues, is_crypto));
        if let Some(before) = remembered().chain(alike()).next() {
            return Some(SecurityRef::Known(before.security));
        }
        let kinds = [Kind::Isin, Kind::Figi, Kind::Cusip, Kind::Ticker, Kind::Name];
        let known = kinds.into_iter().find_map(|kind| self.by(kind, clues));
        known.map(SecurityRef::Known).or_else(|| {
            let mut new = self.new.iter().map(|(_, made)| made);
            new.position(|made| made.are_of_same(clues, is_crypto)).map(SecurityRef::New)
        })
    }

    /// The security of the family that a kind of clue means. Of several with a number those in the
    /// same currency come first, then those that the account has, then the oldest; several with
    /// one symbol or one name are none.
    fn by(&self, kind: Kind, clues: &Clues) -> Option<SecurityId> {
        let fits = |one: &&KnownSecurity| self.has(one, kind, clues);
        let mut found: Vec<&KnownSecurity> = self.all.iter().filter(fits).collect();
        let narrow = |found: &mut Vec<&KnownSecurity>, wants: &dyn Fn(&KnownSecurity) -> bool| {
            if found.len() > 1 && found.iter().any(|one| wants(one)) {
                found.retain(|one| wants(one));
            }
        };
        narrow(&mut found, &|one| clues.currency.is_some() && one.currency == clues.currency);
        narrow(&mut found, &|one| {
            self.known.positions.get(&one.id).is_some_and(|held| !held.quantity.is_zero())
        });
        match (found.as_slice(), kind) {
            ([], _) => None,
            ([only], _) => Some(only.id),
            ([first, ..], Kind::Isin | Kind::Figi | Kind::Cusip) => Some(first.id),
            (_, Kind::Ticker | Kind::Name) => None,
        }
    }

    /// Whether a security has a clue, and no other one of it speaks against it.
    fn has(&self, one: &KnownSecurity, kind: Kind, clues: &Clues) -> bool {
        let is = |own: &Option<String>, other: &Option<String>| own.is_some() && own == other;
        let of_provider = |is_same: &dyn Fn(&Clues) -> bool| one.clues.iter().any(is_same);
        let has_isin = is(&one.isin, &clues.isin) || of_provider(&|of| is(&of.isin, &clues.isin));
        let has_other_isin = clues.isin.is_some() && one.isin.is_some() && !has_isin;
        let is_in_currency = self.known.is_crypto || may_be_same(one.currency, clues.currency);
        match kind {
            Kind::Isin => has_isin,
            _ if has_other_isin => false,
            Kind::Figi => of_provider(&|of| is(&of.figi, &clues.figi)),
            Kind::Cusip => {
                let contained = one.isin.as_deref().and_then(cusip_of);
                let is_contained = contained.is_some() && contained == clues.cusip.as_deref();
                is_contained || of_provider(&|of| is(&of.cusip, &clues.cusip))
            }
            Kind::Ticker => {
                clues.ticker.as_deref() == Some(one.listing.ticker.as_str()) && is_in_currency
            }
            Kind::Name => {
                is_same_name(one.name.as_deref(), clues.name.as_deref()) && is_in_currency
            }
        }
    }

    /// A new security, under a symbol that is free.
    pub(super) fn add(&mut self, clues: &Clues) -> SecurityRef {
        let ticker = self.free_ticker(clues);
        self.tickers.insert(ticker.clone());
        let new = NewSecurity {
            listing: unlisted(ticker),
            name: clues.name.clone(),
            currency: clues.currency.filter(|_| !self.known.is_crypto),
            isin: clues.isin.clone(),
        };
        self.new.push((new, clues.clone()));
        SecurityRef::New(self.new.len() - 1)
    }

    fn free_ticker(&self, clues: &Clues) -> String {
        let codes = [&clues.ticker, &clues.isin, &clues.figi, &clues.cusip];
        let code = codes.into_iter().flatten().next().cloned();
        let base = code.unwrap_or_else(|| symbol_of(clues.name.as_deref().unwrap_or_default()));
        let in_currency = clues.currency.map(|currency| format!("{base}.{}", currency.code()));
        let numbered = (2..).map(|number| with_number(&base, number));
        let mut names = [base.clone()].into_iter().chain(in_currency).chain(numbered);
        let is_free = |name: &String| {
            name.chars().count() <= TICKER_CHARS_MAX && !self.tickers.contains(name)
        };
        names.find(is_free).unwrap_or(base)
    }
}

/// The North American number within the international one of a security of the USA or Canada.
fn cusip_of(isin: &str) -> Option<&str> {
    let is_there = isin.starts_with("US") || isin.starts_with("CA");
    isin.get(2..11).filter(|_| is_there)
}

/// A symbol made of a name.
fn symbol_of(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let symbol = words.collect::<Vec<_>>().join("-").to_uppercase();
    let symbol: String = symbol.chars().take(TICKER_CHARS_MAX).collect();
    if symbol.is_empty() { "HOLDING".to_owned() } else { symbol }
}

fn with_number(base: &str, number: u32) -> String {
    let number = format!("-{number}");
    let room = TICKER_CHARS_MAX.saturating_sub(number.len());
    base.chars().take(room).chain(number.chars()).collect()
}
