//! A look at what is due: family by family, so that one that can't be reached keeps none waiting.

use std::time::Duration;

use jiff::SignedDuration;
use purser_core::error::{Error, Result};
use purser_store::FamilyTx;
use purser_store::due::{self, DueFamily, Kind};

use crate::imports::sessions;
use crate::people::removal;
use crate::{App, exports};

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
}

/// Does something for each family in which it is due.
async fn carry_out(
    app: &App,
    kind: Kind,
    work: impl Fn(&mut FamilyTx<'_>) -> Result<()> + Copy + Send + 'static,
) -> Result<()> {
    loop {
        let (mut look, due) = Look::begin(app, kind, Duration::ZERO).await?;
        let is_last = due.len() < due::LISTED_MAX;
        for family in due {
            look.ask(family, move |tx| work(tx).map(Some)).await?;
        }
        // What had to wait is still listed.
        if is_last || look.has_failed {
            return Ok(());
        }
    }
}

/// A look at one kind of what is due.
pub(crate) struct Look<'a> {
    app: &'a App,
    /// A family couldn't be asked.
    has_failed: bool,
}

impl<'a> Look<'a> {
    /// Begins a look, with the families that have something due within this time from now.
    pub(crate) async fn begin(
        app: &'a App,
        kind: Kind,
        within: Duration,
    ) -> Result<(Self, Vec<DueFamily>)> {
        let within = SignedDuration::try_from(within).map_err(Error::internal)?;
        let due = app.store.read_directory(move |tx| due::families(tx, kind, within)).await?;
        Ok((Self { app, has_failed: false }, due))
    }

    /// Asks a family with a short limit. `None` if that found nothing, or if the family can't be
    /// asked just now: then it is put off. After one of those, families that were put off before
    /// wait for the next look.
    pub(crate) async fn ask<T: Send + 'static>(
        &mut self,
        due: DueFamily,
        work: impl FnMut(&mut FamilyTx<'_>) -> Result<Option<T>> + Send + 'static,
    ) -> Result<Option<T>> {
        if self.has_failed && due.was_put_off() {
            return Ok(None);
        }
        let error = match self.app.store.write_briefly(due.access.clone(), work).await {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        tracing::warn!(family = due.access.family().number(), cause = ?error,
            "what is due of a family has to wait");
        self.has_failed = true;
        self.app.store.write_directory(move |tx| due::put_off(tx, &due)).await?;
        Ok(None)
    }
}
