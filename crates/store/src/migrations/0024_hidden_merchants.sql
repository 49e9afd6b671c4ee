-- What readers see of merchants and securities: not what an unfinished publish created.
CREATE VIEW ledger_merchants AS SELECT * FROM merchants WHERE NOT EXISTS (
    SELECT 1 FROM hidden_entries hidden
    JOIN import_created made
        ON made.family_id = hidden.family_id AND made.import_id = hidden.import_id
    WHERE hidden.family_id = merchants.family_id AND hidden.action = 'publish'
        AND made.kind = 'merchant' AND made.target_id = merchants.id);
CREATE VIEW ledger_securities AS SELECT * FROM securities WHERE NOT EXISTS (
    SELECT 1 FROM hidden_entries hidden
    JOIN import_created made
        ON made.family_id = hidden.family_id AND made.import_id = hidden.import_id
    WHERE hidden.family_id = securities.family_id AND hidden.action = 'publish'
        AND made.kind = 'security' AND made.target_id = securities.id);
