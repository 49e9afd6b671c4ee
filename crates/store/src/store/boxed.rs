//! Closures and their results behind one type, so that what is around them is compiled once.

use std::any::Any;

use purser_core::error::{Error, Result};

use crate::access::{Access, FamilyTx};
use crate::driver::Tx;
use crate::statement_count;

/// A value of any type.
pub(super) type BoxedValue = Box<dyn Any + Send>;

/// What is done in a transaction on another thread.
pub(super) type BoxedWork = Box<dyn FnMut(&mut Tx<'_>) -> Result<BoxedValue> + Send>;

/// What is done with a family's data on another thread.
pub(super) type BoxedFamilyWork = Box<dyn FnMut(&mut FamilyTx<'_>) -> Result<BoxedValue> + Send>;

/// What is done with a family's data; it keeps its result itself.
pub(super) type FamilyWork<'w> = dyn FnMut(&mut FamilyTx<'_>) -> Result<()> + 'w;

pub(super) fn with_access(access: Access, mut work: BoxedFamilyWork) -> BoxedWork {
    Box::new(move |tx| tx.with_access(access.clone(), &mut *work))
}

/// As [`with_access`], for what doesn't wait long for the family's rows.
pub(super) fn with_access_briefly(access: Access, mut work: BoxedFamilyWork) -> BoxedWork {
    Box::new(move |tx| tx.with_access_briefly(access.clone(), &mut *work))
}

/// As what belongs to no family, or to all of them.
pub(super) fn with_every_family(mut work: BoxedWork) -> BoxedWork {
    Box::new(move |tx| tx.with_every_family(&mut *work))
}

pub(super) fn unboxed<T: 'static>(value: BoxedValue) -> Result<T> {
    match value.downcast() {
        Ok(value) => Ok(*value),
        Err(_) => Err(Error::internal("a transaction returned a value of another type")),
    }
}

/// The closure of a read, which runs once.
pub(super) fn once<F>(work: &mut Option<F>) -> Result<F> {
    work.take().ok_or_else(|| Error::internal("a read ran twice"))
}

pub(super) fn without_a_run() -> Error {
    Error::internal("a transaction ended well without a run of its closure")
}

pub(super) async fn on_blocking_thread(
    work: impl FnOnce() -> Result<BoxedValue> + Send + 'static,
) -> Result<BoxedValue> {
    match tokio::task::spawn_blocking(|| statement_count::on_this_thread(work)).await {
        Ok((result, statements)) => {
            statement_count::add(statements);
            result
        }
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(error) => Err(Error::internal(error)),
        },
    }
}
