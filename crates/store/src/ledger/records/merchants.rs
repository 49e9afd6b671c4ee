//! Merchants: a name, a color and a website.

use purser_core::error::Result;
use purser_core::labels::input::LabelKind;
use purser_core::limits::LABELS_MAX;
use purser_core::text::label::name_key;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::undo::{Pointer, Remaining, pointing, rules_naming};
use super::{Executor, Limit, Record, read_by_ids};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::labels::{holder, require_free};

statements! {
    /// How many there are.
    MERCHANT_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM merchants WHERE family_id = $1";
    /// The values of a merchant that is created.
    MERCHANT_INSERT = "INSERT INTO merchants (family_id, id, name, name_key, color, website,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7)";
    /// Merchants by their ids.
    MERCHANTS_BY_IDS = "SELECT id, name, color, website FROM ledger_merchants
        WHERE family_id = $1 AND id = ANY($2)";
    /// What a merchant is from now on.
    MERCHANT_SET = "UPDATE merchants SET name = $1, name_key = $2, color = $3, website = $4,
            updated_at = $5
        WHERE family_id = $6 AND id = $7";
    /// Series that were detected with a merchant that goes have none.
    MERCHANT_SERIES_CLEAR = "UPDATE recurring_transactions SET merchant_id = NULL
        WHERE family_id = $1 AND merchant_id = $2 AND made_by = 'detection'";
    /// A merchant that nothing points to.
    MERCHANT_TAKE_AWAY = "DELETE FROM merchants WHERE family_id = $1 AND id = $2";
    /// Series that a person created with the merchant.
    MERCHANT_SERIES = "SELECT id FROM recurring_transactions
        WHERE family_id = $1 AND merchant_id = $2 AND made_by = 'person'";
    /// Merchants of entries that stay.
    MERCHANTS_USED = "SELECT DISTINCT e.merchant_id FROM ledger_entries e
        WHERE e.family_id = $1 AND e.merchant_id IS NOT NULL
            AND (e.id < $2 OR e.id > $3 OR e.changed_at IS NOT NULL)";
}

/// A merchant as it is kept before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MerchantImage {
    pub(crate) name: String,
    pub(crate) color: Option<String>,
    pub(crate) website: Option<String>,
}

/// Merchants as the executor writes them.
pub(crate) struct MerchantRecord;

impl Record for MerchantRecord {
    const KIND: &'static str = "merchant";
    const PLACE: &'static [&'static str] = &["name"];
    const LIMIT: Option<Limit> =
        Some(Limit { max: LABELS_MAX, plural: "merchants", count: &MERCHANT_COUNT });
    type Values = MerchantImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, MerchantImage)>> {
        read_by_ids(tx, &MERCHANTS_BY_IDS, ids, |row| {
            let (name, color, website) = (row.string(1)?, row.opt_string(2)?, row.opt_string(3)?);
            Ok(MerchantImage { name, color, website })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, merchant: &MerchantImage) -> Result<()> {
        let MerchantImage { name, color, website } = merchant;
        let (family, now, key) = (tx.family(), tx.now(), name_key(name));
        let row = vals![family, id, name, &key, color.as_deref(), website.as_deref(), now];
        tx.execute(&MERCHANT_INSERT, row).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, merchant: &MerchantImage) -> Result<()> {
        let MerchantImage { name, color, website } = merchant;
        let (family, now, key) = (tx.family(), tx.now(), name_key(name));
        require_free(tx, LabelKind::Merchant, (&key, name), Some(id))?;
        let row = vals![name, &key, color.as_deref(), website.as_deref(), now, family, id];
        tx.execute(&MERCHANT_SET, row).map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&MERCHANT_SERIES_CLEAR, vals![family, id])?;
        tx.execute(&MERCHANT_TAKE_AWAY, vals![family, id]).map(drop)
    }

    fn title(merchant: &MerchantImage) -> String {
        merchant.name.clone()
    }

    fn holder(tx: &mut FamilyTx<'_>, merchant: &MerchantImage) -> Result<Option<Uuid>> {
        holder(tx, LabelKind::Merchant, &name_key(&merchant.name))
    }

    fn place(merchant: &MerchantImage) -> Result<String> {
        Ok(name_key(&merchant.name))
    }

    fn pointers(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Vec<Pointer>> {
        let mut found = pointing(tx, &MERCHANT_SERIES, id, "a recurring transaction has it")?;
        found.extend(rules_naming(tx, id)?);
        Ok(found)
    }

    fn used(tx: &mut FamilyTx<'_>, remaining: &Remaining) -> Result<Vec<Uuid>> {
        remaining.of_range(tx, &MERCHANTS_USED)
    }
}

impl Executor {
    pub(super) fn revise_merchant(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        name: Option<&str>,
        color: Option<&Option<String>>,
        website: Option<&Option<String>>,
    ) -> Result<()> {
        let before = Self::present::<MerchantRecord>(tx, id, "Merchant")?;
        let after = MerchantImage {
            name: name.unwrap_or(&before.name).to_owned(),
            color: color.unwrap_or(&before.color).clone(),
            website: website.unwrap_or(&before.website).clone(),
        };
        if after == before {
            return Ok(());
        }
        self.update::<MerchantRecord>(tx, id, (&before, &after))
    }

    pub(super) fn remove_merchant(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        replacement: Option<Uuid>,
    ) -> Result<()> {
        let before = Self::present::<MerchantRecord>(tx, id, "Merchant")?;
        let detached = self.detach_merchant(tx, id, replacement)?;
        self.delete_label::<MerchantRecord>(tx, id, &before, replacement, detached)
    }
}
