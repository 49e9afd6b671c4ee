//! How many statements a piece of work sends to the database.
//!
//! On PostgreSQL each statement is a round trip, so their number bounds how fast a request can be;
//! only `BEGIN` is sent together with the next one, and the end of a read is not waited for. A call
//! of the store runs on one blocking thread, which counts; the task that waits for it adds the
//! number up. `BEGIN`, the lock of the family and `COMMIT` count; a lookup of many keys counts as
//! one statement on both databases.

use std::cell::Cell;
use std::future::Future;

thread_local! {
    /// Statements that this thread has sent since its call of the store began.
    static SENT: Cell<u64> = const { Cell::new(0) };
}

tokio::task_local! {
    /// Statements of the work that is being counted.
    static COUNTED: Cell<u64>;
}

/// Runs work and returns its result with the number of statements that the store sent for it. Tasks
/// that the work spawns are not counted.
pub async fn counted<F: Future>(work: F) -> (F::Output, u64) {
    let counting = async {
        let output = work.await;
        (output, COUNTED.with(Cell::get))
    };
    COUNTED.scope(Cell::new(0), counting).await
}

/// Counts a statement of this thread's call of the store.
pub(crate) fn sent() {
    SENT.with(|sent| sent.set(sent.get() + 1));
}

/// Runs a call of the store and returns its result with the number of statements that it sent.
pub(crate) fn on_this_thread<T>(work: impl FnOnce() -> T) -> (T, u64) {
    SENT.with(|sent| sent.set(0));
    let result = work();
    (result, SENT.with(Cell::get))
}

/// Adds statements to the work that is being counted, if there is any: jobs are not counted.
pub(crate) fn add(statements: u64) {
    let _ = COUNTED.try_with(|counted| counted.set(counted.get() + statements));
}

#[cfg(test)]
thread_local! {
    /// Rows that this thread has read.
    static ROWS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a row of an answer, in tests.
#[cfg(test)]
pub(crate) fn row_read() {
    ROWS.with(|rows| rows.set(rows.get() + 1));
}

/// Runs a call of the store and returns its result with the number of rows that it read.
#[cfg(test)]
pub(crate) fn rows_read<T>(work: impl FnOnce() -> T) -> (T, u64) {
    ROWS.with(|rows| rows.set(0));
    let result = work();
    (result, ROWS.with(Cell::get))
}
