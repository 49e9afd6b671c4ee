//! The clock, waiting and chance.

use std::hash::{BuildHasher as _, RandomState};
use std::pin::Pin;
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// What the client needs of the world beside the network.
pub trait Environment: Send + Sync {
    /// The time of the clock on the wall.
    fn now(&self) -> Timestamp;

    /// The time since a fixed moment, which never goes back.
    fn uptime(&self) -> Duration;

    /// Waits for some time to pass.
    fn pause(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// A random number of 64 bits.
    fn chance(&self) -> u64;
}

/// The environment of a running process, with the clock that the program owns.
pub struct SystemEnvironment<C> {
    clock: C,
    start: Instant,
}

impl<C: Fn() -> Timestamp + Send + Sync> SystemEnvironment<C> {
    /// With a clock on the wall.
    pub fn new(clock: C) -> Self {
        Self { clock, start: Instant::now() }
    }
}

impl<C: Fn() -> Timestamp + Send + Sync> Environment for SystemEnvironment<C> {
    fn now(&self) -> Timestamp {
        (self.clock)()
    }

    fn uptime(&self) -> Duration {
        self.start.elapsed()
    }

    fn pause(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(tokio::time::sleep(pause))
    }

    fn chance(&self) -> u64 {
        // Each state has keys of its own.
        RandomState::new().hash_one(())
    }
}
