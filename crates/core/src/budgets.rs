//! Budgets as somebody writes them, and what they say once the month's sums are known.
//!
//! A budget is of one month and one currency. Its lines name categories: what a category of the
//! first level may cost holds for those below it too. [`overview`] compares with what was spent.

pub mod overview;

use jiff::civil::Date;

use crate::error::{Problem, Problems, Result};
use crate::ids::{self, BudgetId, CategoryId};
use crate::ledger::input::{self, AmountText, calendar_date, entry_days};
use crate::money::Currency;
use crate::months::{month_of, read_month};

/// What is written for a budget; nothing is checked yet. `Some(None)` clears a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BudgetInput {
    /// Any day of its month.
    pub start_date: Option<String>,
    /// `YYYY-MM`, instead of a day.
    pub month: Option<String>,
    /// A currency's code.
    pub currency: Option<String>,
    /// What may be spent.
    pub budgeted_spending: Option<Option<AmountText>>,
    /// What should come in.
    pub expected_income: Option<Option<AmountText>>,
    /// The id of a budget whose lines and amounts are taken over.
    pub copy_from: Option<String>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// A new budget that was judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBudget {
    /// The first day of its month.
    pub start: Date,
    /// Of its amounts.
    pub currency: Currency,
    /// The amounts that were said.
    pub amounts: Amounts,
}

/// Amounts of a budget that were judged; `None` leaves one alone, `Some(None)` clears it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amounts {
    /// What may be spent.
    pub budgeted_spending: Option<Option<i64>>,
    /// What should come in.
    pub expected_income: Option<Option<i64>>,
}

impl BudgetInput {
    /// The budget to copy from, if its id can be one.
    pub fn copy_from(&self) -> Result<Option<BudgetId>> {
        let mut problems = Problems::new();
        let id = self.copy_from.as_deref().filter(|text| !text.trim().is_empty());
        let id = id.map(|text| text.parse().map_err(|_| problems.push(UNKNOWN_SOURCE)));
        match id {
            Some(Err(())) => problems.into_result().map(|()| None),
            Some(Ok(id)) => Ok(Some(id)),
            None => Ok(None),
        }
    }

    /// Judges a new budget of a family whose months begin on `start_day`. `currency` is what it is
    /// in if nobody says otherwise; `is_fixed` says that it can't be another one.
    pub fn check_new(
        &self,
        start_day: i8,
        (currency, is_fixed): (Currency, bool),
        today: Date,
    ) -> Result<NewBudget> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let start = self.start(start_day, today, &mut problems);
        let currency = match self.currency.as_deref().filter(|code| !code.trim().is_empty()) {
            None => currency,
            Some(code) => match Currency::parse(code) {
                Some(wanted) if is_fixed && wanted != currency => {
                    problems.push("Currency must be that of the budget that is copied");
                    currency
                }
                Some(wanted) => wanted,
                None => {
                    problems.push("Currency must be a known currency code such as USD");
                    currency
                }
            },
        };
        let amounts = self.read_amounts(currency, &mut problems);
        problems.into_result()?;
        Ok(NewBudget { start: start.unwrap_or(today), currency, amounts })
    }

    /// Judges the amounts of a change; every problem is reported at once.
    pub fn check_amounts(&self, currency: Currency) -> Result<Amounts> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let amounts = self.read_amounts(currency, &mut problems);
        problems.into_result()?;
        Ok(amounts)
    }

    fn read_amounts(&self, currency: Currency, problems: &mut Problems) -> Amounts {
        let mut read = |name, written: &Option<Option<AmountText>>| {
            let text = written.as_ref()?;
            Some(text.as_ref().and_then(|text| planned(name, text, currency, problems)))
        };
        Amounts {
            budgeted_spending: read("Budgeted spending", &self.budgeted_spending),
            expected_income: read("Expected income", &self.expected_income),
        }
    }

    fn start(&self, start_day: i8, today: Date, problems: &mut Problems) -> Option<Date> {
        let written = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let start = match (written(&self.start_date), written(&self.month)) {
            (Some(text), None) => calendar_date(&text).map(|date| month_of(date, start_day)),
            (None, Some(text)) => read_month(&text, start_day),
            (Some(_), Some(_)) => {
                problems.push("Only one of start_date and month may be sent");
                return None;
            }
            (None, None) => {
                problems.push("A start date or a month is required");
                return None;
            }
        };
        let Some(start) = start else {
            problems.push("The month must be a date written YYYY-MM-DD, or a month as YYYY-MM");
            return None;
        };
        let (first, last) = entry_days(today);
        if start < first || start > last {
            problems.push(format!("The month must begin from {first} to {last}"));
            return None;
        }
        Some(start)
    }
}

