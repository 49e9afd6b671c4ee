//! Writing ZIP archives as a stream: nothing is read again, and no part is held in memory.
//!
//! Lengths and checksums follow each part and stand in the directory at the end, as the format has
//! it for writers that can't go back. Parts are deflated. Their day is that of the epoch of the
//! format, so that equal contents make equal archives.

use std::io::{self, Write};

use crc32fast::Hasher;
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Lengths follow the part, and names are UTF-8.
const FLAGS: u16 = 0x0808;
/// The first day that the format knows: 1980-01-01.
const DAY: u16 = 0x0021;

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

/// A part that is being written.
struct Part<'a, W: Write> {
    encoder: DeflateEncoder<&'a mut Counted<W>>,
    hasher: Hasher,
    size: u64,
}

impl<W: Write> Write for Part<'_, W> {
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
        let start = self.output.bytes;
        let length = u16::try_from(name.len()).map_err(io::Error::other)?;
        let fixed = [20, FLAGS, 8, 0, DAY];
        self.output.write_all(b"PK\x03\x04")?;
        self.output.write_all(&shorts(&fixed))?;
        self.output.write_all(&[0; 12])?;
        self.output.write_all(&shorts(&[length, 0]))?;
        self.output.write_all(name.as_bytes())?;
        let content = self.output.bytes;
        let (written, checksum, size) = deflated(&mut self.output, write)?;
        let packed = self.output.bytes - content;
        let mut lengths = checksum.to_le_bytes().to_vec();
        for bytes in [packed, size] {
            lengths.extend(short_length(bytes)?.to_le_bytes());
        }
        self.output.write_all(b"PK\x07\x08")?;
        self.output.write_all(&lengths)?;
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(shorts(&[20]));
        self.directory.extend(shorts(&fixed));
        self.directory.extend(&lengths);
        self.directory.extend(shorts(&[length, 0, 0, 0, 0, 0, 0]));
        self.directory.extend(short_length(start)?.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.parts = self.parts.checked_add(1).ok_or_else(|| io::Error::other("many parts"))?;
        Ok(written)
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

/// Deflates what is written; returns the checksum and the length of it, too.
fn deflated<W: Write, T>(
    output: &mut Counted<W>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<(T, u32, u64)> {
    let encoder = DeflateEncoder::new(output, Compression::default());
    let mut part = Part { encoder, hasher: Hasher::new(), size: 0 };
    let written = write(&mut part)?;
    let Part { encoder, hasher, size } = part;
    encoder.finish()?;
    Ok((written, hasher.finalize(), size))
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
        let bytes = archive.finish().unwrap();
        assert!(bytes.len() < 2_000, "{}", bytes.len());
        let mut archive = Archive::open(Cursor::new(bytes)).unwrap();
        let names: Vec<&str> = archive.parts().iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["a.csv", "folder/ü.csv"]);
        for (name, expected) in [("a.csv", long.as_str()), ("folder/ü.csv", "")] {
            let mut text = String::new();
            archive.read(name, 1 << 20).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, expected, "{name}");
        }
    }
}
