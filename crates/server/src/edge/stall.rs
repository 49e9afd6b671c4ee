//! Drops a peer that doesn't read.
//!
//! While a write waits for the peer, a window runs; when it ends and less than the floor went out,
//! the connection fails. Counting bytes, and not only waiting, also catches a peer that reads one
//! byte now and then. A connection that has nothing to write has no window.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// A connection that fails when its peer doesn't read.
pub(super) struct StallGuard<S> {
    stream: S,
    window: Duration,
    bytes_min: u64,
    waiting: Option<Waiting>,
}

struct Waiting {
    end: Pin<Box<Sleep>>,
    bytes: u64,
}

impl<S> StallGuard<S> {
    /// At least `bytes_min` bytes must go out in every `window` in which writing waits.
    pub(super) fn new(stream: S, window: Duration, bytes_min: u64) -> Self {
        Self { stream, window, bytes_min, waiting: None }
    }

    /// The result of a write, or a timeout if too little was written within the window.
    fn watch(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.bytes += bytes as u64;
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => self.wait(cx),
        }
    }

    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let window = self.window;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Waiting { end: Box::pin(tokio::time::sleep(window)), bytes: 0 });
        while waiting.end.as_mut().poll(cx).is_ready() {
            if waiting.bytes < self.bytes_min {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            waiting.bytes = 0;
            waiting.end.as_mut().reset(Instant::now() + window);
        }
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StallGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StallGuard<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        if flushed.is_ready() {
            // Everything that there was to write is with the system: nothing waits any more.
            self.waiting = None;
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    const WINDOW: Duration = Duration::from_millis(100);

    #[tokio::test]
    async fn a_peer_that_does_not_read_is_dropped() {
        let (near, _far) = duplex(64);
        let mut guard = StallGuard::new(near, WINDOW, 1);
        let error = guard.write_all(&[0; 1000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_peer_that_reads_a_byte_now_and_then_is_dropped() {
        let (near, mut far) = duplex(64);
        let reader = tokio::spawn(async move {
            let mut byte = [0; 1];
            while far.read_exact(&mut byte).await.is_ok() {
                tokio::time::sleep(WINDOW / 5).await;
            }
        });
        let mut guard = StallGuard::new(near, WINDOW, 500);
        let error = guard.write_all(&[0; 10_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        reader.abort();
    }

    #[tokio::test]
    async fn a_steady_peer_and_an_idle_connection_stay() {
        let (near, mut far) = duplex(64);
        let reader = tokio::spawn(async move {
            let mut buffer = [0; 64];
            let mut total = 0;
            while let Ok(read @ 1..) = far.read(&mut buffer).await {
                total += read;
                tokio::time::sleep(WINDOW / 20).await;
            }
            total
        });
        let mut guard = StallGuard::new(near, WINDOW, 64);
        guard.write_all(&[0; 5000]).await.unwrap();
        guard.flush().await.unwrap();
        tokio::time::sleep(WINDOW * 2).await;
        guard.write_all(&[0; 5000]).await.unwrap();
        drop(guard);
        assert_eq!(reader.await.unwrap(), 10_000);
    }
}
