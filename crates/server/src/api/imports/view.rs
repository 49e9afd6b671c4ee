//! Imports as the API shows them.

use purser_app::FamilyTx;
use purser_app::imports::own_balances;
use purser_app::imports::preview::{NamePreview, Preview};
use purser_app::imports::progress::State;
use purser_app::imports::reading::Finding;
use purser_app::imports::relations::Relations;
use purser_app::imports::{Import, Mapping, Progress};
use purser_core::error::{Error, Result};
use purser_core::import::layout::{Configuration, Layout};
use purser_core::import::settings::Settings;
use purser_core::import::status::Condition;
use purser_core::import::verdict::Counts;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::same_file_view::ImportOfSameFile;
use super::verification_view::ImportVerification;
use crate::http::event_stream::ProgressBody;
use crate::http::named::{
    ImportStatusName, ImportTypeName, MappingKindName, NumberFormatName, SignageName,
};
use crate::http::time::Time;

/// An import with its configuration, counts and problems.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportDetail {
    /// The id of the import.
    id: Uuid,
    /// The type of the import.
    #[serde(rename = "type")]
    import_type: ImportTypeName,
    /// The status of the import.
    status: ImportStatusName,
    /// The time at which it was uploaded.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
    /// The id of the account that every row goes to; null if none was chosen.
    #[schema(required)]
    account_id: Option<Uuid>,
    /// The reason why the latest publish failed, as a sentence. It is left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    error: Option<String>,
    /// What the state of the import allows.
    status_detail: StatusDetail,
    /// The settings that are in effect.
    configuration: ImportConfiguration,
    /// The counts of rows and mappings.
    stats: ImportStats,
    /// What becomes of the rows; null while they can't be read.
    #[schema(required)]
    plan: Option<ImportPlan>,
    /// The progress of the publish or the undo; null while neither is running.
    #[schema(required)]
    progress: Option<ProgressBody>,
    /// What was found in the file beside the configuration: format, sheet, encoding, header, the
    /// other columns, what is ambiguous. Balances in a column are below `balance`, those in lines
    /// below `stated_balances`; `ledger` there has, for each account that exists, what it holds
    /// before the rows and after their publish, and by how much that differs. It is left out while
    /// the plan isn't current and once the import is published. `source` is null before content is
    /// stored.
    #[schema(value_type = Option<Object>, required)]
    source: Value,
    /// Other imports of a file with the same bytes, and what became of them; at most 5.
    same_file: Vec<ImportOfSameFile>,
    /// The first invalid rows, with the reasons.
    invalid_rows: Vec<InvalidRow>,
    /// The names for which a person must choose, with the reasons; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unassigned_mappings: Vec<UnassignedMapping>,
    /// The counts of the file's records and what a publish made of them; only for `NativeImport`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ImportVerification, required = false)]
    verification: Option<ImportVerification>,
}

/// What the state of an import allows.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StatusDetail {
    /// Whether content is stored.
    uploaded: bool,
    /// Whether content with a row is stored, and all required columns and formats are known.
    configured: bool,
    /// Whether the status is `complete`, `failed` or `revert_failed`.
    terminal: bool,
    /// Whether the import is configured and no row is invalid.
    cleaned: bool,
    /// Whether it is cleaned, has nothing left to choose, and is `pending` or `failed`.
    publishable: bool,
    /// Whether the import can be undone, which its status decides.
    revertable: bool,
}

/// The settings that are in effect, sent or detected. A setting that is not known is null.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(super) struct ImportConfiguration {
    /// The header of the date column.
    #[schema(required)]
    date_col_label: Option<String>,
    /// The header of the amount column.
    #[schema(required)]
    amount_col_label: Option<String>,
    /// The header of the name column.
    #[schema(required)]
    name_col_label: Option<String>,
    /// The header of the category column.
    #[schema(required)]
    category_col_label: Option<String>,
    /// The header of the tags column.
    #[schema(required)]
    tags_col_label: Option<String>,
    /// The header of the notes column.
    #[schema(required)]
    notes_col_label: Option<String>,
    /// The header of the account column.
    #[schema(required)]
    account_col_label: Option<String>,
    /// The strftime pattern of dates.
    #[schema(required, example = "%m/%d/%Y")]
    date_format: Option<String>,
    /// The way in which numbers are written.
    #[schema(required)]
    number_format: Option<NumberFormatName>,
    /// The sign of inflows in the file.
    #[schema(required)]
    signage_convention: Option<SignageName>,
}

