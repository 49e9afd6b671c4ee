-- Hashes of the records of files that entries were made of or matched with: the same record is
-- recognised by them however its file is read, see purser_core::import::transaction::duplicates.
-- A row is about up to 4096 entries. Entries from before this step have none.
CREATE TABLE entry_records (
    family_id {int} NOT NULL REFERENCES families (id),
    import_id {uuid} NOT NULL,                  -- perhaps of an import that is gone
    first_id {uuid} NOT NULL,                   -- the lowest id of the entries, and the highest
    last_id {uuid} NOT NULL,
    hashes {bytes} NOT NULL,                    -- 8 bytes each, big endian
    entries {bytes},                            -- 16 bytes each; null: the ids from the first on
    PRIMARY KEY (family_id, import_id, first_id)
) {keyed};

-- Whether the same bytes were uploaded before.
CREATE INDEX files_by_content ON files (family_id, sha256);
CREATE INDEX imports_by_file ON imports (family_id, file_id) WHERE file_id IS NOT NULL;

-- Which account a name in a file stood for.
CREATE INDEX import_mappings_accounts ON import_mappings (family_id, value_key, target_id)
    WHERE kind = 'account' AND target_id IS NOT NULL;

-- Accounts that a person made for the rows of the import: they go with its undo.
ALTER TABLE imports ADD COLUMN made_accounts {text};        -- JSON: ids; null: none
