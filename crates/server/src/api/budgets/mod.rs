//! Budgets of months.

pub(super) mod create;
mod input;
pub(super) mod list;
pub(super) mod remove;
pub(super) mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::BudgetId;

use crate::http::path::PathId;

impl PathId for BudgetId {
    const NOUN: &'static str = "Budget";
}
