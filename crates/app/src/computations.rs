//! Permits for what may take long to compute: reports and previews.
//!
//! Each computation keeps a core and a connection busy. So there are only a few permits, and a
//! family has one of them at a time: it waits for its turn before it waits for a permit, and
//! however much one family asks for, others get the next permit that becomes free.

use std::sync::Arc;

use purser_core::error::{Error, Result};
use purser_store::{FamilyId, Turn, Turns};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The permits of this process.
#[derive(Debug)]
pub(crate) struct Computations {
    turns: Arc<Turns>,
    permits: Arc<Semaphore>,
}

/// The right to one computation, until it is dropped.
#[derive(Debug)]
pub(crate) struct ComputationPermit {
    // In this order: the permit is free before the family's next one waits for it.
    _permit: OwnedSemaphorePermit,
    _turn: Turn,
}

impl Computations {
    /// Begins with so many permits.
    pub(crate) fn new(permits: usize) -> Self {
        Self { turns: Arc::default(), permits: Arc::new(Semaphore::new(permits)) }
    }

    /// Waits for a permit.
    pub(crate) async fn permit(&self, family: FamilyId) -> Result<ComputationPermit> {
        let turn = self.turns.take(family).await;
        let permit = self.permits.clone().acquire_owned().await.map_err(Error::internal)?;
        Ok(ComputationPermit { _permit: permit, _turn: turn })
    }
}

#[cfg(test)]
mod tests {
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::testing::TestStore;

    #[test]
    fn a_family_has_one_permit_and_leaves_the_others_to_others() {
        let computations = Computations::new(2);
        let store = TestStore::new();
        let [one, two, three] = ["one@example.org", "two@example.org", "three@example.org"]
            .map(|name| store.family(name));
        let mut context = Context::from_waker(Waker::noop());
        let mut ready =
            |future: Pin<&mut dyn Future<Output = Result<ComputationPermit>>>| match future
                .poll(&mut context)
            {
                Poll::Ready(permit) => Some(permit.unwrap()),
                Poll::Pending => None,
            };
        let mut first = pin!(computations.permit(one));
        let mut second = pin!(computations.permit(one));
        let mut other = pin!(computations.permit(two));
        let mut late = pin!(computations.permit(three));
        let first = ready(first.as_mut()).unwrap();
        assert!(ready(second.as_mut()).is_none(), "a permit is free, but not for this family");
        let other = ready(other.as_mut()).expect("families don't wait for each other");
        assert!(ready(late.as_mut()).is_none(), "there are two permits");

        // The permit goes to the one who waits for it, not to the family that had it.
        drop(first);
        assert!(ready(second.as_mut()).is_none());
        let late = ready(late.as_mut()).unwrap();
        drop(other);
        drop(ready(second.as_mut()).unwrap());
        drop(late);
    }
}
