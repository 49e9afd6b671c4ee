//! The machines behind the database.

use purser_core::error::Result;

use super::Store;
use super::boxed::on_blocking_thread;
use crate::driver::PgDatabase;
use crate::installation;
use crate::shares::Holder;

impl Store {
    /// Whether families are spread over machines, of which one may hang.
    pub(crate) fn is_distributed(&self) -> bool {
        self.0.database.as_postgres().is_some_and(PgDatabase::is_distributed)
    }

    /// Looks whether families are spread over machines. That doesn't change while a server runs.
    pub(crate) fn note_distributed(&self) -> Result<()> {
        if let Some(database) = self.0.database.as_postgres() {
            let is_distributed = self.read_directory_blocking(installation::is_distributed)?;
            database.note_distributed(is_distributed);
        }
        Ok(())
    }

    /// Asks machines for their settings that were away when the store was opened. From a bad answer
    /// on nothing is written until there is a good one. Returns whether all have given a good one.
    pub async fn ask_machines(&self) -> Result<bool> {
        let is_known =
            |store: &Self| store.0.database.as_postgres().is_none_or(PgDatabase::knows_machines);
        if is_known(self) {
            return Ok(true);
        }
        let share = self.0.connections.take(Holder::EVERY_FAMILY, 1).await?;
        let permit = self.0.database.read_permit().await?;
        let inner = self.0.clone();
        on_blocking_thread(move || {
            let asked = inner.database.as_postgres().map(|database| database.ask_machines(permit));
            drop(share);
            asked.unwrap_or(Ok(())).map(|()| Box::new(()) as _)
        })
        .await?;
        Ok(is_known(self))
    }
}
