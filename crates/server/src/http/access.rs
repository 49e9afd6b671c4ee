//! Calls of functions that still take the family, the visible accounts and the actor beside the
//! transaction. They go when those functions take them from the transaction.

/// Calls a function that takes the family.
macro_rules! with_family {
    ($function:path, $tx:expr $(, $argument:expr)* $(,)?) => {{
        let family = $tx.family();
        $function($tx, family $(, $argument)*)
    }};
}

/// Calls a function that takes the family and the visible accounts.
macro_rules! with_accounts {
    ($function:path, $tx:expr $(, $argument:expr)* $(,)?) => {{
        let (family, accounts) = ($tx.family(), $tx.accounts());
        $function($tx, family, accounts.only() $(, $argument)*)
    }};
}

/// Calls a function that takes the family, the visible accounts and the actor.
macro_rules! with_actor {
    ($function:path, $tx:expr $(, $argument:expr)* $(,)?) => {{
        let (family, accounts, actor) = ($tx.family(), $tx.accounts(), $tx.actor());
        $function($tx, family, accounts.only(), actor $(, $argument)*)
    }};
}

/// Calls a function that takes the family and the actor.
macro_rules! with_family_and_actor {
    ($function:path, $tx:expr $(, $argument:expr)* $(,)?) => {{
        let (family, actor) = ($tx.family(), $tx.actor());
        $function($tx, family, actor $(, $argument)*)
    }};
}

pub(crate) use {with_accounts, with_actor, with_family, with_family_and_actor};
