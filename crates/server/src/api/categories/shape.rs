//! What answers say of a category.

use purser_app::categories::Category;
use purser_core::labels::DEFAULT_ICON;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::time::Time;

/// A category.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Category)]
pub(crate) struct CategoryBody {
    /// Its id.
    id: Uuid,
    /// Of its own level.
    #[schema(example = "Groceries")]
    name: String,
    /// With the name of the category above.
    #[schema(example = "Food: Groceries")]
    path: String,
    /// `#rrggbb`: its own, else the parent's, else one that is always the same.
    #[schema(example = "#e07a3f")]
    color: String,
    /// The name of an icon; `shapes` when nobody chose one.
    #[schema(example = "shopping-basket")]
    icon: String,
    /// The category above; null on the first level.
    #[schema(required)]
    parent: Option<ParentBody>,
    /// How many categories are below it.
    #[schema(example = 0)]
    subcategories_count: u64,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

/// The category above.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CategoryParent)]
struct ParentBody {
    /// Its id.
    id: Uuid,
    /// Shown name.
    #[schema(example = "Food")]
    name: String,
}

/// The icon that answers show: clients draw one for every category.
pub(crate) fn icon(own: Option<String>) -> String {
    own.unwrap_or_else(|| DEFAULT_ICON.to_owned())
}

impl From<Category> for CategoryBody {
    fn from(category: Category) -> Self {
        Self {
            id: category.id.0,
            path: category.path(),
            name: category.name,
            color: category.color,
            icon: icon(category.icon),
            parent: category.parent.map(|above| ParentBody { id: above.id.0, name: above.name }),
            subcategories_count: category.below,
            created_at: category.created_at.into(),
            updated_at: category.updated_at.into(),
        }
    }
}
