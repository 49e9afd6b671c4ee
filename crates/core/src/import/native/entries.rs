//! Transactions with their parts, valuations, and what deleted entries leave behind.

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::fields::Fields;
use super::{Context, SourceId};
use crate::ledger::entry::{EntryKind, ValuationKind};
use crate::ledger::locks::{LockField, Locks};
use crate::limits::{LABEL_CHARS_MAX, NAME_CHARS_MAX, ROW_TAGS_MAX, SPLIT_PARTS_MAX};
use crate::money::Currency;
use crate::money::decimal::amount_text;

/// A transaction of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// What other records of the file call it.
    pub id: SourceId,
    /// What its source reported, or reports now.
    pub facts: EntryFacts,
    /// The notes, if there are any.
    pub labels: Labels,
    /// Whether the bank has not booked it.
    pub pending: bool,
    /// The rate that came with it.
    pub rate: Option<Decimal>,
    /// What its source reported, where that was changed since.
    pub origin: Option<EntryFacts>,
    /// Its parts, which add up to it.
    pub parts: Vec<Part>,
}

/// The account, the day and the money of an entry, and what its source calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFacts {
    /// The account of the file.
    pub account: SourceId,
    /// The day of the entry.
    pub date: Date,
    /// A positive amount is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name of the entry.
    pub name: String,
    /// The system that it comes from.
    pub source: Option<String>,
    /// The id of that system.
    pub external_id: Option<String>,
}

/// What people add to a transaction or to a part of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Free text of people.
    pub notes: Option<String>,
    /// The category of the file.
    pub category: Option<SourceId>,
    /// The merchant of the file.
    pub merchant: Option<SourceId>,
    /// The name of a merchant that the file may have no record of.
    pub merchant_name: Option<String>,
    /// Whether the record names its merchant, or shows that it has none.
    pub names_merchant: bool,
    /// The tags; `None` if the record doesn't name any.
    pub tags: Option<Vec<SourceId>>,
    /// Whether reports leave it out.
    pub excluded: bool,
    /// The fields that a person has set.
    pub locks: Locks,
}

/// A part of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What other records of the file call it, if any can.
    pub id: Option<SourceId>,
    /// The amount in the currency of the whole.
    pub amount: i64,
    /// The whole's name, if it has none of its own.
    pub name: Option<String>,
    /// Its own labels; a merchant and tags that are missing are those of the whole.
    pub labels: Labels,
}

/// The value of an account at the end of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valuation {
    /// What other records of the file call it.
    pub id: Option<SourceId>,
    /// The account, the day and the value.
    pub facts: EntryFacts,
    /// Where the value comes from.
    pub kind: ValuationKind,
    /// Free text of people.
    pub notes: Option<String>,
}

/// A deleted entry, of which the row doesn't come again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    /// What its source reported.
    pub facts: EntryFacts,
    /// Whether it was a transaction or a trade.
    pub kind: EntryKind,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
}

impl EntryFacts {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let account = fields.required_id("account_id");
        let own = context.currency_of_account(&account);
        let currency = fields.currency("currency").unwrap_or(own);
        Self {
            date: fields.required_day("date", context.as_of),
            amount: fields.required_amount(&["amount", "amount_decimal"], currency),
            currency,
            name: fields.label(&["name"], NAME_CHARS_MAX).unwrap_or_default(),
            source: fields.source_name("source"),
            external_id: fields.source_name("external_id"),
            account,
        }
    }
}

impl Labels {
    fn read(fields: &mut Fields<'_, '_>) -> Self {
        let tags = fields.ids("tag_ids");
        if tags.as_ref().is_some_and(|tags| tags.len() > ROW_TAGS_MAX) {
            fields.problem("tag_ids", format!("must have at most {ROW_TAGS_MAX} entries"));
        }
        Self {
            notes: fields.notes("notes"),
            category: fields.id("category_id"),
            merchant: fields.id("merchant_id"),
            merchant_name: fields.label(&["merchant_name"], LABEL_CHARS_MAX),
            names_merchant: fields.has("merchant_id") || fields.has("merchant_name"),
            tags,
            excluded: fields.flag("excluded"),
            locks: locks(fields),
        }
    }

    /// Those of a part. Exports of earlier versions have an empty list of tags beside a merchant
    /// that is missing because there is none.
    fn of_part(self) -> Self {
        let has_no_tags = self.tags.as_ref().is_some_and(Vec::is_empty);
        Self { names_merchant: self.names_merchant || has_no_tags, ..self }
    }
}

fn locks(fields: &mut Fields<'_, '_>) -> Locks {
    let names = fields.names("locked_fields");
    let mut locks = Locks::NONE;
    for name in names {
        match LockField::parse(&name) {
            Some(field) => locks = locks.with(field, true),
            None => fields.problem("locked_fields", format!("has {name:?}, which can't be locked")),
        }
    }
    locks
}

impl Transaction {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let facts = EntryFacts::read(fields, context);
        let currency = facts.currency;
        let parts = fields
            .list(&["split_lines", "splitLines", "splits"], |part| Part::read(part, currency))
            .unwrap_or_default();
        if parts.len() == 1 {
            fields.problem("split_lines", format!("must have 2 to {SPLIT_PARTS_MAX} entries"));
        }
        let sum: i128 = parts.iter().map(|part| i128::from(part.amount)).sum();
        if !parts.is_empty() && sum != i128::from(facts.amount) {
            let (sum, whole) = (amount_text(sum, currency), amount_text(facts.amount, currency));
            fields.problem("split_lines", format!("must add up to {whole}, not to {sum}"));
        }
        Self {
            id: fields.required_id("id"),
            labels: Labels::read(fields),
            pending: fields.flag("pending"),
            rate: rate(fields),
            origin: fields.object("origin", |origin| EntryFacts::read(origin, context)),
            parts,
            facts,
        }
    }
}

impl Part {
    fn read(fields: &mut Fields<'_, '_>, currency: Currency) -> Self {
        let amount = ["amount", "amount_money", "amount_decimal"];
        Self {
            id: fields.id("id"),
            amount: fields.required_amount(&amount, currency),
            name: fields.label(&["name", "memo", "description"], NAME_CHARS_MAX),
            labels: Labels::read(fields).of_part(),
        }
    }
}

impl Valuation {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        Self {
            id: fields.id("id"),
            facts: EntryFacts::read(fields, context),
            kind: fields.named("kind").unwrap_or(ValuationKind::Reconciliation),
            notes: fields.notes("notes"),
        }
    }
}

impl Tombstone {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let kind = fields.named("kind").unwrap_or(EntryKind::Transaction);
        if !matches!(kind, EntryKind::Transaction | EntryKind::Trade) {
            fields.problem("kind", "must be transaction or trade");
        }
        Self {
            facts: EntryFacts::read(fields, context),
            kind,
            deleted_at: fields.time("deleted_at"),
        }
    }
}

/// The rate that came with an entry.
pub(super) fn rate(fields: &mut Fields<'_, '_>) -> Option<Decimal> {
    let rate = fields.decimal("exchange_rate")?;
    if rate <= Decimal::ZERO {
        fields.problem("exchange_rate", "must be more than 0");
    }
    Some(rate)
}
