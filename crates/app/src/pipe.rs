//! Bytes from one thread to another: one makes them while the other rewrites those before, so that
//! both cores of a small machine have work.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use purser_core::error::{Error, Result};

/// Bytes that are handed over together, at least.
const PIECE_BYTES: usize = 256 * 1024;
/// Pieces that wait at most; who writes waits then.
const PIECES_MAX: usize = 4;

/// The end that takes bytes. What one call writes stays in one piece.
pub(crate) struct Pipe {
    sender: SyncSender<Vec<u8>>,
    piece: Vec<u8>,
    /// Pieces that were read: their memory is used again.
    read: Receiver<Vec<u8>>,
}

/// The end that gives them, piece by piece.
pub(crate) struct Pieces {
    receiver: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    read: Sender<Vec<u8>>,
}

impl Pieces {
    /// The next piece; nothing at the end.
    pub(crate) fn next_piece(&mut self) -> Option<&[u8]> {
        let next = self.receiver.recv().ok()?;
        let mut read = std::mem::replace(&mut self.piece, next);
        read.clear();
        // Whoever writes may have ended.
        let _ = self.read.send(read);
        Some(&self.piece)
    }
}

/// Has `write` fill a pipe while `read` empties it on a thread of its own, and returns what both
/// come to. Where both fail, the error is that of `read`, for which the pipe broke.
///
/// # Errors
/// Those of the two.
pub(crate) fn piped<W, R: Send>(
    write: impl FnOnce(&mut Pipe) -> Result<W>,
    read: impl FnOnce(Pieces) -> Result<R> + Send,
) -> Result<(W, R)> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(PIECES_MAX);
        let (give_back, given_back) = channel();
        let pieces = Pieces { receiver, piece: Vec::new(), read: give_back };
        let reader = scope.spawn(move || read(pieces));
        let piece = Vec::with_capacity(2 * PIECE_BYTES);
        let mut pipe = Pipe { sender, piece, read: given_back };
        let written = write(&mut pipe).and_then(|written| {
            pipe.flush().map_err(Error::internal)?;
            Ok(written)
        });
        drop(pipe);
        let read = reader.join().map_err(|_| Error::internal("the reader of a pipe panicked"))?;
        read.and_then(|read| Ok((written?, read)))
    })
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let next = self.read.try_recv().unwrap_or_default();
        let piece = std::mem::replace(&mut self.piece, next);
        self.sender.send(piece).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = b"a line that stays in one piece\n";

    #[test]
    fn everything_arrives_in_whole_writes() {
        let write = |pipe: &mut Pipe| {
            for _ in 0..100_000 {
                pipe.write_all(LINE).unwrap();
            }
            Ok(7)
        };
        let read = |mut pieces: Pieces| {
            let mut bytes = 0;
            while let Some(piece) = pieces.next_piece() {
                assert!(piece.len().is_multiple_of(LINE.len()));
                assert!(piece.chunks(LINE.len()).all(|line| line == LINE));
                bytes += piece.len();
            }
            Ok(bytes)
        };
        assert_eq!(piped(write, read).unwrap(), (7, 100_000 * LINE.len()));
    }

    #[test]
    fn the_reader_is_why_both_fail() {
        let write = |pipe: &mut Pipe| loop {
            pipe.write_all(LINE).map_err(Error::internal)?;
        };
        let failed = piped::<(), ()>(write, |_| Err(Error::invalid("The disk is full")));
        assert!(format!("{:?}", failed.unwrap_err()).contains("The disk is full"));
        let failed = piped::<(), _>(
            |_| Err(Error::invalid("No database")),
            |mut pieces| Ok(pieces.next_piece().map(<[u8]>::len)),
        );
        assert!(format!("{:?}", failed.unwrap_err()).contains("No database"));
    }
}
