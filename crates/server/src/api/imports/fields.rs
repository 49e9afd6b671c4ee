//! The bodies of requests that change an import, and the fields of an upload.

use std::collections::BTreeMap;

use purser_app::imports::change::{Change, MappingChange};
use purser_app::imports::request::{Request, unknown_type};
use purser_core::error::{Problem, Problems, Result};
use purser_core::ids::{self, AccountId};
use purser_core::import::import_type::ImportType;
use purser_core::import::mapping::{Choice, MappingKind};
use purser_core::import::row_edit::RowChoice;
use purser_core::ledger::account::AccountType;
use purser_core::limits::LABEL_CHARS_MAX;
use purser_core::named::Named as _;
use purser_core::secret::Secret;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

use super::settings::SettingsFields;
use crate::http::body::kinds::{AnyText, Flag, Id, Kind, List, Object, OneOf, Text};
use crate::http::body::presence::{Nullable, Optional, Required, nullable};
use crate::http::body::schema::or_null;
use crate::http::body::{Checked, body};
use crate::http::describe::Components;
use crate::http::fields::Json;
use crate::http::filters;
use crate::http::pagination::QueryParams;
use crate::http::query::Parameter;

body! {
    /// The members that can be sent with the content. Unknown members are ignored.
    pub(super) struct UploadFields as "ImportUpload" with settings: SettingsFields {
        /// The type of the import; `TransactionImport` if it is not sent. This version reads
        /// `TransactionImport`, `TradeImport`, `AccountImport`, `CategoryImport`, `MerchantImport`,
        /// `RuleImport`, `MintImport`, `YnabImport`, `ActualImport`, `QifImport`, `PdfImport` and
        /// `NativeImport`. `SureImport` means `NativeImport`.
        r#type: Optional<TypeName>,
        /// The id of the account that every row goes to.
        account_id: Optional<Id>,
        /// Whether the publish of the import is queued at once if nothing prevents it.
        publish: Optional<Flag>,
        /// Whether the valid rows are published and the others are left out.
        skip_invalid: Optional<Flag>,
        /// Whether settings that are not sent are taken over from an earlier publish of a file with
        /// the same header; `true` if missing. `source.template` shows which template was used.
        use_template: Optional<Flag>,
        /// The password of a PDF document that is protected with one. It is used once, and never
        /// stored.
        password: Optional<AnyText>,
    }
}

impl Checked for UploadFields {
    type Output = Request;

