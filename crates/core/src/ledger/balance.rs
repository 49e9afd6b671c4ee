//! balances
