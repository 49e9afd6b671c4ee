//! Writes on a thread that may block, after their turn.

use purser_core::error::Result;

use super::Store;
use super::boxed::{BoxedFamilyWork, BoxedValue, BoxedWork, on_blocking_thread, without_a_run};
use crate::access::Access;
use crate::driver::Lane;
use crate::shares::{Holder, Share};

/// What a write waits for before it begins.
pub(super) struct Ready {
    /// The turn of the family.
    _turn: Option<Share>,
    /// The connection, where reads use the same ones.
    _connection: Option<Share>,
}

impl Ready {
    /// For what needs no turn of the family.
    pub(super) fn without_turn(connection: Option<Share>) -> Self {
        Self { _turn: None, _connection: connection }
    }
}

impl Store {
    /// Writes when it is the family's turn.
    pub(super) async fn write_in_turn(
        &self,
        access: Access,
        mut work: BoxedFamilyWork,
    ) -> Result<BoxedValue> {
        let ready = self.turn_to_write(Holder::from(&access)).await?;
        let boxed: BoxedWork = Box::new(move |tx| tx.with_lock(access.clone(), &mut *work));
        self.write_ready(ready, Lane::Common, boxed).await
    }

    /// Writes what needs no family's turn.
    pub(super) async fn write_boxed(
        &self,
        holder: Holder,
        lane: Lane,
        work: BoxedWork,
    ) -> Result<BoxedValue> {
        let connection = self.0.connection_to_write(holder, lane).await?;
        self.write_ready(Ready::without_turn(connection), lane, work).await
    }

    /// Waits for the turn of a family, and for a connection.
    pub(super) async fn turn_to_write(&self, holder: Holder) -> Result<Ready> {
        let turn = self.0.writes.take(holder, 1).await?;
        let connection = self.0.connection_to_write(holder, Lane::Common).await?;
        Ok(Ready { _turn: Some(turn), _connection: connection })
    }

    /// Writes. With a share of the connections one of them is free; of SQLite all writes wait in
    /// one line.
    pub(super) async fn write_ready(
        &self,
        ready: Ready,
        lane: Lane,
        mut work: BoxedWork,
    ) -> Result<BoxedValue> {
        let permit = self.0.database.write_permit(lane).await?;
        let inner = self.0.clone();
        on_blocking_thread(move || {
            let mut value = None;
            let result = inner.write_permitted(permit, &mut |tx| {
                value = Some(work(tx)?);
                Ok(())
            });
            drop(ready);
            result.and_then(|()| value.ok_or_else(without_a_run))
        })
        .await
    }
}
