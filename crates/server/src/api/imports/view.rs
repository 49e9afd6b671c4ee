//! Imports as the interface shows them.

use purser_app::FamilyTx;
use purser_app::imports::preview::{NamePreview, Preview};
use purser_app::imports::progress::State;
use purser_app::imports::reading::Finding;
use purser_app::imports::{self, Import, Listed, Mapping, Progress};
use purser_core::error::{Error, Result};
use purser_core::import::layout::{Configuration, Layout};
use purser_core::import::settings::Settings;
use purser_core::import::status::Condition;
use purser_core::import::verdict::Counts;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::event_stream::ProgressBody;
use crate::http::named::{
    ImportStatusName, ImportTypeName, MappingKindName, NumberFormatName, SignageName,
};
use crate::http::time::Time;

/// An import, whole.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportDetail {
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
    /// The account that every row goes to, if one was named.
    account_id: Option<Uuid>,
    /// Why the last publish failed, for people. Left out when there is nothing to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    status_detail: StatusDetail,
    configuration: ImportConfiguration,
    stats: ImportStats,
    /// What is to become of the rows; null while they can't be read.
    plan: Option<ImportPlan>,
    /// How far the publish or the undo is, while there is one; else null.
    progress: Option<ProgressBody>,
    /// What was found in the file beside the configuration: encoding, separator, header line, the
    /// other columns, what is ambiguous. Null before content is stored.
    #[schema(value_type = Option<Object>)]
    source: Value,
    /// The first invalid rows and why.
    invalid_rows: Vec<InvalidRow>,
    /// Names that a person must choose for, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unassigned_mappings: Vec<UnassignedMapping>,
}

/// The condition of an import.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StatusDetail {
    /// Content is stored.
    uploaded: bool,
    /// Uploaded, at least one row, all required columns and formats known.
    configured: bool,
    /// Complete, failed or revert_failed.
    terminal: bool,
    /// Configured, and no row is invalid.
    cleaned: bool,
    /// Cleaned, every mapping assigned, status pending or failed.
    publishable: bool,
    /// Complete or revert_failed.
    revertable: bool,
}

/// The values in effect, whether they were sent or found.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(super) struct ImportConfiguration {
    date_col_label: Option<String>,
    amount_col_label: Option<String>,
    name_col_label: Option<String>,
    category_col_label: Option<String>,
    tags_col_label: Option<String>,
    notes_col_label: Option<String>,
    account_col_label: Option<String>,
    #[schema(example = "%m/%d/%Y")]
    date_format: Option<String>,
    number_format: Option<NumberFormatName>,
    signage_convention: Option<SignageName>,
}

/// What was counted. Blank lines and totals are not rows.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportStats {
    #[schema(minimum = 0)]
    rows_count: u64,
    #[schema(minimum = 0)]
    valid_rows_count: u64,
    #[schema(minimum = 0)]
    invalid_rows_count: u64,
    /// Rows that a person left out; they are counted nowhere else.
    #[schema(minimum = 0)]
    left_out_count: u64,
    /// Distinct categories, tags and accounts that the file names.
    #[schema(minimum = 0)]
    mappings_count: u64,
    /// Those of them that a person must choose for.
    #[schema(minimum = 0)]
    unassigned_mappings_count: u64,
}

/// How many rows have each verdict.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportPlan {
    /// Whether it is exactly what a publish would carry out now, or what the publish did carry out.
    /// If not, the ledger has moved since, and looking at the import sets off a new plan.
    current: bool,
    /// New transactions, or new categories.
    #[schema(minimum = 0)]
    create_count: u64,
    /// New transactions that resemble one that is there.
    #[schema(minimum = 0)]
    possible_duplicates_count: u64,
    /// Rows that stand for what is there, and change nothing of it.
    #[schema(minimum = 0)]
    matched_count: u64,
    /// Rows that change what is there: a category that has the same name.
    #[schema(minimum = 0)]
    changed_count: u64,
    /// Rows that stand for a transaction that was deleted: it stays so.
    #[schema(minimum = 0)]
    deleted_before_count: u64,
    /// Rows that a person left out.
    #[schema(minimum = 0)]
    left_out_count: u64,
    /// Rows that can't be imported as they are.
    #[schema(minimum = 0)]
    invalid_count: u64,
    /// Rows for which a person must choose: the account, or the parent of a category.
    #[schema(minimum = 0)]
    needs_choice_count: u64,
    /// Transactions or categories that the publish created; 0 before.
    #[schema(minimum = 0)]
    created_count: u64,
}

