use purser_core::limits::{NATIVE_FILE_BYTES_MAX, OPEN_SESSIONS_BYTES_MAX};

use super::*;
use crate::files::{Content, file_get};
use crate::testing::on_both;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// A chunk with so many bytes, which aren't on the disk.
fn chunk(tx: &mut FamilyTx<'_>, sequence: u64, bytes: u64) -> Result<NewChunk> {
    let content = Content { bytes, sha256: [u8::try_from(sequence).unwrap(); 32] };
    let file = FileId(tx.new_id()?);
    Ok(NewChunk { sequence, client_id: None, file, content, lines: 2, rows: 1 })
}

fn add(tx: &mut FamilyTx<'_>, id: ImportSessionId, sequence: u64, bytes: u64) -> Result<Chunk> {
    let new = chunk(tx, sequence, bytes)?;
    chunk_add(tx, id, &new, NATIVE_FILE_BYTES_MAX)
}

#[test]
fn open_sessions_are_removed_when_nobody_went_on_with_them() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let write = |work: &dyn Fn(&mut FamilyTx<'_>) -> Result<Vec<FileId>>| {
            fixture.store.write_blocking(family, |tx| work(tx)).unwrap()
        };
        let listed = |tx: &mut Tx<'_>| due::families(tx, Kind::Sessions, SignedDuration::ZERO);
        let due = || fixture.store.read_directory_blocking(listed).unwrap().len();
        let [left, continued] = fixture
            .store
            .write_blocking(family, |tx| {
                Ok([create(tx, Some("left"), 2)?.id, create(tx, None, 2)?.id])
            })
            .unwrap();
        let file = write(&|tx| Ok(vec![add(tx, left, 1, 3)?.file.unwrap()]));
        fixture.clock.advance(OPEN_FOR - HOUR);
        write(&|tx| Ok(vec![add(tx, continued, 1, 3)?.file.unwrap()]));
        assert_eq!((due(), write(&remove_old)), (0, Vec::new()));
        fixture.clock.advance(HOUR + HOUR);
        assert_eq!((due(), write(&remove_old)), (1, file.clone()));
        assert_eq!(due(), 0);
        fixture
            .store
            .read_blocking(family, |tx| {
                assert_eq!(
                    list(tx, 10, 0)?.0.iter().map(|one| one.id).collect::<Vec<_>>(),
                    [continued]
                );
                assert_eq!(file_get(tx, file[0])?, None, "its file is nobody's any more");
                Ok(())
            })
            .unwrap();
    });
}

#[test]
fn the_bytes_of_a_session_and_of_all_open_ones_are_limited() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let code = |work: &dyn Fn(&mut FamilyTx<'_>) -> Result<()>| {
            fixture.store.write_blocking(family, |tx| work(tx)).err().map(|error| error.code())
        };
        let new = || fixture.store.write_blocking(family, |tx| create(tx, None, 9)).unwrap().id;
        for _ in 0..OPEN_SESSIONS_BYTES_MAX / NATIVE_FILE_BYTES_MAX {
            let id = new();
            assert_eq!(code(&|tx| add(tx, id, 1, NATIVE_FILE_BYTES_MAX - 1).map(drop)), None);
            let too_large = Some("import_session_too_large");
            assert_eq!(code(&|tx| add(tx, id, 2, 2).map(drop)), too_large);
            assert_eq!(code(&|tx| add(tx, id, 2, 1).map(drop)), None);
            // One that is there already needs no room.
            assert_eq!(code(&|tx| add(tx, id, 2, 1).map(drop)), None);
        }
        let (id, too_large) = (new(), Some("import_sessions_too_large"));
        assert_eq!(code(&|tx| add(tx, id, 1, 1).map(drop)), too_large);
    });
}
