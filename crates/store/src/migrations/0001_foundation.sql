-- Types differ between the databases only in these tokens:
--   {uuid} BLOB | UUID   {bool} INTEGER | BOOLEAN   {bytes} BLOB | BYTEA   {int} INTEGER | BIGINT
--   {text} TEXT | TEXT COLLATE "C"   {keyed} STRICT, WITHOUT ROWID | (nothing)
-- Times are microseconds since 1970 (UTC), dates are days since 1970, amounts are in the scale of
-- their currency, quantities and prices are canonical decimal text.

-- The database's own id, one row: what is kept outside of it is kept under this.
CREATE TABLE installation (
    id {uuid} NOT NULL PRIMARY KEY
) {keyed};

-- Directories: the only tables that don't lead with the family. ------------------------------

CREATE TABLE families (
    id {int} NOT NULL PRIMARY KEY,              -- internal, never shown
    public_id {uuid} NOT NULL UNIQUE,
    name {text} NOT NULL,
    currency {text} NOT NULL,
    time_zone {text} NOT NULL,
    version {int} NOT NULL,                     -- moves with every write of the family
    created_at {int} NOT NULL
) {keyed};

CREATE TABLE sign_in_names (
    email {text} NOT NULL PRIMARY KEY,          -- lower case
    family_id {int} NOT NULL REFERENCES families (id),
    user_id {uuid} NOT NULL
) {keyed};

CREATE TABLE key_hashes (
    hash {bytes} NOT NULL PRIMARY KEY,          -- SHA-256 of the whole key
    family_id {int} NOT NULL REFERENCES families (id),
    key_id {uuid} NOT NULL
) {keyed};

CREATE TABLE jobs (
    id {uuid} NOT NULL PRIMARY KEY,
    family_id {int} NOT NULL REFERENCES families (id),
    kind {text} NOT NULL,
    payload {text} NOT NULL,                    -- JSON
    dedupe_key {text},                          -- at most one live job of a family and key
    state {text} NOT NULL,                      -- queued, running, failed
    run_at {int} NOT NULL,
    attempts {int} NOT NULL,
    attempts_max {int} NOT NULL,
    lease_token {int} NOT NULL,                 -- fencing: goes up with every claim
    lease_owner {text},
    lease_until {int},
    last_error {text},
    created_at {int} NOT NULL
) {keyed};
CREATE INDEX jobs_due ON jobs (state, run_at, id);
CREATE UNIQUE INDEX jobs_dedupe ON jobs (family_id, dedupe_key)
    WHERE dedupe_key IS NOT NULL AND state <> 'failed';
CREATE UNIQUE INDEX jobs_running ON jobs (family_id) WHERE state = 'running'; -- one at a time

-- People. -------------------------------------------------------------------------------------

CREATE TABLE users (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    email {text} NOT NULL,
    name {text} NOT NULL,
    role {text} NOT NULL,                       -- admin, member
    password_hash {text} NOT NULL,
    deactivated_at {int},
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};

CREATE TABLE api_keys (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    name {text} NOT NULL,
    scope {text} NOT NULL,                      -- read, read_write
    all_accounts {bool} NOT NULL,               -- else only those in api_key_accounts
    expires_at {int},
    revoked_at {int},
    last_used_at {int},
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, user_id) REFERENCES users (family_id, id)
) {keyed};

-- The ledger. ---------------------------------------------------------------------------------

