-- What of a family is due, and when, for those who look without being asked: a directory, so that
-- nobody looks into the rows of all families. A time may be too early, never too late.
CREATE TABLE due (
    family_id {int} NOT NULL,
    kind {text} NOT NULL,                       -- what is done: sync, webhook, …
    due_at {int} NOT NULL,
    attempts {int} NOT NULL,                    -- looks in vain in a row: the family couldn't be reached
    PRIMARY KEY (family_id, kind)
) {keyed};
CREATE INDEX due_next ON due (kind, due_at);

INSERT INTO due (family_id, kind, due_at, attempts)
    SELECT family_id, 'sync', MIN(COALESCE(run_until, next_attempt_at)), 0 FROM connections
    WHERE NOT scheduled_for_deletion AND COALESCE(run_until, next_attempt_at) IS NOT NULL
    GROUP BY family_id;
INSERT INTO due (family_id, kind, due_at, attempts)
    SELECT family_id, 'webhook', MIN(next_attempt_at), 0 FROM webhook_deliveries
    WHERE next_attempt_at IS NOT NULL GROUP BY family_id;
INSERT INTO due (family_id, kind, due_at, attempts)
    SELECT family_id, 'users', MIN(deletion_at), 0 FROM users
    WHERE deletion_at IS NOT NULL GROUP BY family_id;
INSERT INTO due (family_id, kind, due_at, attempts)
    SELECT id, 'family', deletion_at, 0 FROM families WHERE deletion_at IS NOT NULL;
-- Seven days after the last change.
INSERT INTO due (family_id, kind, due_at, attempts)
    SELECT family_id, 'exports', MIN(updated_at) + 604800000000, 0 FROM family_exports
    GROUP BY family_id;
INSERT INTO due (family_id, kind, due_at, attempts)
    SELECT family_id, 'sessions', MIN(updated_at) + 604800000000, 0 FROM import_sessions
    WHERE import_id IS NULL GROUP BY family_id;

-- Each is asked for within one family from now on.
DROP INDEX connections_due;
DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (family_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
