//! Transfers, budgets, recurring series and rules.

use jiff::civil::Date;

use super::fields::Fields;
use super::object::string;
use super::{Context, SourceId};
use crate::limits::NAME_CHARS_MAX;
use crate::money::Currency;
use crate::months::month_end;
use crate::recurring::input::RecurringStatus;
use crate::rules::{CheckedRule, RuleValues};
use crate::transfers::{Maker, TransferStatus};

/// Two entries that are one movement of money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The transaction with the money out.
    pub outflow: SourceId,
    /// The transaction with the money in.
    pub inflow: SourceId,
    /// Whether it is proposed or confirmed.
    pub status: TransferStatus,
    /// Who made the pair.
    pub made_by: Maker,
    /// How sure the pair is, from 0 to 100.
    pub score: i64,
    /// Why the two are a pair, in sentences.
    pub reasons: Vec<String>,
}

/// Two entries that a person stated to be no transfer; they may be missing in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedTransfer {
    /// The transaction with the money out.
    pub outflow: SourceId,
    /// The transaction with the money in.
    pub inflow: SourceId,
}

/// The plan for the money of a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// What other records of the file call it.
    pub id: SourceId,
    /// The first day of the period.
    pub start: Date,
    /// The last day of the period.
    pub end: Date,
    /// The currency of all amounts.
    pub currency: Currency,
    /// The planned spending of the period.
    pub spending: Option<i64>,
    /// The income that is expected.
    pub income: Option<i64>,
}

/// The plan for one category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetCategory {
    /// The budget of the file.
    pub budget: SourceId,
    /// The category of the file.
    pub category: SourceId,
    /// The planned spending for the category.
    pub spending: i64,
}

/// Transactions that come every month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringTransaction {
    /// What other records of the file call it.
    pub id: SourceId,
    /// The name of the series; other programs may have a merchant instead.
    pub name: Option<String>,
    /// A positive amount is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The day of the month.
    pub day: i64,
    /// The day of the last transaction.
    pub last: Date,
    /// The day on which the next one is expected.
    pub next: Date,
    /// Whether it is followed.
    pub status: RecurringStatus,
    /// The number of transactions so far.
    pub count: i64,
    /// Whether a person made it.
    pub manual: bool,
    /// The account of the file.
    pub account: Option<SourceId>,
    /// The merchant of the file.
    pub merchant: Option<SourceId>,
    /// The category of the file.
    pub category: Option<SourceId>,
}

/// A rule of the file; ids in it are those of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What the file calls it.
    pub id: SourceId,
    /// Name, conditions and actions.
    pub rule: CheckedRule,
    /// When it runs, compared with others.
    pub position: Option<i64>,
}

fn pair(fields: &mut Fields<'_, '_>) -> (SourceId, SourceId) {
    let outflow = fields.required_id("outflow_transaction_id");
    let inflow = fields.required_id("inflow_transaction_id");
    if outflow == inflow {
        fields.problem("inflow_transaction_id", "must be another transaction");
    }
    (outflow, inflow)
}

impl Transfer {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let (outflow, inflow) = pair(fields);
        Self {
            outflow,
            inflow,
            status: fields.named("status").unwrap_or(TransferStatus::Pending),
            made_by: fields.named("made_by").unwrap_or(Maker::Person),
            score: fields.whole("score", (0, 100)).unwrap_or(100),
            reasons: fields.names("reasons"),
        }
    }
}

impl RejectedTransfer {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let (outflow, inflow) = pair(fields);
        Self { outflow, inflow }
    }
}

impl Budget {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let currency = fields.currency("currency").unwrap_or(context.family_currency);
        let (start, end) =
            (fields.required_calendar_day("start_date"), fields.required_calendar_day("end_date"));
        if end < start {
            fields.problem("end_date", "must not be before the start_date");
        } else if end != month_end(start) {
            fields.problem(
                "end_date",
                format!("must be the last day of its month, {}", month_end(start)),
            );
        }
        let mut amount = |name| {
            let amount = fields.amount(&[name], currency);
            if amount.is_some_and(|amount| amount < 0) {
                fields.problem(name, "must not be below 0");
            }
            amount
        };
        let (spending, income) = (amount("budgeted_spending"), amount("expected_income"));
        Self { id: fields.required_id("id"), start, end, currency, spending, income }
    }
}

impl BudgetCategory {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let budget = fields.required_id("budget_id");
        let own = context.currency_of_budget(&budget);
        let currency = fields.currency("currency").unwrap_or(own);
        let spending = fields.required_amount(&["budgeted_spending"], currency);
        if spending < 0 {
            fields.problem("budgeted_spending", "must not be below 0");
        }
        if currency != own {
            fields.problem("currency", format!("must be that of the budget, {}", own.code()));
        }
        Self { budget, category: fields.required_id("category_id"), spending }
    }
}

impl RecurringTransaction {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let account = fields.id("account_id");
        let own = account.as_ref().map(|account| context.currency_of_account(account));
        let currency = fields.currency("currency").or(own).unwrap_or(context.family_currency);
        let (day, count) = ("expected_day_of_month", "occurrence_count");
        if fields.raw(day).is_none() {
            fields.problem(day, "must be there");
        }
        let (name, merchant) = (fields.label(&["name"], NAME_CHARS_MAX), fields.id("merchant_id"));
        if name.is_none() && merchant.is_none() {
            fields.problem("name", "must be there if there is no merchant");
        }
        Self {
            id: fields.required_id("id"),
            name,
            amount: fields.required_amount(&["amount"], currency),
            currency,
            day: fields.whole(day, (1, 31)).unwrap_or(1),
            last: fields.required_calendar_day("last_occurrence_date"),
            next: fields.required_calendar_day("next_expected_date"),
            status: fields.named("status").unwrap_or(RecurringStatus::Active),
            count: fields.whole(count, (0, i64::from(u32::MAX))).unwrap_or_default(),
            manual: fields.flag("manual"),
            account,
            merchant,
            category: fields.id("category_id"),
        }
    }
}

impl Rule {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let mut text = |name: &str| fields.text(&[name]).map(|text| text.into_owned());
        let (name, effective_date) = (text("name"), text("effective_date"));
        let resource_type = text("resource_type");
        // Some programs write the lists as JSON within a string.
        let list = |raw: Option<&str>| {
            raw.map(|raw| string(raw).map_or_else(|| raw.to_owned(), |text| text.into_owned()))
        };
        if fields.raw("conditions").is_none() {
            fields.problem("conditions", "must be there: [] stands for every transaction");
        }
        let values = RuleValues {
            name: Some(name),
            resource_type,
            active: None,
            effective_date: Some(effective_date),
            position: None,
            conditions: list(fields.raw("conditions")),
            actions: list(fields.raw("actions")),
            problems: Vec::new(),
        };
        let active = fields.raw("active").map(|_| fields.flag("active"));
        let rule = fields.take(values.check_new()).unwrap_or_default();
        let position = fields.whole("position", (0, i64::from(u32::MAX)));
        Self { id: fields.required_id("id"), rule: CheckedRule { active, ..rule }, position }
    }
}
