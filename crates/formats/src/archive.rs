//! ZIP archives, as spreadsheets and downloads of several statements are.
//!
//! Only what is needed of them: the directory, and parts that are stored or deflated. Parts that
//! are encrypted, and archives of more than 4 GiB, are refused. A part is inflated up to a limit,
//! and must have the length and the checksum that the directory states.

pub mod writer;

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};

use crc32fast::Hasher;
use flate2::bufread::DeflateDecoder;

use crate::decode::fill;

/// Parts of an archive; a spreadsheet has some dozens.
const PARTS_MAX: u16 = 10_000;
/// Bytes of the name of a part.
const NAME_BYTES_MAX: usize = 1_024;
/// The end of the directory without its comment, and the longest comment.
const END_BYTES: usize = 22;
const COMMENT_BYTES_MAX: usize = 65_535;

/// Why an archive or a part of it can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Reading the source failed, or a part doesn't inflate.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The end of the directory isn't there.
    #[error("The file is no ZIP archive, or it is cut off")]
    NotAnArchive,
    /// More than the numbers of the plain format can hold, or than any file of a bank has.
    #[error("The archive has more than {PARTS_MAX} parts or 4 GiB")]
    TooLarge,
    /// Names and lengths of the directory don't fit.
    #[error("The directory of the archive is damaged")]
    Damaged,
    /// A password is needed for it.
    #[error("\"{name}\" in the archive is encrypted")]
    Encrypted {
        /// The name of the part.
        name: String,
    },
    /// Neither stored nor deflated.
    #[error("\"{name}\" in the archive is compressed in a way that isn't read")]
    UnknownMethod {
        /// The name of the part.
        name: String,
    },
    /// The archive doesn't have such a part.
    #[error("The archive has no \"{name}\"")]
    NoPart {
        /// The name that was looked for.
        name: String,
    },
}

/// A part of an archive, as the directory describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivePart {
    /// The path in the archive.
    pub name: String,
    /// Bytes once it is inflated, as the directory states it.
    pub size: u64,
    packed: u64,
    checksum: u32,
    header: u64,
    method: u16,
    is_encrypted: bool,
}

/// An archive of which the directory was read.
#[derive(Debug)]
pub struct Archive<R> {
    source: R,
    parts: Vec<ArchivePart>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory at the end.
    pub fn open(mut source: R) -> Result<Self, ArchiveError> {
        let length = source.seek(SeekFrom::End(0))?;
        let tail =
            (END_BYTES + COMMENT_BYTES_MAX).min(usize::try_from(length).unwrap_or(usize::MAX));
        source.seek(SeekFrom::Start(length - tail as u64))?;
        let mut bytes = vec![0; tail];
        source.read_exact(&mut bytes)?;
        let end = end_of_directory(&bytes).ok_or(ArchiveError::NotAnArchive)?;
        let (count, size, start) = (u16_at(end, 10), u32_at(end, 12), u32_at(end, 16));
        if count > PARTS_MAX || size == u32::MAX || start == u32::MAX {
            return Err(ArchiveError::TooLarge);
        }
        if u64::from(start) + u64::from(size) > length {
            return Err(ArchiveError::Damaged);
        }
        source.seek(SeekFrom::Start(u64::from(start)))?;
        let mut directory = BufReader::new((&mut source).take(u64::from(size)));
        let parts = (0..count).map(|_| part(&mut directory)).collect::<Result<_, _>>()?;
        Ok(Self { source, parts })
    }

    /// The parts in the order of the directory.
    pub fn parts(&self) -> &[ArchivePart] {
        &self.parts
    }

    /// The parts that are files: no folders, and not what Macs add beside each file.
    pub fn files(&self) -> impl Iterator<Item = &ArchivePart> {
        self.parts.iter().filter(|part| {
            let name = part.name.as_str();
            let file = name.rsplit('/').next().unwrap_or_default();
            !file.is_empty() && !file.starts_with('.') && !name.starts_with("__MACOSX/")
        })
    }

