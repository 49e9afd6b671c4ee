-- What the newest completed run of a connection came to, beside failures: for numbers and pages.
ALTER TABLE connections ADD COLUMN accounts_failed {int} NOT NULL DEFAULT 0;
ALTER TABLE connections ADD COLUMN accounts_incomplete {int} NOT NULL DEFAULT 0;
-- What the provider reports about the connection as a whole, as a JSON list of sentences.
ALTER TABLE connections ADD COLUMN notices {text};
-- Events that a webhook was never sent, because too many waited for it.
ALTER TABLE webhooks ADD COLUMN dropped {int} NOT NULL DEFAULT 0;
