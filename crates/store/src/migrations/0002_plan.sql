-- The plan of an import, what it changed (for undo), templates, transfers, sign-in sessions.
-- Tokens: as in the step before, and
--   {true} 1 | TRUE   {false} 0 | FALSE   {scanned} , kind, changed_at | (nothing)
-- and, in the view, one that leaves out rows that an unfinished publish or undo hides.

-- What a person (or a rule) changed since the entry came in; null: it is as it came. What the
-- source said of a changed or deleted entry stands in entry_origins.
ALTER TABLE entries ADD COLUMN changed_at {int};

-- An id is unique in its account only where a source stands behind it: ids in banks' files are not.
DROP INDEX entries_external;
CREATE UNIQUE INDEX entries_external ON entries (family_id, account_id, external_id, source)
    WHERE external_id IS NOT NULL AND source IS NOT NULL;

-- What the source said of an entry that was changed or deleted since: the fingerprint by which the
-- same row is recognised when it comes again. A deleted entry's origin is its tombstone.
CREATE TABLE entry_origins (
    family_id {int} NOT NULL,
    entry_id {uuid} NOT NULL,                   -- perhaps of an entry that is gone
    account_id {uuid} NOT NULL,
    date {int} NOT NULL,
    amount {int} NOT NULL,
    currency {text} NOT NULL,
    name {text} NOT NULL,
    external_id {text},
    deleted_at {int},                           -- null: the entry is there, but changed
    PRIMARY KEY (family_id, entry_id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};
CREATE INDEX entry_origins_by_account ON entry_origins (family_id, account_id, date, amount);
CREATE INDEX entry_origins_external ON entry_origins (family_id, account_id, external_id)
    WHERE external_id IS NOT NULL;

-- At most one range of entries of a family that nobody sees: of a publish that has not ended, or of
-- an undo that has begun. Only on SQLite, where a long transaction would hold up other families.
CREATE TABLE hidden_entries (
    family_id {int} NOT NULL PRIMARY KEY REFERENCES families (id),
    import_id {uuid} NOT NULL,
    action {text} NOT NULL,                     -- publish, undo
    first_id {uuid} NOT NULL,
    last_id {uuid} NOT NULL
) {keyed};

-- Duplicates are looked for by account, day and amount, and by account and id, whoever gave it. On
-- SQLite these indexes alone must do for what the view asks for: reading the row for each key takes
-- seven times as long, and without it the planner would rather read all entries of the family.
DROP INDEX entries_by_account;
CREATE INDEX entries_by_account ON entries (family_id, account_id, date, amount{scanned});
CREATE INDEX entries_by_external ON entries (family_id, account_id, external_id{scanned})
    WHERE external_id IS NOT NULL;

-- Who uses a category, a merchant or a tag; without these, removing one would read all entries.
CREATE INDEX entries_by_category ON entries (family_id, category_id) WHERE category_id IS NOT NULL;
CREATE INDEX entries_by_merchant ON entries (family_id, merchant_id) WHERE merchant_id IS NOT NULL;
CREATE INDEX entry_tags_by_tag ON entry_tags (family_id, tag_id);

DROP VIEW ledger_entries;
CREATE VIEW ledger_entries AS SELECT * FROM entries WHERE {visible};

-- Imports: the plan, and what a person said to it. ----------------------------------------------

ALTER TABLE imports ADD COLUMN plan {text};                 -- JSON: how many rows of each verdict
ALTER TABLE imports ADD COLUMN plan_version {int};          -- the family's version it was made at
ALTER TABLE imports ADD COLUMN left_out_count {int} NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN template_id {uuid};          -- whose settings were taken over
ALTER TABLE imports ADD COLUMN rows_done {int} NOT NULL DEFAULT 0; -- of a publish on another node

-- Verdicts of 4096 rows each: one byte a row, and the entries that they refer to.
CREATE TABLE import_plan_blocks (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    block {int} NOT NULL,                       -- counted from 0
    verdicts {bytes} NOT NULL,
    matches {bytes} NOT NULL,                   -- 2 bytes row in the block, 16 bytes entry; by row
    PRIMARY KEY (family_id, import_id, block),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};

-- What a person said to single rows; the file stays as it came.
CREATE TABLE import_row_edits (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    row_number {int} NOT NULL,
    cells {text} NOT NULL,                      -- JSON: column number to text
    choice {text} NOT NULL,                     -- plan, leave_out, create
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, import_id, row_number),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};

ALTER TABLE import_mappings ADD COLUMN chosen {bool} NOT NULL DEFAULT {false}; -- by a person
ALTER TABLE import_mappings ADD COLUMN new_name {text};     -- what is created is called so
-- Accounts: one for each currency of the rows, called "name CODE".
ALTER TABLE import_mappings ADD COLUMN per_currency {bool} NOT NULL DEFAULT {false};

