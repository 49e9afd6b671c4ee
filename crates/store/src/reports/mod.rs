//! Reports: figures over many accounts and days, computed when they are asked for.

pub mod gains;
pub mod net_worth;
