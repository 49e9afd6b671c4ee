//! What a security in an account is called in a file, and the days for which its cost is stated: of
//! a position so many are kept, each once.

use std::collections::HashMap;

use jiff::civil::Date;

use super::fields::Fields;
use super::{SecurityName, SortedKeys, SourceId};
use crate::error::Problems;
use crate::limits::STATED_COSTS_MAX;

/// What stands for a security in an account. Records of the older server have no ids of securities.
pub(super) fn held_in(account: &SourceId, security: &SecurityName) -> SourceId {
    let listing = &security.listing;
    let ticker = || format!("{} {}", listing.ticker, listing.exchange_operating_mic);
    let security = security.id.as_ref().map_or_else(ticker, |id| id.0.clone());
    SourceId(format!("{} {security}", account.0))
}

/// The same in the first pass, with the day of the record.
pub(super) fn held_day(fields: &mut Fields<'_, '_>) -> Option<(SourceId, Date)> {
    let security = fields.id("security_id").map(|id| id.0);
    let market = fields.text(&["exchange_operating_mic", "exchange_mic"]);
    let ticker = fields.text(&["ticker"]).unwrap_or_default();
    let ticker = format!("{ticker} {}", market.unwrap_or_default()).to_uppercase();
    let day = fields.calendar_day("date");
    let account = fields.id("account_id")?;
    Some((SourceId(format!("{} {}", account.0, security.unwrap_or(ticker))), day?))
}

/// A day of a position: what stands for the position, and the day in the last 32 bits. Those of a
/// position are in the order of their days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PositionDay(u128);

/// Millions of costs may be in a file.
const _: () = assert!(size_of::<PositionDay>() == 16);

impl PositionDay {
    fn new(position: &SourceId, date: Date) -> Self {
        let day_of_year = (i32::from(date.year()) + 10_000) * 512 + i32::from(date.day_of_year());
        Self(position.key() >> 32 << 32 | u128::from(day_of_year.unsigned_abs()))
    }

    fn position(self) -> u128 {
        self.0 >> 32
    }
}

/// The days for which costs of positions are stated: 16 bytes for each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CostDays {
    /// All days, until the first pass ends.
    days: Vec<PositionDay>,
    /// Days that a position has several times.
    doubled: SortedKeys,
    /// The last day that can't be kept, of positions with more days than can be.
    left_out: HashMap<u128, PositionDay>,
}

impl CostDays {
    /// Adds the cost of a position.
    pub(super) fn add(&mut self, position: &SourceId, date: Date) {
        self.days.push(PositionDay::new(position, date));
    }

    /// Ends the first pass.
    pub(super) fn finish(&mut self) {
        let mut days = std::mem::take(&mut self.days);
        days.sort_unstable();
        let doubled = days.windows(2).filter(|two| two[0] == two[1]);
        doubled.for_each(|two| self.doubled.add(two[0].0));
        self.doubled.sort_once();
        days.dedup();
        for days in days.chunk_by(|one, next| one.position() == next.position()) {
            let kept_from = days.len().saturating_sub(STATED_COSTS_MAX);
            let last = days[..kept_from].last();
            self.left_out.extend(last.map(|last| (last.position(), *last)));
        }
    }

    /// What is wrong with a cost beside others of its position. The newest days are kept: they
    /// decide what shares cost now.
    pub(super) fn judge(&self, position: &SourceId, date: Date, problems: &mut Problems) {
        let day = PositionDay::new(position, date);
        if self.doubled.position(day.0).is_some() {
            problems.field("date", "has another cost of the security in the file");
        }
        if self.left_out.get(&day.position()).is_some_and(|last| day <= *last) {
            problems.field(
                "date",
                format!(
                    "is before {STATED_COSTS_MAX} later days with a cost of the security: no more \
                     are kept"
                ),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;
    use jiff::civil::date;

    use crate::import::native::tests::read_all;

    /// A position keeps costs of so many days: the earliest lines beyond are invalid, and so are
    /// several of one day. Other positions don't count.
    #[test]
    fn costs_beyond_those_that_are_kept_are_refused() {
        let accounts = include_str!("testdata/others.ndjson");
        let line = |day: i64, ticker: &str| {
            let day = date(2020, 1, 1).saturating_add(day.days());
            format!(
                r#"{{"type":"HoldingCost","data":{{"account_id":"i","ticker":"{ticker}","date":"{day}",
                "cost_total":"1"}}}}"#
            )
            .replace('\n', " ")
        };
        let days =
            |ticker: &'static str, days: i64| (0..days).rev().map(move |day| line(day, ticker));
        let lines = days("VTI", 402).chain(days("vwce", 400)).chain([line(7, "VWCE")]);
        let text = lines.collect::<Vec<_>>().join("\n");
        let read = read_all(&format!("{accounts}{text}"));
        let costs = &read[accounts.lines().count()..];
        let refused: Vec<(usize, &str)> = costs
            .iter()
            .enumerate()
            .filter_map(|(at, one)| Some((at, one.as_ref().err()?.first()?.as_str())))
            .collect();
        let many =
            "The date is before 400 later days with a cost of the security: no more are kept";
        let twice = "The date has another cost of the security in the file";
        assert_eq!(refused, [(400, many), (401, many), (402 + 392, twice), (802, twice)]);
    }
}
