//! Trades that move shares: the lots that go and come, the money, and what is left as a gain.

use std::collections::{BTreeSet, HashMap};

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::positions::{Cause, LotChange, Movement};
use purser_core::ledger::trade::TradeType;
use purser_core::money::Currency;
use purser_core::money::decimal::amount_text;
use purser_core::money::exact::{Fraction, round_sum, whole};
use purser_formats::journal::{Amount, EndBalance, Fact, Posting, ROUNDING, Transaction};
use purser_store::FamilyTx;
use purser_store::books::trades::{self, Trade};

use super::chart::{ADJUSTMENTS, Chart, DIVIDENDS, GAINS, TRANSFERS, UNKNOWN_GAINS, facts};
use super::flows::posting;
use super::{Writer, failed};

/// Movements of lots that are written together.
const MOVEMENTS: usize = 1000;

/// The known cost of each account's position in a security, and what it is when it is rounded.
type Costs = HashMap<AccountId, (Fraction, i128)>;

impl Writer<'_> {
    /// Writes the trades of each security, and what every account has of it at the end.
    pub(super) fn trades(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let traded: BTreeSet<SecurityId> = trades::securities(tx)?.into_iter().collect();
        let all: Vec<SecurityId> = self.chart.securities().map(SecurityId).collect();
        for security in all.into_iter().filter(|security| traded.contains(security)) {
            let symbol = self.chart.commodity(security.0).to_owned();
            self.journal.heading(&format!("Trades of {symbol}")).map_err(failed)?;
            self.trades_of(tx, security, &symbol)?;
            for (account, date, quantity) in trades::positions(tx, security)? {
                let Some(account) = self.chart.account(account.0) else { continue };
                let stated = EndBalance::Shares(quantity, &symbol);
                self.journal.assert(date, &account.path, stated).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn trades_of(
        &mut self,
        tx: &mut FamilyTx<'_>,
        security: SecurityId,
        symbol: &str,
    ) -> Result<()> {
        let book = trades::lots(tx, security)?;
        let mut costs = Costs::new();
        let mut waiting: Vec<Movement> = Vec::new();
        for day in book.movements() {
            waiting.extend(day.map_err(|problem| Error::invalid(problem.to_string()))?);
            if waiting.len() >= MOVEMENTS {
                self.movements(tx, symbol, &mut costs, std::mem::take(&mut waiting))?;
            }
        }
        self.movements(tx, symbol, &mut costs, waiting)
    }

    fn movements(
        &mut self,
        tx: &mut FamilyTx<'_>,
        symbol: &str,
        costs: &mut Costs,
        movements: Vec<Movement>,
    ) -> Result<()> {
        let ids: Vec<EntryId> = movements.iter().flat_map(|one| trades_in(one.cause)).collect();
        let known = trades::trades(tx, &ids)?;
        for movement in movements {
            let trades: Vec<(EntryId, &Trade)> =
                trades_in(movement.cause).filter_map(|id| Some((id, known.get(&id)?))).collect();
            self.entries += u64::try_from(trades.len()).unwrap_or_default();
            let moved =
                LotTransaction { chart: &self.chart, symbol, movement: &movement, trades: &trades };
            if let Some(transaction) = moved.transaction(costs)? {
                self.journal.transaction(&transaction).map_err(failed)?;
            }
        }
        Ok(())
    }
}

fn trades_in(cause: Cause) -> impl Iterator<Item = EntryId> {
    let (one, other) = match cause {
        Cause::Trade(id) => (Some(id), None),
        Cause::Move { out, into } => (Some(out), Some(into)),
        Cause::Statement | Cause::Cost => (None, None),
    };
    one.into_iter().chain(other)
}

/// A movement of lots with the trades that made it.
struct LotTransaction<'m> {
    chart: &'m Chart,
    symbol: &'m str,
    movement: &'m Movement,
    trades: &'m [(EntryId, &'m Trade)],
}

