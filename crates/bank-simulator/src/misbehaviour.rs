//! What the banks and the network do wrong, by names that the command line takes.

use std::str::FromStr;

/// Something that the banks do wrong, as long as it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quirk {
    /// Pending rows have an empty id or none.
    BlankIds,
    /// Some booked rows get another id each day.
    RotatingIds,
    /// All rows of an account have one id.
    OneIdForAll,
    /// Some pending rows are there twice, to the last byte.
    TwinPendings,
    /// Restaurants book more than was authorised.
    Tips,
    /// The stated number of rows is too high.
    WrongTotals,
    /// The stated number counts a row of each week that is never given.
    HiddenRows,
    /// An answer has 25 rows at most, the newest; the stated number is right.
    Truncated,
    /// Some rows appear days after their day, and never as pending.
    LatePostings,
    /// Rows older than 30 days are gone.
    ShortHistory,
    /// Everything costs one of two round prices, so that different purchases have one amount.
    RoundPrices,
    /// Neither accounts nor rows have a currency; the balance has.
    NoCurrency,
    /// The balance of the first account is in another currency.
    OtherCurrency,
    /// The bank of the second account asks for a new consent.
    ConsentExpired,
    /// The third account is gone.
    AccountRemoved,
    /// The provider's clock is three hours ahead, and days are times of another time zone.
    ClockSkew,
    /// Numbers are texts, have exponents or the noise of floats.
    OddNumbers,
    /// Days are seconds since 1970.
    EpochDates,
    /// The window that was asked for is ignored.
    IgnoredWindow,
    /// Some rows can't be read.
    BrokenRows,
    /// No row can be read: every day is in words.
    NoReadableRows,
    /// The bank of the second account has a failure; the provider goes on giving old rows.
    BankError,
    /// The provider reports in a sentence that a bank needs attention, and gives only a part of
    /// what it has: each other booked row, and no pending one.
    Sentences,
    /// What is booked has another name than what was pending, with the same words in it.
    Renames,
    /// Some pending rows go and are never booked.
    CancelledHolds,
    /// No row has an id, booked ones neither.
    NoIds,
    /// Rows have no name of the other side, and some no text either.
    NoNames,
    /// A balance has the older form: no object of its own.
    FlatBalance,
    /// The list has no accounts.
    NoAccounts,
    /// Ids of accounts are texts.
    TextIds,
    /// One of the holdings was sold.
    SoldHolding,
    /// More units of one of the holdings were bought.
    BoughtHolding,
    /// The price of a holding is another one each day.
    MovingPrices,
    /// Costs are those of one unit.
    UnitCosts,
    /// A holding is two rows.
    Lots,
    /// Money is listed among the holdings.
    CashHolding,
    /// A holding is in another currency than the account.
    ForeignHolding,
    /// Holdings have names and nothing else.
    NamelessHoldings,
    /// A holding can't be read.
    BrokenHoldings,
    /// The stated sum of the holdings is too high.
    WrongSum,
}

impl Quirk {
    /// Every quirk with its name.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("blank-ids", Self::BlankIds),
        ("rotating-ids", Self::RotatingIds),
        ("one-id-for-all", Self::OneIdForAll),
        ("twin-pendings", Self::TwinPendings),
        ("tips", Self::Tips),
        ("wrong-totals", Self::WrongTotals),
        ("hidden-rows", Self::HiddenRows),
        ("truncated", Self::Truncated),
        ("late-postings", Self::LatePostings),
        ("short-history", Self::ShortHistory),
        ("round-prices", Self::RoundPrices),
        ("no-currency", Self::NoCurrency),
        ("other-currency", Self::OtherCurrency),
        ("consent-expired", Self::ConsentExpired),
        ("account-removed", Self::AccountRemoved),
        ("clock-skew", Self::ClockSkew),
        ("odd-numbers", Self::OddNumbers),
        ("epoch-dates", Self::EpochDates),
        ("ignored-window", Self::IgnoredWindow),
        ("broken-rows", Self::BrokenRows),
        ("no-readable-rows", Self::NoReadableRows),
        ("bank-error", Self::BankError),
        ("sentences", Self::Sentences),
        ("renames", Self::Renames),
        ("cancelled-holds", Self::CancelledHolds),
        ("no-ids", Self::NoIds),
        ("no-names", Self::NoNames),
        ("flat-balance", Self::FlatBalance),
        ("no-accounts", Self::NoAccounts),
        ("text-ids", Self::TextIds),
        ("sold-holding", Self::SoldHolding),
        ("bought-holding", Self::BoughtHolding),
        ("moving-prices", Self::MovingPrices),
        ("unit-costs", Self::UnitCosts),
        ("lots", Self::Lots),
        ("cash-holding", Self::CashHolding),
        ("foreign-holding", Self::ForeignHolding),
        ("nameless-holdings", Self::NamelessHoldings),
        ("broken-holdings", Self::BrokenHoldings),
        ("wrong-sum", Self::WrongSum),
    ];
}

