//! Budgets: how they are read from a request, and how they compare with a month's sums.
//!
//! A budget is of one month and one currency. Its lines name categories; the amount of a category
//! on the first level includes the categories below it. [`overview`] compares a budget with what
//! was spent.

pub mod overview;

use jiff::civil::Date;

use crate::error::{Problem, Problems, Result};
use crate::ids::{self, BudgetId, CategoryId};
use crate::ledger::input::{self, AmountText, NOT_A_DATE, calendar_date, entry_days};
use crate::money::Currency;
use crate::months::{month_of, read_month};
use crate::rates::input::NOT_A_CURRENCY;

/// The fields of a budget as they were sent; nothing is checked yet. `Some(None)` clears a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BudgetInput {
    /// Any day of the month that it is for.
    pub start_date: Option<String>,
    /// The month as `YYYY-MM`, instead of a day.
    pub month: Option<String>,
    /// The code of its currency.
    pub currency: Option<String>,
    /// The planned spending of the month.
    pub budgeted_spending: Option<Option<AmountText>>,
    /// The income that is expected in the month.
    pub expected_income: Option<Option<AmountText>>,
    /// The id of a budget from which lines and amounts are copied.
    pub copy_from: Option<String>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// A new budget with valid values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBudget {
    /// The first day of its month.
    pub start: Date,
    /// The currency of all of its amounts.
    pub currency: Currency,
    /// The amounts that were sent.
    pub amounts: Amounts,
}

/// Valid amounts of a budget; `None` leaves one alone, `Some(None)` clears it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amounts {
    /// The planned spending of the month.
    pub budgeted_spending: Option<Option<i64>>,
    /// The income that is expected in the month.
    pub expected_income: Option<Option<i64>>,
}

impl BudgetInput {
    /// The budget to copy from, if one was sent and its id is well-formed.
    pub fn copy_from(&self) -> Result<Option<BudgetId>> {
        let mut problems = Problems::new();
        let id = self.copy_from.as_deref().filter(|text| !text.trim().is_empty());
        let id = id.map(|text| text.parse().map_err(|_| problems.push(unknown_source())));
        match id {
            Some(Err(())) => problems.into_result().map(|()| None),
            Some(Ok(id)) => Ok(Some(id)),
            None => Ok(None),
        }
    }

    /// Checks a new budget of a family with months that begin on `start_day`. `currency` is the
    /// default; with `is_fixed` no other one is accepted.
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
                    problems.field("currency", "must be that of the budget that is copied");
                    currency
                }
                Some(wanted) => wanted,
                None => {
                    problems.field("currency", NOT_A_CURRENCY);
                    currency
                }
            },
        };
        let amounts = self.read_amounts(currency, &mut problems);
        problems.into_result()?;
        Ok(NewBudget { start: start.unwrap_or(today), currency, amounts })
    }

    /// Checks the amounts of a change and reports every problem at once.
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
            budgeted_spending: read("budgeted_spending", &self.budgeted_spending),
            expected_income: read("expected_income", &self.expected_income),
        }
    }

    fn start(&self, start_day: i8, today: Date, problems: &mut Problems) -> Option<Date> {
        let written = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let (field, form, start) = match (written(&self.start_date), written(&self.month)) {
            (Some(text), None) => {
                let start = calendar_date(&text).map(|date| month_of(date, start_day));
                ("start_date", NOT_A_DATE, start)
            }
            (None, Some(text)) => {
                ("month", "must be a month such as 2026-01", read_month(&text, start_day))
            }
            (Some(_), Some(_)) => {
                problems.field("month", "can't be sent together with the start_date");
                return None;
            }
            (None, None) => {
                problems.field("start_date", "or the month is required");
                return None;
            }
        };
        let Some(start) = start else {
            problems.field(field, form);
            return None;
        };
        let (first, last) = entry_days(today);
        if start < first || start > last {
            problems.field(field, format!("must be of a month that begins from {first} to {last}"));
            return None;
        }
        Some(start)
    }
}

/// The problem of a budget to copy that the family doesn't have.
pub fn unknown_source() -> Problem {
    Problem::field("copy_from", "is not the id of a budget")
}

/// A planned amount, which must not be negative.
fn planned(
    field: &str,
    text: &AmountText,
    currency: Currency,
    problems: &mut Problems,
) -> Option<i64> {
    let amount = input::amount(field, text, currency, problems)?;
    if amount < 0 {
        problems.field(field, "must not be negative");
        return None;
    }
    Some(amount)
}

/// The fields of a budget line as they were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineInput {
    /// The id of the budget.
    pub budget: Option<String>,
    /// The id of the category.
    pub category: Option<String>,
    /// The planned spending in the category.
    pub budgeted_spending: Option<AmountText>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

impl LineInput {
    /// The budget and the category of a new line. A malformed id is treated as an id that nothing
    /// has, so that it gets the same answer.
    pub fn ids(&self) -> Result<(BudgetId, CategoryId)> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let mut id = |field: &str, text: &Option<String>| {
            let text = text.as_deref().filter(|text| !text.trim().is_empty());
            if text.is_none() {
                problems.required(field);
            }
            text.and_then(|text| ids::read(text).ok()).unwrap_or_default()
        };
        let (budget, category) = (id("budget_id", &self.budget), id("category_id", &self.category));
        if self.budgeted_spending.is_none() {
            problems.required("budgeted_spending");
        }
        problems.into_result()?;
        Ok((BudgetId(budget), CategoryId(category)))
    }

    /// The planned spending in the category, if it was sent.
    pub fn amount(&self, currency: Currency) -> Result<Option<i64>> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let text = self.budgeted_spending.as_ref();
        let amount = text.and_then(|it| planned("budgeted_spending", it, currency, &mut problems));
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
        assert_eq!(errors(wrong.copy_from()), ["The copy_from is not the id of a budget"]);
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
