//! Trades: lists, single ones, and their realised gains.
//!
//! The ledger's executor writes them, so that positions, balances and counters are right in the
//! same commit. Trades of hidden accounts are never shown.

mod cash;
mod change;
mod gains;
mod input;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod undo_tests;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::new_trade::Split;
use purser_core::ledger::trade::{TradeType, default_name};
use purser_core::money::Currency;
use purser_core::money::exact::value_of;
use rust_decimal::Decimal;

use crate::access::{FamilyTx, VisibleAccounts};
use crate::accounts::{self, AccountSummary, read_summary};
use crate::driver::{Filter, Query, Row, Val, statements};
use crate::families::FamilyId;
use crate::holdings::SecuritySummary;
use crate::rates::decimal;
use crate::transactions::{Booked, conversions};
pub use cash::{CashInput, create_cash};
pub use change::{create, remove, revise};
pub use gains::{Realized, gains};

statements! {
    /// How many trades each account has.
    TRADE_COUNTS = "SELECT id, trades_count FROM ledger_accounts WHERE family_id = $1";
    /// The trade with an id of another program.
    TRADE_BY_EXTERNAL = "SELECT id, kind FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND external_id = $3 AND source = $4";
    /// Whether one of such an id was deleted.
    TRADE_BURIED = "SELECT EXISTS (SELECT 1 FROM entry_origins
        WHERE family_id = $1 AND account_id = $2 AND external_id = $3 AND source = $4
            AND deleted_at IS NOT NULL AND kind = 2)";
}

const SELECT: &str = "SELECT e.id, e.date, e.amount, e.currency, e.name, e.notes, e.source,
        e.external_id, e.created_at, e.updated_at, t.trade_type, t.qty, t.price, t.fee, t.value,
        t.cost, t.split_to, t.split_from, t.counterpart_id, s.id, s.ticker,
        s.exchange_operating_mic, s.name, a.id, a.name, a.account_type, a.status,
        o.id, o.name, o.account_type, o.status, e.booked
    FROM ledger_entries e
    JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
    JOIN securities s ON s.family_id = $1 AND s.id = t.security_id
    JOIN accounts a ON a.family_id = $1 AND a.id = e.account_id
    LEFT JOIN ledger_entries c ON c.family_id = $1 AND c.id = t.counterpart_id
    LEFT JOIN accounts o ON o.family_id = $1 AND o.id = c.account_id";
const SELECT_COUNT: &str = "SELECT COUNT(*) FROM ledger_entries e
    JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id";
const NEWEST_FIRST: &str = "ORDER BY e.date DESC, e.id DESC LIMIT ? OFFSET ?";

/// A trade of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// The id of the ledger entry.
    pub id: EntryId,
    /// The day that it is of.
    pub date: Date,
    /// The type of the trade.
    pub trade_type: TradeType,
    /// The number of shares: positive into the account, negative out of it.
    pub quantity: Decimal,
    /// The price of one share; 0 if none was sent.
    pub price: Decimal,
    /// The fee in the currency's scale; the amount includes it.
    pub fee: i64,
    /// What moved in cash, in the currency's scale; positive = money out.
    pub amount: i64,
    /// Quantity times price, in the currency's scale; positive = into the holdings.
    pub value: i64,
    /// The same in the scale of the account's currency, rounded once; 0 while no rate is known.
    pub booked_value: i64,
    /// What shares that came without money cost, in the currency's scale.
    pub cost: Option<i64>,
    /// The ratio of a share split.
    pub split: Option<Split>,
    /// The currency of price, fee, amount and cost.
    pub currency: Currency,
    /// The amount in the account's currency, if it is in another.
    pub booked: Option<Booked>,
    /// The name that was given to it; empty if none was.
    pub given_name: String,
    /// The notes, which are free text.
    pub notes: Option<String>,
    /// The system that it comes from.
    pub source: Option<String>,
    /// The id of whoever brought it.
    pub external_id: Option<String>,
    /// The other side of a move between accounts of the family.
    pub counterpart: Option<Counterpart>,
    /// The account that it belongs to.
    pub account: AccountSummary,
    /// The security that it is about.
    pub security: SecuritySummary,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// The other side of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterpart {
    /// The trade there; none if the key may not see it.
    pub trade: Option<EntryId>,
    /// Its account, if the key may see it.
    pub account: Option<AccountSummary>,
    /// The trade in the other account, even if it is not visible.
    entry: EntryId,
    /// Whether the key may reach its account, even if that is hidden.
    is_allowed: bool,
}

impl Trade {
    /// The name that is shown.
    pub fn name(&self) -> String {
        if !self.given_name.is_empty() {
            return self.given_name.clone();
        }
        let split = self.split.map(|split| (split.to, split.from));
        default_name(self.trade_type, self.quantity, split, &self.security.ticker)
    }
}

/// Which trades are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing<'a> {
    /// Only of these accounts.
    pub accounts: Option<&'a [AccountId]>,
    /// Only of this security.
    pub security: Option<SecurityId>,
    /// Only of this type.
    pub trade_type: Option<TradeType>,
    /// From this day on.
    pub start: Option<Date>,
    /// Up to this day.
    pub end: Option<Date>,
}

impl Listing<'_> {
    /// Whether the filter is on accounts only, which counters know about.
    fn is_counted(&self) -> bool {
        self.security.is_none()
            && self.trade_type.is_none()
            && self.start.is_none()
            && self.end.is_none()
    }
}

