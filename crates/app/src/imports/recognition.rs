//! Which type of import a file is for, where nobody has named one. The interface doesn't ask: its
//! default is `TransactionImport`, and other content is refused with the type to send.

use std::io::{Read, Seek};

use purser_core::error::Result;
use purser_core::ids::FileId;
use purser_core::import::import_type::ImportType;
use purser_formats::programs::import_type_of;
use purser_store::FamilyId;
use purser_store::files::{FileStore, io_failed};

/// The type that content is for, if it is plain.
pub fn proposed_type(content: impl Read + Seek, name: Option<&str>) -> Result<Option<ImportType>> {
    import_type_of(content, name).map_err(io_failed)
}

/// The same for a file that was uploaded.
pub fn proposed_type_of_upload(
    files: &FileStore,
    family: FamilyId,
    (file, name): (FileId, Option<&str>),
) -> Result<Option<ImportType>> {
    proposed_type(files.read(family, file)?, name)
}
