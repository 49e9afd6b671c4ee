//! Which connection is synced next, and the runs of this process.
//!
//! Every node looks for connections that are due, and claims them: so each runs on one node at a
//! time, and one of a process that is gone is taken up by another. Of a family one runs at a time
//! on each node, and of all families a few: a run mostly waits for its provider, but what came
//! takes memory.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use purser_core::error::Result;
use purser_store::connections::runs::{self, ClaimedRun, Runner};
use purser_store::due::Kind;
use purser_store::{FamilyId, FamilyTx};
use tokio::task::{Id, JoinSet};
use tokio::time::MissedTickBehavior;

use super::run;
use crate::App;
use crate::limits::{SYNC_LEASE, SYNC_LEASE_RENEWAL, SYNC_LOOK_INTERVAL, SYNCS_MAX};
use crate::looks::Look;

/// Runs what is due, until the server stops. A run that the stop breaks off begins anew later.
pub async fn run(app: App) {
    let mut stopping = app.stopping.clone();
    let mut interval = tokio::time::interval(SYNC_LOOK_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut under_way = Runs::default();
    while !*stopping.borrow() {
        tokio::select! {
            _ = interval.tick() => {}
            () = under_way.one_ends() => {}
            _ = stopping.changed() => break,
        }
        if let Err(error) = begin(&app, &mut under_way).await {
            tracing::warn!(cause = ?error, "connections can't be looked for just now");
        }
    }
}

/// The runs that this process has under way.
#[derive(Default)]
struct Runs {
    tasks: JoinSet<()>,
    families: HashMap<Id, FamilyId>,
    /// Whether the leases of a process before this one were ended.
    have_ended_leases: bool,
}

impl Runs {
    fn have_room(&self) -> bool {
        self.tasks.len() < SYNCS_MAX
    }

    /// Waits until a run ends; forever if there is none.
    async fn one_ends(&mut self) {
        let ended = match self.tasks.join_next_with_id().await {
            None => return std::future::pending().await,
            Some(Ok((id, ()))) => id,
            Some(Err(error)) => {
                tracing::error!(cause = ?error, "a run of a connection broke off");
                error.id()
            }
        };
        self.families.remove(&ended);
    }

    fn add(&mut self, app: &App, claimed: ClaimedRun) {
        let family = claimed.access.family();
        let task = self.tasks.spawn(keep_and_run(app.clone(), claimed));
        self.families.insert(task.id(), family);
    }
}

/// Claims what is due, as far as there is room.
async fn begin(app: &App, under_way: &mut Runs) -> Result<()> {
    if !under_way.have_room() {
        return Ok(());
    }
    let busy: HashSet<FamilyId> = under_way.families.values().copied().collect();
    let is_alone = app.store.is_sqlite();
    if is_alone && !under_way.have_ended_leases {
        for access in app.store.read_directory(runs::with_leases).await? {
            app.store.write(access, runs::end_leases).await?;
        }
        under_way.have_ended_leases = true;
    }
    let (mut look, due) = Look::begin(app, Kind::Sync).await?;
    for family in due.into_iter().filter(|due| !busy.contains(&due.access.family())) {
        if !under_way.have_room() {
            return Ok(());
        }
        let node = app.node.clone();
        let claim = move |tx: &mut FamilyTx<'_>| {
            runs::claim(tx, Runner { node: &node, is_alone }, SYNC_LEASE)
        };
        if let Some(claimed) = look.ask(family, claim).await? {
            under_way.add(app, claimed);
        }
    }
    Ok(())
}

/// Runs a connection and renews its lease meanwhile; a run that has lost it ends.
async fn keep_and_run(app: App, claimed: ClaimedRun) {
    let renewals = renew_until_lost(SYNC_LEASE_RENEWAL, || is_renewed(&app, &claimed));
    if !is_done_before(run::run(&app, &claimed), renewals).await {
        tracing::warn!(connection = %claimed.connection, "a run lost its lease");
    }
}

/// Does work until it is done, or the lease is lost. Both go on all the time: work that rested
/// while its lease is renewed could have the very turn to write that the renewal waits for.
async fn is_done_before(work: impl Future<Output = ()>, lost: impl Future<Output = ()>) -> bool {
    tokio::select! {
        biased;
        () = work => true,
        () = lost => false,
    }
}

/// Renews until that shows that there is nothing to renew any more.
async fn renew_until_lost<F: Future<Output = bool>>(every: Duration, mut renew: impl FnMut() -> F) {
    let mut renewal = tokio::time::interval(every);
    renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
    renewal.reset();
    loop {
        renewal.tick().await;
        if !renew().await {
            return;
        }
    }
}

/// Gives a sign of life; false if the run isn't this process's any more.
async fn is_renewed(app: &App, run: &ClaimedRun) -> bool {
    let (access, claimed) = (run.access.clone(), run.clone());
    match app.store.write(access, move |tx| runs::renew(tx, &claimed, SYNC_LEASE)).await {
        Ok(()) => true,
        Err(error) if runs::is_over(&error) => false,
        Err(error) => {
            tracing::warn!(connection = %run.connection, cause = ?error,
                "the lease of a connection can't be renewed");
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::*;

    /// Work and renewals write in turn. A renewal comes while the work has the turn, or waits for
    /// it, and both go on.
    #[tokio::test]
    async fn work_goes_on_while_its_lease_is_renewed() {
        let turn = Semaphore::new(1);
        let every = Duration::from_millis(1);
        let renewals = renew_until_lost(every, || async { turn.acquire().await.is_ok() });
        let work = async {
            let mut steps = tokio::time::interval(Duration::from_millis(2));
            for _ in 0..100 {
                let _turn = turn.acquire().await.unwrap();
                steps.tick().await;
            }
        };
        assert!(is_done_before(work, renewals).await);
    }

    #[tokio::test]
    async fn work_ends_with_its_lease() {
        let mut renewals = 0;
        let lost = renew_until_lost(Duration::from_millis(1), || {
            renewals += 1;
            std::future::ready(renewals < 3)
        });
        assert!(!is_done_before(std::future::pending(), lost).await);
        assert_eq!(renewals, 3);
    }
}
