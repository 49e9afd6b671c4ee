//! The fields of a trade that its type needs, permits or refuses.

use rust_decimal::Decimal;

use super::{CheckedTrade, Split, TradeValues};
use crate::error::Problems;
use crate::ledger::input::{self, AmountText};
use crate::ledger::trade::{TradeType, UnitFlow};
use crate::limits::{QUANTITY_MAX, SPLIT_PART_MAX};
use crate::money::Currency;
use crate::rates::input::positive_decimal;

/// Reads the fields that depend on the type.
pub(super) struct TypedFields<'a> {
    pub(super) values: &'a TradeValues,
    pub(super) before: Option<&'a CheckedTrade>,
    pub(super) trade_type: TradeType,
    pub(super) currency: Currency,
    pub(super) problems: &'a mut Problems,
}

impl TypedFields<'_> {
    pub(super) fn quantity(&mut self) -> Decimal {
        let needed = self.trade_type.unit_flow() != UnitFlow::None;
        let before = self.before.map(|before| before.terms.quantity);
        let found = self.decimal("qty", &self.values.quantity.clone(), before, needed, needed);
        if found > Decimal::from(QUANTITY_MAX) {
            self.problems.field("qty", format!("must be at most {QUANTITY_MAX}"));
        }
        found
    }

    pub(super) fn price(&mut self) -> Decimal {
        let (needed, known) =
            (self.trade_type.is_priced(), self.trade_type.unit_flow() != UnitFlow::None);
        let before = self.before.map(|before| before.terms.price);
        self.decimal("price", &self.values.price.clone(), before, needed, known)
    }

    pub(super) fn fee(&mut self) -> i64 {
        let known = self.trade_type.is_priced()
            || matches!(self.trade_type, TradeType::Dividend | TradeType::Interest);
        let before = self.before.map(|before| before.terms.fee);
        self.money("fee", &self.values.fee.clone(), before, false, known)
    }

    pub(super) fn amount(&mut self) -> i64 {
        let needed = self.trade_type.is_money();
        // An amount of zero counts too, but a trade of another type had none.
        let before = self.before.map(|before| before.terms);
        let before = before.filter(|terms| terms.trade_type.is_money()).map(|terms| terms.amount);
        self.money("amount", &self.values.amount.clone(), before, needed, needed)
    }

    pub(super) fn cost(&mut self) -> Option<i64> {
        let known = self.trade_type == TradeType::TransferIn;
        match &self.values.cost {
            None => self.before.and_then(|before| before.cost).filter(|_| known),
            Some(None) => None,
            text @ Some(Some(_)) => {
                let text = text.clone().flatten();
                Some(self.money("cost", &text, None, false, known))
            }
        }
    }

    pub(super) fn split(&mut self) -> Option<Split> {
        let before = self.before.and_then(|before| before.split);
        let (to, from) = (&self.values.split_to, &self.values.split_from);
        if self.trade_type != TradeType::Split {
            self.refuse("split_to", to.is_some());
            self.refuse("split_from", from.is_some());
            return None;
        }
        let to = part("split_to", to.as_deref(), before.map(|split| split.to), self.problems);
        let from =
            part("split_from", from.as_deref(), before.map(|split| split.from), self.problems);
        to.zip(from).map(|(to, from)| Split { to, from })
    }

    /// A positive decimal; zero stands for none.
    fn decimal(
        &mut self,
        field: &str,
        text: &Option<AmountText>,
        before: Option<Decimal>,
        needed: bool,
        known: bool,
    ) -> Decimal {
        let found = match text {
            _ if !known => {
                self.refuse(field, text.is_some());
                return Decimal::ZERO;
            }
            Some(text) => positive_decimal(field, text, self.problems),
            None => match before.filter(|before| !before.is_zero()) {
                None if needed => {
                    self.problems.required(field);
                    None
                }
                before => before,
            },
        };
        found.unwrap_or_default()
    }

    /// An amount that isn't negative; zero if none is sent and none was there.
    fn money(
        &mut self,
        field: &str,
        text: &Option<AmountText>,
        before: Option<i64>,
        needed: bool,
        known: bool,
    ) -> i64 {
        let Some(text) = text else {
            if needed && before.is_none() {
                self.problems.required(field);
            }
            return before.filter(|_| known).unwrap_or_default();
        };
        if !known {
            self.refuse(field, true);
            return 0;
        }
        let found = input::amount(field, text, self.currency, self.problems);
        if found.is_some_and(|amount| amount < 0) {
            self.problems.field(field, "must not be negative");
        }
        found.unwrap_or_default()
    }

    fn refuse(&mut self, field: &str, was_sent: bool) {
        if was_sent {
            let name = self.trade_type.as_str();
            self.problems.field(field, format!("is not for a trade of type {name}"));
        }
    }
}

/// A whole number of shares of a split.
fn part(
    field: &str,
    text: Option<&str>,
    before: Option<u32>,
    problems: &mut Problems,
) -> Option<u32> {
    let Some(text) = text else {
        if before.is_none() {
            problems.required(field);
        }
        return before;
    };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number @ 1..=SPLIT_PART_MAX) if digits => Some(number),
        _ => {
            problems.field(field, format!("must be a whole number from 1 to {SPLIT_PART_MAX}"));
            None
        }
    }
}
