//! Bank statements that were published: what is between two of them, and whether the ledger agrees.

use jiff::ToSpan as _;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::ids::SecurityId;
use crate::import::transaction::balance::difference_text;
use crate::money::Currency;

/// Days without a statement that are a gap although the balances before and after are equal. Fewer
/// are weekends and holidays between statements of days.
const MONTH_DAYS: i64 = 28;

/// Positions of a statement that are kept where the ledger has them otherwise.
pub const DIFFERING_KEPT_MAX: usize = 100;

/// The days of a bank statement, and its balances in the scale of one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// The first day that it is about.
    pub first_day: Date,
    /// The last day that it is about.
    pub last_day: Date,
    /// The balance before its first line, if it is known.
    pub opening: Option<i64>,
    /// The balance after its last line, if it is known.
    pub closing: Option<i64>,
}

/// What is missing between a bank statement and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The first and the last day without a statement, if there are any.
    pub days: Option<(Date, Date)>,
    /// How many days that are.
    pub days_count: u64,
    /// What the opening balance has more than the closing balance before it; none if one of them
    /// isn't known.
    pub amount: Option<i64>,
}

impl Ends {
    /// What is missing since an earlier statement of the same account. Statements that share days
    /// have no gap between them, since each states its own part of those days.
    pub fn gap_since(&self, earlier: &Self) -> Option<Gap> {
        // One that ends on the day on which the next one begins is followed by it; a copy isn't.
        if self.first_day < earlier.last_day || self.first_day <= earlier.first_day {
            return None;
        }
        let first = earlier.last_day.saturating_add(1.day());
        let last = self.first_day.saturating_sub(1.day());
        let days_count = earlier.last_day.until(self.first_day).map_or(0, |span| {
            let between = i64::from(span.get_days()) - 1;
            between.max(0)
        });
        let amount = self.opening.zip(earlier.closing);
        let amount = amount.and_then(|(opening, closing)| opening.checked_sub(closing));
        let is_gap = match amount {
            Some(0) => days_count >= MONTH_DAYS,
            Some(_) => true,
            None => days_count > 0,
        };
        let days = (days_count > 0).then_some((first, last));
        is_gap.then(|| Gap { days, days_count: days_count.unsigned_abs(), amount })
    }
}

impl Gap {
    /// What is missing, as a sentence without a full stop. `day` writes a day.
    pub fn text(&self, currency: Currency, day: impl Fn(Date) -> String) -> String {
        let amount = self.amount.map(|amount| match amount {
            0 => "the balances at both ends are equal".to_owned(),
            amount => format!("then the balance is {}", difference_text(amount, currency)),
        });
        let days = self.days.map(|(first, last)| match self.days_count {
            1 => format!("No statement of {}", day(first)),
            count => format!("No statement of {count} days, {} to {}", day(first), day(last)),
        });
        match (days, amount) {
            (Some(days), Some(amount)) => format!("{days}; {amount}"),
            (Some(days), None) => days,
            (None, Some(amount)) => format!("No day is missing, but {amount}"),
            (None, None) => String::new(),
        }
    }
}

/// A bank statement beside the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerComparison {
    /// The balance after its last line, if it is known.
    pub closing: Option<i64>,
    /// What the ledger has at the end of the closing day, if that can be compared.
    pub ledger: Option<i64>,
    /// Lines that are not in the ledger.
    pub missing_lines: u64,
    /// Positions that the ledger has otherwise; none if the statement states no positions.
    pub differing_positions: Option<u64>,
}

/// The positions of a bank statement beside the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionsComparison {
    /// The day at the end of which they are held.
    pub day: Date,
    /// How many the statement states.
    pub stated: u64,
    /// How many securities the ledger has otherwise.
    pub differing_count: u64,
    /// The first [`DIFFERING_KEPT_MAX`] of them.
    pub differing: Vec<PositionComparison>,
}

impl PositionsComparison {
    /// Those of a day, before anything is compared.
    pub fn of(day: Date) -> Self {
        Self { day, stated: 0, differing_count: 0, differing: Vec::new() }
    }
}

