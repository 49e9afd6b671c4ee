//! `PATCH /imports/{id}`

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::FamilyTx;
use purser_app::imports::change::{Change, MappingChange};
use purser_app::imports::revision::{self, ImportEdit, Revised};
use purser_core::error::{Problem, Problems, Result};
use purser_core::ids::{AccountId, ImportId};
use purser_core::import::mapping::{Choice, MappingKind};
use purser_core::import::settings::SETTINGS;
use serde::Serialize;
use utoipa::ToSchema;

use super::form::SettingsFields;
use super::view::{Detail, ImportDetail};
use crate::http::caller::{Caller, Writer};
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes; what is missing stays. A setting that is null or blank is looked for in the file.
/// The fields may also stand inside of `import`.
#[derive(Debug, Serialize, ToSchema)]
struct ImportChange {
    /// The account that every row goes to; null lets the rows say it.
    account_id: Option<uuid::Uuid>,
    /// `true` publishes the valid rows and leaves out the others.
    skip_invalid: Option<bool>,
    /// What names stand for; the others stay as they are.
    mappings: Option<Vec<ImportMappingChange>>,
    #[serde(flatten)]
    settings: SettingsFields,
}

/// What a name stands for: exactly one of `id`, `create`, `per_currency` and `reset`.
#[derive(Debug, Serialize, ToSchema)]
struct ImportMappingChange {
    /// `account`, `category` or `tag`.
    #[schema(example = "account")]
    kind: String,
    /// The name as the file says it; blank for rows of which the file says no account.
    #[schema(example = "Checking")]
    key: String,
    /// It stands for this. An account must be in the currency of the rows.
    #[schema(required = false)]
    id: Option<uuid::Uuid>,
    /// `true`: it is created.
    #[schema(required = false)]
    create: Option<bool>,
    /// `true`: an account is created for each currency of its rows, called `name CODE`.
    #[schema(required = false)]
    per_currency: Option<bool>,
    /// `true`: it is resolved by its name, as if nobody had chosen.
    #[schema(required = false)]
    reset: Option<bool>,
    /// What is created is called so, if not as the file says it.
    #[schema(required = false)]
    name: Option<String>,
}

/// An import after a change.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportChangeAnswer)]
pub(super) struct ChangeAnswer {
    data: ImportDetail,
    /// What else changed by it, as sentences.
    notes: Vec<String>,
}

impl ChangeAnswer {
    /// Of a change that is carried out.
    pub(super) fn new(revised: Revised) -> Result<Self> {
        let data = Detail::new(&revised.import, &revised.mappings)?.into_data();
        Ok(Self { data, notes: revised.notes })
    }
}

/// Configure an import
///
/// Takes what an upload takes but for the content, and choices for names. The content is read
/// again, whole: all counts of the answer are final. Choices for names stay as long as the rows
/// name them; corrections of single rows stay as long as the same lines are rows. Only while the
/// import is `pending` or `failed`, else 422 `not_configurable`. 409 `import_changed` when others
/// keep changing it at the same moment.
#[utoipa::path(
    patch,
    path = "/imports/{id}",
    operation_id = "configure_import",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The import")),
    request_body = ImportChange,
    responses(
        (status = 200, body = ChangeAnswer),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn configure(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<ImportId>,
    body: Unread,
) -> ApiResult<Response> {
    let look = caller.clone();
    app.store.read(look.access(), move |tx| configurable(tx, &look, id)).await?;
    let change = read(&Fields::read(body).await?)?;
    let revised =
        revision::apply_edit(&app, caller.access(), id, ImportEdit::Configuration(change)).await?;
    Ok(crate::http::json(StatusCode::OK, &ChangeAnswer::new(revised)?))
}

/// A wrong id, and an import that can't be changed, come before a wrong body.
pub(super) fn configurable(tx: &mut FamilyTx<'_>, caller: &Caller, id: ImportId) -> Result<()> {
    revision::require_configurable(&super::visible(tx, caller, id)?)
}

fn read(body: &Fields) -> Result<Change> {
    let wrapped = body.object("import")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut settings = BTreeMap::new();
    for name in SETTINGS {
        if let Some(value) = fields.nullable_scalar(name, &mut problems) {
            let value = value.filter(|text| text == "\t" || !text.trim().is_empty());
            settings.insert(name.to_owned(), value);
        }
    }
    let account = fields.nullable_text("account_id", &mut problems).map(|id| {
        let id = id.filter(|id| !id.is_empty())?;
        let parsed = id.parse::<AccountId>().ok();
        if parsed.is_none() {
            problems.push(Problem::unknown("account_id", "account"));
        }
        parsed
    });
    let skip_invalid = fields.flag("skip_invalid", &mut problems);
    let mut mappings = Vec::new();
    match fields.objects("mappings") {
        Ok(objects) => {
            for (position, object) in objects.unwrap_or_default().iter().enumerate() {
                let mut own = Problems::new();
                mappings.extend(mapping(object, &mut own));
                for problem in own.into_list() {
                    problems.push(format!("mappings[{position}]: {problem}"));
                }
            }
        }
        Err(error) => problems.extend(error.into_problems()),
    }
    problems.into_result()?;
    Ok(Change { settings, account, skip_invalid, mappings })
}

fn mapping(fields: &Fields, problems: &mut Problems) -> Option<MappingChange> {
    let kind = fields.text("kind", problems).and_then(|kind| MappingKind::parse(&kind));
    if kind.is_none() {
        problems.push("kind must be account, category, tag or parent");
    }
    let key = fields.text("key", problems);
    if key.is_none() {
        problems.push("key is required");
    }
    let name = fields.text("name", problems).filter(|name| !name.trim().is_empty());
    let id = fields.text("id", problems);
    let mut said = |name| fields.flag(name, problems) == Some(true);
    let (create, per_currency, reset) = (said("create"), said("per_currency"), said("reset"));
    let choice = match (id, create, per_currency, reset) {
        (Some(id), false, false, false) => match purser_core::ids::read(&id) {
            Ok(id) => Some(Choice::Existing(id)),
            Err(_) => {
                let kind = kind.map_or("thing", MappingKind::as_str);
                problems.push(format!("there is no such {kind}"));
                return None;
            }
        },
        (None, true, false, false) => Some(Choice::Create { name }),
        (None, false, true, false) => Some(Choice::PerCurrency { name }),
        (None, false, false, true) => None,
        _ => {
            problems.push("exactly one of id, create, per_currency and reset is needed");
            return None;
        }
    };
    Some(MappingChange { kind: kind?, name: key?, choice })
}
