//! Other imports of the same file, as the API shows them.

use purser_app::imports::same_file::{self, SameFile};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::ImportStatusName;
use crate::http::time::Time;

/// Another import of a file with the same bytes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportOfSameFile {
    /// The id of the import.
    id: Uuid,
    /// The status of the import.
    status: ImportStatusName,
    /// The time at which it was uploaded.
    created_at: Time,
    /// The time at which it was completed; null if it was not, or was undone since.
    #[schema(required)]
    completed_at: Option<Time>,
    /// The id of the account that every row went to; null if none was chosen.
    #[schema(required)]
    account_id: Option<Uuid>,
    /// The number of transactions or other records that it created.
    #[schema(minimum = 0)]
    created_count: u64,
    /// What became of it, as a sentence.
    text: String,
}

impl From<&SameFile> for ImportOfSameFile {
    fn from(same: &SameFile) -> Self {
        Self {
            id: same.id.0,
            status: same.status.into(),
            created_at: same.created_at.into(),
            completed_at: same.completed_at.map(Into::into),
            account_id: same.account.map(|account| account.0),
            created_count: same.created,
            text: same_file::sentence(same, |day| day.to_string()),
        }
    }
}
