//! Uploaded files in a bucket, which is a map in memory here: what each operation leaves in it, and
//! what happens when it fails.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::FileId;
use sha2::{Digest as _, Sha256};

use super::objects::TakePiece;
use super::{
    Bucket, Content, DISK_FAILS, FileRecord, FileStore, FilesLocation, FilesPlace, Object, Objects,
    Stated, Swept, file_insert, move_files, path, require_own_files,
};
use crate::access::Access;
use crate::audit::Actor;
use crate::families::FamilyId;
use crate::testing::{Fixture, on_both};

/// Each object by its name: the content, the checksum that is stated, and the time.
type Contents = BTreeMap<String, (Vec<u8>, [u8; 32], Timestamp)>;

/// A bucket in memory that counts what is read of it, and fails when that is set.
#[derive(Debug, Default)]
struct Memory {
    objects: Mutex<Contents>,
    now: Mutex<Timestamp>,
    fails: AtomicBool,
    reads: AtomicUsize,
}

impl Memory {
    fn objects(&self) -> MutexGuard<'_, Contents> {
        self.objects.lock().unwrap()
    }

    fn keys(&self) -> Vec<String> {
        self.objects().keys().map(|key| key.split_once('/').unwrap().1.to_owned()).collect()
    }

    fn answer(&self) -> Result<()> {
        if self.fails.load(Ordering::Relaxed) {
            let cause = "planned".into();
            return Err(Error::Unavailable { message: DISK_FAILS.to_owned(), cause });
        }
        Ok(())
    }

    fn change(&self, end: &str, change: impl Fn(&mut Vec<u8>)) {
        let mut objects = self.objects();
        let (_, object) = objects.iter_mut().find(|(key, _)| key.ends_with(end)).unwrap();
        change(&mut object.0);
    }
}

impl Objects for Memory {
    fn put(&self, key: &str, file: &File, content: &Content) -> Result<()> {
        self.answer()?;
        let mut bytes = vec![0; usize::try_from(content.bytes).unwrap()];
        file.read_exact_at(&mut bytes, 0).unwrap();
        assert_eq!(<[u8; 32]>::from(Sha256::digest(&bytes)), content.sha256);
        let now = *self.now.lock().unwrap();
        self.objects().insert(key.to_owned(), (bytes, content.sha256, now));
        Ok(())
    }

    fn find(&self, key: &str) -> Result<Option<Stated>> {
        self.answer()?;
        let stated = |(bytes, sha256, _): &(Vec<u8>, _, _)| Stated {
            bytes: bytes.len() as u64,
            sha256: Some(*sha256),
        };
        Ok(self.objects().get(key).map(stated))
    }

    fn get(&self, key: &str, take: &mut TakePiece<'_>) -> Result<Option<Stated>> {
        let stated = self.find(key)?;
        let bytes = self.objects().get(key).map(|(bytes, ..)| bytes.clone());
        self.reads.fetch_add(1, Ordering::Relaxed);
        bytes.unwrap_or_default().chunks(3).try_for_each(take)?;
        Ok(stated)
    }

    fn delete(&self, key: &str) -> Result<()> {
        self.answer()?;
        self.objects().remove(key);
        Ok(())
    }

    fn delete_later(&self, key: &str) {
        let _ = self.delete(key);
    }

    fn copy(&self, from: &str, to: &str) -> Result<bool> {
        self.answer()?;
        let mut objects = self.objects();
        let Some(object) = objects.get(from).cloned() else { return Ok(false) };
        objects.insert(to.to_owned(), object);
        Ok(true)
    }

    fn list(&self, prefix: &str, after: &str) -> Result<(Vec<Object>, bool)> {
        self.answer()?;
        let objects = self.objects();
        let found = objects.iter().filter(|(key, _)| key.starts_with(prefix) && &***key > after);
        let object = |(key, (_, _, at)): (&String, &(_, _, Timestamp))| Object {
            key: key.clone(),
            modified: *at,
        };
        let mut found: Vec<Object> = found.map(object).collect();
        let is_more = found.len() > 2;
        found.truncate(2);
        Ok((found, is_more))
    }

    fn folders(&self) -> Result<Vec<String>> {
        self.answer()?;
        let folder = |key: &String| key.split_inclusive('/').next().unwrap_or_default().to_owned();
        Ok(self.objects().keys().map(folder).collect())
    }

