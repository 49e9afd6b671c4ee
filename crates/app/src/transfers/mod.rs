//! Matching of transfers: a job of its own after each publish, and when somebody asks.

pub(crate) mod matching_job;

use purser_core::error::Result;
use purser_core::transfers::Matching;
use purser_store::{FamilyTx, families};

use crate::jobs::job::enqueue_or_widen;

pub use matching_job::Scope;
pub use purser_store::transfers::{Counterpart, Listing, Side, Transfer, get, list};

/// Confirming, rejecting and pairing.
pub mod changes {
    pub use purser_store::transfers::changes::{confirm, create, link, reject, remove, unlink};
}

/// Pairs that somebody rejected.
pub mod rejected {
    pub use purser_store::transfers::rejected::{Listing, Rejected, get, list, remove};
}

/// Queues a matching in the caller's transaction, unless the family has switched it off. Returns
/// whether it has not. One that waits already looks at these days, too.
pub fn queue(tx: &mut FamilyTx<'_>, scope: Scope) -> Result<bool> {
    if families::get(tx)?.transfer_matching == Matching::Off {
        return Ok(false);
    }
    enqueue_or_widen(tx, scope, Scope::and)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use purser_core::ids::EntryId;
    use purser_store::audit::Actor;
    use purser_store::jobs;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::testing::TestStore;

    #[test]
    fn one_matching_of_a_family_waits() {
        let fixture = TestStore::new();
        let (store, family) = (&fixture.store, fixture.whole_family("admin@example.org"));
        let add = |scope| {
            store.write_blocking(family.access(Actor::System), |tx| queue(tx, scope)).unwrap();
            let waiting = store.read_directory_blocking(jobs::list).unwrap();
            assert_eq!(waiting.len(), 1);
            waiting[0].payload.clone()
        };
        let id = |number| EntryId(Uuid::from_u128(number));
        let range = |first, last| Scope::Added { first: id(first), last: id(last) };
        add(range(20, 30));
        add(range(40, 50));
        let both = json!({ "scope": "added", "first": id(10), "last": id(50) });
        assert_eq!(add(range(10, 12)), both);
        let day = date(2024, 5, 17);
        assert_eq!(add(Scope::Around { first: day, last: day }), json!({ "scope": "all" }));
        assert_eq!(add(range(1, 2)), json!({ "scope": "all" }));
    }

    #[test]
    fn days_are_widened_to_cover_both() {
        let around =
            |first, last| Scope::Around { first: date(2024, 5, first), last: date(2024, 5, last) };
        assert_eq!(around(3, 5).and(around(1, 4)), around(1, 5));
        assert_eq!(around(1, 9).and(around(3, 4)), around(1, 9));
    }
}
