//! The memory of requests that are being answered: bodies, and answers that aren't sent yet.
//!
//! A request takes a share of the bytes in flight as soon as its family is known, and waits for it
//! if the family has its part already. Before it reads a large body it takes a larger share. When
//! the answer is made the share becomes as large as the answer, and lasts until the last byte of
//! it was handed to the network. See `docs/load.md`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use http::{HeaderValue, StatusCode, header};
use purser_app::shares::{Holder, Share, Shares};

use super::error::{ApiError, ApiResult};
use crate::limits::{REQUEST_BYTES, REQUEST_WAIT, SMALL_BODY_BYTES_MAX};

/// The share of one request, which several parts of the server handle; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct InFlight {
    bytes: Arc<Shares>,
    request: Arc<Mutex<RequestShare>>,
}

#[derive(Debug)]
struct RequestShare {
    holder: Holder,
    share: Option<Share>,
}

/// An answer that gives its share back when it is dropped.
struct SharedBytes {
    bytes: Bytes,
    _share: Share,
}

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl InFlight {
    /// For a request that has nothing yet.
    pub(crate) fn new(bytes: Arc<Shares>) -> Self {
        let request = RequestShare { holder: Holder::NOBODY, share: None };
        Self { bytes, request: Arc::new(Mutex::new(request)) }
    }

    /// Waits until there is memory for a request of this family. Once is enough.
    pub(crate) async fn enter(&self, holder: Holder) -> ApiResult<()> {
        {
            let mut request = self.request();
            if request.share.is_some() {
                return Ok(());
            }
            request.holder = holder;
        }
        self.take(REQUEST_BYTES).await
    }

    /// Waits until there is memory for a body of this size. The request gives its share back
    /// before it waits for a larger one: requests that wait for each other would wait for ever.
    pub(crate) async fn make_room(&self, body_bytes: u64) -> ApiResult<()> {
        if body_bytes <= SMALL_BODY_BYTES_MAX {
            return Ok(());
        }
        self.request().share = None;
        self.take(REQUEST_BYTES + body_bytes).await
    }

    async fn take(&self, bytes: u64) -> ApiResult<()> {
        let holder = self.request().holder;
        let share = tokio::time::timeout(REQUEST_WAIT, self.bytes.take(holder, bytes)).await;
        let share = share.map_err(|_| busy())??;
        self.request().share = Some(share);
        Ok(())
    }

    /// Ends the share of a request that has no answer of a known size.
    pub(crate) fn end(&self) {
        self.request().share = None;
    }

    /// Makes the share as large as the answer. If there is no memory for it, it is refused, unless
    /// it `must_arrive`: a write that was stored must not look like one that failed.
    pub(crate) fn hold(&self, bytes: &Bytes, must_arrive: bool) -> ApiResult<()> {
        // What several answers have in common takes no memory of its own.
        if bytes.is_empty() || !bytes.is_unique() {
            return Ok(());
        }
        let mut request = self.request();
        let holder = request.holder;
        let share = request.share.get_or_insert_with(|| self.bytes.nothing(holder));
        if share.resize(bytes.len() as u64) || must_arrive {
            return Ok(());
        }
        request.share = None;
        Err(busy())
    }

    /// The answer as it goes out, with the share of what it takes now that it may be compressed.
    pub(crate) fn send(&self, bytes: Bytes) -> Bytes {
        let Some(mut share) = self.request().share.take() else { return bytes };
        // Only a write can be larger than its share, see above.
        let _ = share.resize(bytes.len() as u64);
        Bytes::from_owner(SharedBytes { bytes, _share: share })
    }

    fn request(&self) -> MutexGuard<'_, RequestShare> {
        self.request.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The refusal for want of memory.
fn busy() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "unavailable",
        "The server is busy with other requests of this family; try again soon",
    )
    .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(in_flight: &InFlight, bytes: usize, must_arrive: bool) -> ApiResult<Bytes> {
        let bytes = Bytes::from(vec![b' '; bytes]);
        in_flight.hold(&bytes, must_arrive)?;
        Ok(in_flight.send(bytes))
    }

    #[tokio::test]
    async fn an_answer_holds_what_it_takes_until_it_is_gone() {
        let bytes = Shares::new(1024 * 1024, 512 * 1024);
        let requests: [InFlight; 3] = std::array::from_fn(|_| InFlight::new(bytes.clone()));
        requests[0].enter(Holder::NOBODY).await.unwrap();
        requests[0].enter(Holder::NOBODY).await.unwrap();
        assert_eq!(bytes.taken(), REQUEST_BYTES, "once for each request");
        let first = answer(&requests[0], 300_000, false).unwrap();
        assert_eq!((bytes.taken(), first.len()), (300_000, 300_000));
        let second = answer(&requests[1], 300_000, false).unwrap_err();
        assert_eq!(second.status(), 503);
        assert_eq!(bytes.taken(), 300_000, "a refused answer holds nothing");
        let stored = answer(&requests[2], 300_000, true).unwrap();
        let half = first.slice(..10);
        drop((first, stored));
        assert_eq!(bytes.taken(), 300_000, "a piece of it isn't sent yet");
        drop(half);
        assert_eq!(bytes.taken(), 0);
    }

    #[tokio::test]
    async fn a_large_body_takes_a_share_of_its_size() {
        let bytes = Shares::new(1024 * 1024, 512 * 1024);
        let request = InFlight::new(bytes.clone());
        request.enter(Holder::NOBODY).await.unwrap();
        request.make_room(SMALL_BODY_BYTES_MAX).await.unwrap();
        assert_eq!(bytes.taken(), REQUEST_BYTES);
        request.make_room(100 * REQUEST_BYTES).await.unwrap();
        assert_eq!(bytes.taken(), 512 * 1024, "all that a family may have");
        request.end();
        assert_eq!(bytes.taken(), 0);
    }

    #[tokio::test]
    async fn what_all_answers_share_is_not_counted() {
        let bytes = Shares::new(10, 10);
        let request = InFlight::new(bytes.clone());
        let shared = Bytes::from(vec![b' '; 1_000]);
        let fixed = Bytes::from_static(b"more than ten bytes");
        for answer in [shared.clone(), fixed] {
            request.hold(&answer, false).unwrap();
            assert_eq!(request.send(answer.clone()), answer);
        }
        assert_eq!(bytes.taken(), 0);
    }
}