    fn shown(&self) -> String {
        "memory".to_owned()
    }
}

fn place(directory: &Path, memory: &Arc<Memory>) -> FilesLocation {
    let bucket = Bucket { objects: memory.clone(), cache_bytes_max: 1_000_000 };
    FilesLocation { bucket: Some(bucket), ..directory.into() }
}

/// A bucket with the time of a fixture.
fn memory(fixture: &Fixture) -> Arc<Memory> {
    let memory = Arc::new(Memory::default());
    *memory.now.lock().unwrap() = fixture.store.now();
    memory
}

fn store(files: &FileStore, family: FamilyId, id: FileId, text: &str) -> Content {
    let mut upload = files.begin().unwrap();
    upload.write(text.as_bytes()).unwrap();
    upload.finish(family, id).unwrap()
}

fn insert(fixture: &Fixture, family: FamilyId, id: FileId, content: &Content) {
    let access = Access::whole(family, Actor::System);
    fixture.store.write_blocking(access, |tx| file_insert(tx, id, None, content)).unwrap();
}

fn text(file: Result<File>) -> String {
    let mut text = String::new();
    file.unwrap().read_to_string(&mut text).unwrap();
    text
}

fn new_id(fixture: &Fixture) -> FileId {
    FileId(fixture.store.new_id().unwrap())
}

/// The same data directory has the database; other nodes have directories of their own.
fn other_node() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn nodes_share_a_bucket_and_nothing_else() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let memory = memory(fixture);
        let files = FileStore::open(place(&fixture.directory, &memory), &fixture.store).unwrap();
        let folder = other_node();
        let other = FileStore::open(place(folder.path(), &memory), &fixture.store).unwrap();
        let id = new_id(fixture);
        let content = store(&files, family, id, "date,amount\n");
        insert(fixture, family, id, &content);
        assert_eq!(memory.keys(), [format!("{}/{id}", family.number()), "purser-database".into()]);

        assert_eq!(text(files.read(family, id)), "date,amount\n");
        assert_eq!(memory.reads.load(Ordering::Relaxed), 0, "whoever stored it has a copy");
        for _ in 0..2 {
            assert_eq!(text(other.read(family, id)), "date,amount\n");
        }
        assert_eq!(memory.reads.load(Ordering::Relaxed), 1, "and others have one from then on");
        assert_eq!(other.content(family, id).unwrap(), content);
        assert_eq!(text(other.read_if_there(family, id).map(Option::unwrap)), "date,amount\n");

        other.delete(family, id).unwrap();
        other.delete(family, id).unwrap();
        assert!(other.read(family, id).is_err());
        assert!(other.read_if_there(family, id).unwrap().is_none());
        assert_eq!(memory.keys(), ["purser-database"]);
    });
}

#[test]
fn a_bucket_that_fails_is_a_disk_that_fails() {
    let fixture = Fixture::sqlite();
    let (family, _) = fixture.family("f");
    let memory = memory(&fixture);
    let files = FileStore::open(place(&fixture.directory, &memory), &fixture.store).unwrap();
    let folder = other_node();
    let other = FileStore::open(place(folder.path(), &memory), &fixture.store).unwrap();
    let id = new_id(&fixture);
    store(&files, family, id, "x");
    memory.fails.store(true, Ordering::Relaxed);
    let unavailable = |result: Result<()>| matches!(result, Err(Error::Unavailable { .. }));
    let upload = files.begin().unwrap();
    assert!(unavailable(upload.finish(family, new_id(&fixture)).map(drop)));
    assert!(unavailable(other.read(family, id).map(drop)));
    assert!(unavailable(other.delete(family, id)));
    assert!(unavailable(files.sweep(&fixture.store).map(drop)));
    let place = || place(folder.path(), &memory);
    assert!(FileStore::open(place(), &fixture.store).is_err());
    assert!(FileStore::open_for_command(place(), &fixture.store).is_ok(), "for what needs no file");
    assert_eq!(text(files.read(family, id)), "x", "a copy is read on");
    memory.fails.store(false, Ordering::Relaxed);
    assert_eq!(text(other.read(family, id)), "x");
}

