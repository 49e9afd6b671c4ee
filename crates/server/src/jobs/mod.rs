//! Workers: claim a job, run it, renew its lease meanwhile.
//!
//! A job's effects and its end are one commit, made by the job itself in the transaction that
//! checks the fencing token. So a worker that was killed, or that only slept past its lease, leaves
//! nothing behind, and whoever claims the job next starts from the same state.

pub(crate) mod execution;
mod worker;

use purser_core::error::Result;
use purser_store::families;

use crate::imports::publish;
use crate::state::AppState;

/// Makes good what a crash left behind, and starts the workers.
pub(crate) async fn start(app: &AppState) -> Result<()> {
    recover(app).await?;
    // SQLite has one writer: a second worker would only wait for it.
    let workers = if app.store.is_sqlite() { 1 } else { 2 };
    for _ in 0..workers {
        tokio::spawn(worker::work(app.clone()));
    }
    Ok(())
}

/// On SQLite this process is the only server, so every lease is a dead one. Uploads whose wish to
/// publish was committed without its job get their job now.
async fn recover(app: &AppState) -> Result<()> {
    if app.store.is_sqlite() {
        app.store.write_directory(purser_store::jobs::release_all).await?;
    }
    let families = app.store.read(families::list).await?;
    for family in families {
        let family = family.id;
        let stranded =
            app.store.read(move |tx| purser_store::imports::stranded(tx, family)).await?;
        for import in stranded {
            app.store.write(family, move |tx| publish::queue(tx, family, import).map(drop)).await?;
        }
    }
    Ok(())
}
