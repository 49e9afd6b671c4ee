-- How often in a row the time limit of statements ended a try of a job.
ALTER TABLE jobs ADD COLUMN time_limits {int} NOT NULL DEFAULT 0;
