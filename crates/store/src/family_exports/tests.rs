use super::*;
use crate::driver::Tx;
use crate::families::FamilyId;
use crate::files::{Content, file_get, file_insert};
use crate::testing::{Fixture, on_both};

const HOUR: SignedDuration = SignedDuration::from_hours(1);

fn native(tx: &mut FamilyTx<'_>) -> Result<(FamilyExport, bool)> {
    request(tx, ExportFormat::Ndjson)
}

/// An export with a file, which isn't on the disk.
fn complete_one(tx: &mut FamilyTx<'_>) -> Result<(FamilyExportId, FileId)> {
    let (export, is_new) = native(tx)?;
    assert!(is_new && set(tx, export.id, ExportStatus::Processing, None)?);
    let file = FileId(tx.new_id()?);
    file_insert(tx, file, Some("a.ndjson"), &Content { bytes: 3, sha256: [7; 32] })?;
    complete(tx, export.id, file, 2)?;
    Ok((export.id, file))
}

fn ids(fixture: &Fixture, family: FamilyId) -> Vec<FamilyExportId> {
    let listed = fixture.store.read_blocking(family, |tx| list(tx, 100, 0)).unwrap();
    assert_eq!(listed.0.len() as u64, listed.1);
    listed.0.iter().map(|export| export.id).collect()
}

fn due_families(fixture: &Fixture) -> usize {
    let due = |tx: &mut Tx<'_>| due::families(tx, Kind::Exports, SignedDuration::ZERO);
    fixture.store.read_directory_blocking(due).unwrap().len()
}

#[test]
fn exports_are_removed_when_their_time_is_over() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let (old, file) = fixture.store.write_blocking(family, complete_one).unwrap();
        fixture.clock.advance(KEPT_FOR - HOUR);
        let (young, _) = fixture.store.write_blocking(family, complete_one).unwrap();
        assert_eq!((ids(fixture, family), due_families(fixture)), (vec![young, old], 0));
        assert!(fixture.store.write_blocking(family, remove_old).unwrap().is_empty());
        fixture.clock.advance(HOUR + HOUR);
        assert_eq!(due_families(fixture), 1);
        assert_eq!(fixture.store.write_blocking(family, remove_old).unwrap(), [file]);
        assert_eq!((ids(fixture, family), due_families(fixture)), (vec![young], 0));
        let row = fixture.store.read_blocking(family, |tx| file_get(tx, file)).unwrap();
        assert_eq!(row, None, "its file is nobody's any more");
    });
}

#[test]
fn a_family_keeps_the_newest_exports_and_one_that_waits() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let mut made = Vec::new();
        for _ in 0..FAMILY_EXPORTS_KEPT_MAX + 2 {
            made.insert(0, fixture.store.write_blocking(family, complete_one).unwrap());
        }
        let (waiting, first) = fixture.store.write_blocking(family, native).unwrap();
        let (again, second) = fixture.store.write_blocking(family, native).unwrap();
        assert_eq!((again, first, second), (waiting.clone(), true, false));
        let gone = fixture.store.write_blocking(family, remove_old).unwrap();
        let (kept, rest) = made.split_at(FAMILY_EXPORTS_KEPT_MAX);
        assert_eq!(gone, rest.iter().map(|(_, file)| *file).collect::<Vec<_>>());
        let kept = kept.iter().map(|(id, _)| *id);
        let expected: Vec<FamilyExportId> = std::iter::once(waiting.id).chain(kept).collect();
        assert_eq!(ids(fixture, family), expected);
    });
}

#[test]
fn a_completed_export_stays_as_it_is() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let (id, file) = fixture.store.write_blocking(family, complete_one).unwrap();
        let fail = |tx: &mut FamilyTx<'_>| set(tx, id, ExportStatus::Failed, Some("No"));
        assert!(!fixture.store.write_blocking(family, fail).unwrap());
        let again = |tx: &mut FamilyTx<'_>| complete(tx, id, file, 9);
        assert!(fixture.store.write_blocking(family, again).is_err());
        let export = fixture.store.read_blocking(family, |tx| get(tx, id)).unwrap();
        assert_eq!((export.status, export.records), (ExportStatus::Completed, Some(2)));
        assert_eq!((export.bytes, export.file), (Some(3), Some(file)));
        assert_eq!(export.expires_at(), export.completed_at.map(|at| at + KEPT_FOR));
    });
}

#[test]
fn one_export_of_each_format_waits() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let waiting = fixture.store.write_blocking(family, |tx| {
            let mut ids = Vec::new();
            for format in ExportFormat::ALL.iter().chain(ExportFormat::ALL) {
                let (export, is_new) = request(tx, *format)?;
                assert_eq!(export.format, *format);
                assert_eq!(is_new, !ids.contains(&export.id));
                ids.push(export.id);
            }
            Ok(ids)
        });
        let waiting = waiting.unwrap();
        let count = ExportFormat::ALL.len();
        assert_eq!(waiting[..count], waiting[count..]);
        assert_eq!(ids(fixture, family).len(), count);
    });
}