CREATE TABLE accounts (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    name {text} NOT NULL,
    name_key {text} NOT NULL,                   -- trimmed, case-folded: what names are matched by
    account_type {text} NOT NULL,
    subtype {text},
    currency {text} NOT NULL,
    status {text} NOT NULL,
    opening_amount {int} NOT NULL,              -- before the first entry, if no opening_anchor
    institution_name {text},
    institution_domain {text},
    transactions_count {int} NOT NULL,          -- counters: lists never count rows
    valuations_count {int} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE INDEX accounts_by_name ON accounts (family_id, name_key);

CREATE TABLE api_key_accounts (
    family_id {int} NOT NULL,
    key_id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    PRIMARY KEY (family_id, key_id, account_id),
    FOREIGN KEY (family_id, key_id) REFERENCES api_keys (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};

CREATE TABLE categories (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    parent_id {uuid},
    name {text} NOT NULL,
    name_key {text} NOT NULL,                   -- of the path: parent:child
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, parent_id) REFERENCES categories (family_id, id)
) {keyed};
CREATE UNIQUE INDEX categories_name ON categories (family_id, name_key);

CREATE TABLE tags (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    name {text} NOT NULL,
    name_key {text} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE UNIQUE INDEX tags_name ON tags (family_id, name_key);

CREATE TABLE merchants (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    name {text} NOT NULL,
    name_key {text} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE UNIQUE INDEX merchants_name ON merchants (family_id, name_key);

CREATE TABLE entries (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    kind {int} NOT NULL,                        -- 0 transaction, 1 valuation, 2 trade
    date {int} NOT NULL,
    amount {int} NOT NULL,                      -- transactions: positive = money out
    currency {text} NOT NULL,
    name {text} NOT NULL,
    notes {text},
    category_id {uuid},
    merchant_id {uuid},
    valuation_kind {text},
    pending {bool} NOT NULL,
    source {text},
    external_id {text},
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, category_id) REFERENCES categories (family_id, id),
    FOREIGN KEY (family_id, merchant_id) REFERENCES merchants (family_id, id)
) {keyed};
CREATE INDEX entries_by_account ON entries (family_id, account_id, date, amount);
CREATE INDEX entries_by_date ON entries (family_id, date, id);
CREATE UNIQUE INDEX entries_external ON entries (family_id, account_id, source, external_id)
    WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX entries_valuation ON entries (family_id, account_id, date) WHERE kind = 1;

-- Every read of entries goes through this view, so that rows of an unfinished publish can later be
-- hidden in one place.
CREATE VIEW ledger_entries AS SELECT * FROM entries;

CREATE TABLE entry_tags (
    family_id {int} NOT NULL,
    entry_id {uuid} NOT NULL,
    tag_id {uuid} NOT NULL,
    PRIMARY KEY (family_id, entry_id, tag_id),
    FOREIGN KEY (family_id, entry_id) REFERENCES entries (family_id, id),
    FOREIGN KEY (family_id, tag_id) REFERENCES tags (family_id, id)
) {keyed};

-- Derived: one row per account and day on which something happened. A day between has the end of
-- the row before it. start = end - (flows + adjustment), see purser_core::ledger::balance.
CREATE TABLE balances (
    family_id {int} NOT NULL,
    account_id {uuid} NOT NULL,
    date {int} NOT NULL,
    inflow {int} NOT NULL,                      -- money in, positive
    outflow {int} NOT NULL,                     -- money out, positive
    valued {int},                               -- the valuation of the day
    adjustment {int} NOT NULL,                  -- what the flows don't explain
    end_amount {int} NOT NULL,
    transactions_count {int} NOT NULL,
    PRIMARY KEY (family_id, account_id, date),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};

CREATE TABLE securities (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    ticker {text} NOT NULL,
    exchange_operating_mic {text} NOT NULL,     -- empty when unknown
    name {text},
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE UNIQUE INDEX securities_ticker ON securities (family_id, ticker, exchange_operating_mic);

CREATE TABLE holdings (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    security_id {uuid} NOT NULL,
    date {int} NOT NULL,
    qty {text} NOT NULL,
    price {text} NOT NULL,
    amount {int} NOT NULL,
    currency {text} NOT NULL,
    cost_total {int},                           -- cost of cost_qty shares; both or neither
    cost_qty {text},
    cost_basis_source {text},                   -- manual, calculated, provider
    cost_basis_locked {bool} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, security_id) REFERENCES securities (family_id, id)
) {keyed};
CREATE UNIQUE INDEX holdings_position ON holdings (family_id, account_id, security_id, currency);

-- Imports. ------------------------------------------------------------------------------------

CREATE TABLE files (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    name {text},                                -- as uploaded
    bytes {int} NOT NULL,
    sha256 {bytes} NOT NULL,
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};

CREATE TABLE imports (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    import_type {text} NOT NULL,
    status {text} NOT NULL,
    account_id {uuid},
    file_id {uuid},                             -- the evidence, as it came
    settings {text} NOT NULL,                   -- JSON: what was sent
    layout {text},                              -- JSON: what is in effect and what was found
    readable {bool} NOT NULL,
    as_of {int} NOT NULL,                       -- the day that date limits refer to
    rows_count {int} NOT NULL,
    valid_rows_count {int} NOT NULL,
    invalid_rows_count {int} NOT NULL,
    mappings_count {int} NOT NULL,
    unassigned_mappings_count {int} NOT NULL,
    findings {text} NOT NULL,                   -- JSON: the first invalid rows and their reasons
    publish_wanted {bool} NOT NULL,             -- stored with the upload, carried out after it
    skip_invalid {bool} NOT NULL,
    upload_fingerprint {bytes},                 -- of settings and content, for retries after a 500
    publish_failed_at {int},
    error {text},                               -- a sentence for people
    first_entry_id {uuid},                      -- what it created lies in this range of ids
    last_entry_id {uuid},
    created_count {int} NOT NULL,
    completed_at {int},
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, file_id) REFERENCES files (family_id, id)
) {keyed};
CREATE INDEX imports_newest ON imports (family_id, created_at, id);
CREATE INDEX imports_wanted ON imports (family_id, created_at) WHERE publish_wanted;

-- Where records start: offset and line of every 64th row, see purser_formats::csv::index.
CREATE TABLE import_offsets (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    records_file_id {uuid},                     -- the text in UTF-8, if the evidence is not
    offsets {bytes} NOT NULL,
    PRIMARY KEY (family_id, import_id),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id),
    FOREIGN KEY (family_id, records_file_id) REFERENCES files (family_id, id)
) {keyed};

