-- The currency that the list of a provider stated last of an account: it counts when it changes.
ALTER TABLE connection_accounts ADD COLUMN listed_currency {text};

-- What a file brought as pending is looked for in each sync, and there is little of it.
CREATE INDEX entries_pending ON entries (family_id, account_id) WHERE pending;
