//! Origins of trades: what the source reported, kept from the first change of a person on, and the
//! tombstones of those that are gone. A trade is recognised by what it contains, so that stands in
//! the place of its name.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::import::trade::fingerprint::TradeContent;
use purser_core::ledger::new_trade::Split;
use purser_core::ledger::security::Listing;
use purser_core::money::Currency;
use uuid::Uuid;

use super::origins::ORIGIN_DELETED;
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::rates::decimal;

statements! {
    /// Inserts the origin of a trade, unless there is one already.
    TRADE_ORIGIN_INSERT = "INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount,
            currency, name, external_id, source, kind, deleted_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 2, NULL)
        ON CONFLICT (family_id, entry_id) DO NOTHING";
}

/// A trade as it is before a change, as far as its origin has it.
pub(super) struct TradeOrigin {
    pub(super) entry: EntryId,
    pub(super) account: Uuid,
    pub(super) date: Date,
    pub(super) amount: i64,
    pub(super) currency: Currency,
    pub(super) content: String,
    pub(super) external_id: Option<String>,
    pub(super) source: Option<String>,
    /// There is one from an earlier change.
    pub(super) is_kept: bool,
}

impl TradeOrigin {
    /// Keeps the origin before the first change. The change itself notes in the entry that there is
    /// one.
    pub(super) fn keep(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        if self.is_kept {
            return Ok(());
        }
        let family = tx.family();
        tx.execute(
            &TRADE_ORIGIN_INSERT,
            &[
                family.into(),
                self.entry.into(),
                Val::Uuid(self.account),
                self.date.into(),
                Val::Int(self.amount),
                Val::Text(self.currency.code()),
                Val::Text(&self.content),
                self.external_id.as_deref().into(),
                self.source.as_deref().into(),
            ],
        )
        .map(drop)
    }

    /// Leaves the tombstone of a trade that is about to go.
    pub(super) fn bury(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.keep(tx)?;
        let (family, now) = (tx.family(), tx.now());
        tx.execute(&ORIGIN_DELETED, &[now.into(), family.into(), self.entry.into()]).map(drop)
    }
}

/// What a trade contains, from a row with these columns: type, quantity, price, fee, the two
/// numbers of a split, ticker and market.
pub(crate) fn content(row: &Row<'_>, columns: [usize; 8]) -> Result<String> {
    let [trade_type, quantity, price, fee, to, from, ticker, mic] = columns;
    let part = |column| {
        let number = row.opt_int(column)?;
        number.map(u32::try_from).transpose().map_err(Error::internal)
    };
    let listing = Listing { ticker: row.string(ticker)?, exchange_operating_mic: row.string(mic)? };
    let content = TradeContent {
        trade_type: row.named(trade_type)?,
        listing: &listing,
        quantity: decimal(row.text(quantity)?)?,
        price: decimal(row.text(price)?)?,
        fee: row.int(fee)?,
        split: part(to)?.zip(part(from)?).map(|(to, from)| Split { to, from }),
    };
    Ok(content.text())
}
