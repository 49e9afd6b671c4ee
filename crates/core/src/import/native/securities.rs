//! Securities, what they are worth, and what is stated about positions.

use jiff::Timestamp;
use jiff::civil::Date;
use num_traits::Signed as _;
use rust_decimal::Decimal;

use super::fields::Fields;
use super::{Context, SourceId};
use crate::ledger::holding::CostBasisSource;
use crate::ledger::security::{Listing, SecurityInput, SecurityValues};
use crate::ledger::valuing::PriceSource;
use crate::money::Currency;
use crate::money::decimal::{self, amount_text};
use crate::money::exact::{hidden_digits, of_decimal, units, whole};
use crate::rates::Source;

/// A security of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Security {
    /// What other records of the file call it.
    pub id: SourceId,
    /// Ticker, market and description.
    pub values: SecurityValues,
}

/// Which security a record is about: one of the file, or one that a ticker names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityName {
    /// The security of the file.
    pub id: Option<SourceId>,
    /// Its ticker and market.
    pub listing: Listing,
    /// What it is called, if the file has no record of it.
    pub name: Option<String>,
}

/// The price of a security on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityPrice {
    /// The security of the file.
    pub security: SourceId,
    /// The day of the price.
    pub date: Date,
    /// The currency of the price.
    pub currency: Currency,
    /// The price of one unit.
    pub price: Decimal,
    /// Where the price comes from.
    pub source: PriceSource,
}

/// An exchange rate of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeRate {
    /// The currency of which one unit is valued.
    pub from: Currency,
    /// The currency of the rate.
    pub to: Currency,
    /// The day of the rate.
    pub date: Date,
    /// The worth of one unit.
    pub rate: Decimal,
    /// Where the rate comes from.
    pub source: Source,
}

/// A position as it was reported for a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// The account of the file.
    pub account: SourceId,
    /// The security that is held.
    pub security: SecurityName,
    /// The day of the report.
    pub date: Date,
    /// The number of units, negative if they were sold short.
    pub quantity: Decimal,
    /// The price of one unit.
    pub price: Option<Decimal>,
    /// The currency of the price.
    pub currency: Currency,
    /// What so many units cost, in the account's currency.
    pub cost: Option<(i64, Decimal)>,
    /// A person stated the cost, as the older server has it: whether it is never replaced.
    pub is_cost_locked: Option<bool>,
    /// How the stated value differs from quantity × price, by which the position is valued.
    pub difference: Option<String>,
}

/// What a person stated about the cost of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldingCost {
    /// The account of the file.
    pub account: SourceId,
    /// The security that is held.
    pub security: SecurityName,
    /// The cost in the account's currency.
    pub total: i64,
    /// The number of units that it is of; without one it is of all that there are on the day.
    pub quantity: Option<Decimal>,
    /// The day of which the units are meant.
    pub date: Date,
    /// When it was stated.
    pub stated_at: Option<Timestamp>,
    /// Whether it is never replaced.
    pub locked: bool,
}

/// The end of an account's day, as another program computed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The account of the file.
    pub account: SourceId,
    /// The day of the balance.
    pub date: Date,
    /// The balance at its end.
    pub end: i64,
    /// The cash in it at its end.
    pub cash: Option<i64>,
    /// The balance at its start, if both parts of it are there.
    pub start: Option<i64>,
    /// The cash in it at its start.
    pub start_cash: Option<i64>,
    /// Whether it is in the currency of the account, so that it can be compared.
    pub is_of_account: bool,
    /// The currency of the balance.
    pub currency: Currency,
}

impl Security {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let mut text = |name: &str| fields.text(&[name]).map(|text| text.into_owned());
        let input = SecurityInput {
            ticker: Some(text("ticker").unwrap_or_default()),
            exchange_operating_mic: Some(text("exchange_operating_mic")),
            name: Some(text("name")),
            kind: text("kind"),
            isin: Some(text("isin")),
            country_code: Some(text("country_code")),
            currency: Some(text("currency")),
            offline: None,
            feed_symbol: Some(text("feed_symbol")),
            problems: Vec::new(),
        };
        let offline = fields.flag("offline");
        let empty = Listing { ticker: String::new(), exchange_operating_mic: String::new() };
        let values = fields.take(input.new_values()).unwrap_or_else(|| SecurityValues::new(empty));
        Self { id: fields.required_id("id"), values: SecurityValues { offline, ..values } }
    }
}

impl SecurityName {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let id = fields.id("security_id");
        let ticker = fields.text(&["ticker"]).unwrap_or_default();
        let market = fields.text(&["exchange_operating_mic", "exchange_mic"]);
        let listing = fields.with(|problems| Listing::read(&ticker, market.as_deref(), problems));
        Self { id, listing, name: fields.source_name("security_name") }
    }
}

impl SecurityPrice {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let price = fields.required_decimal("price");
        if price <= Decimal::ZERO {
            fields.problem("price", "must be more than 0");
        }
        Self {
            security: fields.required_id("security_id"),
            date: fields.required_day("date", context.as_of),
            currency: fields.required_currency("currency"),
            price,
            source: fields.named("source").unwrap_or(PriceSource::File),
        }
    }
}

impl ExchangeRate {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let from = fields.required_currency("from_currency");
        let to = fields.required_currency("to_currency");
        if from == to {
            fields.problem("to_currency", "must be another currency than the first");
        }
        let rate = fields.required_decimal("rate");
        if rate <= Decimal::ZERO {
            fields.problem("rate", "must be more than 0");
        }
        let source: Source = fields.named("source").unwrap_or(Source::File);
        if !matches!(source, Source::Manual | Source::File) {
            fields.problem("source", "must be manual or file: others are not of the family");
        }
        Self { from, to, date: fields.required_day("date", context.as_of), rate, source }
    }
}

