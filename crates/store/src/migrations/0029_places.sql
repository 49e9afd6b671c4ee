-- Where the uploaded files are, and whether the families are spread over machines.
ALTER TABLE installation ADD COLUMN files_place {text} NOT NULL DEFAULT 'folder';   -- folder, bucket
ALTER TABLE installation ADD COLUMN is_distributed {bool} NOT NULL DEFAULT {false};
