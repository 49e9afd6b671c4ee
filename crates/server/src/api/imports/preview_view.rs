//! What an upload would do, as the API shows it.

use purser_app::imports::preview::{NamePreview, Preview};
use purser_app::imports::rejection::Rejection;
use purser_core::error::texts;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::question_view::{ImportQuestion, PreviewAccount};
use super::row_view::ImportRow;
use super::same_file_view::ImportOfSameFile;
use super::view::{
    ImportConfiguration, ImportPlan, ImportStats, InvalidRow, StatusDetail, UnassignedMapping,
};
use crate::http::named::MappingKindName;

/// What an upload would do, without storing anything.
#[derive(Debug, Serialize, ToSchema)]
struct ImportPreview {
    /// The state that the import would have.
    status_detail: StatusDetail,
    /// The settings that are in effect.
    configuration: ImportConfiguration,
    /// The counts of rows and mappings.
    stats: ImportStats,
    /// What would become of the rows; null if they can't be read.
    #[schema(required)]
    plan: Option<ImportPlan>,
    /// What was found in the file beside the configuration; null if there is no content.
    #[schema(value_type = Option<Object>, required)]
    source: Value,
    /// The first rows, each with what would become of it.
    rows: Vec<ImportRow>,
    /// The first rows of each verdict that deserves attention.
    examples: Vec<ImportRow>,
    /// The first invalid rows, with the reasons.
    invalid_rows: Vec<InvalidRow>,
    /// The distinct names in the file, and what they would stand for.
    mappings: Vec<PreviewMapping>,
    /// The names for which a person must choose, with the reasons.
    unassigned_mappings: Vec<UnassignedMapping>,
    /// What accounts that exist hold before the rows and after their publish.
    accounts: Vec<PreviewAccount>,
    /// Other imports of a file with the same bytes, and what became of them; at most 5.
    same_file: Vec<ImportOfSameFile>,
    /// What must be decided before it can be imported, each with the field that decides it.
    questions: Vec<ImportQuestion>,
    /// The meaning of the sign of all amounts: a positive amount is money out.
    #[schema(example = "money_out_positive")]
    amount_sign: &'static str,
    /// The reason why it could not be published as it is; null if it could be.
    #[schema(required)]
    obstacle: Option<PublishObstacle>,
}

/// A name in a file that isn't stored, and what it would stand for.
#[derive(Debug, Serialize, ToSchema)]
struct PreviewMapping {
    /// The kind of thing that is named.
    kind: MappingKindName,
    /// The name as the file has it.
    key: String,
    /// The id of what the name stands for; null if that doesn't exist.
    #[schema(required)]
    id: Option<Uuid>,
    /// Whether what the name stands for would be created, if a published row needs it.
    create: bool,
    /// The reason why a person must choose; null if nobody needs to.
    #[schema(required)]
    problem: Option<String>,
    /// The number of rows with this name.
    #[schema(minimum = 0)]
    rows_count: u64,
}

/// The reason why an import could not be published as it is.
#[derive(Debug, Serialize, ToSchema)]
struct PublishObstacle {
    /// The code of the error that a publish would be answered with.
    #[schema(example = "invalid_rows")]
    code: &'static str,
    /// The reason as one sentence.
    message: String,
    /// The first problems, with their lines.
    errors: Vec<String>,
}

/// The answer to a preflight.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportPreviewAnswer)]
pub(super) struct PreviewAnswer {
    /// What the upload would do.
    data: ImportPreview,
}

impl From<Preview> for PreviewAnswer {
    fn from(preview: Preview) -> Self {
        Self { data: preview.into() }
    }
}

impl From<Preview> for ImportPreview {
    fn from(preview: Preview) -> Self {
        Self {
            status_detail: preview.condition.into(),
            stats: ImportStats::of_preview(&preview),
            unassigned_mappings: preview
                .mappings
                .iter()
                .filter_map(UnassignedMapping::of_preview)
                .collect(),
            configuration: preview.configuration.into(),
            plan: preview.plan.map(|counts| ImportPlan::new(counts, true)),
            source: preview.source,
            rows: preview.rows.into_iter().map(ImportRow::from).collect(),
            examples: preview.examples.into_iter().map(ImportRow::from).collect(),
            invalid_rows: preview.invalid_rows.into_iter().map(InvalidRow::from).collect(),
            mappings: preview.mappings.into_iter().map(PreviewMapping::from).collect(),
            accounts: preview.own_balances.iter().map(PreviewAccount::from).collect(),
            same_file: preview.same_file.iter().map(ImportOfSameFile::from).collect(),
            questions: preview.questions.into_iter().map(ImportQuestion::from).collect(),
            amount_sign: preview.amount_sign,
            obstacle: preview.obstacle.map(PublishObstacle::from),
        }
    }
}

impl From<NamePreview> for PreviewMapping {
    fn from(name: NamePreview) -> Self {
        Self {
            kind: name.kind.into(),
            key: name.name,
            id: name.id,
            create: name.create,
            problem: name.problem,
            rows_count: name.rows_count,
        }
    }
}

impl From<Rejection> for PublishObstacle {
    fn from(rejection: Rejection) -> Self {
        let Rejection { code, message, errors } = rejection;
        Self { code, message, errors: texts(&errors) }
    }
}
