-- The whole ledger: trades and positions, prices and rates, splits, rules, budgets.
-- Tokens as in the steps before, and:
--   {folded} , kind, changed_at, booked, is_split | (nothing)

-- Accounts. --------------------------------------------------------------------------------------

ALTER TABLE accounts ADD COLUMN owner_id {uuid};            -- a user; null: nobody in particular
ALTER TABLE accounts ADD COLUMN cost_method {text} NOT NULL DEFAULT 'average'; -- fifo, lifo
ALTER TABLE accounts ADD COLUMN trades_count {int} NOT NULL DEFAULT 0;
-- A current_anchor says what the bank has now: the series is folded backward from it.
ALTER TABLE accounts ADD COLUMN backward {bool} NOT NULL DEFAULT {false};
-- What follows for the time before the first entry, if it is not what was said (opening_amount).
ALTER TABLE accounts ADD COLUMN opening_derived {int};

-- Labels. ----------------------------------------------------------------------------------------

ALTER TABLE categories ADD COLUMN color {text};             -- #rrggbb; null: the parent's, or a default
ALTER TABLE categories ADD COLUMN icon {text};
ALTER TABLE tags ADD COLUMN color {text};
ALTER TABLE merchants ADD COLUMN color {text};
ALTER TABLE merchants ADD COLUMN website {text};

-- Views know the columns that there were when they were made.
DROP VIEW ledger_accounts;
DROP VIEW ledger_categories;
DROP VIEW ledger_tags;
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

-- Entries. ---------------------------------------------------------------------------------------

DROP VIEW ledger_entries;
-- In the account's currency, if the amount is in another; 0 while no rate is known.
ALTER TABLE entries ADD COLUMN booked {int};
-- In no report or budget; balances count it all the same.
ALTER TABLE entries ADD COLUMN excluded {bool} NOT NULL DEFAULT {false};
-- Reports and lists show its parts instead. Balances, duplicates and undo know only the whole.
ALTER TABLE entries ADD COLUMN is_split {bool} NOT NULL DEFAULT {false};
-- A part (kind 3) names the transaction that it is a part of.
ALTER TABLE entries ADD COLUMN parent_id {uuid};
-- A bit for each field that a person has set, see purser_core::ledger::locks.
ALTER TABLE entries ADD COLUMN locked {int} NOT NULL DEFAULT 0;
-- What its source said stands in entry_origins: a person or a rule changed it. changed_at says that
-- a person did, which is what an undo asks.
ALTER TABLE entries ADD COLUMN has_origin {bool} NOT NULL DEFAULT {false};
UPDATE entries SET has_origin = {true} WHERE changed_at IS NOT NULL;
CREATE INDEX entries_by_parent ON entries (family_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE VIEW ledger_entries AS SELECT * FROM entries WHERE {visible};

-- Without it balances could only be rebuilt from whole rows.
DROP INDEX entries_by_account;
CREATE INDEX entries_by_account ON entries (family_id, account_id, date, amount{folded});

-- Whoever gave the id that the source said.
ALTER TABLE entry_origins ADD COLUMN source {text};
-- Of trades there are tombstones only.
ALTER TABLE entry_origins ADD COLUMN kind {int} NOT NULL DEFAULT 0;

-- How an amount in another currency than its account's was converted.
CREATE TABLE entry_conversions (
    family_id {int} NOT NULL,
    entry_id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    date {int} NOT NULL,                        -- the entry's
    from_currency {text} NOT NULL,
    to_currency {text} NOT NULL,
    rate {text},                                -- what one unit is worth; null: none is known
    given {bool} NOT NULL,                      -- by the source or a person: never looked up again
    origin {text} NOT NULL,                     -- JSON: where the rate came from
    PRIMARY KEY (family_id, entry_id),
    FOREIGN KEY (family_id, entry_id) REFERENCES entries (family_id, id)
) {keyed};
CREATE INDEX entry_conversions_by_pair
    ON entry_conversions (family_id, from_currency, to_currency, date);
CREATE INDEX entry_conversions_missing ON entry_conversions (family_id, account_id, date)
    WHERE rate IS NULL;

-- Imports. ---------------------------------------------------------------------------------------

-- Of what it created, what went with its account.
ALTER TABLE imports ADD COLUMN gone_count {int} NOT NULL DEFAULT 0;

-- Trades. ----------------------------------------------------------------------------------------

ALTER TABLE securities ADD COLUMN kind {text} NOT NULL DEFAULT 'standard'; -- cash
ALTER TABLE securities ADD COLUMN isin {text};
ALTER TABLE securities ADD COLUMN country_code {text};
ALTER TABLE securities ADD COLUMN currency {text};          -- that it is traded in, if known
ALTER TABLE securities ADD COLUMN offline {bool} NOT NULL DEFAULT {false}; -- no feed is asked for it
ALTER TABLE securities ADD COLUMN feed_symbol {text};       -- as the feed calls it; null: the ticker
ALTER TABLE securities ADD COLUMN feed_at {int};            -- when the feed was asked last
ALTER TABLE securities ADD COLUMN feed_error {text};        -- a sentence; null: it answered

-- Beside an entry of kind 2, whose amount is what moved in cash (positive = money out).
CREATE TABLE trades (
    family_id {int} NOT NULL,
    entry_id {uuid} NOT NULL,
    security_id {uuid} NOT NULL,
    trade_type {text} NOT NULL,                 -- see purser_core::ledger::trade
    qty {text} NOT NULL,                        -- into the account positive, out of it negative
    price {text} NOT NULL,                      -- of one, in the entry's currency
    fee {int} NOT NULL,                         -- inside the amount, in the entry's currency
    value {int} NOT NULL,                       -- qty × price in the account's currency
    cost {int},                                 -- shares that came without money: what they cost
    split_to {int},                             -- so many for every
    split_from {int},                           -- so many
    counterpart_id {uuid},                      -- shares moved between accounts: the other trade
    -- All trades of a security are read together; by a mere index SQLite would read the family's.
    PRIMARY KEY (family_id, security_id, entry_id),
    FOREIGN KEY (family_id, entry_id) REFERENCES entries (family_id, id),
    FOREIGN KEY (family_id, security_id) REFERENCES securities (family_id, id)
) {keyed};
CREATE UNIQUE INDEX trades_by_entry ON trades (family_id, entry_id);

-- What a provider says an account holds at the end of a day.
CREATE TABLE position_statements (
    family_id {int} NOT NULL,
    account_id {uuid} NOT NULL,
    security_id {uuid} NOT NULL,
    date {int} NOT NULL,
    qty {text} NOT NULL,
    price {text},                               -- of one, in currency
    currency {text} NOT NULL,
    cost_total {int},                           -- of cost_qty shares, in the account's currency
    cost_qty {text},
    PRIMARY KEY (family_id, account_id, security_id, date),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, security_id) REFERENCES securities (family_id, id)
) {keyed};