CREATE TABLE import_mappings (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    kind {text} NOT NULL,                       -- account, category, tag
    value {text} NOT NULL,                      -- as the file says, first spelling
    value_key {text} NOT NULL,                  -- trimmed, case-folded
    target_id {uuid},                           -- what exists; null with creates: will be created
    creates {bool} NOT NULL,
    currency {text},                            -- accounts: the currency of their rows
    problem {text},                             -- why a person must choose
    rows_count {int} NOT NULL,
    PRIMARY KEY (family_id, import_id, kind, value_key),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};

-- Provider connections. ------------------------------------------------------------------------

CREATE TABLE connections (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    provider {text} NOT NULL,
    provider_type {text} NOT NULL,
    name {text} NOT NULL,
    status {text} NOT NULL,                     -- good, requires_update
    credentials {bytes},                        -- encrypted
    scheduled_for_deletion {bool} NOT NULL,
    institution_name {text},
    institution_domain {text},
    institution_url {text},
    consent_expires_at {int},
    next_attempt_at {int},
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};

CREATE TABLE connection_accounts (
    family_id {int} NOT NULL,
    connection_id {uuid} NOT NULL,
    external_id {text} NOT NULL,
    name {text} NOT NULL,
    account_id {uuid},                          -- linked to
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, connection_id, external_id),
    FOREIGN KEY (family_id, connection_id) REFERENCES connections (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};

CREATE TABLE syncs (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    connection_id {uuid} NOT NULL,
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

-- The request edge and the audit trail. ----------------------------------------------------------

CREATE TABLE idempotency_keys (
    family_id {int} NOT NULL REFERENCES families (id),
    route {text} NOT NULL,
    idempotency_key {text} NOT NULL,
    fingerprint {bytes} NOT NULL,               -- of the fields and the file
    claim {uuid} NOT NULL,                      -- who runs it
    claimed_until {int} NOT NULL,
    subject_id {uuid},                          -- what a first commit made, before the answer
    status {int},                               -- of the stored answer; null while it runs
    body {text},
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, route, idempotency_key)
) {keyed};
CREATE INDEX idempotency_keys_age ON idempotency_keys (family_id, created_at);

CREATE TABLE audit_events (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    at {int} NOT NULL,
    actor_kind {text} NOT NULL,                 -- key, user, cli, import, system
    actor_id {uuid},
    action {text} NOT NULL,                     -- account.create, valuation.set, import.publish, …
    subject_kind {text} NOT NULL,
    subject_id {uuid},
    details {text} NOT NULL,                    -- JSON: before and after, or the range of ids
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE INDEX audit_events_subject ON audit_events (family_id, subject_id);
