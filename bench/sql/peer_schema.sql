-- The tables of the peer: the keys, indexes and foreign keys of the program's own entries and tags
-- (crates/store/src/migrations), and one balance row for each account and day. Durability as in the
-- program: write-ahead log, synchronous=FULL. One family.
.bail on
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;

CREATE TABLE IF NOT EXISTS accounts (
    family_id INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
    currency TEXT NOT NULL,
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS accounts_by_name ON accounts (family_id, name_key);

CREATE TABLE IF NOT EXISTS categories (
    family_id INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS categories_name ON categories (family_id, name_key);

CREATE TABLE IF NOT EXISTS tags (
    family_id INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS tags_name ON tags (family_id, name_key);

CREATE TABLE IF NOT EXISTS merchants (
    family_id INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS entries (
    family_id INTEGER NOT NULL,
    id BLOB NOT NULL,
    account_id BLOB NOT NULL,
    kind INTEGER NOT NULL,
    date INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    name TEXT NOT NULL,
    notes TEXT,
    category_id BLOB,
    merchant_id BLOB,
    valuation_kind TEXT,
    pending INTEGER NOT NULL,
    source TEXT,
    external_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    changed_at INTEGER,
    booked INTEGER,
    excluded INTEGER NOT NULL DEFAULT 0,
    is_split INTEGER NOT NULL DEFAULT 0,
    parent_id BLOB,
    locked INTEGER NOT NULL DEFAULT 0,
    has_origin INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, category_id) REFERENCES categories (family_id, id),
    FOREIGN KEY (family_id, merchant_id) REFERENCES merchants (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entries_by_account
    ON entries (family_id, account_id, date, amount, kind, changed_at, booked, is_split);
CREATE INDEX IF NOT EXISTS entries_by_date ON entries (family_id, date, id);
CREATE UNIQUE INDEX IF NOT EXISTS entries_external
    ON entries (family_id, account_id, external_id, source)
    WHERE external_id IS NOT NULL AND source IS NOT NULL;
CREATE INDEX IF NOT EXISTS entries_by_external
    ON entries (family_id, account_id, external_id, kind, changed_at)
    WHERE external_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS entries_by_category
    ON entries (family_id, category_id) WHERE category_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS entries_by_merchant
    ON entries (family_id, merchant_id) WHERE merchant_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS entries_by_parent
    ON entries (family_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS entries_valuation ON entries (family_id, account_id, date) WHERE kind = 1;

CREATE TABLE IF NOT EXISTS entry_tags (
    family_id INTEGER NOT NULL,
    entry_id BLOB NOT NULL,
    tag_id BLOB NOT NULL,
    PRIMARY KEY (family_id, entry_id, tag_id),
    FOREIGN KEY (family_id, entry_id) REFERENCES entries (family_id, id),
    FOREIGN KEY (family_id, tag_id) REFERENCES tags (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entry_tags_by_tag ON entry_tags (family_id, tag_id);

CREATE TABLE IF NOT EXISTS balances (
    family_id INTEGER NOT NULL,
    account_id BLOB NOT NULL,
    date INTEGER NOT NULL,
    inflow INTEGER NOT NULL,
    outflow INTEGER NOT NULL,
    valued INTEGER,
    adjustment INTEGER NOT NULL,
    end_amount INTEGER NOT NULL,
    transactions_count INTEGER NOT NULL,
    bought INTEGER NOT NULL DEFAULT 0,
    sold INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (family_id, account_id, date),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) STRICT, WITHOUT ROWID;
