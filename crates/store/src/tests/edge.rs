//! What the edge of the program relies on: idempotency keys and uploaded files.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use jiff::SignedDuration;
use purser_core::error::Result;
use purser_core::ids::FileId;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::access::FamilyTx;

use crate::families::FamilyId;
use crate::files::{self, Content, FileStore};
use crate::idempotency::{self, Claim, Claimed};
use crate::testing::{Fixture, on_both, runtime};

fn write<T>(
    fixture: &Fixture,
    family: FamilyId,
    work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>,
) -> Result<T> {
    fixture.store.write_blocking(family, work)
}

fn claim(fixture: &Fixture, family: FamilyId, fingerprint: &[u8]) -> Claimed {
    let route = "POST /imports";
    write(fixture, family, |tx| idempotency::claim(tx, route, "key", fingerprint)).unwrap()
}

fn fresh(claimed: Claimed) -> Claim {
    match claimed {
        Claimed::Fresh(claim) => claim,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_key_replays_its_answer_for_a_day() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let (other, _) = fixture.family("other");
        let mine = fresh(claim(fixture, family, b"one"));
        assert_eq!(claim(fixture, family, b"one"), Claimed::Running);
        assert_eq!(claim(fixture, family, b"two"), Claimed::Reused);
        fresh(claim(fixture, other, b"two"));
        write(fixture, family, |tx| idempotency::save(tx, &mine, 201, "{}")).unwrap();
        let replay = Claimed::Replay { status: 201, body: "{}".to_owned() };
        assert_eq!(claim(fixture, family, b"one"), replay);
        assert_eq!(claim(fixture, family, b"two"), Claimed::Reused);
        fixture.clock.advance(SignedDuration::from_secs(24 * 3600 - 1));
        assert_eq!(claim(fixture, family, b"one"), replay);
        fixture.clock.advance(SignedDuration::from_secs(1));
        fresh(claim(fixture, family, b"two"));
    });
}

#[test]
fn a_request_that_died_lets_the_next_one_in_and_can_not_answer_late() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let dead = fresh(claim(fixture, family, b"one"));
        fixture.clock.advance(SignedDuration::from_secs(15));
        let heir = fresh(claim(fixture, family, b"one"));
        let late =
            write(fixture, family, |tx| idempotency::save(tx, &dead, 201, "late")).unwrap_err();
        assert_eq!(late.code(), "idempotency_claim_lost");
        assert!(write(fixture, family, |tx| idempotency::bind(tx, &dead, Uuid::nil())).is_err());
        write(fixture, family, |tx| idempotency::release(tx, &dead)).unwrap();
        write(fixture, family, |tx| idempotency::save(tx, &heir, 422, "no")).unwrap();
        let replay = Claimed::Replay { status: 422, body: "no".to_owned() };
        assert_eq!(claim(fixture, family, b"one"), replay);
    });
}

#[test]
fn what_a_dead_request_made_is_found_again() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let subject = Uuid::from_u128(7);
        let dead = fresh(claim(fixture, family, b"one"));
        write(fixture, family, |tx| idempotency::bind(tx, &dead, subject)).unwrap();
        assert_eq!(claim(fixture, family, b"one"), Claimed::Running);
        fixture.clock.advance(SignedDuration::from_secs(15));
        let Claimed::Bound { claim: heir, subject_id } = claim(fixture, family, b"one") else {
            panic!("the subject is known")
        };
        assert_eq!(subject_id, subject);
        assert_eq!(claim(fixture, family, b"one"), Claimed::Running, "the heir is at it");
        assert!(write(fixture, family, |tx| idempotency::save(tx, &dead, 201, "late")).is_err());
        write(fixture, family, |tx| idempotency::save(tx, &heir, 201, "{}")).unwrap();
    });
}

