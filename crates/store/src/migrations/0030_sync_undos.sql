-- The undo of a large run is several commits: whether it is under way or was given up.
ALTER TABLE sync_plans ADD COLUMN revert_status {text};     -- reverting, failed; null: neither
