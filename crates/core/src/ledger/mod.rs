//! The ledger: accounts, their entries, and the balances that follow from them.

pub mod account;
pub mod balance;
pub mod entry;
pub mod holding;
pub mod input;
pub mod new_account;
pub mod new_valuation;
pub mod transaction_values;
