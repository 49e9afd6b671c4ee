//! Changing and removing trades.
//!
//! A trade is an entry with the amount of cash that moved, and a row beside it with the change of
//! the shares. A move of shares between two accounts of the family is two trades that name each
//! other: they are added, changed and removed together. What follows from trades (positions,
//! balances) is brought up to date at the end of the plan.
//!
//! A trade in another currency than its account's is kept in its own currency. Its money and the
//! value of its shares in the account's currency follow from the rate that is kept beside it, like
//! that of any entry; both sides of a move are in the currency of the account that the shares
//! leave. How trades are added is in [`super::new_trades`].

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, SecurityId};
use purser_core::ledger::trade::{Effect, TradeType};
use purser_core::money::decimal::quantity_text;
use purser_core::money::{Currency, Money};
use purser_core::plan::{TradeRevision, TradeTerms};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::conversions::{Booking, CONVERSION_DELETE};
use super::trade_origins::{TradeOrigin, content};
use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::rates;

statements! {
    /// A trade as it is.
    TRADE_NOW = "SELECT e.id, e.account_id, e.date, COALESCE(e.booked, e.amount), e.name, e.notes,
            t.security_id, t.trade_type, t.qty, t.price, t.fee, t.value, t.cost, t.split_to,
            t.split_from, t.counterpart_id, e.amount, e.currency, e.has_origin, e.external_id,
            e.source, s.ticker, s.exchange_operating_mic
        FROM ledger_entries e
        JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
        JOIN securities s ON s.family_id = $1 AND s.id = t.security_id
        WHERE e.family_id = $1 AND e.id = $2 AND e.kind = 2";
    /// Changes the entry of a trade as a person's change: an undo of its import leaves it alone.
    TRADE_ENTRY_UPDATE = "UPDATE entries SET date = $1, amount = $2, booked = $3, name = $4,
            notes = $5, changed_at = COALESCE(changed_at, $6), has_origin = TRUE, updated_at = $6
        WHERE family_id = $7 AND id = $8";
    /// Updates the row of a trade beside its entry. Lots are those of its quantity and cost.
    TRADE_UPDATE = "UPDATE trades SET security_id = $1, trade_type = $2, qty = $3, price = $4,
            fee = $5, value = $6, cost = $7, split_to = $8, split_from = $9, lots = CASE WHEN
                qty = $3 AND COALESCE(cost, -1) = COALESCE(CAST($7 AS BIGINT), -1) THEN lots END,
            date = $10 WHERE family_id = $11 AND entry_id = $12";
    /// What the shares of a trade are worth at its price.
    TRADE_WORTH = "SELECT security_id, qty, price, value FROM trades
        WHERE family_id = $1 AND entry_id = $2";
    /// The same from now on, in the account's currency.
    TRADE_REVALUE = "UPDATE trades SET value = $1 WHERE family_id = $2 AND entry_id = $3";
    /// Removes the row of a trade.
    TRADE_DELETE = "DELETE FROM trades WHERE family_id = $1 AND entry_id = $2";
    /// Removes the entry of a trade.
    TRADE_ENTRY_DELETE = "DELETE FROM entries WHERE family_id = $1 AND id = $2";
}

/// A trade as it is before a change.
struct CurrentTrade {
    id: Uuid,
    account: Uuid,
    date: Date,
    currency: Currency,
    /// The booked cash, in the account's currency like `value`.
    cash: i64,
    value: i64,
    security: SecurityId,
    counterpart: Option<Uuid>,
    origin: TradeOrigin,
    image: Value,
}

impl CurrentTrade {
    fn read(row: &Row<'_>) -> Result<Self> {
        let (account, date): (Uuid, Date) = (row.uuid(1)?, row.date(2)?);
        let (cash, value, security) = (row.int(3)?, row.int(11)?, row.uuid(6)?);
        let counterpart = row.opt_uuid(15)?;
        let image = json!({
            "account": account, "date": date, "amount": row.int(16)?,
            "currency": row.text(17)?, "booked": cash, "name": row.text(4)?,
            "notes": row.opt_text(5)?, "security": security, "type": row.text(7)?,
            "qty": row.text(8)?, "price": row.text(9)?, "fee": row.int(10)?,
            "cost": row.opt_int(12)?, "split_to": row.opt_int(13)?,
            "split_from": row.opt_int(14)?, "counterpart": counterpart,
        });
        let (id, currency, security) = (row.uuid(0)?, row.currency(17)?, SecurityId(security));
        let origin = TradeOrigin {
            entry: EntryId(id),
            account,
            date,
            amount: row.int(16)?,
            currency,
            content: content(row, [7, 8, 9, 10, 13, 14, 21, 22])?,
            external_id: row.opt_string(19)?,
            source: row.opt_string(20)?,
            is_kept: row.bool(18)?,
        };
        Ok(Self { id, account, date, currency, cash, value, security, counterpart, origin, image })
    }
}

