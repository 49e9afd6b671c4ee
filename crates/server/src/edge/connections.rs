//! How many connections there may be: in total, of one client, and before they have shown who they
//! are.
//!
//! A [`Slot`] is the right to one connection; dropping it gives it back. The slots are also how a
//! stopping server knows that everything is finished. A connection is a *newcomer* until a request
//! on it is authenticated ([`Newcomer::admit`]). Newcomers have half of the slots at most, and
//! those of one client half of that, so that whoever opens connections and shows nothing can't take
//! those of the people who are in. A client of IPv6 is a network of 64 bits.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::Extensions;
use purser_app::network::of_one_client;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::telemetry::names;

/// The number of open connections, in all and by client.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    total: Arc<Semaphore>,
    total_max: u32,
    of_one_max: u32,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Debug, Default)]
struct Counts {
    newcomers: u32,
    by_client: HashMap<IpAddr, OfOne>,
}

/// The connections of one client.
#[derive(Debug, Default, Clone, Copy)]
struct OfOne {
    open: u32,
    newcomers: u32,
}

/// Why a connection is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// There are too many.
    Total,
    /// This client has too many.
    OfOneClient,
    /// There are too many that haven't been authenticated.
    Newcomers,
}

/// The right to one connection.
#[derive(Debug)]
pub(super) struct Slot {
    /// The client, if its connections are limited.
    client: Option<IpAddr>,
    newcomer: Newcomer,
    _permit: OwnedSemaphorePermit,
}

/// A connection's place among those that haven't been authenticated. Requests carry it to where
/// they are authenticated.
#[derive(Debug, Clone)]
pub(crate) struct Newcomer {
    counts: Arc<Mutex<Counts>>,
    /// The client, until the place is given back.
    client: Arc<Mutex<Option<IpAddr>>>,
}

impl Connections {
    pub(super) fn new(total_max: u32, of_one_max: u32) -> Self {
        Self {
            total: Arc::new(Semaphore::new(total_max as usize)),
            total_max,
            of_one_max,
            counts: Arc::default(),
        }
    }

    /// Takes a slot for a connection from `address`; `exempt` ones count in total only.
    pub(super) fn admit(&self, address: IpAddr, exempt: bool) -> Result<Slot, Refused> {
        let permit = self.total.clone().try_acquire_owned().map_err(|_| Refused::Total)?;
        let client = (!exempt).then(|| of_one_client(address));
        if let Some(client) = client {
            self.count(client)?;
        }
        metrics::gauge!(names::CONNECTIONS).increment(1.0);
        let newcomer =
            Newcomer { counts: self.counts.clone(), client: Arc::new(Mutex::new(client)) };
        Ok(Slot { client, newcomer, _permit: permit })
    }

    fn count(&self, client: IpAddr) -> Result<(), Refused> {
        let mut counts = locked(&self.counts);
        let of_one = counts.by_client.get(&client).copied().unwrap_or_default();
        if of_one.open >= self.of_one_max {
            return Err(Refused::OfOneClient);
        }
        let newcomers_max = (self.total_max / 2).max(1);
        if counts.newcomers >= newcomers_max || of_one.newcomers >= newcomers_max.div_ceil(2) {
            return Err(Refused::Newcomers);
        }
        counts.newcomers += 1;
        let of_one = OfOne { open: of_one.open + 1, newcomers: of_one.newcomers + 1 };
        counts.by_client.insert(client, of_one);
        Ok(())
    }

    /// Waits until every slot is given back.
    pub(super) async fn all_closed(&self) {
        // Fails only when the semaphore is closed, which nobody does.
        let _all = self.total.acquire_many(self.total_max).await;
    }
}

impl Refused {
    /// The label of the number.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::OfOneClient => "address",
            Self::Newcomers => "unauthenticated",
        }
    }
}

impl Slot {
    /// What requests on this connection carry.
    pub(super) fn newcomer(&self) -> Newcomer {
        self.newcomer.clone()
    }
}

