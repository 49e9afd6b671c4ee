//! What answers say of a merchant.

use purser_app::merchants::Merchant;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::time::Time;

/// A merchant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Merchant)]
pub(crate) struct MerchantBody {
    /// Its id.
    id: Uuid,
    /// Shown name.
    #[schema(example = "Corner Shop")]
    name: String,
    /// `#rrggbb`: its own, else one that is always the same.
    #[schema(example = "#2f7fc1")]
    color: String,
    /// Always `FamilyMerchant`: every merchant is one of the family's own.
    #[serde(rename = "type")]
    #[schema(example = "FamilyMerchant")]
    kind: &'static str,
    /// A domain or an address; null when unknown.
    #[schema(required, example = "shop.example")]
    website: Option<String>,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

/// What a file of merchants led to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MerchantImport)]
pub(super) struct ImportedBody {
    /// How many were created.
    #[schema(example = 2)]
    pub(super) imported: u64,
    /// How many rows named one that was there already.
    #[schema(example = 1)]
    pub(super) skipped: u64,
    /// Those that were created, in the order of the file.
    pub(super) merchants: Vec<MerchantBody>,
}

impl From<Merchant> for MerchantBody {
    fn from(merchant: Merchant) -> Self {
        Self {
            id: merchant.id.0,
            name: merchant.name,
            kind: "FamilyMerchant",
            color: merchant.color,
            website: merchant.website,
            created_at: merchant.created_at.into(),
            updated_at: merchant.updated_at.into(),
        }
    }
}
