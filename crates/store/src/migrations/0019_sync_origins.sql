-- What the provider of a connected account reported last of each of its transactions. An entry may
-- be gone: then a person deleted it, and the row keeps it from coming back.
CREATE TABLE sync_rows (
    family_id {int} NOT NULL,
    entry_id {uuid} NOT NULL,
    source {text} NOT NULL,                     -- the provider
    account_id {uuid} NOT NULL,                 -- the connected account
    external_id {text},
    date {int} NOT NULL,
    amount {int} NOT NULL,
    currency {text} NOT NULL,
    name {text} NOT NULL,
    pending {bool} NOT NULL,
    absences {int} NOT NULL,                    -- days on which the pending row was missing
    absent_on {int},                            -- the last of them
    PRIMARY KEY (family_id, entry_id, source),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};
CREATE INDEX sync_rows_by_day ON sync_rows (family_id, account_id, source, date);
CREATE INDEX sync_rows_pending ON sync_rows (family_id, account_id, source) WHERE pending;
CREATE UNIQUE INDEX sync_rows_external ON sync_rows (family_id, account_id, source, external_id)
    WHERE external_id IS NOT NULL;

-- What a run did in an account.
CREATE TABLE sync_plans (
    family_id {int} NOT NULL,
    sync_id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    source {text} NOT NULL,
    counts {text} NOT NULL,                     -- JSON, see purser_core::sync::Counts
    warnings {text} NOT NULL,                   -- JSON: a list of codes
    first_entry_id {uuid},                      -- what it added lies in this range of ids
    last_entry_id {uuid},
    watermark_before {int},                     -- before the run
    undone_at {int},
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, sync_id, account_id),
    FOREIGN KEY (family_id, sync_id) REFERENCES syncs (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};
CREATE INDEX sync_plans_newest ON sync_plans (family_id, account_id, created_at);

-- What was before a run changed it, for its undo; in the order of the changes.
CREATE TABLE sync_images (
    family_id {int} NOT NULL,
    sync_id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    number {int} NOT NULL,
    image {text} NOT NULL,                      -- JSON, see sync_plans::images
    PRIMARY KEY (family_id, sync_id, account_id, number),
    FOREIGN KEY (family_id, sync_id) REFERENCES syncs (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};

-- Pairs of entries that may be one transaction: a person decides.
CREATE TABLE sync_suggestions (
    family_id {int} NOT NULL,
    entry_id {uuid} NOT NULL,                   -- what was there
    other_id {uuid} NOT NULL,                   -- what the run added
    account_id {uuid} NOT NULL,
    doubt {text} NOT NULL,
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, entry_id, other_id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};
