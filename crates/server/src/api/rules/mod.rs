//! Rules: conditions on transactions, and what becomes of those that meet them.
//!
//! A key that is restricted to chosen accounts knows of none: rules are for all accounts, and name
//! what is in them. It sees empty lists and finds none, and may
//! make and run none.

pub(super) mod create;
mod input;
pub(super) mod list;
pub(super) mod preview;
pub(super) mod remove;
pub(super) mod run;
pub(super) mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_app::accounts::Restriction;
use purser_core::error::Error;
use purser_core::ids::RuleId;

use crate::http::path::PathId;

impl PathId for RuleId {
    const NOUN: &'static str = "Rule";
}

/// For a restricted key there is no rule.
fn require_in_sight(restriction: Restriction<'_>) -> Result<(), Error> {
    match restriction {
        None => Ok(()),
        Some(_) => Err(Error::NotFound { what: RuleId::NOUN }),
    }
}
