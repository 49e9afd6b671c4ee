-- How often in a row the process ended while a job ran.
ALTER TABLE jobs ADD COLUMN deaths {int} NOT NULL DEFAULT 0;
