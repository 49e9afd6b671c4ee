-- What bank statements of a file state about themselves, until it is published and afterwards: a
-- publish that was undone can be made again.
CREATE TABLE import_statements (
    family_id {int} NOT NULL,
    import_id {uuid} NOT NULL,
    statements {text} NOT NULL,                 -- JSON, see purser_core::import::file_statement
    PRIMARY KEY (family_id, import_id),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};

-- Bank statements of published files. Balances are in the scale of the currency and in the sense of
-- the account: a debt is positive in a liability.
CREATE TABLE bank_statements (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    import_id {uuid} NOT NULL,
    format {text},                              -- of the file
    kind {text},                                -- bank, card, investment; null: not stated
    bank {text},
    holder {text},
    last_four {text},
    identifier {text},                          -- the bank's, and the number in the year
    number {text},
    first_day {int} NOT NULL,
    last_day {int} NOT NULL,
    currency {text} NOT NULL,
    opening {int},
    closing {int},
    closing_day {int} NOT NULL,                 -- the day at the end of which the closing holds
    lines_count {int} NOT NULL,
    missing_count {int} NOT NULL,               -- lines that the publish didn't bring into the ledger
    first_entry_id {uuid},                      -- the entries that were made of its lines
    last_entry_id {uuid},
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id),
    FOREIGN KEY (family_id, import_id) REFERENCES imports (family_id, id)
) {keyed};
CREATE INDEX bank_statements_of_account ON bank_statements (family_id, account_id, last_day, id);
CREATE INDEX bank_statements_of_import ON bank_statements (family_id, import_id);
CREATE INDEX bank_statements_newest ON bank_statements (family_id, last_day, id);

-- Entries that were in the ledger already, and that lines of bank statements stand for.
CREATE TABLE bank_statement_matches (
    family_id {int} NOT NULL,
    entry_id {uuid} NOT NULL,                   -- may be deleted
    statement_id {uuid} NOT NULL,
    PRIMARY KEY (family_id, entry_id, statement_id),
    FOREIGN KEY (family_id, statement_id) REFERENCES bank_statements (family_id, id)
) {keyed};
CREATE INDEX bank_statement_matches_of_statement
    ON bank_statement_matches (family_id, statement_id);
