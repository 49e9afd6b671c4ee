//! `/api/v1/merchants`

mod csv;
mod upload;

use purser_app::labels::LabelRemoval;
use purser_app::merchants::{self, Merchant};
use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::MerchantId;
use purser_core::labels::input::LabelInput;
use purser_core::limits::LABEL_CHARS_MAX;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use self::upload::{Merchants, NewMerchants};
use crate::http::answer::{Answer, Created, Deleted, Json};
use crate::http::body::kinds::{Formed, HexColor, Id, Text};
use crate::http::body::presence::{NonNull, Nullable, Required};
use crate::http::body::{Change, Checked, New, body};
use crate::http::call::{Call, Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::path::{PathId as _, path_id};
use crate::http::permit::Unrestricted;
use crate::http::table::routes;
use crate::http::time::Time;
use crate::http::unwrapped_list::{UnwrappedList, UnwrappedPage};

routes! { "merchants":
    /// List merchants
    ///
    /// The answer lists the merchants of the family, by name: 1,000 of them, or a page. Headers
    /// have the totals. A key that is restricted to chosen accounts sees the merchants of
    /// transactions in its accounts and the merchants that no transaction has.
    GET "/merchants" => list as list_merchants;
    /// Create a merchant, or several
    ///
    /// A JSON body creates one merchant. A form with a CSV file creates one for each row with a new
    /// name; if a row can't be read, none is created. A refused file gets one of the codes
    /// `missing_file`, `file_too_large`, `missing_column`, `invalid_csv` and `validation_failed`. A
    /// key that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/merchants" => create as create_merchant;
    /// Show a merchant
    ///
    /// An unknown merchant and one that the key may not see are answered with 404 `not_found`.
    GET "/merchants/{id}" => show as show_merchant;
    /// Change a merchant
    ///
    /// Members that are missing stay as they are. A key that is restricted to chosen accounts gets
    /// 403 `restricted_key`.
    PATCH PUT "/merchants/{id}" => update as update_merchant;
    /// Delete a merchant
    ///
    /// The merchant is removed from every transaction, and rules that name it are switched off. The
    /// request fails with 409 `import_running` while a large import is being published or undone. A
    /// key that is restricted to chosen accounts gets 403 `restricted_key`.
    DELETE "/merchants/{id}" => delete as delete_merchant;
    /// Merge a merchant into another
    ///
    /// The transactions and rules of the merchant get the other one, and the merchant is deleted.
    /// The answer is the other one. The request fails with 409 `import_running` while a large
    /// import is being published or undone. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    POST "/merchants/{id}/merge" => merge as merge_merchant;
}

path_id!(MerchantId, "Merchant", |tx: &mut purser_app::FamilyTx<'_>, id| merchants::get(tx, id));

body! {
    /// The members of a merchant.
    struct MerchantFields as "Merchant" in ["merchant"] {
        /// The name that people see; unique in the family, whatever its case.
        #[example("Corner Shop")]
        name: NonNull<Text<1, LABEL_CHARS_MAX>>,
        /// The color as `#rrggbb`. Null or a blank text resets it to one that follows from the id.
        #[example("#2f7fc1")]
        color: Nullable<Formed<HexColor>>,
        /// The merchant's domain, or an address that starts with `https://`.
        #[example("shop.example")]
        website: Nullable<Text<0, LABEL_CHARS_MAX>>,
    }
}

impl Checked for MerchantFields {
    type Output = LabelInput;

    fn check(self, problems: Problems) -> Result<LabelInput> {
        let Self { name, color, website } = self;
        let problems = problems.into_list();
        Ok(LabelInput { name, color, website, problems, ..LabelInput::default() })
    }
}

body! {
    /// The merchant that remains.
    struct MergeFields as "MerchantMerge" in ["merchant"] {
        /// The id of another merchant.
        into_id: Required<Id>,
    }
}

impl Checked for MergeFields {
    type Output = MerchantId;

    fn check(self, _: Problems) -> Result<MerchantId> {
        let id = self.into_id.ok_or_else(|| Error::invalid(Problem::required("into_id")))?;
        // A malformed id is refused like an id that nothing has.
        id.parse().map_err(|_| {
            Error::invalid(Problem::field("into_id", "is not the id of another merchant"))
        })
    }
}

/// A merchant of the family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Merchant)]
struct MerchantBody {
    /// The id of the merchant.
    id: Uuid,
    /// The name that people see.
    #[schema(example = "Corner Shop")]
    name: String,
    /// The color as `#rrggbb`: the merchant's own, else one that follows from its id.
    #[schema(example = "#2f7fc1")]
    color: String,
    /// The kind of merchant. It is always `FamilyMerchant`, because every merchant is one of the
    /// family's own.
    #[serde(rename = "type")]
    kind: MerchantType,
    /// The domain or address; null if it is unknown.
    #[schema(required, example = "shop.example")]
    website: Option<String>,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The kind of a merchant.
#[derive(Debug, Serialize, ToSchema)]
enum MerchantType {
    FamilyMerchant,
}

impl From<Merchant> for MerchantBody {
    fn from(merchant: Merchant) -> Self {
        Self {
            id: merchant.id.0,
            name: merchant.name,
            kind: MerchantType::FamilyMerchant,
            color: merchant.color,
            website: merchant.website,
            created_at: merchant.created_at.into(),
            updated_at: merchant.updated_at.into(),
        }
    }
}

/// The merchants that were created from a file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MerchantImport)]
struct ImportedBody {
    /// The number of merchants that were created.
    #[schema(example = 2)]
    imported: u64,
    /// The number of rows with the name of a merchant that exists.
    #[schema(example = 1)]
    skipped: u64,
    /// The merchants that were created, in the order of the file.
    merchants: Vec<MerchantBody>,
}

/// One merchant of a JSON body, or several of a file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MerchantsCreated)]
#[serde(untagged)]
enum CreatedBody {
    /// The merchant that was created from a JSON body.
    One(MerchantBody),
    /// The merchants that were created from a file.
    Several(ImportedBody),
}

async fn list(call: List<UnwrappedPage>) -> ApiResult<UnwrappedList<MerchantBody>> {
    UnwrappedList::read(call, merchants::list).await
}

async fn create(
    call: Create<NewMerchants, Unrestricted>,
) -> ApiResult<Answer<Created<CreatedBody>>> {
    call.write(|tx, sent| {
        let created = match &sent.body {
            Merchants::One(input) => CreatedBody::One(merchants::create(tx, input)?.into()),
            Merchants::Several(inputs) => {
                let (made, skipped) = merchants::create_many(tx, inputs)?;
                let merchants: Vec<MerchantBody> = made.into_iter().map(Into::into).collect();
                let imported = merchants.len() as u64;
                CreatedBody::Several(ImportedBody { imported, skipped, merchants })
            }
        };
        Ok(Created(created))
    })
    .await
}

async fn show(call: Show<MerchantId>) -> ApiResult<Answer<Json<MerchantBody>>> {
    call.read(|tx, sent| Ok(Json(merchants::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<MerchantId, Change<MerchantFields>, Unrestricted>,
) -> ApiResult<Answer<Json<MerchantBody>>> {
    call.write(|tx, sent| Ok(Json(merchants::revise(tx, sent.id, &sent.body)?.into()))).await
}

async fn delete(call: Delete<MerchantId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.remove_label(
        |sent| LabelRemoval::Merchant { id: sent.id, replacement: None },
        |tx, sent| merchants::remove(tx, sent.id).map(|()| Deleted(MerchantId::NOUN)),
    )
    .await
}

async fn merge(
    call: Call<Unrestricted, MerchantId, (), New<MergeFields>>,
) -> ApiResult<Answer<Json<MerchantBody>>> {
    call.remove_label(
        |sent| LabelRemoval::Merchant { id: sent.id, replacement: Some(sent.body) },
        |tx, sent| Ok(Json(merchants::merge(tx, sent.id, sent.body)?.into())),
    )
    .await
}
