//! What a disk may hold after a power cut, from a record of what a program did to its files.
//!
//! Only what was synchronised is sure to be there: the bytes of a file by synchronising the file,
//! its name by synchronising its folder. Of everything after that any part may be there: each write
//! for itself, and of a write its first sectors; of the names in a folder, the first so many
//! changes, as file systems with a journal keep them.

use crate::support::Dice;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What a disk writes as a whole.
const SECTOR_BYTES: u64 = 512;
const HEADER_BYTES: usize = 24;

/// How a disk treats what wasn't synchronised when the power went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// All of it is lost.
    Lost,
    /// Any part of it is there.
    Random,
}

/// A change of the folder, or a synchronisation.
struct Step<'r> {
    operation: u32,
    path: &'r str,
    offset: u64,
    data: &'r [u8],
}

const CREATE: u32 = 1;
const WRITE: u32 = 2;
const TRUNCATE: u32 = 3;
const SYNC: u32 = 4;
const RENAME: u32 = 5;
const UNLINK: u32 = 6;

enum Change<'r> {
    Write(u64, &'r [u8]),
    Truncate(u64),
}

enum Naming<'r> {
    Add(&'r str, usize),
    Move(&'r str, &'r str, usize),
    Remove(&'r str),
}

#[derive(Default)]
struct File<'r> {
    durable: Vec<u8>,
    pending: Vec<Change<'r>>,
}

/// A folder as a disk has it.
#[derive(Default)]
pub(crate) struct Disk<'r> {
    files: Vec<File<'r>>,
    names: BTreeMap<&'r str, usize>,
    durable_names: BTreeMap<&'r str, usize>,
    pending_names: Vec<(&'r str, Naming<'r>)>,
}

impl<'r> Disk<'r> {
    /// The disk after the first `bytes` of a record. Synchronising files with the ending
    /// `never_synchronised` does nothing, which is a planted defect.
    pub(crate) fn after(record: &'r [u8], bytes: u64, never_synchronised: Option<&str>) -> Self {
        let mut rest = &record[..usize::try_from(bytes).expect("a length")];
        let mut disk = Self::default();
        while let Some(step) = next(&mut rest) {
            let is_lie = never_synchronised.is_some_and(|ending| step.path.ends_with(ending));
            if !(step.operation == SYNC && is_lie) {
                disk.take(&step);
            }
        }
        disk
    }

    fn take(&mut self, step: &Step<'r>) {
        let path = step.path;
        match step.operation {
            CREATE => {
                self.files.push(File::default());
                let file = self.files.len() - 1;
                self.names.insert(path, file);
                self.pending_names.push((folder(path), Naming::Add(path, file)));
            }
            WRITE => self.file(path).pending.push(Change::Write(step.offset, step.data)),
            TRUNCATE => self.file(path).pending.push(Change::Truncate(step.offset)),
            SYNC if self.names.contains_key(path) => {
                let file = self.file(path);
                for change in std::mem::take(&mut file.pending) {
                    apply(&mut file.durable, &change);
                }
            }
            SYNC => {
                let (of_folder, others) = std::mem::take(&mut self.pending_names)
                    .into_iter()
                    .partition(|(folder, _)| *folder == path);
                self.pending_names = others;
                self.keep_names(of_folder);
            }
            RENAME => {
                let to = std::str::from_utf8(step.data).expect("a path");
                let file = self.names.remove(path).expect("a file that exists");
                self.names.insert(to, file);
                self.pending_names.push((folder(to), Naming::Move(path, to, file)));
            }
            UNLINK => {
                self.names.remove(path);
                self.pending_names.push((folder(path), Naming::Remove(path)));
            }
            other => panic!("{other} is no operation"),
        }
    }

    fn file(&mut self, path: &str) -> &mut File<'r> {
        let file = *self.names.get(path).unwrap_or_else(|| panic!("{path} was never created"));
        &mut self.files[file]
    }

    fn keep_names(&mut self, changes: Vec<(&'r str, Naming<'r>)>) {
        for (_, naming) in changes {
            match naming {
                Naming::Add(path, file) => {
                    self.durable_names.insert(path, file);
                }
                Naming::Move(from, to, file) => {
                    self.durable_names.remove(from);
                    self.durable_names.insert(to, file);
                }
                Naming::Remove(path) => {
                    self.durable_names.remove(path);
                }
            }
        }
    }

    /// The power goes: writes what is left into a folder.
    pub(crate) fn write_to(mut self, target: &Path, rest: Rest, dice: &mut Dice) {
        if rest == Rest::Random {
            let mut pending = std::mem::take(&mut self.pending_names);
            pending.truncate(usize::try_from(dice.between(0, pending.len() as u64 + 1)).unwrap());
            self.keep_names(pending);
            for file in &mut self.files {
                for change in std::mem::take(&mut file.pending) {
                    if let Some(part) = part_of(change, dice) {
                        apply(&mut file.durable, &part);
                    }
                }
            }
        }
        for (path, file) in &self.durable_names {
            let path = target.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, &self.files[*file].durable).expect("a file");
        }
    }
}

/// What the disk has of a change that was never synchronised.
fn part_of<'r>(change: Change<'r>, dice: &mut Dice) -> Option<Change<'r>> {
    if dice.coin() {
        return None;
    }
    Some(match change {
        Change::Write(offset, data) if data.len() as u64 > SECTOR_BYTES && dice.coin() => {
            let sectors = data.len() as u64 / SECTOR_BYTES;
            let kept = dice.between(0, sectors) * SECTOR_BYTES;
            Change::Write(offset, &data[..usize::try_from(kept).expect("a length")])
        }
        whole => whole,
    })
}

fn apply(bytes: &mut Vec<u8>, change: &Change<'_>) {
    match change {
        Change::Write(offset, data) => {
            let at = usize::try_from(*offset).expect("an offset");
            if bytes.len() < at + data.len() {
                bytes.resize(at + data.len(), 0);
            }
            bytes[at..at + data.len()].copy_from_slice(data);
        }
        Change::Truncate(length) => bytes.resize(usize::try_from(*length).expect("a length"), 0),
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Takes the next step off a record; none if only a part of it is there.
fn next<'r>(rest: &mut &'r [u8]) -> Option<Step<'r>> {
    let header = rest.get(..HEADER_BYTES)?;
    let half = |at: usize| u32::from_ne_bytes(header[at..at + 4].try_into().expect("4 bytes"));
    let whole = |at: usize| u64::from_ne_bytes(header[at..at + 8].try_into().expect("8 bytes"));
    let path_end = HEADER_BYTES + usize::try_from(half(4)).expect("a length");
    let end = path_end + usize::try_from(whole(16)).expect("a length");
    let step = Step {
        operation: half(0),
        path: std::str::from_utf8(rest.get(HEADER_BYTES..path_end)?).expect("a path"),
        offset: whole(8),
        data: rest.get(path_end..end)?,
    };
    *rest = &rest[end..];
    Some(step)
}
