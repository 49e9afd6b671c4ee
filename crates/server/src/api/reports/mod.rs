//! `/api/v1/reports`: figures over many accounts and days.

pub(super) mod cash_flow;
pub(super) mod gains;
pub(super) mod net_worth;
mod span;