/// What a trade did to shares, and what they are worth in the account's currency.
pub(super) struct Shares {
    security: SecurityId,
    quantity: Decimal,
    price: Decimal,
    pub(super) value: i64,
}

impl Shares {
    /// What they are worth by another booking.
    pub(super) fn worth(&self, booking: &Booking) -> Result<i64> {
        booking.value(self.quantity, self.price)
    }

    /// Whether 64 bits don't hold what they would be worth.
    pub(super) fn is_beyond(&self, booking: &Booking) -> bool {
        booking.value(self.quantity, self.price).is_err()
    }
}

impl Executor {
    /// Changes a trade. The other trade of a move gets the same day, shares and price.
    pub(super) fn revise_trade(
        &mut self,
        tx: &mut FamilyTx<'_>,
        revision: &TradeRevision<'_>,
    ) -> Result<Applied> {
        let before = self.current_trade(tx, revision.entry.0)?;
        self.write_trade(tx, &before, revision.security, &revision.terms)?;
        if let Some(other) = before.counterpart {
            let other = self.current_trade(tx, other)?;
            let name = other.image["name"].as_str().unwrap_or_default().to_owned();
            let notes = other.image["notes"].as_str().map(str::to_owned);
            let terms =
                TradeTerms { name: &name, notes: notes.as_deref(), ..mirrored(&revision.terms) };
            self.write_trade(tx, &other, revision.security, &terms)?;
        }
        Ok(Applied { entry: revision.entry, existed: true })
    }

    /// Takes a trade away; of a move both.
    pub(super) fn remove_trade(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
    ) -> Result<Applied> {
        let before = self.current_trade(tx, entry.0)?;
        let other = before.counterpart.map(|other| self.current_trade(tx, other)).transpose()?;
        for trade in std::iter::once(before).chain(other) {
            trade.origin.bury(tx)?;
            for statement in [&TRADE_DELETE, &CONVERSION_DELETE, &TRADE_ENTRY_DELETE] {
                tx.execute(statement, &self.key(trade.id))?;
            }
            let touched = self.accounts.touch(tx, trade.account)?;
            let delta = touched.deltas.entry(trade.date).or_default();
            delta.remove_trade(trade.cash, trade.value).map_err(|_| out_of_range())?;
            touched.trades -= 1;
            self.positions.touch(trade.security, trade.date);
            self.notes.push(json!({ "entry": trade.id, "before": trade.image }));
        }
        Ok(Applied { entry, existed: true })
    }

