//! How often passwords may be guessed and families made, on this node.
//!
//! An attempt to sign in is counted for its name from its network, and for its network; for its
//! name from everywhere the database counts it (`people::sign_in`). A person who is signed in has
//! separate attempts for the present password, so nobody outside can use them up. The wait grows
//! with every attempt (`purser_core::guessing`). Every attempt is counted before its password is
//! checked, so that many at once don't slip through; one that succeeds is given back. Names are
//! counted whether they exist or not, so the answer doesn't reveal that. Memory is bounded: a name
//! is kept as a hash, and when too many are watched, those that were used longest ago are dropped.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use purser_app::network::of_one_client;
use purser_core::guessing::{PASSWORD, Pace, QUIET};
use purser_core::ids::UserId;
use sha2::{Digest as _, Sha256};

use crate::limits::{SIGN_IN_PACE_OF_NETWORK, SIGN_IN_WATCHED_MAX, SIGN_UP_PACE};

/// The attempts, by what is watched.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<HashMap<Watched, Attempts>>);

/// What tries are counted by. Of a fixed size, whatever is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Watched {
    /// A name, tried from one network.
    NameFrom(NameHash, IpAddr),
    /// A network that signs in.
    Network(IpAddr),
    /// A person who is signed in and enters the present password.
    User(UserId),
    /// A network that signs up.
    SignUp(IpAddr),
}

/// SHA-256 of a name.
type NameHash = [u8; 32];

#[derive(Debug, Clone, Copy)]
struct Attempts {
    count: u32,
    last: Instant,
}

impl Throttle {
    /// Counts an attempt to sign in, or returns how long to wait.
    pub(super) fn sign_in(&self, name: &str, address: IpAddr) -> Result<(), Duration> {
        self.attempt(&Watched::sign_in(name, address), Instant::now())
    }

    /// The try succeeded: whoever it was knows the password.
    pub(super) fn signed_in(&self, name: &str, address: IpAddr) {
        let mut all = self.all();
        let [name, network] = Watched::sign_in(name, address);
        all.remove(&name);
        if let Some(attempts) = all.get_mut(&network) {
            attempts.count = attempts.count.saturating_sub(1);
        }
    }

    /// Counts an attempt at the present password, or returns how long to wait.
    pub(super) fn present_password(&self, user: UserId) -> Result<(), Duration> {
        self.attempt(&[Watched::User(user)], Instant::now())
    }

    /// The present password was the right one.
    pub(super) fn knows_password(&self, user: UserId) {
        self.all().remove(&Watched::User(user));
    }

    /// Counts a family that is to be created, or returns how long to wait. None is given back,
    /// because their number is limited.
    pub(super) fn sign_up(&self, address: IpAddr) -> Result<(), Duration> {
        self.attempt(&[Watched::SignUp(of_one_client(address))], Instant::now())
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Watched, Attempts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts for all or, if one has to wait, for none.
    fn attempt(&self, watched: &[Watched], now: Instant) -> Result<(), Duration> {
        let mut all = self.all();
        for key in watched {
            if let Some(wait) = all.get(key).and_then(|attempts| attempts.wait(key.pace(), now)) {
                return Err(wait);
            }
        }
        if all.len() + watched.len() > SIGN_IN_WATCHED_MAX {
            forget(&mut all, now);
        }
        for key in watched {
            let attempts = all.entry(*key).or_insert(Attempts { count: 0, last: now });
            if attempts.is_over(now) {
                attempts.count = 0;
            }
            *attempts = Attempts { count: attempts.count.saturating_add(1), last: now };
        }
        Ok(())
    }
}

impl Watched {
    fn sign_in(name: &str, address: IpAddr) -> [Self; 2] {
        let hash = Sha256::digest(name.trim().to_lowercase()).into();
        let network = of_one_client(address);
        [Self::NameFrom(hash, network), Self::Network(network)]
    }

    fn pace(self) -> Pace {
        match self {
            Self::NameFrom(..) | Self::User(_) => PASSWORD,
            Self::Network(_) => SIGN_IN_PACE_OF_NETWORK,
            Self::SignUp(_) => SIGN_UP_PACE,
        }
    }
}

impl Attempts {
    /// How long it is until the next may come; `None` if it may come now.
    fn wait(&self, pace: Pace, now: Instant) -> Option<Duration> {
        let since = now.saturating_duration_since(self.last);
        pace.wait(self.count).checked_sub(since).filter(|wait| !wait.is_zero())
    }

    /// Whether there was none for so long that they are forgotten.
    fn is_over(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.last) >= QUIET
    }
}

/// Forgets what is over; if that is not enough, the older half.
fn forget(all: &mut HashMap<Watched, Attempts>, now: Instant) {
    all.retain(|_, attempts| !attempts.is_over(now));
    if all.len() * 2 > SIGN_IN_WATCHED_MAX {
        let mut times: Vec<Instant> = all.values().map(|attempts| attempts.last).collect();
        times.sort();
        if let Some(middle) = times.get(times.len() / 2).copied() {
            all.retain(|_, attempts| attempts.last > middle);
        }
    }
}

#[cfg(test)]
mod tests;
