//! What can be wrong in a database, and how it is put right again. Both databases understand it.

/// A damage, and what must notice it.
pub(super) struct Damage {
    /// The checks that fail, in their order.
    pub(super) checks: &'static [&'static str],
    /// A text that the problem contains.
    pub(super) names: &'static str,
    pub(super) damage: &'static str,
    pub(super) repair: &'static str,
}

pub(super) const fn damage(
    checks: &'static [&'static str],
    names: &'static str,
    damage: &'static str,
    repair: &'static str,
) -> Damage {
    Damage { checks, names, damage, repair }
}

/// At least one for every rule of every check, but for those of the queue.
pub(super) const DAMAGES: &[Damage] = &[
    damage(
        &["column_values"],
        ": role is \"owner\", but must be admin or member",
        "UPDATE users SET role = 'owner' WHERE name = 'own'",
        "UPDATE users SET role = 'admin' WHERE name = 'own'",
    ),
    damage(
        &["column_values"],
        ": time_zone is \"Mars\", but must be a time zone",
        "UPDATE families SET time_zone = 'Mars' WHERE name = 'other'",
        "UPDATE families SET time_zone = 'Europe/Berlin' WHERE name = 'other'",
    ),
    damage(
        &["directories"],
        "can't be found by the address own@example.org",
        "UPDATE sign_in_names SET email = 'x@example.org' WHERE email = 'own@example.org'",
        "UPDATE sign_in_names SET email = 'own@example.org' WHERE email = 'x@example.org'",
    ),
    damage(
        &["directories"],
        "is revoked and has 1 hashes",
        "UPDATE api_keys SET revoked_at = 1 WHERE name = 'kept'",
        "UPDATE api_keys SET revoked_at = NULL WHERE name = 'kept'",
    ),
    damage(
        &["directories"],
        "a hash leads to the key",
        "INSERT INTO key_hashes (hash, family_id, key_id)
            SELECT sha256, family_id, id FROM files",
        "DELETE FROM key_hashes WHERE hash IN (SELECT sha256 FROM files)",
    ),
    damage(
        &["directories"],
        "who doesn't exist",
        "UPDATE sessions SET user_id = (SELECT id FROM files)",
        "UPDATE sessions SET user_id = (SELECT id FROM users WHERE name = 'own')",
    ),
    damage(
        &["directories"],
        "who is deactivated",
        "UPDATE users SET deactivated_at = 1 WHERE name = 'own'",
        "UPDATE users SET deactivated_at = NULL WHERE name = 'own'",
    ),
    damage(
        &["account_counters"],
        "counts 8 transactions and 0 valuations, but has 7 and 0",
        "UPDATE accounts SET transactions_count = transactions_count + 1 WHERE name = 'Giro'",
        "UPDATE accounts SET transactions_count = transactions_count - 1 WHERE name = 'Giro'",
    ),
    damage(
        &["entry_conversions"],
        "is in USD, but not booked in EUR",
        "UPDATE entries SET currency = 'USD' WHERE name = 'Bar'",
        "UPDATE entries SET currency = 'EUR' WHERE name = 'Bar'",
    ),
    damage(
        &["best_rates"],
        "is not booked by the best rate",
        "UPDATE family_rates SET rate = '1.3'",
        "UPDATE family_rates SET rate = '1.2'",
    ),
    damage(
        &["split_parts"],
        "has 100000, but its 2 parts have 100001",
        "UPDATE entries SET amount = amount + 1 WHERE name = 'Magnet'",
        "UPDATE entries SET amount = amount - 1 WHERE name = 'Magnet'",
    ),
    damage(
        &["entry_conversions", "split_parts", "balances_rebuilt"],
        "but comes to Some(91111)",
        "UPDATE entries SET booked = booked + 1 WHERE name = 'Souvenirs'",
        "UPDATE entries SET booked = booked - 1 WHERE name = 'Souvenirs'",
    ),
    damage(
        &["references", "account_counters", "entry_conversions", "balances_rebuilt"],
        "is in no account of its family",
        "UPDATE entries SET account_id = id WHERE name = 'Bar'",
        "UPDATE entries SET account_id = (SELECT id FROM accounts WHERE name = 'Card')
            WHERE name = 'Bar'",
    ),
    damage(
        &["account_counters", "valuations", "balances_rebuilt"],
        "has 2 valuations on 2024-01-01",
        "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
                valuation_kind, pending, created_at, updated_at)
            SELECT e.family_id, i.id, e.account_id, 1, e.date, e.amount, e.currency, 'twice',
                'reconciliation', e.pending, 0, 0
            FROM entries e, imports i
            WHERE e.kind = 1 AND i.family_id = e.family_id AND i.status = 'importing'",
        "DELETE FROM entries WHERE name = 'twice'",
    ),
    damage(
        &["account_counters", "valuations", "balances_rebuilt"],
        "has 2 opening anchors",
        "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
                valuation_kind, pending, created_at, updated_at)
            SELECT e.family_id, i.id, e.account_id, 1, e.date + 1, e.amount, e.currency, 'twice',
                'opening_anchor', e.pending, 0, 0
            FROM entries e, imports i
            WHERE e.kind = 1 AND i.family_id = e.family_id AND i.status = 'importing'",
        "DELETE FROM entries WHERE name = 'twice'",
    ),
    damage(
        &["valuations"],
        "has the kind of a valuation and is none",
        "UPDATE entries SET valuation_kind = 'reconciliation' WHERE name = 'Bar'",
        "UPDATE entries SET valuation_kind = NULL WHERE name = 'Bar'",
    ),
    damage(
        &["balances_rebuilt"],
        "2024-01-05 is stored as [in 9000000, out 25000, ",
        "UPDATE entries SET amount = amount + 1 WHERE name = 'Bakery'",
        "UPDATE entries SET amount = amount - 1 WHERE name = 'Bakery'",
    ),
    damage(
        &["balances_rebuilt"],
        "2024-02-01 is stored, but has no entries",
        "UPDATE entries SET date = date + 1 WHERE name = 'Bar'",
        "UPDATE entries SET date = date - 1 WHERE name = 'Bar'",
    ),
    damage(
        &["balances_rebuilt"],
        "2024-01-31 has entries, but is not stored",
        "UPDATE entries SET date = date - 1 WHERE name = 'Bar'",
        "UPDATE entries SET date = date + 1 WHERE name = 'Bar'",
    ),
    damage(
        &["balances_rebuilt", "balances_articulate"],
        "2024-02-01 ends at 200001, but comes to 200000",
        "UPDATE balances SET end_amount = end_amount + 1 WHERE end_amount = 200000",
        "UPDATE balances SET end_amount = end_amount - 1 WHERE end_amount = 200001",
    ),
    damage(
        &["balances_rebuilt", "balances_articulate"],
        "is adjusted by 5 without a valuation",
        "UPDATE balances SET adjustment = 5 WHERE valued IS NULL AND end_amount = 200000",
        "UPDATE balances SET adjustment = 0 WHERE valued IS NULL AND end_amount = 200000",
    ),
    damage(
        &["balances_rebuilt", "balances_articulate"],
        "ends at 120000, which is not its valuation",
        "UPDATE balances SET valued = valued + 1 WHERE valued IS NOT NULL",
        "UPDATE balances SET valued = valued - 1 WHERE valued IS NOT NULL",
    ),
    damage(
        &["balances_rebuilt", "balances_articulate"],
        "has a negative flow or count",
        "UPDATE balances SET inflow = -1 - inflow WHERE end_amount = 200000",
        "UPDATE balances SET inflow = -1 - inflow WHERE end_amount = 200000",
    ),
    damage(
        &["balances_rebuilt", "balances_articulate"],
        "but comes to",
        "UPDATE accounts SET opening_amount = opening_amount + 1 WHERE name = 'Giro'",
        "UPDATE accounts SET opening_amount = opening_amount - 1 WHERE name = 'Giro'",
    ),
    damage(
        &["categories"],
        "which is of the second level",
        "UPDATE categories SET parent_id = id WHERE name = 'Food'",
        "UPDATE categories SET parent_id = NULL WHERE name = 'Food'",
    ),
    damage(
        &["categories"],
        "which the family doesn't have",
        "UPDATE categories SET parent_id = (SELECT id FROM tags WHERE name = 'Home') WHERE name = 'Bars'",
        "UPDATE categories SET parent_id = (SELECT id FROM categories WHERE name = 'Food')
            WHERE name = 'Bars'",
    ),
    damage(
        &["categories"],
        "is \"Food:Bars\", but is found by \"bars\"",
        "UPDATE categories SET name_key = 'bars' WHERE name = 'Bars'",
        "UPDATE categories SET name_key = 'food:bars' WHERE name = 'Bars'",
    ),
    damage(
        &["categories"],
        "is \"Food\", but is found by \"drink\"",
        "UPDATE categories SET name_key = 'drink' WHERE name = 'Food'",
        "UPDATE categories SET name_key = 'food' WHERE name = 'Food'",
    ),
    damage(
        &["entry_origins"],
        "was changed, but has no origin",
        "UPDATE entries SET changed_at = 1 WHERE name = 'Bar'",
        "UPDATE entries SET changed_at = NULL WHERE name = 'Bar'",
    ),
    damage(
        &["entry_origins"],
        "has an origin, but was never changed",
        "INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount, currency, name)
            SELECT family_id, id, account_id, date, amount, currency, name FROM entries
            WHERE name = 'Bar'",
        "DELETE FROM entry_origins WHERE name = 'Bar'",
    ),
    damage(
        &["entry_origins"],
        "has a tombstone, but is there",
        "INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount, currency, name,
                deleted_at)
            SELECT family_id, id, account_id, date, amount, currency, name, 1 FROM entries
            WHERE name = 'Bar'",
        "DELETE FROM entry_origins WHERE name = 'Bar'",
    ),
    damage(
        &["entry_origins"],
        "is gone, but its origin is no tombstone",
        "INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount, currency, name)
            SELECT family_id, account_id, account_id, date, amount, currency, name FROM entries
            WHERE name = 'Bar'",
        "DELETE FROM entry_origins WHERE name = 'Bar'",
    ),
    damage(
        &["column_values"],
        ": transfer_matching is \"maybe\", but must be one of ",
        "UPDATE families SET transfer_matching = 'maybe' WHERE name = 'own'",
        "UPDATE families SET transfer_matching = 'automatic' WHERE name = 'own'",
    ),
    damage(
        &["column_values"],
        ": status is \"new\", but must be one of ",
        "UPDATE transfers SET status = 'new'",
        "UPDATE transfers SET status = 'confirmed'",
    ),
    damage(
        &["transfers"],
        "which is no transaction of its family",
        "UPDATE transfers SET outflow_id = id",
        "UPDATE transfers SET outflow_id = (SELECT id FROM entries WHERE name = 'Out of the pot')",
    ),
    damage(
        &["transfers"],
        "has sides that don't cancel",
        "UPDATE transfers SET inflow_id = (SELECT id FROM entries WHERE name = 'Bar')",
        "UPDATE transfers SET inflow_id = (SELECT id FROM entries WHERE name = 'Into the jar')",
    ),
    damage(
        &["transfers"],
        "has both sides in one account",
        "UPDATE transfers SET inflow_id = outflow_id",
        "UPDATE transfers SET inflow_id = (SELECT id FROM entries WHERE name = 'Into the jar')",
    ),
    damage(
        &["transfers"],
        "is in several confirmed transfers",
        "INSERT INTO transfers (family_id, id, outflow_id, inflow_id, status, made_by, score,
                reasons, created_at, updated_at)
            SELECT t.family_id, t.outflow_id, t.outflow_id, e.id, 'confirmed', 'person', 100, '[]',
                0, 0
            FROM transfers t JOIN entries e ON e.name = 'Into the jar too'",
        "DELETE FROM transfers WHERE id = outflow_id",
    ),
    damage(
        &["transfers"],
        "is in a transfer that a person rejected",
        "INSERT INTO rejected_transfers (family_id, id, outflow_id, inflow_id, created_at)
            SELECT family_id, id, outflow_id, inflow_id, 0 FROM transfers",
        "DELETE FROM rejected_transfers",
    ),
    damage(
        &["import_counts"],
        "counts 5 rows, 4 valid and 0 invalid",
        "UPDATE imports SET rows_count = 5 WHERE rows_count = 4",
        "UPDATE imports SET rows_count = 4 WHERE rows_count = 5",
    ),
    damage(
        &["import_counts"],
        "counts 4 mappings, 1 of them unassigned, but has 3 and 1",
        "UPDATE imports SET mappings_count = 4 WHERE status = 'pending'",
        "UPDATE imports SET mappings_count = 3 WHERE status = 'pending'",
    ),
    damage(
        &["import_counts"],
        "counts 3 mappings, 0 of them unassigned, but has 3 and 1",
        "UPDATE imports SET unassigned_mappings_count = 0 WHERE status = 'pending'",
        "UPDATE imports SET unassigned_mappings_count = 1 WHERE status = 'pending'",
    ),
    damage(
        &["import_mappings"],
        "maps the tag \"New\" to one that the family doesn't have",
        "UPDATE import_mappings SET target_id = import_id WHERE kind = 'tag'",
        "UPDATE import_mappings SET target_id = NULL WHERE kind = 'tag'",
    ),
    damage(
        &["import_entries", "import_plans"],
        "made 4 entries, but 3 are there",
        "UPDATE imports SET created_count = 4 WHERE created_count = 3",
        "UPDATE imports SET created_count = 3 WHERE created_count = 4",
    ),
    damage(
        &["import_counts", "import_entries"],
        "is complete with 3 entries of 2 valid rows",
        "UPDATE imports SET valid_rows_count = 2 WHERE created_count = 3",
        "UPDATE imports SET valid_rows_count = 3 WHERE created_count = 3",
    ),
    damage(
        &["import_entries"],
        "is complete, but has no time of completion",
        "UPDATE imports SET completed_at = NULL, updated_at = completed_at
            WHERE created_count = 3",
        "UPDATE imports SET completed_at = updated_at WHERE created_count = 3",
    ),
    damage(
        &["import_entries"],
        "has half a range of entries",
        "UPDATE imports SET last_entry_id = NULL WHERE created_count = 2",
        "UPDATE imports SET last_entry_id = (SELECT id FROM entries WHERE name = 'Books')
            WHERE created_count = 2",
    ),
    damage(
        &["import_entries", "import_plans"],
        "claim the same entries",
        "UPDATE imports SET created_count = 4, valid_rows_count = 4, rows_count = 4,
                last_entry_id = (SELECT id FROM entries WHERE name = 'Tea')
            WHERE created_count = 3",
        "UPDATE imports SET created_count = 3, valid_rows_count = 3, rows_count = 3,
                last_entry_id = (SELECT id FROM entries WHERE name = 'Coffee')
            WHERE created_count = 4",
    ),
    damage(
        &["import_entries"],
        "is not complete, but has made 2 entries",
        "UPDATE imports SET status = 'failed' WHERE created_count = 2",
        "UPDATE imports SET status = 'complete' WHERE created_count = 2",
    ),
    damage(
        &["import_entries"],
        "which is complete",
        "INSERT INTO hidden_entries (family_id, import_id, action, first_id, last_id)
            SELECT family_id, id, 'undo', id, id FROM imports WHERE created_count = 3",
        "DELETE FROM hidden_entries",
    ),
    damage(
        &["import_entries"],
        "for the undo of import",
        "INSERT INTO hidden_entries (family_id, import_id, action, first_id, last_id)
            SELECT family_id, id, 'undo', id, id FROM imports WHERE status = 'importing'",
        "DELETE FROM hidden_entries",
    ),
    damage(
        &["import_plans"],
        "has 3 rows, a plan of 2, and verdicts on 3",
        r#"UPDATE imports SET plan = '{"create":2}' WHERE created_count = 3"#,
        r#"UPDATE imports SET plan = '{"create":3}' WHERE created_count = 3"#,
    ),
    damage(
        &["import_plans"],
        "is complete, but has no plan",
        "UPDATE imports SET plan = NULL WHERE created_count = 3",
        r#"UPDATE imports SET plan = '{"create":3}' WHERE created_count = 3"#,
    ),
    damage(
        &["import_plans"],
        "has a plan with a gap before block 1",
        "UPDATE import_plan_blocks SET block = 1",
        "UPDATE import_plan_blocks SET block = 0",
    ),
    damage(
        &["import_plans"],
        "has a plan whose block 0 refers to the wrong rows",
        "UPDATE import_plan_blocks SET matches = (SELECT substr(sha256, 1, 18) FROM files LIMIT 1)",
        "UPDATE import_plan_blocks SET matches = substr(matches, 1, 0)",
    ),
    damage(
        &["import_plans"],
        "has a plan whose block 0 can't be read",
        "UPDATE import_plan_blocks SET matches = (SELECT substr(sha256, 1, 17) FROM files LIMIT 1)",
        "UPDATE import_plan_blocks SET matches = substr(matches, 1, 0)",
    ),
    damage(
        &["import_created"],
        "which the family doesn't have",
        "UPDATE import_created SET target_id = import_id",
        "UPDATE import_created SET target_id = (SELECT t.id FROM tags t
            WHERE t.name = 'Made' AND t.family_id = import_created.family_id)",
    ),
    damage(
        &["import_changes"],
        "which the family doesn't have",
        "UPDATE import_changes SET target_id = import_id WHERE kind = 'category'",
        "UPDATE import_changes SET target_id = (SELECT c.id FROM categories c
            WHERE c.name = 'Food' AND c.family_id = import_changes.family_id) WHERE kind = 'category'",
    ),
    damage(
        &["import_changes"],
        "but it isn't known how",
        "UPDATE import_changes SET before_image = '{}' WHERE kind = 'category'",
        "UPDATE import_changes SET before_image = after_image WHERE kind = 'category'",
    ),
    damage(
        &["import_fills"],
        "but it isn't known with what",
        "UPDATE import_fills SET filled = '{}'",
        r#"UPDATE import_fills SET filled = '{"notes":"rolls"}'"#,
    ),
    damage(
        &["import_fills"],
        "which isn't there",
        "UPDATE import_fills SET entry_id = import_id",
        "UPDATE import_fills SET entry_id = (SELECT e.id FROM entries e
            WHERE e.name = 'Bakery' AND e.family_id = import_fills.family_id)",
    ),
    damage(
        &["import_jobs"],
        "is reverting, but has no job",
        "UPDATE imports SET status = 'reverting' WHERE created_count = 2",
        "UPDATE imports SET status = 'complete' WHERE created_count = 2",
    ),
    damage(
        &["import_jobs"],
        "is importing, but has no job",
        "UPDATE jobs SET state = 'failed', lease_owner = NULL, run_at = lease_until,
            lease_until = NULL WHERE kind = 'import.publish'",
        "UPDATE jobs SET state = 'running', lease_owner = 'node', lease_until = run_at
            WHERE kind = 'import.publish'",
    ),
    damage(
        &["import_jobs"],
        "(import.publish) is for import",
        "UPDATE imports SET status = 'failed' WHERE status = 'importing'",
        "UPDATE imports SET status = 'importing' WHERE status = 'failed'",
    ),
];
