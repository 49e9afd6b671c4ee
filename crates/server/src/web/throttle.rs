//! How often somebody may try to sign in: per name and per address, on this node.
//!
//! Every try is counted before its password is looked at, so that many at once don't slip through;
//! one that succeeds gives its count back and clears the name. Names are counted whether they exist
//! or not, so the answer doesn't tell. Memory is bounded: when too many are watched, those that
//! began first are forgotten.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits::{
    SIGN_IN_TRIES_PER_ADDRESS, SIGN_IN_TRIES_PER_NAME, SIGN_IN_WATCHED_MAX, SIGN_IN_WINDOW,
};

/// Counts tries.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<HashMap<Watched, Window>>);

/// What tries are counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Watched {
    Name(String),
    Address(IpAddr),
}

#[derive(Debug, Clone, Copy)]
struct Window {
    start: Instant,
    count: u32,
}

impl Throttle {
    /// Counts a try, or says how long to wait.
    pub(super) fn attempt(&self, name: &str, address: IpAddr) -> Result<(), Duration> {
        self.attempt_at(name, address, Instant::now())
    }

    /// The try succeeded: whoever it was knows the password.
    pub(super) fn succeeded(&self, name: &str, address: IpAddr) {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        windows.remove(&Watched::name(name));
        if let Some(window) = windows.get_mut(&Watched::address(address)) {
            window.count = window.count.saturating_sub(1);
        }
    }

    fn attempt_at(&self, name: &str, address: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let watched = [
            (Watched::name(name), SIGN_IN_TRIES_PER_NAME),
            (Watched::address(address), SIGN_IN_TRIES_PER_ADDRESS),
        ];
        for (key, limit) in &watched {
            let window = windows.get(key).filter(|window| window.left(now).is_some());
            if let Some(window) = window.filter(|window| window.count >= *limit) {
                return Err(window.left(now).unwrap_or_default());
            }
        }
        if windows.len() + watched.len() > SIGN_IN_WATCHED_MAX {
            forget(&mut windows, now);
        }
        for (key, _) in watched {
            let window = windows.entry(key).or_insert(Window { start: now, count: 0 });
            if window.left(now).is_none() {
                *window = Window { start: now, count: 0 };
            }
            window.count += 1;
        }
        Ok(())
    }
}

impl Watched {
    fn name(name: &str) -> Self {
        Self::Name(name.trim().to_lowercase())
    }

    /// Whoever has one address of IPv6 has its whole network of 64 bits.
    fn address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
            v4 => v4,
        })
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
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn address(number: u32) -> IpAddr {
        IpAddr::V4(number.into())
    }

    #[test]
    fn a_name_has_its_tries_wherever_they_come_from() {
        let (throttle, now) = (Throttle::default(), Instant::now());
        for number in 0..SIGN_IN_TRIES_PER_NAME {
            assert!(throttle.attempt_at(" Ann@example.org", address(number), now).is_ok());
        }
        let wait = throttle.attempt_at("ann@example.org", address(999), now).unwrap_err();
        assert!(wait <= SIGN_IN_WINDOW && !wait.is_zero());
        assert!(throttle.attempt_at("bob@example.org", address(999), now).is_ok());
        let later = now + SIGN_IN_WINDOW;
        assert!(throttle.attempt_at("ann@example.org", address(999), later).is_ok());
    }

    #[test]
    fn an_address_has_its_tries_whatever_the_names() {
        let (throttle, now) = (Throttle::default(), Instant::now());
        for number in 0..SIGN_IN_TRIES_PER_ADDRESS {
            assert!(throttle.attempt_at(&format!("n{number}"), HERE, now).is_ok());
        }
        assert!(throttle.attempt_at("other", HERE, now).is_err());
        assert!(throttle.attempt_at("other", address(7), now).is_ok());
        let mut of_one = (1..).map(|n: u128| IpAddr::V6((0x2001_0db8_u128 << 96 | n).into()));
        let (a, b) = (of_one.next().unwrap(), of_one.next().unwrap());
        assert_eq!(Watched::address(a), Watched::address(b));
    }

    #[test]
    fn success_clears_the_name_and_gives_the_try_back() {
        let (throttle, now) = (Throttle::default(), Instant::now());
        for _ in 0..10 * SIGN_IN_TRIES_PER_ADDRESS {
            assert!(throttle.attempt_at("ann", HERE, now).is_ok());
            throttle.succeeded("Ann", HERE);
        }
    }

    #[test]
    fn memory_is_bounded() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for number in 0..3 * SIGN_IN_WATCHED_MAX as u32 {
            let now = start + Duration::from_micros(u64::from(number));
            assert!(throttle.attempt_at(&format!("n{number}"), address(number), now).is_ok());
        }
        assert!(throttle.0.lock().unwrap().len() <= SIGN_IN_WATCHED_MAX);
    }
}
