//! Reads an archive from its beginning to its end, once, and accepts nothing but what the writer
//! writes.

use std::io::{BufRead, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};

use super::error::{Result, damaged, unread};
use super::manifest::{Ending, FileName, Manifest};
use super::tar::{BLOCK, Header, padding, parse};
use super::writer::hexadecimal;
use super::{DOCUMENT_BYTES_MAX, ENDING, MANIFEST, PART_BYTES_MAX};

/// An archive that is being read.
pub struct Reader<R: BufRead> {
    input: Input<R>,
    manifest: Manifest,
    /// The number of rows of each table up to the present one, and of its parts.
    rows: Vec<u64>,
    parts: u64,
    files: u64,
}

/// A part of an archive.
pub enum Member<'r> {
    /// Rows of a table of the manifest, a line each.
    Rows {
        /// The position of the table in the manifest.
        table: usize,
        /// The lines, each with its end.
        lines: Vec<u8>,
    },
    /// An uploaded file, as it came.
    File {
        /// The family and the id.
        name: FileName,
        /// The content, which may be left unread.
        content: Content<'r>,
    },
    /// The end, which fits to all that was read before it. Nothing follows.
    End(Ending),
}

/// The content of an uploaded file in an archive.
pub struct Content<'r>(&'r mut dyn FileBytes);

impl Content<'_> {
    /// Reads the next bytes into a part of the buffer; 0 at the end.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read_file(buffer)
    }
}

/// An archive in which the next bytes are those of a file.
trait FileBytes {
    fn read_file(&mut self, buffer: &mut [u8]) -> Result<usize>;
}

/// The decompressed bytes, and the checksum of those that were read.
struct Input<R: BufRead> {
    bytes: MultiGzDecoder<R>,
    sha256: Sha256,
    /// Bytes of the present file that were not read yet, and its size.
    left: u64,
    file_bytes: u64,
}

impl<R: BufRead> FileBytes for Input<R> {
    fn read_file(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let wanted = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        let got = loop {
            match self.bytes.read(&mut buffer[..wanted]) {
                Ok(0) => return Err(unread(ErrorKind::UnexpectedEof.into())),
                Ok(got) => break got,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(unread(error)),
            }
        };
        self.sha256.update(&buffer[..got]);
        self.left -= got as u64;
        Ok(got)
    }
}

impl<R: BufRead> Input<R> {
    /// The next header, which is not in the checksum yet.
    fn header(&mut self) -> Result<Header> {
        let mut header = [0; BLOCK];
        self.bytes.read_exact(&mut header).map_err(unread)?;
        Ok(header)
    }

    /// A content that is held in memory. It grows with what there is, whatever its header states.
    fn content(&mut self, bytes: u64, bytes_max: u64) -> Result<Vec<u8>> {
        if bytes > bytes_max {
            return Err(damaged("a member of the backup is larger than any that was written"));
        }
        let mut content = Vec::new();
        let read = (&mut self.bytes).take(bytes).read_to_end(&mut content).map_err(unread)?;
        if read as u64 != bytes {
            return Err(unread(ErrorKind::UnexpectedEof.into()));
        }
        self.sha256.update(&content);
        self.skip_padding(bytes)?;
        Ok(content)
    }

    /// Reads what is left of the present file.
    fn end_file(&mut self) -> Result<()> {
        let mut buffer = [0; 8 * BLOCK];
        while self.read_file(&mut buffer)? > 0 {}
        let bytes = std::mem::take(&mut self.file_bytes);
        self.skip_padding(bytes)
    }

    fn skip_padding(&mut self, bytes: u64) -> Result<()> {
        let mut zeros = [0; BLOCK];
        let zeros = &mut zeros[..padding(bytes)];
        self.bytes.read_exact(zeros).map_err(unread)?;
        self.sha256.update(&*zeros);
        let is_empty = zeros.iter().all(|byte| *byte == 0);
        if is_empty { Ok(()) } else { Err(damaged("there are bytes between two members")) }
    }
}

