//! The same file again: other imports of equal bytes, and what became of them.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::import::kinds::Kind;
use purser_core::import::status::ImportStatus;
use purser_store::imports::{self, Import};
use purser_store::{FamilyTx, files};

pub use purser_store::imports::SameFile;

/// Other imports of the file of an import.
pub fn of_import(tx: &mut FamilyTx<'_>, import: &Import) -> Result<Vec<SameFile>> {
    let file = match import.file {
        Some(id) => files::file_get(tx, id)?,
        None => None,
    };
    match file {
        Some(file) => imports::same_file(tx, &file.content.sha256, Some(import.id)),
        None => Ok(Vec::new()),
    }
}

/// What became of the other import, as a sentence. `day` writes days.
pub fn sentence(same: &SameFile, day: fn(Date) -> String) -> String {
    let on = day(same.day);
    let into = match &same.account_name {
        Some(name) => format!(" into {name}"),
        None => String::new(),
    };
    match same.status {
        ImportStatus::Pending => {
            format!("The same file was uploaded on {on}{into}, and is not imported")
        }
        ImportStatus::Importing => format!("The same file is being imported{into}"),
        ImportStatus::Failed => {
            format!("The same file was uploaded on {on}{into}, and its import failed")
        }
        ImportStatus::Complete => {
            format!("The same file was imported on {on}{into}: {}", created(same))
        }
        ImportStatus::Reverting => {
            format!("The same file was imported on {on}{into}, which is being undone")
        }
        ImportStatus::RevertFailed => {
            format!("The same file was imported on {on}{into}, and its undo failed")
        }
    }
}

/// What the other import created, as a part of a sentence.
fn created(same: &SameFile) -> String {
    let spec = Kind::of(same.import_type).spec();
    match same.created {
        0 => format!("it created no {}", spec.many),
        1 => format!("it created 1 {}", spec.one),
        count => format!("it created {count} {}", spec.many),
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::civil::date;
    use purser_core::ids::ImportId;
    use purser_core::import::import_type::ImportType;

    use super::*;

    #[test]
    fn it_states_what_became_of_it() {
        let same = |status, created, account_name: Option<&str>| SameFile {
            id: ImportId(uuid::Uuid::nil()),
            import_type: ImportType::Transaction,
            status,
            account: None,
            account_name: account_name.map(str::to_owned),
            created,
            created_at: Timestamp::UNIX_EPOCH,
            completed_at: None,
            day: date(2024, 3, 1),
        };
        let text = |same: &SameFile| sentence(same, |day| day.to_string());
        for (status, created, account, expected) in [
            (
                ImportStatus::Complete,
                45,
                Some("Giro"),
                "The same file was imported on 2024-03-01 into Giro: it created 45 transactions",
            ),
            (
                ImportStatus::Complete,
                1,
                None,
                "The same file was imported on 2024-03-01: it created 1 transaction",
            ),
            (
                ImportStatus::Complete,
                0,
                None,
                "The same file was imported on 2024-03-01: it created no transactions",
            ),
            (
                ImportStatus::Pending,
                0,
                None,
                "The same file was uploaded on 2024-03-01, and is not imported",
            ),
            (ImportStatus::Importing, 0, Some("Giro"), "The same file is being imported into Giro"),
            (
                ImportStatus::Failed,
                0,
                None,
                "The same file was uploaded on 2024-03-01, and its import failed",
            ),
            (
                ImportStatus::Reverting,
                3,
                None,
                "The same file was imported on 2024-03-01, which is being undone",
            ),
            (
                ImportStatus::RevertFailed,
                3,
                None,
                "The same file was imported on 2024-03-01, and its undo failed",
            ),
        ] {
            assert_eq!(text(&same(status, created, account)), expected);
        }
    }
}