/// A row that can't be imported as it is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InvalidRow {
    /// 1-based over the data rows.
    row_number: u64,
    /// 1-based over the lines of the file.
    line: u64,
    /// Every reason.
    errors: Vec<String>,
}

/// A name that a person must choose for.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UnassignedMapping {
    /// The kind of thing that is named.
    kind: MappingKindName,
    /// The name as the file has it.
    key: String,
    /// Why a person must choose.
    reason: String,
}

/// An import in the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportListItem {
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
    status_detail: ListStatusDetail,
    /// The account that every row goes to, if one was named.
    account_id: Option<Uuid>,
    rows_count: u64,
    /// Why the last publish failed. Left out when there is nothing to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The condition of an import in the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ListStatusDetail {
    /// Content is stored.
    uploaded: bool,
    /// Uploaded, at least one row, all required columns and formats known.
    configured: bool,
    /// Complete, failed or revert_failed.
    terminal: bool,
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

/// An import as an answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportAnswer)]
pub(super) struct Detail {
    /// The import.
    data: ImportDetail,
}

impl Detail {
    /// With the mappings that are stored.
    pub(super) fn of(tx: &mut FamilyTx<'_>, import: &Import) -> Result<Self> {
        let mappings = imports::mappings(tx, import.id)?;
        Self::new(import, &mappings)
    }

    /// With the mappings that are known already.
    pub(super) fn new(import: &Import, mappings: &[Mapping]) -> Result<Self> {
        Ok(Self { data: ImportDetail::new(import, mappings)? })
    }

    /// With what is known of the running job.
    pub(super) fn with_progress(mut self, stored: Progress, here: Option<u64>) -> Self {
        self.data.progress = stored.is_running().then(|| State::new(stored, here).into());
        self
    }
}

impl ImportDetail {
    /// With the mappings that are known already.
    pub(super) fn new(import: &Import, mappings: &[Mapping]) -> Result<Self> {
        let layout = import.layout.as_deref().map(serde_json::from_str::<Layout>).transpose();
        let layout = layout.map_err(Error::internal)?;
        let settings: Settings = serde_json::from_str(&import.settings).map_err(Error::internal)?;
        let findings: Vec<Finding> =
            serde_json::from_str(&import.findings).map_err(Error::internal)?;
        let configuration =
            layout.as_ref().map_or_else(|| settings.configuration(), Layout::configuration);
        Ok(Self {
            id: import.id.0,
            import_type: import.import_type.into(),
            status: import.status.into(),
            created_at: import.created_at.into(),
            updated_at: import.updated_at.into(),
            account_id: import.account.map(|account| account.0),
            error: import.error.clone(),
            status_detail: import.condition().into(),
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
            source: layout.as_ref().map_or(Value::Null, Layout::source),
            invalid_rows: findings.into_iter().map(InvalidRow::from).collect(),
            unassigned_mappings: mappings.iter().filter_map(UnassignedMapping::of).collect(),
        })
    }
}

/// What is certain of a job without asking how far it is.
fn queued(import: &Import) -> Option<ProgressBody> {
    let Import { status, rows, created, .. } = *import;
    let stored = Progress { status, rows_done: 0, rows, created };
    stored.is_running().then(|| State::new(stored, None).into())
}

impl ImportStats {
    /// Of an upload that isn't stored.
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
    /// Of nothing that is published yet.
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

impl From<Listed> for ImportListItem {
    fn from(import: Listed) -> Self {
        let detail = import.condition.detail();
        Self {
            id: import.id.0,
            import_type: import.import_type.into(),
            status: import.condition.status.into(),
            created_at: import.created_at.into(),
            updated_at: import.updated_at.into(),
            status_detail: ListStatusDetail {
                uploaded: detail.uploaded,
                configured: detail.configured,
                terminal: detail.terminal,
            },
            account_id: import.account.map(|account| account.0),
            rows_count: import.condition.rows,
            error: import.error,
        }
    }
}
