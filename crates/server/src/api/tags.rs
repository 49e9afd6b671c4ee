//! `/api/v1/tags`

use purser_app::labels::LabelRemoval;
use purser_app::tags::{self, Tag};
use purser_core::error::{Problems, Result};
use purser_core::ids::TagId;
use purser_core::labels::input::LabelInput;
use purser_core::limits::LABEL_CHARS_MAX;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::answer::{Answer, Created, Json, NoContent};
use crate::http::body::kinds::{Formed, HexColor, Text};
use crate::http::body::presence::{NonNull, Nullable};
use crate::http::body::{Change, Checked, New, body};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::table::routes;
use crate::http::time::Time;
use crate::http::unwrapped_list::{UnwrappedList, UnwrappedPage};

routes! { "tags":
    /// List tags
    ///
    /// The answer lists the tags of the family, by name: 1,000 of them, or a page. Headers have the
    /// totals. A key that is restricted
    /// to chosen accounts sees the tags of transactions in its accounts and the tags that no
    /// transaction has.
    GET "/tags" => list as list_tags;
    /// Create a tag
    ///
    /// A key that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/tags" => create as create_tag;
    /// Show a tag
    ///
    /// An unknown tag and one that the key may not see are answered with 404 `not_found`.
    GET "/tags/{id}" => show as show_tag;
    /// Change a tag
    ///
    /// Members that are missing stay as they are. A key that is restricted to chosen accounts gets
    /// 403 `restricted_key`.
    PATCH PUT "/tags/{id}" => update as update_tag;
    /// Delete a tag
    ///
    /// The tag is removed from every transaction, and rules that name it are switched off. The
    /// request fails with 409 `import_running` while a large import is being published or undone. A
    /// key that is restricted to chosen accounts gets 403 `restricted_key`.
    DELETE "/tags/{id}" => delete as delete_tag;
}

path_id!(TagId, "Tag", |tx: &mut purser_app::FamilyTx<'_>, id| tags::get(tx, id));

body! {
    /// The members of a tag.
    struct TagFields as "Tag" in ["tag"] {
        /// The name that people see; unique in the family, whatever its case.
        #[example("Holiday")]
        name: NonNull<Text<1, LABEL_CHARS_MAX>>,
        /// The color as `#rrggbb`. Null or a blank text resets it to one that follows from the id.
        #[example("#2f7fc1")]
        color: Nullable<Formed<HexColor>>,
    }
}

impl Checked for TagFields {
    type Output = LabelInput;

    fn check(self, problems: Problems) -> Result<LabelInput> {
        let Self { name, color } = self;
        Ok(LabelInput { name, color, problems: problems.into_list(), ..LabelInput::default() })
    }
}

/// A tag of the family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Tag)]
pub(crate) struct TagBody {
    /// The id of the tag.
    id: Uuid,
    /// The name that people see.
    #[schema(example = "Holiday")]
    name: String,
    /// The color as `#rrggbb`: the tag's own, else one that follows from its id.
    #[schema(example = "#2f7fc1")]
    color: String,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
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

async fn list(call: List<UnwrappedPage>) -> ApiResult<UnwrappedList<TagBody>> {
    UnwrappedList::read(call, tags::list).await
}

async fn create(call: Create<New<TagFields>, Unrestricted>) -> ApiResult<Answer<Created<TagBody>>> {
    call.write(|tx, sent| Ok(Created(tags::create(tx, &sent.body)?.into()))).await
}

async fn show(call: Show<TagId>) -> ApiResult<Answer<Json<TagBody>>> {
    call.read(|tx, sent| Ok(Json(tags::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<TagId, Change<TagFields>, Unrestricted>,
) -> ApiResult<Answer<Json<TagBody>>> {
    call.write(|tx, sent| Ok(Json(tags::revise(tx, sent.id, &sent.body)?.into()))).await
}

async fn delete(call: Delete<TagId, Unrestricted>) -> ApiResult<Answer<NoContent>> {
    call.remove_label(
        |sent| LabelRemoval::Tag { id: sent.id },
        |tx, sent| tags::remove(tx, sent.id).map(|()| NoContent),
    )
    .await
}