/// The counts of rows and mappings. Blank lines and totals are not rows.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportStats {
    /// The number of valid and invalid rows.
    #[schema(minimum = 0)]
    rows_count: u64,
    /// The number of rows that can be imported as they are.
    #[schema(minimum = 0)]
    valid_rows_count: u64,
    /// The number of rows that can't be imported as they are.
    #[schema(minimum = 0)]
    invalid_rows_count: u64,
    /// The number of rows that a person left out. They are not part of the other counts.
    #[schema(minimum = 0)]
    left_out_count: u64,
    /// The number of distinct categories, tags and accounts that the file names.
    #[schema(minimum = 0)]
    mappings_count: u64,
    /// The number of those names for which a person must choose.
    #[schema(minimum = 0)]
    unassigned_mappings_count: u64,
}

/// The numbers of rows with each verdict.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportPlan {
    /// Whether the plan is exactly what a publish would execute now, or what the publish executed.
    /// If not, the ledger has changed since, and reading the import starts a new plan.
    current: bool,
    /// The number of new transactions or categories.
    #[schema(minimum = 0)]
    create_count: u64,
    /// The number of new transactions that resemble an existing one.
    #[schema(minimum = 0)]
    possible_duplicates_count: u64,
    /// The number of rows that stand for something that exists and don't change it.
    #[schema(minimum = 0)]
    matched_count: u64,
    /// The number of rows that change something that exists: a category with the same name.
    #[schema(minimum = 0)]
    changed_count: u64,
    /// The number of rows that stand for a transaction that was deleted and stays deleted.
    #[schema(minimum = 0)]
    deleted_before_count: u64,
    /// The number of rows that a person left out.
    #[schema(minimum = 0)]
    left_out_count: u64,
    /// The number of rows that can't be imported as they are.
    #[schema(minimum = 0)]
    invalid_count: u64,
    /// The number of rows for which a person must choose an account, or the parent of a category.
    #[schema(minimum = 0)]
    needs_choice_count: u64,
    /// The number of transactions or categories that the publish created; 0 before it.
    #[schema(minimum = 0)]
    created_count: u64,
}

/// A row that can't be imported as it is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InvalidRow {
    /// The number of the row, counted from 1.
    row_number: u64,
    /// The line of the row in the file, counted from 1.
    line: u64,
    /// The reasons why it can't be imported.
    errors: Vec<String>,
}

/// A name for which a person must choose.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UnassignedMapping {
    /// The kind of thing that is named.
    kind: MappingKindName,
    /// The name as the file has it.
    key: String,
    /// The reason why a person must choose.
    reason: String,
}

impl StatusDetail {
    /// With what the statements of the file show against the accounts of its rows.
    fn new(condition: Condition, objections: &[String]) -> Self {
        let detail = Self::from(condition);
        Self { publishable: detail.publishable && objections.is_empty(), ..detail }
    }
}

impl From<Condition> for StatusDetail {
    fn from(condition: Condition) -> Self {
        let detail = condition.detail();
        Self {
            uploaded: detail.uploaded,
            configured: detail.configured,
            terminal: detail.terminal,
            cleaned: detail.cleaned,
            publishable: detail.publishable,
            revertable: detail.revertable,
        }
    }
}

/// A single import, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportAnswer)]
pub(super) struct Detail {
    /// The import with its configuration, counts and problems.
    data: ImportDetail,
}

impl Detail {
    /// The import with what belongs to it now.
    pub(super) fn of(tx: &mut FamilyTx<'_>, import: &Import) -> Result<Self> {
        Self::new(import, &Relations::load(tx, import)?)
    }

    /// The import with what belongs to it, which was read before.
    pub(super) fn new(import: &Import, relations: &Relations) -> Result<Self> {
        Ok(Self { data: ImportDetail::new(import, relations)? })
    }

    /// The import with what is known of the running job.
    pub(super) fn with_progress(mut self, stored: Progress, here: Option<u64>) -> Self {
        self.data.progress = stored.is_running().then(|| State::new(stored, here).into());
        self
    }
}

