//! The one rule by which the signs of a file of trades are read, for quantities, amounts and fees
//! alike. It is found in the whole file, stored with the layout and shown to people.
//!
//! A word for the type states the direction; a sign that contradicts it makes the row invalid.
//! Where no word does, the quantity decides, else the amount.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::named::text_enum;

/// What the sign of a quantity means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuantitySign {
    /// The types of the rows state the direction; shares that leave may have a minus.
    #[default]
    ByType,
    /// Positive quantities come in, negative ones leave.
    PositiveComesIn,
    /// Negative quantities come in, positive ones leave.
    NegativeComesIn,
    /// No quantity has a sign: that of the amount decides.
    ByAmount,
}

/// What the sign of a total means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AmountSign {
    /// Purchases and sales have none.
    #[default]
    None,
    /// Negative amounts are money out.
    NegativeIsOut,
    /// Positive amounts are money out, as with costs.
    PositiveIsOut,
}

/// The sign of income where totals are costs: some programs write what comes in as a negative cost,
/// others as it is. Dividends show it, which are always income; interest may be paid, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncomeSign {
    /// Most dividends have no minus.
    #[default]
    Positive,
    /// Most dividends have a minus.
    Negative,
    /// As many dividends have a minus as have none, or there are none.
    Unknown,
}

text_enum! {
    /// What a total contains.
    TotalMeaning {
        /// What was paid or received: fees and taxes are part of it.
        Net = "net",
        /// Quantity × price, before fees and taxes.
        Gross = "gross",
    }
}

/// The rule of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignRule {
    /// What the sign of a quantity means.
    pub quantity: QuantitySign,
    /// What the sign of a total means.
    pub amount: AmountSign,
    /// The sign of income where positive totals are money out.
    #[serde(default = "unknown")]
    pub income: IncomeSign,
    /// What a total contains; nothing if neither the file nor a setting shows it.
    pub total: Option<TotalMeaning>,
    /// Fees and taxes that are paid are negative.
    pub fees_are_negative: bool,
}

/// What layouts of earlier versions know of income.
fn unknown() -> IncomeSign {
    IncomeSign::Unknown
}

impl SignRule {
    /// The rule as a sentence without a full stop.
    pub fn sentence(&self) -> String {
        let quantity = match self.quantity {
            QuantitySign::ByType => "The type of a row states whether shares come in or leave",
            QuantitySign::PositiveComesIn => "Positive quantities come in, negative ones leave",
            QuantitySign::NegativeComesIn => "Negative quantities come in, positive ones leave",
            QuantitySign::ByAmount => "Shares come in where money goes out",
        };
        let amount = match self.amount {
            AmountSign::None => "totals have no sign",
            AmountSign::NegativeIsOut => "negative totals are money out",
            AmountSign::PositiveIsOut => "positive totals are money out",
        };
        let total = match self.total {
            Some(TotalMeaning::Net) => "fees are part of the total",
            Some(TotalMeaning::Gross) => "fees come on top of the total",
            None => "nothing shows whether fees are part of the total",
        };
        format!("{quantity}; {amount}; {total}")
    }
}

/// The direction of shares or of money, seen from the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Money or shares come into the account.
    In,
    /// Money or shares leave it.
    Out,
}

impl Flow {
    /// The direction of the money that is paid for shares.
    pub(super) fn opposite(self) -> Self {
        match self {
            Self::In => Self::Out,
            Self::Out => Self::In,
        }
    }

    /// The direction as a reason names it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::In => "come in",
            Self::Out => "leave",
        }
    }
}

impl SignRule {
    /// What the sign of a quantity states, if it states anything.
    pub(super) fn shares(&self, is_negative: bool) -> Option<Flow> {
        match (self.quantity, is_negative) {
            (QuantitySign::PositiveComesIn, false) | (QuantitySign::NegativeComesIn, true) => {
                Some(Flow::In)
            }
            (QuantitySign::PositiveComesIn, true)
            | (QuantitySign::NegativeComesIn, false)
            | (QuantitySign::ByType, true) => Some(Flow::Out),
            (QuantitySign::ByType | QuantitySign::ByAmount, _) => None,
        }
    }

