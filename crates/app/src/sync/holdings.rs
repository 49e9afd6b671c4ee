//! Holdings of a provider in the ledger's terms, and the plan for them.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::SecurityId;
use purser_core::limits::{DECIMAL_PLACES_MAX, QUANTITY_MAX};
use purser_core::money::Currency;
use purser_core::sync::holdings::{
    self, Clues, HoldingChange, HoldingReason, HoldingsPlan, KnownHoldings, ReportedHolding,
    ReportedHoldings, SecurityRef,
};
use purser_providers::snapshot::{
    BalanceSnapshot, Completeness, HoldingSnapshot, HoldingsSnapshot, StatedCurrency,
};
use purser_store::sync_plans::HoldingsOf;
use purser_store::sync_rows::SourceAccount;
use purser_store::{FamilyTx, sync_holdings};
use rust_decimal::Decimal;

use super::Answers;

/// A change of a position, for whoever looks at a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedHolding {
    /// The reason of the change.
    pub reason: HoldingReason,
    /// The security, if it is there already.
    pub security: Option<SecurityId>,
    /// The symbol of the security.
    pub ticker: String,
    /// The name of the security, if known.
    pub name: Option<String>,
    /// The number of units that the ledger has.
    pub before: Decimal,
    /// The number of units that is stated.
    pub quantity: Decimal,
    /// The cost of all of them in the scale of the account's currency, if it is stated and certain.
    pub cost: Option<i64>,
    /// The price of one unit, if known.
    pub price: Option<(Decimal, Currency)>,
}

/// The plan for the holdings of an answer, with the day that it is for.
#[derive(Debug)]
pub(super) struct PreparedHoldings {
    pub(super) date: Date,
    pub(super) plan: HoldingsPlan,
    pub(super) lines: Vec<PlannedHolding>,
}

impl PreparedHoldings {
    pub(super) fn of_execution(&self) -> HoldingsOf<'_> {
        HoldingsOf { date: self.date, plan: &self.plan }
    }
}

/// Makes the plan for the holdings of an answer, if there are any. `balance` is the day of the
/// balance that came with them.
pub(super) fn prepare(
    tx: &mut FamilyTx<'_>,
    of: SourceAccount<'_>,
    answers: &Answers<'_>,
    (balance, today): (Option<Date>, Date),
) -> Result<Option<PreparedHoldings>> {
    let Some(snapshot) = answers.holdings else { return Ok(None) };
    let date = sync_holdings::day_of(tx, of.account, balance, today)?;
    let known = sync_holdings::known(tx, of, date)?;
    let reported = reported(snapshot, answers.balance, known.currency);
    let plan = holdings::plan(&known, &reported, date);
    let lines = plan.changes.iter().filter_map(|change| line(&known, &plan, change)).collect();
    Ok(Some(PreparedHoldings { date, plan, lines }))
}

fn line(
    known: &KnownHoldings,
    plan: &HoldingsPlan,
    change: &HoldingChange,
) -> Option<PlannedHolding> {
    let (security, ticker, name) = match change.security {
        SecurityRef::Known(id) => {
            let found = known.securities.iter().find(|one| one.id == id)?;
            (Some(id), found.listing.ticker.clone(), found.name.clone())
        }
        SecurityRef::New(at) => {
            let new = plan.securities.get(at)?;
            (None, new.listing.ticker.clone(), new.name.clone())
        }
    };
    let &HoldingChange { reason, before, quantity, cost, price, .. } = change;
    Some(PlannedHolding { reason, security, ticker, name, before, quantity, cost, price })
}

/// What a provider reports, as far as it can be used. An answer with a row that can't isn't whole.
fn reported(
    snapshot: &HoldingsSnapshot,
    balance: Option<&BalanceSnapshot>,
    account: Currency,
) -> ReportedHoldings {
    let rows: Option<Vec<ReportedHolding>> =
        snapshot.rows.iter().map(|row| holding(row, account)).collect();
    let is_whole = snapshot.completeness != Completeness::Partial
        && snapshot.unreadable.is_empty()
        && rows.is_some();
    let total = snapshot.total.zip(known_or(snapshot.currency, account));
    let balance =
        balance.and_then(|balance| Some((balance.amount, known_or(balance.currency, account)?)));
    let is_doubtful = snapshot.completeness == Completeness::Doubtful;
    ReportedHoldings { rows: rows.unwrap_or_default(), is_whole, is_doubtful, total, balance }
}

/// A row; none if it has nothing to recognise the security by, or more units than a position has.
fn holding(row: &HoldingSnapshot, account: Currency) -> Option<ReportedHolding> {
    let stated = row.currency.or(row.security.currency);
    let security = row.security.currency.or(row.currency).known();
    let texts = [
        &row.security.isin,
        &row.security.figi,
        &row.security.cusip,
        &row.security.ticker,
        &row.security.name,
    ];
    let clues = Clues::read(texts.map(|text| text.as_deref()), security);
    let quantity = row.quantity.normalize();
    let fits = quantity.scale() <= DECIMAL_PLACES_MAX && quantity.abs() <= QUANTITY_MAX.into();
    (fits && !clues.is_blank()).then(|| ReportedHolding {
        clues,
        quantity,
        price: row.price,
        value: row.value,
        stated_cost: row.stated_cost,
        purchase_price: row.purchase_price,
        currency: known_or(stated, account),
    })
}

/// A stated currency; that of the account if none is stated at all.
fn known_or(stated: StatedCurrency, account: Currency) -> Option<Currency> {
    stated.or(StatedCurrency::Known(account)).known()
}
