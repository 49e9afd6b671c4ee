//! The family's own rates as the executor writes them: single ones and those of files.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::money::Currency;
use purser_core::rates::{Source, StatedRate};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Val, statements, vals};
use crate::ledger::records::{BulkRecord, Effects, Record, read_by_ids};

statements! {
    /// Rates by their ids.
    OWN_BY_IDS = "SELECT id, base, quote, date, rate, source FROM family_rates
        WHERE family_id = $1 AND id = ANY($2)";
    /// Who has the rate of a pair and day.
    OWN_HOLDER = "SELECT id FROM family_rates
        WHERE family_id = $1 AND base = $2 AND quote = $3 AND date = $4";
    /// Replaces the rate and its source.
    OWN_SET = "UPDATE family_rates SET rate = $1, source = $2, updated_at = $3
        WHERE family_id = $4 AND id = $5";
    /// Removes the rate with an id.
    OWN_REMOVE = "DELETE FROM family_rates WHERE family_id = $1 AND id = $2";
}

pub(crate) static OWN_RATES: Bulk = Bulk {
    table: "family_rates",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("base", ColumnType::Text),
        ("quote", ColumnType::Text),
        ("date", ColumnType::Int),
        ("rate", ColumnType::Text),
        ("source", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

/// A rate as it is kept before and after a change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RateImage {
    base: Currency,
    quote: Currency,
    date: Date,
    rate: String,
    source: String,
}

impl RateImage {
    pub(crate) fn new(stated: &StatedRate, source: Source) -> Self {
        Self {
            base: stated.base,
            quote: stated.quote,
            date: stated.date,
            rate: stated.rate.normalize().to_string(),
            source: source.as_str().to_owned(),
        }
    }
}

/// The family's own rates as the executor writes them.
pub(crate) struct RateRecord;

impl Record for RateRecord {
    const KIND: &'static str = "exchange_rate";
    const PLACE: &'static [&'static str] = &["base", "quote", "date"];
    const STANDS_ALONE: bool = true;
    type Values = RateImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, RateImage)>> {
        read_by_ids(tx, &OWN_BY_IDS, ids, |row| {
            Ok(RateImage {
                base: row.currency(1)?,
                quote: row.currency(2)?,
                date: row.date(3)?,
                rate: row.string(4)?,
                source: row.string(5)?,
            })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, rate: &RateImage) -> Result<()> {
        let mut inserter = Inserter::new(&OWN_RATES);
        Self::push(tx, &mut inserter, id, rate)?;
        inserter.flush(tx).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, rate: &RateImage) -> Result<()> {
        let (family, now) = (tx.family(), tx.now());
        tx.execute(&OWN_SET, vals![&rate.rate, &rate.source, now, family, id]).map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&OWN_REMOVE, vals![family, id]).map(drop)
    }

    fn title(rate: &RateImage) -> String {
        format!("{}/{} on {}", rate.base.code(), rate.quote.code(), rate.date)
    }

    fn holder(tx: &mut FamilyTx<'_>, rate: &RateImage) -> Result<Option<Uuid>> {
        let family = tx.family();
        let key = vals![family, rate.base.code(), rate.quote.code(), rate.date];
        tx.query_opt(&OWN_HOLDER, key, |row| row.uuid(0))
    }

    fn affects(rate: &RateImage, effects: &mut Effects) {
        effects.rate((rate.base, rate.quote), rate.date);
    }
}

impl BulkRecord for RateRecord {
    fn push(
        tx: &mut FamilyTx<'_>,
        inserter: &mut Inserter,
        id: Uuid,
        rate: &RateImage,
    ) -> Result<()> {
        let (family, now) = (tx.family(), Val::from(tx.now()));
        let row = [
            family.into(),
            Val::Uuid(id),
            rate.base.code().into(),
            rate.quote.code().into(),
            rate.date.into(),
            Val::Text(&rate.rate),
            Val::Text(&rate.source),
            now,
            now,
        ];
        inserter.push(tx, &row)
    }
}
