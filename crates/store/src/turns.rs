//! Turns of families: who is next to do what a family may do only once at a time on this node.
//!
//! The database makes the writes of a family serial anyway, but whoever waits there holds a
//! connection, or on SQLite a place in the one line for the writer. So a write waits here first:
//! whatever one family does, it holds one connection for writing, or one place in the line, and
//! another family's write waits for one of its writes. Turns are taken in the order in which they
//! were asked for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

use crate::families::FamilyId;

/// The lines in which families wait. A family that nobody writes for has none.
#[derive(Debug, Default)]
pub struct Turns(Mutex<HashMap<FamilyId, Line>>);

#[derive(Debug, Default)]
struct Line {
    /// Fair: the one who came first is the next.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// How many wait or have the turn.
    seats: usize,
}

/// The family's turn, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    // In this order: the turn is passed on before the seat is given up.
    _held: OwnedMutexGuard<()>,
    _seat: Seat,
}

/// A place in the line; also of one who stops waiting.
#[derive(Debug)]
struct Seat {
    turns: Arc<Turns>,
    family: FamilyId,
}

impl Turns {
    /// Waits for the turn of a family.
    pub async fn take(self: &Arc<Self>, family: FamilyId) -> Turn {
        let turn = {
            let mut lines = self.lines();
            let line = lines.entry(family).or_default();
            line.seats += 1;
            line.turn.clone()
        };
        let seat = Seat { turns: self.clone(), family };
        Turn { _held: turn.lock_owned().await, _seat: seat }
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<FamilyId, Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Entry::Occupied(mut line) = self.turns.lines().entry(self.family) {
            line.get_mut().seats -= 1;
            if line.get().seats == 0 {
                line.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn turns_come_in_order_and_lines_end_with_their_last_seat() {
        let turns = Arc::new(Turns::default());
        let [one, two] = [1, 2].map(FamilyId::from_number);
        let mut context = Context::from_waker(Waker::noop());
        let mut ready = |future: std::pin::Pin<&mut dyn Future<Output = Turn>>| match future
            .poll(&mut context)
        {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        };
        let mut first = pin!(turns.take(one));
        let mut second = pin!(turns.take(one));
        let mut leaves = Box::pin(turns.take(one));
        let mut last = pin!(turns.take(one));
        let mut other = pin!(turns.take(two));
        let first = ready(first.as_mut()).unwrap();
        assert!(ready(second.as_mut()).is_none());
        assert!(ready(leaves.as_mut()).is_none());
        assert!(ready(last.as_mut()).is_none());
        drop(ready(other.as_mut()).expect("families don't wait for each other"));
        assert_eq!(turns.lines().len(), 1);

        drop(first);
        assert!(ready(last.as_mut()).is_none(), "not before its turn");
        let second = ready(second.as_mut()).unwrap();
        drop(leaves);
        drop(second);
        assert_eq!(turns.lines()[&one].seats, 1);
        drop(ready(last.as_mut()).unwrap());
        assert!(turns.lines().is_empty());
    }
}
