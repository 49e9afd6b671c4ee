//! What answers say of a tag.

use purser_app::tags::Tag;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::time::Time;

/// A tag.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Tag)]
pub(crate) struct TagBody {
    /// Its id.
    id: Uuid,
    /// Shown name.
    #[schema(example = "Holiday")]
    name: String,
    /// `#rrggbb`: its own, else one that is always the same.
    #[schema(example = "#2f7fc1")]
    color: String,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

impl From<Tag> for TagBody {
    fn from(tag: Tag) -> Self {
        Self {
            id: tag.id.0,
            name: tag.name,
            color: tag.color,
            created_at: tag.created_at.into(),
            updated_at: tag.updated_at.into(),
        }
    }
}
