//! The content of a file as the body of a request, read while it is sent.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// Bytes that are read at a time.
const PIECE_BYTES: u64 = 64 * 1024;

/// A file of which the length is known. It is read by position: a request that was given up may
/// still read while the next one does.
pub(crate) struct FileBody {
    file: File,
    position: u64,
    left: u64,
    sent: Arc<AtomicU64>,
}

impl FileBody {
    /// The first bytes of a file; what was taken of them can be followed.
    pub(crate) fn new(file: File, bytes: u64) -> (Self, Arc<AtomicU64>) {
        let sent = Arc::new(AtomicU64::new(0));
        (Self { file, position: 0, left: bytes, sent: sent.clone() }, sent)
    }

    fn piece(&mut self) -> io::Result<Bytes> {
        let wanted = usize::try_from(self.left.min(PIECE_BYTES)).unwrap_or(0);
        let mut piece = vec![0; wanted];
        self.file.read_exact_at(&mut piece, self.position)?;
        self.position += wanted as u64;
        self.left -= wanted as u64;
        self.sent.fetch_add(wanted as u64, Ordering::Relaxed);
        Ok(piece.into())
    }
}

impl Body for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Poll::Ready((self.left > 0).then(|| self.piece().map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::task::Waker;

    use super::*;

    fn read(body: &mut FileBody) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        let mut context = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some(frame)) = Pin::new(&mut *body).poll_frame(&mut context) {
            content.extend_from_slice(&frame?.into_data().unwrap());
        }
        Ok(content)
    }

    #[test]
    fn a_file_is_sent_piece_by_piece_and_a_shorter_one_is_an_error() {
        for length in [0, 1, 65_535, 65_536, 200_000] {
            let content: Vec<u8> = (0..length).map(|at: u32| at.to_le_bytes()[0]).collect();
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&content).unwrap();
            let (mut body, sent) = FileBody::new(file, content.len() as u64);
            assert_eq!(body.size_hint().exact(), Some(content.len() as u64));
            assert_eq!(read(&mut body).unwrap(), content);
            assert!(body.is_end_stream());
            assert_eq!(sent.load(Ordering::Relaxed), content.len() as u64);
        }
        let (mut body, _) = FileBody::new(tempfile::tempfile().unwrap(), 1);
        assert!(read(&mut body).is_err());
    }
}
