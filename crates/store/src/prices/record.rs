//! Prices as the executor writes them: single ones, those of files and those of the feed.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::SecurityId;
use purser_core::ledger::valuing::{Price, PriceSource};
use purser_core::money::Currency;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Val, statements, vals};
use crate::ledger::records::{BulkRecord, Effects, Record, read_by_ids};

statements! {
    /// Prices by their ids.
    PRICES_BY_IDS = "SELECT id, security_id, date, currency, price, source FROM security_prices
        WHERE family_id = $1 AND id = ANY($2)";
    /// Who has the price of a security, day and currency.
    PRICE_HOLDER = "SELECT id FROM security_prices
        WHERE family_id = $1 AND security_id = $2 AND date = $3 AND currency = $4";
    /// A price as somebody changed it.
    PRICE_SET = "UPDATE security_prices
        SET date = $1, currency = $2, price = $3, source = $4, updated_at = $5
        WHERE family_id = $6 AND id = $7";
    /// Removes the price with an id.
    PRICE_REMOVE = "DELETE FROM security_prices WHERE family_id = $1 AND id = $2";
}

pub(crate) static PRICES: Bulk = Bulk {
    table: "security_prices",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("security_id", ColumnType::Uuid),
        ("date", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("price", ColumnType::Text),
        ("source", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

/// A price as it is kept before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PriceImage {
    security: SecurityId,
    date: Date,
    currency: Currency,
    price: String,
    source: String,
}

impl PriceImage {
    pub(crate) fn new(security: SecurityId, price: &Price) -> Self {
        Self {
            security,
            date: price.date,
            currency: price.currency,
            price: price.price.normalize().to_string(),
            source: price.source.as_str().to_owned(),
        }
    }
}

/// Prices as the executor writes them.
pub(crate) struct PriceRecord;

impl Record for PriceRecord {
    const KIND: &'static str = "security_price";
    const PLACE: &'static [&'static str] = &["security", "date", "currency"];
    const POINTS_TO: &'static [(&'static str, &'static str)] = &[("security", "security")];
    const STANDS_ALONE: bool = true;
    type Values = PriceImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, PriceImage)>> {
        read_by_ids(tx, &PRICES_BY_IDS, ids, |row| {
            Ok(PriceImage {
                security: row.id(1)?,
                date: row.date(2)?,
                currency: row.currency(3)?,
                price: row.string(4)?,
                source: row.string(5)?,
            })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, price: &PriceImage) -> Result<()> {
        let mut inserter = Inserter::new(&PRICES);
        Self::push(tx, &mut inserter, id, price)?;
        inserter.flush(tx).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, price: &PriceImage) -> Result<()> {
        let PriceImage { date, currency, price, source, .. } = price;
        let (family, now) = (tx.family(), tx.now());
        tx.execute(&PRICE_SET, vals![*date, currency.code(), price, source, now, family, id])
            .map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&PRICE_REMOVE, vals![family, id]).map(drop)
    }

    fn title(price: &PriceImage) -> String {
        format!("{} {} on {}", price.price, price.currency.code(), price.date)
    }

    fn holder(tx: &mut FamilyTx<'_>, price: &PriceImage) -> Result<Option<Uuid>> {
        let family = tx.family();
        let key = vals![family, price.security, price.date, price.currency.code()];
        tx.query_opt(&PRICE_HOLDER, key, |row| row.uuid(0))
    }

    fn affects(price: &PriceImage, effects: &mut Effects) {
        effects.price(price.security, price.date);
    }
}

impl BulkRecord for PriceRecord {
    fn push(
        tx: &mut FamilyTx<'_>,
        inserter: &mut Inserter,
        id: Uuid,
        price: &PriceImage,
    ) -> Result<()> {
        if PriceSource::parse(&price.source).is_none() {
            return Err(Error::internal("unknown source of a price"));
        }
        let (family, now) = (tx.family(), Val::from(tx.now()));
        let row = [
            family.into(),
            Val::Uuid(id),
            price.security.into(),
            price.date.into(),
            price.currency.code().into(),
            Val::Text(&price.price),
            Val::Text(&price.source),
            now,
            now,
        ];
        inserter.push(tx, &row)
    }
}
