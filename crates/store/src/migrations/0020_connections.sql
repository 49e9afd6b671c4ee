-- Connections are synced: which process runs one, what the provider reported about the accounts,
-- and what came of each step of a run. No version could make rows of these tables before.
DROP TABLE connection_accounts;
CREATE TABLE connection_accounts (
    family_id {int} NOT NULL,
    id {uuid} NOT NULL,
    connection_id {uuid} NOT NULL,
    external_id {text} NOT NULL,                -- the id at the provider
    name {text} NOT NULL,
    institution_name {text},
    state {text} NOT NULL,                      -- active, consent_expired, failing
    upstream {text},                            -- the service behind the provider
    currency {text},                            -- as the provider stated it, if it did
    reported_balance {text},                    -- with the provider's sign, for whoever links it
    is_listed {bool} NOT NULL,                  -- false: the newest list hasn't got it
    is_ignored {bool} NOT NULL,                 -- a person wants it left alone
    account_id {uuid},                          -- linked to
    watermark {int},                            -- the last day that was retrieved whole
    holdings_unsupported_at {int},              -- when the provider had none to report
    seen_at {int} NOT NULL,
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, id),
    FOREIGN KEY (family_id, connection_id) REFERENCES connections (family_id, id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};
CREATE UNIQUE INDEX connection_accounts_external
    ON connection_accounts (family_id, connection_id, external_id);
-- Two sources for one account would be twice its transactions.
CREATE UNIQUE INDEX connection_accounts_linked ON connection_accounts (family_id, account_id)
    WHERE account_id IS NOT NULL;

ALTER TABLE connections ADD COLUMN run_token {int} NOT NULL DEFAULT 0;     -- grows with each run
ALTER TABLE connections ADD COLUMN run_owner {text};                       -- the process that runs it
ALTER TABLE connections ADD COLUMN run_until {int};                        -- its lease
ALTER TABLE connections ADD COLUMN not_before {int};                       -- the provider wants a rest
ALTER TABLE connections ADD COLUMN failures {int} NOT NULL DEFAULT 0;      -- failed runs in a row
CREATE INDEX connections_due ON connections (next_attempt_at);

CREATE TABLE sync_outcomes (
    family_id {int} NOT NULL,
    sync_id {uuid} NOT NULL,
    found_account_id {uuid} NOT NULL,           -- of connection_accounts; may be gone
    step {text} NOT NULL,                       -- balance, transactions, holdings
    failure {text},                             -- one of a fixed set; null: it succeeded
    rows_read {int} NOT NULL,
    rows_unreadable {int} NOT NULL,
    PRIMARY KEY (family_id, sync_id, found_account_id, step),
    FOREIGN KEY (family_id, sync_id) REFERENCES syncs (family_id, id)
) {keyed};
