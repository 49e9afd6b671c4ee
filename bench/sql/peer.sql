-- What the sqlite3 program does with the same file: .import into a text table, then INSERT … SELECT
-- into typed tables with the keys, indexes and foreign keys of the program's own entries and tags
-- (crates/store/src/migrations/0001_foundation.sql), and one balance row for each account and day.
-- Durability as in the program: write-ahead log, synchronous=FULL. One family, FILE is replaced.
--
-- Left out, to the peer's advantage: detection and validation of formats, error reports, the
-- original file, counters, the audit trail, the job, HTTP.
.bail on
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;

CREATE TABLE accounts (
    family_id INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
    currency TEXT NOT NULL,
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_by_name ON accounts (family_id, name_key);

CREATE TABLE categories (
    family_id INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX categories_name ON categories (family_id, name_key);

CREATE TABLE tags (
    family_id INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tags_name ON tags (family_id, name_key);

CREATE TABLE merchants (
    family_id INTEGER NOT NULL, id BLOB NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (family_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
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
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, category_id) REFERENCES categories (family_id, id),
    FOREIGN KEY (family_id, merchant_id) REFERENCES merchants (family_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_by_account ON entries (family_id, account_id, date, amount);
CREATE INDEX entries_by_date ON entries (family_id, date, id);
CREATE UNIQUE INDEX entries_external ON entries (family_id, account_id, source, external_id)
    WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX entries_valuation ON entries (family_id, account_id, date) WHERE kind = 1;

CREATE TABLE entry_tags (
    family_id INTEGER NOT NULL,
    entry_id BLOB NOT NULL,
    tag_id BLOB NOT NULL,
    PRIMARY KEY (family_id, entry_id, tag_id),
    FOREIGN KEY (family_id, entry_id) REFERENCES entries (family_id, id),
    FOREIGN KEY (family_id, tag_id) REFERENCES tags (family_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE balances (
    family_id INTEGER NOT NULL,
    account_id BLOB NOT NULL,
    date INTEGER NOT NULL,
    inflow INTEGER NOT NULL,
    outflow INTEGER NOT NULL,
    valued INTEGER,
    adjustment INTEGER NOT NULL,
    end_amount INTEGER NOT NULL,
    transactions_count INTEGER NOT NULL,
    PRIMARY KEY (family_id, account_id, date),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) STRICT, WITHOUT ROWID;

.mode csv
.import FILE raw

BEGIN IMMEDIATE;

-- Ids are 16 bytes that grow with the row, as time-ordered UUIDs do.
INSERT INTO accounts
SELECT 1, CAST(printf('account%09d', row_number() OVER ()) AS BLOB), Account, lower(Account), Currency
FROM (SELECT DISTINCT Account, Currency FROM raw);

INSERT INTO categories
SELECT 1, CAST(printf('category%08d', row_number() OVER ()) AS BLOB), Category, lower(Category)
FROM (SELECT DISTINCT Category FROM raw WHERE Category <> '');

INSERT INTO tags
SELECT 1, CAST(printf('tag%013d', row_number() OVER ()) AS BLOB), value, lower(value)
FROM (
    SELECT DISTINCT part.value
    FROM raw, json_each('["' || replace(raw.Tags, ',', '","') || '"]') AS part
    WHERE raw.Tags <> ''
);

-- Two decimals always, so dropping the point gives cents exactly; amounts have a scale of four
-- decimals and are positive for money out.
INSERT INTO entries
SELECT 1, CAST(printf('%016d', raw.rowid) AS BLOB), accounts.id, 0,
    CAST(julianday(raw.Date) - 2440587.5 AS INTEGER),
    -100 * CAST(replace(raw.Amount, '.', '') AS INTEGER),
    raw.Currency, raw.Name, nullif(raw.Notes, ''), categories.id, NULL, NULL, 0, NULL, NULL,
    1700000000000000, 1700000000000000
FROM raw
JOIN accounts ON accounts.family_id = 1 AND accounts.name_key = lower(raw.Account)
LEFT JOIN categories ON categories.family_id = 1 AND categories.name_key = lower(raw.Category)
ORDER BY raw.rowid;

-- CROSS JOIN keeps the order of the tables: the planner's own choice reads the file once a tag.
INSERT INTO entry_tags
SELECT 1, CAST(printf('%016d', raw.rowid) AS BLOB), tags.id
FROM raw
CROSS JOIN json_each('["' || replace(raw.Tags, ',', '","') || '"]') AS part
CROSS JOIN tags ON tags.family_id = 1 AND tags.name_key = lower(part.value)
WHERE raw.Tags <> '';

INSERT INTO balances
SELECT 1, account_id, date, inflow, outflow, NULL, 0,
    sum(inflow - outflow) OVER (PARTITION BY account_id ORDER BY date), transactions
FROM (
    SELECT account_id, date,
        sum(CASE WHEN amount < 0 THEN -amount ELSE 0 END) AS inflow,
        sum(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS outflow,
        count(*) AS transactions
    FROM entries WHERE family_id = 1 GROUP BY account_id, date
);

COMMIT;

-- What the benchmark compares with the program's own result.
.mode list
SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM entry_tags),
    (SELECT count(*) FROM balances);