/// What is said of a budget to copy that the family doesn't have.
pub const UNKNOWN_SOURCE: &str = "copy_from is not the id of a budget";

/// An amount that is planned: not negative.
fn planned(
    field: &str,
    text: &AmountText,
    currency: Currency,
    problems: &mut Problems,
) -> Option<i64> {
    let amount = input::amount(field, text, currency, problems)?;
    if amount < 0 {
        problems.push(format!("{field} must not be negative"));
        return None;
    }
    Some(amount)
}

/// What is written for a line of a budget.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineInput {
    /// The id of the budget.
    pub budget: Option<String>,
    /// The id of the category.
    pub category: Option<String>,
    /// What it may cost.
    pub budgeted_spending: Option<AmountText>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

impl LineInput {
    /// The budget and the category of a new line. What can't be an id is one that nothing has, so
    /// that it is answered as such.
    pub fn ids(&self) -> Result<(BudgetId, CategoryId)> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let mut id = |noun: &str, text: &Option<String>| {
            let text = text.as_deref().filter(|text| !text.trim().is_empty());
            if text.is_none() {
                problems.push(format!("{noun} ID is required"));
            }
            text.and_then(|text| ids::read(text).ok()).unwrap_or_default()
        };
        let (budget, category) = (id("Budget", &self.budget), id("Category", &self.category));
        if self.budgeted_spending.is_none() {
            problems.push("Budgeted spending is required");
        }
        problems.into_result()?;
        Ok((BudgetId(budget), CategoryId(category)))
    }

    /// What the category may cost.
    pub fn amount(&self, currency: Currency) -> Result<Option<i64>> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let text = self.budgeted_spending.as_ref();
        let amount = text.and_then(|it| planned("Budgeted spending", it, currency, &mut problems));
        problems.into_result()?;
        Ok(amount)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::error::Error;

    const TODAY: Date = date(2024, 5, 17);

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn errors<T: std::fmt::Debug>(result: Result<T>) -> Vec<String> {
        match result {
            Err(Error::Invalid { problems, .. }) => crate::error::texts(&problems),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_month_follows_from_a_day_or_its_name() {
        let start = |input: BudgetInput| {
            input.check_new(25, (Currency::EUR, false), TODAY).map(|budget| budget.start)
        };
        let day = BudgetInput { start_date: text("2024-05-03"), ..BudgetInput::default() };
        assert_eq!(start(day).unwrap(), date(2024, 4, 25));
        let month = BudgetInput { month: text("2024-05"), ..BudgetInput::default() };
        assert_eq!(start(month.clone()).unwrap(), date(2024, 5, 25));
        let both = BudgetInput { start_date: text("2024-05-03"), ..month };
        for wrong in [
            both,
            BudgetInput::default(),
            BudgetInput { month: text("May"), ..BudgetInput::default() },
            BudgetInput { month: text("2026-05"), ..BudgetInput::default() },
        ] {
            assert_eq!(errors(start(wrong)).len(), 1);
        }
    }

    #[test]
    fn amounts_are_in_the_budgets_currency_and_not_negative() {
        let amount = |amount: &str| Some(Some(AmountText::Text(amount.to_owned())));
        let input = BudgetInput {
            month: text("2024-05"),
            currency: text("btc"),
            budgeted_spending: amount("0.00000001"),
            expected_income: Some(None),
            ..BudgetInput::default()
        };
        let budget = input.check_new(1, (Currency::EUR, false), TODAY).unwrap();
        assert_eq!(budget.amounts.budgeted_spending, Some(Some(1)));
        assert_eq!(budget.amounts.expected_income, Some(None));
        assert_eq!(errors(input.check_new(1, (Currency::EUR, true), TODAY)).len(), 2);
        let wrong = BudgetInput {
            currency: text("XYZ"),
            budgeted_spending: amount("-1"),
            expected_income: amount("much"),
            copy_from: text("1"),
            ..BudgetInput::default()
        };
        assert_eq!(errors(wrong.check_new(1, (Currency::EUR, false), TODAY)).len(), 4);
        assert_eq!(errors(wrong.copy_from()), [UNKNOWN_SOURCE]);
        assert_eq!(input.copy_from().unwrap(), None);
    }

    #[test]
    fn a_line_needs_both_ids_and_an_amount() {
        assert_eq!(errors(LineInput::default().ids()).len(), 3);
        let id = "0190f5f0-7c00-7a10-8000-00000000000a";
        let line = LineInput {
            budget: text(id),
            category: text(id),
            budgeted_spending: Some(AmountText::Text("12.50".into())),
            problems: Vec::new(),
        };
        assert!(line.ids().is_ok());
        assert_eq!(line.amount(Currency::USD).unwrap(), Some(125_000));
        assert_eq!(LineInput::default().amount(Currency::USD).unwrap(), None);
    }
}