    /// What the sign of income states, if it states anything.
    ///
    /// # Errors
    /// A part of a sentence, if nobody knows which income of the file was taken back.
    pub(super) fn income(&self, is_negative: bool) -> Result<Option<Flow>, String> {
        if self.amount != AmountSign::PositiveIsOut {
            return Ok(self.money(is_negative));
        }
        match self.income {
            IncomeSign::Unknown => Err("Positive totals are costs, and no dividends show the \
                                        sign of income: nothing states whether this came in"
                .to_owned()),
            IncomeSign::Positive => Ok(Some(if is_negative { Flow::Out } else { Flow::In })),
            IncomeSign::Negative => Ok(Some(if is_negative { Flow::In } else { Flow::Out })),
        }
    }

    /// What the sign of a total states, if it states anything.
    pub(super) fn money(&self, is_negative: bool) -> Option<Flow> {
        match (self.amount, is_negative) {
            (AmountSign::NegativeIsOut, false) | (AmountSign::PositiveIsOut, true) => {
                Some(Flow::In)
            }
            (AmountSign::NegativeIsOut, true)
            | (AmountSign::PositiveIsOut, false)
            | (AmountSign::None, true) => Some(Flow::Out),
            (AmountSign::None, false) => None,
        }
    }
}

/// Purchases and sales of a file by the signs of their cells.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SignCounts {
    /// Sold shares with a minus, and without.
    sold: [u64; 2],
    /// Bought shares with a minus, and without.
    bought: [u64; 2],
    /// Quantities without a word for the type, with a minus and without.
    unnamed: [u64; 2],
    /// Totals of purchases with a minus, and without.
    paid: [u64; 2],
    /// Totals of sales with a minus, and without.
    received: [u64; 2],
    /// Totals with neither a word nor a sign beside them, with a minus and without.
    undirected: [u64; 2],
    /// Totals that can only be money out, with a minus and without.
    spent: [u64; 2],
    /// Dividends with a minus, and without.
    income: [u64; 2],
    /// Fees and taxes with a minus, and without.
    fees: [u64; 2],
}

/// A row as far as signs matter: of each cell whether it has a minus; nothing if it is blank.
#[derive(Debug, Clone, Copy)]
pub(super) struct SignedRow {
    /// The direction of the shares, if the type states it.
    pub(super) shares: Option<Flow>,
    /// The type is one of money that goes out.
    pub(super) is_spent: bool,
    /// The type is one that is always income.
    pub(super) is_income: bool,
    /// The type is of a trade, or there is none.
    pub(super) is_trade: bool,
    pub(super) quantity: Option<bool>,
    pub(super) amount: Option<bool>,
    pub(super) fees: [Option<bool>; 3],
}

impl SignCounts {
    pub(super) fn add(&mut self, row: &SignedRow) {
        let count = |counts: &mut [u64; 2], is_negative: Option<bool>| {
            if let Some(is_negative) = is_negative {
                counts[usize::from(!is_negative)] += 1;
            }
        };
        match row.shares {
            Some(Flow::In) => {
                count(&mut self.bought, row.quantity);
                count(&mut self.paid, row.amount);
            }
            Some(Flow::Out) => {
                count(&mut self.sold, row.quantity);
                count(&mut self.received, row.amount);
            }
            None if row.is_trade => {
                count(&mut self.unnamed, row.quantity);
                match row.quantity {
                    Some(true) => count(&mut self.received, row.amount),
                    _ => count(&mut self.undirected, row.amount),
                }
            }
            None if row.is_income => count(&mut self.income, row.amount),
            None if row.is_spent => count(&mut self.spent, row.amount),
            None => {}
        }
        row.fees.iter().for_each(|fee| count(&mut self.fees, *fee));
    }

