//! A look at what is due: family by family, so that one that can't be reached keeps none waiting.

use std::time::Duration;

use jiff::SignedDuration;
use purser_core::error::{Error, Result};
use purser_store::FamilyTx;
use purser_store::due::{self, DueFamily, Kind};

use crate::App;

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