#[test]
fn a_request_that_lives_keeps_its_claim() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let mine = fresh(claim(fixture, family, b"one"));
        let renew = |claim: &Claim| write(fixture, family, |tx| idempotency::renew(tx, claim));
        for _ in 0..3 {
            fixture.clock.advance(SignedDuration::from_secs(14));
            assert_eq!(claim(fixture, family, b"one"), Claimed::Running);
            renew(&mine).unwrap();
        }
        fixture.clock.advance(SignedDuration::from_secs(15));
        let heir = fresh(claim(fixture, family, b"one"));
        fixture.clock.advance(SignedDuration::from_secs(15));
        renew(&mine).unwrap();
        let second = fresh(claim(fixture, family, b"one"));
        assert_ne!(second, heir, "only who has the claim renews it");
    });
}

#[test]
fn claims_end_with_the_server_and_with_a_clock_that_was_ahead() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        fresh(claim(fixture, family, b"one"));
        fixture.store.write_directory_blocking(idempotency::end_all).unwrap();
        fresh(claim(fixture, family, b"one"));
        fixture.clock.advance(-SignedDuration::from_secs(3_600));
        let answered = fresh(claim(fixture, family, b"one"));
        write(fixture, family, |tx| idempotency::save(tx, &answered, 201, "{}")).unwrap();
        fixture.store.write_directory_blocking(idempotency::end_all).unwrap();
        assert!(matches!(claim(fixture, family, b"one"), Claimed::Replay { .. }));
    });
}

#[test]
fn released_and_old_keys_are_forgotten() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let mine = fresh(claim(fixture, family, b"one"));
        write(fixture, family, |tx| idempotency::release(tx, &mine)).unwrap();
        let mine = fresh(claim(fixture, family, b"two"));
        write(fixture, family, |tx| idempotency::save(tx, &mine, 200, "{}")).unwrap();
        write(fixture, family, |tx| idempotency::release(tx, &mine)).unwrap();
        assert!(matches!(claim(fixture, family, b"two"), Claimed::Replay { .. }));
        let purge = || runtime().block_on(idempotency::purge(&fixture.store)).unwrap();
        assert_eq!(purge(), 0);
        assert!(matches!(claim(fixture, family, b"two"), Claimed::Replay { .. }));
        fixture.clock.advance(SignedDuration::from_hours(24));
        assert_eq!(purge(), 0);
        fixture.clock.advance(SignedDuration::from_hours(-1));
        assert!(matches!(claim(fixture, family, b"two"), Claimed::Fresh(_)), "it is forgotten");
    });
}

/// Makes a file look as if it had been written so long before the store's now.
fn age(fixture: &Fixture, path: &Path, seconds: u64) {
    let modified = SystemTime::from(fixture.store.now()) - Duration::from_secs(seconds);
    File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
}

fn all_files(directory: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(all_files(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn a_file_is_kept_as_it_came() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let (other, _) = fixture.family("other");
        let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
        let id = FileId(fixture.store.new_id().unwrap());
        let mut upload = files.begin().unwrap();
        upload.write(b"date,").unwrap();
        upload.write(b"amount\n").unwrap();
        assert_eq!(upload.bytes(), 12);
        let content = upload.finish(family, id).unwrap();
        let expected: [u8; 32] = Sha256::digest(b"date,amount\n").into();
        assert_eq!((content.bytes, content.sha256), (12, expected));
        write(fixture, family, |tx| files::file_insert(tx, id, Some("a.csv"), &content)).unwrap();

        let get =
            |family| fixture.store.read_blocking(family, |tx| files::file_get(tx, id)).unwrap();
        let record = get(family).unwrap();
        assert_eq!((record.name.as_deref(), record.content), (Some("a.csv"), content));
        assert_eq!(get(other), None);
        let mut text = String::new();
        files.read(family, id).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "date,amount\n");
        assert!(files.read(other, id).is_err(), "another family's file is not reachable");

        files.delete(family, id).unwrap();
        files.delete(family, id).unwrap();
        assert!(files.read(family, id).is_err());
    });
}