    /// What signs of quantities mean; nothing if a person has to decide it. `positive` is what a
    /// setting states: whether positive ones come in.
    pub(super) fn quantity(&self, positive: Option<bool>) -> Option<QuantitySign> {
        let [minus, plain] = self.unnamed;
        if minus + plain + self.sold[0] + self.bought[0] == 0 {
            return Some(QuantitySign::ByType);
        }
        Some(match positive {
            Some(true) => QuantitySign::PositiveComesIn,
            Some(false) => QuantitySign::NegativeComesIn,
            None if minus > 0 => QuantitySign::PositiveComesIn,
            None if plain > 0 && self.undirected[0] > 0 => QuantitySign::ByAmount,
            None if plain > 0 => return None,
            None if self.sold[0] > 0 && self.bought[0] == 0 => QuantitySign::PositiveComesIn,
            None if self.bought[0] > 0 && self.sold[0] == 0 && self.bought[1] == 0 => {
                QuantitySign::NegativeComesIn
            }
            None => QuantitySign::ByType,
        })
    }

    /// What signs of totals mean.
    pub(super) fn amount(&self) -> AmountSign {
        let [paid, received] = [self.paid, self.received];
        let as_money = paid[0] + self.undirected[0];
        if as_money == 0 && received[0] > 0 && paid[1] > 0 {
            AmountSign::PositiveIsOut
        } else if as_money > 0 || self.spent[0] > 0 {
            AmountSign::NegativeIsOut
        } else {
            AmountSign::None
        }
    }

    /// The sign of income.
    pub(super) fn income(&self) -> IncomeSign {
        let [minus, plain] = self.income;
        match minus.cmp(&plain) {
            Ordering::Greater => IncomeSign::Negative,
            Ordering::Equal => IncomeSign::Unknown,
            Ordering::Less => IncomeSign::Positive,
        }
    }

    /// Whether fees that are paid are negative.
    pub(super) fn fees_are_negative(&self) -> bool {
        self.fees[0] > 0 && self.fees[1] == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(
        rows: &[(Option<Flow>, Option<bool>, Option<bool>)],
    ) -> (Option<QuantitySign>, AmountSign) {
        let mut counts = SignCounts::default();
        for (shares, quantity, amount) in rows {
            counts.add(&SignedRow {
                shares: *shares,
                is_spent: false,
                is_income: false,
                is_trade: true,
                quantity: *quantity,
                amount: *amount,
                fees: [None; 3],
            });
        }
        (counts.quantity(None), counts.amount())
    }

    #[test]
    fn the_rule_follows_from_the_whole_file() {
        use AmountSign::{NegativeIsOut, None as Unsigned, PositiveIsOut};
        use QuantitySign::{ByAmount, ByType, NegativeComesIn, PositiveComesIn};
        let (buy, sell) = (Some(Flow::In), Some(Flow::Out));
        let (minus, plain) = (Some(true), Some(false));
        for (rows, expected) in [
            (vec![(buy, plain, None), (sell, plain, None)], (Some(ByType), Unsigned)),
            (
                vec![(buy, plain, minus), (sell, minus, plain)],
                (Some(PositiveComesIn), NegativeIsOut),
            ),
            (
                vec![(buy, plain, plain), (sell, minus, minus)],
                (Some(PositiveComesIn), PositiveIsOut),
            ),
            (vec![(buy, minus, None), (sell, plain, None)], (Some(NegativeComesIn), Unsigned)),
            (vec![(None, plain, None), (None, minus, None)], (Some(PositiveComesIn), Unsigned)),
            (vec![(None, plain, minus), (None, plain, plain)], (Some(ByAmount), NegativeIsOut)),
            (vec![(None, plain, None), (None, plain, None)], (None, Unsigned)),
            (vec![(None, plain, plain)], (None, Unsigned)),
        ] {
            assert_eq!(rule(&rows), expected, "{rows:?}");
        }
    }

    #[test]
    fn the_rule_is_stated_once_for_all_cells() {
        let total = Some(TotalMeaning::Net);
        let rule =
            SignRule { quantity: QuantitySign::PositiveComesIn, total, ..SignRule::default() };
        let sentence = "Positive quantities come in, negative ones leave; totals have no sign; fees \
                        are part of the total";
        assert_eq!(rule.sentence(), sentence);
    }
}
