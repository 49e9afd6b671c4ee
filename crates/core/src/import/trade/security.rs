//! Which security a row means: by its ISIN, else by its ticker and market, as a trade that is
//! written by hand names it.

use std::collections::HashMap;

use crate::ids::SecurityId;
use crate::ledger::security::{self, Listing, TICKER_CHARS_MAX};

/// What a row calls a security.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SecurityText<'r> {
    /// The ticker in any case.
    pub ticker: Option<&'r str>,
    /// The code of the market in any case.
    pub mic: Option<&'r str>,
    /// The ISIN in any case.
    pub isin: Option<&'r str>,
    /// The name of the security.
    pub name: Option<&'r str>,
}

impl SecurityText<'_> {
    /// Whether it names none.
    pub fn is_blank(&self) -> bool {
        self.ticker.is_none() && self.isin.is_none()
    }

    /// Whether the ticker is that of an option contract, which is for several shares as a rule:
    /// `AAPL240119C00150000`, `-AAPL240119C150`.
    pub fn is_option(&self) -> bool {
        self.ticker.is_some_and(is_option)
    }

    /// Whether ticker and ISIN can be those of a security.
    pub fn is_well_formed(&self) -> bool {
        self.ticker.is_none_or(is_ticker) && self.isin.is_none_or(is_isin)
    }
}

/// Letters, six digits of a day, whether it is a call or a put, and a price.
fn is_option(ticker: &str) -> bool {
    let ticker = ticker.strip_prefix('-').unwrap_or(ticker).as_bytes();
    let letters = ticker.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let Some((day, [side, strike @ ..])) = ticker[letters..].split_at_checked(6) else {
        return false;
    };
    (1..=6).contains(&letters)
        && day.iter().all(u8::is_ascii_digit)
        && matches!(side.to_ascii_uppercase(), b'C' | b'P')
        && strike.first().is_some_and(u8::is_ascii_digit)
        && strike.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// Whether a text can be a ticker.
pub(super) fn is_ticker(text: &str) -> bool {
    text.chars().count() <= TICKER_CHARS_MAX && !text.contains(char::is_whitespace)
}

/// Whether a text is an ISIN in any case.
pub(super) fn is_isin(text: &str) -> bool {
    security::is_isin(&text.to_uppercase())
}

/// A security that the family has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSecurity {
    /// The id of the security.
    pub id: SecurityId,
    /// What it is traded as.
    pub listing: Listing,
    /// Its ISIN, if it is known.
    pub isin: Option<String>,
}

/// The security that a row means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeantSecurity {
    /// Its id; none if it is to be made.
    pub id: Option<SecurityId>,
    /// What it is traded as.
    pub listing: Listing,
    /// The ISIN that the row states.
    pub isin: Option<String>,
}

/// The securities that rows can mean.
#[derive(Debug, Clone, Default)]
pub struct KnownSecurities {
    all: Vec<KnownSecurity>,
    by_ticker: HashMap<String, Vec<usize>>,
    by_isin: HashMap<String, Vec<usize>>,
}

impl KnownSecurities {
    /// Adds one that the caller may see.
    pub fn add(&mut self, security: KnownSecurity) {
        let place = self.all.len();
        self.by_ticker.entry(security.listing.ticker.clone()).or_default().push(place);
        if let Some(isin) = &security.isin {
            self.by_isin.entry(isin.clone()).or_default().push(place);
        }
        self.all.push(security);
    }

