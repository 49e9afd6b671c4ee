//! The first and the last member of an archive.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::cells::CellType;
use super::error::{ArchiveError, Result, damaged};
use super::{FORMAT, FORMAT_VERSION};

/// What an archive contains, as far as it is known when it is begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    format_version: u32,
    /// The version of the schema that the tables have.
    pub schema_version: i64,
    /// The id of the database.
    pub database: Uuid,
    /// When the tables were read.
    pub created_at: Timestamp,
    /// The version of the program that wrote the archive.
    pub program: String,
    /// The tables, in the order in which they are in the archive: what a row points to comes
    /// before it.
    pub tables: Vec<TableColumns>,
}

/// A table with its columns, in the order of the values of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableColumns {
    /// The name of the table.
    pub name: String,
    /// The name and the type of each column.
    pub columns: Vec<(String, CellType)>,
}

/// What an archive contains, as it is known at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The number of rows of each table, in the order of the manifest.
    pub rows: Vec<u64>,
    /// The number of uploaded files.
    pub files: u64,
    /// Files that have a row but were not there.
    pub missing: Vec<FileName>,
    /// Files that were not what their row states; they are in the archive as they were.
    pub altered: Vec<FileName>,
    /// The SHA-256 of all bytes of the archive before this member, in hexadecimal digits.
    pub sha256: String,
}

/// An uploaded file: the number of its family, and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileName {
    /// The number of the family.
    pub family: i64,
    /// The id of the file.
    pub id: Uuid,
}

/// The part of a manifest that every version has.
#[derive(Deserialize)]
struct Signature {
    format: String,
    format_version: u32,
}

impl Manifest {
    /// The manifest of an archive in the present format.
    pub fn new(
        schema_version: i64,
        database: Uuid,
        created_at: Timestamp,
        program: &str,
        tables: Vec<TableColumns>,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            schema_version,
            database,
            created_at,
            program: program.to_owned(),
            tables,
        }
    }

    /// Reads the content of the first member.
    pub(super) fn read(json: &[u8]) -> Result<Self> {
        let no_backup = |_| damaged("the file is not a backup of Purser");
        let signature: Signature = serde_json::from_slice(json).map_err(no_backup)?;
        if signature.format != FORMAT {
            return Err(damaged("the file is not a backup of Purser"));
        }
        if signature.format_version > FORMAT_VERSION {
            return Err(ArchiveError::Newer(format!(
                "the backup has version {} of the format, but this program knows only up to \
                 {FORMAT_VERSION}: use a newer version of Purser",
                signature.format_version
            )));
        }
        serde_json::from_slice(json)
            .map_err(|error| damaged(format!("the manifest can't be read ({error})")))
    }
}

impl FileName {
    /// Reads `<family>/<id>`, in the one way in which it is written.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (family, id) = text.split_once('/')?;
        let name = Self { family: family.parse().ok()?, id: Uuid::try_parse(id).ok()? };
        (name.family > 0 && format!("{}/{}", name.family, name.id) == text).then_some(name)
    }
}

impl Ending {
    /// Reads the content of the last member.
    pub(super) fn read(json: &[u8]) -> Result<Self> {
        serde_json::from_slice(json)
            .map_err(|error| damaged(format!("the end of the backup can't be read ({error})")))
    }
}
