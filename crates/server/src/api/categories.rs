//! `/api/v1/categories`

use purser_app::categories::{self, Category, Listing};
use purser_app::labels::LabelRemoval;
use purser_core::error::{Problems, Result};
use purser_core::ids::CategoryId;
use purser_core::labels::DEFAULT_ICON;
use purser_core::labels::defaults::nature;
use purser_core::labels::icons::ICONS;
use purser_core::labels::input::LabelInput;
use purser_core::limits::{ICON_CHARS_MAX, LABEL_CHARS_MAX};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::answer::{Answer, Created, Deleted, Json};
use crate::http::body::kinds::{self, AnyText, Formed, HexColor, Text};
use crate::http::body::presence::{NonNull, Nullable};
use crate::http::body::{Change, Checked, New, Nothing, body};
use crate::http::call::{Call, Create, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::named::NatureName;
use crate::http::pagination::Pagination;
use crate::http::path::{PathId as _, path_id};
use crate::http::permit::Unrestricted;
use crate::http::query::{Flag, Id, Paged, Unpaged, Word, query};
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "categories":
    /// List categories
    ///
    /// They are sorted by path, so that every category follows its parent. A key that is restricted
    /// to chosen accounts sees the categories of transactions in its accounts and the categories
    /// that no transaction has.
    GET "/categories" => list as list_categories;
    /// Create a category
    ///
    /// The name is unique among the categories with the same parent, whatever its case. A key that
    /// is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/categories" => create as create_category;
    /// List icons for categories
    ///
    /// The list is for clients that let people choose an icon. `icon` of a category may be any
    /// other text.
    GET "/categories/icons" => list_icons as list_category_icons;
    /// Create the default categories
    ///
    /// The default categories that the family doesn't have yet are created, and those with the same
    /// names stay as they are. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    POST "/categories/bootstrap" => bootstrap as bootstrap_categories;
    /// Show a category
    ///
    /// An unknown category and one that the key may not see are answered with 404 `not_found`.
    GET "/categories/{id}" => show as show_category;
    /// Change a category
    ///
    /// Members that are missing stay as they are. The paths of subcategories follow a new name. A
    /// category with subcategories stays on the first level. A key that is restricted to chosen
    /// accounts gets 403 `restricted_key`.
    PATCH PUT "/categories/{id}" => update as update_category;
    /// Delete a category
    ///
    /// With a replacement, the transactions, budgets and rules that have the category get the
    /// replacement, and its subcategories move below the replacement, or beside it if it is a
    /// subcategory itself. Without one, the transactions have no category, the budgets lose its
    /// line, rules that name it are switched off, and its subcategories move to the first level.
    /// The request is refused if a name is taken there. It fails with 409 `import_running` while a
    /// large import is being published or undone. A key that is restricted to chosen accounts gets
    /// 403 `restricted_key`.
    DELETE "/categories/{id}" => delete as delete_category;
}

path_id!(CategoryId, "Category", |tx: &mut purser_app::FamilyTx<'_>, id| categories::get(tx, id));

body! {
    /// The members of a category.
    struct CategoryFields as "Category" in ["category"] {
        /// The name that people see, without a colon. It is unique among the categories with the
        /// same parent: `Food: Other` and `Travel: Other` may both exist.
        #[example("Groceries")]
        name: NonNull<Text<1, LABEL_CHARS_MAX>>,
        /// The color as `#rrggbb`. Null or a blank text resets it to the color of the parent, or to
        /// one that follows from the id.
        #[example("#e07a3f")]
        color: Nullable<Formed<HexColor>>,
        /// The name of an icon. Null or a blank text resets it to `shapes`.
        #[example("shopping-basket")]
        icon: Nullable<Text<0, ICON_CHARS_MAX>>,
        /// An alias of `icon`, which counts if both are sent.
        lucide_icon: Nullable<AnyText>,
        /// The id of the parent, which is a category of the first level. Null moves the category to
        /// the first level.
        parent_id: Nullable<kinds::Id>,
    }
}

impl Checked for CategoryFields {
    type Output = LabelInput;

    fn check(self, problems: Problems) -> Result<LabelInput> {
        let Self { name, color, icon, lucide_icon, parent_id: parent } = self;
        let icon = icon.or(lucide_icon);
        let problems = problems.into_list();
        Ok(LabelInput { name, color, icon, parent, problems, ..LabelInput::default() })
    }
}

query! {
    /// The filter of a list of categories.
    struct CategoryFilter {
        /// Whether only categories of the first level are listed.
        roots_only: Flag,
        /// Only subcategories of this category.
        parent_id: Id<CategoryId>,
        /// Only categories with this text in their path, in any case.
        name: Word,
    }
}

query! {
    /// What becomes of the transactions of a category that is deleted.
    struct Replacement {
        /// The id of the category that replaces the deleted one.
        replacement_id: Id<CategoryId>,
    }
}

/// A category of transactions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Category)]
struct CategoryBody {
    /// The id of the category.
    id: Uuid,
    /// The name without the parent's.
    #[schema(example = "Groceries")]
    name: String,
    /// The name after the name of the parent, if there is one.
    #[schema(example = "Food: Groceries")]
    path: String,
    /// The color as `#rrggbb`: the category's own, else its parent's, else one that follows from
    /// the id.
    #[schema(example = "#e07a3f")]
    color: String,
    /// The name of the icon; `shapes` if none was chosen.
    #[schema(example = "shopping-basket")]
    icon: String,
    /// `income` for the category of the first level that is called Income, and for those below it;
    /// else `expense`.
    classification: NatureName,
    /// The parent of the category; null on the first level.
    #[schema(required)]
    parent: Option<ParentBody>,
    /// The number of subcategories.
    #[schema(example = 0)]
    subcategories_count: u64,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The parent of a category.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CategoryParent)]
