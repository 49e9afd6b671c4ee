//! Securities as the executor writes them.

use purser_core::error::{Error, Result};
use purser_core::ledger::security::{Listing, SecurityKind, SecurityValues};
use purser_core::money::Currency;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::ledger::records::undo::{Pointer, PointersAlone, Remaining, pointing};
use crate::ledger::records::{Record, read_by_ids};

statements! {
    /// Securities by their ids.
    SECURITIES_BY_IDS = "SELECT id, ticker, exchange_operating_mic, name, kind, isin,
            country_code, currency, offline, feed_symbol
        FROM securities WHERE family_id = $1 AND id = ANY($2)";
    /// Inserts a new security.
    SECURITY_ADD = "INSERT INTO securities (family_id, id, ticker, exchange_operating_mic, name,
            kind, isin, country_code, currency, offline, feed_symbol, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)";
    /// A security as somebody changed it.
    SECURITY_SET = "UPDATE securities SET ticker = $1, exchange_operating_mic = $2, name = $3,
            kind = $4, isin = $5, country_code = $6, currency = $7, offline = $8, feed_symbol = $9,
            updated_at = $10
        WHERE family_id = $11 AND id = $12";
    /// What keeps the ids of positions in a security that has no trades any more.
    SECURITY_POSITIONS_REMOVE = "DELETE FROM holdings WHERE family_id = $1 AND security_id = $2
            AND cost_total IS NULL AND NOT cost_locked";
    /// What providers called it.
    SECURITY_CLUES_REMOVE = "DELETE FROM sync_holdings WHERE family_id = $1 AND security_id = $2";
    /// Removes the security with an id.
    SECURITY_REMOVE = "DELETE FROM securities WHERE family_id = $1 AND id = $2";
    /// Who has a ticker on a market.
    SECURITY_HOLDER = "SELECT id FROM securities
        WHERE family_id = $1 AND ticker = $2 AND exchange_operating_mic = $3";
    /// How many prices the security has.
    SECURITY_PRICES = "SELECT CAST(COUNT(*) AS BIGINT) FROM security_prices
        WHERE family_id = $1 AND security_id = $2";
    /// Positions in the security of which a person or a provider stated something, also of an
    /// earlier day. What came with the import that created the security goes with it.
    SECURITY_STATED = "SELECT id FROM holdings WHERE family_id = $1 AND security_id = $2
            AND (earlier_costs LIKE '%\"import_id\":null%'
                OR (cost_total IS NOT NULL OR cost_locked)
                AND NOT EXISTS (SELECT 1 FROM import_created c
                    WHERE c.family_id = $1 AND c.import_id = holdings.import_id
                        AND c.kind = 'security' AND c.target_id = holdings.security_id)
                OR EXISTS (SELECT 1 FROM position_statements p
                    WHERE p.family_id = $1
                        AND p.account_id = holdings.account_id
                        AND p.security_id = holdings.security_id
                        AND NOT EXISTS (SELECT 1 FROM import_created c
                            WHERE c.family_id = $1 AND c.import_id = p.import_id
                                AND c.kind = 'security' AND c.target_id = p.security_id)))";
    /// Securities of trades that stay.
    SECURITIES_USED = "SELECT DISTINCT t.security_id FROM trades t
        JOIN ledger_entries e ON e.family_id = $1 AND e.id = t.entry_id
        WHERE t.family_id = $1 AND (e.id < $2 OR e.id > $3 OR e.changed_at IS NOT NULL)";
}

/// A security as it is kept before and after a change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SecurityImage {
    ticker: String,
    exchange_operating_mic: String,
    pub(super) name: Option<String>,
    kind: String,
    isin: Option<String>,
    country_code: Option<String>,
    currency: Option<Currency>,
    offline: bool,
    feed_symbol: Option<String>,
}

impl From<&SecurityValues> for SecurityImage {
    fn from(values: &SecurityValues) -> Self {
        let SecurityValues { listing, name, kind, isin, country_code, .. } = values.clone();
        let Listing { ticker, exchange_operating_mic } = listing;
        Self {
            ticker,
            exchange_operating_mic,
            name,
            kind: kind.as_str().to_owned(),
            isin,
            country_code,
            currency: values.currency,
            offline: values.offline,
            feed_symbol: values.feed_symbol.clone(),
        }
    }
}

/// Securities as the executor writes them.
pub(crate) struct SecurityRecord;

impl Record for SecurityRecord {
    const KIND: &'static str = "security";
    const PLACE: &'static [&'static str] = &["ticker", "exchange_operating_mic"];
    type Values = SecurityImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, SecurityImage)>> {
        read_by_ids(tx, &SECURITIES_BY_IDS, ids, |row| {
            let currency = row.opt_text(7)?.is_some().then(|| row.currency(7)).transpose()?;
            Ok(SecurityImage {
                ticker: row.string(1)?,
                exchange_operating_mic: row.string(2)?,
                name: row.opt_string(3)?,
                kind: row.string(4)?,
                isin: row.opt_string(5)?,
                country_code: row.opt_string(6)?,
                currency,
                offline: row.bool(8)?,
                feed_symbol: row.opt_string(9)?,
            })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, image: &SecurityImage) -> Result<()> {
        let (family, now) = (tx.family(), tx.now());
        let params = vals![
            family,
            id,
            &image.ticker,
            &image.exchange_operating_mic,
            image.name.as_deref(),
            known_kind(image)?,
            image.isin.as_deref(),
            image.country_code.as_deref(),
            image.currency.map(|currency| currency.code()),
            image.offline,
            image.feed_symbol.as_deref(),
            now
        ];
        tx.execute(&SECURITY_ADD, params).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, image: &SecurityImage) -> Result<()> {
        let (family, now) = (tx.family(), tx.now());
        let params = vals![
            &image.ticker,
            &image.exchange_operating_mic,
            image.name.as_deref(),
            known_kind(image)?,
            image.isin.as_deref(),
            image.country_code.as_deref(),
            image.currency.map(|currency| currency.code()),
            image.offline,
            image.feed_symbol.as_deref(),
            now,
            family,
            id
        ];
        tx.execute(&SECURITY_SET, params).map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&SECURITY_POSITIONS_REMOVE, vals![family, id])?;
        tx.execute(&SECURITY_CLUES_REMOVE, vals![family, id])?;
        tx.execute(&SECURITY_REMOVE, vals![family, id]).map(drop)
    }

    fn title(image: &SecurityImage) -> String {
        image.name.clone().unwrap_or_else(|| image.ticker.clone())
    }

    fn holder(tx: &mut FamilyTx<'_>, image: &SecurityImage) -> Result<Option<Uuid>> {
        let family = tx.family();
        let key = vals![family, &image.ticker, &image.exchange_operating_mic];
        tx.query_opt(&SECURITY_HOLDER, key, |row| row.uuid(0))
    }

    fn pointers(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Vec<Pointer>> {
        pointing(tx, &SECURITY_STATED, id, "it has holdings")
    }

    fn pointers_alone(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Option<PointersAlone>> {
        let family = tx.family();
        let count = tx.query_one(&SECURITY_PRICES, vals![family, id], |row| row.count(0))?;
        Ok(Some(PointersAlone { count, reason: "it has prices" }))
    }

    fn used(tx: &mut FamilyTx<'_>, remaining: &Remaining) -> Result<Vec<Uuid>> {
        remaining.of_range(tx, &SECURITIES_USED)
    }
}

fn known_kind(image: &SecurityImage) -> Result<&'static str> {
    let kind = SecurityKind::parse(&image.kind);
    Ok(kind.ok_or_else(|| Error::internal("unknown kind of security"))?.as_str())
}
