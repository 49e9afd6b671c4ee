-- What came of comparing a file in the server's own format with what its publish made.
ALTER TABLE imports ADD COLUMN readback {text};             -- JSON; null: not published yet

-- The import that brought a row which no entry or record stands for: its undo removes it.
ALTER TABLE position_statements ADD COLUMN import_id {uuid};
ALTER TABLE entry_origins ADD COLUMN import_id {uuid};      -- of tombstones
ALTER TABLE transfers ADD COLUMN import_id {uuid};
ALTER TABLE holdings ADD COLUMN import_id {uuid};           -- of the cost that is stated
ALTER TABLE rejected_transfers ADD COLUMN import_id {uuid};
