-- A run is of one connection, or of the whole family, and names who requested it. No version could
-- make rows of the table before.
DROP TABLE syncs;
CREATE TABLE syncs (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    connection_id {uuid},                       -- null: of the whole family
    actor_kind {text} NOT NULL,                 -- who requested it, as in audit_events
    actor_id {uuid},
    status {text} NOT NULL,                     -- pending, syncing, completed, failed, stale
    accounts_synced {int} NOT NULL,
    accounts_failed {int} NOT NULL,
    error_code {text},                          -- one of a fixed set
    created_at {int} NOT NULL,
    syncing_at {int},
    completed_at {int},
    failed_at {int},
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, connection_id) REFERENCES connections (family_id, id)
) {keyed};
CREATE INDEX syncs_newest ON syncs (family_id, connection_id, created_at, id);
CREATE INDEX syncs_by_time ON syncs (family_id, created_at, id);