/// A position that a bank statement and the ledger have otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionComparison {
    /// The security, if it is known which one.
    pub security: Option<SecurityId>,
    /// What people call it: the ticker.
    pub name: String,
    /// The number of units that the statement states; zero if it states none.
    pub stated: Decimal,
    /// The number of units that the ledger has.
    pub ledger: Decimal,
}

impl PositionComparison {
    /// What the statement has more.
    pub fn difference(&self) -> Option<Decimal> {
        self.stated.checked_sub(self.ledger)
    }
}

impl LedgerComparison {
    /// What the statement has more than the ledger; none if one of the balances isn't known.
    pub fn difference(&self) -> Option<i64> {
        self.closing?.checked_sub(self.ledger?)
    }

    /// How it stands, as a sentence without a full stop.
    pub fn text(&self, currency: Currency) -> String {
        let missing = match self.missing_lines {
            0 => None,
            1 => Some("1 line is missing".to_owned()),
            lines => Some(format!("{lines} lines are missing")),
        };
        let positions = match self.differing_positions {
            None | Some(0) => None,
            Some(1) => Some("1 position differs".to_owned()),
            Some(count) => Some(format!("{count} positions differ")),
        };
        let difference = match self.difference() {
            None if self.differing_positions.is_some() => None,
            None => Some("Not compared".to_owned()),
            Some(0) => None,
            Some(difference) => {
                Some(format!("{} than in the account", difference_text(difference, currency)))
            }
        };
        let found: Vec<String> = [difference, positions, missing].into_iter().flatten().collect();
        if found.is_empty() { "Reconciled".to_owned() } else { found.join("; ") }
    }