    /// Why the names show that somebody made the archive to do harm: a clause.
    pub fn unsafe_names(&self) -> Option<&'static str> {
        let mut known = HashSet::new();
        for part in &self.parts {
            if !is_safe(&part.name) {
                return Some("a name in the archive leads out of its folder");
            }
            if !known.insert(part.name.to_ascii_lowercase()) {
                return Some("the archive has two parts of one name");
            }
        }
        None
    }

    /// The names of two files with the same content, by their lengths and checksums.
    pub fn equal_files(&self) -> Option<[String; 2]> {
        let mut known = HashMap::new();
        self.files().find_map(|part| {
            let before = known.insert((part.size, part.checksum), &part.name)?;
            Some([before.clone(), part.name.clone()])
        })
    }

    /// Reads the part with this name, whatever its case; more than `bytes_max` of it are an error.
    pub fn read(
        &mut self,
        name: &str,
        bytes_max: u64,
    ) -> Result<impl Read + use<'_, R>, ArchiveError> {
        let part = self.parts.iter().find(|part| part.name.eq_ignore_ascii_case(name));
        let part = part.ok_or_else(|| ArchiveError::NoPart { name: name.to_owned() })?;
        if part.is_encrypted {
            return Err(ArchiveError::Encrypted { name: part.name.clone() });
        }
        self.source.seek(SeekFrom::Start(part.header))?;
        let mut header = [0; 30];
        self.source.read_exact(&mut header)?;
        if &header[..4] != b"PK\x03\x04" {
            return Err(ArchiveError::Damaged);
        }
        let skipped = i64::from(u16_at(&header, 26)) + i64::from(u16_at(&header, 28));
        self.source.seek(SeekFrom::Current(skipped))?;
        let packed = BufReader::new((&mut self.source).take(part.packed));
        let content = match part.method {
            0 => Content::Stored(packed),
            8 => Content::Deflated(DeflateDecoder::new(packed)),
            _ => return Err(ArchiveError::UnknownMethod { name: part.name.clone() }),
        };
        Ok(CheckedPart {
            content,
            left: bytes_max.min(part.size),
            is_limited: bytes_max < part.size,
            hasher: Hasher::new(),
            checksum: part.checksum,
        })
    }
}

enum Content<R> {
    Stored(BufReader<Take<R>>),
    Deflated(DeflateDecoder<BufReader<Take<R>>>),
}

/// A part that is compared with the directory while it is read.
struct CheckedPart<R> {
    content: Content<R>,
    left: u64,
    /// The directory states more than the limit.
    is_limited: bool,
    hasher: Hasher,
    checksum: u32,
}

impl<R: Read> Read for CheckedPart<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let invalid = |text: &str| Err(io::Error::new(io::ErrorKind::InvalidData, text));
        let read = match &mut self.content {
            Content::Stored(content) => content.read(buffer)?,
            Content::Deflated(content) => content.read(buffer)?,
        };
        if read as u64 > self.left {
            return match self.is_limited {
                true => invalid("a part of the archive is larger than is read"),
                false => invalid("a part of the archive is larger than its directory states"),
            };
        }
        self.left -= read as u64;
        self.hasher.update(&buffer[..read]);
        if read == 0 && !buffer.is_empty() {
            let is_whole = self.left == 0 && self.hasher.clone().finalize() == self.checksum;
            if !is_whole {
                return invalid("a part of the archive is damaged");
            }
        }
        Ok(read)
    }
}

fn is_safe(name: &str) -> bool {
    !name.starts_with('/')
        && !name.contains(['\\', ':', '\0'])
        && name.split('/').all(|folder| folder != "..")
}

/// The record at the end of an archive: the last one of which the comment reaches the end.
fn end_of_directory(tail: &[u8]) -> Option<&[u8]> {
    let last = tail.len().checked_sub(END_BYTES)?;
    (0..=last).rev().map(|at| &tail[at..]).find(|end| {
        end.starts_with(b"PK\x05\x06") && usize::from(u16_at(end, 20)) == end.len() - END_BYTES
    })
}

fn part(directory: &mut impl Read) -> Result<ArchivePart, ArchiveError> {
    let mut fixed = [0; 46];
    if fill(directory, &mut fixed, 0)? < fixed.len() || &fixed[..4] != b"PK\x01\x02" {
        return Err(ArchiveError::Damaged);
    }
    let name_length = usize::from(u16_at(&fixed, 28));
    let skipped = u64::from(u16_at(&fixed, 30)) + u64::from(u16_at(&fixed, 32));
    let (packed, size, header) = (u32_at(&fixed, 20), u32_at(&fixed, 24), u32_at(&fixed, 42));
    if name_length > NAME_BYTES_MAX {
        return Err(ArchiveError::Damaged);
    }
    if [packed, size, header].contains(&u32::MAX) {
        return Err(ArchiveError::TooLarge);
    }
    let mut name = vec![0; name_length];
    if fill(directory, &mut name, 0)? < name_length {
        return Err(ArchiveError::Damaged);
    }
    io::copy(&mut directory.take(skipped), &mut io::sink())?;
    Ok(ArchivePart {
        name: String::from_utf8_lossy(&name).into_owned(),
        size: u64::from(size),
        packed: u64::from(packed),
        checksum: u32_at(&fixed, 16),
        header: u64::from(header),
        method: u16_at(&fixed, 10),
        is_encrypted: u16_at(&fixed, 8) & 1 != 0,
    })
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
