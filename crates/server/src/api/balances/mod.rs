//! Daily balances.

pub(super) mod list;
mod shape;
pub(super) mod show;

use uuid::Uuid;

use crate::http::path::PathId;

/// The id that is made of an account and a day.
#[derive(Debug, Clone, Copy)]
pub(super) struct BalanceId(Uuid);

impl From<Uuid> for BalanceId {
    fn from(id: Uuid) -> Self {
        Self(id)
    }
}

impl PathId for BalanceId {
    const NOUN: &'static str = "Balance";
}
