ALTER TABLE accounts ADD COLUMN notes {text};

-- A view knows the columns that there were when it was made.
DROP VIEW ledger_accounts;
CREATE VIEW ledger_accounts AS SELECT * FROM accounts WHERE NOT EXISTS (
    SELECT 1 FROM hidden_entries hidden
    JOIN import_created made
        ON made.family_id = hidden.family_id AND made.import_id = hidden.import_id
    WHERE hidden.family_id = accounts.family_id AND hidden.action = 'publish'
        AND made.kind = 'account' AND made.target_id = accounts.id);