/// A page of the trades in visible accounts, newest day first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing<'_>,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Trade>, u64)> {
    let (family, visible) = (tx.family(), tx.accounts());
    let mut shown: Vec<AccountId> =
        accounts::shown(tx)?.into_iter().map(|account| account.summary.id).collect();
    shown.retain(|id| listing.accounts.is_none_or(|wanted| wanted.contains(id)));
    let (page, count) = queries(family, &shown, listing, limit, offset);
    let total = if listing.is_counted() {
        let counts = tx.query(&TRADE_COUNTS, &[family.into()], |row| {
            Ok((row.id::<AccountId>(0)?, row.count(1)?))
        })?;
        counts.iter().filter(|(id, _)| shown.contains(id)).map(|(_, count)| count).sum()
    } else {
        tx.query_one(&count, &[], |row| row.count(0))?
    };
    let trades = tx.query(&page, &[], |row| read(row, &visible))?;
    Ok((booked(tx, trades)?, total))
}

fn queries<'a>(
    family: FamilyId,
    shown: &[AccountId],
    listing: Listing<'a>,
    limit: i64,
    offset: i64,
) -> (Query<'a>, Query<'a>) {
    let filter = Filter::of_family("e.family_id = ?", family)
        .and("e.kind = 2", [])
        .and_in("e.account_id", shown.iter().map(|id| Val::from(*id)))
        .and_opt("t.security_id = ?", listing.security)
        .and_opt("t.trade_type = ?", listing.trade_type.map(TradeType::as_str))
        .and_opt("e.date >= ?", listing.start)
        .and_opt("e.date <= ?", listing.end);
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    (page, filter.query(SELECT_COUNT, "", []))
}

/// The trade with an id, in a visible account.
pub fn get(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Trade> {
    let (family, visible) = (tx.family(), tx.accounts());
    let found = tx
        .query_opt(&by_id(family, id), &[], |row| read(row, &visible))?
        .filter(|(trade, _)| visible.shows(&trade.account))
        .ok_or(Error::NotFound { what: "Trade" })?;
    let mut trades = booked(tx, vec![found])?;
    trades.pop().ok_or_else(|| Error::internal("lost a trade"))
}

/// Adds how trades in other currencies than their accounts' are booked.
fn booked(tx: &mut FamilyTx<'_>, read: Vec<(Trade, Option<i64>)>) -> Result<Vec<Trade>> {
    let converted = read.iter().filter_map(|(trade, amount)| Some((trade.id, None, (*amount)?)));
    let mut booked = conversions::booked(tx, converted.collect())?;
    let completed = read.into_iter().map(|(trade, _)| {
        let booked = booked.remove(&trade.id);
        Trade { booked, ..trade }
    });
    Ok(completed.collect())
}

fn by_id(family: FamilyId, id: EntryId) -> Query<'static> {
    let filter = Filter::of_family("e.family_id = ?", family)
        .and("e.kind = 2", [])
        .and("e.id = ?", [id.into()]);
    filter.query(SELECT, "", [])
}

/// A trade, and what it is booked as in another currency.
fn read(row: &Row<'_>, visible: &VisibleAccounts) -> Result<(Trade, Option<i64>)> {
    let part = |column| {
        let number = row.opt_int(column)?;
        number.map(u32::try_from).transpose().map_err(Error::internal)
    };
    let (quantity, price) = (decimal(row.text(11)?)?, decimal(row.text(12)?)?);
    let currency = row.currency(3)?;
    let value = value_of(quantity, price, currency.scale());
    let trade = Trade {
        id: row.id(0)?,
        date: row.date(1)?,
        trade_type: row.named(10)?,
        quantity,
        price,
        fee: row.int(13)?,
        amount: row.int(2)?,
        value: value.ok_or_else(|| Error::internal("a trade beyond all amounts"))?,
        booked_value: row.int(14)?,
        cost: row.opt_int(15)?,
        split: part(16)?.zip(part(17)?).map(|(to, from)| Split { to, from }),
        currency,
        given_name: row.string(4)?,
        notes: row.opt_string(5)?,
        source: row.opt_string(6)?,
        external_id: row.opt_string(7)?,
        counterpart: counterpart(row, visible)?,
        account: read_summary(row, 23)?,
        security: SecuritySummary::read(row, 19)?,
        created_at: row.timestamp(8)?,
        updated_at: row.timestamp(9)?,
        booked: None,
    };
    Ok((trade, row.opt_int(31)?))
}

fn counterpart(row: &Row<'_>, visible: &VisibleAccounts) -> Result<Option<Counterpart>> {
    let Some(entry) = row.opt_id(18)? else { return Ok(None) };
    if row.opt_uuid(27)?.is_none() {
        return Err(Error::internal("the other side of a move is not there"));
    }
    let account = read_summary(row, 27)?;
    let is_allowed = visible.allows(account.id);
    let is_seen = visible.shows(&account);
    let (trade, account) = (is_seen.then_some(entry), is_seen.then_some(account));
    Ok(Some(Counterpart { trade, account, entry, is_allowed }))
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let day = Some(Date::constant(2000, 1, 1));
    let nil = uuid::Uuid::nil();
    let listing = Listing {
        accounts: None,
        security: Some(nil.into()),
        trade_type: Some(TradeType::Buy),
        start: day,
        end: day,
    };
    let family = FamilyId::from_number(1);
    let (page, count) = queries(family, &[nil.into()], listing, 1, 1);
    vec![page, count, by_id(family, nil.into())]
}
