//! How many connections there may be: in total, and of one address.
//!
//! A [`Slot`] is the right to one connection; dropping it gives it back. The slots are also how a
//! stopping server knows that everything is finished.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::telemetry::names;

/// The number of open connections, in all and by address.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    total: Arc<Semaphore>,
    total_max: u32,
    of_one_max: u32,
    by_address: Arc<Mutex<HashMap<IpAddr, u32>>>,
}

/// Why a connection is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// There are too many.
    Total,
    /// This address has too many.
    OfOneAddress,
}

/// The right to one connection.
#[derive(Debug)]
pub(super) struct Slot {
    address: Option<IpAddr>,
    by_address: Arc<Mutex<HashMap<IpAddr, u32>>>,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    pub(super) fn new(total_max: u32, of_one_max: u32) -> Self {
        Self {
            total: Arc::new(Semaphore::new(total_max as usize)),
            total_max,
            of_one_max,
            by_address: Arc::default(),
        }
    }

    /// Takes a slot for a connection from `address`; `exempt` ones count in total only.
    pub(super) fn admit(&self, address: IpAddr, exempt: bool) -> Result<Slot, Refused> {
        let permit = self.total.clone().try_acquire_owned().map_err(|_| Refused::Total)?;
        let address = (!exempt).then(|| address.to_canonical());
        if let Some(address) = address {
            let mut counts = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
            let count = counts.entry(address).or_insert(0);
            if *count >= self.of_one_max {
                return Err(Refused::OfOneAddress);
            }
            *count += 1;
        }
        metrics::gauge!(names::CONNECTIONS).increment(1.0);
        Ok(Slot { address, by_address: self.by_address.clone(), _permit: permit })
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
            Self::OfOneAddress => "address",
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        metrics::gauge!(names::CONNECTIONS).decrement(1.0);
        let Some(address) = self.address else { return };
        let mut counts = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[tokio::test]
    async fn caps_hold_and_slots_come_back() {
        let connections = Connections::new(3, 2);
        let first = connections.admit(address(1), false).unwrap();
        let _second = connections.admit(address(1), false).unwrap();
        assert_eq!(connections.admit(address(1), false).unwrap_err(), Refused::OfOneAddress);
        let third = connections.admit(address(1), true).unwrap();
        assert_eq!(connections.admit(address(2), false).unwrap_err(), Refused::Total);
        drop(third);
        let _fourth = connections.admit(address(2), false).unwrap();
        drop(first);
        let _fifth = connections.admit(address(1), false).unwrap();
    }

    #[tokio::test]
    async fn nothing_is_remembered_of_closed_connections() {
        let connections = Connections::new(10, 2);
        for last in 0..100 {
            drop(connections.admit(address(last), false).unwrap());
        }
        assert!(connections.by_address.lock().unwrap().is_empty());
        connections.all_closed().await;
    }
}
