//! The ledger: accounts, their entries, and the balances that follow from them.

pub mod account;
pub mod account_values;
pub mod balance;
pub mod cash_move;
pub mod daily;
pub mod entry;
pub mod holding;
pub mod input;
pub mod locks;
pub mod nature;
pub mod new_account;
pub mod new_trade;
pub mod new_transaction;
pub mod new_valuation;
pub mod positions;
pub mod security;
pub mod split;
pub mod trade;
pub mod transaction_values;
pub mod unknown_days;
pub mod valuing;
