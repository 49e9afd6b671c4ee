//! What budgets say of single categories.

pub(super) mod create;
mod input;
pub(super) mod list;
pub(super) mod remove;
mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::BudgetCategoryId;

use crate::http::path::PathId;

impl PathId for BudgetCategoryId {
    const NOUN: &'static str = "Budget category";
}
