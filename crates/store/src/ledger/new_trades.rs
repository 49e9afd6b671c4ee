//! Adding trades, one of a person or the many of an import.

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, SecurityId};
use purser_core::ledger::entry::EntryKind;
use purser_core::money::Currency;
use purser_core::plan::{TradeDraft, TradeTerms};
use serde_json::json;
use uuid::Uuid;

use super::trades::{Written, mirrored};
use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Val};

pub(crate) static TRADES: Bulk = Bulk {
    table: "trades",
    columns: &[
        ("family_id", ColumnType::Int),
        ("entry_id", ColumnType::Uuid),
        ("security_id", ColumnType::Uuid),
        ("trade_type", ColumnType::Text),
        ("qty", ColumnType::Text),
        ("price", ColumnType::Text),
        ("fee", ColumnType::Int),
        ("value", ColumnType::Int),
        ("cost", ColumnType::Int),
        ("split_to", ColumnType::Int),
        ("split_from", ColumnType::Int),
        ("date", ColumnType::Int),
        ("counterpart_id", ColumnType::Uuid),
    ],
};

/// The account and the references of a new trade.
struct NewTrade<'a> {
    id: Uuid,
    account: Uuid,
    security: SecurityId,
    counterpart: Option<Uuid>,
    source: Option<&'a str>,
    external_id: Option<&'a str>,
}

impl Executor {
    /// Adds a trade; a move adds two, of which the first goes out.
    pub(super) fn add_trade(
        &mut self,
        tx: &mut FamilyTx<'_>,
        draft: &TradeDraft<'_>,
    ) -> Result<Applied> {
        let account = self.resolve(draft.account)?;
        let to = draft.to.map(|to| self.resolve(to)).transpose()?;
        let id = self.next_entry_id()?;
        let other = to.map(|to| Ok::<_, Error>((to, self.next_entry_id()?))).transpose()?;
        let new = NewTrade {
            id,
            account,
            security: draft.security,
            counterpart: other.map(|(_, other)| other),
            source: draft.source,
            external_id: draft.external_id,
        };
        self.insert_trade(tx, &new, &draft.terms)?;
        if let Some((to, other)) = other {
            self.require_currency(tx, account, draft.terms.currency)?;
            let (id, account, counterpart) = (other, to, Some(id));
            let new = NewTrade { id, account, counterpart, source: None, external_id: None, ..new };
            self.insert_trade(tx, &new, &mirrored(&draft.terms))?;
        }
        Ok(Applied { entry: EntryId(id), existed: false })
    }

    fn insert_trade(
        &mut self,
        tx: &mut FamilyTx<'_>,
        new: &NewTrade<'_>,
        terms: &TradeTerms<'_>,
    ) -> Result<()> {
        let touched = self.accounts.touch(tx, new.account)?;
        if !touched.account_type.holds_securities() {
            return Err(Error::invalid(
                "Trades can only stand in accounts of type investment or crypto",
            ));
        }
        touched.trades += 1;
        let (booking, value) = self.count_trade_in(tx, new.account, terms)?;
        let now = tx.now();
        self.entries.push(
            tx,
            &[
                self.family.into(),
                Val::Uuid(new.id),
                Val::Uuid(new.account),
                Val::Int(EntryKind::Trade.code()),
                terms.date.into(),
                Val::Int(terms.effect.cash),
                Val::Text(terms.currency.code()),
                booking.booked.into(),
                Val::Text(terms.name),
                terms.notes.into(),
                Val::Null,
                Val::Null,
                Val::Bool(false),
                Val::Bool(false),
                Val::Bool(false),
                Val::Int(0),
                new.source.into(),
                new.external_id.into(),
                now.into(),
                now.into(),
            ],
        )?;
        let written = Written::of(terms, value);
        if self.trades.is_batch_due() {
            // It may not arrive before its entry.
            self.entries.flush(tx)?;
        }
        let (key, values) = (self.key(new.id), written.values(new.security));
        self.trades.push(tx, &[&key[..], &values[..], &[new.counterpart.into()]].concat())?;
        if booking.booked.is_some() {
            self.add_conversion(tx, new.id, new.account, terms.date, &booking)?;
        }
        self.positions.touch(new.security, terms.date);
        if self.import.is_none() {
            // What an import adds is found by its range of ids: there may be any number.
            let after = written.image(new.security, terms, &booking);
            self.notes.push(json!({ "entry": new.id, "account": new.account, "after": after }));
        }
        Ok(())
    }

    /// The cost of shares that move is in the currency of the account that they leave; the rate
    /// that is kept with their arrival is the one that it is converted with.
    fn require_currency(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        currency: Currency,
    ) -> Result<()> {
        if self.accounts.touch(tx, account)?.currency == currency {
            return Ok(());
        }
        Err(Error::invalid(
            "Shares that move between accounts must be in the currency of the account that they \
             leave",
        ))
    }
}