    /// The security that a row means.
    ///
    /// # Errors
    /// Why a person must name it more exactly, as a sentence.
    pub fn find(&self, text: SecurityText<'_>) -> Result<MeantSecurity, String> {
        let upper = |text: Option<&str>| text.map(|text| text.trim().to_uppercase());
        let (ticker, mic, isin) = (upper(text.ticker), upper(text.mic), upper(text.isin));
        if let Some(isin) = &isin {
            let known = self.listed(self.by_isin.get(isin));
            let is_called = |one: &&KnownSecurity| {
                ticker.as_ref().is_none_or(|ticker| one.listing.ticker == *ticker)
                    && mic.as_ref().is_none_or(|mic| one.listing.exchange_operating_mic == *mic)
            };
            let called: Vec<&KnownSecurity> = known.iter().copied().filter(is_called).collect();
            match (known.as_slice(), called.as_slice()) {
                ([], _) => {}
                ([only], _) | (_, [only]) => return Ok(MeantSecurity::of(only, Some(isin))),
                _ => return Err(format!("Several securities have the ISIN {isin}")),
            }
        }
        // What has no ticker is known by its ISIN.
        let Some(ticker) = ticker.or_else(|| isin.clone()) else {
            return Err("The row names no security".to_owned());
        };
        let found = self.by_listing(&ticker, mic.as_deref())?;
        if let (Some(found), Some(isin)) = (found, &isin)
            && let Some(other) = found.isin.as_ref().filter(|its| *its != isin)
        {
            return Err(format!("{ticker} has the ISIN {other}, but the row has {isin}"));
        }
        Ok(match found {
            Some(found) => MeantSecurity::of(found, isin.as_deref()),
            None => {
                let exchange_operating_mic = mic.unwrap_or_default();
                MeantSecurity {
                    id: None,
                    listing: Listing { ticker, exchange_operating_mic },
                    isin,
                }
            }
        })
    }

    /// By ticker and market. Without a market it is the only one of its ticker, or the one of which
    /// the market isn't known either.
    fn by_listing(
        &self,
        ticker: &str,
        mic: Option<&str>,
    ) -> Result<Option<&KnownSecurity>, String> {
        let known = self.listed(self.by_ticker.get(ticker));
        let on =
            |mic: &str| known.iter().copied().find(|one| one.listing.exchange_operating_mic == mic);
        match (mic, known.as_slice()) {
            (Some(mic), _) => Ok(on(mic)),
            (None, []) => Ok(None),
            (None, [only]) => Ok(Some(only)),
            (None, _) => match on("") {
                Some(one) => Ok(Some(one)),
                None => Err(format!(
                    "{ticker} is traded on several exchanges: the row must name one by its MIC"
                )),
            },
        }
    }

    fn listed(&self, places: Option<&Vec<usize>>) -> Vec<&KnownSecurity> {
        let places = places.map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.all.get(*place)).collect()
    }
}

impl MeantSecurity {
    fn of(known: &KnownSecurity, isin: Option<&str>) -> Self {
        let isin = isin.map(str::to_owned);
        Self { id: Some(known.id), listing: known.listing.clone(), isin }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn known(list: &[(u128, &str, &str, Option<&str>)]) -> KnownSecurities {
        let mut known = KnownSecurities::default();
        for (id, ticker, mic, isin) in list {
            let listing =
                Listing { ticker: (*ticker).to_owned(), exchange_operating_mic: (*mic).to_owned() };
            let id = SecurityId(Uuid::from_u128(*id));
            known.add(KnownSecurity { id, listing, isin: isin.map(str::to_owned) });
        }
        known
    }

    #[test]
    fn a_row_means_the_security_that_it_names_most_exactly() {
        const APPLE: &str = "US0378331005";
        let known = known(&[
            (1, "AAPL", "XNAS", Some(APPLE)),
            (2, "VOD", "XLON", None),
            (3, "VOD", "XNAS", None),
            (4, "BP", "", None),
            (5, "BP", "XLON", None),
        ]);
        let text = |ticker, mic, isin| SecurityText { ticker, mic, isin, name: None };
        for (text, id) in [
            (text(Some("aapl"), None, None), Some(1)),
            // A German ticker of the same share.
            (text(Some("APC"), None, Some("us0378331005")), Some(1)),
            (text(None, None, Some(APPLE)), Some(1)),
            (text(Some("AAPL"), Some("XETR"), None), None),
            (text(Some("VOD"), Some("xnas"), None), Some(3)),
            (text(Some("BP"), None, None), Some(4)),
            (text(Some("NEW"), None, None), None),
        ] {
            let found = known.find(text).unwrap();
            assert_eq!(found.id.map(|id| id.0.as_u128()), id, "{text:?}");
        }
        let new = known.find(text(None, None, Some("IE00B3RBWM25"))).unwrap();
        assert_eq!(
            (new.listing.ticker.as_str(), new.isin.as_deref()),
            ("IE00B3RBWM25", Some("IE00B3RBWM25"))
        );
        for text in [
            text(Some("VOD"), None, None),
            text(Some("AAPL"), None, Some("IE00B3RBWM25")),
            text(None, None, None),
        ] {
            assert!(known.find(text).is_err(), "{text:?}");
        }
    }
}
