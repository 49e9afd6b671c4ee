//! The edits of an import that people make.

use purser_core::secret::Secret;

use super::change::Change;
use super::row_change::RowChange;
use super::stored::Stored;

/// The edit that is made.
pub enum ImportEdit {
    /// Other settings, another account, choices for names.
    Configuration(Change),
    /// What is to become of one row.
    Row(RowChange),
    /// Replaces the content of the import.
    Content(NewContent),
}

/// Content that takes the place of what there was.
pub struct NewContent {
    /// The file on the disk.
    pub stored: Stored,
    /// The name of the file.
    pub name: Option<String>,
    /// The largest CSV that the operator allows.
    pub csv_bytes_max: u64,
    /// Take over what was chosen for an earlier file with the same header.
    pub use_template: bool,
    /// What opens a document that is protected.
    pub password: Secret,
    /// Words that were recognised in the pictures of a document without text.
    pub words: Option<Vec<u8>>,
}
