-- What the sqlite3 program does with a file: .import into a text table, then INSERT … SELECT into
-- the typed tables, beside what is there. FILE is replaced.
--
-- Left out, to the peer's advantage: the search for duplicates, detection and validation of
-- formats, error reports, the original file, counters, the audit trail, the job, HTTP, undo.
.mode csv
.import FILE raw

CREATE TEMPORARY TABLE before AS SELECT count(*) AS entries FROM entries;

BEGIN IMMEDIATE;

-- Ids are 16 bytes that grow with the row, as time-ordered UUIDs do.
INSERT INTO accounts
SELECT 1, CAST(printf('account%09d', row_number() OVER () + (SELECT count(*) FROM accounts)) AS BLOB),
    Account, lower(Account), Currency
FROM (SELECT DISTINCT Account, Currency FROM raw)
WHERE lower(Account) NOT IN (SELECT name_key FROM accounts);

INSERT INTO categories
SELECT 1,
    CAST(printf('category%08d', row_number() OVER () + (SELECT count(*) FROM categories)) AS BLOB),
    Category, lower(Category)
FROM (SELECT DISTINCT Category FROM raw WHERE Category <> '')
WHERE lower(Category) NOT IN (SELECT name_key FROM categories);

INSERT INTO tags
SELECT 1, CAST(printf('tag%013d', row_number() OVER () + (SELECT count(*) FROM tags)) AS BLOB),
    value, lower(value)
FROM (
    SELECT DISTINCT part.value
    FROM raw, json_each('["' || replace(raw.Tags, ',', '","') || '"]') AS part
    WHERE raw.Tags <> ''
)
WHERE lower(value) NOT IN (SELECT name_key FROM tags);

-- Two decimals always, so dropping the point gives cents exactly; amounts have a scale of four
-- decimals and are positive for money out.
INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name, notes,
    category_id, merchant_id, valuation_kind, pending, source, external_id, created_at, updated_at,
    changed_at)
SELECT 1, CAST(printf('%016d', raw.rowid + before.entries) AS BLOB), accounts.id, 0,
    CAST(julianday(raw.Date) - 2440587.5 AS INTEGER),
    -100 * CAST(replace(raw.Amount, '.', '') AS INTEGER),
    raw.Currency, raw.Name, nullif(raw.Notes, ''), categories.id, NULL, NULL, 0, NULL, NULL,
    1700000000000000, 1700000000000000, NULL
FROM before
CROSS JOIN raw
JOIN accounts ON accounts.family_id = 1 AND accounts.name_key = lower(raw.Account)
LEFT JOIN categories ON categories.family_id = 1 AND categories.name_key = lower(raw.Category)
ORDER BY raw.rowid;

-- CROSS JOIN keeps the order of the tables: the planner's own choice reads the file once a tag.
INSERT INTO entry_tags
SELECT 1, CAST(printf('%016d', raw.rowid + before.entries) AS BLOB), tags.id
FROM before
CROSS JOIN raw
CROSS JOIN json_each('["' || replace(raw.Tags, ',', '","') || '"]') AS part
CROSS JOIN tags ON tags.family_id = 1 AND tags.name_key = lower(part.value)
WHERE raw.Tags <> '';

-- The files are of the same years: every day is summed up anew.
INSERT OR REPLACE INTO balances (family_id, account_id, date, inflow, outflow, valued, adjustment,
    end_amount, transactions_count)
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
