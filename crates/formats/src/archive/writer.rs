//! Writing ZIP archives as a stream: nothing is read again, and no part is held in memory.
//!
//! Lengths and checksums follow each part and stand in the directory at the end, as the format has
//! it for writers that can't go back. Parts are deflated. Their day is that of the epoch of the
//! format, so that equal contents make equal archives.

use std::io::{self, Read, Write};

use crc32fast::Hasher;
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Lengths follow the part, and names are UTF-8.
const FLAGS: u16 = 0x0808;
/// The first day that the format knows: 1980-01-01.
const DAY: u16 = 0x0021;
/// How hard a part is deflated. Exports are made often and read seldom, beside a server that has
/// other work; but the level below makes files that are half as large again, because it has one
/// fixed code for everything.
const LEVEL: u32 = 2;
/// What both headers of every part have: version, flags, method (deflated), time and day.
const FIXED: [u16; 5] = [20, FLAGS, 8, 0, DAY];

/// An archive that is being written.
#[derive(Debug)]
pub struct ArchiveWriter<W> {
    output: Counted<W>,
    directory: Vec<u8>,
    parts: u16,
}

/// Counts what goes through.
#[derive(Debug)]
struct Counted<W> {
    output: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The content of a part that is being written, deflated.
pub struct Part<W: Write> {
    encoder: DeflateEncoder<W>,
    hasher: Hasher,
    size: u64,
}

/// What the directory has of a part: its checksum, and its lengths deflated and plain.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    checksum: u32,
    packed: u64,
    size: u64,
}

impl<W: Write> Part<W> {
    /// A part that is written elsewhere, and added with [`ArchiveWriter::add_packed`].
    pub fn new(output: W) -> Self {
        let encoder = DeflateEncoder::new(output, Compression::new(LEVEL));
        Self { encoder, hasher: Hasher::new(), size: 0 }
    }

    /// Ends the part.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<(W, Extent)> {
        self.encoder.try_finish()?;
        let packed = self.encoder.total_out();
        let extent = Extent { checksum: self.hasher.finalize(), packed, size: self.size };
        Ok((self.encoder.finish()?, extent))
    }
}

impl<W: Write> Write for Part<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.encoder.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

impl<W: Write> ArchiveWriter<W> {
    /// An archive without parts so far.
    pub fn new(output: W) -> Self {
        Self { output: Counted { output, bytes: 0 }, directory: Vec::new(), parts: 0 }
    }

    /// Adds a part with what `write` writes.
    ///
    /// # Errors
    /// Those of `write` and of the output, and if the archive becomes larger than 4 GiB.
    pub fn part<T>(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        let start = self.begin_part(name)?;
        let mut part = Part::new(&mut self.output);
        let written = write(&mut part)?;
        let (_, extent) = part.finish()?;
        self.end_part(name, start, extent)?;
        Ok(written)
    }

    /// Adds a part that was deflated before.
    ///
    /// # Errors
    /// Those of the content and of the output, if the content has another length than it had when
    /// it was written, and if the archive becomes larger than 4 GiB.
    pub fn add_packed(
        &mut self,
        name: &str,
        extent: Extent,
        content: &mut dyn Read,
    ) -> io::Result<()> {
        let start = self.begin_part(name)?;
        if io::copy(content, &mut self.output)? != extent.packed {
            return Err(io::Error::other("a part has another length than it had"));
        }
        self.end_part(name, start, extent)
    }

    /// Writes what stands before a part, and returns the place where that begins.
    fn begin_part(&mut self, name: &str) -> io::Result<u64> {
        let start = self.output.bytes;
        let length = u16::try_from(name.len()).map_err(io::Error::other)?;
        self.output.write_all(b"PK\x03\x04")?;
        self.output.write_all(&shorts(&FIXED))?;
        self.output.write_all(&[0; 12])?;
        self.output.write_all(&shorts(&[length, 0]))?;
        self.output.write_all(name.as_bytes())?;
        Ok(start)
    }

    /// Writes what stands behind a part, and notes it for the directory.
    fn end_part(&mut self, name: &str, start: u64, extent: Extent) -> io::Result<()> {
        let length = u16::try_from(name.len()).map_err(io::Error::other)?;
        let mut lengths = extent.checksum.to_le_bytes().to_vec();
        for bytes in [extent.packed, extent.size] {
            lengths.extend(short_length(bytes)?.to_le_bytes());
        }
        self.output.write_all(b"PK\x07\x08")?;
        self.output.write_all(&lengths)?;
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(shorts(&[20]));
        self.directory.extend(shorts(&FIXED));
        self.directory.extend(&lengths);
        self.directory.extend(shorts(&[length, 0, 0, 0, 0, 0, 0]));
        self.directory.extend(short_length(start)?.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.parts = self.parts.checked_add(1).ok_or_else(|| io::Error::other("many parts"))?;
        Ok(())
    }

    /// Writes the directory and returns the output.
    ///
    /// # Errors
    /// Those of the output, and if the archive is larger than 4 GiB.
    pub fn finish(mut self) -> io::Result<W> {
        let start = short_length(self.output.bytes)?;
        let size = short_length(self.directory.len() as u64)?;
        self.output.write_all(&self.directory)?;
        self.output.write_all(b"PK\x05\x06")?;
        self.output.write_all(&shorts(&[0, 0, self.parts, self.parts]))?;
        self.output.write_all(&size.to_le_bytes())?;
        self.output.write_all(&start.to_le_bytes())?;
        self.output.write_all(&shorts(&[0]))?;
        self.output.flush()?;
        Ok(self.output.output)
    }
}

/// A place or a length in the archive, for which the format has four bytes.
fn short_length(bytes: u64) -> io::Result<u32> {
    u32::try_from(bytes).map_err(|_| io::Error::other("it would be larger than 4 GiB"))
}

fn shorts(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::*;
    use crate::archive::Archive;

    #[test]
    fn what_is_written_is_read_again() {
        let mut archive = ArchiveWriter::new(Vec::new());
        let long = "0123456789".repeat(10_000);
        archive.part("a.csv", |part| part.write_all(long.as_bytes())).unwrap();
        archive.part("folder/ü.csv", |part| part.write_all(b"")).unwrap();
        let mut beside = Part::new(Vec::new());
        beside.write_all(b"written elsewhere").unwrap();
        let (packed, extent) = beside.finish().unwrap();
        archive.add_packed("b.csv", extent, &mut packed.as_slice()).unwrap();
        let refused = archive.add_packed("c.csv", extent, &mut &packed[1..]);
        assert!(refused.is_err());
        let bytes = archive.finish().unwrap();
        assert!(bytes.len() < 2_000, "{}", bytes.len());
        let mut archive = Archive::open(Cursor::new(bytes)).unwrap();
        let names: Vec<&str> = archive.parts().iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["a.csv", "folder/ü.csv", "b.csv"]);
        let contents = [long.as_str(), "", "written elsewhere"];
        for (name, expected) in ["a.csv", "folder/ü.csv", "b.csv"].into_iter().zip(contents) {
            let mut text = String::new();
            archive.read(name, 1 << 20).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, expected, "{name}");
        }
    }
}
