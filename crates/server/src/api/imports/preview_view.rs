//! What an upload would do, as the interface shows it.

use purser_app::imports::preview::{NamePreview, Preview};
use purser_app::imports::rejection::Rejection;
use purser_core::error::texts;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::row_view::ImportRow;
use super::view::{
    ImportConfiguration, ImportPlan, ImportStats, InvalidRow, StatusDetail, UnassignedMapping,
};
use crate::http::named::MappingKindName;

/// What an upload would do.
#[derive(Debug, Serialize, ToSchema)]
struct ImportPreview {
    /// The condition that the import would have.
    status_detail: StatusDetail,
    /// The settings in effect.
    configuration: ImportConfiguration,
    /// What was counted.
    stats: ImportStats,
    /// What would become of the rows; null if they can't be read.
    plan: Option<ImportPlan>,
    /// What was found in the file beside the configuration. Null without content.
    #[schema(value_type = Option<Object>)]
    source: Value,
    /// The first rows, each with what would become of it.
    rows: Vec<ImportRow>,
    /// The first rows of each verdict that is worth a look.
    examples: Vec<ImportRow>,
    /// The first invalid rows and why.
    invalid_rows: Vec<InvalidRow>,
    /// Distinct names and what they would stand for.
    mappings: Vec<PreviewMapping>,
    /// Names that a person must choose for, and why.
    unassigned_mappings: Vec<UnassignedMapping>,
    /// Why it could not be published as it is; null if nothing stands in the way.
    obstacle: Option<PublishObstacle>,
}

/// A name in a file that isn't stored.
#[derive(Debug, Serialize, ToSchema)]
struct PreviewMapping {
    /// The kind of thing that is named.
    kind: MappingKindName,
    /// The name as the file has it.
    key: String,
    /// The id of what it stands for, if that exists.
    id: Option<Uuid>,
    /// Whether it would be created, if a row that is published needs it.
    create: bool,
    /// Why a person must choose; null if nobody needs to.
    problem: Option<String>,
    /// The number of rows that name it.
    #[schema(minimum = 0)]
    rows_count: u64,
}

/// Why an import could not be published as it is.
#[derive(Debug, Serialize, ToSchema)]
struct PublishObstacle {
    /// As in the error that a publish would be answered with.
    #[schema(example = "invalid_rows")]
    code: &'static str,
    /// One sentence.
    message: String,
    /// The first problems, with their lines.
    errors: Vec<String>,
}

/// The answer of a preflight.
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
