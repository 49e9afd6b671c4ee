//! A bounded, first come first served set of connections that are made when they are needed.
//!
//! A connection that is dropped as broken is not put back; the next one who waits makes a new one.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use purser_core::error::{Error, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The right to one connection of a pool.
pub(crate) type Permit = OwnedSemaphorePermit;

pub(crate) struct Pool<C> {
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<C>>,
    connect: Box<dyn Fn() -> Result<C> + Send + Sync>,
}

/// A connection on loan. It goes back when it is dropped, unless it was discarded.
pub(crate) struct Loan<'p, C> {
    pool: &'p Pool<C>,
    connection: Option<C>,
    _permit: Permit,
}

impl<C> Pool<C> {
    pub(crate) fn new(
        size: usize,
        connect: impl Fn() -> Result<C> + Send + Sync + 'static,
    ) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(size)),
            idle: Mutex::new(Vec::with_capacity(size)),
            connect: Box::new(connect),
        }
    }

    /// Waits for a permit. Permits are given in the order in which they were requested.
    pub(crate) async fn permit(&self) -> Result<Permit> {
        self.permits.clone().acquire_owned().await.map_err(Error::internal)
    }

    /// Like [`Pool::permit`], for threads that may block.
    pub(crate) fn permit_blocking(&self) -> Result<Permit> {
        block_on(self.permit())
    }

    /// The connection of a permit; may connect, so it must run where blocking is allowed.
    pub(crate) fn take(&self, permit: Permit) -> Result<Loan<'_, C>> {
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => (self.connect)()?,
        };
        Ok(Loan { pool: self, connection: Some(connection), _permit: permit })
    }

    /// Adds a connection that was made before.
    pub(crate) fn put(&self, connection: C) {
        self.idle().push(connection);
    }

    /// Takes every idle connection out.
    pub(crate) fn drain(&self) -> Vec<C> {
        std::mem::take(&mut *self.idle())
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<C>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C> Loan<'_, C> {
    /// The connection; an error once it was discarded.
    pub(crate) fn get(&mut self) -> Result<&mut C> {
        self.connection.as_mut().ok_or_else(|| Error::internal("the connection was discarded"))
    }

    /// Drops a connection that can't be used any more.
    pub(crate) fn discard(&mut self) {
        self.connection = None;
    }

    /// Replaces a connection that turned out to be broken.
    pub(crate) fn reconnect(&mut self) -> Result<()> {
        self.connection = None;
        self.connection = Some((self.pool.connect)()?);
        Ok(())
    }
}

impl<C> Drop for Loan<'_, C> {
    fn drop(&mut self) {
        // What panicked may have left the connection in the middle of something.
        if let Some(connection) = self.connection.take().filter(|_| !std::thread::panicking()) {
            self.pool.idle().push(connection);
        }
    }
}

/// Waits for a future on a thread of its own, with or without a runtime around it.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Some(value) = block_on_within(Duration::from_secs(3600), future.as_mut()) {
            return value;
        }
    }
}

/// As [`block_on`], for so long at most; `None` if the future isn't done by then.
pub(crate) fn block_on_within<T>(limit: Duration, future: impl Future<Output = T>) -> Option<T> {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = pin!(future);
    let begun = Instant::now();
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(value);
        }
        std::thread::park_timeout(limit.checked_sub(begun.elapsed())?);
    }
}