    /// Whether every line is in the ledger, and all that it states and that can be compared, its
    /// closing balance or its positions, is equal.
    pub fn is_reconciled(&self) -> bool {
        let balance = self.difference().map(|difference| difference == 0);
        let positions = self.differing_positions.map(|count| count == 0);
        let compared = [balance, positions];
        self.missing_lines == 0
            && compared.iter().any(Option::is_some)
            && compared.into_iter().flatten().all(|is_equal| is_equal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(days: (&str, &str), opening: Option<i64>, closing: Option<i64>) -> Ends {
        let [first_day, last_day] = [days.0, days.1].map(|day| day.parse().unwrap());
        Ends { first_day, last_day, opening, closing }
    }

    fn gap(earlier: Ends, later: Ends) -> Option<(u64, Option<i64>)> {
        later.gap_since(&earlier).map(|gap| (gap.days_count, gap.amount))
    }

    #[test]
    fn gaps_are_days_or_amounts() {
        let january = ends(("2024-01-01", "2024-01-31"), Some(0), Some(500));
        let february = |opening| ends(("2024-02-01", "2024-02-29"), opening, Some(700));
        let march = |opening| ends(("2024-03-01", "2024-03-31"), opening, None);
        assert_eq!(gap(january, february(Some(500))), None);
        assert_eq!(gap(january, february(Some(400))), Some((0, Some(-100))));
        assert_eq!(gap(january, february(None)), None, "nothing shows that something is missing");
        assert_eq!(gap(january, march(Some(700))), Some((29, Some(200))));
        assert_eq!(gap(january, march(None)), Some((29, None)));
        assert_eq!(gap(january, march(Some(500))), Some((29, Some(0))), "a month without balances");
        let missing = march(None).gap_since(&january).unwrap().days.unwrap();
        assert_eq!(missing, ("2024-02-01".parse().unwrap(), "2024-02-29".parse().unwrap()));
    }

    #[test]
    fn a_weekend_is_no_gap_where_balances_agree() {
        let friday = ends(("2024-03-01", "2024-03-01"), Some(1), Some(2));
        let monday = |opening| ends(("2024-03-04", "2024-03-04"), opening, Some(3));
        assert_eq!(gap(friday, monday(Some(2))), None);
        assert_eq!(gap(friday, monday(Some(3))), Some((2, Some(1))));
        assert_eq!(gap(friday, monday(None)), Some((2, None)));
    }

    #[test]
    fn statements_that_share_days_have_no_gap() {
        let year = ends(("2024-01-01", "2024-12-31"), Some(0), Some(9));
        assert_eq!(gap(year, ends(("2024-03-01", "2024-12-31"), Some(5), Some(9))), None);
        let next = ends(("2024-12-31", "2025-01-31"), Some(8), Some(9));
        assert_eq!(gap(year, next), Some((0, Some(-1))), "one began on the day the other ended");
        let day = ends(("2024-03-01", "2024-03-01"), Some(1), Some(2));
        assert_eq!(gap(day, day), None, "the same one twice");
        let extreme = ends(("2025-01-01", "2025-01-02"), Some(i64::MIN), None);
        let other = Ends { closing: Some(i64::MAX), ..year };
        assert_eq!(gap(other, extreme), None, "a difference that can't be represented is none");
    }

    #[test]
    fn what_is_wrong_is_a_sentence() {
        let usd = Currency::parse("USD").unwrap();
        let units = |amount: i64| amount * 10_i64.pow(usd.scale());
        let comparison = |closing, ledger, missing_lines| LedgerComparison {
            closing: Some(units(closing)),
            ledger: Some(units(ledger)),
            missing_lines,
            differing_positions: None,
        };
        assert_eq!(comparison(5, 5, 0).text(usd), "Reconciled");
        assert_eq!(comparison(5, 3, 0).text(usd), "$2.00 more than in the account");
        assert_eq!(comparison(5, 5, 1).text(usd), "1 line is missing");
        let both = comparison(3, 5, 2).text(usd);
        assert_eq!(both, "$2.00 less than in the account; 2 lines are missing");
        let january = ends(("2024-01-01", "2024-01-31"), Some(0), Some(units(5)));
        let text = |days, opening| {
            let later = ends(days, opening, None);
            later.gap_since(&january).unwrap().text(usd, |day| day.to_string())
        };
        assert_eq!(
            text(("2024-03-01", "2024-03-31"), Some(units(4))),
            "No statement of 29 days, 2024-02-01 to 2024-02-29; then the balance is $1.00 less"
        );
        assert_eq!(text(("2024-02-02", "2024-02-03"), None), "No statement of 2024-02-01");
        assert_eq!(
            text(("2024-02-01", "2024-02-03"), Some(0)),
            "No day is missing, but then the balance is $5.00 less"
        );
    }

    #[test]
    fn reconciled_is_equal_and_whole() {
        let comparison = |closing, ledger, missing_lines| LedgerComparison {
            closing,
            ledger,
            missing_lines,
            differing_positions: None,
        };
        assert!(comparison(Some(5), Some(5), 0).is_reconciled());
        assert!(!comparison(Some(5), Some(5), 1).is_reconciled());
        assert!(!comparison(Some(5), Some(4), 0).is_reconciled());
        assert!(!comparison(None, Some(4), 0).is_reconciled());
        assert_eq!(comparison(Some(5), Some(7), 0).difference(), Some(-2));
        assert_eq!(comparison(Some(5), None, 0).difference(), None);
    }

    #[test]
    fn positions_are_compared_beside_balances() {
        let usd = Currency::parse("USD").unwrap();
        let comparison = |closing, differing_positions, missing_lines| LedgerComparison {
            closing,
            ledger: Some(5),
            missing_lines,
            differing_positions,
        };
        for (one, is_reconciled, text) in [
            (comparison(None, Some(0), 0), true, "Reconciled"),
            (comparison(None, Some(1), 0), false, "1 position differs"),
            (comparison(None, Some(0), 1), false, "1 line is missing"),
            (comparison(Some(5), Some(0), 0), true, "Reconciled"),
            (comparison(Some(5), Some(2), 1), false, "2 positions differ; 1 line is missing"),
            (comparison(None, None, 0), false, "Not compared"),
        ] {
            assert_eq!((one.is_reconciled(), one.text(usd).as_str()), (is_reconciled, text));
        }
        assert!(!comparison(Some(6), Some(0), 0).is_reconciled());
    }
}
