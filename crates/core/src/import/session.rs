//! Sessions: content in the server's own format that comes in chunks, which are one file once all
//! of them are there.

use crate::error::Error;
use crate::import::status::ImportStatus;
use crate::named::text_enum;

text_enum! {
    /// The status of a session.
    SessionStatus {
        /// Chunks are missing, or the session waits for its publish.
        Pending = "pending",
        /// The publish is queued or running.
        Importing = "importing",
        /// The publish has been executed.
        Complete = "complete",
        /// The publish ended in an error.
        Failed = "failed",
    }
}

impl SessionStatus {
    /// The status of a session with an import of this status, or without one.
    pub fn of(import: Option<ImportStatus>) -> Self {
        match import {
            None | Some(ImportStatus::Pending) => Self::Pending,
            Some(ImportStatus::Importing) => Self::Importing,
            Some(ImportStatus::Complete | ImportStatus::Reverting | ImportStatus::RevertFailed) => {
                Self::Complete
            }
            Some(ImportStatus::Failed) => Self::Failed,
        }
    }
}

/// What a chunk is recognised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkIdentity<'c> {
    /// The place among the chunks, counted from 1.
    pub sequence: u64,
    /// The client's own name of the chunk.
    pub client_id: Option<&'c str>,
    /// The checksum of the content.
    pub sha256: &'c [u8; 32],
}

/// What becomes of a chunk that is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkFate {
    /// The session doesn't have it yet.
    New,
    /// It is there already.
    Repeated,
}

/// Why a chunk doesn't fit its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChunkConflict {
    /// The session expects fewer chunks.
    #[error("The session expects {expected} chunks: there is no chunk {sequence}")]
    Beyond {
        /// The sequence that was sent.
        sequence: u64,
        /// How many the session has.
        expected: u64,
    },
    /// The session has become an import.
    #[error("The session has been published: it takes no more chunks")]
    Closed,
    /// There is a chunk with other content.
    #[error(
        "Chunk {sequence} is there with other content: delete it before you send a corrected one"
    )]
    OtherContent {
        /// The place of both chunks.
        sequence: u64,
    },
    /// There is the same chunk with another name.
    #[error("Chunk {sequence} is there with another client_chunk_id")]
    OtherName {
        /// The place of both chunks.
        sequence: u64,
    },
    /// Another chunk has the name.
    #[error("Chunk {sequence} has this client_chunk_id")]
    NameTaken {
        /// The place of the other chunk.
        sequence: u64,
    },
}

impl From<ChunkConflict> for Error {
    fn from(conflict: ChunkConflict) -> Self {
        Self::Conflict { code: CONFLICT, message: conflict.to_string() }
    }
}

/// The code of everything that doesn't fit the state of a session.
pub const CONFLICT: &str = "import_session_conflict";

/// Judges a chunk that is sent to a session which expects so many, and may be open still.
///
/// # Errors
/// If it fits neither the session nor the chunks that it has.
pub fn judge(
    sent: ChunkIdentity<'_>,
    (expected, is_open): (u64, bool),
    stored: &[ChunkIdentity<'_>],
) -> Result<ChunkFate, ChunkConflict> {
    let sequence = sent.sequence;
    if sequence > expected {
        return Err(ChunkConflict::Beyond { sequence, expected });
    }
    if let Some(there) = stored.iter().find(|chunk| chunk.sequence == sequence) {
        return if there.sha256 != sent.sha256 {
            Err(ChunkConflict::OtherContent { sequence })
        } else if there.client_id != sent.client_id {
            Err(ChunkConflict::OtherName { sequence })
        } else {
            Ok(ChunkFate::Repeated)
        };
    }
    let named =
        |chunk: &&ChunkIdentity<'_>| sent.client_id.is_some() && chunk.client_id == sent.client_id;
    if let Some(other) = stored.iter().find(named) {
        return Err(ChunkConflict::NameTaken { sequence: other.sequence });
    }
    if is_open { Ok(ChunkFate::New) } else { Err(ChunkConflict::Closed) }
}

/// The places without a chunk, for people: `2, 4 to 7`. Nothing if all are there. What is there
/// must be sorted.
pub fn missing(expected: u64, stored: &[u64]) -> Option<String> {
    let mut gaps = Vec::new();
    let mut next = 1;
    for there in stored.iter().copied().chain([expected + 1]) {
        match there.saturating_sub(next) {
            0 => {}
            1 => gaps.push(next.to_string()),
            _ => gaps.push(format!("{next} to {}", there - 1)),
        }
        next = there + 1;
    }
    (!gaps.is_empty()).then(|| gaps.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &[u8; 32] = &[1; 32];
    const B: &[u8; 32] = &[2; 32];

    fn chunk<'c>(
        sequence: u64,
        client_id: impl Into<Option<&'c str>>,
        sha256: &'c [u8; 32],
    ) -> ChunkIdentity<'c> {
        ChunkIdentity { sequence, client_id: client_id.into(), sha256 }
    }

    #[test]
    fn a_chunk_is_new_or_repeated_or_does_not_fit() {
        use ChunkConflict::{Beyond, Closed, NameTaken, OtherContent, OtherName};
        let stored = [chunk(1, "one", A), chunk(3, None, B)];
        let cases = [
            (chunk(2, "two", B), Ok(ChunkFate::New), Err(Closed)),
            (chunk(2, None, A), Ok(ChunkFate::New), Err(Closed)),
            (chunk(1, "one", A), Ok(ChunkFate::Repeated), Ok(ChunkFate::Repeated)),
            (chunk(3, None, B), Ok(ChunkFate::Repeated), Ok(ChunkFate::Repeated)),
        ];
        for (sent, open, closed) in cases {
            assert_eq!(judge(sent, (4, true), &stored), open, "{sent:?}");
            assert_eq!(judge(sent, (4, false), &stored), closed, "{sent:?}");
        }
        let refused = [
            (chunk(5, "five", A), Beyond { sequence: 5, expected: 4 }),
            (chunk(1, "one", B), OtherContent { sequence: 1 }),
            (chunk(1, "uno", A), OtherName { sequence: 1 }),
            (chunk(1, None, A), OtherName { sequence: 1 }),
            (chunk(3, "three", B), OtherName { sequence: 3 }),
            (chunk(2, "one", A), NameTaken { sequence: 1 }),
        ];
        for (sent, conflict) in refused {
            for is_open in [true, false] {
                assert_eq!(judge(sent, (4, is_open), &stored), Err(conflict), "{sent:?}");
            }
        }
    }

    #[test]
    fn missing_chunks_are_named_in_stretches() {
        for (expected, stored, named) in [
            (1, &[][..], Some("1")),
            (1, &[1], None),
            (3, &[], Some("1 to 3")),
            (3, &[1, 2, 3], None),
            (9, &[2, 3, 8], Some("1, 4 to 7, 9")),
            (4, &[1, 2], Some("3 to 4")),
        ] {
            assert_eq!(missing(expected, stored).as_deref(), named, "{expected} {stored:?}");
        }
    }

    #[test]
    fn a_session_is_as_far_as_its_import() {
        let expected = |status| match status {
            ImportStatus::Pending => "pending",
            ImportStatus::Importing => "importing",
            ImportStatus::Failed => "failed",
            _ => "complete",
        };
        assert_eq!(SessionStatus::of(None), SessionStatus::Pending);
        for status in ImportStatus::ALL {
            assert_eq!(SessionStatus::of(Some(*status)).as_str(), expected(*status));
        }
    }
}
