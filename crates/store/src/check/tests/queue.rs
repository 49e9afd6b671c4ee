//! What can be wrong with jobs and with kept answers.

use super::damage::{Damage, damage};

/// At least one for every rule of the checks of the queue.
pub(super) const DAMAGES: &[Damage] = &[
    damage(
        &["jobs"],
        "is running without a lease",
        "UPDATE jobs SET run_at = lease_until, lease_until = NULL WHERE state = 'running'",
        "UPDATE jobs SET lease_until = run_at WHERE state = 'running'",
    ),
    damage(
        &["jobs"],
        "is queued, but has a lease",
        "UPDATE jobs SET lease_owner = 'ghost' WHERE kind = 'other'",
        "UPDATE jobs SET lease_owner = NULL WHERE kind = 'other'",
    ),
    damage(
        &["jobs"],
        "has had 8 tries of 6",
        "UPDATE jobs SET attempts = attempts_max + 2 WHERE kind = 'other'",
        "UPDATE jobs SET attempts = 0 WHERE kind = 'other'",
    ),
    damage(
        &["column_values", "jobs"],
        "has a payload that is no JSON",
        "UPDATE jobs SET payload = '{' WHERE kind = 'other'",
        "UPDATE jobs SET payload = '{}' WHERE kind = 'other'",
    ),
    damage(
        &["jobs"],
        "waits for a job, but there is none: see `purser jobs list`",
        "UPDATE accounts SET status = 'pending_deletion' WHERE name = 'Jar'",
        "UPDATE accounts SET status = 'active' WHERE name = 'Jar'",
    ),
    damage(
        &["jobs"],
        "was given up: see `purser jobs list`",
        "UPDATE jobs SET kind = 'family.remove', state = 'failed' WHERE kind = 'other'",
        "UPDATE jobs SET kind = 'other', state = 'queued' WHERE kind = 'family.remove'",
    ),
    damage(
        &["jobs"],
        "the deletion of connection",
        "INSERT INTO connections (family_id, id, provider, provider_type, name, status,
                scheduled_for_deletion, created_at, updated_at)
            SELECT family_id, id, 'lunchflow', 'aggregator', 'Gone', 'good', TRUE, created_at,
                created_at
            FROM accounts WHERE name = 'Jar'",
        "DELETE FROM connections WHERE name = 'Gone'",
    ),
    damage(
        &["jobs"],
        "the publish of import",
        "UPDATE imports SET publish_wanted = TRUE WHERE status = 'pending'",
        "UPDATE imports SET publish_wanted = FALSE WHERE status = 'pending'",
    ),
    damage(
        &["directories"],
        "something is due at 1970-01-01T00:00:00.000001Z (family), but nobody will look",
        "UPDATE families SET deletion_at = 1 WHERE name = 'own'",
        "UPDATE families SET deletion_at = NULL WHERE name = 'own'",
    ),
    damage(
        &["jobs"],
        "the undo of sync",
        "INSERT INTO syncs (family_id, id, actor_kind, status, accounts_synced, accounts_failed,
                created_at, completed_at)
            SELECT family_id, id, 'system', 'completed', 1, 0, created_at, created_at
            FROM accounts WHERE name = 'Jar';
        INSERT INTO sync_plans (family_id, sync_id, account_id, source, counts, warnings,
                created_at, revert_status)
            SELECT family_id, id, id, 'lunchflow', '{}', '[]', created_at, 'reverting'
            FROM accounts WHERE name = 'Jar'",
        "DELETE FROM sync_plans WHERE revert_status = 'reverting';
        DELETE FROM syncs WHERE accounts_synced = 1 AND connection_id IS NULL",
    ),
    damage(
        &["idempotency_keys"],
        "the answer to POST /accounts with the key \"answered\" is not whole",
        "UPDATE idempotency_keys SET body = NULL WHERE idempotency_key = 'answered'",
        "UPDATE idempotency_keys SET body = '{}' WHERE idempotency_key = 'answered'",
    ),
];
