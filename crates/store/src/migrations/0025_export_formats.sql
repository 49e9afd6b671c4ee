-- What an export is written as: ndjson, csv_zip, hledger, beancount.
ALTER TABLE family_exports ADD COLUMN format {text} NOT NULL DEFAULT 'ndjson';
