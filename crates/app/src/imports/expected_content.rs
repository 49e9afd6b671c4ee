//! Content that is plainly something else than what a type of import reads.

use std::fs::File;

use purser_core::error::{Error, Result};
use purser_core::import::import_type::ImportType;
use purser_formats::decode::{self, ContentKind};
use purser_formats::programs;
use purser_store::files::io_failed;

use super::decoded_file::{head_of, rewound};

/// A spreadsheet that isn't read: by its name alone, of a version before 97, or of a program.
const SPREADSHEET: &str = "a spreadsheet that isn't read as it is: open it in a spreadsheet \
                           program and save it as XLSX, or as CSV";

/// Content that is plainly something else than CSV is refused, and the right type named.
pub(super) fn require_csv(file: &File, name: Option<&str>, import_type: ImportType) -> Result<()> {
    let content = decode::content_kind(&head_of(file)?, name);
    let (reads, what) = match content {
        ContentKind::Pdf if import_type == ImportType::Pdf => return Ok(()),
        _ if import_type == ImportType::Pdf => ("PDF documents", "something else".to_owned()),
        content => (
            if import_type == ImportType::Native { "NDJSON" } else { "CSV" },
            match content {
                ContentKind::Text => match table_of_records(file, import_type)? {
                    None => return Ok(()),
                    Some(found) => of_type("a table of other records", found),
                },
                ContentKind::Qif if import_type == ImportType::Qif => return Ok(()),
                ContentKind::Ndjson if import_type == ImportType::Native => return Ok(()),
                ContentKind::Zip if reads_archives(import_type) => return Ok(()),
                ContentKind::Pdf => of_type("a PDF document", ImportType::Pdf),
                ContentKind::Ndjson => of_type("NDJSON", ImportType::Native),
                ContentKind::Qif => of_type("a QIF file", ImportType::Qif),
                ContentKind::Spreadsheet => SPREADSHEET.to_owned(),
                ContentKind::Zip => archive_of(file)?,
                ContentKind::Binary => "not text".to_owned(),
            },
        ),
    };
    Err(Error::invalid_code(
        "invalid_file_type",
        format!("{} reads {reads}, but the content is {what}", import_type.as_str()),
    ))
}

/// The type that a table is for that has neither days nor amounts, so that it can't be one of a
/// bank.
fn table_of_records(file: &File, import_type: ImportType) -> Result<Option<ImportType>> {
    const TYPES: [ImportType; 3] = [ImportType::Category, ImportType::Merchant, ImportType::Rule];
    if import_type != ImportType::Transaction {
        return Ok(None);
    }
    let content = rewound(file, 0).map_err(io_failed)?;
    let found = programs::import_type_of(content, None).map_err(io_failed)?;
    Ok(found.filter(|found| TYPES.contains(found)))
}

/// Whether files of a type may come in an archive.
fn reads_archives(import_type: ImportType) -> bool {
    matches!(
        import_type,
        ImportType::Ynab
            | ImportType::Actual
            | ImportType::Mint
            | ImportType::Native
            | ImportType::Transaction
    )
}

/// What an archive is that isn't read as the type that was sent.
pub(super) fn archive_of(file: &File) -> Result<String> {
    let content = rewound(file, 0).map_err(io_failed)?;
    Ok(match programs::import_type_of(content, None).map_err(io_failed)? {
        Some(found) => of_type("the archive of another program", found),
        None => "an archive: unpack it first".to_owned(),
    })
}

/// Content that another type is for.
pub(super) fn of_type(what: &str, import_type: ImportType) -> String {
    format!("{what}: send it as {}", import_type.as_str())
}
