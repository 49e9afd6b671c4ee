//! What a list of transactions is filtered by.

use jiff::civil::Date;
use purser_core::ids::{AccountId, CategoryId, MerchantId, TagId};
use purser_core::ledger::nature::Nature;
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

use super::search::Search;
use crate::driver::{Filter, Val};
use crate::families::FamilyId;

/// A bound of amounts in whole units, comparable with amounts of every scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountBound {
    scale_4: i64,
    scale_8: i64,
}

/// Which transactions are listed. Empty lists don't filter.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Only of these accounts.
    pub accounts: Option<Vec<AccountId>>,
    /// Only of these categories, not of those below them.
    pub categories: Vec<CategoryId>,
    /// Only of these merchants.
    pub merchants: Vec<MerchantId>,
    /// Only with at least one of these tags; at most [`TAGS_MAX`].
    pub tags: Vec<TagId>,
    /// Only without (`true`) or only with (`false`) a category.
    pub uncategorized: Option<bool>,
    /// From this day on.
    pub start: Option<Date>,
    /// Up to this day.
    pub end: Option<Date>,
    /// Only amounts (positive = money out) from this one on.
    pub min_amount: Option<AmountBound>,
    /// Only amounts up to this one.
    pub max_amount: Option<AmountBound>,
    /// Only money in or only money out.
    pub nature: Option<Nature>,
    /// Only with this text in name, notes or the name of the merchant.
    pub search: Option<Search>,
}

/// Tags that one list may be filtered by.
pub const TAGS_MAX: usize = 64;

impl AmountBound {
    /// The least amount that is not below `value`.
    pub fn at_least(value: Decimal) -> Self {
        Self::new(value, RoundingStrategy::ToPositiveInfinity)
    }

    /// The largest amount that is not above `value`.
    pub fn at_most(value: Decimal) -> Self {
        Self::new(value, RoundingStrategy::ToNegativeInfinity)
    }

    /// Beyond the range of amounts a bound is as good as the end of the range.
    fn new(value: Decimal, rounding: RoundingStrategy) -> Self {
        let end = if value.is_sign_negative() { i64::MIN } else { i64::MAX };
        let scaled = |unit: i64| {
            value
                .checked_mul(Decimal::from(unit))
                .and_then(|value| value.round_dp_with_strategy(0, rounding).to_i64())
                .unwrap_or(end)
        };
        Self { scale_4: scaled(10_000), scale_8: scaled(100_000_000) }
    }

    fn vals(self) -> [Val<'static>; 2] {
        [Val::Int(self.scale_8), Val::Int(self.scale_4)]
    }
}

// The currencies of scale 8 are in the text, so that it is constant; a test compares them with the
// table. The casts give PostgreSQL the type of the parameters.
const AMOUNT_FROM: &str = "amount >= CASE WHEN currency IN ('BTC', 'DOGE')
    THEN CAST(? AS BIGINT) ELSE CAST(? AS BIGINT) END";
const AMOUNT_TO: &str = "amount <= CASE WHEN currency IN ('BTC', 'DOGE')
    THEN CAST(? AS BIGINT) ELSE CAST(? AS BIGINT) END";

// Transactions and parts. PostgreSQL takes a kind that is named for a rare one as long as it has no
// statistics, and all other kinds for nearly everything, which they are.
const LISTED: &str = "kind NOT IN (1, 2) AND NOT is_split";

/// A condition on tags for a number of them.
macro_rules! tagged {
    ($numbers:literal) => {
        concat!(
            "id IN (SELECT t.entry_id FROM entry_tags t WHERE t.family_id = ? AND t.tag_id IN (",
            $numbers,
            "))"
        )
    };
}

/// Lists of tags are padded to one of these lengths.
const TAGGED: [(usize, &str); 3] = [
    (1, tagged!("?")),
    (8, tagged!("?, ?, ?, ?, ?, ?, ?, ?")),
    (
        TAGS_MAX,
        tagged!(
            "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
            ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
            ?, ?, ?, ?, ?, ?, ?, ?"
        ),
    ),
];

impl Listing {
    /// Every filter at once, for the test that prepares queries.
    pub(super) fn widest() -> Self {
        let nil = uuid::Uuid::nil();
        let bound = AmountBound::at_least(Decimal::ONE);
        Self {
            accounts: None,
            categories: vec![nil.into()],
            merchants: vec![nil.into()],
            tags: vec![nil.into(); TAGS_MAX],
            uncategorized: Some(false),
            start: Some(Date::constant(2000, 1, 1)),
            end: Some(Date::constant(2000, 1, 1)),
            min_amount: Some(bound),
            max_amount: Some(bound),
            nature: Some(Nature::Expense),
            search: Search::new("äöü").ok().flatten(),
        }
    }

