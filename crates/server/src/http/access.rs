//! Calls of functions that still take the family, the visible accounts and the actor beside the
//! transaction. They go when those functions take them from the transaction.

/// Calls a function that takes the family.
macro_rules! with_family {
    ($function:path, $tx:expr $(, $argument:expr)* $(,)?) => {{
        $function($tx $(, $argument)*)
    }};
}

/// Calls a function that takes the family and the visible accounts.
macro_rules! with_accounts {
    ($function:path, $tx:expr $(, $argument:expr)* $(,)?) => {{
        $function($tx $(, $argument)*)
    }};
}

/// Calls a function that takes the family, the visible accounts and the actor.
macro_rules! with_actor {
    ($function:path, $tx:expr $(, $argument:expr)* $(,)?) => {{
        $function($tx $(, $argument)*)
    }};
}

/// Calls a function that takes the family and the actor.
macro_rules! with_family_and_actor {
    ($function:path, $tx:expr $(, $argument:expr)* $(,)?) => {{
        $function($tx $(, $argument)*)
    }};
}

pub(crate) use {with_accounts, with_actor, with_family, with_family_and_actor};
