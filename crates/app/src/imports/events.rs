//! Watching one import: how far its publish or its undo is.
//!
//! The state at once, then every change, and at the end [`Update::Done`], after which nothing comes
//! any more. Whoever comes back gets the state again, so nothing is lost with a connection. While
//! the job runs in this process its rows are read from memory; otherwise the database is asked now
//! and then. Watching ends when the server stops, and after five minutes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use purser_core::error::Error;
use purser_core::ids::ImportId;
use purser_store::Access;
use purser_store::imports::{self, Progress};
use tokio::sync::watch;
use tokio::time::Instant;
use uuid::Uuid;

use super::progress::State;
use crate::App;
use crate::limits::{
    EVENT_LOOK_INTERVAL, EVENT_READ_INTERVAL, EVENT_STREAM_LIFETIME, EVENT_STREAMS_MAX,
};

/// Counts open streams by who has them: a key or a session's user.
#[derive(Debug, Clone, Default)]
pub struct Streams(Arc<Mutex<HashMap<Uuid, u32>>>);

/// The right to one stream; dropping it gives it back.
#[derive(Debug)]
pub struct Slot {
    streams: Streams,
    holder: Uuid,
}

impl Streams {
    /// A slot for one more stream; `None` if the holder has too many.
    pub fn admit(&self, holder: Uuid) -> Option<Slot> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(holder).or_insert(0);
        if *count >= EVENT_STREAMS_MAX {
            return None;
        }
        *count += 1;
        Some(Slot { streams: self.clone(), holder })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.holder);
            }
        }
    }
}

/// The state of an import that events report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// The state as it is now.
    Progress(State),
    /// The last state: neither a publish nor an undo runs any more.
    Done(State),
}

/// One stream's view of its import.
pub struct Watch {
    app: App,
    access: Access,
    id: ImportId,
    stored: Progress,
    read_at: Instant,
    opened_at: Instant,
    ran_here: bool,
    last_sent: Option<State>,
    stopping: watch::Receiver<bool>,
    _slot: Slot,
}

impl Watch {
    /// Watches an import that the caller may see, from what was just read of it.
    pub fn new(app: App, access: Access, id: ImportId, stored: Progress, slot: Slot) -> Self {
        Self {
            stopping: app.stopping.clone(),
            app,
            access,
            id,
            stored,
            read_at: Instant::now(),
            opened_at: Instant::now(),
            ran_here: false,
            last_sent: None,
            _slot: slot,
        }
    }

    /// The next event to send; `None` when this process has no more.
    pub async fn next(&mut self) -> Option<Update> {
        loop {
            let state = self.state();
            if self.last_sent.is_some() && !self.stored.is_running() {
                return Some(Update::Done(state));
            }
            if self.last_sent != Some(state) {
                self.last_sent = Some(state);
                return Some(Update::Progress(state));
            }
            // Whoever may still look comes back, and is asked who they are again.
            if self.opened_at.elapsed() >= EVENT_STREAM_LIFETIME {
                return None;
            }
            tokio::select! {
                () = tokio::time::sleep(EVENT_LOOK_INTERVAL) => {}
                _ = self.stopping.wait_for(|stopping| *stopping) => return None,
            }
            if self.is_due() {
                self.read().await?;
            }
        }
    }

    fn state(&self) -> State {
        State::new(self.stored, self.app.progress.rows_done(self.id))
    }

    /// Whether the database must be asked: not while the job runs here, but as soon as it has
    /// ended.
    fn is_due(&mut self) -> bool {
        let is_here = self.app.progress.rows_done(self.id).is_some();
        let ended = std::mem::replace(&mut self.ran_here, is_here) && !is_here;
        ended || (!is_here && self.read_at.elapsed() >= EVENT_READ_INTERVAL)
    }

    /// `None` when the import is gone. What can't be read now may be readable later.
    async fn read(&mut self) -> Option<()> {
        let (access, id) = (self.access.clone(), self.id);
        match self.app.store.read(access, move |tx| imports::progress(tx, id)).await {
            Ok(stored) => self.stored = stored,
            Err(Error::NotFound { .. }) => return None,
            Err(error) => tracing::warn!(cause = ?error, "the progress can't be read"),
        }
        self.read_at = Instant::now();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_has_so_many_streams_and_no_more() {
        let streams = Streams::default();
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut slots: Vec<Slot> =
            (0..EVENT_STREAMS_MAX).map(|_| streams.admit(one).unwrap()).collect();
        assert!(streams.admit(one).is_none());
        let _other = streams.admit(other).unwrap();
        slots.pop();
        slots.push(streams.admit(one).unwrap());
        drop(slots);
        assert_eq!(streams.0.lock().unwrap().len(), 1, "nothing is remembered of closed streams");
    }
}