struct ParentBody {
    /// The id of the parent.
    id: Uuid,
    /// The name of the parent.
    #[schema(example = "Food")]
    name: String,
}

/// A page of categories.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CategoryPage)]
struct Page {
    /// The categories of the page, by path.
    categories: Vec<CategoryBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

/// The categories that were created.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CategoryBootstrap)]
struct BootstrapBody {
    /// The new categories, by path.
    categories: Vec<CategoryBody>,
}

/// Names of icons for categories.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CategoryIcons)]
struct IconsBody {
    /// The names of icons of the Lucide set, in the order of the alphabet.
    #[schema(example = json!(["baby", "car"]))]
    icons: &'static [&'static str],
    /// The icon of a category that nobody gave one.
    #[schema(example = "shapes")]
    default: &'static str,
}

/// The icon that answers show: clients draw one for every category.
pub(in crate::api) fn icon(own: Option<String>) -> String {
    own.unwrap_or_else(|| DEFAULT_ICON.to_owned())
}

impl From<Category> for CategoryBody {
    fn from(category: Category) -> Self {
        let first_level = category.parent.as_ref().map_or(&category.name, |parent| &parent.name);
        Self {
            classification: nature(first_level).into(),
            id: category.id.0,
            path: category.path(),
            name: category.name,
            color: category.color,
            icon: icon(category.icon),
            parent: category.parent.map(|parent| ParentBody { id: parent.id.0, name: parent.name }),
            subcategories_count: category.below,
            created_at: category.created_at.into(),
            updated_at: category.updated_at.into(),
        }
    }
}

async fn list(call: List<Paged<CategoryFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing {
            roots_only: filter.roots_only.unwrap_or(false),
            parent: filter.parent_id,
            name: filter.name,
        };
        let (found, total) = categories::list(tx, &listing, page.limit(), page.offset())?;
        let categories = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { categories, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<CategoryFields>, Unrestricted>,
) -> ApiResult<Answer<Created<CategoryBody>>> {
    call.write(|tx, sent| Ok(Created(categories::create(tx, &sent.body)?.into()))).await
}

async fn bootstrap(
    call: Create<Nothing, Unrestricted>,
) -> ApiResult<Answer<Created<BootstrapBody>>> {
    call.write(|tx, _| {
        let categories = categories::bootstrap(tx)?.into_iter().map(Into::into).collect();
        Ok(Created(BootstrapBody { categories }))
    })
    .await
}

async fn list_icons(call: List) -> ApiResult<Answer<Json<IconsBody>>> {
    call.respond(|_, _| Json(IconsBody { icons: ICONS, default: DEFAULT_ICON })).await
}

async fn show(call: Show<CategoryId>) -> ApiResult<Answer<Json<CategoryBody>>> {
    call.read(|tx, sent| Ok(Json(categories::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<CategoryId, Change<CategoryFields>, Unrestricted>,
) -> ApiResult<Answer<Json<CategoryBody>>> {
    call.write(|tx, sent| Ok(Json(categories::revise(tx, sent.id, &sent.body)?.into()))).await
}

async fn delete(
    call: Call<Unrestricted, CategoryId, Unpaged<Replacement>>,
) -> ApiResult<Answer<Deleted>> {
    call.remove_label(
        |sent| LabelRemoval::Category { id: sent.id, replacement: sent.query.0.replacement_id },
        |tx, sent| {
            categories::remove(tx, sent.id, sent.query.0.replacement_id)?;
            Ok(Deleted(CategoryId::NOUN))
        },
    )
    .await
}