#[test]
fn what_crashes_leave_behind_is_swept_and_nothing_else() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
        let database = crate::installation::id(&fixture.store).unwrap().to_string();
        let root = fixture.directory.join("files").join(database);
        let store = |named: bool| {
            let id = FileId(fixture.store.new_id().unwrap());
            let content = files.begin().unwrap().finish(family, id).unwrap();
            if named {
                write(fixture, family, |tx| files::file_insert(tx, id, None, &content)).unwrap();
            }
            let name = id.to_string();
            all_files(&root).into_iter().find(|path| path.ends_with(&name)).unwrap()
        };
        let (named, orphan, young) = (store(true), store(false), store(false));
        drop(files.begin().unwrap());
        assert_eq!(all_files(&root).len(), 3, "a dropped upload removes its file");

        let crashed = root.join("incoming/0123");
        let arriving = root.join("incoming/4567");
        fs::write(&crashed, "half").unwrap();
        fs::write(&arriving, "half").unwrap();
        for old in [&named, &orphan, &crashed] {
            age(fixture, old, 24 * 3_600);
        }
        for new in [&young, &arriving] {
            age(fixture, new, 24 * 3_600 - 100);
        }
        let swept = files::Swept { removed: 1, set_aside: 1 };
        assert_eq!(files.sweep(&fixture.store).unwrap(), swept);
        let mut left = all_files(&root);
        left.sort();
        let aside = root.join("unreferenced").join(orphan.strip_prefix(&root).unwrap());
        let mut expected = vec![named, young, arriving, aside];
        expected.sort();
        assert_eq!(left, expected);
        assert_eq!(files.sweep(&fixture.store).unwrap(), files::Swept::default());

        // Its row comes after all: the clock had been ahead while the file was on its way.
        let id = orphan.file_name().unwrap().to_str().unwrap().parse().unwrap();
        files.read(family, id).unwrap();
        assert!(orphan.exists());
    });
}

#[test]
fn a_sweep_looks_at_more_files_than_fit_in_one_question() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
        let ids: Vec<_> = (0..300).map(|_| FileId(fixture.store.new_id().unwrap())).collect();
        let content = Content { bytes: 0, sha256: Sha256::digest(b"").into() };
        for id in &ids {
            files.begin().unwrap().finish(family, *id).unwrap();
        }
        write(fixture, family, |tx| {
            let mut even = ids.iter().step_by(2);
            even.try_for_each(|id| files::file_insert(tx, *id, None, &content))
        })
        .unwrap();
        for file in all_files(&fixture.directory.join("files")) {
            age(fixture, &file, 48 * 3_600);
        }
        assert_eq!(files.sweep(&fixture.store).unwrap().set_aside, 150);
        let left: Vec<_> = all_files(&fixture.directory.join("files"))
            .into_iter()
            .filter(|path| !path.components().any(|part| part.as_os_str() == "unreferenced"))
            .collect();
        assert_eq!(left.len(), 150);
        for id in ids.iter().step_by(2) {
            assert!(left.iter().any(|path| path.ends_with(id.to_string())));
        }
    });
}

#[test]
fn a_sweep_goes_on_when_files_vanish_under_it() {
    let fixture = Fixture::sqlite();
    let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    drop((0..20).map(|_| files.begin().unwrap()).collect::<Vec<_>>());
                }
            });
        }
        let swept: Vec<_> = (0..300).map(|_| files.sweep(&fixture.store)).collect();
        ended.store(true, Ordering::Relaxed);
        for result in swept {
            assert_eq!(result.unwrap(), files::Swept::default());
        }
    });
}

#[test]
fn databases_on_one_directory_keep_out_of_each_other_s_files() {
    let (first, second) = (Fixture::sqlite(), Fixture::postgres());
    let open = |fixture: &Fixture| FileStore::open(&first.directory, &fixture.store).unwrap();
    let (family, _) = first.family("f");
    assert_eq!(second.family("f").0, family, "the same number");
    let (files, others) = (open(&first), open(&second));
    let id = FileId(first.store.new_id().unwrap());
    let content = files.begin().unwrap().finish(family, id).unwrap();
    write(&first, family, |tx| files::file_insert(tx, id, None, &content)).unwrap();
    for file in all_files(&first.directory.join("files")) {
        age(&first, &file, 48 * 3_600);
    }
    assert!(others.read(family, id).is_err());
    assert_eq!(others.sweep(&second.store).unwrap(), files::Swept::default());
    assert!(files.read(family, id).is_ok());
    assert!(open(&first).read(family, id).is_ok(), "found again by whoever opens the database");
}
