-- Whether the families are spread over machines.
ALTER TABLE installation ADD COLUMN is_distributed {bool} NOT NULL DEFAULT {false};
