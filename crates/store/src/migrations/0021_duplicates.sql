-- People answer to pairs of entries that may be one transaction: each pair has an id. No version
-- could make rows of this table before.
DROP TABLE sync_suggestions;
CREATE TABLE sync_suggestions (
    family_id {int} NOT NULL,
    entry_id {uuid} NOT NULL,                   -- what was there
    other_id {uuid} NOT NULL,                   -- what the run added
    id {uuid} NOT NULL,
    account_id {uuid} NOT NULL,
    doubt {text} NOT NULL,
    created_at {int} NOT NULL,
    PRIMARY KEY (family_id, entry_id, other_id),
    FOREIGN KEY (family_id, account_id) REFERENCES accounts (family_id, id)
) {keyed};
CREATE UNIQUE INDEX sync_suggestions_by_id ON sync_suggestions (family_id, id);

-- The balance that the bank reported last, in the ledger's sign and scale, whether or not it was
-- written as a valuation, and by how much the ledger differed from it then.
ALTER TABLE connection_accounts ADD COLUMN observed_on {int};
ALTER TABLE connection_accounts ADD COLUMN observed_balance {int};
ALTER TABLE connection_accounts ADD COLUMN drift {int};