#[test]
fn what_is_not_what_was_stored_is_neither_read_nor_published() {
    let fixture = Fixture::sqlite();
    let (family, _) = fixture.family("f");
    let memory = memory(&fixture);
    let files = FileStore::open(place(&fixture.directory, &memory), &fixture.store).unwrap();
    let folder = other_node();
    let other = FileStore::open(place(folder.path(), &memory), &fixture.store).unwrap();
    let id = new_id(&fixture);
    let content = store(&files, family, id, "date,amount\n");
    let record = FileRecord { name: None, content, created_at: fixture.store.now() };
    let code = |files: &FileStore| match files.verify(family, id, &record) {
        Ok(()) => "fine",
        Err(Error::Conflict { code, .. }) => code,
        Err(error) => panic!("{error}"),
    };
    // A copy that was damaged is fetched again.
    let copies = fixture
        .directory
        .join("files")
        .join(crate::installation::id(&fixture.store).unwrap().to_string());
    let copy = path(&copies.join("cache"), family, id);
    std::fs::write(&copy, "date,amoUnt\n").unwrap();
    assert_eq!(code(&files), "fine");
    assert_eq!(text(files.read(family, id)), "date,amount\n");

    memory.change(&id.to_string(), |bytes| bytes[0] ^= 1);
    assert!(matches!(other.read(family, id), Err(Error::Unavailable { .. })));
    assert_eq!(code(&other), "file_altered");
    assert_eq!(code(&files), "fine", "its copy is what was stored");
    memory.change(&id.to_string(), Vec::clear);
    assert_eq!(code(&other), "file_altered");
    memory.objects().retain(|key, _| !key.ends_with(&id.to_string()));
    assert_eq!(code(&other), "file_missing");
    let left = std::fs::read_dir(folder.path().join("files")).unwrap().next().unwrap().unwrap();
    let incoming = std::fs::read_dir(left.path().join("incoming")).unwrap().count();
    assert_eq!(incoming, 0, "what arrived and was refused is gone");
}

#[test]
fn what_no_row_names_is_set_aside_and_copies_of_it_go() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let (second, _) = fixture.family("second");
        let memory = memory(fixture);
        let files = FileStore::open(place(&fixture.directory, &memory), &fixture.store).unwrap();
        let folder = other_node();
        let other = FileStore::open(place(folder.path(), &memory), &fixture.store).unwrap();
        let ids: Vec<FileId> = (0..5).map(|_| new_id(fixture)).collect();
        for (at, id) in ids.iter().enumerate() {
            let family = if at == 4 { second } else { family };
            let content = store(&files, family, *id, "x");
            if at % 2 == 0 {
                insert(fixture, family, *id, &content);
            }
        }
        assert_eq!(files.sweep(&fixture.store).unwrap(), Swept::default(), "all are new");
        fixture.clock.advance(SignedDuration::from_hours(25));
        *memory.now.lock().unwrap() = fixture.store.now();
        store(&files, family, new_id(fixture), "new");
        let swept = Swept { removed: 0, set_aside: 2 };
        assert_eq!(other.sweep(&fixture.store).unwrap(), swept);
        assert_eq!(other.sweep(&fixture.store).unwrap(), Swept::default());
        let aside: Vec<String> =
            memory.keys().into_iter().filter(|key| key.starts_with("unreferenced/")).collect();
        let number = family.number();
        let mut expected: Vec<String> =
            [1, 3].iter().map(|at| format!("unreferenced/{number}/{}", ids[*at])).collect();
        expected.sort();
        assert_eq!(aside, expected);
        assert_eq!(memory.keys().len(), 3 + 1 + 2 + 1, "named, new, set aside, the mark");

        // Another node has set them aside; this one still has copies, until it looks. Files have
        // the time of the machine, so the clock of the test must be after it.
        let reads = || memory.reads.load(Ordering::Relaxed);
        assert!(files.read(family, ids[1]).is_ok());
        assert_eq!(reads(), 0);
        fixture.clock.advance(SignedDuration::from_hours(24 * 36_500));
        files.sweep(&fixture.store).unwrap();
        assert!(files.read(family, ids[0]).is_ok());
        assert_eq!(reads(), 0, "a row names it");
        // One that was set aside is found again when a row names it, and stays where it was, too.
        assert_eq!(text(files.read(family, ids[1])), "x");
        assert!(reads() > 0, "the copy was gone");
        assert!(memory.keys().contains(&format!("{number}/{}", ids[1])));
        assert!(memory.keys().contains(&format!("unreferenced/{number}/{}", ids[1])));
        files.delete(family, ids[1]).unwrap();
        assert!(!memory.keys().iter().any(|key| key.ends_with(&ids[1].to_string())));

        files.delete_family(family).unwrap();
        assert_eq!(
            memory.keys(),
            [format!("{}/{}", second.number(), ids[4]), "purser-database".into()]
        );
    });
}

