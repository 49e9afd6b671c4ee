//! Chunks as they come: what is wrong with one by itself is reported at once. What its records mean
//! is judged when all chunks are one file.

use std::fmt::Write as _;
use std::fs::File;

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::ImportSessionId;
use purser_core::import::import_type::ImportType;
use purser_formats::csv::{ReadError, Reader};
use purser_formats::decode::{self, ContentKind};
use purser_store::files::io_failed;
use purser_store::imports::sessions::{self, NewChunk};
use purser_store::{Access, FamilyTx};

use super::super::decoded_file::{head_of, rewound};
use super::super::expected_content::require_csv;
use super::super::size;
use super::super::stored::Stored;
use crate::App;

/// The mark that a text in UTF-8 may begin with.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";
/// Each line of a chunk is one cell.
const LINE_END: u8 = b'\n';

/// What was sent beside the content of a chunk.
#[derive(Debug, Clone)]
pub struct ChunkRequest {
    /// The place among the chunks, counted from 1.
    pub sequence: u64,
    /// The client's own name for it.
    pub client_id: Option<String>,
    /// The checksum that the content must have, in hexadecimal digits.
    pub checksum: Option<String>,
}

/// A chunk of which the content is on the disk.
#[derive(Debug)]
pub struct ReceivedChunk {
    stored: Stored,
    new: NewChunk,
    bytes_max: u64,
}

/// What a chunk was found to have.
struct Lines {
    all: u64,
    not_blank: u64,
}

impl ReceivedChunk {
    /// Looks through a chunk, when it is the family's turn.
    ///
    /// # Errors
    /// `checksum_mismatch`, `invalid_file_type` and `invalid_ndjson`.
    pub async fn receive(
        app: &App,
        access: &Access,
        request: ChunkRequest,
        stored: Stored,
    ) -> Result<Self> {
        let ChunkRequest { sequence, client_id, checksum } = request;
        require_checksum(checksum.as_deref(), &stored.content.sha256)?;
        let (files, family) = (app.files.clone(), access.family());
        let look = move || {
            let lines = look_through(&files.read(family, stored.id)?)?;
            Ok((stored, lines))
        };
        let ((stored, lines), _) = app.read_file(access, look).await?;
        let new = NewChunk {
            sequence,
            client_id,
            file: stored.id,
            content: stored.content,
            lines: lines.all,
            rows: lines.not_blank,
        };
        let bytes_max = size::native_bytes_max(true, app.imports.max_csv_bytes);
        Ok(Self { stored, new, bytes_max })
    }

    /// What makes two chunks equal that are sent to a session.
    pub fn fingerprint(&self) -> Vec<u8> {
        let NewChunk { sequence, client_id, content, .. } = &self.new;
        format!("{sequence} {client_id:?} {}", hexadecimal(&content.sha256)).into_bytes()
    }

    /// Adds it to a session, unless it is there already.
    pub fn store(&self, tx: &mut FamilyTx<'_>, session: ImportSessionId) -> Result<()> {
        let chunk = sessions::chunk_add(tx, session, &self.new, self.bytes_max)?;
        if chunk.file == Some(self.stored.id) {
            self.stored.keep();
        } else {
            self.stored.discard();
        }
        Ok(())
    }

    /// It was surely not stored: its file goes with it.
    pub fn discard(&self) {
        self.stored.discard();
    }
}

/// Removes a chunk of a session that isn't published.
pub fn remove(tx: &mut FamilyTx<'_>, session: ImportSessionId, sequence: u64) -> Result<()> {
    let file = sessions::chunk_remove(tx, session, sequence)?;
    super::remove_files(tx, vec![file])
}

/// A checksum as it is written: 64 hexadecimal digits.
pub fn hexadecimal(sha256: &[u8; 32]) -> String {
    sha256.iter().fold(String::with_capacity(2 * sha256.len()), |mut text, byte| {
        // Writing to a text can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn require_checksum(sent: Option<&str>, found: &[u8; 32]) -> Result<()> {
    let found = hexadecimal(found);
    match sent {
        Some(sent) if !sent.eq_ignore_ascii_case(&found) => {
            let sentence = format!("The content came with the checksum {found}: send it again");
            Err(Error::invalid_code("checksum_mismatch", Problem::about("checksum", sentence)))
        }
        _ => Ok(()),
    }
}

fn look_through(file: &File) -> Result<Lines> {
    let head = head_of(file)?;
    if decode::content_kind(&head, None) == ContentKind::Zip {
        let sentence = "A chunk is NDJSON itself, not an archive";
        return Err(Error::invalid_code("invalid_file_type", sentence));
    }
    require_csv(file, None, ImportType::Native)?;
    let start = if head.starts_with(MARK) { MARK.len() as u64 } else { 0 };
    let mut reader = Reader::new(rewound(file, start).map_err(io_failed)?, LINE_END);
    let mut not_blank = 0;
    while reader.read().map_err(unreadable)?.is_some() {
        not_blank += 1;
    }
    Ok(Lines { all: reader.line() - 1, not_blank })
}

fn unreadable(error: ReadError) -> Error {
    match error {
        ReadError::Io(error) => io_failed(error),
        error => Error::invalid_code("invalid_ndjson", error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn look(content: &[u8]) -> Result<(u64, u64)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        look_through(&file).map(|lines| (lines.all, lines.not_blank))
    }

    #[test]
    fn lines_are_counted_as_the_whole_file_counts_them() {
        for (content, lines) in [
            (&b"{}"[..], (1, 1)),
            (b"{}\n", (1, 1)),
            (b"{}\n\n{}\r\n \r{}", (5, 3)),
            (b"\xef\xbb\xbf{}\n{}\n\n", (3, 2)),
            (b"{}\r", (1, 1)),
        ] {
            assert_eq!(look(content).unwrap(), lines, "{content:?}");
        }
    }

    #[test]
    fn what_is_no_ndjson_is_refused_with_its_line() {
        let code =
            |content: &[u8]| look(content).map_err(|error| (error.code(), error.to_string()));
        let (code_of_text, message) = code(b"{}\n{\"a\":\"\xff\"}\n").unwrap_err();
        assert_eq!(code_of_text, "invalid_ndjson");
        assert!(message.contains("Line 2"), "{message}");
        for other in [&b"PK\x03\x04x"[..], b"%PDF-1.4", b"!Type:Bank\nD1"] {
            assert_eq!(code(other).unwrap_err().0, "invalid_file_type", "{other:?}");
        }
    }

    #[test]
    fn a_checksum_that_is_sent_must_be_that_of_the_content() {
        let found = [0xab; 32];
        let text = "ab".repeat(32);
        assert_eq!(hexadecimal(&found), text);
        for sent in [None, Some(&*text), Some(&*text.to_uppercase())] {
            assert!(require_checksum(sent, &found).is_ok(), "{sent:?}");
        }
        for sent in ["", "ab", &"ba".repeat(32)] {
            let error = require_checksum(Some(sent), &found).unwrap_err();
            assert_eq!(error.code(), "checksum_mismatch", "{sent}");
        }
    }
}
