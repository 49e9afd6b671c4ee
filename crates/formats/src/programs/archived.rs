//! Exports in an archive: YNAB packs its register and its plan together, others one table alone.
//!
//! Nothing is unpacked into a folder: parts are found by their columns and read one after the
//! other, up to a limit. Names that would lead out of a folder show that somebody made the archive
//! to do harm, so it is refused as a whole.

use std::io::{self, Read, Seek, Write};

use purser_core::import::import_type::ImportType;
use purser_core::import::register::{Amounts, Program};
use purser_core::limits::NATIVE_FILE_BYTES_MAX;

use super::recognition::type_of_table;
use super::register::Register;
use super::{RewriteError, actual, mint, table, ynab, ynab_plan};
use crate::archive::{Archive, ArchiveError, ArchivePart};
use crate::csv::HEADER_BYTES;

/// Bytes of a table once it is inflated: some times what can be uploaded without an archive, so
/// that a small upload doesn't fill the disk.
const ARCHIVED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The name of the native file in an archive. It may have what it may have without one.
const NATIVE: &str = "all.ndjson";
const TWICE: &str = "the archive has two parts of one name";
/// Tables of an archive that are looked at.
const TABLES_MAX: usize = 16;

/// Rewrites the tables of an archive as one register.
///
/// # Errors
/// If it holds no export of the program or more than one, if it is broken or made to do harm, or if
/// reading or writing fails.
pub fn rewrite_archive(
    program: Program,
    input: impl Read + Seek,
    output: impl Write,
) -> Result<(), RewriteError> {
    let mut archive = Archive::open(input).map_err(unreadable)?;
    let tables = tables(&archive)?;
    let wanted: &[&[&str]] = match program {
        Program::Ynab => &ynab::REGISTER,
        Program::Mint => &mint::REQUIRED,
        Program::Actual => &actual::REQUIRED,
        Program::Qif => return Err(foreign("QIF isn't read from an archive")),
    };
    let Some(name) = only(&mut archive, &tables, program, wanted)? else {
        let has_database = archive.parts().iter().any(|part| part.name.ends_with("db.sqlite"));
        return Err(match (program, has_database) {
            (Program::Actual, true) => foreign(
                "the archive has the database of Actual Budget: export the transactions of its \
                 accounts, which are CSV files",
            ),
            _ => foreign(&format!("the archive has no export of {}", program.as_str())),
        });
    };
    let result = match program {
        Program::Ynab => with_plan(&mut archive, &tables, &name, output),
        Program::Mint => mint::rewrite(part(&mut archive, &name)?, output),
        _ => {
            let survey = actual::survey(&mut part(&mut archive, &name)?).map_err(damaged)?;
            actual::transactions(part(&mut archive, &name)?, &survey, output)
        }
    };
    result.map_err(damaged)
}

/// Writes the native file of an archive: what `purser export` writes, and other programs with the
/// same format.
///
/// # Errors
/// As [`rewrite_archive`].
pub fn unpack_native(input: impl Read + Seek, mut output: impl Write) -> Result<(), RewriteError> {
    let mut archive = Archive::open(input).map_err(unreadable)?;
    tables(&archive)?;
    let is_native = |part: &&ArchivePart| part.name.eq_ignore_ascii_case(NATIVE);
    if archive.parts().iter().filter(is_native).count() > 1 {
        return Err(foreign(TWICE));
    }
    let part = archive.read(NATIVE, NATIVE_FILE_BYTES_MAX).map_err(unreadable)?;
    let copied = io::copy(&mut io::BufReader::new(part), &mut output);
    copied.and_then(|_| output.flush()).map_err(RewriteError::Io).map_err(damaged)
}

/// The register of YNAB, and its plan if that is there.
fn with_plan(
    archive: &mut Archive<impl Read + Seek>,
    tables: &[String],
    name: &str,
    output: impl Write,
) -> Result<(), RewriteError> {
    let plan = only(archive, tables, Program::Ynab, &ynab::PLAN)?;
    let mut register = Register::begin(output, Amounts::OutAndIn)?;
    ynab::transactions(part(archive, name)?, &mut register)?;
    if let Some(plan) = plan {
        let repeated = ynab_plan::repeated(part(archive, &plan)?)?;
        ynab_plan::write(part(archive, &plan)?, &repeated, &mut register)?;
    }
    register.finish().map_err(RewriteError::Io)
}

/// The names of the tables.
fn tables(archive: &Archive<impl Read + Seek>) -> Result<Vec<String>, RewriteError> {
    if let Some(why) = archive.unsafe_names() {
        return Err(foreign(why));
    }
    let mut tables: Vec<String> = Vec::new();
    for part in archive.files() {
        let name = part.name.as_str();
        let file = name.rsplit('/').next().unwrap_or_default();
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_table = ["csv", "tsv", "txt"].iter().any(|one| extension.eq_ignore_ascii_case(one));
        if is_table {
            tables.push(name.to_owned());
        }
        if tables.len() > TABLES_MAX {
            return Err(foreign(&format!("the archive has more than {TABLES_MAX} tables")));
        }
    }
    Ok(tables)
}

/// The only table with these columns.
fn only(
    archive: &mut Archive<impl Read + Seek>,
    tables: &[String],
    program: Program,
    wanted: &[&[&str]],
) -> Result<Option<String>, RewriteError> {
    let mut found = None;
    for name in tables {
        match table::open(part(archive, name)?, program.as_str(), wanted).map(drop) {
            Ok(()) if found.is_some() => {
                return Err(foreign("the archive has several exports: send them one by one"));
            }
            Ok(()) => found = Some(name.clone()),
            Err(RewriteError::Foreign(_)) => {}
            Err(error) => return Err(damaged(error)),
        }
    }
    Ok(found)
}

/// The type of import that an archive is for, if it holds the export of a program.
pub(super) fn type_in_archive(input: impl Read + Seek) -> Option<ImportType> {
    let mut archive = Archive::open(input).ok()?;
    if archive.parts().iter().any(|part| part.name.eq_ignore_ascii_case(NATIVE)) {
        return Some(ImportType::Native);
    }
    for name in tables(&archive).ok()? {
        let mut head = Vec::new();
        let part = archive.read(&name, ARCHIVED_BYTES_MAX).ok()?;
        part.take(HEADER_BYTES).read_to_end(&mut head).ok()?;
        let found = type_of_table(&head).filter(|found| PACKED.contains(found));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Types of imports that take archives.
const PACKED: [ImportType; 3] = [ImportType::Ynab, ImportType::Actual, ImportType::Mint];

fn part<'a, R: Read + Seek>(
    archive: &'a mut Archive<R>,
    name: &str,
) -> Result<impl Read + use<'a, R>, RewriteError> {
    archive.read(name, ARCHIVED_BYTES_MAX).map_err(unreadable)
}

fn foreign(why: &str) -> RewriteError {
    RewriteError::Foreign(why.to_owned())
}

fn unreadable(error: ArchiveError) -> RewriteError {
    match error {
        ArchiveError::Io(error) => damaged(RewriteError::Io(error)),
        error => RewriteError::Foreign(error.to_string()),
    }
}

/// Bytes that don't inflate, or to more than there may be, are the archive's fault.
fn damaged(error: RewriteError) -> RewriteError {
    match error {
        RewriteError::Io(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidData
                    | io::ErrorKind::InvalidInput
                    | io::ErrorKind::UnexpectedEof
            ) =>
        {
            RewriteError::Foreign(error.to_string())
        }
        error => error,
    }
}

#[cfg(test)]
#[path = "archived_tests.rs"]
mod tests;
