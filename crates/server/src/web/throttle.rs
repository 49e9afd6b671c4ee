//! How often passwords may be guessed and families made, on this node.
//!
//! An attempt to sign in is counted for its name from its network, for its name from everywhere,
//! and for its network. A person who is signed in has separate attempts for the present password,
//! so nobody outside can use them up. Every attempt is counted before its password is checked, so
//! that many at once don't slip through; one that succeeds is given back. Names are counted whether
//! they exist or not, so the answer doesn't reveal that. Memory is bounded: a name is kept as a
//! hash, and when too many are watched, those that began first are dropped.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use purser_core::ids::UserId;
use sha2::{Digest as _, Sha256};

use crate::limits::{
    SIGN_IN_TRIES_PER_ADDRESS, SIGN_IN_TRIES_PER_NAME, SIGN_IN_TRIES_PER_NAME_EVERYWHERE,
    SIGN_IN_WATCHED_MAX, SIGN_IN_WINDOW, SIGN_UPS_PER_ADDRESS,
};

/// The attempts of each window, by what is watched.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<HashMap<Watched, Window>>);

/// What tries are counted by. Of a fixed size, whatever is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Watched {
    /// A name, tried from one network.
    NameFrom(NameHash, IpAddr),
    /// A name, tried from anywhere.
    Name(NameHash),
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
struct Window {
    start: Instant,
    count: u32,
}

impl Throttle {
    /// Counts an attempt to sign in, or returns how long to wait.
    pub(super) fn sign_in(&self, name: &str, address: IpAddr) -> Result<(), Duration> {
        self.attempt(&Watched::sign_in(name, address), Instant::now())
    }

    /// The try succeeded: whoever it was knows the password.
    pub(super) fn signed_in(&self, name: &str, address: IpAddr) {
        let mut windows = self.windows();
        for watched in Watched::sign_in(name, address) {
            match watched {
                Watched::NameFrom(..) => drop(windows.remove(&watched)),
                _ => give_back(&mut windows, watched),
            }
        }
    }

    /// Counts an attempt at the present password, or returns how long to wait.
    pub(super) fn present_password(&self, user: UserId) -> Result<(), Duration> {
        self.attempt(&[Watched::User(user)], Instant::now())
    }

    /// The present password was the right one.
    pub(super) fn knows_password(&self, user: UserId) {
        self.windows().remove(&Watched::User(user));
    }

    /// Counts a family that is to be created, or returns how long to wait. None is given back,
    /// because their number is limited.
    pub(super) fn sign_up(&self, address: IpAddr) -> Result<(), Duration> {
        self.attempt(&[Watched::SignUp(network(address))], Instant::now())
    }

    fn windows(&self) -> MutexGuard<'_, HashMap<Watched, Window>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts for all or, if one has had its tries, for none.
    fn attempt(&self, watched: &[Watched], now: Instant) -> Result<(), Duration> {
        let mut windows = self.windows();
        for key in watched {
            let window = windows.get(key).filter(|window| window.count >= key.tries_max());
            if let Some(left) = window.and_then(|window| window.left(now)) {
                return Err(left);
            }
        }
        if windows.len() + watched.len() > SIGN_IN_WATCHED_MAX {
            forget(&mut windows, now);
        }
        for key in watched {
            let window = windows.entry(*key).or_insert(Window { start: now, count: 0 });
            if window.left(now).is_none() {
                *window = Window { start: now, count: 0 };
            }
            window.count += 1;
        }
        Ok(())
    }
}

impl Watched {
    fn sign_in(name: &str, address: IpAddr) -> [Self; 3] {
        let hash = Sha256::digest(name.trim().to_lowercase()).into();
        let network = network(address);
        [Self::NameFrom(hash, network), Self::Name(hash), Self::Network(network)]
    }

    fn tries_max(self) -> u32 {
        match self {
            Self::NameFrom(..) | Self::User(_) => SIGN_IN_TRIES_PER_NAME,
            Self::Name(_) => SIGN_IN_TRIES_PER_NAME_EVERYWHERE,
            Self::Network(_) => SIGN_IN_TRIES_PER_ADDRESS,
            Self::SignUp(_) => SIGN_UPS_PER_ADDRESS,
        }
    }
}

impl Window {
    /// How long it still lasts; `None` when it is over.
    fn left(&self, now: Instant) -> Option<Duration> {
        SIGN_IN_WINDOW
            .checked_sub(now.saturating_duration_since(self.start))
            .filter(|left| !left.is_zero())
    }
}

/// Whoever has one address of IPv6 has its whole network of 64 bits.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        v4 => v4,
    }
}

fn give_back(windows: &mut HashMap<Watched, Window>, watched: Watched) {
    if let Some(window) = windows.get_mut(&watched) {
        window.count = window.count.saturating_sub(1);
    }
}

/// Forgets what is over; if that is not enough, the older half.
fn forget(windows: &mut HashMap<Watched, Window>, now: Instant) {
    windows.retain(|_, window| window.left(now).is_some());
    if windows.len() * 2 > SIGN_IN_WATCHED_MAX {
        let mut starts: Vec<Instant> = windows.values().map(|window| window.start).collect();
        starts.sort();
        if let Some(middle) = starts.get(starts.len() / 2).copied() {
            windows.retain(|_, window| window.start > middle);
        }
    }
}

#[cfg(test)]
mod tests;
