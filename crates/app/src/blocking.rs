//! Work that blocks, off the threads that serve connections.

use purser_core::error::{Error, Result};

/// Runs `work` on a thread that may block. A panic in it is an internal error.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(Error::internal(error)),
    }
}
