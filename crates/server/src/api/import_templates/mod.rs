//! `/import_templates`: what was chosen for files, for the next ones with the same header.

pub(super) mod list;
pub(super) mod remove;
pub(super) mod update;

use std::collections::BTreeMap;

use purser_app::imports::Template;
use purser_core::import::mapping::Choice;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::time::Time;

/// What is taken over for the next file with the same header.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplate {
    id: Uuid,
    /// As a person knows it.
    name: String,
    /// What such files hold.
    #[schema(example = "TransactionImport")]
    import_type: &'static str,
    /// Settings that are taken over where an upload sends none.
    settings: BTreeMap<&'static str, String>,
    /// Formats that were found: of two that fit a file equally well these are taken.
    preferred_formats: ImportTemplateFormats,
    /// What a person chose for names.
    choices: Vec<ImportTemplateChoice>,
    /// Where the last one went: a suggestion.
    account_id: Option<Uuid>,
    used_at: Time,
    created_at: Time,
    updated_at: Time,
}

/// Formats that were found.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplateFormats {
    date_format: Option<String>,
    number_format: Option<&'static str>,
}

/// What a person chose for a name.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplateChoice {
    /// `account`, `category` or `tag`.
    kind: &'static str,
    /// The name, as names are compared.
    key: String,
    /// It stands for this.
    id: Option<Uuid>,
    /// It is created.
    create: bool,
    /// An account is created for each currency.
    per_currency: bool,
    /// What is created is called so.
    name: Option<String>,
}

impl From<Template> for ImportTemplate {
    fn from(template: Template) -> Self {
        Self {
            id: template.id.0,
            name: template.name,
            import_type: template.import_type.as_str(),
            settings: template.settings.fields(),
            preferred_formats: ImportTemplateFormats {
                date_format: template.found.date_format,
                number_format: template.found.number_format.map(|format| format.as_str()),
            },
            choices: template.choices.into_iter().map(ImportTemplateChoice::from).collect(),
            account_id: template.account.map(|account| account.0),
            used_at: template.used_at.into(),
            created_at: template.created_at.into(),
            updated_at: template.updated_at.into(),
        }
    }
}

impl From<purser_core::import::mapping::MappingChoice> for ImportTemplateChoice {
    fn from(chosen: purser_core::import::mapping::MappingChoice) -> Self {
        let per_currency = matches!(chosen.choice, Choice::PerCurrency { .. });
        let (id, name) = match chosen.choice {
            Choice::Existing(id) => (Some(id), None),
            Choice::Create { name } | Choice::PerCurrency { name } => (None, name),
        };
        let kind = chosen.kind.as_str();
        Self {
            kind,
            key: chosen.key,
            id,
            create: id.is_none() && !per_currency,
            per_currency,
            name,
        }
    }
}
