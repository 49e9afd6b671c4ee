//! Compound files, in which Excel 97 to 2003 keeps its workbook: sectors, chained by a table, and a
//! directory of streams.
//!
//! Every number of the file is checked before it is used: a chain has at most as many sectors as
//! the file, so none is followed twice, and a stream is never longer than the file.

use std::io::{Read, Seek, SeekFrom};

use super::super::SheetError;

/// How every compound file begins.
pub(in crate::sheets) const SIGNATURE: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
/// Bytes of a file that is read; it is in memory.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Entries of the directory that are looked at.
const ENTRIES_MAX: usize = 10_000;
const ENTRY_BYTES: usize = 128;
/// Sectors of the table that the header itself names.
const TABLE_SECTORS_IN_HEADER: usize = 109;
/// The end of a chain, and the largest number of a sector.
const END: u32 = 0xFFFF_FFFE;
const SECTOR_MAX: u32 = 0xFFFF_FFFA;
/// No entry of the directory.
const NONE: u32 = u32::MAX;

/// A compound file, read into memory.
pub(super) struct Compound {
    bytes: Vec<u8>,
    sector_bytes: usize,
    mini_sector_bytes: usize,
    /// Streams below this length are in the mini stream.
    mini_below: u64,
    table: Vec<u32>,
    mini_table: Vec<u32>,
    entries: Vec<Entry>,
}

/// An entry of the directory.
struct Entry {
    name: String,
    /// 1 is a folder, 2 a stream, 5 the root.
    kind: u8,
    left: u32,
    right: u32,
    child: u32,
    start: u32,
    length: u64,
}

