//! Splitting a transaction: parts that add up to it exactly.
//!
//! The whole stays what it was, for balances, duplicates and undo; reports and lists show the parts
//! in its place. An amount in another currency than the account's is booked part by part so that
//! what is booked adds up as well: rounding never makes or loses a cent.

use uuid::Uuid;

use super::input::{self, AmountText};
use super::transaction_values::{Present, TransactionValues};
use crate::error::{Problems, Result};
use crate::limits::SPLIT_PARTS_MAX;
use crate::money::decimal::amount_text;

/// A part as a caller writes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartInput {
    /// Positive = money out, like the whole's.
    pub amount: Option<AmountText>,
    /// Name, notes, category, merchant, tags and whether it is excluded; no date and no nature.
    pub values: TransactionValues,
}

/// A part that was judged, but for the existence of what it points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The amount in the scale of the whole's currency.
    pub amount: i64,
    /// The whole's name if it has none of its own.
    pub name: Option<String>,
    /// The notes, which are never blank.
    pub notes: Option<String>,
    /// The category, if there is one.
    pub category: Option<Uuid>,
    /// The merchant, if there is one.
    pub merchant: Option<Uuid>,
    /// The tags, sorted and each once.
    pub tags: Vec<Uuid>,
    /// Whether reports and budgets leave it out; `None` if it follows the whole.
    pub excluded: Option<bool>,
}

/// Judges the parts of a transaction; every problem is reported at once.
pub fn check(parts: &[PartInput], whole: Present, today: jiff::civil::Date) -> Result<Vec<Part>> {
    let mut problems = Problems::new();
    if !(2..=SPLIT_PARTS_MAX).contains(&parts.len()) {
        problems.field("parts", format!("must have 2 to {SPLIT_PARTS_MAX} entries"));
        problems.into_result()?;
        return Ok(Vec::new());
    }
    let mut checked = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        let path = format!("parts[{at}]");
        let field = format!("{path}.amount");
        let amount = match &part.amount {
            Some(text) => input::amount(&field, text, whole.currency, &mut problems),
            None => {
                problems.required(field);
                None
            }
        };
        let values = TransactionValues {
            date: None,
            amount: None,
            nature: None,
            unlock: Vec::new(),
            ..part.values.clone()
        };
        match values.check(whole, today) {
            Ok(values) => checked.push(Part {
                amount: amount.unwrap_or_default(),
                name: values.name,
                notes: values.notes.flatten(),
                category: values.category.flatten(),
                merchant: values.merchant.flatten(),
                tags: values.tags.unwrap_or_default(),
                excluded: values.excluded,
            }),
            Err(crate::error::Error::Invalid { problems: own, .. }) => {
                problems.extend_below(&path, own);
            }
            Err(other) => return Err(other),
        }
    }
    problems.into_result()?;
    require_sum(&checked, whole)?;
    Ok(checked)
}

fn require_sum(parts: &[Part], whole: Present) -> Result<()> {
    let sum: i128 = parts.iter().map(|part| i128::from(part.amount)).sum();
    let mut problems = Problems::new();
    if sum != i128::from(whole.amount) {
        let shown = |amount: i128| amount_text(amount, whole.currency);
        let sentence = format!(
            "The parts add up to {}, but the transaction has {}",
            shown(sum),
            shown(i128::from(whole.amount))
        );
        problems.about("parts", sentence);
    }
    problems.into_result()
}

/// The booked amount of each part of a whole that is booked as `booked`: its share, rounded so that
/// all of them add up to it.
pub fn share(booked: i64, whole: i64, parts: &[i64]) -> Vec<i64> {
    let (mut covered, mut given) = (0_i128, 0_i128);
    let (booked, whole) = (i128::from(booked), i128::from(whole));
    parts
        .iter()
        .map(|part| {
            covered += i128::from(*part);
            // The share of all parts so far, rounded, less what those before have already.
            let so_far = if whole == 0 { booked } else { rounded(booked, covered, whole) };
            let share = so_far - given;
            given = so_far;
            i64::try_from(share).unwrap_or_default()
        })
        .collect()
}

/// `booked · covered / whole`, half away from zero. Amounts have at most 63 bits each.
fn rounded(booked: i128, covered: i128, whole: i128) -> i128 {
    let product = booked.saturating_mul(covered);
    let (quotient, rest) = (product / whole, product % whole);
    let up = rest.unsigned_abs() >= whole.unsigned_abs() - rest.unsigned_abs();
    let sign = if (rest < 0) == (whole < 0) { 1 } else { -1 };
    if up && rest != 0 { quotient + sign } else { quotient }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;
    use crate::error::Error;
    use crate::money::Currency;

    fn part(amount: &str) -> PartInput {
        PartInput { amount: Some(AmountText::Text(amount.into())), ..PartInput::default() }
    }

    fn errors(parts: &[PartInput]) -> Vec<String> {
        let whole =
            Present { currency: Currency::USD, amount: 100_000, account_currency: Currency::USD };
        match check(parts, whole, date(2026, 1, 1)) {
            Ok(parts) => {
                assert!(!parts.is_empty());
                Vec::new()
            }
            Err(Error::Invalid { problems, .. }) => crate::error::texts(&problems),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        assert_eq!(errors(&[part("7.5"), part("2.5")]), [""; 0]);
        assert_eq!(errors(&[part("12"), part("-2")]), [""; 0]);
        assert_eq!(
            errors(&[part("7.5"), part("2.4999")]),
            ["The parts add up to 9.9999, but the transaction has 10.00"]
        );
        assert_eq!(errors(&[part("10")]), ["The parts must have 2 to 100 entries"]);
        let wrong = [part("x"), PartInput::default()];
        assert_eq!(
            errors(&wrong),
            [
                "The parts[0].amount must be a decimal number such as 12.50",
                "The parts[1].amount is required"
            ]
        );
        let mut named = part("7.5");
        named.values.name = Some(None);
        let expected = ["The parts[0].name must have 1 to 500 characters"];
        assert_eq!(errors(&[named, part("2.5")]), expected);
    }

    proptest! {
        #[test]
        fn shares_add_up_and_are_near(
            parts in proptest::collection::vec(1_i64..1_000_000, 2..10), rate in 1_i64..5_000,
        ) {
            let whole: i64 = parts.iter().sum();
            let booked = whole * rate / 1_000;
            let shares = share(booked, whole, &parts);
            prop_assert_eq!(shares.iter().sum::<i64>(), booked);
            for (share, part) in shares.iter().zip(&parts) {
                let exact = i128::from(booked) * i128::from(*part);
                let off = (i128::from(*share) * i128::from(whole) - exact).abs();
                prop_assert!(off <= i128::from(whole));
            }
            let negative: Vec<i64> = parts.iter().map(|part| -part).collect();
            let mirrored: Vec<i64> = shares.iter().map(|share| -share).collect();
            prop_assert_eq!(share(-booked, -whole, &negative), mirrored);
        }
    }
}