impl Newcomer {
    /// A request on the connection was authenticated: its place is free for another. Again changes
    /// nothing.
    pub(crate) fn admit(extensions: &Extensions) {
        // Only tests have requests without a connection.
        if let Some(newcomer) = extensions.get::<Self>() {
            newcomer.leave();
        }
    }

    fn leave(&self) {
        let Some(client) = locked(&self.client).take() else { return };
        let mut counts = locked(&self.counts);
        counts.newcomers -= 1;
        if let Some(of_one) = counts.by_client.get_mut(&client) {
            of_one.newcomers -= 1;
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        metrics::gauge!(names::CONNECTIONS).decrement(1.0);
        self.newcomer.leave();
        let Some(client) = self.client else { return };
        let mut counts = locked(&self.newcomer.counts);
        if let Some(of_one) = counts.by_client.get_mut(&client) {
            of_one.open -= 1;
            if of_one.open == 0 {
                counts.by_client.remove(&client);
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    /// A slot of a connection with an authenticated request.
    fn admitted(connections: &Connections, address: IpAddr) -> Slot {
        let slot = connections.admit(address, false).unwrap();
        let mut extensions = Extensions::new();
        extensions.insert(slot.newcomer());
        Newcomer::admit(&extensions);
        Newcomer::admit(&extensions);
        slot
    }

    #[tokio::test]
    async fn caps_hold_and_slots_come_back() {
        let connections = Connections::new(3, 2);
        let first = admitted(&connections, address(1));
        let _second = admitted(&connections, address(1));
        assert_eq!(connections.admit(address(1), false).unwrap_err(), Refused::OfOneClient);
        let third = connections.admit(address(1), true).unwrap();
        assert_eq!(connections.admit(address(2), false).unwrap_err(), Refused::Total);
        drop(third);
        let _fourth = connections.admit(address(2), false).unwrap();
        drop(first);
    }

    #[tokio::test]
    async fn half_of_the_slots_are_for_who_is_in() {
        let connections = Connections::new(8, 8);
        let idle: Vec<Slot> =
            [1, 1, 2, 2].map(|last| connections.admit(address(last), false).unwrap()).into();
        assert_eq!(connections.admit(address(3), false).unwrap_err(), Refused::Newcomers);
        // A proxy's connections carry requests of many people.
        let _proxy = connections.admit(address(3), true).unwrap();
        drop(idle);
        let in_use: Vec<Slot> = (0..6).map(|_| admitted(&connections, address(1))).collect();
        assert_eq!(locked(&connections.counts).newcomers, 0);
        let _newcomer = connections.admit(address(1), false).unwrap();
        drop(in_use);
        assert_eq!(locked(&connections.counts).newcomers, 1);
    }

    #[tokio::test]
    async fn one_client_leaves_room_for_other_newcomers() {
        let connections = Connections::new(8, 8);
        let _two = [1, 1].map(|last| connections.admit(address(last), false).unwrap());
        assert_eq!(connections.admit(address(1), false).unwrap_err(), Refused::Newcomers);
        let _other = connections.admit(address(2), false).unwrap();
    }

    #[tokio::test]
    async fn a_client_of_ipv6_is_its_network() {
        let connections = Connections::new(100, 2);
        let of = |text: &str| text.parse::<IpAddr>().unwrap();
        let _two = ["2001:db8::1", "2001:db8::2"].map(|text| admitted(&connections, of(text)));
        let refused = connections.admit(of("2001:db8:0:0:ffff::3"), false).unwrap_err();
        assert_eq!(refused, Refused::OfOneClient);
        let _other = connections.admit(of("2001:db8:0:1::1"), false).unwrap();
    }

    #[tokio::test]
    async fn nothing_is_remembered_of_closed_connections() {
        let connections = Connections::new(10, 2);
        for last in 0..100 {
            drop(connections.admit(address(last), false).unwrap());
            drop(admitted(&connections, address(last)));
        }
        {
            let counts = locked(&connections.counts);
            assert!(counts.by_client.is_empty() && counts.newcomers == 0);
        }
        connections.all_closed().await;
    }
}
