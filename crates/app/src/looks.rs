//! A look at what is due: family by family, so that one that can't be reached keeps none waiting.

use std::time::{Duration, Instant};

use purser_core::error::{Error, Result};
use purser_store::due::{self, DueFamily, Kind};
use purser_store::{FamilyTx, families, is_busy};
use tokio::time::MissedTickBehavior;

use crate::blocking::blocking;
use crate::imports::sessions;
use crate::limits::{LOOK_FAILURES_TIME, REMOVAL_LOOK_INTERVAL};
use crate::people::removal;
use crate::{App, exports};

/// Removes what is due, again and again.
pub async fn run(app: App) {
    let mut interval = tokio::time::interval(REMOVAL_LOOK_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        remove_what_is_due(&app).await;
    }
}

/// Removes what is old, or was to be removed at a time that has come.
pub async fn remove_what_is_due(app: &App) {
    type Removal = fn(&mut FamilyTx<'_>) -> Result<()>;
    let removals: [(Kind, Removal); 4] = [
        (Kind::Users, removal::remove_users),
        (Kind::Family, removal::remove_family),
        (Kind::Exports, exports::remove_old_of_family),
        (Kind::Sessions, sessions::remove_old_of_family),
    ];
    for (kind, work) in removals {
        if let Err(error) = carry_out(app, kind, work).await {
            tracing::warn!(kind = kind.as_str(), cause = ?error, "what is due isn't removed");
        }
    }
    let store = app.store.clone();
    if let Err(error) = blocking(move || store.remove_left_copy()).await {
        tracing::debug!(cause = ?error, "a copy of the database that was left stays");
    }
}

/// Does something for each family in which it is due, as far as one look goes.
async fn carry_out(
    app: &App,
    kind: Kind,
    work: impl Fn(&mut FamilyTx<'_>) -> Result<()> + Copy + Send + 'static,
) -> Result<()> {
    let (mut look, due) = Look::begin(app, kind).await?;
    for family in due {
        look.ask(family, move |tx| work(tx).map(Some)).await?;
    }
    Ok(())
}

/// A look at one kind of what is due.
pub(crate) struct Look<'a> {
    app: &'a App,
    /// The time that went to families that couldn't be asked.
    failing_for: Duration,
}

impl<'a> Look<'a> {
    /// Begins a look, with the families that have something due.
    pub(crate) async fn begin(app: &'a App, kind: Kind) -> Result<(Self, Vec<DueFamily>)> {
        let due = app.store.read_directory(move |tx| due::families(tx, kind)).await?;
        Ok((Self { app, failing_for: Duration::ZERO }, due))
    }

    /// Asks a family with a short limit. `None` if that found nothing, or if the family can't be
    /// asked just now: then it is put off. When too much time has gone to those, the rest of the
    /// families wait for the next look, where they come first.
    pub(crate) async fn ask<T: Send + 'static>(
        &mut self,
        due: DueFamily,
        work: impl FnMut(&mut FamilyTx<'_>) -> Result<Option<T>> + Send + 'static,
    ) -> Result<Option<T>> {
        if self.failing_for >= LOOK_FAILURES_TIME {
            return Ok(None);
        }
        let begun = Instant::now();
        match self.app.store.write_briefly(due.access.clone(), work).await {
            Ok(found) => return Ok(found),
            Err(error) => self.put_off(due, error).await?,
        }
        self.failing_for += begun.elapsed();
        Ok(None)
    }

    async fn put_off(&self, due: DueFamily, error: Error) -> Result<()> {
        let (store, family) = (&self.app.store, due.access.family());
        if families::is_gone(&error) {
            return store.write_directory(move |tx| due::forget(tx, family)).await;
        }
        // SQLite is on this machine, which is here.
        let is_busy =
            is_busy(&error) || (store.is_sqlite() && matches!(error, Error::Unavailable { .. }));
        let family = family.number();
        if is_busy {
            tracing::debug!(family, cause = ?error, "what is due of a family waits a moment");
            return store.write_directory(move |tx| due::put_off_busy(tx, &due)).await;
        }
        tracing::warn!(family, cause = ?error, "what is due of a family has to wait");
        store.write_directory(move |tx| due::put_off(tx, &due)).await
    }
}