impl FromStr for Quirk {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, quirk)| *quirk).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(name, _)| *name).collect();
            format!("`{text}` is none of {}", names.join(", "))
        })
    }
}

/// What a request meets instead of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// A status with the documented form of an error.
    Status(u16),
    /// Status 429; `Retry-After` in seconds if there are any.
    TooMany(Option<u64>),
    /// Status 429 with a day and time in `Retry-After`, by the provider's own clock.
    TooManyUntil(u64),
    /// The limit of a bank as a failure of the provider: status 500 and a sentence.
    WrappedTooMany(u64),
    /// Status 502 with a page for people.
    Page,
    /// Status 200 and something that isn't JSON.
    NotJson,
    /// The answer comes byte by byte.
    Slow,
    /// The answer ends in the middle.
    Broken,
    /// No answer ever comes.
    Silent,
    /// An answer that is larger than any should be.
    Huge,
    /// A redirect to another address.
    Redirect(String),
    /// Status 500 with everything that the request had, the key included.
    Echo,
}

/// Something that goes wrong with requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What the requests meet with.
    pub kind: FaultKind,
    /// Only requests with this in their path; empty for all.
    pub path: String,
    /// How many requests meet it; `None` for all.
    pub times: Option<u32>,
}

impl Fault {
    /// A fault of all requests with a text in their path.
    pub fn always(kind: FaultKind, path: &str) -> Self {
        Self { kind, path: path.to_owned(), times: None }
    }

    /// A fault of the next requests with a text in their path.
    pub fn times(times: u32, kind: FaultKind, path: &str) -> Self {
        Self { kind, path: path.to_owned(), times: Some(times) }
    }
}

/// `KIND`, `KIND@PATH`, `KIND*TIMES` or `KIND@PATH*TIMES`, as in `429=37@balance*2`.
impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (text, times) = match text.rsplit_once('*') {
            Some((rest, times)) => {
                let times =
                    times.parse().map_err(|_| format!("`{times}` is no number of times"))?;
                (rest, Some(times))
            }
            None => (text, None),
        };
        let (kind, path) = text.split_once('@').unwrap_or((text, ""));
        let (name, value) = kind.split_once('=').unwrap_or((kind, ""));
        let seconds = value.parse::<u64>().ok();
        let kind = match (name, seconds) {
            ("429", seconds) => FaultKind::TooMany(seconds),
            ("429-until", Some(seconds)) => FaultKind::TooManyUntil(seconds),
            ("wrapped-429", Some(seconds)) => FaultKind::WrappedTooMany(seconds),
            ("page", _) => FaultKind::Page,
            ("not-json", _) => FaultKind::NotJson,
            ("slow", _) => FaultKind::Slow,
            ("broken", _) => FaultKind::Broken,
            ("silent", _) => FaultKind::Silent,
            ("huge", _) => FaultKind::Huge,
            ("echo", _) => FaultKind::Echo,
            ("redirect", _) if !value.is_empty() => FaultKind::Redirect(value.to_owned()),
            (status, _) => match status.parse::<u16>() {
                Ok(status @ 400..=599) => FaultKind::Status(status),
                _ => {
                    return Err(format!(
                        "`{kind}` is none of a status from 400 to 599, 429=SECONDS, \
                         429-until=SECONDS, wrapped-429=SECONDS, page, not-json, slow, broken, \
                         silent, huge, echo, redirect=ADDRESS"
                    ));
                }
            },
        };
        Ok(Self { kind, path: path.to_owned(), times })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quirks_and_faults_are_read_by_name() {
        for (name, quirk) in Quirk::ALL {
            assert_eq!(name.parse(), Ok(*quirk));
        }
        assert!("nice".parse::<Quirk>().is_err());
        let fault = |text: &str| text.parse::<Fault>();
        assert_eq!(
            fault("wrapped-429=37@balance*2"),
            Ok(Fault::times(2, FaultKind::WrappedTooMany(37), "balance"))
        );
        assert_eq!(fault("429"), Ok(Fault::always(FaultKind::TooMany(None), "")));
        assert_eq!(fault("503@/accounts"), Ok(Fault::always(FaultKind::Status(503), "/accounts")));
        assert_eq!(
            fault("redirect=http://x.example/"),
            Ok(Fault::always(FaultKind::Redirect("http://x.example/".to_owned()), ""))
        );
        for wrong in ["", "200", "late", "slow*many", "429-until", "redirect"] {
            assert!(fault(wrong).is_err(), "{wrong}");
        }
    }
}
