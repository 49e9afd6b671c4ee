//! Random rules for the contents of the random files: they rename, sort and exclude.

use serde_json::{Value, json};

use crate::support::{Client, Dice};

/// Makes a few rules.
pub(super) fn make(api: &Client, dice: &mut Dice) {
    for _ in 0..dice.between(1, 5) {
        let conditions = (0..dice.below(3)).map(|_| condition(dice)).collect::<Vec<_>>();
        let actions = (0..dice.between(1, 4)).map(|_| action(dice)).collect::<Vec<_>>();
        let rule = json!({ "conditions": conditions, "actions": actions });
        api.post("/api/v1/rules", &rule).expect_status(201);
    }
}

fn condition(dice: &mut Dice) -> Value {
    let (kind, operator, value) = match dice.below(6) {
        0 => ("transaction_name", "like", dice.pick(&["r", "bread", "RENT", "ruled"])),
        1 => ("transaction_details", "=", dice.pick(&["Bread", "Milk"])),
        2 => ("transaction_amount", dice.pick(&["<", "=", ">="]), dice.pick(&["1", "2.00", "3"])),
        3 => ("transaction_type", "=", dice.pick(&["income", "expense"])),
        4 => ("transaction_category", dice.pick(&["is_null", "is_not_null"]), ""),
        _ => ("transaction_notes", "not_like", "n"),
    };
    let value = if value.is_empty() { Value::Null } else { json!(value) };
    json!({ "condition_type": kind, "operator": operator, "value": value })
}

fn action(dice: &mut Dice) -> Value {
    let (kind, value) = match dice.below(5) {
        // Milk is also what a file may call something else.
        0 | 1 => ("set_transaction_name", dice.pick(&["Ruled", "Milk"])),
        2 => ("set_transaction_category", dice.pick(&["Food", "Ruled:Out"])),
        3 => ("set_transaction_tags", dice.pick(&["a", "ruled"])),
        _ => ("exclude_transaction", ""),
    };
    json!({ "action_type": kind, "value": value })
}
