//! `/api/v1/import_templates`: settings and mappings of earlier imports, for the next files with
//! the same header.

use std::collections::BTreeMap;

use purser_app::imports::template_changes;
use purser_app::imports::{self, Template};
use purser_core::error::{Problems, Result};
use purser_core::ids::TemplateId;
use purser_core::import::mapping::{Choice, MappingChoice};
use purser_core::limits::TEMPLATE_NAME_CHARS_MAX;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::answer::{Answer, Deleted, Json};
use crate::http::body::kinds::Text;
use crate::http::body::presence::NonNull;
use crate::http::body::{Change, Checked, body};
use crate::http::call::{Delete, List, Update};
use crate::http::error::ApiResult;
use crate::http::named::{AccountTypeName, ImportTypeName, MappingKindName, NumberFormatName};
use crate::http::pagination::{DataPage, Meta};
use crate::http::path::path_id;
use crate::http::query::Paged;
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "imports":
    /// List import templates
    ///
    /// The template that was used last comes first. A template is stored automatically when an
    /// import is published.
    GET "/import_templates" => list as list_import_templates;
    /// Rename an import template
    PATCH "/import_templates/{id}" => rename as update_import_template;
    /// Delete an import template
    ///
    /// Imports that took over settings from it keep them.
    DELETE "/import_templates/{id}" => delete as delete_import_template;
}

path_id!(TemplateId, "Import template", imports::template_get);

body! {
    /// The members of a template that can be changed.
    struct TemplateFields as "ImportTemplate" in ["import_template"] {
        /// The name that people see.
        #[example("My bank")]
        name: NonNull<Text<1, TEMPLATE_NAME_CHARS_MAX>>,
    }
}

impl Checked for TemplateFields {
    type Output = String;

    fn check(self, problems: Problems) -> Result<String> {
        problems.into_result()?;
        template_changes::checked_name(&self.name.flatten().unwrap_or_default())
    }
}

/// The settings and mappings that are taken over for the next file with the same header.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplate {
    /// The id of the template.
    id: Uuid,
    /// The name that people see.
    name: String,
    /// The type of the imports that it is for.
    import_type: ImportTypeName,
    /// The settings that are taken over if an upload doesn't send them, by their names.
    settings: BTreeMap<&'static str, String>,
    /// The formats that were detected. If two formats fit a file equally well, these are taken.
    preferred_formats: ImportTemplateFormats,
    /// The mappings of names that a person chose.
    choices: Vec<ImportTemplateChoice>,
    /// The id of the account of the latest import, as a suggestion; null if there is none.
    #[schema(required)]
    account_id: Option<Uuid>,
    /// The time of the latest publish with it.
    used_at: Time,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The formats that were detected in a file.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplateFormats {
    /// The strftime pattern of dates; null if none was detected.
    #[schema(required)]
    date_format: Option<String>,
    /// The way in which numbers are written; null if none was detected.
    #[schema(required)]
    number_format: Option<NumberFormatName>,
}

/// The mapping of a name that a person chose.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplateChoice {
    /// The kind of thing that is named.
    kind: MappingKindName,
    /// The name in the form in which names are compared.
    key: String,
    /// The id of what the name stands for; null if that is created.
    #[schema(required)]
    id: Option<Uuid>,
    /// Whether what the name stands for is created.
    create: bool,
    /// Whether an account is created for each currency.
    per_currency: bool,
    /// The name of what is created; null if it is the name in the file.
    #[schema(required)]
    name: Option<String>,
    /// The type of accounts that the text stands for; null for other names.
    #[schema(required)]
    value: Option<AccountTypeName>,
}

/// A single template, below `data`.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplateAnswer {
    /// The template with its settings and mappings.
    data: ImportTemplate,
}

impl From<Template> for ImportTemplate {
    fn from(template: Template) -> Self {
        Self {
            id: template.id.0,
            name: template.name,
            import_type: template.import_type.into(),
            settings: template.settings.fields(),
            preferred_formats: ImportTemplateFormats {
                date_format: template.found.formats.date_format,
                number_format: template.found.formats.number_format.map(Into::into),
            },
            choices: template.choices.into_iter().map(ImportTemplateChoice::from).collect(),
            account_id: template.account.map(|account| account.0),
            used_at: template.used_at.into(),
            created_at: template.created_at.into(),
            updated_at: template.updated_at.into(),
        }
    }
}

impl From<MappingChoice> for ImportTemplateChoice {
    fn from(chosen: MappingChoice) -> Self {
        let per_currency = matches!(chosen.choice, Choice::PerCurrency { .. });
        let (id, name, value) = match chosen.choice {
            Choice::Existing(id) => (Some(id), None, None),
            Choice::Create { name } | Choice::PerCurrency { name } => (None, name, None),
            Choice::AccountType(value) => (None, None, Some(value)),
        };
        Self {
            kind: chosen.kind.into(),
            key: chosen.key,
            id,
            create: id.is_none() && !per_currency && value.is_none(),
            per_currency,
            name,
            value: value.map(Into::into),
        }
    }
}

async fn list(call: List<Paged>) -> ApiResult<Answer<Json<DataPage<ImportTemplate>>>> {
    call.read(|tx, sent| {
        let page = sent.query.page;
        let (limit, offset) = (page.limit().unsigned_abs(), page.offset().unsigned_abs());
        let (found, total) = imports::templates(tx, limit, offset)?;
        let data = found.into_iter().map(ImportTemplate::from).collect();
        Ok(Json(DataPage { data, meta: Meta::new(page, total) }))
    })
    .await
}

async fn rename(
    call: Update<TemplateId, Change<TemplateFields>>,
) -> ApiResult<Answer<Json<ImportTemplateAnswer>>> {
    call.write(|tx, sent| {
        let template = template_changes::rename(tx, sent.id, &sent.body)?;
        Ok(Json(ImportTemplateAnswer { data: template.into() }))
    })
    .await
}

async fn delete(call: Delete<TemplateId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| template_changes::remove(tx, sent.id)).await
}