    /// The shares of a trade that is there.
    pub(super) fn shares_of(&mut self, tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<Shares> {
        tx.query_one(&TRADE_WORTH, &self.key(entry.0), |row| {
            Ok(Shares {
                security: row.id(0)?,
                quantity: rates::decimal(row.text(1)?)?,
                price: rates::decimal(row.text(2)?)?,
                value: row.int(3)?,
            })
        })
    }

    /// What a trade in another currency comes to by the rate that is the best now. It was booked as
    /// `cash`.
    pub(super) fn revalue_trade(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        shares: &Shares,
        (account, date, cash): (Uuid, Date, i64),
        booking: &Booking,
    ) -> Result<()> {
        let value = booking.value(shares.quantity, shares.price)?;
        let delta = self.accounts.touch(tx, account)?.deltas.entry(date).or_default();
        delta.remove_trade(cash, shares.value).map_err(|_| out_of_range())?;
        delta.add_trade(booking.amount(), value).map_err(|_| out_of_range())?;
        tx.execute(&TRADE_REVALUE, &[Val::Int(value), self.family.into(), entry.into()])?;
        self.positions.refold_from(shares.security, date);
        Ok(())
    }

    fn write_trade(
        &mut self,
        tx: &mut FamilyTx<'_>,
        before: &CurrentTrade,
        security: SecurityId,
        terms: &TradeTerms<'_>,
    ) -> Result<()> {
        let touched = self.accounts.touch(tx, before.account)?;
        let delta = touched.deltas.entry(before.date).or_default();
        delta.remove_trade(before.cash, before.value).map_err(|_| out_of_range())?;
        if terms.currency != before.currency {
            return Err(Error::internal("the currency of a trade doesn't change"));
        }
        let (booking, value) = self.count_trade_in(tx, before.account, terms)?;
        before.origin.keep(tx)?;
        let (now, key) = (tx.now(), self.key(before.id));
        let entry = [
            terms.date.into(),
            Val::Int(terms.effect.cash),
            booking.booked.into(),
            Val::Text(terms.name),
            terms.notes.into(),
            now.into(),
        ];
        tx.execute(&TRADE_ENTRY_UPDATE, &[&entry[..], &key[..]].concat())?;
        let written = Written::of(terms, value);
        tx.execute(&TRADE_UPDATE, &[&written.values(security)[..], &key[..]].concat())?;
        self.keep_conversion(tx, before.id, before.account, terms.date, &booking)?;
        self.positions.touch(before.security, before.date);
        self.positions.touch(security, terms.date);
        let after = written.image(security, terms, &booking);
        self.notes.push(json!({ "entry": before.id, "before": before.image, "after": after }));
        Ok(())
    }

    /// Counts what a trade comes to in its account into the balances.
    pub(super) fn count_trade_in(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        terms: &TradeTerms<'_>,
    ) -> Result<(Booking, i64)> {
        let to = self.accounts.touch(tx, account)?.currency;
        let Effect { quantity, cash, value, .. } = terms.effect;
        let original = Money::new(cash, terms.currency);
        let booking = self.booking(tx, original, to, terms.date, terms.rate)?;
        let value = match booking.booked {
            Some(_) => booking.value(quantity, terms.price)?,
            None => value,
        };
        let touched = self.accounts.touch(tx, account)?;
        let delta = touched.deltas.entry(terms.date).or_default();
        delta.add_trade(booking.amount(), value).map_err(|_| out_of_range())?;
        Ok((booking, value))
    }

    fn current_trade(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<CurrentTrade> {
        tx.query_opt(&TRADE_NOW, &self.key(id), CurrentTrade::read)?
            .ok_or(Error::NotFound { what: "Trade" })
    }
}

/// The texts that a row of a trade keeps.
pub(super) struct Written {
    trade_type: TradeType,
    quantity: String,
    price: String,
    fee: i64,
    effect: Effect,
    /// The value of the shares in the account's currency.
    value: i64,
    split: Option<(u32, u32)>,
    date: Date,
}

impl Written {
    pub(super) fn of(terms: &TradeTerms<'_>, value: i64) -> Self {
        Self {
            trade_type: terms.trade_type,
            quantity: quantity_text(terms.effect.quantity),
            price: quantity_text(terms.price),
            fee: terms.fee,
            effect: terms.effect,
            value,
            split: terms.split.map(|split| (split.to, split.from)),
            date: terms.date,
        }
    }

    pub(super) fn values(&self, security: SecurityId) -> [Val<'_>; 10] {
        [
            security.into(),
            Val::Text(self.trade_type.as_str()),
            Val::Text(&self.quantity),
            Val::Text(&self.price),
            Val::Int(self.fee),
            Val::Int(self.value),
            self.effect.cost.into(),
            self.split.map(|(to, _)| to).into(),
            self.split.map(|(_, from)| from).into(),
            self.date.into(),
        ]
    }

    pub(super) fn image(
        &self,
        security: SecurityId,
        terms: &TradeTerms<'_>,
        booking: &Booking,
    ) -> Value {
        json!({
            "date": terms.date, "amount": self.effect.cash, "currency": terms.currency,
            "booked": booking.amount(), "name": terms.name, "notes": terms.notes,
            "security": security, "type": self.trade_type.as_str(),
            "qty": self.quantity, "price": self.price, "fee": self.fee,
            "cost": self.effect.cost, "split_to": self.split.map(|(to, _)| to),
            "split_from": self.split.map(|(_, from)| from),
        })
    }
}

/// The other side of a move. Name and notes belong to each side alone.
pub(super) fn mirrored<'a>(terms: &TradeTerms<'a>) -> TradeTerms<'a> {
    let trade_type = match terms.trade_type {
        TradeType::TransferOut => TradeType::TransferIn,
        _ => TradeType::TransferOut,
    };
    let Effect { quantity, value, .. } = terms.effect;
    let effect = Effect { quantity: -quantity, cash: 0, value: -value, cost: None };
    TradeTerms { trade_type, effect, name: "", notes: None, ..terms.clone() }
}

fn out_of_range() -> Error {
    Error::invalid("The amount is out of range")
}
