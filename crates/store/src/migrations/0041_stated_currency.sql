-- The currency that the list of a provider stated last of an account: it counts when it changes.
ALTER TABLE connection_accounts ADD COLUMN listed_currency {text};
