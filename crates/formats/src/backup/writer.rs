//! Writes an archive, member by member, to anything that takes bytes.

use std::io::{self, ErrorKind, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::cells::{Cell, write_row};
use super::error::{ArchiveError, Result};
use super::manifest::{Ending, FileName, Manifest};
use super::tar::{BLOCK, header, padding};
use super::{ENDING, MANIFEST, PART_BYTES};

/// Bytes that are copied from a file, or written, at a time.
const COPY_BYTES: usize = 64 * 1024;

/// Compresses what a [`Writer`] writes. Backups are made often and read seldom, beside a server
/// that has other work.
pub fn compressed<W: Write>(out: W) -> GzEncoder<W> {
    GzEncoder::new(out, Compression::fast())
}

/// An archive that is being written, not compressed yet.
pub struct Writer<W: Write> {
    out: W,
    sha256: Sha256,
    seconds: u64,
    tables: Vec<String>,
    /// The number of rows of each table that was begun.
    rows: Vec<u64>,
    /// The rows of the present table that are not written yet, and how many parts are.
    part: Vec<u8>,
    parts: u64,
    files: u64,
    missing: Vec<FileName>,
    altered: Vec<FileName>,
}

impl<W: Write> Writer<W> {
    /// Begins an archive with its manifest.
    pub fn begin(out: W, manifest: &Manifest) -> Result<Self> {
        let mut writer = Self {
            out,
            sha256: Sha256::new(),
            seconds: manifest.created_at.as_second().max(0).unsigned_abs(),
            tables: manifest.tables.iter().map(|table| table.name.clone()).collect(),
            rows: Vec::new(),
            part: Vec::new(),
            parts: 0,
            files: 0,
            missing: Vec::new(),
            altered: Vec::new(),
        };
        writer.document(MANIFEST, manifest)?;
        Ok(writer)
    }

    /// Ends the present table, if there is one, and begins the next one of the manifest.
    pub fn next_table(&mut self) -> Result<()> {
        self.end_table()?;
        self.rows.push(0);
        Ok(())
    }

    /// Adds a row to the present table.
    pub fn row(&mut self, row: &[Cell<'_>]) -> Result<()> {
        let Some(count) = self.rows.last_mut() else { return Err(misuse("a row of no table")) };
        *count += 1;
        write_row(&mut self.part, row);
        if self.part.len() < PART_BYTES { Ok(()) } else { self.end_part() }
    }

    /// Adds an uploaded file of this size, after all tables.
    pub fn file(&mut self, name: FileName, bytes: u64, content: &mut dyn Read) -> Result<()> {
        self.end_table()?;
        self.header(&format!("files/{}/{}", name.family, name.id), bytes)?;
        let mut left = bytes;
        let mut buffer = vec![0; COPY_BYTES];
        while left > 0 {
            let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let got = match content.read(&mut buffer[..wanted]) {
                Ok(0) => Err(io::Error::new(ErrorKind::UnexpectedEof, "a file became shorter")),
                Ok(got) => Ok(got),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let got = got.map_err(ArchiveError::Read)?;
            self.put(&buffer[..got])?;
            left -= got as u64;
        }
        self.pad(bytes)?;
        self.files += 1;
        Ok(())
    }

    /// Notes a file that has a row but is not there.
    pub fn note_missing(&mut self, name: FileName) {
        self.missing.push(name);
    }

    /// Notes a file that is not what its row states.
    pub fn note_altered(&mut self, name: FileName) {
        self.altered.push(name);
    }

    /// Writes the end of the archive, and returns it with what took the bytes.
    pub fn finish(mut self) -> Result<(W, Ending)> {
        self.end_table()?;
        if self.rows.len() != self.tables.len() {
            return Err(misuse("a table was not written"));
        }
        let sha256 = std::mem::take(&mut self.sha256).finalize();
        let ending = Ending {
            rows: std::mem::take(&mut self.rows),
            files: self.files,
            missing: std::mem::take(&mut self.missing),
            altered: std::mem::take(&mut self.altered),
            sha256: hexadecimal(&sha256),
        };
        self.document(ENDING, &ending)?;
        // Two empty blocks are the end of a tar archive.
        self.put(&[0; 2 * BLOCK])?;
        Ok((self.out, ending))
    }

    fn end_table(&mut self) -> Result<()> {
        if !self.part.is_empty() {
            self.end_part()?;
        }
        self.parts = 0;
        Ok(())
    }

    fn end_part(&mut self) -> Result<()> {
        let table = self.rows.len().checked_sub(1).and_then(|at| self.tables.get(at));
        let Some(table) = table else { return Err(misuse("more tables than in the manifest")) };
        let name = format!("tables/{table}/{:06}.jsonl", self.parts);
        let part = std::mem::take(&mut self.part);
        self.member(&name, &part)?;
        self.part = part;
        self.part.clear();
        self.parts += 1;
        Ok(())
    }

    fn document(&mut self, name: &str, document: &impl serde::Serialize) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(document)
            .map_err(|error| ArchiveError::Write(error.into()))?;
        text.push(b'\n');
        self.member(name, &text)
    }

    fn member(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let bytes = content.len() as u64;
        self.header(name, bytes)?;
        self.put(content)?;
        self.pad(bytes)
    }

    fn header(&mut self, name: &str, bytes: u64) -> Result<()> {
        let header = header(name, bytes, self.seconds);
        self.put(&header.ok_or_else(|| misuse("a member is too large for an archive"))?)
    }

    fn pad(&mut self, bytes: u64) -> Result<()> {
        self.put(&[0; BLOCK][..padding(bytes)])
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.chunks(COPY_BYTES) {
            self.sha256.update(piece);
            self.out.write_all(piece).map_err(ArchiveError::Write)?;
        }
        Ok(())
    }
}

/// Hexadecimal digits of a checksum.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A defect of whoever writes.
fn misuse(what: &str) -> ArchiveError {
    ArchiveError::Write(io::Error::other(what.to_owned()))
}
