//! Statements of banks as tables: files of one format, alone or several in an archive.

use std::fs::File;
use std::io::Write;

use purser_core::error::{Error, Result};
use purser_core::import::file_statement::FileStatement;
use purser_core::import::import_type::ImportType;
use purser_core::import::source_file::{FileFormat, SourceFile};
use purser_formats::statements::table::{TableError, TableFacts, write_table};
use purser_formats::statements::trades::write_trades;
use purser_formats::statements::{
    ArchivedFiles, OneFile, StatementError, StatementFiles as _, StatementFormat,
};
use purser_store::files::io_failed;

use super::decoded_file::{not_readable, rewound, written};
use super::expected_content::{archive_of, of_type};

/// Statements have transactions, and those of investments trades.
pub(super) fn require_type(format: StatementFormat, import_type: ImportType) -> Result<()> {
    let is_ofx = format == StatementFormat::Ofx;
    if import_type == ImportType::Transaction || (is_ofx && import_type == ImportType::Trade) {
        return Ok(());
    }
    let what =
        of_type(&format!("a file of statements in {}", format.name()), ImportType::Transaction);
    let name = import_type.as_str();
    Err(Error::invalid_code("invalid_file_type", format!("{name} can't read {what}")))
}

/// Writes the table of what a file of statements holds, its transactions or its trades, and returns
/// what it is and what the statements state about themselves.
pub(super) fn write(
    (format, file_format): (StatementFormat, FileFormat),
    import_type: ImportType,
    file: &File,
    target: impl Write,
) -> Result<(SourceFile, Vec<FileStatement>)> {
    let source = SourceFile::of(file_format);
    let mut one = OneFile(format, || rewound(file, 0));
    if import_type == ImportType::Trade {
        let facts = write_trades(&mut one, target).map_err(failed)?;
        refused(facts.obstacle())?;
        return Ok((source, facts.found));
    }
    finished(source, file_format, write_table(&mut one, target))
}

/// Writes the table of all statements in an archive, and returns what it is and what they state
/// about themselves.
pub(super) fn write_archived(
    file: &File,
    target: impl Write,
) -> Result<(SourceFile, Vec<FileStatement>)> {
    let opened = ArchivedFiles::open(rewound(file, 0).map_err(io_failed)?);
    let Some(mut files) = opened.map_err(failed)? else {
        let name = ImportType::Transaction.as_str();
        let message = format!("{name} reads CSV, but the content is {}", archive_of(file)?);
        return Err(Error::invalid_code("invalid_file_type", message));
    };
    let format = files.format();
    let source = SourceFile { files: Some(files.count() as u64), ..SourceFile::of(format) };
    finished(source, format, write_table(&mut files, target))
}

fn finished(
    source: SourceFile,
    format: FileFormat,
    facts: std::result::Result<TableFacts, TableError>,
) -> Result<(SourceFile, Vec<FileStatement>)> {
    let facts = facts.map_err(failed)?;
    refused(facts.obstacle())?;
    Ok((SourceFile { unproven: facts.unproven(format), ..source }, facts.found))
}

fn refused(obstacle: Option<String>) -> Result<()> {
    match obstacle {
        Some(obstacle) => Err(Error::invalid_code("invalid_file_type", obstacle)),
        None => Ok(()),
    }
}

fn failed(error: TableError) -> Error {
    match error {
        TableError::Io(error) | TableError::Statement(StatementError::Io(error)) => written(error),
        error => not_readable(&error),
    }
}
