//! What can be wrong with values that are read one by one, with ids that point nowhere, and between
//! the columns of a row.

use super::damage::{Damage, damage};

/// The damages that `purser check` once missed, and one for every rule between columns.
pub(super) const DAMAGES: &[Damage] = &[
    damage(
        &["rows_agree"],
        "the days, the range of entries or the status of the import don't fit",
        "INSERT INTO bank_statements (family_id, id, account_id, import_id, first_day, last_day,
                currency, closing_day, lines_count, missing_count, created_at)
            SELECT i.family_id, i.id, a.id, i.id, 2, 1, 'EUR', 1, 0, 0, 0
            FROM imports i JOIN accounts a ON a.family_id = i.family_id
            WHERE i.created_count = 3 ORDER BY a.id LIMIT 1",
        "DELETE FROM bank_statements",
    ),
    damage(
        &["column_values"],
        ": price is \"cheap\", but must be a decimal number above 0",
        "INSERT INTO security_prices (family_id, id, security_id, date, currency, price, source,
                created_at, updated_at)
            SELECT family_id, id, id, 19000, 'EUR', 'cheap', 'manual', 0, 0 FROM securities
            WHERE ticker = 'VTI'",
        "DELETE FROM security_prices",
    ),
    damage(
        &["column_values"],
        ": price is \"-5\", but must be a decimal number above 0",
        "INSERT INTO security_prices (family_id, id, security_id, date, currency, price, source,
                created_at, updated_at)
            SELECT family_id, id, id, 19000, 'EUR', '-5', 'manual', 0, 0 FROM securities
            WHERE ticker = 'VTI'",
        "DELETE FROM security_prices",
    ),
    damage(
        &["column_values"],
        ": conditions is \"[{\", but must be conditions of a rule",
        "INSERT INTO rules (family_id, id, name, active, conditions, actions, position, created_at,
                updated_at)
            SELECT family_id, id, 'broken', pending, '[{', '[{\"action_type\":\"exclude_transaction\"}]',
                1, 0, 0
            FROM entries WHERE name = 'Bar'",
        "DELETE FROM rules",
    ),
    damage(
        &["column_values"],
        ": actions is \"[]\", but must be actions of a rule",
        "INSERT INTO rules (family_id, id, name, active, conditions, actions, position, created_at,
                updated_at)
            SELECT family_id, id, 'broken', pending, '[]', '[]', 1, 0, 0
            FROM entries WHERE name = 'Bar'",
        "DELETE FROM rules",
    ),
    damage(
        &["column_values"],
        "but must be actions of a rule, with the ids of what they name",
        "INSERT INTO rules (family_id, id, name, active, conditions, actions, position, created_at,
                updated_at)
            SELECT family_id, id, 'by name', pending, '[]',
                '[{\"action_type\":\"set_transaction_category\",\"value\":\"Food\"}]', 1, 0, 0
            FROM entries WHERE name = 'Bar'",
        "DELETE FROM rules",
    ),
    damage(
        &["column_values"],
        ": settings is \"{\", but must be settings of an import",
        "UPDATE imports SET settings = '{' WHERE created_count = 3",
        "UPDATE imports SET settings = '{}' WHERE created_count = 3",
    ),
    damage(
        &["column_values"],
        ": reasons is \"{}\", but must be a list of sentences",
        "UPDATE transfers SET reasons = '{}'",
        "UPDATE transfers SET reasons = '[]'",
    ),
    damage(
        &["column_values"],
        ": month_start_day is 31, but must be from 1 to 28",
        "UPDATE families SET month_start_day = 31 WHERE name = 'other'",
        "UPDATE families SET month_start_day = 1 WHERE name = 'other'",
    ),
    damage(
        &["column_values"],
        ": country is \"ZZ\", but must be a code of ISO 3166",
        "UPDATE families SET country = 'ZZ' WHERE name = 'other'",
        "UPDATE families SET country = NULL WHERE name = 'other'",
    ),
    damage(
        &["column_values"],
        ": locked is 256, but must be from 0 to 255",
        "UPDATE entries SET locked = locked + 256 WHERE name = 'Bar'",
        "UPDATE entries SET locked = locked - 256 WHERE name = 'Bar'",
    ),
    damage(
        &["references"],
        ": merchant_id is ",
        "UPDATE entries SET merchant_id = id WHERE name = 'Bar'",
        "UPDATE entries SET merchant_id = NULL WHERE name = 'Bar'",
    ),
    damage(
        &["references"],
        "which no row of tags has",
        "UPDATE entry_tags SET tag_id = (SELECT id FROM categories WHERE name = 'Food')",
        "UPDATE entry_tags SET tag_id = (SELECT id FROM tags WHERE name = 'Home')",
    ),
    damage(
        &["references"],
        "which no row of entries has",
        "UPDATE entry_tags SET entry_id = tag_id
            WHERE entry_id = (SELECT id FROM entries WHERE name = 'Bar')",
        "UPDATE entry_tags SET entry_id = (SELECT id FROM entries WHERE name = 'Bar')
            WHERE entry_id = tag_id",
    ),
    damage(
        &["entry_conversions"],
        "has a conversion of which rate and origin differ",
        "UPDATE entry_conversions SET rate = '1.3' WHERE rate = '1.2'",
        "UPDATE entry_conversions SET rate = '1.2' WHERE rate = '1.3'",
    ),
    damage(
        &["entry_conversions", "best_rates"],
        "has a conversion of which given and origin differ",
        "UPDATE entry_conversions SET given = NOT given WHERE from_currency = 'USD'",
        "UPDATE entry_conversions SET given = NOT given WHERE from_currency = 'USD'",
    ),
    damage(
        &["name_keys"],
        "is \"Giro\", but is found by \"konto\"",
        "UPDATE accounts SET name_key = 'konto' WHERE name = 'Giro'",
        "UPDATE accounts SET name_key = 'giro' WHERE name = 'Giro'",
    ),
    damage(
        &["import_mappings"],
        "which the family doesn't have",
        r#"INSERT INTO import_templates (family_id, id, import_type, header_key, name, settings,
                found, choices, used_at, created_at, updated_at)
            SELECT i.family_id, i.id, i.import_type, f.sha256, 'left', '{}', '{}',
                '[{"kind":"tag","key":"x","choice":{"existing":
                    "018f85fe-8100-7000-8000-000000000000"}}]', 0, 0, 0
            FROM imports i, files f WHERE i.created_count = 3"#,
        "DELETE FROM import_templates",
    ),
    damage(
        &["rows_agree"],
        "start_date is within another budget",
        "INSERT INTO budgets (family_id, id, start_date, end_date, currency, created_at, updated_at)
            SELECT family_id, id, CASE name WHEN 'Bar' THEN 19723 ELSE 19740 END, 19760, 'EUR', 0, 0
            FROM entries WHERE name IN ('Bar', 'Bakery')",
        "DELETE FROM budgets",
    ),
    damage(
        &["rows_agree"],
        "end_date is before start_date",
        "INSERT INTO budgets (family_id, id, start_date, end_date, currency, created_at, updated_at)
            SELECT family_id, id, 19723, 19700, 'EUR', 0, 0 FROM entries WHERE name = 'Bar'",
        "DELETE FROM budgets",
    ),
    damage(
        &["rows_agree"],
        "all_accounts is set, but the key is restricted",
        "INSERT INTO api_key_accounts (family_id, key_id, account_id)
            SELECT k.family_id, k.id, a.id FROM api_keys k, accounts a
            WHERE k.name = 'kept' AND a.name = 'Giro'",
        "DELETE FROM api_key_accounts",
    ),
    damage(
        &["rows_agree"],
        "qty, cost, lots, counterpart or split don't fit trade_type",
        "UPDATE trades SET split_to = 2 WHERE qty = '3.0'",
        "UPDATE trades SET split_to = NULL WHERE qty = '3.0'",
    ),
    damage(
        &["rows_agree", "trade_amounts", "positions_rebuilt"],
        "qty, cost, lots, counterpart or split don't fit trade_type",
        "UPDATE trades SET trade_type = 'transfer_out' WHERE qty = '3.0'",
        "UPDATE trades SET trade_type = 'buy' WHERE qty = '3.0'",
    ),
    damage(
        &["rows_agree"],
        "cost_total and cost_qty are not both there",
        "INSERT INTO position_statements (family_id, account_id, security_id, date, qty, currency,
                cost_total)
            SELECT g.family_id, g.account_id, g.security_id, g.date, g.qty, 'EUR', 1
            FROM position_segments g WHERE g.qty = '6.0'",
        "DELETE FROM position_statements",
    ),
    damage(
        &["rows_agree"],
        "cost_total, cost_qty, cost_date, cost_said_at and earlier_costs don't agree",
        "UPDATE holdings SET cost_date = 19000",
        "UPDATE holdings SET cost_date = NULL",
    ),
    damage(
        &["rows_agree", "import_counts"],
        "creates is set, but problem is, too",
        "UPDATE import_mappings SET problem = 'Which?' WHERE kind = 'tag'
            AND import_id IN (SELECT id FROM imports WHERE created_count = 3)",
        "UPDATE import_mappings SET problem = NULL WHERE kind = 'tag'
            AND import_id IN (SELECT id FROM imports WHERE created_count = 3)",
    ),
    damage(
        &["rows_agree"],
        "finished_at doesn't agree with status",
        "INSERT INTO rule_runs (family_id, id, rule_id, execution_type, status, matched_count,
                changed_count, executed_at)
            SELECT family_id, id, id, 'manual', 'success', 0, 0, 0 FROM entries WHERE name = 'Bar'",
        "DELETE FROM rule_runs",
    ),
    damage(
        &["rows_agree"],
        "actor_id doesn't agree with actor_kind",
        "UPDATE audit_events SET actor_kind = 'user' WHERE action = 'test' AND actor_kind = 'cli'",
        "UPDATE audit_events SET actor_kind = 'cli' WHERE action = 'test' AND actor_kind = 'user'",
    ),
    damage(
        &["rows_agree"],
        "syncs ",
        "INSERT INTO syncs (family_id, id, actor_kind, status, accounts_synced, accounts_failed,
                created_at)
            SELECT family_id, id, 'user', 'completed', 0, 0, 0 FROM entries WHERE name = 'Bar'",
        "DELETE FROM syncs",
    ),
    damage(
        &["rows_agree"],
        "name is empty",
        "UPDATE entries SET name = ' ' WHERE name = 'Bar'",
        "UPDATE entries SET name = 'Bar' WHERE name = ' '",
    ),
    damage(
        &["rows_agree", "entry_conversions"],
        "pending is set, but no source reports it",
        "UPDATE entries SET pending = TRUE WHERE name = 'Bar'",
        "UPDATE entries SET pending = FALSE WHERE name = 'Bar'",
    ),
    damage(
        &["rows_agree", "entry_conversions"],
        "is pending, but counts or can't be",
        "UPDATE entries SET pending = TRUE WHERE name = 'Bar'",
        "UPDATE entries SET pending = FALSE WHERE name = 'Bar'",
    ),
];
