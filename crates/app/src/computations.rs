//! Places for what may take long to compute: reports and previews.
//!
//! Each keeps a core and a connection busy. So there are only a few places, and a family has one of
//! them at a time: it waits for its turn before it waits for a place, and however much one family
//! asks for, others get the next place that becomes free.

use std::sync::Arc;

use purser_core::error::{Error, Result};
use purser_store::{FamilyId, Turn, Turns};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places of this process.
#[derive(Debug)]
pub(crate) struct Computations {
    turns: Arc<Turns>,
    places: Arc<Semaphore>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    // In this order: the place is free before the family's next one waits for it.
    _place: OwnedSemaphorePermit,
    _turn: Turn,
}

impl Computations {
    /// With so many places.
    pub(crate) fn new(places: usize) -> Self {
        Self { turns: Arc::default(), places: Arc::new(Semaphore::new(places)) }
    }

    /// Waits for a place.
    pub(crate) async fn place(&self, family: FamilyId) -> Result<Place> {
        let turn = self.turns.take(family).await;
        let place = self.places.clone().acquire_owned().await.map_err(Error::internal)?;
        Ok(Place { _place: place, _turn: turn })
    }
}

#[cfg(test)]
mod tests {
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::testing::TestStore;

    #[test]
    fn a_family_has_one_place_and_leaves_the_others_to_others() {
        let computations = Computations::new(2);
        let store = TestStore::new();
        let [one, two, three] = ["one@example.org", "two@example.org", "three@example.org"]
            .map(|name| store.family(name));
        let mut context = Context::from_waker(Waker::noop());
        let mut ready = |future: Pin<&mut dyn Future<Output = Result<Place>>>| match future
            .poll(&mut context)
        {
            Poll::Ready(place) => Some(place.unwrap()),
            Poll::Pending => None,
        };
        let mut first = pin!(computations.place(one));
        let mut second = pin!(computations.place(one));
        let mut other = pin!(computations.place(two));
        let mut late = pin!(computations.place(three));
        let first = ready(first.as_mut()).unwrap();
        assert!(ready(second.as_mut()).is_none(), "a place is free, but not for this family");
        let other = ready(other.as_mut()).expect("families don't wait for each other");
        assert!(ready(late.as_mut()).is_none(), "there are two places");

        // The place goes to the one who waits for it, not to the family that had it.
        drop(first);
        assert!(ready(second.as_mut()).is_none());
        let late = ready(late.as_mut()).unwrap();
        drop(other);
        drop(ready(second.as_mut()).unwrap());
        drop(late);
    }
}
