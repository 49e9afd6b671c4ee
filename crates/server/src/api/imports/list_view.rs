//! Imports as a list shows them.

use purser_app::imports::Listed;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{ImportStatusName, ImportTypeName};
use crate::http::time::Time;

/// An import in the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportListItem {
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
    /// What the state of the import allows.
    status_detail: ListStatusDetail,
    /// The id of the account that every row goes to; null if none was chosen.
    #[schema(required)]
    account_id: Option<Uuid>,
    /// The number of valid and invalid rows.
    rows_count: u64,
    /// The reason why the latest publish failed, as a sentence. It is left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    error: Option<String>,
}

/// What the state of an import in the list allows.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ListStatusDetail {
    /// Whether content is stored.
    uploaded: bool,
    /// Whether content with a row is stored, and all required columns and formats are known.
    configured: bool,
    /// Whether the status is `complete`, `failed` or `revert_failed`.
    terminal: bool,
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
