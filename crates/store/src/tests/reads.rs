//! Reads of many requests at a time.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::access::FamilyTx;
use crate::driver::Tx;
use crate::testing::{Fixture, on_both, runtime};

/// Longer than anything takes that doesn't wait.
const SOON: Duration = Duration::from_secs(10);
/// More reads than there are connections.
const READS: usize = 12;
const ENDLESS: &str = "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
    SELECT COUNT(*) FROM numbers";

/// A door that reads wait at, and how many do.
#[derive(Default)]
struct Door {
    /// The number of reads at the door, and whether it is open.
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl Door {
    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.0 += 1;
        self.changed.notify_all();
        while !state.1 {
            state = self.changed.wait(state).unwrap();
        }
    }

    fn wait_for(&self, count: usize) {
        let state = self.state.lock().unwrap();
        let enough = |state: &mut (usize, bool)| state.0 < count;
        let (state, waited) = self.changed.wait_timeout_while(state, SOON, enough).unwrap();
        assert!(!waited.timed_out(), "{} of {count} reads have begun", state.0);
    }

    /// Returns how many were at the door.
    fn open(&self) -> usize {
        let mut state = self.state.lock().unwrap();
        state.1 = true;
        self.changed.notify_all();
        state.0
    }
}

#[test]
fn a_family_that_reads_much_leaves_connections_to_others() {
    on_both(|fixture| {
        let (busy, other) = (fixture.family("busy").0, fixture.family("other").0);
        let (store, door, runtime) = (&fixture.store, Arc::<Door>::default(), runtime());
        let part = if store.is_sqlite() { 2 } else { 3 };
        let reads: Vec<_> = (0..READS)
            .map(|_| {
                let (store, door) = (store.clone(), door.clone());
                let wait = move |_: &mut FamilyTx<'_>| {
                    door.pass();
                    Ok(())
                };
                runtime.spawn(async move { store.read(busy, wait).await })
            })
            .collect();
        door.wait_for(part);
        let others = async {
            for _ in 0..20 {
                store.read(other, crate::families::get).await.unwrap();
                store.read_directory(crate::families::list).await.unwrap();
                store.write(other, |tx| tx.new_id()).await.unwrap();
            }
        };
        let soon = runtime.block_on(async { tokio::time::timeout(SOON, others).await });
        let at_the_door = door.open();
        soon.expect("another family had to wait");
        assert_eq!(at_the_door, part, "of {READS} reads");
        for read in reads {
            runtime.block_on(read).unwrap().unwrap();
        }
    });
}

/// A machine that hangs holds up those looks, and not who is looked for in a directory.
#[test]
fn looks_at_all_families_keep_no_directory_waiting() {
    let fixture = Fixture::postgres();
    let (family, _) = fixture.family("own");
    let (store, door, runtime) = (&fixture.store, Arc::<Door>::default(), runtime());
    let looks: Vec<_> = (0..READS)
        .map(|_| {
            let (store, door) = (store.clone(), door.clone());
            let wait = move |_: &mut Tx<'_>| {
                door.pass();
                Ok(())
            };
            runtime.spawn(async move { store.read_every_family(wait).await })
        })
        .collect();
    door.wait_for(3);
    let others = async {
        store.read(family, crate::families::get).await.unwrap();
        store.read_directory(crate::users::is_any).await.unwrap();
        store.write_directory(|tx| tx.new_id()).await.unwrap();
    };
    let soon = runtime.block_on(async { tokio::time::timeout(SOON, others).await });
    assert_eq!(door.open(), 3, "of {READS} looks");
    soon.expect("a directory had to wait");
    for look in looks {
        runtime.block_on(look).unwrap().unwrap();
    }
}

#[test]
fn a_read_that_nobody_waits_for_any_more_ends() {
    let fixture = Fixture::sqlite();
    let (family, _) = fixture.family("own");
    let store = &fixture.store;
    runtime().block_on(async {
        // One after the other, each on a connection of its own as long as none is free again.
        for _ in 0..8 {
            let (begins, begun) = oneshot::channel();
            let read = store.read(family, move |tx| {
                begins.send(()).unwrap();
                tx.script(ENDLESS)
            });
            let begun = tokio::time::timeout(SOON, begun);
            tokio::select! {
                _ = read => panic!("the read has no end of its own"),
                begun = begun => begun.expect("a connection is free").unwrap(),
            }
        }
    });
}