-- One for each security that an account has ever held: what keeps its id and a person's word on it.
-- Nothing could make rows of the table before.
DROP TABLE holdings;
CREATE TABLE holdings (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    security_id {uuid} NOT NULL,
    cost_total {int},                           -- what a person says cost_qty shares cost
    cost_qty {text},                            -- null: all that there are on the day
    cost_date {int},                            -- of shares as they were counted on this day,
    cost_said_at {int},                         -- as far as splits were known at this time
    cost_locked {bool} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, security_id) REFERENCES securities (family_id, id)
) {keyed};
CREATE UNIQUE INDEX holdings_position ON holdings (family_id, account_id, security_id);
CREATE INDEX holdings_by_security ON holdings (family_id, security_id);

-- Derived: so many of a security from the end of a day on, until the next segment's day.
CREATE TABLE position_segments (
    family_id {int} NOT NULL,
    account_id {uuid} NOT NULL,
    security_id {uuid} NOT NULL,
    date {int} NOT NULL,
    qty {text} NOT NULL,                        -- negative: sold short; 0: closed
    cost {text},                                -- exact fraction of the account's scale; null: unknown
    cost_source {text},                         -- calculated, provider
    PRIMARY KEY (family_id, account_id, security_id, date),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, security_id) REFERENCES securities (family_id, id)
) {keyed};

-- Derived, as before; for accounts that hold securities the series is that of their cash.
ALTER TABLE balances ADD COLUMN bought {int} NOT NULL DEFAULT 0; -- value that went into holdings
ALTER TABLE balances ADD COLUMN sold {int} NOT NULL DEFAULT 0;   -- value that came out of them

-- Prices and rates. ------------------------------------------------------------------------------

CREATE TABLE security_prices (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    security_id {uuid} NOT NULL,
    date {int} NOT NULL,
    currency {text} NOT NULL,
    price {text} NOT NULL,
    source {text} NOT NULL,                     -- manual, file, provider, feed
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    -- Not by id: a security's prices are read by the thousand, and so they lie together.
    PRIMARY KEY (family_id, security_id, date, currency),
    FOREIGN KEY (family_id, security_id) REFERENCES securities (family_id, id)
) {keyed};
CREATE UNIQUE INDEX security_prices_by_id ON security_prices (family_id, id);

