-- When a family or a user is removed for good; null: not at all. Until then nobody signs in.
ALTER TABLE families ADD COLUMN deletion_at {int};
ALTER TABLE users ADD COLUMN deletion_at {int};

-- The highest number of a family that was removed: no other family gets it, nor its files' folder.
ALTER TABLE installation ADD COLUMN removed_family {int} NOT NULL DEFAULT 0;
