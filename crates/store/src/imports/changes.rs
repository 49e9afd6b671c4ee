//! What imports look at and change besides entries.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::category::CategoryImage;
use purser_core::import::whole::{CategoryRecord, FamilyRecords};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Every category as it is.
    CATEGORIES_NOW = "SELECT id, name, parent_id, color, icon FROM ledger_categories
        WHERE family_id = $1 ORDER BY name_key, id";
    /// What an import changed, of a kind.
    CHANGES_OF = "SELECT target_id, before_image, after_image FROM import_changes
        WHERE family_id = $1 AND import_id = $2 AND kind = $3
            AND before_image <> 'null' AND after_image <> 'null' ORDER BY target_id";
}

/// What the family has, as far as imports of few rows look at it.
pub fn view(tx: &mut FamilyTx<'_>) -> Result<FamilyRecords> {
    let family = tx.family();
    let categories = tx.query(&CATEGORIES_NOW, &[family.into()], |row| {
        Ok(CategoryRecord {
            id: row.uuid(0)?,
            name: row.string(1)?,
            parent: row.opt_uuid(2)?,
            color: row.opt_string(3)?,
            icon: row.opt_string(4)?,
        })
    })?;
    Ok(FamilyRecords { categories })
}

/// What a published import changed of categories.
pub fn category_changes(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
) -> Result<Vec<(Uuid, CategoryImage, CategoryImage)>> {
    let family = tx.family();
    let key = [family.into(), import.into(), Val::Text("category")];
    tx.query(&CHANGES_OF, &key, |row| {
        let image = |text: &str| serde_json::from_str(text).map_err(Error::internal);
        Ok((row.uuid(0)?, image(row.text(1)?)?, image(row.text(2)?)?))
    })
}
