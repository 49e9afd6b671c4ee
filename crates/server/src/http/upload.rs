//! Reading uploads piece by piece, so that memory doesn't grow with the file.
//!
//! An upload may take as long as it needs, but not stand still: there is a limit between two
//! pieces, and a floor under the mean rate, so that nobody holds a connection by sending one byte
//! every few seconds. The reader's own work between pieces doesn't count against the client.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use futures_util::Stream;
use purser_core::text::size::size;
use tokio::time::{Instant, Sleep};

use crate::http::error::ApiError;
use crate::limits::TimeLimits;

/// The pieces of an upload.
#[derive(Debug)]
pub(crate) struct Upload {
    pieces: BodyDataStream,
    bytes: u64,
    bytes_max: u64,
    /// Time that was spent waiting for the client.
    waited: Duration,
    waiting_since: Option<Instant>,
    idle: Pin<Box<Sleep>>,
    idle_max: Duration,
    grace: Duration,
    bytes_per_second_min: u64,
}

/// Why an upload ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UploadError {
    /// More than the transport cap.
    #[error("the body is larger than {}", size(*.0))]
    TooLarge(u64),
    /// Nothing came, or too little.
    #[error("the body didn't arrive in time")]
    TooSlow,
    /// The connection broke, or the body's framing is wrong.
    #[error("the body can't be read: {0}")]
    Broken(axum::Error),
}

impl Upload {
    pub(super) fn new(body: Body, bytes_max: u64, times: &TimeLimits) -> Self {
        Self {
            pieces: body.into_data_stream(),
            bytes: 0,
            bytes_max,
            waited: Duration::ZERO,
            waiting_since: None,
            idle: Box::pin(tokio::time::sleep(times.upload_idle)),
            idle_max: times.upload_idle,
            grace: times.upload_grace,
            bytes_per_second_min: times.upload_bytes_per_second_min,
        }
    }

    /// Whether the mean rate is below its floor, now that the grace is over.
    fn is_too_slow(&self) -> bool {
        let floor = u128::from(self.bytes_per_second_min) * self.waited.as_millis() / 1000;
        self.waited > self.grace && u128::from(self.bytes) < floor
    }

    fn start_waiting(&mut self) {
        if self.waiting_since.is_none() {
            let now = Instant::now();
            self.waiting_since = Some(now);
            self.idle.as_mut().reset(now + self.idle_max);
        }
    }

    fn stop_waiting(&mut self) {
        if let Some(since) = self.waiting_since.take() {
            self.waited += since.elapsed();
        }
    }
}

impl Stream for Upload {
    type Item = Result<Bytes, UploadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.start_waiting();
        let piece = match Pin::new(&mut self.pieces).poll_next(cx) {
            Poll::Ready(piece) => piece,
            Poll::Pending => {
                ready!(self.idle.as_mut().poll(cx));
                return Poll::Ready(Some(Err(UploadError::TooSlow)));
            }
        };
        self.stop_waiting();
        let bytes = match piece {
            None => return Poll::Ready(None),
            Some(Err(error)) => return Poll::Ready(Some(Err(UploadError::Broken(error)))),
            Some(Ok(bytes)) => bytes,
        };
        self.bytes += bytes.len() as u64;
        Poll::Ready(Some(if self.bytes > self.bytes_max {
            Err(UploadError::TooLarge(self.bytes_max))
        } else if self.is_too_slow() {
            Err(UploadError::TooSlow)
        } else {
            Ok(bytes)
        }))
    }
}

impl From<UploadError> for ApiError {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::TooLarge(bytes_max) => Self::content_too_large(bytes_max),
            UploadError::TooSlow => Self::request_timeout(),
            UploadError::Broken(cause) => {
                Self::bad_request("The body can't be read").with_cause(cause)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;

    use super::*;

    fn times() -> TimeLimits {
        TimeLimits {
            upload_idle: Duration::from_millis(100),
            upload_grace: Duration::from_millis(150),
            upload_bytes_per_second_min: 1000,
            ..TimeLimits::default()
        }
    }

    /// Pieces of `size` bytes, one every `pause`; an endless silence after the last.
    fn body(count: usize, size: usize, pause: Duration) -> Body {
        let pieces = futures_util::stream::unfold(0, move |sent| async move {
            if sent == count {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(pause).await;
            Some((Ok::<_, std::io::Error>(vec![0; size]), sent + 1))
        });
        Body::from_stream(pieces)
    }

    async fn read(mut upload: Upload) -> (usize, UploadError) {
        let mut total = 0;
        loop {
            match upload.next().await.unwrap() {
                Ok(bytes) => total += bytes.len(),
                Err(error) => return (total, error),
            }
        }
    }

    #[tokio::test]
    async fn an_upload_that_stands_still_ends() {
        let body = body(2, 500, Duration::ZERO);
        let (total, error) = read(Upload::new(body, 10_000, &times())).await;
        assert!(matches!(error, UploadError::TooSlow));
        assert_eq!(total, 1000);
    }

    #[tokio::test]
    async fn an_upload_below_the_floor_ends_although_it_never_stands_still() {
        let body = body(1000, 1, Duration::from_millis(20));
        let start = Instant::now();
        let (total, error) = read(Upload::new(body, 10_000, &times())).await;
        assert!(matches!(error, UploadError::TooSlow));
        assert!(start.elapsed() > Duration::from_millis(150));
        assert!((1..20).contains(&total), "{total}");
    }

    #[tokio::test]
    async fn a_slow_reader_does_not_count_against_the_client() {
        let body = Body::from_stream(futures_util::stream::iter(
            (0..5).map(|_| Ok::<_, std::io::Error>(vec![0; 10])),
        ));
        let mut upload = Upload::new(body, 10_000, &times());
        let mut total = 0;
        while let Some(piece) = upload.next().await {
            total += piece.unwrap().len();
            tokio::time::sleep(Duration::from_millis(120)).await;
        }
        assert_eq!(total, 50);
    }

    #[tokio::test]
    async fn the_transport_cap_is_exact() {
        let exact = Upload::new(Body::from(vec![0; 1000]), 1000, &times());
        assert!(exact.map(|piece| piece.is_ok()).all(std::future::ready).await);
        let (_, error) = read(Upload::new(Body::from(vec![0; 1001]), 1000, &times())).await;
        assert!(matches!(error, UploadError::TooLarge(1000)));
        assert_eq!(ApiError::from(error).status(), 413);
    }
}
