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
    /// Whether it has looked before.
    have_begun: bool,
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
    // Without others the leases that a start finds are of a process that is gone.
    let is_first = !std::mem::replace(&mut under_way.have_begun, true);
    let within = if is_alone && is_first { SYNC_LEASE } else { Duration::ZERO };
    let (mut look, due) = Look::begin(app, Kind::Sync, within).await?;
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
    let work = run::run(&app, &claimed);
    tokio::pin!(work);
    let mut renewal = tokio::time::interval(SYNC_LEASE_RENEWAL);
    renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
    renewal.reset();
    loop {
        tokio::select! {
            () = &mut work => return,
            _ = renewal.tick() => {
                if let Err(error) = renew(&app, &claimed).await {
                    if runs::is_over(&error) {
                        tracing::warn!(connection = %claimed.connection, "a run lost its lease");
                        return;
                    }
                    tracing::warn!(connection = %claimed.connection, cause = ?error,
                        "the lease of a connection can't be renewed");
                }
            }
        }
    }
}

async fn renew(app: &App, claimed: &ClaimedRun) -> Result<()> {
    let (access, claimed) = (claimed.access.clone(), claimed.clone());
    app.store.write(access, move |tx| runs::renew(tx, &claimed, SYNC_LEASE)).await
}