    /// Whether the filter is on accounts and days only, which counters know about.
    pub(super) fn is_counted(&self) -> bool {
        self.categories.is_empty()
            && self.merchants.is_empty()
            && self.tags.is_empty()
            && self.uncategorized.is_none()
            && self.min_amount.is_none()
            && self.max_amount.is_none()
            && self.nature.is_none()
            && self.search.is_none()
    }

    /// Everything but the accounts.
    pub(super) fn filter(&self, family: FamilyId) -> Filter<'_> {
        let mut filter =
            everything(family).and_opt("date >= ?", self.start).and_opt("date <= ?", self.end);
        if !self.categories.is_empty() {
            filter = filter.and_in("category_id", self.categories.iter().map(|id| (*id).into()));
        }
        if !self.merchants.is_empty() {
            filter = filter.and_in("merchant_id", self.merchants.iter().map(|id| (*id).into()));
        }
        filter = match self.uncategorized {
            Some(true) => filter.and("category_id IS NULL", []),
            Some(false) => filter.and("category_id IS NOT NULL", []),
            None => filter,
        };
        filter = match self.nature {
            Some(Nature::Income) => filter.and("amount < 0", []),
            Some(Nature::Expense) => filter.and("amount >= 0", []),
            None => filter,
        };
        if let Some(bound) = self.min_amount {
            filter = filter.and(AMOUNT_FROM, bound.vals());
        }
        if let Some(bound) = self.max_amount {
            filter = filter.and(AMOUNT_TO, bound.vals());
        }
        if let Some(search) = &self.search {
            filter = search.limit(filter, family);
        }
        self.limit_tags(filter, family)
    }

    fn limit_tags<'a>(&self, filter: Filter<'a>, family: FamilyId) -> Filter<'a> {
        let Some(last) = self.tags.last() else { return filter };
        // More tags than the longest text takes are cut; whoever reads the request refuses them.
        let wanted = self.tags.len().min(TAGS_MAX);
        for (length, text) in TAGGED {
            if wanted <= length {
                let padded = self.tags.iter().take(wanted).chain(std::iter::repeat(last));
                let tags = padded.take(length).map(|tag| Val::from(*tag));
                return filter.and(text, std::iter::once(family.into()).chain(tags));
            }
        }
        filter
    }
}

/// Everything that a family's list may show.
pub(super) fn everything<'a>(family: FamilyId) -> Filter<'a> {
    Filter::of_family("family_id = ?", family).and(LISTED, [])
}

#[cfg(test)]
mod tests {
    use purser_core::money::Currency;

    use super::*;

    #[test]
    fn the_texts_know_every_currency_of_scale_8() {
        for currency in Currency::all() {
            let quoted = format!("'{}'", currency.code());
            for text in [AMOUNT_FROM, AMOUNT_TO] {
                assert_eq!(text.contains(&quoted), currency.scale() == 8, "{currency}");
            }
        }
    }

    #[test]
    fn every_text_for_tags_takes_the_family_and_its_tags() {
        for (length, text) in TAGGED {
            assert_eq!(text.matches('?').count(), length + 1);
        }
        assert_eq!(TAGGED.last().map(|(length, _)| *length), Some(TAGS_MAX));
    }

    #[test]
    fn bounds_are_rounded_inwards_and_stop_at_the_range() {
        let value: Decimal = "0.00005".parse().unwrap();
        assert_eq!(AmountBound::at_least(value), AmountBound { scale_4: 1, scale_8: 5_000 });
        assert_eq!(AmountBound::at_most(value), AmountBound { scale_4: 0, scale_8: 5_000 });
        assert_eq!(AmountBound::at_least(-value), AmountBound { scale_4: 0, scale_8: -5_000 });
        assert_eq!(AmountBound::at_most(-value), AmountBound { scale_4: -1, scale_8: -5_000 });
        let huge = Decimal::MAX;
        assert_eq!(AmountBound::at_least(huge).scale_4, i64::MAX);
        assert_eq!(AmountBound::at_most(-huge).scale_8, i64::MIN);
        let large = Decimal::from(100_000_000_000_000_i64);
        assert_eq!(AmountBound::at_least(large).scale_4, 1_000_000_000_000_000_000);
        assert_eq!(AmountBound::at_least(large).scale_8, i64::MAX);
    }
}
