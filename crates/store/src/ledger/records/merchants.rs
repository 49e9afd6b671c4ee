//! Merchants: a name, a color and a website.

use purser_core::error::{Error, Result};
use purser_core::labels::input::LabelKind;
use purser_core::text::label::name_key;
use serde::Serialize;
use uuid::Uuid;

use super::Executor;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::labels::require_free;
use crate::ledger::labels::detach_merchant;

statements! {
    /// A new merchant.
    MERCHANT_INSERT = "INSERT INTO merchants (family_id, id, name, name_key, color, website,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7)";
    /// One merchant.
    MERCHANT_NOW = "SELECT name, color, website FROM merchants WHERE family_id = $1 AND id = $2";
    /// What a merchant is from now on.
    MERCHANT_SET = "UPDATE merchants SET name = $1, name_key = $2, color = $3, website = $4,
            updated_at = $5
        WHERE family_id = $6 AND id = $7";
    /// A merchant that nothing points to.
    MERCHANT_TAKE_AWAY = "DELETE FROM merchants WHERE family_id = $1 AND id = $2";
}

/// As merchants stand in the audit trail and beside imports.
const KIND: &str = "merchant";

/// A merchant as it is kept before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct MerchantImage {
    name: String,
    color: Option<String>,
    website: Option<String>,
}

impl Executor {
    pub(in crate::ledger) fn create_merchant(
        &mut self,
        tx: &mut FamilyTx<'_>,
        name: &str,
        color: Option<&str>,
        website: Option<&str>,
    ) -> Result<Uuid> {
        let (id, now) = (tx.new_id()?, tx.now());
        tx.execute(
            &MERCHANT_INSERT,
            &[
                self.family.into(),
                Val::Uuid(id),
                Val::Text(name),
                Val::Text(&name_key(name)),
                color.into(),
                website.into(),
                now.into(),
            ],
        )?;
        let (color, website) = (color.map(str::to_owned), website.map(str::to_owned));
        let after = MerchantImage { name: name.to_owned(), color, website };
        self.note_creation(tx, KIND, id, Some(&after))?;
        Ok(id)
    }

    pub(super) fn revise_merchant(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        name: Option<&str>,
        color: Option<&Option<String>>,
        website: Option<&Option<String>>,
    ) -> Result<()> {
        let before = self.merchant_now(tx, id)?;
        let after = MerchantImage {
            name: name.unwrap_or(&before.name).to_owned(),
            color: color.unwrap_or(&before.color).clone(),
            website: website.unwrap_or(&before.website).clone(),
        };
        if after == before {
            return Ok(());
        }
        let key = name_key(&after.name);
        require_free(tx, LabelKind::Merchant, (&key, &after.name), Some(id))?;
        let now = tx.now();
        tx.execute(
            &MERCHANT_SET,
            &[
                Val::Text(&after.name),
                Val::Text(&key),
                after.color.as_deref().into(),
                after.website.as_deref().into(),
                now.into(),
                self.family.into(),
                Val::Uuid(id),
            ],
        )?;
        self.note_change(tx, KIND, id, &before, &after)
    }

    pub(super) fn remove_merchant(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        replacement: Option<Uuid>,
    ) -> Result<()> {
        let before = self.merchant_now(tx, id)?;
        let detached = detach_merchant(tx, id, replacement)?;
        tx.execute(&MERCHANT_TAKE_AWAY, &[self.family.into(), Val::Uuid(id)])?;
        self.note_removal(KIND, id, &before, replacement, detached)
    }

    fn merchant_now(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<MerchantImage> {
        tx.query_opt(&MERCHANT_NOW, &[self.family.into(), Val::Uuid(id)], |row| {
            Ok(MerchantImage {
                name: row.string(0)?,
                color: row.opt_string(1)?,
                website: row.opt_string(2)?,
            })
        })?
        .ok_or(Error::NotFound { what: "Merchant" })
    }
}