impl Holding {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let account = fields.required_id("account_id");
        let own = context.currency_of_account(&account);
        let total = fields.amount(&["cost_total"], own);
        let of = fields.decimal("cost_qty");
        let per_unit = fields.decimal("cost_basis");
        let quantity = fields.required_decimal("qty");
        if total.is_some() != of.is_some() {
            fields.problem("cost_total", "must come with cost_qty, and the other way round");
        }
        let cost = total.zip(of).or_else(|| cost_by_unit(per_unit?, own));
        let price = fields.decimal("price");
        let currency = fields.currency("currency").unwrap_or(own);
        let value = fields.amount(&["amount"], currency);
        for (name, stated) in [("price", price), ("cost_basis", per_unit)] {
            if stated.is_some_and(|stated| stated < Decimal::ZERO) {
                fields.problem(name, "must not be below 0");
            }
        }
        if per_unit.is_some() && cost.is_none() {
            fields.problem("cost_basis", "has more digits than can be kept");
        }
        // A provider may value in another way: the report alone is no reason to refuse the file.
        let other = price.zip(value).filter(|(price, value)| {
            fields.is_sound() && !comes_to((quantity, *price), *value, currency)
        });
        let difference = other.map(|(price, value)| {
            let (quantity, price) = (quantity.normalize(), price.normalize());
            let stated = amount_text(value, currency);
            format!(
                "the position is stated to be worth {stated}, which {quantity} × {price} is not"
            )
        });
        Self {
            security: SecurityName::read(fields),
            date: fields.required_day("date", context.as_of),
            quantity,
            price,
            currency,
            is_cost_locked: stated_by_person(fields).filter(|_| cost.is_some()),
            difference,
            cost,
            account,
        }
    }
}

/// Whether the cost of a position is one that a person stated, and if so, whether it is locked.
fn stated_by_person(fields: &mut Fields<'_, '_>) -> Option<bool> {
    let source = fields.named::<CostBasisSource>("cost_basis_source");
    let is_locked = fields.flag("cost_basis_locked");
    (is_locked || source == Some(CostBasisSource::Manual)).then_some(is_locked)
}

/// The cost of one unit exactly: as that of as many units as the scale of the currency needs.
fn cost_by_unit(cost: Decimal, currency: Currency) -> Option<(i64, Decimal)> {
    let cost = cost.normalize();
    let missing = cost.scale().saturating_sub(currency.scale());
    let of = Decimal::from(10_u64.checked_pow(missing)?);
    let total = cost.checked_mul(of)?.normalize();
    let total = decimal::parse(&total.to_string(), currency.scale()).ok()?;
    Some((total, of))
}

/// The decimals that money and prices have at least, whether zeros at the end are written or not.
pub(super) const DECIMALS_OF_MONEY: u32 = 2;

/// Whether quantity × price is an amount, but for what is behind the digits that are written: half
/// a unit of the last one. Whole quantities and prices are exact, and of others two decimals count
/// even if less are written.
pub(super) fn comes_to(
    (quantity, price): (Decimal, Decimal),
    amount: i64,
    currency: Currency,
) -> bool {
    let quantity = quantity.abs();
    let of_amount = hidden_digits(decimals_of(amount, currency));
    let hidden = |of: Decimal| match of.scale() {
        0 => hidden_digits(0),
        decimals => hidden_digits(decimals.max(DECIMALS_OF_MONEY)),
    };
    let of_product = of_decimal(quantity) * hidden(price) + of_decimal(price) * hidden(quantity);
    let amount = (whole(amount) / units(currency.scale())).abs();
    (of_decimal(quantity) * of_decimal(price) - amount).abs() <= of_product + of_amount
}

/// How many decimals an amount has, without zeros at its end; none or at least two.
fn decimals_of(amount: i64, currency: Currency) -> u32 {
    let ten = |power: u32| 10_i64.checked_pow(power).unwrap_or(i64::MAX);
    let scale = currency.scale();
    let found = (0..=scale).find(|decimals| amount % ten(scale - decimals) == 0).unwrap_or(scale);
    if found == 0 { 0 } else { found.max(DECIMALS_OF_MONEY) }
}

impl HoldingCost {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let account = fields.required_id("account_id");
        let total = fields.required_amount(&["cost_total"], context.currency_of_account(&account));
        let quantity = fields.decimal("cost_qty");
        if quantity.is_some_and(|quantity| quantity <= Decimal::ZERO) {
            fields.problem("cost_qty", "must be more than 0");
        }
        Self {
            account,
            security: SecurityName::read(fields),
            total,
            quantity,
            date: fields.required_day("date", context.as_of),
            stated_at: fields.time("stated_at"),
            locked: fields.flag("locked"),
        }
    }
}

impl Balance {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let account = fields.required_id("account_id");
        let own = context.currency_of_account(&account);
        let currency = fields.currency("currency").unwrap_or(own);
        let start_cash = fields.amount(&["start_cash_balance"], currency);
        let rest = fields.amount(&["start_non_cash_balance"], currency);
        Self {
            account,
            date: fields.required_day("date", context.as_of),
            end: fields.required_amount(&["balance"], currency),
            cash: fields.amount(&["cash_balance"], currency),
            start: start_cash.zip(rest).and_then(|(cash, rest)| cash.checked_add(rest)),
            start_cash,
            is_of_account: currency == own,
            currency,
        }
    }
}