impl<'m> LotTransaction<'m> {
    /// The transaction; none if nothing moved.
    fn transaction(&self, costs: &mut Costs) -> Result<Option<Transaction<'m>>> {
        let mut postings = self.money();
        for (id, changes) in &self.movement.accounts {
            let known = costs.entry(*id).or_insert_with(|| (whole(0), 0));
            for change in changes {
                postings.extend(self.lot(*id, change, known)?);
            }
        }
        if postings.is_empty() {
            return Ok(None);
        }
        let rest = self.rest();
        postings.extend(self.currencies().map(|currency| posting(rest, Amount::Rest(currency))));
        let text = match (self.trades.first(), self.movement.cause) {
            (Some((_, trade)), _) => trade.name.as_str(),
            (None, Cause::Cost) => "Cost as stated",
            (None, _) => "Position as reported",
        };
        let (date, facts) = (self.movement.date, self.facts());
        Ok(Some(Transaction { date, payee: None, text, tags: Vec::new(), facts, postings }))
    }

    fn money(&self) -> Vec<Posting<'m>> {
        let moved = self.trades.iter().filter(|(_, trade)| trade.booked != 0);
        let money = moved.filter_map(|(_, trade)| {
            let account = self.chart.account(trade.account.0)?;
            Some(posting(&account.path, Amount::Money(-trade.booked, account.currency)))
        });
        money.collect()
    }

    fn lot(
        &self,
        account: AccountId,
        change: &LotChange,
        (known, rounded): &mut (Fraction, i128),
    ) -> Result<Option<Posting<'m>>> {
        let Some(account) = self.chart.account(account.0) else { return Ok(None) };
        let (quantity, opened) = (change.quantity, change.opened);
        let is_known = change.cost.is_some();
        let cost = change.cost.clone().unwrap_or_else(|| whole(0));
        // Neither program takes a negative price: shares that a fee made so are free, and the rest
        // is booked at once.
        let is_turned = quantity.is_sign_negative() != (cost < whole(0));
        let cost = if is_turned { whole(0) } else { cost };
        *known += &cost;
        let out_of_range = || Error::invalid("The cost of a position is out of range".to_owned());
        let reached = round_sum(known).ok_or_else(out_of_range)?;
        let amount = Amount::Lot {
            quantity,
            commodity: self.symbol,
            opened,
            cost,
            is_known,
            rounded: reached - *rounded,
            currency: account.currency,
        };
        *rounded = reached;
        Ok(Some(posting(&account.path, amount)))
    }

    /// The currencies of the accounts, each once.
    fn currencies(&self) -> impl Iterator<Item = Currency> {
        let moved = self.movement.accounts.iter().map(|(account, _)| *account);
        let all = moved.chain(self.trades.iter().map(|(_, trade)| trade.account));
        let all = all.filter_map(|id| Some(self.chart.account(id.0)?.currency.code()));
        all.collect::<BTreeSet<_>>().into_iter().filter_map(Currency::parse)
    }

    /// The account of what lots and money leave.
    fn rest(&self) -> &'static str {
        let mut closed = self.movement.accounts.iter().flat_map(|(_, changes)| changes);
        let mut closed = closed.by_ref().filter(|change| change.closes).peekable();
        let closes = closed.peek().is_some();
        let is_unknown = closed.any(|change| change.cost.is_none());
        let trade_type = self.trades.first().map(|(_, trade)| trade.trade_type);
        match (self.movement.cause, trade_type) {
            (Cause::Move { .. }, _) => TRANSFERS,
            (_, Some(TradeType::TransferIn | TradeType::TransferOut)) => TRANSFERS,
            (_, Some(TradeType::Reinvestment)) => DIVIDENDS,
            (_, Some(_)) if is_unknown => UNKNOWN_GAINS,
            (_, Some(_)) if closes => GAINS,
            (_, Some(_)) => ROUNDING,
            (_, None) => ADJUSTMENTS,
        }
    }

    fn facts(&self) -> Vec<Fact<'static>> {
        let Some((id, trade)) = self.trades.first() else { return Vec::new() };
        let currency = trade.currency;
        let money = |amount: i64| format!("{} {}", amount_text(amount, currency), currency.code());
        let is_foreign =
            self.chart.account(trade.account.0).is_some_and(|account| account.currency != currency);
        let price = format!("{} {}", trade.price.normalize(), currency.code());
        facts([
            ("id", Some(id.0.to_string())),
            ("into", self.trades.get(1).map(|(id, _)| id.0.to_string())),
            ("trade", Some(trade.trade_type.as_str().to_owned())),
            ("price", Some(price).filter(|_| !trade.price.is_zero())),
            ("fee", Some(money(trade.fee)).filter(|_| trade.fee != 0)),
            ("amount", Some(money(trade.amount)).filter(|_| is_foreign)),
            ("source", trade.source.clone()),
            ("external-id", trade.external_id.clone()),
            ("excluded", Some("true".to_owned()).filter(|_| trade.excluded)),
            ("notes", trade.notes.clone()),
        ])
    }
}