-- Directory: what the feed of rates says is the same for every family.
CREATE TABLE feed_rates (
    base {text} NOT NULL,                       -- one unit of it
    quote {text} NOT NULL,                      -- is worth so many of these
    date {int} NOT NULL,
    rate {text} NOT NULL,
    PRIMARY KEY (base, quote, date)
) {keyed};

-- What a family says itself, by hand or in a file; it comes before the feed's.
CREATE TABLE family_rates (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    base {text} NOT NULL,
    quote {text} NOT NULL,
    date {int} NOT NULL,
    rate {text} NOT NULL,
    source {text} NOT NULL,                     -- manual, file
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE UNIQUE INDEX family_rates_day ON family_rates (family_id, base, quote, date);

-- Directory: when a feed was asked and what came of it.
CREATE TABLE feeds (
    name {text} NOT NULL PRIMARY KEY,           -- rates, prices
    asked_at {int} NOT NULL,
    succeeded_at {int},
    error {text}                                -- a sentence; null: it answered
) {keyed};

-- Rules. -----------------------------------------------------------------------------------------

CREATE TABLE rules (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    name {text},
    active {bool} NOT NULL,
    effective_date {int},                       -- entries before it are left alone
    conditions {text} NOT NULL,                 -- JSON, see purser_core::rules
    actions {text} NOT NULL,                    -- JSON
    position {int} NOT NULL,                    -- they run in this order
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};

CREATE TABLE rule_runs (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    rule_id {uuid} NOT NULL,                    -- perhaps gone
    rule_name {text},
    execution_type {text} NOT NULL,             -- manual, import
    import_id {uuid},
    status {text} NOT NULL,                     -- pending, success, failed
    matched_count {int} NOT NULL,
    changed_count {int} NOT NULL,
    error {text},                               -- a sentence
    last_entry_id {uuid},                       -- of a pending run: how far it is
    executed_at {int} NOT NULL,
    finished_at {int},
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE INDEX rule_runs_newest ON rule_runs (family_id, executed_at, id);

-- Plans for money. -------------------------------------------------------------------------------

CREATE TABLE recurring_transactions (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    account_id {uuid},
    merchant_id {uuid},
    category_id {uuid},
    name {text} NOT NULL,
    amount {int} NOT NULL,                      -- positive = money out
    currency {text} NOT NULL,
    expected_day {int} NOT NULL,                -- of the month, 1 to 31
    last_occurrence_date {int} NOT NULL,
    next_expected_date {int} NOT NULL,
    status {text} NOT NULL,                     -- active, inactive
    occurrences_count {int} NOT NULL,
    made_by {text} NOT NULL,                    -- person, detection
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, merchant_id) REFERENCES merchants (family_id, id),
    FOREIGN KEY (family_id, category_id) REFERENCES categories (family_id, id)
) {keyed};

CREATE TABLE budgets (
    family_id {int} NOT NULL REFERENCES families (id),
    id {uuid} NOT NULL,
    start_date {int} NOT NULL,                  -- one month each, from the family's day on
    end_date {int} NOT NULL,
    currency {text} NOT NULL,
    budgeted_spending {int},
    expected_income {int},
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id)
) {keyed};
CREATE UNIQUE INDEX budgets_start ON budgets (family_id, start_date);

CREATE TABLE budget_categories (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    budget_id {uuid} NOT NULL,
    category_id {uuid} NOT NULL,
    budgeted_spending {int} NOT NULL,           -- in the budget's currency
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, budget_id) REFERENCES budgets (family_id, id),
    FOREIGN KEY (family_id, category_id) REFERENCES categories (family_id, id)
) {keyed};
CREATE UNIQUE INDEX budget_categories_pair
    ON budget_categories (family_id, budget_id, category_id);

-- What a family sets for its members.
ALTER TABLE families ADD COLUMN month_start_day {int} NOT NULL DEFAULT 1;
ALTER TABLE families ADD COLUMN locale {text} NOT NULL DEFAULT 'en';
ALTER TABLE families ADD COLUMN date_format {text} NOT NULL DEFAULT '%Y-%m-%d';
ALTER TABLE families ADD COLUMN country {text};             -- ISO 3166; null: not said
