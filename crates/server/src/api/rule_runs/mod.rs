//! Runs of rules. A key that is restricted to chosen accounts sees none, as it sees no rules.

pub(super) mod list;
pub(super) mod shape;
pub(super) mod show;

use purser_core::ids::RuleRunId;

use crate::http::path::PathId;

impl PathId for RuleRunId {
    const NOUN: &'static str = "Rule run";
}
