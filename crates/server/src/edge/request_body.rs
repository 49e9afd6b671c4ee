//! Whether a request was read to its end when it was answered.
//!
//! A connection can't be used again while the rest of a request is unread, so it is closed after
//! such an answer (to a refused upload, for example). The answer must announce that: a client that
//! believes the connection to be open sends its next request into the void. And the rest must be
//! discarded before the connection is closed: see `linger` in the listener.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use http_body::{Body as _, Frame, SizeHint};
use hyper::body::Incoming;

/// Knows whether the body that it came with was read to its end.
#[derive(Debug, Clone)]
pub(super) struct ReadToEnd(Arc<AtomicBool>);

struct Watched {
    body: Incoming,
    ended: ReadToEnd,
}

/// The body, and who knows how far it was read.
pub(super) fn watch(body: Incoming) -> (Body, ReadToEnd) {
    let ended = ReadToEnd(Arc::new(AtomicBool::new(body.is_end_stream())));
    (Body::new(Watched { body, ended: ended.clone() }), ended)
}

impl ReadToEnd {
    /// Whether nothing is left.
    pub(super) fn is_reached(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.ended.0.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
