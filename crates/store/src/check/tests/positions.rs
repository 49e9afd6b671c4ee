//! Damages of trades and of what follows from them.

use super::damage::{Damage, damage};

/// At least one for every rule about trades and positions.
pub(super) const DAMAGES: &[Damage] = &[
    damage(
        &["trades"],
        "counts 3 trades, but has 2",
        "UPDATE accounts SET trades_count = trades_count + 1 WHERE name = 'Depot'",
        "UPDATE accounts SET trades_count = trades_count - 1 WHERE name = 'Depot'",
    ),
    damage(
        &["rows_agree", "trades"],
        "is half of a move",
        "UPDATE trades SET counterpart_id = entry_id WHERE trade_type = 'buy'",
        "UPDATE trades SET counterpart_id = NULL WHERE trade_type = 'buy'",
    ),
    damage(
        &["trade_amounts", "positions_rebuilt"],
        "has an amount of 233100, but comes to Some(233101)",
        "UPDATE trades SET fee = fee + 1 WHERE qty = '3.0'",
        "UPDATE trades SET fee = fee - 1 WHERE qty = '3.0'",
    ),
    damage(
        &["balances_rebuilt", "trade_amounts"],
        "has a value of 256411, but comes to Some(256410)",
        "UPDATE trades SET value = value + 1 WHERE qty = '3.0'",
        "UPDATE trades SET value = value - 1 WHERE qty = '3.0'",
    ),
    damage(
        &["positions_rebuilt"],
        "on 2024-01-10 is stored as [7 at 300000], but is [6 at 300000]",
        "UPDATE position_segments SET qty = '7.0' WHERE qty = '6.0'",
        "UPDATE position_segments SET qty = '6.0' WHERE qty = '7.0'",
    ),
    damage(
        &["positions_rebuilt"],
        "is stored as nothing new, but is [4 at 200000]",
        "UPDATE position_segments SET date = date + 1 WHERE qty = '4.0'",
        "UPDATE position_segments SET date = date - 1 WHERE qty = '4.0'",
    ),
    damage(
        &["trades"],
        "is of 2024-01-11, but its entry is of 2024-01-10",
        "UPDATE trades SET date = date + 1 WHERE trade_type = 'buy'",
        "UPDATE trades SET date = date - 1 WHERE trade_type = 'buy'",
    ),
    damage(
        &["positions_rebuilt"],
        "the checkpoint of 2024-01-10 is not the state at the end of that day",
        "UPDATE position_checkpoints SET state = replace(state, '\"6\"', '\"7\"')",
        "UPDATE position_checkpoints SET state = replace(state, '\"7\"', '\"6\"')",
    ),
    damage(
        &["column_values", "positions_rebuilt"],
        "but must be the state of a fold",
        "UPDATE position_checkpoints SET state = '{' || state",
        "UPDATE position_checkpoints SET state = substr(state, 2)",
    ),
    damage(
        &["references", "positions_rebuilt"],
        "has no id",
        "UPDATE holdings SET family_id = family_id + 1000",
        "UPDATE holdings SET family_id = family_id - 1000",
    ),
];