    fn check(self, problems: Problems) -> Result<Request> {
        let Self { r#type, account_id, publish, skip_invalid, use_template, password, settings } =
            self;
        let flag = |flag: Option<bool>| flag.map(|flag| flag.to_string());
        let others = [
            ("type", r#type.map(|one| one.as_str().to_owned())),
            ("account_id", account_id),
            ("publish", flag(publish)),
            ("skip_invalid", flag(skip_invalid)),
            ("use_template", flag(use_template)),
            ("password", password),
        ];
        let others = others.into_iter().map(|(name, text)| (name.to_owned(), text));
        let sent = settings.0.into_iter().chain(others);
        let texts = sent.filter_map(|(name, text)| Some((name, text?))).collect();
        let request = Request::read(&texts, problems)?;
        Ok(Request { settings: request.settings.of_caller(), ..request })
    }
}

body! {
    /// The members that can be sent with content that replaces other content.
    pub(super) struct ContentFields as "ImportContent" {
        /// Whether settings are taken over from an earlier publish of a file with the same header;
        /// `true` if missing.
        use_template: Optional<Flag>,
        /// The password of a PDF document that is protected with one. It is used once, and never
        /// stored.
        password: Optional<AnyText>,
    }
}

impl Checked for ContentFields {
    /// Whether a template is used, and the password of the document.
    type Output = (bool, Secret);

    fn check(self, problems: Problems) -> Result<(bool, Secret)> {
        let password = Secret::new(self.password.unwrap_or_default());
        problems.into_result().map(|()| (self.use_template.unwrap_or(true), password))
    }
}

body! {
    /// Changes of the configuration. A setting that is null or blank is detected in the file.
    pub(super) struct ConfigurationFields as "Import" in ["import"] with settings: SettingsFields {
        /// The id of the account that every row goes to. If it is null, the rows name their
        /// accounts.
        account_id: Nullable<Id>,
        /// Whether the valid rows are published and the others are left out.
        skip_invalid: Optional<Flag>,
        /// The mappings of names in the file that change. The mappings of other names stay.
        mappings: Optional<List<Object<MappingFields>, { usize::MAX }>>,
    }
}

body! {
    /// What a name in the file stands for: exactly one of `id`, `create`, `per_currency`, `value`
    /// and `reset`.
    pub(super) struct MappingFields as "ImportMappingChange" {
        /// The kind of thing that is named.
        kind: Required<OneOf<MappingKind>>,
        /// The name as the file has it; blank for rows for which the file names no account.
        #[example("Checking")]
        key: Required<AnyText>,
        /// The id of what the name stands for. An account must be in the currency of the rows.
        id: Optional<Id>,
        /// Whether what the name stands for is created.
        create: Optional<Flag>,
        /// Whether an account is created for each currency of its rows, called `name CODE`.
        per_currency: Optional<Flag>,
        /// The type of accounts that a text for the type stands for; only where the kind is
        /// `account_type`, and there nothing else.
        #[example("credit_card")]
        value: Optional<OneOf<AccountType>>,
        /// Whether the name is resolved as if nobody had chosen.
        reset: Optional<Flag>,
        /// The name of what is created; the name in the file if missing.
        name: Optional<Text<0, LABEL_CHARS_MAX>>,
    }
}

impl Checked for ConfigurationFields {
    type Output = Change;

    fn check(self, mut problems: Problems) -> Result<Change> {
        let account = self.account_id.map(|id| {
            let parsed = id.as_deref()?.parse::<AccountId>().ok();
            if parsed.is_none() {
                problems.push(Problem::unknown("account_id", "account"));
            }
            parsed
        });
        let mut mappings = Vec::new();
        for (position, mapping) in self.mappings.unwrap_or_default().into_iter().enumerate() {
            mappings.extend(mapping.check(&format!("mappings[{position}]"), &mut problems));
        }
        problems.into_result()?;
        let SettingsFields(settings) = self.settings;
        let skip_invalid = self.skip_invalid;
        Ok(Change { settings, knows_signs: true, account, skip_invalid, mappings })
    }
}

/// What is wrong with a choice of nothing or of several things.
const EXACTLY_ONE: &str = "exactly one of id, create, per_currency, value and reset is needed";

impl MappingFields {
    fn check(self, field: &str, problems: &mut Problems) -> Option<MappingChange> {
        if self.kind.is_none() {
            problems.required(format!("{field}.kind"));
        }
        if self.key.is_none() {
            problems.required(format!("{field}.key"));
        }
        let name = self.name.filter(|name| !name.trim().is_empty());
        let choices = [self.create, self.per_currency, self.reset].map(|flag| flag == Some(true));
        let choice = match (self.id, choices) {
            (None, [false, false, false]) if self.value.is_some() => {
                self.value.map(Choice::AccountType)
            }
            _ if self.value.is_some() => {
                problems.remark(field, EXACTLY_ONE);
                return None;
            }
            (Some(id), [false, false, false]) => match ids::read(&id) {
                Ok(id) => Some(Choice::Existing(id)),
                Err(_) => {
                    let kind = self.kind.map_or("thing", MappingKind::as_str);
                    problems.remark(field, format!("there is no such {kind}"));
                    return None;
                }
            },
            (None, [true, false, false]) => Some(Choice::Create { name }),
            (None, [false, true, false]) => Some(Choice::PerCurrency { name }),
            (None, [false, false, true]) => None,
            _ => {
                problems.remark(field, EXACTLY_ONE);
                return None;
            }
        };
        Some(MappingChange { kind: self.kind?, name: self.key?, choice })
    }
}

body! {
    /// The changes of one row.
    pub(super) struct RowFields as "ImportRow" in ["row"] {
        /// The corrected texts by the header or the number of the column (counted from 1). A null
        /// takes the correction of that cell back; null instead of the object takes all corrections
        /// of the row back.
        #[example({ "Amount": "-12.50", "3": null })]
        pub(super) cells: Nullable<Cells>,
        /// What becomes of the row: `plan` leaves the decision to the plan, `leave_out` leaves the
        /// row out of the import and its counts, and `create` creates a new transaction even if it
        /// resembles or equals one.
        #[example("leave_out")]
        pub(super) choice: Optional<OneOf<RowChoice>>,
    }
}

impl Checked for RowFields {
    type Output = Self;

    fn check(self, problems: Problems) -> Result<Self> {
        problems.into_result().map(|()| self)
    }
}

/// The name of a type of imports, or its alias.
pub(super) struct TypeName;

const ALIAS: &str = "SureImport";

fn type_names() -> RefOr<Schema> {
    let names = ImportType::ALL.iter().map(|one| one.name()).chain([ALIAS]);
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
}

impl Kind for TypeName {
    type Output = ImportType;
    const BLANK_IS_NULL: bool = true;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<ImportType> {
        let known = ImportType::parse_alias(&json.written());
        if known.is_none() {
            problems.push(unknown_type(field));
        }
        known
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        type_names()
    }
}

impl Parameter for TypeName {
    type Value = Option<ImportType>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        let Some(text) = filters::value(params, name)? else { return Ok(None) };
        ImportType::parse_alias(text).map(Some).ok_or_else(|| unknown_type(name).into())
    }

    fn schema() -> RefOr<Schema> {
        type_names()
    }
}

/// Texts or nulls by the names of columns.
pub(super) struct Cells;

impl Kind for Cells {
    type Output = BTreeMap<String, Option<String>>;

    fn from_json(json: Json<'_>, field: &str, problems: &mut Problems) -> Option<Self::Output> {
        let Some(cells) = json.object() else {
            problems.field(field, "must be an object");
            return None;
        };
        let mut own = Problems::new();
        let text =
            |name: &str| Some((name.to_owned(), nullable::<AnyText>(&cells, name, &mut own)?));
        let texts = cells.names().filter_map(text).collect();
        problems.extend_below(field, own.into_list());
        Some(texts)
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        let cell = or_null(AnyText::schema(components));
        ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(cell)).into()
    }
}