impl<R: BufRead> Reader<R> {
    /// Begins to read, up to the manifest.
    pub fn open(bytes: R) -> Result<Self> {
        let bytes = MultiGzDecoder::new(bytes);
        let mut input = Input { bytes, sha256: Sha256::new(), left: 0, file_bytes: 0 };
        let no_backup = || damaged("the file is not a backup of Purser");
        if input.bytes.header().is_none() {
            return Err(no_backup());
        }
        let header = input.header()?;
        let size = match parse(&header) {
            Ok((MANIFEST, size)) => size,
            _ => return Err(no_backup()),
        };
        input.sha256.update(header);
        let manifest = Manifest::read(&input.content(size, DOCUMENT_BYTES_MAX)?)?;
        Ok(Self { input, manifest, rows: Vec::new(), parts: 0, files: 0 })
    }

    /// What the archive contains.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Reads the next member.
    pub fn next_member(&mut self) -> Result<Member<'_>> {
        self.input.end_file()?;
        let header = self.input.header()?;
        let (name, bytes) = parse(&header)?;
        if name == ENDING {
            return self.end(bytes);
        }
        self.input.sha256.update(header);
        if let Some(rest) = name.strip_prefix("tables/") {
            return self.part(rest, bytes);
        }
        let unknown = || damaged(format!("the backup has a member {name:?}"));
        let name = name.strip_prefix("files/").and_then(FileName::parse).ok_or_else(unknown)?;
        self.files += 1;
        (self.input.left, self.input.file_bytes) = (bytes, bytes);
        Ok(Member::File { name, content: Content(&mut self.input) })
    }

    /// A part of the present table or of a later one.
    fn part(&mut self, name: &str, bytes: u64) -> Result<Member<'_>> {
        if self.files > 0 {
            return Err(damaged("there are rows after files"));
        }
        let unknown = || damaged(format!("the backup has a part {name:?}"));
        let (table, number) = name.split_once('/').ok_or_else(unknown)?;
        let at = self.table(table).ok_or_else(unknown)?;
        if at >= self.rows.len() {
            // Tables without rows have no part.
            self.rows.resize(at + 1, 0);
            self.parts = 0;
        }
        if number != format!("{:06}.jsonl", self.parts) {
            return Err(unknown());
        }
        self.parts += 1;
        let lines = self.input.content(bytes, PART_BYTES_MAX)?;
        if lines.last() != Some(&b'\n') {
            return Err(damaged("a row of the backup has no end"));
        }
        self.rows[at] += memchr::memchr_iter(b'\n', &lines).count() as u64;
        Ok(Member::Rows { table: at, lines })
    }

    /// The position of a table, which is the present one or a later one.
    fn table(&self, name: &str) -> Option<usize> {
        let present = self.rows.len().saturating_sub(1);
        let mut later = self.manifest.tables.iter().enumerate().skip(present);
        later.find(|(_, table)| table.name == name).map(|(at, _)| at)
    }

    /// The last member, whatever it is compared with, and what follows it.
    fn end(&mut self, bytes: u64) -> Result<Member<'_>> {
        let sha256 = hexadecimal(&self.input.sha256.clone().finalize());
        let ending = Ending::read(&self.input.content(bytes, DOCUMENT_BYTES_MAX)?)?;
        self.rows.resize(self.manifest.tables.len(), 0);
        let mut trailer = [0; 2 * BLOCK];
        self.input.bytes.read_exact(&mut trailer).map_err(unread)?;
        // Reading on to the end compares the checksum of the last bytes, too.
        let rest = self.input.bytes.read(&mut [0]).map_err(unread)?;
        if rest > 0 || trailer.iter().any(|byte| *byte != 0) {
            return Err(damaged("there are bytes after the end of the backup"));
        }
        if ending.sha256 != sha256 {
            return Err(damaged("the content of the backup doesn't fit its checksum"));
        }
        if ending.rows != self.rows || ending.files != self.files {
            return Err(damaged("rows or files of the backup are missing"));
        }
        Ok(Member::End(ending))
    }
}