impl ImportDetail {
    /// The import with what belongs to it, which was read before.
    pub(super) fn new(import: &Import, relations: &Relations) -> Result<Self> {
        let Relations { mappings, same_file, own_balances, objections } = relations;
        let layout = import.layout.as_deref().map(serde_json::from_str::<Layout>).transpose();
        let layout = layout.map_err(Error::internal)?;
        let settings: Settings = serde_json::from_str(&import.settings).map_err(Error::internal)?;
        let findings: Vec<Finding> =
            serde_json::from_str(&import.findings).map_err(Error::internal)?;
        let configuration =
            layout.as_ref().map_or_else(|| settings.configuration(), Layout::configuration);
        let mut source = layout.as_ref().map_or(Value::Null, Layout::source);
        own_balances::show(&mut source, own_balances);
        Ok(Self {
            id: import.id.0,
            import_type: import.import_type.into(),
            status: import.status.into(),
            created_at: import.created_at.into(),
            updated_at: import.updated_at.into(),
            account_id: import.account.map(|account| account.0),
            error: import.error.clone(),
            status_detail: StatusDetail::new(import.condition(), objections),
            configuration: configuration.into(),
            stats: ImportStats {
                rows_count: import.rows,
                valid_rows_count: import.valid_rows,
                invalid_rows_count: import.invalid_rows,
                left_out_count: import.left_out,
                mappings_count: import.mappings,
                unassigned_mappings_count: import.unassigned_mappings,
            },
            plan: import.plan.map(|counts| ImportPlan {
                created_count: import.created,
                ..ImportPlan::new(counts, import.has_current_plan())
            }),
            progress: queued(import),
            source,
            same_file: same_file.iter().map(ImportOfSameFile::from).collect(),
            invalid_rows: findings.into_iter().map(InvalidRow::from).collect(),
            unassigned_mappings: mappings.iter().filter_map(UnassignedMapping::of).collect(),
            verification: ImportVerification::of(import, layout.as_ref()),
        })
    }
}

/// What is certain of a job without reading its progress.
fn queued(import: &Import) -> Option<ProgressBody> {
    let Import { status, rows, created, .. } = *import;
    let stored = Progress { status, rows_done: 0, rows, created };
    stored.is_running().then(|| State::new(stored, None).into())
}

impl ImportStats {
    /// The counts of an upload that isn't stored.
    pub(super) fn of_preview(preview: &Preview) -> Self {
        let (valid, invalid) = (preview.valid_rows_count, preview.invalid_rows_count);
        Self {
            rows_count: valid + invalid,
            valid_rows_count: valid,
            invalid_rows_count: invalid,
            left_out_count: 0,
            mappings_count: preview.mappings.len() as u64,
            unassigned_mappings_count: preview.condition.unassigned_mappings,
        }
    }
}

impl ImportPlan {
    /// The counts of a plan that isn't published yet.
    pub(super) fn new(counts: Counts, current: bool) -> Self {
        Self {
            current,
            create_count: counts.create,
            possible_duplicates_count: counts.possible_duplicate,
            matched_count: counts.matched(),
            changed_count: counts.change,
            deleted_before_count: counts.deleted_before,
            left_out_count: counts.left_out,
            invalid_count: counts.invalid,
            needs_choice_count: counts.needs_choice,
            created_count: 0,
        }
    }
}

impl From<Configuration> for ImportConfiguration {
    fn from(found: Configuration) -> Self {
        Self {
            date_col_label: found.date_col_label,
            amount_col_label: found.amount_col_label,
            name_col_label: found.name_col_label,
            category_col_label: found.category_col_label,
            tags_col_label: found.tags_col_label,
            notes_col_label: found.notes_col_label,
            account_col_label: found.account_col_label,
            date_format: found.date_format,
            number_format: found.number_format.map(Into::into),
            signage_convention: found.signage_convention.map(Into::into),
        }
    }
}

impl From<Finding> for InvalidRow {
    fn from(finding: Finding) -> Self {
        Self { row_number: finding.row, line: finding.line, errors: finding.reasons }
    }
}

impl UnassignedMapping {
    pub(super) fn of_preview(name: &NamePreview) -> Option<Self> {
        let reason = name.problem.clone()?;
        Some(Self { kind: name.kind.into(), key: name.name.clone(), reason })
    }

    fn of(mapping: &Mapping) -> Option<Self> {
        let reason = mapping.problem.clone()?;
        Some(Self { kind: mapping.kind.into(), key: mapping.value.clone(), reason })
    }
}
