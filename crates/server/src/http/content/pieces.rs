//! The pieces of a multipart body, handed to its reader so that it can't keep many of them.
//!
//! The reader takes every piece that is there before it looks at any, and keeps everything up to
//! the first boundary, and up to the end of a part's header. So pieces come one at a time, and only
//! [`HEADER_BYTES_MAX`] may go by in which no part begins and no content comes out.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use futures_util::Stream;

use crate::http::error::ApiError;
use crate::http::upload::{Upload, UploadError};

/// Bytes before the first part, or of the header of a part.
pub(super) const HEADER_BYTES_MAX: usize = 64 * 1024;

/// The pieces of an upload.
pub(super) struct Pieces {
    upload: Upload,
    kept: BufferedBytes,
    /// The reader shall look at what it has.
    pause: bool,
}

/// How many bytes the reader took since anything came out of it.
#[derive(Debug, Clone, Default)]
pub(super) struct BufferedBytes(Arc<AtomicUsize>);

impl BufferedBytes {
    /// A part began, or content came out.
    pub(super) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// Why there are no more pieces.
#[derive(Debug, thiserror::Error)]
pub(super) enum PieceError {
    /// The body can't be read.
    #[error(transparent)]
    Upload(UploadError),
    /// No part where one should begin.
    #[error("more than {HEADER_BYTES_MAX} bytes before the content of a part")]
    NoContent,
}

impl Pieces {
    /// The pieces, and the counter that the reader resets when it gets on.
    pub(super) fn new(upload: Upload) -> (Self, BufferedBytes) {
        let kept = BufferedBytes::default();
        (Self { upload, kept: kept.clone(), pause: false }, kept)
    }
}

impl Stream for Pieces {
    type Item = Result<Bytes, PieceError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.pause) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.kept.0.load(Ordering::Relaxed) > HEADER_BYTES_MAX {
            return Poll::Ready(Some(Err(PieceError::NoContent)));
        }
        let piece = ready!(Pin::new(&mut self.upload).poll_next(cx));
        if let Some(Ok(bytes)) = &piece {
            self.kept.0.fetch_add(bytes.len(), Ordering::Relaxed);
            self.pause = true;
        }
        Poll::Ready(piece.map(|piece| piece.map_err(PieceError::Upload)))
    }
}

impl From<PieceError> for ApiError {
    fn from(error: PieceError) -> Self {
        match error {
            PieceError::Upload(error) => error.into(),
            PieceError::NoContent => Self::bad_request(format!(
                "The multipart body has more than {HEADER_BYTES_MAX} bytes before the content of \
                 a part"
            )),
        }
    }
}