fn damaged(what: &'static str) -> SheetError {
    SheetError::Damaged(what)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

impl Compound {
    pub(super) fn open(mut source: impl Read + Seek) -> Result<Self, SheetError> {
        let header = || damaged("its header is not one of a compound file");
        source.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        source.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return Err(SheetError::TooLarge);
        }
        if !bytes.starts_with(&SIGNATURE) || bytes.len() < 512 {
            return Err(header());
        }
        let sector_bytes = match u16_at(&bytes, 30) {
            Some(9) => 512,
            Some(12) => 4096,
            _ => return Err(header()),
        };
        let mini_shift = u16_at(&bytes, 32).filter(|shift| *shift == 6).ok_or_else(header)?;
        let number = |at: usize| u32_at(&bytes, at).ok_or_else(header);
        let (directory, mini_below) = (number(48)?, u64::from(number(56)?));
        let (mini_table, more) = (number(60)?, number(68)?);
        let mut file = Self {
            sector_bytes,
            mini_sector_bytes: 1 << mini_shift,
            mini_below,
            table: Vec::new(),
            mini_table: Vec::new(),
            entries: Vec::new(),
            bytes,
        };
        file.read_table(more)?;
        let mini_table = file.chained(mini_table, u64::MAX)?;
        file.mini_table = numbers(&mini_table);
        file.read_directory(directory)?;
        Ok(file)
    }

    fn sector(&self, number: u32) -> Result<&[u8], SheetError> {
        let start = (number as usize + 1).checked_mul(self.sector_bytes);
        let end = start.and_then(|start| start.checked_add(self.sector_bytes));
        let found = start.zip(end).and_then(|(start, end)| self.bytes.get(start..end));
        // The last sector of a file may be shorter.
        let found = found.or_else(|| self.bytes.get(start?..).filter(|rest| !rest.is_empty()));
        found.ok_or_else(|| damaged("a sector is behind its end"))
    }

    /// How many sectors the file can have.
    fn sectors(&self) -> usize {
        self.bytes.len() / self.sector_bytes + 1
    }

    /// The table that chains sectors, of which the header and chained sectors have the places.
    fn read_table(&mut self, mut more: u32) -> Result<(), SheetError> {
        let in_header = self.bytes.get(76..76 + 4 * TABLE_SECTORS_IN_HEADER).unwrap_or_default();
        let mut places = numbers(in_header);
        let mut steps = 0;
        while more <= SECTOR_MAX {
            let listed = numbers(self.sector(more)?);
            let (next, listed) = listed.split_last().ok_or_else(|| damaged("its table is cut"))?;
            places.extend(listed);
            more = *next;
            steps += 1;
            if steps > self.sectors() || places.len() > self.sectors() + 2 * self.sector_bytes {
                return Err(damaged("its table has no end"));
            }
        }
        let mut table = Vec::new();
        for place in places.into_iter().filter(|place| *place <= SECTOR_MAX) {
            table.extend(numbers(self.sector(place)?));
            if table.len() > self.sectors() + 2 * self.sector_bytes {
                return Err(damaged("its table is longer than the file"));
            }
        }
        self.table = table;
        Ok(())
    }

    /// The bytes of a chain of sectors, up to a length.
    fn chained(&self, start: u32, length: u64) -> Result<Vec<u8>, SheetError> {
        let mut bytes = Vec::new();
        let mut sector = start;
        let mut steps = 0;
        while sector <= SECTOR_MAX && (bytes.len() as u64) < length {
            bytes.extend_from_slice(self.sector(sector)?);
            let next = self.table.get(sector as usize);
            sector = *next.ok_or_else(|| damaged("a chain leaves its table"))?;
            steps += 1;
            if steps > self.sectors() {
                return Err(damaged("a chain has no end"));
            }
        }
        if length != u64::MAX {
            cut(&mut bytes, length)?;
        }
        Ok(bytes)
    }

    fn read_directory(&mut self, start: u32) -> Result<(), SheetError> {
        let bytes = self.chained(start, u64::MAX)?;
        let entries = bytes.chunks_exact(ENTRY_BYTES).take(ENTRIES_MAX).map(entry);
        self.entries = entries.collect::<Option<_>>().ok_or_else(|| damaged("its directory"))?;
        Ok(())
    }

    /// The stream with this name in the outermost folder.
    pub(super) fn stream(&self, name: &str) -> Result<Option<Vec<u8>>, SheetError> {
        let Some(root) = self.entries.first().filter(|root| root.kind == 5) else {
            return Err(damaged("its directory has no root"));
        };
        let mut open = vec![root.child];
        let mut looked_at = 0;
        while let Some(at) = open.pop() {
            let Some(entry) = self.entries.get(at as usize).filter(|_| at != NONE) else {
                continue;
            };
            looked_at += 1;
            if looked_at > self.entries.len() {
                return Err(damaged("its directory has no end"));
            }
            if entry.kind == 2 && entry.name.eq_ignore_ascii_case(name) {
                return self.content(entry, root).map(Some);
            }
            open.extend([entry.left, entry.right]);
        }
        Ok(None)
    }

    fn content(&self, entry: &Entry, root: &Entry) -> Result<Vec<u8>, SheetError> {
        if entry.length >= self.mini_below {
            return self.chained(entry.start, entry.length);
        }
        let mini = self.chained(root.start, root.length)?;
        let mut bytes = Vec::new();
        let mut sector = entry.start;
        while sector < END && (bytes.len() as u64) < entry.length {
            let start = (sector as usize).saturating_mul(self.mini_sector_bytes);
            let end = start.saturating_add(self.mini_sector_bytes).min(mini.len());
            let part = mini.get(start..end).filter(|part| !part.is_empty());
            bytes.extend_from_slice(part.ok_or_else(|| damaged("a sector is behind its end"))?);
            let next = self.mini_table.get(sector as usize);
            sector = *next.ok_or_else(|| damaged("a chain leaves its table"))?;
        }
        cut(&mut bytes, entry.length)?;
        Ok(bytes)
    }
}

fn cut(bytes: &mut Vec<u8>, length: u64) -> Result<(), SheetError> {
    match usize::try_from(length) {
        Ok(length) if length <= bytes.len() => bytes.truncate(length),
        _ => return Err(damaged("a stream is cut off")),
    }
    Ok(())
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect()
}

fn entry(bytes: &[u8]) -> Option<Entry> {
    let length = usize::from(u16_at(bytes, 64)?).saturating_sub(2).min(62);
    let units =
        bytes.get(..length)?.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    let name = char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(Entry {
        name: name.collect(),
        kind: *bytes.get(66)?,
        left: u32_at(bytes, 68)?,
        right: u32_at(bytes, 72)?,
        child: u32_at(bytes, 76)?,
        start: u32_at(bytes, 116)?,
        // Older programs leave something in the upper half.
        length: u64::from(u32_at(bytes, 120)?),
    })
}