-- What a publish created beside entries, for undo.
CREATE TABLE import_created (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    kind {text} NOT NULL,                       -- account, category, tag
    target_id {uuid} NOT NULL,
    PRIMARY KEY (family_id, import_id, kind, target_id),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};

-- Matched entries whose empty fields a publish filled: before and after, for undo.
CREATE TABLE import_fills (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    entry_id {uuid} NOT NULL,
    filled {text} NOT NULL,                     -- JSON: field to the value it got; it was empty
    PRIMARY KEY (family_id, import_id, entry_id),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};

-- What readers see of accounts, categories and tags: not what an unfinished publish created.
CREATE VIEW ledger_accounts AS SELECT * FROM accounts WHERE NOT EXISTS (
    SELECT 1 FROM hidden_entries hidden
    JOIN import_created made
        ON made.family_id = hidden.family_id AND made.import_id = hidden.import_id
    WHERE hidden.family_id = accounts.family_id AND hidden.action = 'publish'
        AND made.kind = 'account' AND made.target_id = accounts.id);
CREATE VIEW ledger_categories AS SELECT * FROM categories WHERE NOT EXISTS (
    SELECT 1 FROM hidden_entries hidden
    JOIN import_created made
        ON made.family_id = hidden.family_id AND made.import_id = hidden.import_id
    WHERE hidden.family_id = categories.family_id AND hidden.action = 'publish'
        AND made.kind = 'category' AND made.target_id = categories.id);
CREATE VIEW ledger_tags AS SELECT * FROM tags WHERE NOT EXISTS (
    SELECT 1 FROM hidden_entries hidden
    JOIN import_created made
        ON made.family_id = hidden.family_id AND made.import_id = hidden.import_id
    WHERE hidden.family_id = tags.family_id AND hidden.action = 'publish'
        AND made.kind = 'tag' AND made.target_id = tags.id);

-- What was chosen for a file, for the next one with the same header.
CREATE TABLE import_templates (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    import_type {text} NOT NULL,
    header_key {bytes} NOT NULL,                -- SHA-256 of the normalised header
    name {text} NOT NULL,
    settings {text} NOT NULL,                   -- JSON: what was sent
    found {text} NOT NULL,                      -- JSON: formats found, to break ties
    choices {text} NOT NULL,                    -- JSON: what a person chose for names
    account_id {uuid},                          -- a suggestion, never taken by itself
    used_at {int} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};
CREATE UNIQUE INDEX import_templates_header ON import_templates (family_id, import_type, header_key);

-- Transfers between the family's own accounts. ---------------------------------------------------

ALTER TABLE families ADD COLUMN transfer_matching {text} NOT NULL DEFAULT 'automatic'; -- propose, off
ALTER TABLE families ADD COLUMN updated_at {int};           -- of its settings; null: never

CREATE TABLE transfers (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    outflow_id {uuid} NOT NULL,
    inflow_id {uuid} NOT NULL,
    status {text} NOT NULL,                     -- pending (proposed), confirmed
    made_by {text} NOT NULL,                    -- matching, person
    score {int} NOT NULL,                       -- 0 to 100
    reasons {text} NOT NULL,                    -- JSON: sentences
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, outflow_id) REFERENCES entries (family_id, id),
    FOREIGN KEY (family_id, inflow_id) REFERENCES entries (family_id, id)
) {keyed};
CREATE UNIQUE INDEX transfers_pair ON transfers (family_id, outflow_id, inflow_id);
CREATE INDEX transfers_by_inflow ON transfers (family_id, inflow_id);
CREATE UNIQUE INDEX transfers_one_outflow ON transfers (family_id, outflow_id)
    WHERE status = 'confirmed';
CREATE UNIQUE INDEX transfers_one_inflow ON transfers (family_id, inflow_id)
    WHERE status = 'confirmed';

-- Pairs that a person said are no transfer; the entries may be gone.
CREATE TABLE rejected_transfers (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    outflow_id {uuid} NOT NULL,
    inflow_id {uuid} NOT NULL,
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE UNIQUE INDEX rejected_transfers_pair ON rejected_transfers (family_id, outflow_id, inflow_id);

-- Directory: who is signed in to the web pages. ---------------------------------------------------

CREATE TABLE sessions (
    hash {bytes} NOT NULL PRIMARY KEY,          -- SHA-256 of the token in the cookie
    family_id {int} NOT NULL REFERENCES families (id),
    user_id {uuid} NOT NULL,
    form_token {text} NOT NULL,                 -- proof that a form is ours
    created_at {int} NOT NULL,
    last_used_at {int} NOT NULL,
    expires_at {int} NOT NULL
) {keyed};
CREATE INDEX sessions_of_user ON sessions (family_id, user_id);
