-- The currency that a provider states of an account now, if it stated another one at first.
ALTER TABLE connection_accounts ADD COLUMN other_currency {text};