#[test]
fn files_are_where_the_database_has_noted_or_nothing_starts() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let memory = memory(fixture);
        let bucket = || place(&fixture.directory, &memory);
        let open = |place: FilesLocation| match FileStore::open(place, &fixture.store) {
            Ok(files) => Ok(files),
            Err(Error::Conflict { code: "files_elsewhere", message }) => Err(message),
            Err(error) => panic!("{error}"),
        };
        let folder = || FilesLocation::from(&fixture.directory);
        // Without files it may be the one or the other.
        open(bucket()).unwrap();
        open(folder()).unwrap();
        let files = open(bucket()).unwrap();
        let id = new_id(fixture);
        let content = store(&files, family, id, "x");
        insert(fixture, family, id, &content);
        assert!(open(folder()).unwrap_err().contains("are in a bucket"));
        let another = self::memory(fixture);
        let wrong = open(place(&fixture.directory, &another)).unwrap_err();
        assert!(wrong.contains("has no files of this database"), "{wrong}");
        open(bucket()).unwrap();

        let moved = |to| move_files(&fixture.store, &bucket(), to);
        assert_eq!(moved(FilesPlace::Folder).unwrap().files, 1);
        assert!(open(bucket()).unwrap_err().contains("are in the data directory"));
        assert_eq!(text(open(folder()).unwrap().read(family, id)), "x");
        assert!(moved(FilesPlace::Folder).is_err(), "they are there");
        memory.change(&id.to_string(), |bytes| bytes.push(b'y'));
        assert_eq!(moved(FilesPlace::Bucket).unwrap().files, 1);
        assert_eq!(open(bucket()).unwrap().content(family, id).unwrap(), content);
        assert!(memory.keys().iter().any(|key| key.starts_with("replaced/")));
    });
}

#[test]
fn a_move_that_was_broken_off_is_begun_again() {
    let fixture = Fixture::sqlite();
    let (family, _) = fixture.family("f");
    let folder = FileStore::open(&fixture.directory, &fixture.store).unwrap();
    let ids: Vec<FileId> = (0..3).map(|_| new_id(&fixture)).collect();
    for id in &ids {
        let content = store(&folder, family, *id, &id.to_string());
        insert(&fixture, family, *id, &content);
    }
    folder.delete(family, ids[2]).unwrap();
    let memory = memory(&fixture);
    let both = place(&fixture.directory, &memory);
    memory.fails.store(true, Ordering::Relaxed);
    assert!(move_files(&fixture.store, &both, FilesPlace::Bucket).is_err());
    assert!(FileStore::open(&fixture.directory, &fixture.store).is_ok(), "nothing is noted yet");
    memory.fails.store(false, Ordering::Relaxed);
    let moved = move_files(&fixture.store, &both, FilesPlace::Bucket).unwrap();
    assert_eq!((moved.files, &moved.missing[..], &moved.altered[..]), (2, &ids[2..], &[][..]));
    let files = FileStore::open(both, &fixture.store).unwrap();
    assert_eq!(text(files.read(family, ids[0])), ids[0].to_string());
    assert!(folder.read(family, ids[0]).is_ok(), "the old place keeps what it had");
    assert!(files.read(family, ids[2]).is_err());
}

#[test]
fn a_new_database_does_not_begin_beside_files_of_another() {
    let (first, second) = (Fixture::sqlite(), Fixture::sqlite());
    let memory = memory(&first);
    FileStore::open(place(&first.directory, &memory), &first.store).unwrap();
    let other = place(&second.directory, &memory);
    let error = require_own_files(&second.store, &other).unwrap_err().to_string();
    assert!(error.contains("in the bucket memory"), "{error}");
    FileStore::open(&other, &second.store).unwrap();
    assert!(require_own_files(&second.store, &other).is_ok(), "it has begun");
}
